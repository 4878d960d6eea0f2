// SPDX-License-Identifier: MIT
// A loop
//
//     %affine.For (start, stop, step) body (acc, exit)
//
// becomes, with n = %affine.trips (start, stop, step),
//
//     head (0, acc) where
//         con head (k: Nat, acc: A) = (done, more)#(%core.ncmp.l (k, n)) () where
//             con more () = body ((start + k·step, acc), next);
//             con next (acc: A) = head (k + 1, acc);
//             con done () = exit acc;
//         end;
//     end
//
// What counts is k: it starts at 0, grows by 1 and ends at a number that is known before the loop, whatever the bounds are, so the back
// end knows how often the loop runs, and nothing overflows. A body that leaves the loop with a token from around it stands in `more` itself:
// then all see that no turn follows the one that takes the token.
#include <unordered_set>

#include "affine.h"
#include "core/annexes.h"

namespace mim::plug::affine {

const Def* next_index(World& w, const Def* k) { return w.call(core::nat::add, Defs{{w.tuple({k, w.lit_nat(1)})}}); }

static Lam* block(World& w, const Def* dom, const char* name) {
    auto lam = w.mut_lam(w.cn(dom));
    w.set_name(lam, w.sym(name));
    return lam;
}

const Def* counted(World& w, const Loop& loop, bool in_place) {
    auto head = block(w, w.sigma({w.nat(), loop.type}), "loop");
    auto k = w.extract(head->var(), 0), acc = w.extract(head->var(), 1);
    w.set_filter(head, w.ff());

    auto again = block(w, loop.type, "next");
    w.set(again, w.ff(), w.app(head, {next_index(w, k), again->var()}));
    auto more = block(w, w.unit_type(), "more"), done = block(w, w.unit_type(), "done");
    auto args = w.tuple({w.tuple({loop.range.index(k), acc}), again});
    auto body = in_place ? loop.f->isa<Lam>() : nullptr;
    w.set(more, w.ff(), body ? w.subst(body->body(), body->var(), args) : w.app(loop.f, args));
    w.set(done, w.ff(), w.app(loop.exit, acc));
    auto runs = w.call(core::ncmp::l, Defs{{w.tuple({k, loop.range.trips()})}});
    w.set_body(head, w.app(w.select(runs, more, done), w.unit()));
    Lam* group[] = {head, again, more, done};
    w.close(group);
    return w.app(head, {w.lit_nat(0), loop.acc});
}

/// Whether values of a type are tokens, or hold some.
static bool is_linear(const Def* type) {
    if (!type) return false;
    if (auto axm = head_axiom(type)) return axm->axiom().has(Axiom::LinearType);
    if (!type->isa<Sigma>() && !type->isa<Arr>() && !type->isa<Union>()) return false;
    for (auto op : type->ops())
        if (op && is_linear(op)) return true;
    return false;
}

/// The variable of which def is a part, taken out by literal indices; else null.
static const Var* variable_of(const Def* def) {
    while (def->isa<Extract>() && isa_lit(def->as<Extract>()->index())) def = def->as<Extract>()->tuple();
    return def->isa<Var>();
}

/// What is looked at of a body; more is taken for one that refers to a token, which is no mistake.
static constexpr size_t max_looked_at = 4096;

bool refers_to_token(World& w, const Def* body) {
    std::unordered_set<const Def*> seen, around;
    for (auto var : w.free_vars(body)) around.insert(var->as<Var>()->binder());
    std::vector<const Def*> todo{body};
    while (!todo.empty()) {
        auto def = todo.back();
        todo.pop_back();
        if (w.is_closed(def) || around.contains(def) || !seen.insert(def).second) continue;
        if (seen.size() > max_looked_at) return true;
        if (auto var = variable_of(def)) {
            if (around.contains(var->binder()) && is_linear(def->type())) return true;
            continue;
        }
        for (auto op : def->ops())
            if (op) todo.push_back(op);
    }
    return false;
}

} // namespace mim::plug::affine
