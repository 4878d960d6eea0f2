// SPDX-License-Identifier: MIT
// Emitter of %core.trait. What it says of `Idx n` depends on n alone, whether or not n is known here: the same
// expression has one value wherever it is evaluated, so types may mention it. Memory of this code may take more bytes
// for an `Idx n` whose n is not known (ir/layout.h); `%mem.alloc` and `%mem.malloc` see to that themselves.
#include <algorithm>

#include "analysis/pointee.h"
#include "emit/int.h"
#include "ir/large_arrays.h"
#include "ir/layout.h"

namespace mim::plug::core {

namespace {

struct Shape {
    Value size, align;
};

/// The layout of a type as src/ir/layout.cpp computes it, by code.
class RunTimeLayout {
public:
    explicit RunTimeLayout(Emit& e)
        : e_(e) {}

    Shape of(const Def* type) {
        if (auto known = layout(e_.world(), type)) return constant(*known);
        if (auto n = isa_idx(type)) return index(n);
        if (auto arr = type->isa<Arr>()) return array(arr);
        if (type->isa<Sigma>()) return structure(type);
        if (type->isa<Union>()) return tagged(type);
        return of_memory(type);
    }

private:
    Shape constant(const Layout& l) { return {e_.i64(l.size), e_.i64(l.align)}; }

    /// The back end's answer, or its report that there is none.
    Shape of_memory(const Def* type) { return {e_.bytes_of(type), e_.i64(e_.align_of(e_.type(type)))}; }

    Value larger(Value a, Value b) { return e_.umax(a, b); }

    Value round_up(Value n, Value align) {
        auto mask = e_.bin(Sub, align, e_.i64(1));
        return e_.bin(And, e_.bin(Add, n, mask), e_.not_(mask));
    }

    /// A binder inside of the type decides it, so it is never known.
    bool is_bound(const Def* n) const {
        auto is_in = [&](const Def* binder) { return is_free_in(e_.world(), binder->var(), n); };
        return std::ranges::any_of(binders_, is_in);
    }

    Shape index(const Def* n) {
        if (is_bound(n)) return constant({8, 8});
        Int numbers(e_, n);
        auto greatest = e_.bin(Sub, numbers.size(), e_.i64(1)); // of `Idx 0`, which is empty, and of 2^64: all bits
        auto bytes    = e_.i64(8);
        for (auto [limit, fewer] : {std::pair(0xffffffffull, 4), {0xffffull, 2}, {0xffull, 1}})
            bytes = e_.select(e_.cmp(ULe, greatest, e_.i64(limit)), e_.i64(uint64_t(fewer)), bytes);
        auto is_one = e_.cmp(Eq, greatest, e_.i64(0));
        if (!e_.may_be_2_64(n)) is_one = e_.cmp(ULe, numbers.size(), e_.i64(1));
        return {e_.select(is_one, e_.i64(0), bytes), e_.select(is_one, e_.i64(1), bytes)};
    }

    Shape array(const Arr* arr) {
        if (!is_dense(arr)) return of_memory(arr); // it has no layout
        auto elem   = of(arr->body());
        auto length = e_.emit(arr->arity());
        if (!length) return of_memory(arr); // 2^64 elements
        auto size     = e_.bin(Mul, length, elem.size, backend::NUW);
        auto is_empty = e_.cmp(Eq, size, e_.i64(0));
        return {size, e_.select(is_empty, e_.i64(1), elem.align)};
    }

    Shape structure(const Def* sigma) {
        if (sigma->is_mut()) binders_.push_back(sigma);
        Shape all = constant({});
        for (auto type : sigma->ops()) {
            auto part = of(type);
            all.size  = e_.bin(Add, round_up(all.size, part.align), part.size);
            all.align = larger(all.align, part.align);
        }
        if (sigma->is_mut()) binders_.pop_back();
        return {round_up(all.size, all.align), all.align};
    }

    Shape tagged(const Def* members) {
        auto n        = members->num_ops();
        auto tag      = e_.i64(n <= 0x100 ? 1 : n <= 0x10000 ? 2 : 4);
        Shape payload = constant({});
        for (auto type : members->ops()) {
            auto part     = of(type);
            payload.size  = larger(payload.size, part.size);
            payload.align = larger(payload.align, part.align);
        }
        auto is_tag = e_.cmp(Eq, payload.size, e_.i64(0));
        auto align  = larger(tag, payload.align);
        auto bytes  = e_.bin(Add, round_up(tag, payload.align), round_up(payload.size, payload.align));
        return {e_.select(is_tag, tag, round_up(bytes, align)), e_.select(is_tag, tag, align)};
    }

    Emit& e_;
    std::vector<const Def*> binders_; ///< Σs around
};

} // namespace

Value emit_trait(Emit& e, const Def* app) {
    auto shape = RunTimeLayout(e).of(arg_of(app));
    return trait(sub_of(app)) == trait::size ? shape.size : shape.align;
}

} // namespace mim::plug::core
