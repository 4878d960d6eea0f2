// SPDX-License-Identifier: MIT
// The phase affine.lower, at the place `front`. A loop becomes a function that counts turns (loop.cpp), and a fold a function in direct
// style that calls itself last.
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

/// Whether `def` is a loop, maybe without its last groups. The call of the function that a loop returns is none.
bool is_loop(const Def* def) {
    auto axm = head_axiom(def);
    return axm && is_loop(axm->axiom()) && num_groups(def) <= axm->axiom().curry;
}

class Lower : public opt::SelectiveRewriter {
public:
    using SelectiveRewriter::SelectiveRewriter;

protected:
    bool wants(const Def* def) override { return def->isa<Axm>() && is_loop(def->as<Axm>()->axiom()); }
    const Def* rewrite_imm(const Def* def) override;

private:
    const Def* lowered(const Def* loop);
    const Def* folded(const Loop&);
};

const Def* Lower::rewrite_imm(const Def* def) {
    if (!is_loop(def)) return SelectiveRewriter::rewrite_imm(def);
    std::vector<const Def*> groups;
    auto head = def;
    for (; head->isa<App>(); head = head->as<App>()->callee()) groups.push_back(rewrite(head->as<App>()->arg()));
    for (size_t i = groups.size(); i-- != 0;) head = world().app(head, groups[i]);
    world().copy_place(def, head);
    // what the rewrite found out may have normalized the loop away
    if (!is_loop(head)) return head;
    return saturated_axiom(head) ? lowered(head) : rewrite(opt::eta_expand(world(), head));
}

const Def* Lower::lowered(const Def* def) {
    auto& w  = world();
    auto arg = def->as<App>()->arg(), callee = def->as<App>()->callee();
    auto type = group(callee, 2);
    Range range{w, group(callee, 1)};
    w.copy_place(def, range.trips()); // the one to blame for a step of 0
    if (match<fold>(def)) return folded({type, range, group(callee), arg, nullptr});
    return counted(w, {type, range, group(callee), w.extract(arg, 0), w.extract(arg, 1)});
}

const Def* Lower::folded(const Loop& loop) {
    auto& w   = world();
    auto from = w.mut_lam(w.pi(w.sigma({w.nat(), loop.type}), loop.type));
    w.set_name(from, w.sym("fold"));
    w.set_filter(from, w.ff());
    auto k = w.extract(from->var(), 0), acc = w.extract(from->var(), 1);
    auto runs = w.call(core::ncmp::l, Defs{{w.tuple({k, loop.range.trips()})}});
    auto rest = w.app(from, {next_index(w, k), w.app(loop.f, {loop.range.index(k), acc})});
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
