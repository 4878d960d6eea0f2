// SPDX-License-Identifier: MIT
// %core.icmp and %core.extrema. The subtag of icmp is the set of relations that it asks for: X plus minus, Y minus plus, G greater, L less
// (of the same sign), E equal. Exactly one of them holds, so everything follows from the set of those that can.
#include <array>

#include "normalize/common.h"

namespace mim::plug::core {

namespace {

constexpr unsigned E = 1, L = 2, G = 4, Y = 8, X = 16, All = 31;

unsigned flip(unsigned rel) { return (rel & E) | (rel & L ? G : 0) | (rel & G ? L : 0) | (rel & X ? Y : 0) | (rel & Y ? X : 0); }

unsigned relation(const Size& s, uint64_t a, uint64_t b) {
    if (a == b) return E;
    if (s.is_neg(a) != s.is_neg(b)) return s.is_neg(b) ? X : Y;
    return a < b ? L : G;
}

/// The relations that can hold between any a and the literal b.
unsigned possible(const Size& s, uint64_t b) {
    unsigned rel = E;
    auto half    = s.half();
    auto last    = static_cast<uint64_t>(s.n - 1);
    if (s.is_neg(b)) return rel | X | (b > half ? L : 0) | (b < last ? G : 0);
    return rel | (half <= last ? Y : 0) | (b > 0 ? L : 0) | (b + 1 < half ? G : 0);
}

/// Among the sets that agree on what is possible, the one that people (and machines) write.
unsigned canonical(unsigned rel, unsigned poss) {
    static constexpr unsigned preferred[] = {E, All & ~E, X | L, X | L | E, Y | G, Y | G | E, Y | L, Y | L | E, X | G, X | G | E};
    for (auto p : preferred)
        if ((p & poss) == (rel & poss)) return p;
    return rel & poss;
}

struct Icmp : IntOp {
    using IntOp::IntOp;
    const Def* make(unsigned rel, const Def* a, const Def* b) const { return w.apply(icmp(rel), group(0), {a, b}); }
};

/// On Bool each relation is a bit operation: (1, 1) and (0, 0) are E, (1, 0) is Y, (0, 1) is X.
const Def* on_bool(const Icmp& c, unsigned rel, const Def* a, const Def* b) {
    unsigned op = (rel & E ? 9 : 0) | (rel & Y ? 4 : 0) | (rel & X ? 2 : 0);
    return c.w.apply(bit2(op), c.group(0), 0, {a, b});
}

/// (k + x) = d is x = d - k; b is a literal.
const Def* solve(const Icmp& c, unsigned rel, const Def* a, uint64_t d) {
    if (rel != E && rel != (All & ~E)) return nullptr;
    auto lit = [&](u128 v) { return c.w.lit(a->type(), c.size.wrap(v)); };
    if (auto add = match(wrap::add, a)) {
        auto [k, x] = elems<2>(c.w, add.arg());
        return value(k) ? c.make(rel, x, lit(u128(d) + c.size.n - *value(k))) : nullptr;
    }
    auto sub = match(wrap::sub, a);
    if (!sub) return nullptr;
    auto [x, y] = elems<2>(c.w, sub.arg());
    if (auto k = value(x)) return c.make(rel, y, lit(u128(*k) + c.size.n - d)); // k - y = d
    return d == 0 ? c.make(rel, x, y) : nullptr;                                // x - y = 0
}

} // namespace

const Def* normalize_icmp(const Redex& redex) {
    auto& w      = redex.w;
    unsigned rel = redex.sub();
    if (rel == 0) return w.ff();
    if (rel == All) return w.tt();
    Icmp c(redex);
    auto [a, b] = redex.elems<2>();
    if (a == b || c.size.is(1)) return w.lit_bool(rel & E); // a ? a
    if (!c.size.known || c.size.n == 0) return !isa_lit(b) && !in_order(a, b) ? c.make(flip(rel), b, a) : nullptr;
    auto x = value(a), y = value(b);
    if (x && y) return w.lit_bool(rel & relation(c.size, *x, *y));
    if (c.size.is(2)) return on_bool(c, rel, a, b);
    if (x || (!y && !in_order(a, b))) return c.make(flip(rel), b, a); // a ? b = b ?' a; literals last
    if (!y) return nullptr;
    auto poss = possible(c.size, *y);
    if ((rel & poss) == 0) return w.ff();
    if ((rel & poss) == poss) return w.tt();
    if (auto best = canonical(rel, poss); best != rel) return c.make(best, a, b);
    return solve(c, rel, a, *y);
}

namespace {

struct Extrema : IntOp {
    explicit Extrema(const Redex& redex)
        : IntOp(redex)
        , is_max(sub() & 1)
        , is_signed(sub() & 2) {}
    bool is_max, is_signed;
    /// The order of the operation: values by their reading.
    bool less(uint64_t x, uint64_t y) const { return is_signed ? size.read_signed(x) < size.read_signed(y) : x < y; }
    uint64_t choose(uint64_t x, uint64_t y) const { return less(x, y) == is_max ? y : x; }
    uint64_t least() const { return is_signed && size.half() < size.n ? size.half() : 0; }
    uint64_t greatest() const { return is_signed ? size.half() - 1 : static_cast<uint64_t>(size.n - 1); }
};

} // namespace

const Def* normalize_extrema(const Redex& redex) {
    Extrema c(redex);
    auto& w     = c.w;
    auto [a, b] = c.elems<2>();
    if (a == b) return a; // min (a, a) = a
    if (c.size.is(0)) return nullptr;
    if (c.size.is(1)) return c.lit(0);
    auto x = value(a), y = value(b);
    if (x && y && c.size.known) return c.lit(c.choose(*x, *y));
    if (!in_order(a, b)) return w.app(c.callee, {b, a});
    if (x && c.size.known && *x == (c.is_max ? c.greatest() : c.least())) return a; // max (top, b) = top
    if (x && c.size.known && *x == (c.is_max ? c.least() : c.greatest())) return b; // max (bottom, b) = b
    for (auto [one, other] : {std::pair(a, b), std::pair(b, a)}) {
        auto inner = match(extrema(c.sub()), other);
        if (!inner) continue;
        auto [u, v] = elems<2>(w, inner.arg());
        if (u == one || v == one) return other;                                              // max (a, max (a, v)) = max (a, v)
        if (auto z = value(u); x && z) return w.app(c.callee, {c.lit(c.choose(*x, *z)), v}); // max (k, max (d, v))
    }
    return nullptr;
}

} // namespace mim::plug::core
