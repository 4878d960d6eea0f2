// SPDX-License-Identifier: MIT
// All that a plugin can be made of, once: an axiom with its normalizer, its meaning, its emitter, a phase, and a diagnostic.
#include <algorithm>

#include "backend/emit.h"
#include "driver/plugin.h"
#include "eval/machine.h"
#include "ir/rewrite.h"
#include "sat/annexes.h"
#include "sat/diagnostics.h"

using namespace mim;
using namespace mim::plug;

static uint64_t add(uint64_t a, uint64_t b) { return std::min<uint64_t>(a + b, 0xffffffff); }

/// lit + lit folds; x + 0 is x.
static const Def* normalize_add(World& world, const Def* type, const Def*, const Def* arg) {
    auto a = isa_lit(world.extract(arg, 0)), b = isa_lit(world.extract(arg, 1));
    if (a && b) {
        auto sum = add(a->value(), b->value());
        if (sum != a->value() + b->value() && world.warn) world.warn(sat::diag::saturated(a->value(), b->value()));
        return world.lit(type, sum);
    }
    return b && b->value() == 0 ? world.extract(arg, 0) : nullptr;
}

static eval::Value eval_add(eval::Machine& m, const Def*) {
    auto [a, b] = m.nums<2>(m.group(0));
    return eval::Value::num(add(a, b));
}

static backend::Value emit_add(backend::Emit& e, const Def* app) {
    auto arg = app->as<App>()->arg();
    auto a = e.elem(arg, 0), b = e.elem(arg, 1);
    return e.intrinsic("llvm.uadd.sat", {e.type_of(a)}, {a, b});
}

/// (x + lit) + lit becomes x + lit.
class Combine : public Rewriter {
    using Rewriter::Rewriter;
    const Def* rewrite_imm(const Def* def) override {
        auto now   = Rewriter::rewrite_imm(def);
        auto& w    = world();
        auto outer = match<sat::add>(now);
        auto inner = outer ? match<sat::add>(w.extract(outer.arg(), 0)) : outer;
        if (!inner) return now;
        auto b = w.extract(inner.arg(), 1), c = w.extract(outer.arg(), 1);
        if (!isa_lit(b) || !isa_lit(c)) return now;
        return w.call<sat::add>(w.tuple({w.extract(inner.arg(), 0), w.call<sat::add>(w.tuple({b, c}))}));
    }
};

static void combine(PhaseContext& c) {
    Combine rewriter(c.world);
    auto externals = c.world.externals();
    for (auto& e : externals) c.world.replace_external(e.name, rewriter.rewrite(e.lam)->as_mut<Lam>());
}

static void init(PluginBuilder& p) {
    p.normalizer("normalize_add", normalize_add);
    p.axiom("%sat.add").speculatable().meaning(eval_add).emit("llvm", emit_add);
    p.phase("sat.combine", "adds up the constants of a chain of additions", combine);
    p.join("mid", "sat.combine");
    p.diagnostics(sat::diag::all());
}

MIM_PLUGIN(sat, init)
