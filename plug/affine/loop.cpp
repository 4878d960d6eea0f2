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
#include "affine.h"
#include "base/worklist.h"
#include "core/annexes.h"
#include "kit/build.h"

namespace mim::plug::affine {

const Def* next_index(World& w, const Def* k) { return w.call(core::nat::add, {k, w.lit_nat(1)}); }

const Def* turn_or_end(const Loop& loop, const Def* k, const Def* turn, const Def* end) {
    auto& w = loop.range.w;
    return w.select(w.call(core::ncmp::l, {k, loop.range.trips()}), turn, end);
}

const Def* counted(World& w, const Loop& loop, bool in_place) {
    Functions functions(w);
    auto head     = functions.con(w.sigma({w.nat(), loop.type}), "loop");
    auto again    = functions.con(loop.type, "next");
    auto [k, acc] = elems<2>(w, head->var());
    w.set_body(again, w.app(head, {next_index(w, k), again->var()}));
    auto args = w.tuple({w.tuple({loop.range.index(k), acc}), again});
    auto body = in_place ? loop.f->isa<Lam>() : nullptr;
    auto more = functions.block(body ? w.subst(body->body(), body->var(), args) : w.app(loop.f, args), "more");
    auto done = functions.block(w.app(loop.exit, acc), "done");
    w.set_body(head, w.app(turn_or_end(loop, k, more, done), w.unit()));
    functions.close();
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
    DefSet around;
    for (auto var : free_vars(w, body)) around.insert(var->as<Var>()->binder());
    if (is_closed(w, body)) return false;
    Worklist<const Def*> todo{body};
    while (auto def = todo.next()) {
        if (around.contains(def)) continue;
        if (todo.seen().size() > max_looked_at) return true;
        auto var = variable_of(def);
        if (var && around.contains(var->binder()) && is_linear(def->type())) return true;
        if (var) continue;
        for (auto op : def->ops())
            if (op && !is_closed(w, op)) todo.push(op);
    }
    return false;
}

} // namespace mim::plug::affine
