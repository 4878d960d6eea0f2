// SPDX-License-Identifier: MIT
// What the plugin math registers. Operations are total, but for the modes that exclude NaNs or infinities, and conversions to integers:
// these trap with --checked. What calls the C library is too much work for a path that does not need it.
#include <driver/plugin.h>

#include "emit/float.h"
#include "eval/meaning.h"
#include "math/diagnostics.h"

namespace mim::plug::math {

static void init(PluginBuilder& p) {
    p.diagnostics(diag::all());
    register_normalizers(p);
    struct Entry {
        const char* axiom;
        Meaning meaning;
        OpEmitter emit;
        bool is_cheap;
        bool may_trap = true;
    };
    static constexpr Entry entries[] = {
        {"%math.inf", mean_inf, emit_inf, true, false}, {"%math.nan", mean_nan, emit_nan, true, false},
        {"%math.arith", mean_arith, emit_arith, false}, {"%math.minus", mean_minus, emit_minus, true},
        {"%math.abs", mean_abs, emit_abs, true},        {"%math.extrema", mean_extrema, emit_extrema, true},
        {"%math.round", mean_round, emit_round, true},  {"%math.tri", mean_tri, emit_tri, false},
        {"%math.pow", mean_pow, emit_pow, false},       {"%math.rt", mean_rt, emit_rt, false},
        {"%math.exp", mean_exp, emit_exp, false},       {"%math.er", mean_er, emit_er, false},
        {"%math.gamma", mean_gamma, emit_gamma, false}, {"%math.cmp", mean_cmp, emit_cmp, true},
        {"%math.conv", mean_conv, emit_conv, true},
    };
    for (auto& entry : entries) {
        auto axiom = p.axiom(entry.axiom);
        axiom.meaning(entry.meaning).emit("llvm", entry.emit);
        if (entry.is_cheap) axiom.speculatable();
        if (entry.may_trap) axiom.may_trap();
    }
    for (auto cheap : {"%math.arith.add", "%math.arith.sub", "%math.arith.mul", "%math.arith.div", "%math.rt.sq"})
        p.axiom(cheap).speculatable();
    p.axiom("%math.cmp").relations({4, 0xffff});
    p.axiom("%math.F")
        .literal(read_literal, print_literal)
        .layout(layout_of)
        .emit_type("llvm", emit_type)
        .c_spelling(c_spelling_of);
}

} // namespace mim::plug::math

MIM_PLUGIN(math, mim::plug::math::init)
