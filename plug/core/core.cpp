// SPDX-License-Identifier: MIT
// What the plugin core registers. Everything without an effect is total, so it may be placed on paths that do not need it.
#include <driver/plugin.h>

#include "core/diagnostics.h"
#include "emit/int.h"
#include "eval/meaning.h"
#include "normalize/common.h"
#include "phase/resume.h"

namespace mim::plug::core {

/// What stands for operators of other languages on `Nat`, `Idx n` or `Bool`.
static void add_operators(PluginBuilder& p) {
    p.operator_call("==", "%core.ncmp.e (a, b)");
    p.operator_call("!=", "%core.ncmp.ne (a, b)");
    p.operator_call("<=", "%core.ncmp.le (a, b)");
    p.operator_call(">=", "%core.ncmp.ge (a, b)");
    p.operator_call("&&", "%core.bit2.and_ 0 (a, b)");
    p.operator_call("||", "%core.bit2.or_ 0 (a, b)");
    p.operator_call("<", "%core.ncmp.l (a, b)");
    p.operator_call(">", "%core.ncmp.g (a, b)");
    p.operator_call("+", "%core.nat.add (a, b)");
    p.operator_call("-", "%core.nat.sub (a, b)");
    p.operator_call("*", "%core.nat.mul (a, b)");
    p.operator_call("/", "%core.div.udiv (mem, (a, b))");
    p.operator_call("%", "%core.div.urem (mem, (a, b))");
    p.operator_call("&", "%core.bit2.and_ 0 (a, b)");
    p.operator_call("^", "%core.bit2.xor_ 0 (a, b)");
    p.operator_call("!", "%core.bit1.neg 0 a");
    p.operator_call("~", "%core.bit1.neg 0 a");
}

static void init(PluginBuilder& p) {
    add_operators(p);
    p.diagnostics(diag::all());
    struct Entry {
        const char *axiom, *normalizer;
        Normalizer normalize;
        Meaning meaning;
        OpEmitter emit;
    };
    static constexpr Entry pure[] = {
        {"%core.nat", "normalize_nat", normalize_nat, mean_nat, emit_nat},
        {"%core.ncmp", "normalize_ncmp", normalize_ncmp, mean_ncmp, emit_ncmp},
        {"%core.idx", "normalize_idx", normalize_idx, mean_idx, emit_idx},
        {"%core.bit1", "normalize_bit1", normalize_bit1, mean_bit1, emit_bit1},
        {"%core.bit2", "normalize_bit2", normalize_bit2, mean_bit2, emit_bit2},
        {"%core.shr", "normalize_shr", normalize_shr, mean_shr, emit_shr},
        {"%core.count", "normalize_count", normalize_count, mean_count, emit_count},
        {"%core.wrap", "normalize_wrap", normalize_wrap, mean_wrap, emit_wrap},
        {"%core.icmp", "normalize_icmp", normalize_icmp, mean_icmp, emit_icmp},
        {"%core.extrema", "normalize_extrema", normalize_extrema, mean_extrema, emit_extrema},
        {"%core.conv", "normalize_conv", normalize_conv, mean_conv, emit_conv},
        {"%core.bitcast", "normalize_bitcast", normalize_bitcast, mean_bitcast, emit_bitcast},
        {"%core.trait", "normalize_trait", normalize_trait, mean_trait, emit_trait},
        {"%core.pe", "normalize_pe", normalize_pe, mean_pe, emit_pe},
    };
    for (auto& entry : pure) {
        p.normalizer(entry.normalizer, entry.normalize);
        p.axiom(entry.axiom).speculatable().meaning(entry.meaning).emit("llvm", entry.emit);
    }
    for (auto axiom : {"%core.nat", "%core.idx", "%core.wrap", "%core.conv", "%core.bitcast"}) p.axiom(axiom).may_trap();
    for (auto axiom : {"%core.bitcast", "%core.pe.known"}) p.axiom(axiom).token_free();
    p.normalizer("normalize_div", normalize_div);
    p.axiom("%core.div").effect().meaning(mean_div).emit("llvm", emit_div);
    p.normalizer("normalize_abs", normalize_abs);
    p.axiom("%core.abs").effect().meaning(mean_abs).emit("llvm", emit_abs);
    p.normalizer("normalize_zip", normalize_zip); // lowered when built: no code is made for it
    p.axiom("%core.zip").meaning(mean_zip);
    p.phase("core.resume", "ends partial evaluation: `%core.pe.hlt e` becomes `e`", resume);
    p.join("mid", "core.resume");
}

} // namespace mim::plug::core

MIM_PLUGIN(core, mim::plug::core::init)
