// SPDX-License-Identifier: MIT
// The phase affine.lower, at the extension point `front`. A loop becomes a function that counts turns (loop.cpp), and a fold a function in direct
// style that calls itself last.
#include "kit/lower.h"
#include "affine.h"
#include "kit/build.h"

namespace mim::plug::affine {

namespace {

const Def* folded(World& w, const Loop& loop) {
    Functions functions(w);
    auto from     = functions.lam(w.pi(w.sigma({w.nat(), loop.type}), loop.type), "fold");
    auto [k, acc] = elems<2>(w, from->var());
    auto rest     = w.app(from, {next_index(w, k), w.app(loop.f, {loop.range.index(k), acc})});
    w.set_body(from, turn_or_end(loop, k, rest, acc));
    functions.close();
    return w.app(from, {w.lit_nat(0), loop.acc});
}

/// The trips are to blame for a step of 0.
Loop loop_of(World& w, const Def* app) {
    auto [type, range, f, arg] = groups<4>(app);
    Loop loop{type, {w, range}, f, arg, nullptr};
    w.notes.copy_place(app, loop.range.trips());
    return loop;
}

/// The rewrite may have normalized the loop away.
const Def* lower_fold(const Lowered& old) {
    auto app = old.again();
    return match<fold>(app) ? folded(old.world(), loop_of(old.world(), app)) : app;
}

const Def* lower_For(const Lowered& old) {
    auto& w  = old.world();
    auto app = old.again();
    if (!match<For>(app)) return app;
    auto loop        = loop_of(w, app);
    auto [acc, exit] = elems<2>(w, loop.acc);
    return counted(w, {loop.type, loop.range, loop.f, acc, exit});
}

} // namespace

void lower(PhaseContext& c) { Lowering(c).on<For>(lower_For).on<fold>(lower_fold).run(); }

} // namespace mim::plug::affine
