// SPDX-License-Identifier: MIT
// Placeholders that the file still has to fill: those of implicit arguments and of `_`.
#pragma once
#include <vector>

#include "sema/errors.h"

namespace mim {

class Holes {
public:
    explicit Holes(Errors& errors)
        : world_(errors.world())
        , errors_(errors) {}

    /// `pi`: the function whose argument it is, or null. `callee`: the text of that function, or null.
    const Def* make(const Def* type, Span, const Pi* pi, const ast::Expr* callee);
    /// Those made from now on come after it.
    size_t mark() const { return open_.size(); }
    /// Forgets those made since `mark`.
    void forget(size_t mark);
    /// Forgets those of them that are filled.
    void drop_solved(size_t mark);
    /// Reports those that are still open, and forgets all; whether none was.
    bool check(size_t mark);

private:
    struct Open {
        const Def* hole;
        Span span;
        Symbol param;
        const ast::Expr* callee; ///< or null
    };

    World& world_;
    Errors& errors_;
    std::vector<Open> open_; ///< they may be open
};

} // namespace mim
