// SPDX-License-Identifier: MIT
// Registers the plugin `tensor`. What it declares is in tensor.mim.
#include "tensor.h"
#include "tensor/diagnostics.h"

static void init(mim::PluginBuilder& p) {
    using namespace mim::plug::tensor;
    p.diagnostics(diag::all());
    register_normalizers(p);
    p.axiom("%tensor.size").speculatable().meaning(mean_size);
    p.axiom("%tensor.map_reduce").meaning(mean_map_reduce);
    p.axiom("%tensor.reduce").meaning(mean_reduce);
    p.axiom("%tensor.map").meaning(mean_map);
    p.axiom("%tensor.zip").meaning(mean_zip);
    p.axiom("%tensor.fold").meaning(mean_fold);
    p.axiom("%tensor.scan").meaning(mean_scan);
    p.axiom("%tensor.generate").meaning(mean_generate);
    p.axiom("%tensor.walk").meaning(mean_walk);
    p.axiom("%tensor.map_reduce_both").meaning(mean_map_reduce_both);
    p.axiom("%tensor.walk_rest").meaning(mean_walk_rest);
    p.axiom("%tensor.second").meaning(mean_second);
    p.axiom("%tensor.kind").meaning(mean_kind);
    p.axiom("%tensor.get").meaning(mean_get);
    p.axiom("%tensor.set").meaning(mean_set);
    p.axiom("%tensor.index").may_trap().meaning(mean_index).emit("llvm", emit_index);
    p.axiom("%tensor.transpose").meaning(mean_transpose);
    p.axiom("%tensor.broadcast").meaning(mean_broadcast);
    p.axiom("%tensor.reshape").meaning(mean_reshape);
    p.axiom("%tensor.split").meaning(mean_split);
    p.axiom("%tensor.join").meaning(mean_join);
    p.axiom("%tensor.slice").meaning(mean_slice);
    p.axiom("%tensor.reverse").meaning(mean_reverse);
    p.axiom("%tensor.window").meaning(mean_window);
    p.axiom("%tensor.pad").meaning(mean_pad);
    p.axiom("%tensor.concat").meaning(mean_concat);
    p.axiom("%tensor.gather").meaning(mean_gather);
    p.axiom("%tensor.scatter").meaning(mean_scatter);
    p.axiom("%tensor.load").effect().meaning(mean_load);
    p.axiom("%tensor.store").effect().meaning(mean_store);
    p.axiom("%tensor.with").meaning(mean_with);
    p.axiom("%tensor.owe").may_trap().internal().meaning(mean_owe).emit("llvm", emit_owe);
    p.axiom("%tensor.total").internal().meaning(mean_total);
    p.axiom("%tensor.over").internal().meaning(mean_over);
    p.axiom("%tensor.inside").may_trap().internal().meaning(mean_inside).emit("llvm", emit_inside);
    p.option("schedule", "loops", "how operations become loops: `loops`, one nest for each");
    p.option("blas", false, "hand products to a library of BLAS; there is none yet, so `true` is an error");
    p.phase("tensor.lower", "makes loops of operations on tensors", lower);
    p.join("arrays", "tensor.lower");
}

MIM_PLUGIN(tensor, init)
