// SPDX-License-Identifier: MIT
// What an expression becomes where all that it must wait for has been evaluated. See converter.h.
#include "converter.h"
#include "direct/diagnostics.h"
#include "style.h"

namespace mim::plug::direct {

const Def* Converter::rewrite(const Def* def) {
    if (auto i = env_.find(def); i != env_.end()) return i->second;
    bool is_type = def->type() && def->type()->isa<Sort>();
    if (is_type && facts_.is_closed(def)) return closed(def);
    auto result = rewrite_new(def);
    if (!def->isa<Lam>() && !def->isa<Var>()) {
        world_.notes.copy_place(def, result);
        bind(def, result);
    }
    return result;
}

const Def* Converter::rewrite_new(const Def* def) {
    switch (def->node()) {
        case Node::Sort:
        case Node::Bot:
        case Node::Top:
        case Node::Nat:
        case Node::Idx:
        case Node::Axm:
        case Node::Var: return def;
        case Node::Lam: {
            auto lam = def->as<Lam>();
            if (facts_.is_closed(lam)) return facts_.is_run_time(lam) ? function(lam) : closed(lam);
            if (facts_.has_lazy(lam)) return wrapper(lam);
            return uses_ && uses_->vertex(lam) >= 0 ? declare(lam) : substitute(lam);
        }
        case Node::Pi: return rewrite_pi(def->as<Pi>());
        default: break;
    }
    if (def->is_mut()) return substitute(def);
    if (auto f = isa_restyled(def)) return rewrite(shared(f));
    if (auto labelled = rewrite_labelled(def)) return labelled;
    if (auto elems = facts_.updated_elements(def); !elems.empty()) {
        for (auto& elem : elems) elem = rewrite(elem);
        return world_.tuple(elems);
    }
    bool changed = false;
    std::vector<const Def*> ops(def->num_ops());
    for (size_t i = 0; i != ops.size(); ++i) ops[i] = rewrite(def->op(i)), changed |= ops[i] != def->op(i);
    if (auto app = def->isa<App>()) check_axiom(app, ops[0], ops[1]);
    auto type = def->type();
    if (def->isa<Lit>() || def->isa<Inj>() || is_declared(def)) type = rewrite(type), changed |= type != def->type();
    return changed ? rebuilder_.rebuild(def, type, ops) : def;
}

/// The type of an axiom stays, so it takes no function that has become a continuation, unless it works on data of any type.
void Converter::check_axiom(const App* app, const Def* callee, const Def* arg) {
    auto axm = head_axiom(app);
    if (!axm || arg == app->arg() || !facts_.mentions_function(app->arg()->type())) return;
    if (assignable(world_, callee->type()->as<Pi>()->dom(), arg)) return;
    world_.here = here_.span;
    throw Error(diag::axiom_of_functions(axm->axiom().name.str()));
}

/// Of a union whose members get labels: the type, an injection, or a `match` whose arms are continuations; else null.
const Def* Converter::rewrite_labelled(const Def* def) {
    if (members_.isa_labelled(def)) return substitute(def);
    if (auto inj = def->isa<Inj>(); inj && members_.isa_labelled(inj->type())) {
        auto type = rewrite(inj->type());
        if (inj->member()->isa<Union>())
            return world_.inj(type, rewrite(inj->value()), rewrite(inj->member())); // has the same labels
        auto member = members_.label(inj->member(), rewrite(inj->member()));
        return world_.inj(type, members_.inject(inj->member(), rewrite(inj->value())), member);
    }
    auto match = def->isa<Match>();
    if (!match || !members_.isa_labelled(match->scrutinee()->type())) return nullptr;
    std::vector<const Def*> arms;
    for (auto arm : match->arms()) {
        auto member = arm->type()->as<Pi>()->dom();
        auto lam    = new_lam(world_.cn(members_.label(member, rewrite(member))));
        world_.set_body(lam, world_.app(rewrite(arm), members_.value_of(lam->var())));
        arms.push_back(lam);
    }
    return world_.match(rewrite(match->scrutinee()), arms);
}

} // namespace mim::plug::direct
