// SPDX-License-Identifier: MIT
// Emitters of loads and stores. A masked access is LLVM's: one instruction with AVX-512 (and with AVX2 for wide lanes), else a branch for each
// lane. A prefix is read under a mask where that is one instruction. Elsewhere its whole vector is read, which is safe where it cannot reach
// a page that the values do not lie on: a page is what may be accessed or not as a whole. Such a load is volatile, so that LLVM does
// not conclude anything from where it reaches; near the end of a page a copy is read instead.
#include <bit>
#include <utility>

#include "emit/vector.h"

namespace mim::plug::vec {

namespace {

constexpr uint64_t page = 4096;

bool is_ordinary(Emit& e, Value p) { return e.type_of(p) == e.ptr_type(); }

void report(Emit& e, const Def* app, Value fault) {
    static constexpr std::pair<unsigned, const char*> faults[] = {
        {1, "access through the null pointer"},
        {2, "access to freed memory"},
        {3, "access past the end of an allocation"},
        {4, "load of uninitialised memory"},
        {8, "access to a slot of a function that has returned"},
    };
    for (auto [number, what] : faults) e.trap_if(e.cmp(Eq, fault, e.int_const(e.int_type(32), number)), app, what);
}

/// With --checked: whether these bytes may be accessed.
void check_bytes(Emit& e, const Def* app, std::string_view question, Value p, Value bytes) {
    if (!e.checks_memory() || !is_ordinary(e, p)) return;
    report(e, app, e.call(question, e.int_type(32), {p, bytes}, backend::OwnMemory));
}

/// The same for each lane that the mask selects, in a loop. What is behind the end of an allocation is not known to be none of its memory, but
/// that what begins inside of it ends there.
void check_lanes(Emit& e, const Def* app, std::string_view question, const Vector& v, Value p, Value mask) {
    if (!e.checks_memory() || !is_ordinary(e, p)) return;
    auto i8 = e.int_type(8), i64 = e.int_type(64);
    auto size  = e.size_of(v.memory_elem());
    auto flags = e.alloca_(e.vector_type(i8, v.n)), count = e.alloca_(i64);
    e.store(e.cast(ZExt, mask, e.vector_type(i8, v.n)), flags);
    e.store(e.i64(0), count);
    auto loop = e.new_block("lane"), yes = e.new_block("lane.yes"), next = e.new_block("lane.next"),
         done = e.new_block("checked");
    e.jump(loop);
    e.enter(loop);
    auto i    = e.load(i64, count);
    auto more = e.bin(Add, i, e.i64(1));
    e.branch(e.cmp(Ne, e.load(i8, e.gep(i8, flags, i)), e.int_const(i8, 0)), yes, next);
    e.enter(yes);
    check_bytes(e, app, "mim_memory_access", p, e.bin(Mul, more, e.i64(size)));
    check_bytes(e, app, question, e.gep(v.memory_elem(), p, i), e.i64(size));
    e.jump(next);
    e.enter(next);
    e.store(more, count);
    e.branch(e.cmp(ULt, more, e.i64(v.n)), loop, done);
    e.enter(done);
}

/// And for the first `len` values, if there are any.
void check_prefix(Emit& e, const Def* app, const Vector& v, Value p, Value len) {
    if (!e.checks_memory() || !is_ordinary(e, p)) return;
    auto some = e.new_block("prefix"), done = e.new_block("checked");
    e.branch(e.cmp(Ne, len, e.i64(0)), some, done);
    e.enter(some);
    check_bytes(e, app, "mim_memory_read", p, e.bin(Mul, len, e.i64(e.size_of(v.memory_elem()))));
    e.jump(done);
    e.enter(done);
}

/// The alignment that is promised, of which LLVM may make use; 1 if it is none.
uint32_t alignment(Emit& e, const Def* align, Value p, const Def* app) {
    auto lit   = isa_lit(align);
    auto bytes = lit ? lit->value() : 1;
    if (!std::has_single_bit(bytes)) bytes = 1;
    if (e.checked()) {
        auto number      = lit ? e.i64(lit->value()) : e.emit(align);
        auto below       = e.bin(Sub, number, e.i64(1));
        auto is_no_power = e.cmp(ULe, e.bin(Xor, number, below), below);
        e.trap_if(is_no_power, app, "an alignment that is no power of two");
        auto rest = e.bin(And, e.resize(p, e.int_type(64)), below);
        e.trap_if(e.cmp(Ne, rest, e.i64(0)), app, "misaligned access");
    }
    return uint32_t(std::min<uint64_t>(bytes, 1u << 16));
}

bool has_masked_load(Emit& e, const Vector& v) {
    auto width = e.bits(v.memory_elem());
    if (width >= 32 && e.has("avx2")) return true;
    return e.has(width >= 32 ? "avx512f" : "avx512bw") && e.has("avx512vl");
}

/// At least `len` values at p, where `len` is not 0.
Value load_within_pages(Emit& e, const Vector& v, Value p, Value len) {
    auto type  = v.memory_rep();
    auto size  = uint64_t(v.n) * e.size_of(v.memory_elem());
    auto i64   = e.int_type(64);
    auto first = e.resize(p, i64);
    auto bytes = e.bin(Mul, len, e.i64(e.size_of(v.memory_elem())));
    auto last  = e.bin(Add, first, e.bin(Sub, bytes, e.i64(1)));
    auto end   = e.bin(Add, first, e.i64(size - 1));
    auto same  = e.cmp(ULt, e.bin(Xor, last, end), e.i64(page));
    auto here = e.new_block("prefix.here"), copy = e.new_block("prefix.copy"), done = e.new_block("prefix.done");
    backend::Access anywhere{.align = 1, .is_volatile = true};
    e.branch(same, here, copy);

    e.enter(here);
    auto whole = e.load(type, p, anywhere);
    e.jump(done);

    // the last bytes of the page: those in front of p are left behind
    e.enter(copy);
    auto buffer = e.alloca_(e.array_type(e.int_type(8), 2 * size));
    auto start  = e.bin(And, end, e.i64(~(page - 1)));
    auto behind = e.bin(Sub, first, e.bin(Sub, start, e.i64(size)));
    e.store(e.load(type, e.resize(e.bin(Sub, start, e.i64(size)), e.ptr_type()), anywhere), buffer, {.align = 1});
    e.store(e.zero(type), e.byte_gep(buffer, e.i64(size)), {.align = 1});
    auto moved = e.load(type, e.byte_gep(buffer, behind), {.align = 1});
    e.jump(done);

    e.enter(done);
    std::pair<Value, backend::Block> incoming[] = {{whole, here}, {moved, copy}};
    return e.phi(type, incoming);
}

} // namespace

Value emit_load(Emit& e, const Def* app) {
    Vector v(e, e.world().extract(app, 1)->type());
    auto p = e.elem(arg_of(app), 1);
    if (!v) return {};
    auto align = alignment(e, e.world().extract(group(app, 2), 1), p, app);
    check_bytes(e, app, "mim_memory_read", p, e.i64(uint64_t(v.n) * e.size_of(v.memory_elem())));
    return v.from_memory(e.load(v.memory_rep(), p, {.align = align}));
}

Value emit_store(Emit& e, const Def* app) {
    auto arg = arg_of(app);
    Vector v(e, e.world().extract(arg, 2)->type());
    auto p = e.elem(arg, 1), value = e.elem(arg, 2);
    if (!v) return {};
    auto align = alignment(e, group(app, 2), p, app);
    check_bytes(e, app, "mim_memory_write", p, e.i64(uint64_t(v.n) * e.size_of(v.memory_elem())));
    e.store(v.to_memory(value), p, {.align = align});
    return {};
}

Value emit_load_if(Emit& e, const Def* app) {
    auto arg = arg_of(app);
    Vector v(e, e.world().extract(arg, 3)->type());
    auto p = e.elem(arg, 1), mask = e.elem(arg, 2), otherwise = e.elem(arg, 3);
    if (!v) return {};
    check_lanes(e, app, "mim_memory_read", v, p, mask);
    auto align = uint32_t(e.align_of(v.memory_elem()));
    return v.from_memory(e.masked_load(v.memory_rep(), p, mask, v.to_memory(otherwise), {.align = align}));
}

Value emit_store_if(Emit& e, const Def* app) {
    auto arg = arg_of(app);
    Vector v(e, e.world().extract(arg, 3)->type());
    auto p = e.elem(arg, 1), mask = e.elem(arg, 2), value = e.elem(arg, 3);
    if (!v) return {};
    check_lanes(e, app, "mim_memory_write", v, p, mask);
    e.masked_store(v.to_memory(value), p, mask, {.align = uint32_t(e.align_of(v.memory_elem()))});
    return {};
}

Value emit_load_prefix(Emit& e, const Def* app) {
    auto arg = arg_of(app);
    Vector v(e, e.world().extract(app, 1)->type());
    auto p = e.elem(arg, 1), len = e.elem(arg, 2);
    if (!v) return {};
    auto type = v.memory_rep();
    auto few  = e.umin(len, e.i64(v.n));
    auto zero = e.zero(type);
    check_prefix(e, app, v, p, few);
    if (has_masked_load(e, v) || !is_ordinary(e, p)) // nothing is known of pages elsewhere
        return v.from_memory(
            e.masked_load(type, p, prefix_mask(e, v.n, few), zero, {.align = uint32_t(e.align_of(v.memory_elem()))}));
    auto some = e.new_block("prefix.some"), end = e.new_block("prefix.end");
    auto from = e.current();
    e.branch(e.cmp(Eq, few, e.i64(0)), end, some);
    e.enter(some);
    auto loaded = e.select(prefix_mask(e, v.n, few), load_within_pages(e, v, p, few), zero);
    auto last   = e.current();
    e.jump(end);
    e.enter(end);
    std::pair<Value, backend::Block> incoming[] = {{zero, from}, {loaded, last}};
    return v.from_memory(e.phi(type, incoming));
}

} // namespace mim::plug::vec
