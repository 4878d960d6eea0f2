// SPDX-License-Identifier: MIT
// Views: an element of the result is an element of an operand.
#include "core/annexes.h"
#include "kit/build.h"
#include "kit/match.h"
#include "lower/terms.h"
#include "rise/annexes.h"
#include "tensor/annexes.h"

namespace mim::plug::rise {

CodeRef Terms::idx(const Def* app, const ScopeRef& s) {
    auto i = scalar(group(app, 1), s);
    return term(arg_of(app), s)->element(i);
}

CodeRef Terms::zip(const Def* app, const ScopeRef& s) {
    auto x = term(group(app, 1), s), y = term(group(app, 2), s);
    return c_.array([=, this](const Def* i) { return c_.pair(x->element(i), y->element(i)); });
}

CodeRef Terms::unzip(const Def* app, const ScopeRef& s) {
    auto x     = term(arg_of(app), s);
    auto first = c_.array([=](const Def* i) { return x->element(i)->first; });
    return c_.pair(first, c_.array([=](const Def* i) { return x->element(i)->second; }));
}

CodeRef Terms::transpose(const Def* app, const ScopeRef& s) {
    auto x = term(arg_of(app), s);
    return c_.array([=, this](const Def* j) { return c_.array([=](const Def* i) { return x->element(i)->element(j); }); });
}

CodeRef Terms::split(const Def* app, const ScopeRef& s) {
    auto x = term(arg_of(app), s);
    auto n = c_.size_word(group(app, 0));
    return c_.array(
        [=, this](const Def* i) { return c_.array([=, this](const Def* j) { return x->element(c_.add(c_.mul(i, n), j)); }); });
}

CodeRef Terms::join(const Def* app, const ScopeRef& s) {
    auto x = term(arg_of(app), s);
    auto m = size_word(app, 0, 1);
    return c_.array([=, this](const Def* i) { return x->element(c_.div(i, m))->element(c_.rem(i, m)); });
}

CodeRef Terms::take(const Def* app, const ScopeRef& s) {
    auto x = term(arg_of(app), s);
    return c_.array([=](const Def* i) { return x->element(i); });
}

CodeRef Terms::drop(const Def* app, const ScopeRef& s) {
    auto x = term(arg_of(app), s);
    auto n = c_.size_word(group(app, 0));
    return c_.array([=, this](const Def* i) { return x->element(c_.add(i, n)); });
}

CodeRef Terms::concat(const Def* app, const ScopeRef& s) {
    auto x = term(group(app, 1), s), y = term(group(app, 2), s);
    auto n    = size_word(app, 0, 0);
    auto elem = isa_array(w, app->type()).elem;
    return c_.array([=, this](const Def* i) { return c_.choose(elem, c_.less(i, n), x->element(i), y->element(c_.sub(i, n))); });
}

CodeRef Terms::slide(const Def* app, const ScopeRef& s) {
    auto x  = term(arg_of(app), s);
    auto sp = size_word(app, 0, 1);
    return c_.array(
        [=, this](const Def* i) { return c_.array([=, this](const Def* j) { return x->element(c_.add(c_.mul(i, sp), j)); }); });
}

CodeRef Terms::gather(const Def* app, const ScopeRef& s) {
    auto at = term(group(app, 1), s), x = term(group(app, 2), s);
    return c_.array([=](const Def* i) { return x->element(at->element(i)->scalar); });
}

/// Starts with any elements: those that no index names are not said.
CodeRef Terms::scatter(const Def* app, const ScopeRef& s) {
    auto at = term(group(app, 1), s), x = term(group(app, 2), s);
    auto n    = size(app, 0, 0);
    auto type = app->type();
    auto elem = isa_array(w, type).elem;
    auto size = c_.size(isa_array(w, type).size);
    auto turn = w.idx(size);
    DefVec start;
    for (auto& leaf : c_.leaves(type)) {
        auto cell = c_.leaf_type({{}, leaf.cell}, Form::Inside);
        start.push_back(c_.generate(leaf.dims, cell, [&](const DefVec&) { return c_.zero(cell); }));
    }
    auto put = [&](const CodeRef& acc, const Def* i) {
        auto all   = acc->leaves();
        auto parts = c_.store(w.apply<Arr>({w.lit_nat(1), elem}), c_.array([&](const Def*) { return x->element(i); }));
        auto index = w.call<core::bitcast>(turn, at->element(i)->scalar);
        for (size_t j = 0; j != all.size(); ++j) {
            auto part = w.extract(parts[j], uint64_t(0));
            all[j]    = w.apply<tensor::set>(w.tuple({w.lit_nat(1), size, part->type()}), w.tuple({all[j], index, part}));
        }
        return c_.load(type, all);
    };
    return folded(type, n, c_.load(type, start), put);
}

CodeRef Terms::pad_cst(const Def* app, const ScopeRef& s) {
    auto c = term(group(app, 2), s), x = term(group(app, 3), s);
    auto l    = size_word(app, 0, 0);
    auto n    = size_word(app, 1, 0);
    auto elem = isa_array(w, app->type()).elem;
    return c_.array([=, this](const Def* i) {
        auto at        = c_.sub(i, l); // wraps where it is left of the array
        auto is_inside = c_.less(at, n);
        return c_.choose(elem, is_inside, x->element(at), c);
    });
}

/// The size as a word, where the index stands for its variable.
const Def* Terms::place(const Def* size, const Def* var, const Def* index) {
    if (size == var) return index;
    if (!is_free_in(w, var, size)) return c_.size_word(size);
    auto sum   = match<core::nat>(size);
    auto other = match<nat>(size);
    if (!sum && !other) throw NoCode("a function of sizes is not known", size);
    auto [left, right] = elems<2>(w, arg_of(size));
    auto a = place(left, var, index), b = place(right, var, index);
    if (sum) return sum.sub() == core::nat::add ? c_.add(a, b) : sum.sub() == core::nat::mul ? c_.mul(a, b) : c_.sub(a, b);
    switch (other.sub()) {
        case nat::div: return c_.div(a, b);
        case nat::mod: return c_.rem(a, b);
        case nat::min: return w.select(c_.less(a, b), a, b);
        case nat::max: return w.select(c_.less(a, b), b, a);
        default: break;
    }
    auto number = [&](const Def* word) { return w.call<core::bitcast>(w.nat(), word); };
    return w.call<core::bitcast>(c_.i64(), c_.power(number(a), number(b)));
}

CodeRef Terms::reorder(const Def* app, const ScopeRef& s) {
    auto f = isa_known(group(app, 1));
    auto x = term(arg_of(app), s);
    if (!f) throw NoCode("a function of sizes is not known", app);
    return c_.array([=, this](const Def* i) { return x->element(place(f->body(), f->var(), i)); });
}

/// For elements that are not said.
CodeRef Terms::any_value(const Def* type) {
    if (auto row = isa_row(w, type)) return c_.array([=, this](const Def*) { return any_value(row.elem); });
    if (auto pair = isa_pair(w, type)) return c_.pair(any_value(pair.first), any_value(pair.second));
    return c_.scalar(c_.zero(c_.scalar_type(type)));
}

CodeRef Terms::pad_empty(const Def* app, const ScopeRef& s) {
    auto x    = term(arg_of(app), s);
    auto n    = size_word(app, 1, 0);
    auto elem = isa_array(w, app->type()).elem;
    return c_.array([=, this](const Def* i) { return c_.choose(elem, c_.less(i, n), x->element(i), any_value(elem)); });
}

CodeRef Terms::pad_clamp(const Def* app, const ScopeRef& s) {
    auto x    = term(arg_of(app), s);
    auto l    = size_word(app, 0, 0);
    auto last = size_word(app, 1, 0);
    return c_.array([=, this](const Def* i) {
        auto at    = c_.sub(i, l);
        auto right = w.select(c_.less(at, last), at, last);
        return x->element(w.select(c_.less(i, l), c_.word(0), right));
    });
}

} // namespace mim::plug::rise
