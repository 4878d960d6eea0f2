// SPDX-License-Identifier: MIT
// How the operations of `mem` become code. Tokens vanish, so an operation returns just its pointer or value. Heap memory comes from
// the C library, or the collector if it may hold closures; a slot is memory of one activation of its function.
#include <string>

#include "analysis/pointee.h"
#include "checks.h"
#include "ir/layout.h"
#include "mem/diagnostics.h"

namespace mim::plug::mem {

namespace {

using enum backend::Cmp;
using backend::Emit;
using backend::Type;
using backend::Value;

const Def* operand(Emit& e, const Def* app, size_t i) { return mim::operand(e.world(), app, i); }

/// The number of an address space; a user's error if it is not known by now.
unsigned address_space(Emit& e, const Def* space, const Def* at) {
    auto number = value(space);
    if (number && *number < (1u << 24)) return unsigned(*number);
    e.error(at, diag::unknown_address_space(space, head_axiom(at)->axiom().name.str()));
    return 0;
}

/// Only ordinary memory has a heap and a stack behind it.
bool check_space(Emit& e, const Def* app) {
    auto space = address_space(e, group(app, 1), app);
    if (space == 0) return true;
    e.error(app, diag::no_memory_in_space(space));
    return false;
}

Value emit_load(Emit& e, const Def* app) {
    auto type      = group(app, 0);
    auto ptr       = e.elem(arg_of(app), 1);
    bool is_number = is_scalar(e, e.type(type)) && !is_by_address(type);
    check_access(e, app, ptr, type, is_number ? "mim_memory_read" : "mim_memory_access");
    return e.is_view(app) ? e.view(type, ptr) : e.read(type, ptr);
}

Value emit_store(Emit& e, const Def* app) {
    auto arg   = arg_of(app);
    auto value = e.convert(e.elem(arg, 2), operand(e, app, 2)->type(), group(app, 0));
    auto ptr   = e.elem(arg, 1);
    auto type  = group(app, 0);
    check_access(e, app, ptr, type, "mim_memory_write");
    e.keep_closures(type, value, ptr);
    if (e.is_sink(app)) e.end_array(type, value, ptr);
    else e.write(type, value, ptr);
    return {};
}

Value from_heap(Emit& e, const Def* app, Value bytes) {
    auto ptr = e.heap(group(app, 0), bytes);
    if (e.checks_memory()) e.call("mim_memory_heap", {}, {ptr, bytes}, backend::OwnMemory);
    return ptr;
}

Value emit_alloc(Emit& e, const Def* app) {
    auto bytes = e.bytes_of(group(app, 0));
    if (!check_space(e, app)) return e.undef(e.ptr_type());
    return from_heap(e, app, bytes);
}

/// Memory of this code takes more bytes for an `Idx n` than `%core.trait.size` says, if n is known at run time only.
bool may_need_more(Emit& e, const Def* type) { return !layout(e.world(), innermost(type)); }

Value emit_malloc(Emit& e, const Def* app) {
    auto bytes = e.elem(arg_of(app), 1);
    if (!check_space(e, app)) return e.undef(e.ptr_type());
    if (auto type = group(app, 0); may_need_more(e, type)) bytes = e.umax(bytes, e.bytes_of(type));
    return from_heap(e, app, bytes);
}

Value emit_free(Emit& e, const Def* app) {
    if (!check_space(e, app)) return {};
    auto ptr = e.elem(arg_of(app), 1);
    check_free(e, app, ptr);
    e.free_heap(ptr);
    return {};
}

Value emit_local(Emit& e, const Def* app) {
    if (!check_space(e, app)) return e.undef(e.ptr_type());
    return e.activation_memory(group(app, 0), app);
}

/// Both, since each must begin before the other one ends; nothing overlaps a value without bytes.
Value overlap(Emit& e, Value p, Value p_bytes, Value q, Value q_bytes) {
    auto word       = e.int_type(64);
    auto a          = e.resize(p, word);
    auto b          = e.resize(q, word);
    auto a_in_front = e.cmp(ULt, a, e.bin(backend::Bin::Add, b, q_bytes));
    auto b_in_front = e.cmp(ULt, b, e.bin(backend::Bin::Add, a, p_bytes));
    auto is_empty   = e.cmp(Eq, e.umin(p_bytes, q_bytes), e.i64(0));
    return e.select(is_empty, e.i1(false), e.bin(backend::Bin::And, a_in_front, b_in_front));
}

Value emit_restrict(Emit& e, const Def* app) {
    auto& w  = e.world();
    auto ptr = e.elem(arg_of(app), 1);
    e.unaliased(ptr);
    auto others = operand(e, app, 2);
    auto type   = group(app, 0);
    if (!e.checked() || !is_dense(type)) return {};
    auto bytes = e.bytes_of(type);
    auto count = value(elem(w, group(app, 2), 0)).value_or(0);
    for (uint64_t i = 0; i != count; ++i) {
        auto other = count == 1 ? others : elem(w, others, i);
        auto its   = pointee(other->type());
        if (!is_dense(its)) continue;
        auto both = overlap(e, ptr, bytes, e.emit(other), e.bytes_of(its));
        e.trap_if(both, app, "memory overlaps that is promised to be apart");
    }
    return {};
}

/// The pointee is rebuilt from the arity and the types of the elements; for an array of run-time length these are one pack.
Value emit_lea(Emit& e, const Def* app) {
    auto& w    = e.world();
    auto index = operand(e, app, 1);
    auto ptr   = e.elem(arg_of(app), 0);
    auto size  = isa_idx(index->type());
    if (e.checked() && !isa_lit(index)) {
        if (auto i = e.elem(arg_of(app), 1); i && size != w.lit_2_64())
            e.trap_if(e.cmp(UGe, e.resize(i, e.int_type(64)), e.emit(size)), app, "index out of range");
    }
    auto pointee = arg_of(operand(e, app, 0)->type());
    check_base(e, app, ptr);
    return check_element(e, app, ptr, e.lea(w.extract(pointee, 0), ptr, index));
}

/// `%mem.PtrAS (T, a)`.
Type emit_ptr(Emit& e, const Def* type) { return e.ptr_type(address_space(e, e.world().extract(arg_of(type), 1), type)); }

Value emit_blank(Emit& e, const Def* app) { return e.unwritten(app->type()); }

} // namespace

void register_emitters(PluginBuilder& p) {
    p.axiom("%mem.PtrAS").emit_type("llvm", emit_ptr);
    p.axiom("%mem.load").emit("llvm", emit_load);
    p.axiom("%mem.store").emit("llvm", emit_store);
    p.axiom("%mem.alloc").emit("llvm", emit_alloc);
    p.axiom("%mem.malloc").emit("llvm", emit_malloc);
    p.axiom("%mem.free").emit("llvm", emit_free);
    p.axiom("%mem.local").emit("llvm", emit_local);
    p.axiom("%mem.lea").emit("llvm", emit_lea);
    p.axiom("%mem.restrict").emit("llvm", emit_restrict);
    p.axiom("%mem.blank").emit("llvm", emit_blank);
}

} // namespace mim::plug::mem
