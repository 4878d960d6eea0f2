// SPDX-License-Identifier: MIT
// Registers the axioms of the plugin: normalizer, verifier, semantics, emitters, and the phase.
#include <limits>

#include "backend/emit.h"
#include "eval/machine.h"
#include "kit/lower.h"
#include "kit/match.h"
#include "ledger.h"
#include "ledger/annexes.h"

using namespace mim;
using namespace mim::plug;

/// Adds two literals; the verifier has seen to it that the sum fits.
const Def* ledger::normalize_sum(const Redex& redex) {
    auto [x, y] = redex.elems<2>();
    auto a = value(x), b = value(y);
    return a && b ? redex.w.lit_nat(*a + *b) : nullptr;
}

static std::string verify_sum(World& world, const Def*, const Def* arg) {
    auto a = value(world, arg, 0);
    auto b = value(world, arg, 1);
    if (!a || !b) return {};
    bool fits = *a <= std::numeric_limits<uint64_t>::max() - *b;
    return fits ? "" : "the sum does not fit in 64 bits";
}

static eval::Value eval_sum(eval::Machine& m, const Def*) {
    auto [a, b] = m.nums<2>(m.group(0));
    return eval::Value::num(a + b);
}

static eval::Value eval_tens(eval::Machine& m, const Def*) {
    auto n = m.num(m.group(0));
    return eval::Value::num(n - n % 10);
}

static backend::Value emit_sum(backend::Emit& e, const Def* app) {
    auto [a, b] = e.elems<2>(arg_of(app));
    return e.bin(backend::Bin::Add, a, b);
}

/// By a function of runtime/tens.cpp.
static backend::Value emit_tens(backend::Emit& e, const Def* app) {
    return e.call("ledger_tens", e.int_type(64), {e.emit(arg_of(app))});
}

/// x + 0 becomes x.
static const Def* drop_zero(const Lowered& app) {
    auto zero = value(app.world(), app.arg(), 1);
    return zero == 0 ? elem(app.world(), app.arg(), 0) : nullptr;
}

/// Unless `--set ledger.keep-zeros` says otherwise.
static void drop_zeros(PhaseContext& c) {
    if (!c.settings.flag("ledger.keep-zeros")) Lowering(c).on<ledger::sum>(drop_zero).run();
}

void add_axioms(PluginBuilder& p) {
    ledger::register_normalizers(p);
    p.axiom("%ledger.sum").speculatable().verifier(verify_sum).meaning(eval_sum).emit("llvm", emit_sum);
    p.axiom("%ledger.tens").speculatable().meaning(eval_tens).emit("llvm", emit_tens);
    p.library({.name = "mim_ledger_runtime", .system_libraries = {}, .advice = "build the plugin", .plugin = {}, .folder = {}});
    p.option("keep-zeros", false, "leave sums with 0 as they are");
    p.phase("ledger.drop_zeros", "x + 0 becomes x", drop_zeros);
    p.join("front", "ledger.drop_zeros");
    p.operator_call("+", "%ledger.sum (a, b)");
}
