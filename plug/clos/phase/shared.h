// SPDX-License-Identifier: MIT
// Functions that become closures although they are only called. A local function is copied into each code that calls it. If it makes
// closures, these are copied with it, and so are the functions that they call: nested copies grow exponentially with the depth, as in
//
//     con outer x = … inner y … where con inner y = … f k where con k z = … outer z … inner z …
//
// in which the closure `k` calls the functions that it is in. So a function that makes closures, and that more than one code calls, is
// itself a closure.
#pragma once
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analysis/snapshot.h"
#include "roles.h"

namespace mim::plug::clos {

/// Linear in the bodies of the functions, and the logarithm of their calls.
class Shared {
public:
    /// Those in `closures` are shared in any case.
    Shared(World&, const Roles&, const Snapshot&, const std::unordered_set<const Lam*>& closures);

    bool contains(const Lam* lam) const { return shared_.contains(lam); }

private:
    bool is_code(const Lam*) const;
    void visit(const Lam* root);
    bool enter(const Lam*);
    void find_in_body(const Lam*);
    void number();
    void find_makers();

    World& world_;
    const Roles& roles_;
    std::unordered_map<const Lam*, std::vector<const Lam*>>
        callees_;                              ///< those that are no codes; of each function visited so far
    std::vector<const Lam*> order_;            ///< post-order, then reverse post-order
    std::vector<std::vector<uint32_t>> preds_; ///< by position in order_ + 1; 0 precedes all codes
    std::unordered_set<const Lam*> makers_;    ///< they, or functions that are copied with them, make closures
    std::unordered_set<const Lam*> shared_;
};

} // namespace mim::plug::clos
