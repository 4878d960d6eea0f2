// SPDX-License-Identifier: MIT
// The phase affine.lower, at the place `front`. A loop
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
// and a fold a function in direct style that calls itself last. What counts is k: it starts at 0, grows by 1 and ends at a number that is
// known before the loop, whatever the bounds are, so the back end knows how often the loop runs, and nothing overflows.
#include <algorithm>

#include "affine.h"
#include "core/annexes.h"
#include "opt/selective.h"

namespace mim::plug::affine {

namespace {

bool is_loop(const Axiom& axiom) {
    return axiom.id.plugin == AnnexTraits<For>::plugin
           && (axiom.id.tag == AnnexTraits<For>::tag || axiom.id.tag == AnnexTraits<fold>::tag);
}

/// The axiom of a loop at the head of `def`.
const Axm* loop_axiom(const Def* def) {
    auto axm = head_axiom(def);
    return axm && is_loop(axm->axiom()) ? axm : nullptr;
}

class Lower : public opt::SelectiveRewriter {
public:
    using SelectiveRewriter::SelectiveRewriter;

protected:
    bool wants(const Def* def) override { return def->isa<Axm>() && is_loop(def->as<Axm>()->axiom()); }
    const Def* rewrite_imm(const Def* def) override;

private:
    struct Loop {
        const Def* type; ///< of the accumulator
        Range range;
        const Def *f, *acc, *exit; ///< exit: null of a fold
    };
    const Def* lowered(const Def* loop);
    const Def* counted(const Loop&);
    const Def* folded(const Loop&);
    const Def* next(const Def* k) { return world().call(core::nat::add, Defs{{world().tuple({k, world().lit_nat(1)})}}); }
    Lam* block(const Def* dom, const char* name) {
        auto lam = world().mut_lam(world().cn(dom));
        world().set_name(lam, world().sym(name));
        return lam;
    }
};

const Def* Lower::rewrite_imm(const Def* def) {
    if (!loop_axiom(def)) return SelectiveRewriter::rewrite_imm(def);
    std::vector<const Def*> groups;
    auto head = def;
    for (; head->isa<App>(); head = head->as<App>()->callee()) groups.push_back(rewrite(head->as<App>()->arg()));
    for (size_t i = groups.size(); i-- != 0;) head = world().app(head, groups[i]);
    world().copy_place(def, head);
    // what the rewrite found out may have normalized the loop away
    if (!loop_axiom(head)) return head;
    return saturated_axiom(head) ? lowered(head) : rewrite(opt::eta_expand(world(), head));
}

const Def* Lower::lowered(const Def* def) {
    auto& w  = world();
    auto arg = def->as<App>()->arg(), callee = def->as<App>()->callee();
    auto type = group(callee, 2);
    Range range{w, group(callee, 1)};
    w.copy_place(def, range.trips()); // the one to blame for a step of 0
    if (match<fold>(def)) return folded({type, range, group(callee), arg, nullptr});
    return counted({type, range, group(callee), w.extract(arg, 0), w.extract(arg, 1)});
}

const Def* Lower::counted(const Loop& loop) {
    auto& w   = world();
    auto head = block(w.sigma({w.nat(), loop.type}), "loop");
    auto k = w.extract(head->var(), 0), acc = w.extract(head->var(), 1);
    w.set_filter(head, w.ff());

    auto again = block(loop.type, "next");
    w.set(again, w.ff(), w.app(head, {next(k), again->var()}));
    auto more = block(w.unit_type(), "more"), done = block(w.unit_type(), "done");
    w.set(more, w.ff(), w.app(loop.f, {w.tuple({loop.range.index(k), acc}), again}));
    w.set(done, w.ff(), w.app(loop.exit, acc));
    auto runs = w.call(core::ncmp::l, Defs{{w.tuple({k, loop.range.trips()})}});
    w.set_body(head, w.app(w.select(runs, more, done), w.unit()));
    Lam* group[] = {head, again, more, done};
    w.close(group);
    return w.app(head, {w.lit_nat(0), loop.acc});
}

const Def* Lower::folded(const Loop& loop) {
    auto& w   = world();
    auto from = w.mut_lam(w.pi(w.sigma({w.nat(), loop.type}), loop.type));
    w.set_name(from, w.sym("fold"));
    w.set_filter(from, w.ff());
    auto k = w.extract(from->var(), 0), acc = w.extract(from->var(), 1);
    auto runs = w.call(core::ncmp::l, Defs{{w.tuple({k, loop.range.trips()})}});
    auto rest = w.app(from, {next(k), w.app(loop.f, {loop.range.index(k), acc})});
    w.set_body(from, w.select(runs, rest, acc));
    Lam* group[] = {from};
    w.close(group);
    return w.app(from, {w.lit_nat(0), loop.acc});
}

} // namespace

void lower(PhaseContext& c) {
    if (std::ranges::any_of(c.program().axioms(), [](const Axiom* a) { return is_loop(*a); })) Lower(c).run();
}

} // namespace mim::plug::affine
