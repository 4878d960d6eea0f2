// SPDX-License-Identifier: MIT
// Emitters of %vec.permute and %vec.concat. A permutation with constant indices is a shuffle. Else the table decides: lanes of 8
// bits are looked up by the processor's byte shuffles (bytes.cpp), masks as such bytes, wider lanes by AVX's permutations, and everything else
// in a table in memory.
#include <bit>

#include "emit/vector.h"
#include "vec/diagnostics.h"

namespace mim::plug::vec {

namespace {

struct LookUp {
    Emit& e;
    const Vector &table, &at, &result;
    Value values, indices;

    unsigned width() const { return e.bits(table.elem); }

    Value by_memory() const {
        auto memory = e.alloca_(table.memory_rep());
        e.store(table.to_memory(values), memory);
        auto all = e.undef(table.is_mask() ? e.vector_type(table.memory_elem(), at.n) : result.rep);
        for (unsigned i = 0; i != at.n; ++i) {
            auto index = e.resize(at.get(indices, i), e.int_type(64));
            if (!std::has_single_bit(table.n))
                index = e.umin(index, e.i64(table.n - 1)); // undefined operations may have left its type
            all = e.insert_lane(all, e.load(table.memory_elem(), e.gep(table.memory_elem(), memory, index)), e.i64(i));
        }
        return table.is_mask() ? e.cast(Trunc, all, result.rep) : all;
    }

    /// Lanes of another width but 8: one instruction, if there is one for this many lanes.
    Value by_instruction() const {
        struct Instruction {
            unsigned width, lanes;
            const char *feature, *name;
            bool index_first;
        };
        static constexpr Instruction all[] = {
            {32, 8, "avx2", "llvm.x86.avx2.permd", false},
            {32, 16, "avx512f", "llvm.x86.avx512.permvar.si.512", false},
            {64, 4, "avx512vl", "llvm.x86.avx512.permvar.di.256", false},
            {64, 8, "avx512f", "llvm.x86.avx512.permvar.di.512", false},
            {16, 8, "avx512bw", "llvm.x86.avx512.permvar.hi.128", false},
            {16, 16, "avx512bw", "llvm.x86.avx512.permvar.hi.256", false},
            {16, 32, "avx512bw", "llvm.x86.avx512.permvar.hi.512", false},
        };
        for (auto& i : all) {
            if (i.width != width() || i.lanes < table.n || i.lanes < at.n || !e.has(i.feature)) continue;
            if (i.width == 16 && i.lanes != 32 && !e.has("avx512vl")) continue;
            auto words = e.vector_type(e.int_type(i.width), i.lanes);
            auto from  = slice(e, e.cast(Bit, values, e.vector_type(e.int_type(i.width), table.n)), table.n, 0, i.lanes);
            auto index = slice(e, e.cast(ZExt, indices, e.vector_type(e.int_type(i.width), at.n)), at.n, 0, i.lanes);
            auto moved = slice(e, e.intrinsic(i.name, {}, {e.cast(Bit, from, words), index}), i.lanes, 0, at.n);
            return e.cast(Bit, moved, result.rep);
        }
        return {};
    }
};

/// The bytes that these indices are modulo their size; empty if they are something else.
Value reduced_bytes(Emit& e, const Def* at) {
    auto conversion = match(conv::u, at);
    auto size       = conversion ? isa_idx(VecType(e.world(), conversion.arg()->type()).elem) : nullptr;
    return size && isa_lit(size) && isa_lit(size)->value() == 256 ? e.emit(conversion.arg()) : Value();
}

} // namespace

Value emit_permute(Emit& e, const Def* app) {
    auto& w  = e.world();
    auto arg = arg_of(app);
    Vector table(e, operand(w, app, 0)->type()), at(e, operand(w, app, 1)->type()), result(e, app->type());
    auto [values, indices] = e.elems<2>(arg);
    if (!result || table.n == 0) return {};
    if (table.n == 1) return e.splat(table.get(values, 0), result.n);
    if (auto known = numbers(w, operand(w, app, 1))) {
        std::vector<int> mask(known->begin(), known->end());
        return e.shuffle(values, e.undef(table.rep), mask);
    }
    LookUp look{e, table, at, result, values, indices};
    if (table.is_mask() && table.n <= 256) {
        auto bytes = e.cast(ZExt, values, table.memory_rep());
        auto index = e.cast(ZExt, indices, e.vector_type(e.int_type(8), at.n));
        if (auto v = look_up_bytes(e, bytes, table.n, index, at.n)) return e.cast(Trunc, v, result.rep);
    }
    if (look.width() == 8 && table.n <= 256) {
        auto index = e.cast(ZExt, indices, e.vector_type(e.int_type(8), at.n));
        auto known = numbers(w, operand(w, app, 0));
        if (auto v = look_up_bytes(e, values, table.n, index, at.n, reduced_bytes(e, operand(w, app, 1)),
                                   known ? &*known : nullptr))
            return v;
    } else if (auto v = look.by_instruction()) {
        return v;
    }
    return look.by_memory();
}

Value emit_concat(Emit& e, const Def* app) {
    auto& w  = e.world();
    auto arg = arg_of(app);
    Vector a(e, operand(w, app, 0)->type()), b(e, operand(w, app, 1)->type());
    auto [x, y] = e.elems<2>(arg);
    if (!a || !b) return a ? x : y;
    auto longer = std::max(a.n, b.n);
    std::vector<int> mask;
    for (unsigned i = 0; i != a.n; ++i) mask.push_back(int(i));
    for (unsigned i = 0; i != b.n; ++i) mask.push_back(int(longer + i));
    return e.shuffle(slice(e, x, a.n, 0, longer), slice(e, y, b.n, 0, longer), mask);
}

Value emit_bitcast(Emit& e, const Def* app) {
    auto arg = arg_of(app);
    Vector from(e, arg->type()), to(e, app->type());
    auto v = e.emit(arg);
    if (!from || !to) return {};
    auto width = full_width(e.world(), from.type.elem), to_width = full_width(e.world(), to.type.elem);
    if (width && to_width && uint64_t(width) * from.n == uint64_t(to_width) * to.n) return e.cast(Bit, v, to.rep);
    e.error(app, diag::bad_bitcast(arg->type(), app->type()));
    return e.undef(to.rep);
}

} // namespace mim::plug::vec
