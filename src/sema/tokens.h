// SPDX-License-Identifier: MIT
// Which values of the text are tokens, and how they are called: for the check of whole functions (linear/tokens.h), and
// for the one that follows the text (effects.h).
#pragma once
#include <unordered_map>

#include "ir/token_types.h"
#include "sema/annexes.h"
#include "sema/result.h"

namespace mim {

class Tokens {
public:
    Tokens(World& world, const Annexes& annexes)
        : world_(world)
        , annexes_(annexes) {}

    TokenTypes& types() { return types_; }
    /// Some axiom that is loaded makes tokens. If not, all of the following say no.
    bool exist();
    /// A token, or a function that got one and waits for more arguments.
    bool is_token(const Def* value);
    /// Or what is one where somebody instantiates the type variables in its type.
    bool may_be_token(const Def* value);
    /// Whether an effect or a token is lost if nobody mentions this value of this expression (which may be null).
    bool is_lost_with(const Def* value, const ast::Expr*);

    /// Calls f(part, name or null, place) for each part for which `is_such` holds, among the names and elements that
    /// the pattern takes from the value.
    template<class F, class P>
    void each(const ast::Pattern*, const Def* value, F, P is_such);
    /// Gives a name and a place to what may be a token among the parts of a variable: errors need them even if the text
    /// never mentions it.
    void name(const ast::Pattern*, const Def* var);

    /// Whether the body depends on this part of the variable, or on the variable as a whole.
    bool mentions(const Lam*, const Def* leaf);

private:
    bool captures_token(const Def* function);
    bool search(const Lam*, const Def* leaf);

    World& world_;
    const Annexes& annexes_;
    TokenTypes& types_  = world_.token_types();
    bool exist_         = false;
    size_t num_annexes_ = 0;                        ///< when that was asked last
    std::unordered_map<const Def*, bool> mentions_; ///< by part of a variable
};

template<class F, class P>
void Tokens::each(const ast::Pattern* p, const Def* value, F f, P is_such) {
    if (!is_such(value)) return;
    switch (p->kind) {
        case ast::PatternKind::NamePattern: {
            auto& name = ast::as<ast::NamePattern>(p)->name;
            return f(value, name.name, name.name ? name.span : p->span);
        }
        case ast::PatternKind::AsPattern: {
            auto& name = ast::as<ast::AsPattern>(p)->name;
            return f(value, name.name, name.span);
        }
        case ast::PatternKind::TypePattern: return f(value, Symbol(), p->span);
        case ast::PatternKind::LabelPattern:
        case ast::PatternKind::GroupPattern: return;
        case ast::PatternKind::TuplePattern: break;
    }
    auto n    = lit_arity(world_, world_.refresh(value->type()));
    size_t i  = 0;
    auto part = [&] { return n == 1 ? value : world_.extract(value, i); };
    for (auto e : ast::as<ast::TuplePattern>(p)->elems) {
        if (auto group = ast::isa<ast::GroupPattern>(e)) {
            for (auto& name : group->names) {
                auto d = part();
                if (is_such(d)) f(d, name.name, name.name ? name.span : e->span);
                ++i;
            }
        } else {
            each(e, part(), f, is_such);
            ++i;
        }
    }
}

} // namespace mim
