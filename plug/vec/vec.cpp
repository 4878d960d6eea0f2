// SPDX-License-Identifier: MIT
// What the plugin vec registers. Without a memory everything is total but what lifts an operation that is not.
#include "vec.h"

#include "emit/vector.h"
#include "vec/diagnostics.h"

namespace mim::plug::vec {

namespace {

void register_axioms(PluginBuilder& p) {
    struct Entry {
        const char* axiom;
        OpEmitter emit;
        bool may_trap = false;
        bool is_cheap = true;
    };
    static constexpr Entry entries[] = {
        {"%vec.bit1", emit_lift},
        {"%vec.bit2", emit_lift},
        {"%vec.shr", emit_lift},
        {"%vec.wrap", emit_lift, true},
        {"%vec.icmp", emit_lift},
        {"%vec.extrema", emit_lift, true},
        {"%vec.conv", emit_lift, true},
        {"%vec.arith", emit_lift, true, false},
        {"%vec.minus", emit_lift, true},
        {"%vec.abs", emit_lift, true},
        {"%vec.round", emit_lift, true},
        {"%vec.rt", emit_lift, true, false},
        {"%vec.cmp", emit_lift, true},
        {"%vec.tri", emit_lift, true, false},
        {"%vec.exp", emit_lift, true, false},
        {"%vec.from", emit_from},
        {"%vec.to", emit_to},
        {"%vec.get", emit_get},
        {"%vec.set", emit_set},
        {"%vec.select", emit_select},
        {"%vec.permute", emit_permute},
        {"%vec.concat", emit_concat},
        {"%vec.reduce", emit_reduce},
        {"%vec.count", emit_count},
        {"%vec.first", emit_first},
        {"%vec.bits", emit_bits},
        {"%vec.mask", emit_mask},
        {"%vec.prefix", emit_prefix},
        {"%vec.bitcast", emit_bitcast},
    };
    for (auto& entry : entries) {
        auto axiom = p.axiom(entry.axiom);
        axiom.emit("llvm", entry.emit);
        if (entry.may_trap) axiom.may_trap();
        if (entry.is_cheap) axiom.speculatable();
    }
    p.axiom("%vec.from").constant().takes_apart();
    for (auto cheap : {"%vec.arith.add", "%vec.arith.sub", "%vec.arith.mul", "%vec.arith.div", "%vec.rt.sq"})
        p.axiom(cheap).speculatable();
}

void register_memory(PluginBuilder& p) {
    p.axiom("%vec.load").effect().emit("llvm", emit_load);
    p.axiom("%vec.store").effect().emit("llvm", emit_store);
    p.axiom("%vec.load_if").effect().emit("llvm", emit_load_if);
    p.axiom("%vec.store_if").effect().emit("llvm", emit_store_if);
    p.axiom("%vec.load_prefix").effect().emit("llvm", emit_load_prefix);
}

void init(PluginBuilder& p) {
    p.diagnostics(diag::all());
    register_normalizers(p);
    p.axiom("%vec.V").layout(layout_of).bytes(to_bytes, from_bytes).emit_type("llvm", emit_type);
    register_axioms(p);
    register_memory(p);
    register_meanings(p);
}

} // namespace

} // namespace mim::plug::vec

MIM_PLUGIN(vec, mim::plug::vec::init)
