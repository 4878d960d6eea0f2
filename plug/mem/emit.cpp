// SPDX-License-Identifier: MIT
// How the operations of `mem` become code. Tokens vanish, so an operation returns just its pointer or value. Heap memory comes from
// the C library, or the collector if it may hold closures; a slot is memory of one activation of its function.
#include <string>

#include "checks.h"
#include "mem/diagnostics.h"

namespace mim::plug::mem {

namespace {

using enum backend::Bin;
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

/// The bytes of a value of this type; the outermost array may have a length that is known at run time only.
Value size_of(Emit& e, const Def* type) {
    auto arr = type->isa<Arr>();
    if (!arr || isa_lit(arr->arity())) return e.i64(e.size_of(e.type(type)));
    auto elem = e.size_of(e.type(arr->body()));
    return e.bin(Mul, e.emit(arr->arity()), e.i64(elem), backend::NUW);
}

/// Only ordinary memory has a heap and a stack behind it.
bool check_space(Emit& e, const Def* app) {
    auto space = address_space(e, group(app, 1), app);
    if (space == 0) return true;
    e.error(app, diag::no_memory_in_space(space));
    return false;
}

Value emit_load(Emit& e, const Def* app) {
    auto type = e.type(group(app, 0));
    auto ptr  = e.elem(arg_of(app), 1);
    check_access(e, app, ptr, type, is_scalar(e, type) ? "mim_memory_read" : "mim_memory_access");
    return e.load(type, ptr);
}

Value emit_store(Emit& e, const Def* app) {
    auto arg   = arg_of(app);
    auto value = e.convert(e.elem(arg, 2), operand(e, app, 2)->type(), group(app, 0));
    auto ptr   = e.elem(arg, 1);
    check_access(e, app, ptr, e.type_of(value), "mim_memory_write");
    e.keep_closures(group(app, 0), value, ptr);
    e.store(value, ptr);
    return {};
}

Value from_heap(Emit& e, const Def* app, Value bytes) {
    auto ptr = e.heap(group(app, 0), bytes);
    if (e.checks_memory()) e.call("mim_memory_heap", {}, {ptr, bytes}, backend::OwnMemory);
    return ptr;
}

Value emit_alloc(Emit& e, const Def* app) {
    auto bytes = size_of(e, group(app, 0));
    if (!check_space(e, app)) return e.undef(e.ptr_type());
    return from_heap(e, app, bytes);
}

Value emit_malloc(Emit& e, const Def* app) {
    auto bytes = e.elem(arg_of(app), 1);
    if (!check_space(e, app)) return e.undef(e.ptr_type());
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
    return e.activation_memory(group(app, 0));
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
}

} // namespace mim::plug::mem
