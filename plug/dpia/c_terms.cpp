// SPDX-License-Identifier: MIT
#include "c_terms.h"

namespace mim::plug::dpia {

CValueRef CTerms::number(Polynomial p) {
    auto node = sizes_.node(p);
    return std::make_shared<const CValue>(CValue{.scalar = node, .size = std::move(p)});
}

CValueRef CTerms::pair(CValueRef a, CValueRef b) {
    return std::make_shared<const CValue>(CValue{.first = std::move(a), .second = std::move(b)});
}

CValueRef CTerms::array(std::function<CValueRef(const Polynomial&)> element) {
    using Key  = std::map<Polynomial::Monomial, Polynomial::Number>;
    auto known = std::make_shared<std::map<Key, CValueRef>>();
    auto once  = [known, element = std::move(element)](const Polynomial& i) {
        auto found = known->find(i.terms());
        if (found != known->end()) return found->second;
        return known->emplace(i.terms(), element(i)).first->second;
    };
    return std::make_shared<const CValue>(CValue{.element = once});
}

CValueRef CTerms::value(const Def* term, const ScopeRef& scope) {
    for (const CTerms* terms = this; terms; terms = terms->host_)
        if (auto known = terms->bound_.find(term); known != terms->bound_.end()) return known->second;
    if (auto known = scopes_.find(term, scope)) return *known;
    auto key = std::pair(term, scope);
    if (auto known = known_.find(key); known != known_.end()) return known->second;
    auto result        = made(term, scope);
    return known_[key] = result;
}

CValueRef CTerms::made(const Def* term, const ScopeRef& s) {
    bool is_size = term->type()->isa<mim::Nat>() && (match<core::nat>(term) || match<rise::nat>(term) || term->isa<Lit>());
    if (is_size) return number(size(term, s));
    if (auto lit = term->isa<Lit>()) return literal(term->type(), lit->value());
    if (match<dpia::table>(term)) return table(term);
    if (auto result = scalar_term(term, s)) return result;
    if (auto result = structured(term, s)) return result;
    if (auto result = vector_view(term, s)) return result;
    if (auto result = view(term, s)) return result;
    if (auto result = padded(term, s)) return result;
    throw Refused{Refused::NoCode, "`" + name(term) + "` has no code in C", {}, term};
}

CValueRef CTerms::table(const Def* term) { return value(arg_of(term)); }

CValueRef CTerms::apply(const Def* f, const CValueRef& x, const ScopeRef& s) {
    auto lam = isa_known(f);
    if (!lam) throw Refused{Refused::NoCode, "a function is not known", {}, f};
    return value(lam->body(), scopes_.bound(lam->var(), x, s));
}

CValueRef CTerms::choose(const Def* type, CRef c, const CValueRef& a, const CValueRef& b) {
    if (c->text == "1") return a;
    if (c->text == "0" || a == b) return b;
    if (auto parts = pair(type))
        return pair(choose(parts.first, c, a->first, b->first), choose(parts.second, c, a->second, b->second));
    if (auto parts = array(type))
        return array([=, this](const Polynomial& i) { return choose(parts.elem, c, a->element(i), b->element(i)); });
    if (a->scalar == b->scalar) return a;
    auto node = sizes_.make({"$0$ ? $1$ : $2$", scalar(type).name, {c, a->scalar, b->scalar}, CNode::Select});
    return a->size ? number(sizes_.opaque(node)) : of_scalar(node);
}

Polynomial CTerms::size(const Def* nat, const ScopeRef& s) {
    if (auto lit = nat->isa<Lit>()) return Polynomial::number(static_cast<Polynomial::Number>(lit->value()));
    auto sum   = match<core::nat>(nat);
    auto other = match<rise::nat>(nat);
    if (!sum && !other) return value(nat, s)->size.value();
    auto [left, right] = elems<2>(w, arg_of(nat));
    auto a = size(left, s), b = size(right, s);
    if (sum) {
        if (sum.sub() == core::nat::add) return a + b;
        return sum.sub() == core::nat::mul ? a * b : a - b;
    }
    auto operands = std::vector{sizes_.node(a), sizes_.node(b)};
    switch (other.sub()) {
        case rise::nat::div: return sizes_.divide(a, b).first;
        case rise::nat::mod: return sizes_.divide(a, b).second;
        case rise::nat::min: return sizes_.size(SizeOp::Min, operands);
        case rise::nat::max: return sizes_.size(SizeOp::Max, operands);
        default: return sizes_.size(SizeOp::Power, operands);
    }
}

CRef CTerms::less(const Polynomial& a, const Polynomial& b) {
    if (b.terms().empty()) return truth(false); // of numbers without a sign
    auto x = a.value(), y = b.value();
    if (x && y) return truth(static_cast<uint64_t>(*x) < static_cast<uint64_t>(*y));
    return sizes_.operation(SizeOp::Less, {sizes_.node(a), sizes_.node(b)});
}

// ---- pairs and arrays

CValueRef CTerms::structured(const Def* term, const ScopeRef& s) {
    bool is_same = match<rise::id>(term) || match<dpia::get>(term) || match<dpia::exp>(term);
    if (is_same) return value(arg_of(term), s);
    if (match<rise::pair>(term)) return pair(value(group(term, 1), s), value(group(term, 2), s));
    if (match<rise::fst>(term)) return value(arg_of(term), s)->first;
    if (match<rise::snd>(term)) return value(arg_of(term), s)->second;
    if (match<rise::map_fst>(term)) {
        auto p = value(arg_of(term), s);
        return pair(apply(group(term, 1), p->first, s), p->second);
    }
    if (match<rise::map_snd>(term)) {
        auto p = value(arg_of(term), s);
        return pair(p->first, apply(group(term, 1), p->second, s));
    }
    if (match<rise::select>(term))
        return choose(term->type(), node(group(term, 1), s), value(group(term, 2), s), value(group(term, 3), s));
    if (match<rise::map>(rise::map::high, term)) {
        auto f = arg_of(callee_of(term));
        auto x = value(arg_of(term), s);
        return array([=, this](const Polynomial& i) { return apply(f, x->element(i), s); });
    }
    if (match<rise::generate>(term)) {
        auto f = arg_of(term);
        return array([=, this](const Polynomial& i) { return apply(f, number(i), s); });
    }
    if (!match<rise::make_array>(term)) return nullptr;
    auto n    = *mim::value(elem(w, group(term, 0), 0));
    auto type = array(term->type()).elem;
    std::vector<CValueRef> parts;
    for (uint64_t i = 0; i != n; ++i) parts.push_back(value(n == 1 ? arg_of(term) : operand(w, term, i), s));
    return array([=, this](const Polynomial& i) -> CValueRef {
        if (parts.empty()) throw Refused{Refused::NoCode, "an element of `[]` is read", {}, term};
        if (auto known = i.value()) return parts.at(static_cast<size_t>(*known));
        auto result = parts.back();
        for (size_t j = parts.size() - 1; j-- != 0;) {
            auto place   = sizes_.node(Polynomial::number(Polynomial::Number(j)));
            auto is_here = sizes_.operation(SizeOp::Equal, {sizes_.node(i), place});
            result       = choose(type, is_here, parts[j], result);
        }
        return result;
    });
}

CValueRef CTerms::view(const Def* term, const ScopeRef& s) {
    if (match<rise::idx>(term)) return value(arg_of(term), s)->element(*value(group(term, 1), s)->size);
    if (match<rise::zip>(term)) {
        auto x = value(group(term, 1), s), y = value(group(term, 2), s);
        return array([=, this](const Polynomial& i) { return pair(x->element(i), y->element(i)); });
    }
    if (match<rise::gather>(term)) {
        auto at = value(group(term, 1), s), x = value(group(term, 2), s);
        return array([=](const Polynomial& i) { return x->element(*at->element(i)->size); });
    }
    if (match<rise::reorder>(term)) {
        auto f = group(term, 1);
        auto x = value(arg_of(term), s);
        return array([=, this](const Polynomial& i) { return x->element(place_by(f, i, s)); });
    }
    bool is_known = match<rise::unzip>(term) || match<rise::transpose>(term) || match<rise::split>(term)
                    || match<rise::join>(term) || match<rise::take>(term) || match<rise::drop>(term) || match<rise::slide>(term);
    if (!is_known) return nullptr;
    auto x = value(arg_of(term), s);
    if (match<rise::take>(term)) return x;
    if (match<rise::unzip>(term)) {
        auto first = array([=](const Polynomial& i) { return x->element(i)->first; });
        return pair(first, array([=](const Polynomial& i) { return x->element(i)->second; }));
    }
    if (match<rise::transpose>(term))
        return array(
            [=, this](const Polynomial& j) { return array([=](const Polynomial& i) { return x->element(i)->element(j); }); });
    if (match<rise::join>(term)) {
        auto m = size(elem(w, group(term, 0), 1), s);
        return array([=, this](const Polynomial& i) {
            auto [row, column] = sizes_.divide(i, m);
            return x->element(row)->element(column);
        });
    }
    if (match<rise::drop>(term)) {
        auto n = size(group(term, 0), s);
        return array([=](const Polynomial& i) { return x->element(i + n); });
    }
    auto step = match<rise::split>(term) ? size(group(term, 0), s) : size(elem(w, group(term, 0), 1), s);
    return array([=, this](const Polynomial& i) { return array([=](const Polynomial& j) { return x->element(i * step + j); }); });
}

CValueRef CTerms::padded(const Def* term, const ScopeRef& s) {
    if (match<rise::concat>(term)) {
        auto x = value(group(term, 1), s), y = value(group(term, 2), s);
        auto n    = size(elem(w, group(term, 0), 0), s);
        auto type = array(term->type()).elem;
        return array([=, this](const Polynomial& i) { return choose(type, less(i, n), x->element(i), y->element(i - n)); });
    }
    if (match<rise::pad_empty>(term)) {
        auto x    = value(arg_of(term), s);
        auto n    = size(elem(w, group(term, 1), 0), s);
        auto type = array(term->type()).elem;
        return array([=, this](const Polynomial& i) { return choose(type, less(i, n), x->element(i), any_value(type)); });
    }
    if (match<rise::pad_cst>(term)) {
        auto c = value(group(term, 2), s), x = value(group(term, 3), s);
        auto l    = size(elem(w, group(term, 0), 0), s);
        auto n    = size(elem(w, group(term, 1), 0), s);
        auto type = array(term->type()).elem;
        // left of the array, the difference wraps
        return array([=, this](const Polynomial& i) { return choose(type, less(i - l, n), x->element(i - l), c); });
    }
    if (!match<rise::pad_clamp>(term)) return nullptr;
    auto x    = value(arg_of(term), s);
    auto l    = size(elem(w, group(term, 0), 0), s);
    auto last = size(elem(w, group(term, 1), 0), s);
    return array([=, this](const Polynomial& i) {
        auto at    = number(i - l);
        auto right = choose(w.nat(), less(i - l, last), at, number(last));
        return x->element(*choose(w.nat(), less(i, l), number({}), right)->size);
    });
}

} // namespace mim::plug::dpia
