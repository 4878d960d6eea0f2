// SPDX-License-Identifier: MIT
// What the plugin core registers. Everything without an effect is total, so it may be placed on paths that do not need it.
#include <driver/plugin.h>

#include "core/diagnostics.h"
#include "emit/int.h"
#include "eval/meaning.h"
#include "phase/resume.h"

namespace mim::plug::core {

/// These calls stand for operators on `Nat`, `Idx n` or `Bool`, where no declaration of one is meant.
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
    p.operator_call("|", "%core.bit2.or_ 0 (a, b)");
    p.operator_call("^", "%core.bit2.xor_ 0 (a, b)");
    p.operator_call("<<", "%core.wrap.shl 0 (a, b)");
    p.operator_call(">>", "%core.shr.l (a, b)");
    p.operator_call("!", "%core.bit1.neg 0 a");
    p.operator_call("~", "%core.bit1.neg 0 a");
    p.operator_call("literal", "%core.idx s 0 n");
}

/// A machine compares either signed or unsigned numbers; the other sets of cases take several operations.
static uint32_t simple_comparisons() {
    uint32_t simple = 0;
    for (auto relation : {icmp::f, icmp::e, icmp::ne, icmp::t}) simple |= 1u << unsigned(relation);
    for (auto relation : {icmp::sl, icmp::sle, icmp::sg, icmp::sge}) simple |= 1u << unsigned(relation);
    for (auto relation : {icmp::ul, icmp::ule, icmp::ug, icmp::uge}) simple |= 1u << unsigned(relation);
    return simple;
}

static void init(PluginBuilder& p) {
    add_operators(p);
    p.diagnostics(diag::all());
    register_normalizers(p);
    struct Entry {
        const char* axiom;
        Meaning meaning;
        OpEmitter emit;
    };
    static constexpr Entry pure[] = {
        {"%core.nat", mean_nat, emit_nat},
        {"%core.ncmp", mean_ncmp, emit_ncmp},
        {"%core.idx", mean_idx, emit_idx},
        {"%core.bit1", mean_bit1, emit_bit1},
        {"%core.bit2", mean_bit2, emit_bit2},
        {"%core.shr", mean_shr, emit_shr},
        {"%core.count", mean_count, emit_count},
        {"%core.rotate", mean_rotate, emit_rotate},
        {"%core.reverse", mean_reverse, emit_reverse},
        {"%core.wrap", mean_wrap, emit_wrap},
        {"%core.icmp", mean_icmp, emit_icmp},
        {"%core.extrema", mean_extrema, emit_extrema},
        {"%core.conv", mean_conv, emit_conv},
        {"%core.bitcast", mean_bitcast, emit_bitcast},
        {"%core.trait", mean_trait, emit_trait},
        {"%core.pe", mean_pe, emit_pe},
        {"%core.quot", mean_quot, emit_quot},
        {"%core.absurd", mean_absurd, emit_absurd},
    };
    for (auto& entry : pure) {
        p.axiom(entry.axiom).speculatable().meaning(entry.meaning).emit("llvm", entry.emit);
    }
    for (auto axiom : {"%core.nat", "%core.idx", "%core.wrap", "%core.conv", "%core.bitcast", "%core.absurd"})
        p.axiom(axiom).may_trap();
    for (auto axiom : {"%core.bitcast", "%core.pe.known"}) p.axiom(axiom).token_free();
    p.axiom("%core.nat.add").sum();
    p.axiom("%core.nat.mul").product();
    p.axiom("%core.quot").by_literal();
    p.axiom("%core.ncmp").relations({3, 0xff}); // each of the 8 sets is one comparison of unsigned numbers
    p.axiom("%core.icmp").relations({5, simple_comparisons()});
    p.axiom("%core.absurd").absurd();
    p.axiom("%core.div").effect().meaning(mean_div).emit("llvm", emit_div);
    p.axiom("%core.abs").effect().meaning(mean_abs).emit("llvm", emit_abs);
    p.axiom("%core.zip").meaning(mean_zip); // lowered when built: no code is made for it
    p.phase("core.resume", "ends partial evaluation: `%core.pe.hlt e` becomes `e`", resume);
    p.join("mid", "core.resume");
}

} // namespace mim::plug::core

MIM_PLUGIN(core, mim::plug::core::init)
