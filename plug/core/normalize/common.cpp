// SPDX-License-Identifier: MIT
#include "normalize/common.h"

namespace mim::plug::core {

Size::Size(const Def* s) {
    auto lit = s->isa<Lit>();
    if (!lit) return;
    known = true;
    n     = lit->is_2_64() ? u128(1) << 64 : u128(lit->value());
}

unsigned Size::bits() const {
    unsigned w = 0;
    while ((u128(1) << w) < n) ++w;
    return w;
}

uint64_t Size::mask() const {
    auto w = bits();
    return w == 64 ? ~uint64_t(0) : (uint64_t(1) << w) - 1;
}

uint64_t Size::wrap_signed(i128 v) const {
    auto r = v % static_cast<i128>(n);
    return static_cast<uint64_t>(r < 0 ? r + static_cast<i128>(n) : r);
}

Mode::Mode(const Def* m) {
    auto lit = isa_lit(m);
    if (!lit) return;
    known = true;
    nsw   = lit->value() & 1;
    nuw   = lit->value() & 2;
}

const Def* elem(World& w, const Def* arg, uint64_t i) {
    if (auto tuple = arg->isa<Tuple>()) return tuple->op(i);
    return w.extract(arg, i);
}

std::optional<uint64_t> value(const Def* def) {
    if (auto lit = isa_lit(def)) return lit->value();
    return {};
}

bool is_zero(const Def* def) {
    if (auto lit = isa_lit(def)) return lit->value() == 0;
    auto m = match<idx>(def);
    if (!m) return false;
    auto l = isa_lit(m.arg());
    return l && l->value() == 0;
}

const Def* wrap_app(World& w, wrap op, const Def* s, const Def* m, const Def* a, const Def* b) {
    return w.app(w.app(w.app(w.annex(op), s), m), {a, b});
}

const Def* bit1_app(World& w, bit1 op, const Def* s, const Def* m, const Def* a) {
    return w.app(w.app(w.app(w.annex(op), s), m), a);
}

const Def* bit2_app(World& w, bit2 op, const Def* s, const Def* m, const Def* a, const Def* b) {
    return w.app(w.app(w.app(w.annex(op), s), m), {a, b});
}

} // namespace mim::plug::core
