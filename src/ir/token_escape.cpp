// SPDX-License-Identifier: MIT
// A function that captures a token and is used as a value (E302), and how to write it instead: it takes the token as its
// first parameter, and gives one back if it returns.
#include "ir/token_check.h"

namespace mim::tokens {

namespace {

class Remedy {
public:
    Remedy(TokenTypes& types, World& world, const Def* token)
        : types_(types)
        , world_(world)
        , token_(token) {}

    /// The type of a function of type `pi` that takes the token; null if elements of its domain are typed by others.
    const Def* type(const Pi* pi) {
        if (pi->is_mut()) return nullptr;
        if (!pi->is_cn()) return world_.pi(with_token(pi->dom()), result(pi->codom()));
        auto sigma  = pi->dom()->isa<Sigma>();
        auto ret    = sigma && !sigma->is_mut() && sigma->num_ops() == 2 ? sigma->op(1)->isa<Pi>() : nullptr;
        bool is_fun = ret && !ret->is_mut() && ret->is_cn();
        return is_fun ? world_.fn(with_token(sigma->op(0)), result(ret->dom())) : world_.cn(with_token(pi->dom()));
    }

private:
    const Def* result(const Def* type) { return types_.contains(type) ? type : with_token(type); }

    /// As its first element.
    const Def* with_token(const Def* type) {
        std::vector<const Def*> elems{token_};
        if (type->isa<Sigma>() && !type->is_mut()) elems.insert(elems.end(), type->ops().begin(), type->ops().end());
        else elems.push_back(type);
        return world_.sigma(elems);
    }

    TokenTypes& types_;
    World& world_;
    const Def* token_;
};

} // namespace

Violation token_escape(Check& c, const Lam* around, const Lam* lam, const Def* token) {
    Violation v{Diag::token_escapes, {lam, token}, around, lam, {{Diag::token_made_here, token}}};
    auto pi       = lam->type()->as<Pi>();
    bool is_known = !token->type()->isa<Pi>(); // and no function that waits for more
    auto type     = is_known ? Remedy(c.types, c.world, token->type()).type(pi) : nullptr;
    if (type) v.notes.push_back({Diag::token_as_argument, nullptr, {type, pi}});
    return v;
}

} // namespace mim::tokens
