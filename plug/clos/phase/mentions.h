// SPDX-License-Identifier: MIT
// Values that several closures mention. A function that is a value is made where it is mentioned first. If that is in
// the code of one closure, the next closure that mentions it makes it again, with copies of all that is only called
// there and of the closures in it, and so on inwards:
//
//     con outer x = … (a, b, c) … where con a y = … (c, …) …; con b z = … (c, …) …; con c w = … x … end
//
// So a large one, as `c`, is made before the closures that mention it, and each of these takes it from outside. A small
// one costs less to make again, and is only made if the closure is called.
#pragma once
#include <memory>
#include <unordered_map>
#include <vector>

#include "analysis/snapshot.h"
#include "base/domtree.h"

namespace mim::plug::clos {

/// Linear in the bodies of the functions, and the logarithm of who mentions whom.
class Mentions {
public:
    Mentions(World&, const Snapshot&);

    /// `lam` is large, and not all that mentions it is in one function of `group`.
    bool is_shared(const Lam* lam, const std::vector<const Lam*>& group) const;

private:
    struct Function {
        uint32_t number = 0;           ///< in reverse post-order; 0 precedes all closed ones
        size_t size     = 0;           ///< of its body, in nodes
        std::vector<const Lam*> inner; ///< the open functions in the body
    };
    void visit(const Lam* root);
    bool enter(const Lam*);
    void number();
    bool is_large(const Lam*) const;

    World& world_;
    std::unordered_map<const Lam*, Function> functions_;
    std::vector<const Lam*> order_; ///< post-order
    std::vector<std::vector<uint32_t>> preds_;
    std::unique_ptr<DomTree> doms_;
};

} // namespace mim::plug::clos
