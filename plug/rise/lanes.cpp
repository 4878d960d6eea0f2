// SPDX-License-Identifier: MIT
// Operations on the lanes of vectors, and orders of elements: what they owe.
#include "infer.h"
#include "rise.h"
#include "rise/diagnostics.h"

namespace mim::plug::rise {

// ---- vectors

/// Of lanes, the result has lanes. False if that is not known yet.
bool Inference::lift(const Constraint& c, bool is_last) {
    auto t        = types_.resolve(c.type);
    auto truth    = types_.scalar(Scalar::Bool);
    bool is_truth = c.prim->of == Class::Truth;
    if (t->kind == Type::Meta && is_last && is_truth) types_.unify(t, truth);
    t = types_.resolve(t);
    if (!c.other) return t->kind != Type::Meta;
    auto other  = types_.resolve(c.other);
    bool is_any = c.prim->lifted == Lifted::Cast && other->kind == Type::Vec;
    if (t->kind == Type::Meta && is_any) types_.unify(t, types_.vector(other->size, types_.meta()));
    t = types_.resolve(t);
    if (t->kind == Type::Meta && !is_last) return false;
    Type* wanted = t->kind == Type::Vec ? types_.vector(t->size, truth) : truth;
    if (c.prim->lifted != Lifted::Compare) {
        bool is_mixed = c.prim->lifted == Lifted::Cast && t->kind != Type::Vec && types_.resolve(c.other)->kind == Type::Vec;
        if (is_mixed) report(diag::mismatch(types_.text(t), types_.text(c.other)), c.at->span);
        if (t->kind != Type::Vec) return true;
        wanted = types_.vector(t->size, types_.meta());
    }
    if (!types_.unify(other, wanted)) report(diag::mismatch(types_.text(wanted), types_.text(other)), c.at->span);
    return true;
}

/// One may decide another one.
void Inference::lift_all() {
    std::vector<const Constraint*> open;
    for (auto& c : constraints_)
        if (c.prim->lifted != Lifted::None) open.push_back(&c);
    for (size_t before = open.size() + 1; open.size() < before;) {
        before = open.size();
        std::erase_if(open, [&](auto c) { return lift(*c, false); });
    }
    for (auto c : open) lift(*c, true);
}

void Inference::check_width(const Expr* e, const Polynomial& n) {
    auto known = types_.resolve(n).value();
    if (known && !is_width(static_cast<uint64_t>(*known))) report(diag::bad_vector("of " + types_.text(n) + " lanes"), e->span);
}

void Inference::check_lanes(const Expr* e, Type* lane) {
    auto t      = types_.resolve(lane);
    bool is_any = t->kind == Type::Meta || t->kind == Type::Name || t->kind == Type::Broken;
    bool fits   = is_any || (t->kind == Type::Scalar && is_in(Class::Lane, t->scalar));
    if (!fits) report(diag::bad_vector("of lanes `" + types_.text(t) + "`"), e->span);
}

// ---- reorder

/// Of all i < n: each is tried where n is known. A sum of multiples of i is least for the first or the last one.
bool Inference::holds_in_range(const Polynomial& p, Polynomial::Var i, const Polynomial& n) {
    constexpr Polynomial::Number kMost = 1 << 16;
    auto one                           = Polynomial::number(1);
    auto known                         = types_.resolve(n).value();
    bool is_tried                      = known && *known <= kMost;
    for (Polynomial::Number k = 0; is_tried && k < *known; ++k) {
        auto at  = types_.substitute(p, i, Polynomial::number(k)).value();
        is_tried = at.has_value();
        if (at && *at < 0) return false;
    }
    if (is_tried) return true;
    auto all     = types_.resolve(p);
    auto at      = [&](const Polynomial& value) { return types_.substitute(all, i, value); };
    auto slope   = at(Polynomial::variable(i) + one) - all;
    bool is_line = !slope.occurs(i) && (at({}) + slope * Polynomial::variable(i) - all).terms().empty();
    auto last    = n - one; // there is one
    auto holds   = [&](const Polynomial& value) { return types_.is_size(value) || types_.is_size(value - last); };
    return is_line && holds(at({})) && holds(at(last));
}

void Inference::owe_in_range(const Expr* e, const Polynomial& p, Polynomial::Var i, const Polynomial& n,
                             const std::string& what) {
    if (!holds_in_range(p, i, n)) report(diag::bad_order(what, types_.name(i), types_.text(n)), e->span);
}

/// Both functions stay below n, and the second one undoes the first.
void Inference::check_order(const Expr* order, const Expr* head) {
    bool is_second = order->parts[0]->arg->sort == Sort::NatFun;
    auto& n        = (is_second ? order->parts[0]->parts[0] : order->parts[0])->arg->nat;
    auto& f        = *order->arg;
    auto rest      = n - f.nat - Polynomial::number(1);
    owe_in_range(head, rest, f.param, n, types_.text(f.nat) + " < " + types_.text(n));
    if (!is_second) return;
    auto& first    = *order->parts[0]->arg;
    bool is_inside = holds_in_range(first.nat, first.param, n)
                     && holds_in_range(n - first.nat - Polynomial::number(1), first.param, n);
    if (!is_inside) return; // which is reported
    auto back       = types_.substitute(f.nat, f.param, first.nat) - Polynomial::variable(first.param);
    auto difference = types_.resolve(back);
    bool is_same    = difference.terms().empty()
                   || (holds_in_range(difference, first.param, n) && holds_in_range(Polynomial() - difference, first.param, n));
    auto what = "`" + types_.text(f.nat) + "` undoes `" + types_.text(first.nat) + "`";
    if (!is_same) report(diag::bad_order(what, types_.name(first.param), types_.text(n)), head->span);
}

} // namespace mim::plug::rise
