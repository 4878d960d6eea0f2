// SPDX-License-Identifier: MIT
// What the axioms of the plugin are to the compiler.
#include <limits>

#include "backend/emit.h"
#include "eval/machine.h"
#include "ir/rewrite.h"
#include "ledger.h"
#include "ledger/annexes.h"

using namespace mim;
using namespace mim::plug;

/// Adds two literals; the verifier has seen to it that the sum fits.
static const Def* normalize_sum(World& world, const Def*, const Def*, const Def* arg) {
    auto a = isa_lit(world.extract(arg, 0));
    auto b = isa_lit(world.extract(arg, 1));
    return a && b ? world.lit_nat(a->value() + b->value()) : nullptr;
}

static std::string verify_sum(World& world, const Def*, const Def* arg) {
    auto a = isa_lit(world.extract(arg, 0));
    auto b = isa_lit(world.extract(arg, 1));
    if (!a || !b) return {};
    bool fits = a->value() <= std::numeric_limits<uint64_t>::max() - b->value();
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
    auto arg = app->as<App>()->arg();
    return e.bin(backend::Bin::Add, e.elem(arg, 0), e.elem(arg, 1));
}

/// By a function of runtime/tens.cpp.
static backend::Value emit_tens(backend::Emit& e, const Def* app) {
    return e.call("ledger_tens", e.int_type(64), {e.emit(app->as<App>()->arg())});
}

/// x + 0 becomes x.
class DropZeros : public Rewriter {
    using Rewriter::Rewriter;
    const Def* rewrite_imm(const Def* def) override {
        auto now  = Rewriter::rewrite_imm(def);
        auto sum  = match<ledger::sum>(now);
        auto zero = sum ? isa_lit(world().extract(sum.arg(), 1)) : nullptr;
        return zero && zero->value() == 0 ? world().extract(sum.arg(), 0) : now;
    }
};

/// Unless `--set ledger.keep-zeros` says otherwise.
static void drop_zeros(PhaseContext& c) {
    if (c.settings.flag("ledger.keep-zeros")) return;
    DropZeros rewriter(c.world);
    auto externals = c.world.externals();
    for (auto& e : externals) c.world.replace_external(e.name, rewriter.rewrite(e.lam)->as_mut<Lam>());
}

void add_axioms(PluginBuilder& p) {
    p.normalizer("normalize_sum", normalize_sum);
    p.axiom("%ledger.sum").speculatable().verifier(verify_sum).meaning(eval_sum).emit("llvm", emit_sum);
    p.axiom("%ledger.tens").speculatable().meaning(eval_tens).emit("llvm", emit_tens);
    p.library({.name = "mim_ledger_runtime", .system_libraries = {}, .advice = "build the plugin", .plugin = {}, .folder = {}});
    p.option("keep-zeros", false, "leave sums with 0 as they are");
    p.phase("ledger.drop_zeros", "x + 0 becomes x", drop_zeros);
    p.join("front", "ledger.drop_zeros");
    p.operator_call("+", "%ledger.sum (a, b)");
}
