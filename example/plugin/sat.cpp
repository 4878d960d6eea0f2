// SPDX-License-Identifier: MIT
// All that a plugin can be made of, once: an axiom with its normalizer, its meaning, its emitter, a phase, and a diagnostic.
#include <algorithm>

#include "backend/emit.h"
#include "driver/plugin.h"
#include "eval/machine.h"
#include "kit/lower.h"
#include "kit/match.h"
#include "sat/annexes.h"
#include "sat/diagnostics.h"

using namespace mim;
using namespace mim::plug;

static uint64_t add(uint64_t a, uint64_t b) { return std::min<uint64_t>(a + b, 0xffffffff); }

/// lit + lit folds; x + 0 is x.
const Def* mim::plug::sat::normalize_add(const Redex& redex) {
    auto& w     = redex.w;
    auto [x, y] = redex.elems<2>();
    auto a = value(x), b = value(y);
    if (a && b) {
        auto sum = ::add(*a, *b);
        if (sum != *a + *b && w.warn) w.warn(diag::saturated(*a, *b));
        return w.lit(redex.type, sum);
    }
    return b == 0 ? x : nullptr;
}

static eval::Value eval_add(eval::Machine& m, const Def*) {
    auto [a, b] = m.nums<2>(m.group(0));
    return eval::Value::num(add(a, b));
}

static backend::Value emit_add(backend::Emit& e, const Def* app) {
    auto [a, b] = e.elems<2>(arg_of(app));
    return e.intrinsic("llvm.uadd.sat", {e.type_of(a)}, {a, b});
}

/// (x + lit) + lit becomes x + lit.
static const Def* combined(const Lowered& old) {
    auto& w    = old.world();
    auto now   = old.again();
    auto outer = match<sat::add>(now);
    auto inner = outer ? match<sat::add>(operand(w, outer, 0)) : outer;
    if (!inner) return now;
    auto [x, b] = elems<2>(w, inner.arg());
    auto c      = operand(w, outer, 1);
    return isa_lit(b) && isa_lit(c) ? w.call<sat::add>({x, w.call<sat::add>({b, c})}) : now;
}

static void combine(PhaseContext& c) { Lowering(c).on<sat::add>(combined).run(); }

static void init(PluginBuilder& p) {
    sat::register_normalizers(p);
    p.axiom("%sat.add").speculatable().meaning(eval_add).emit("llvm", emit_add);
    p.phase("sat.combine", "adds up the constants of a chain of additions", combine);
    p.join("mid", "sat.combine");
    p.diagnostics(sat::diag::all());
}

MIM_PLUGIN(sat, init)
