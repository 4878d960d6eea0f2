// SPDX-License-Identifier: MIT
// Registers the plugin `mem`. What it declares is in mem.mim.
#include "mem.h"
#include "mem/diagnostics.h"
#include "phase/promote.h"
#include "phase/split.h"
#include "phase/unused.h"

namespace mim::plug::mem {

/// See runtime/collect.h.
static CollectorRuntime collector() {
    return {
        .attach      = "mim_collect_attach",
        .record      = "mim_collect_record",
        .plain       = "mim_collect_plain",
        .malloc      = "mim_collect_malloc",
        .calloc      = "mim_collect_calloc",
        .realloc     = "mim_collect_realloc",
        .free        = "mim_collect_free",
        .keep        = "mim_collect_keep",
        .mark        = "mim_arena_mark",
        .take        = "mim_arena_take",
        .release     = "mim_arena_release",
        .begin_array = "mim_array_begin",
        .end_array   = "mim_array_end",
        .library     = {
                .name = "mim_mem_runtime", .system_libraries = {"gc"}, .advice = "install libgc-dev", .plugin = {}, .folder = {}}};
}

static void init(PluginBuilder& p) {
    p.diagnostics(diag::all());
    p.collector(collector());
    register_normalizers(p);
    p.axiom("%mem.MAS").linear_type().erased();
    p.axiom("%mem.PtrAS").pointer().c_spelling("{0} *");
    for (auto effect :
         {"%mem.load", "%mem.store", "%mem.alloc", "%mem.malloc", "%mem.free", "%mem.slot", "%mem.local", "%mem.restrict"})
        p.axiom(effect).effect();
    p.axiom("%mem.local").activation();
    p.axiom("%mem.restrict").unaliased();
    p.axiom("%mem.lea").speculatable().may_trap();
    p.axiom("%mem.store").stores();
    p.axiom("%mem.blank").unwritten().by_need().speculatable().internal();
    register_meanings(p);
    register_emitters(p);
    p.phase("mem.split", "makes slots for the elements of slots for tuples and arrays", split, true);
    p.phase("mem.promote", "makes values of memory that only this program sees", promote, true);
    p.phase("mem.unused", "drops loads whose value nobody uses", drop_unused);
    p.join("round", "mem.split");
    p.join("round", "mem.promote").after("mem.split");  // elements that have slots of their own become values
    p.join("round", "mem.unused").after("mem.promote"); // which leaves loads whose value nobody uses any more
}

} // namespace mim::plug::mem

MIM_PLUGIN(mem, mim::plug::mem::init)
