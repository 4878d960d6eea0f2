// SPDX-License-Identifier: MIT
// Effects that the text asks for and that are in no graph: a value that nobody mentions, as in `let _ = f mem`, never
// reaches the graph; a projection such as `(mem, %mem.store (mem, p, 3))#0`, or an operator that folds, as in `0 * (f
// mem)#1`, drops an operand before the check of whole functions (linear/tokens.h) sees it. So this one follows the
// text: the token that an application makes must be taken over by something that is written behind it, or the function
// still holds the effect.
//
// An argument, a result, or an alternative is taken over. Alternatives are the elements of a tuple that an index
// chooses from, unless the index is written as a literal: the others do not happen, also if the index becomes known.
#pragma once
#include <string>
#include <unordered_map>
#include <vector>

#include "sema/enclosing.h"
#include "sema/errors.h"
#include "sema/tokens.h"

namespace mim {

class Effects {
public:
    Effects(Errors& errors, Tokens& tokens, const Enclosing& enclosing)
        : world_(errors.world())
        , errors_(errors)
        , tokens_(tokens)
        , enclosing_(enclosing) {}

    /// @name reading the text, from left to right; a value may be null
    ///@{
    /// An application that is written at `place` has this value.
    void make(const Def* value, Span place);
    /// The expression that is written here takes the tokens in this value over.
    void take_over(const Def* value);
    /// The same for what is extracted from: an index that is written as a number or the name of a field projects; any
    /// other chooses.
    void take_alternatives(const Def* tuple, const ast::Expr* index, bool is_field);
    /// Nobody mentions this value, which holds the token that is called so. An error, unless the function that is read
    /// ends in a call that never returns.
    void drop(const Def* value, Span place, std::string token);
    /// The same for each `_` of a `let`.
    void drop_ignored(const ast::Let*, const Def* value);
    /// A token for a parameter that is there for values of any type, and that the function does not mention: its call
    /// is evaluated, so no other check will see it.
    void check_passed(const Lam*, const Def* arg, const ast::Expr* place);
    ///@}

    /// This was the body of the function as it was read, but another one is set.
    void keep_as_read(const Lam* lam, const Def* body) { as_read_[lam] = body; }
    /// Null if that is the body of the function.
    const Def* as_read(const Lam*) const;

    /// Reports what is lost in the functions that were read since the last call, which are complete now.
    void settle();

private:
    struct Drop {
        const Def* value;
        const Lam* function;
        Span place;
        std::string token;
    };
    struct Effect {
        const Def* node;
        const Lam* function;
        Span place;
    };
    class Held;
    template<class F>
    void each_effect(const Def* value, F);
    std::string token_text(Span maker) const;
    std::vector<const Def*> consumed_by(const Def* effect);
    void report_lost(const Lam* function, const Def* value, Span place, std::string token);
    bool report_twice(const Lam* function, const Def* effect);
    void settle_drops();
    void settle_effects();

    World& world_;
    Errors& errors_;
    Tokens& tokens_;
    const Enclosing& enclosing_;
    std::vector<Drop> drops_;                            ///< in functions that are not complete yet
    std::vector<Effect> effects_;                        ///< likewise, in the order in which they are written
    std::unordered_map<const Def*, size_t> taken_;       ///< by node: the number of effects before it was last taken over
    std::unordered_map<const Lam*, const Def*> as_read_; ///< bodies as they were read, if they are others now
};

} // namespace mim
