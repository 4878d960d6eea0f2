// SPDX-License-Identifier: MIT
#include "eval/layouts.h"

#include <algorithm>
#include <bit>

#include "eval/machine.h"
#include "ir/hook.h"

namespace mim::eval {

/// Types of plugins: their own hook decides, on the type written out; tokens are nothing; all else are pointers.
Layout Layouts::of_axiom(const TypeView& v, const Def* where) {
    if (v.axiom->has(Axiom::LinearType) || v.axiom->has(Axiom::Erased)) return {0, 1};
    if (!v.axiom->layout) return {m_.world().layout.pointer_size, m_.world().layout.pointer_align};
    Layout l{0, 1};
    auto type     = types_.reify(v.type, where);
    auto is_known = call_hook(*v.axiom, "the layout of", where,
                              [&] { return v.axiom->layout(m_.world(), type, l.size, l.align); });
    if (!is_known) m_.fail("a type without a layout", where);
    bool is_layout = std::has_single_bit(l.align) && l.size >> 63 == 0;
    if (is_layout) return l;
    auto text = "the size " + std::to_string(l.size) + " with the alignment " + std::to_string(l.align);
    hook_broke(*v.axiom, "the layout of", where, "makes no layout: " + text);
}

/// Scalars are as large as they are aligned; a struct's fields follow each other, each at its alignment.
Layout Layouts::compute(const TypeView& v, const Def* where) {
    auto& dl = m_.world().layout;
    switch (v.form) {
        case TypeView::Nat: return {8, 8};
        case TypeView::Idx: {
            auto max = v.size - 1; // 2^64 - 1 for 2^64
            if (v.is_empty || max == 0) return {0, 1};
            if (max <= 0xff) return {1, 1};
            return max <= 0xffff ? Layout{2, 2} : max <= 0xffffffff ? Layout{4, 4} : Layout{8, 8};
        }
        case TypeView::Axiom: return of_axiom(v, where);
        case TypeView::Sort:
        case TypeView::Bot:
        case TypeView::Top:
        case TypeView::Sing: return {0, 1};
        case TypeView::Pi: return {dl.pointer_size, dl.pointer_align};
        case TypeView::Arr: {
            if (v.is_empty) return {0, 1};
            auto e  = of(types_.elem_type(v.type, 0), where);
            auto sz = (unsigned __int128)e.size * (v.size ? (unsigned __int128)v.size : (unsigned __int128)1 << 64);
            if (sz >> 63) m_.fail("a type that is larger than memory", where);
            return {uint64_t(sz), e.align};
        }
        case TypeView::Sigma: {
            Layout l{0, 1};
            for (uint64_t i = 0; i != v.size; ++i) {
                auto e = of(types_.elem_shape(v.type, i), where);
                l      = {round_up(l.size, e.align) + e.size, std::max(l.align, e.align)};
            }
            return {round_up(l.size, l.align), l.align};
        }
        case TypeView::Union: {
            auto tag = tag_size(v.size);
            Layout l{0, 1};
            for (uint64_t i = 0; i != v.size; ++i) {
                auto e = of(types_.elem_type(v.type, i), where);
                l      = {std::max(l.size, e.size), std::max(l.align, e.align)};
            }
            if (l.size == 0) return {tag, tag};
            auto align = std::max(tag, l.align);
            return {round_up(round_up(tag, l.align) + round_up(l.size, l.align), align), align};
        }
        default: m_.fail("a type without a layout", where);
    }
}

Layout Layouts::of(const Value& type, const Def* where) {
    budget_.tick(where);
    auto t     = m_.force(type, where);
    auto known = t.is(Kind::Axiom) ? &t.axiom().layout : t.is(Kind::Type) ? &t.type().layout : nullptr;
    if (known && known->align) return *known;
    auto l = compute(types_.view(t), where);
    if (known) *known = l;
    return l;
}

uint64_t Layouts::payload_offset(const TypeView& u, const Def* where) {
    uint64_t align = 1;
    for (uint64_t i = 0; i != u.size; ++i) align = std::max(align, of(types_.elem_type(u.type, i), where).align);
    return round_up(tag_size(u.size), align);
}

} // namespace mim::eval
