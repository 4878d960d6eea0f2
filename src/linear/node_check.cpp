// SPDX-License-Identifier: MIT
#include "linear/node_check.h"

#include "ir/def_set.h"
#include "linear/nodes.h"

namespace mim::linear {

void NodeCheck::assigned(const Def* at, const Def* type, const Def* value) {
    auto found = types_.hidden(type, value);
    if (found && hidden_.insert(found.token).second)
        report(at, Diag::token_hidden, {found.sigma, found.token, found.token->type()});
}

/// That the types of a program as it was written are right is known; here type variables stand for types with tokens.
void NodeCheck::run(const Def* d) {
    switch (d->node()) {
        case Node::Lam: {
            auto lam = d->as<Lam>();
            filter(lam);
            bool is_assigned = lam->is_set() && holds_types(lam->body()->type());
            if (is_assigned) assigned(d, codom(world_, lam->pi(), lam->var()), lam->body());
            break;
        }
        case Node::App: {
            auto app = d->as<App>();
            if (holds_types(app->arg()->type())) assigned(d, app->callee()->type()->as<Pi>()->dom(), app->arg());
            token_free(app);
            break;
        }
        case Node::Insert: {
            auto ins  = d->as<Insert>();
            auto type = elem_type(world_, ins->tuple()->type(), ins->tuple(), ins->index());
            assigned(d, type, ins->value());
            break;
        }
        case Node::Inj: {
            auto inj = d->as<Inj>();
            assigned(d, inj->member(), inj->value());
            break;
        }
        default: break;
    }
}

void NodeCheck::token_free(const App* app) {
    auto axm = saturated_axiom(app);
    if (!axm || !axm->axiom().has(Axiom::TokenFree)) return;
    const Def* token = types_.contains(app->type()) ? app->type() : nullptr;
    for (const Def* d = app; d->isa<App>(); d = d->as<App>()->callee()) {
        auto arg  = d->as<App>()->arg();
        auto type = holds_types(arg->type()) ? arg : arg->type();
        if (types_.contains(type)) token = type;
    }
    if (token) report(app, Diag::token_cast, {axm, token});
}

void NodeCheck::report(const Def* at, Diag id, std::vector<Error::Arg> args) {
    auto vars = free_vars(world_, at);
    auto lam  = at->isa<Lam>();
    if (!lam && !vars.empty()) lam = vars.front()->as<Var>()->binder()->isa<Lam>();
    reports_.add({id, std::move(args), lam, at, {}});
}

/// It does not depend on the variable of the λ, and is evaluated outside of filters.
bool NodeCheck::happens_around(const Lam* lam, const Def* def) {
    if (is_free_in(world_, lam->var(), def)) return false;
    return by_phases_ || facts_.component(def) != 0;
}

/// No effect happens where a filter is evaluated, so a token in it is an error. Not counted are other elements of a
/// parameter that holds tokens, the question whether it is known, and all that happens around the λ.
void NodeCheck::filter(const Lam* lam) {
    if (!lam->is_set() || lam->filter()->isa<Lit>()) return;
    struct Use {
        const Def* def;
        const Def* place; ///< the innermost expression around it that the text shows
    };
    DefSet seen;
    std::vector<Use> todo{{lam->filter(), lam}};
    while (!todo.empty()) {
        auto [def, place] = todo.back();
        todo.pop_back();
        if (is_closed(world_, def) || !seen.insert(def)) continue;
        bool is_param = binder_of(def);
        if (is_param && types_.is_token(def)) return report(place, Diag::token_in_filter, {lam, def});
        if (is_param || happens_around(lam, def)) continue;
        if (world_.notes.span(def)) place = def;
        auto axm     = saturated_axiom(def);
        bool is_free = axm && axm->axiom().has(Axiom::TokenFree);
        for (auto op : is_free ? arg_elems(def->as<App>()) : value_ops(def))
            if (op && !is_static(op) && !(is_free && binder_of(op))) todo.push_back({op, place});
    }
}

} // namespace mim::linear
