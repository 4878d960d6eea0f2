// SPDX-License-Identifier: MIT
// Placeholders that the file still has to fill: those of implicit arguments and of `_`.
#pragma once
#include <string>
#include <vector>

#include "sema/errors.h"

namespace mim {

class Holes {
public:
    explicit Holes(Errors& errors)
        : world_(errors.world())
        , errors_(errors) {}

    /// `pi`: the function whose argument it is, or null. `callee`: the text of that function, or null.
    /// `lam`: the function itself, if it is known.
    const Def* make(const Def* type, Span, const Pi* pi, const ast::Expr* callee, const Lam* lam = nullptr);
    /// The type of the values that a function of this name passes to `return`, where the text states none. It mentions no parameter
    /// of the last group.
    const Def* make_result(std::string function, Span name);
    /// The function whose result has the type that this open placeholder stands for; null for any other node.
    const std::string* returns(const Def*) const;
    /// Those made from now on come after it.
    size_t mark() const { return open_.size(); }
    /// Forgets those made since `mark`.
    void forget(size_t mark);
    /// Forgets those of them that are filled.
    void drop_solved(size_t mark);
    /// Reports those that are still open, and forgets all; whether none was.
    bool check(size_t mark);
    /// Reports the open placeholder that this node is, or an element of; false if it is none.
    bool report_open(const Def*);

private:
    struct Open {
        const Def* hole;
        Span span;
        const Def* binder;        ///< the function or its type, whichever knows the names of the parameters; or null
        const ast::Expr* callee;  ///< or null
        std::string returns = {}; ///< of the type of a result: the function
        size_t num_errors   = 0;  ///< of the type of a result: reported before
    };
    std::string params(const Open&) const;
    void report(const Open&);

    World& world_;
    Errors& errors_;
    std::vector<Open> open_; ///< they may be open
};

} // namespace mim
