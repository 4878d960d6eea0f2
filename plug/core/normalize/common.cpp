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

namespace {

template<class T>
int three_way(const T& a, const T& b) {
    return a < b ? -1 : b < a ? 1 : 0;
}

int compare_axioms(const Axiom& a, const Axiom& b) {
    if (auto c = three_way(a.id.plugin, b.id.plugin)) return c;
    if (auto c = three_way(a.id.tag, b.id.tag)) return c;
    if (auto c = three_way(a.id.sub, b.id.sub)) return c;
    return a.name.view().compare(b.name.view());
}

/// Literals first, applications last: what laws look into comes second.
int rank(const Def* def) { return def->node() == Node::Lit ? 0 : def->node() == Node::App ? 2 : 1; }

/// Lexicographic on (kind, payload, operands) down to `fuel` nodes; 0 if that does not tell them apart.
int compare_shape(const Def* a, const Def* b, int& fuel) {
    if (a == b || fuel-- <= 0) return 0;
    if (auto c = three_way(rank(a), rank(b))) return c;
    if (auto c = three_way(a->node(), b->node())) return c;
    if (a->is_mut() || b->is_mut()) return three_way(a->id(), b->id());
    if (auto l = a->isa<Lit>()) {
        auto m = b->as<Lit>();
        if (auto c = three_way(l->is_2_64(), m->is_2_64())) return c;
        return three_way(l->value(), m->value());
    }
    if (auto x = a->isa<Axm>()) return compare_axioms(x->axiom(), b->as<Axm>()->axiom());
    if (auto c = three_way(a->num_ops(), b->num_ops())) return c;
    for (size_t i = 0; i < a->num_ops(); ++i)
        if (auto c = compare_shape(a->op(i), b->op(i), fuel)) return c;
    return 0;
}

} // namespace

int compare(const Def* a, const Def* b) {
    if (a == b) return 0;
    int fuel = 64;
    if (auto c = compare_shape(a, b, fuel)) return c;
    return three_way(a->id(), b->id());
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
