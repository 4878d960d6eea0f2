// SPDX-License-Identifier: MIT
// See checks.h.
#include "checks.h"

#include <array>

#include "analysis/pointee.h"

namespace mim::plug::mem {

using enum backend::Cmp;
using backend::Emit;
using backend::Type;
using backend::Value;

namespace {

/// In the order of src/runtime/memory.h, from 1.
constexpr std::array<std::string_view, 8> faults{
    "access through the null pointer",
    "access to freed memory",
    "access past the end of an allocation",
    "load of uninitialised memory",
    "memory is freed twice",
    "free of memory that is not from the heap",
    "free of a pointer into the middle of an allocation",
    "access to a slot of a function that has returned",
};

void report(Emit& e, const Def* app, Value fault, size_t first, size_t last) {
    for (size_t i = first; i <= last; ++i) e.trap_if(e.cmp(Eq, fault, e.int_const(e.int_type(32), i)), app, faults[i - 1]);
}

/// Pointers into other address spaces are none that the library knows.
bool is_ordinary(Emit& e, Value ptr) { return e.type_of(ptr) == e.ptr_type(); }

} // namespace

bool is_scalar(Emit& e, Type t) { return e.is_int(t) || e.is_float(t) || e.is_ptr(t); }

void check_access(Emit& e, const Def* app, Value ptr, const Def* type, std::string_view question) {
    if (!e.checks_memory() || !e.type(type) || !is_ordinary(e, ptr)) return;
    auto fault = e.call(question, e.int_type(32), {ptr, e.bytes_of(type)}, backend::OwnMemory);
    report(e, app, fault, 1, question == "mim_memory_read" ? 4 : 3);
    report(e, app, fault, 8, 8);
}

void check_free(Emit& e, const Def* app, Value ptr) {
    if (!e.checks_memory() || !is_ordinary(e, ptr)) return;
    report(e, app, e.call("mim_memory_free", e.int_type(32), {ptr}, backend::OwnMemory), 5, 8);
}

void check_base(Emit& e, const Def* app, Value ptr) {
    if (e.checks_memory()) e.trap_if(e.cmp(Eq, ptr, e.zero(e.type_of(ptr))), app, "address computed from a pointer to nothing");
}

Value check_element(Emit& e, const Def* app, Value base, Value element) {
    auto pointee = elem(e.world(), arg_of(app->type()), 0);
    if (!e.checks_memory() || !is_ordinary(e, base) || !e.type(innermost(pointee))) return element;
    return e.call("mim_memory_element", e.ptr_type(), {base, element}, backend::OwnMemory);
}

} // namespace mim::plug::mem
