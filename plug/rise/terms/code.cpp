// SPDX-License-Identifier: MIT
#include "code.h"

#include <algorithm>

#include "affine/annexes.h"
#include "core/annexes.h"
#include "kit/build.h"
#include "kit/match.h"
#include "math/annexes.h"
#include "rise/annexes.h"
#include "tensor/annexes.h"

namespace mim::plug::rise {

const Def* status_type(World& w) { return w.idx(uint64_t(1) << 32); }
const Def* status_of(World& w, uint64_t status) { return w.lit_idx(uint64_t(1) << 32, status); }

/// In memory, the lanes of a vector are elements of an array.
ArrayType isa_row(World& w, const Def* type) {
    auto array = isa_array(w, type);
    return array ? array : isa_vector(w, type);
}

bool has_rows(World& w, const Def* type) {
    auto pair = isa_pair(w, type);
    return isa_row(w, type) || (pair && (has_rows(w, pair.first) || has_rows(w, pair.second)));
}

// ---- types

const Def* Coder::scalar_type(const Def* type) {
    auto t       = scalar_of(type);
    bool is_word = t.kind == ScalarType::Nat || t.kind == ScalarType::Index;
    if (is_word) return i64();
    if (t.kind != ScalarType::Unsigned) return type;
    return t.bits == 64 ? i64() : w.idx(uint64_t(1) << t.bits);
}

void Coder::add_leaves(const Def* type, const DefVec& dims, bool is_element, std::vector<Leaf>& all) const {
    auto pair = isa_pair(w, type);
    if (auto array = isa_row(w, type)) {
        auto inner = dims;
        inner.push_back(array.size);
        add_leaves(array.elem, inner, true, all);
    } else if (pair && !(is_element && !has_rows(w, type))) {
        add_leaves(pair.first, dims, is_element, all);
        add_leaves(pair.second, dims, is_element, all);
    } else {
        all.push_back({dims, type});
    }
}

std::vector<Leaf> Coder::leaves(const Def* type) const {
    std::vector<Leaf> all;
    add_leaves(type, {}, false, all);
    return all;
}

size_t Coder::num_leaves(const Def* type, bool is_element) const {
    std::vector<Leaf> all;
    add_leaves(type, {}, is_element, all);
    return all.size();
}

const Def* Coder::cell_type(const Def* type, Form form) {
    if (auto pair = isa_pair(w, type)) return w.sigma({cell_type(pair.first, form), cell_type(pair.second, form)});
    return form == Form::Words ? i64() : scalar_type(type);
}

const Def* Coder::leaf_type(const Leaf& leaf, Form form) {
    auto type = cell_type(leaf.cell, form);
    for (size_t i = leaf.dims.size(); i-- != 0;) type = w.arr(size(leaf.dims[i]), type);
    return type;
}

const Def* Coder::shape(const Leaf& leaf, Form form) {
    auto dims = map_defs(leaf.dims, [&](auto n) { return size(n); });
    return w.tuple({w.lit_nat(leaf.dims.size()), w.tuple(dims), cell_type(leaf.cell, form)});
}

const Def* Coder::memory_type(const Def* type) {
    DefVec types;
    for (auto& leaf : leaves(type)) types.push_back(leaf_type(leaf, Form::Inside));
    return w.sigma(types);
}

// ---- values

CodeRef Coder::scalar(const Def* def) {
    auto& code = scalars_[def];
    if (!code) code = make({.scalar = def});
    return code;
}

CodeRef Coder::array(std::function<CodeRef(const Def*)> element) {
    auto known = std::make_shared<std::unordered_map<const Def*, CodeRef>>();
    return make({.element = [=](const Def* i) {
        auto& e = (*known)[i];
        if (e) return e;
        auto made          = element(i);
        return (*known)[i] = made;
    }});
}

CodeRef Coder::parts(const Def* type, const Def* all) {
    auto n = leaves(type).size();
    return load(type, def_vec(n, [&](size_t i) { return n == 1 ? all : w.extract(all, i); }));
}

CodeRef Coder::choose(const Def* type, const Def* condition, const CodeRef& a, const CodeRef& b) {
    if (a == b) return a;
    if (auto types = isa_pair(w, type)) {
        auto first = choose(types.first, condition, a->first, b->first);
        return pair(first, choose(types.second, condition, a->second, b->second));
    }
    auto row = isa_row(w, type);
    if (!row) return scalar(w.select(condition, a->scalar, b->scalar));
    return array([=, this](const Def* i) { return choose(row.elem, condition, a->element(i), b->element(i)); });
}

/// The bits, in the least of 64.
const Def* Coder::to_word(const Def* type, const Def* def) {
    auto t = scalar_of(type);
    if (t.kind == ScalarType::Float) def = w.call<core::bitcast>(t.bits == 64 ? i64() : w.idx(uint64_t(1) << t.bits), def);
    if (def->type() == i64()) return def;
    return w.call(core::conv::u, isa_idx(i64()), def);
}

const Def* Coder::from_word(const Def* type, const Def* word) {
    auto t = scalar_of(type);
    if (t.kind == ScalarType::Float) {
        auto bits = t.bits == 64 ? word : w.call(core::conv::u, w.lit_nat(uint64_t(1) << t.bits), word);
        return w.call<core::bitcast>(type, bits);
    }
    auto to = scalar_type(type);
    return to == i64() ? word : w.call(core::conv::u, isa_idx(to), word);
}

const Def* Coder::encode(const Def* type, const CodeRef& c, Form form) {
    if (auto pair = isa_pair(w, type)) return w.tuple({encode(pair.first, c->first, form), encode(pair.second, c->second, form)});
    return form == Form::Words ? to_word(type, c->scalar) : c->scalar;
}

CodeRef Coder::decode(const Def* type, const Def* def, Form form) {
    if (auto pair = isa_pair(w, type)) {
        auto first = decode(pair.first, w.extract(def, 0), form);
        return this->pair(first, decode(pair.second, w.extract(def, 1), form));
    }
    return scalar(form == Form::Words ? from_word(type, def) : def);
}

const Def* Coder::generate(const DefVec& dims, const Def* type, const std::function<const Def*(const DefVec&)>& element) {
    auto sizes  = map_defs(dims, [&](auto n) { return size(n); });
    auto domain = w.sigma(map_defs(sizes, [&](auto n) { return w.idx(n); }));
    auto lam    = w.mut_lam(w.pi(domain, type));
    auto at     = [&](size_t i) {
        auto index = sizes.size() == 1 ? lam->var() : w.extract(lam->var(), i);
        return w.call<core::bitcast>(i64(), index);
    };
    w.set(lam, w.tt(), element(def_vec(sizes.size(), at)));
    return w.apply<tensor::generate>({w.lit_nat(sizes.size())}, {w.tuple(sizes)}, {type}, {w.seal(lam)});
}

DefVec Coder::store(const Def* type, const CodeRef& c, Form form) {
    DefVec result;
    store_into(result, type, c, false, form);
    return result;
}

void Coder::store_into(DefVec& result, const Def* type, const CodeRef& c, bool is_element, Form form) {
    auto pair = isa_pair(w, type);
    if (isa_row(w, type)) {
        store_array(result, type, c, form);
    } else if (pair && !(is_element && !has_rows(w, type))) {
        store_into(result, pair.first, c->first, is_element, form);
        store_into(result, pair.second, c->second, is_element, form);
    } else {
        result.push_back(encode(type, c, form));
    }
}

void Coder::store_array(DefVec& result, const Def* type, const CodeRef& c, Form form) {
    if (c->leaves && form == Form::Inside) {
        for (auto leaf : c->leaves()) result.push_back(leaf);
        return;
    }
    // loops that are directly inside of each other are one
    DefVec dims;
    auto elem = type;
    for (auto array = isa_row(w, elem); array; array = isa_row(w, elem)) {
        dims.push_back(array.size);
        elem = array.elem;
    }
    std::vector<Leaf> shapes;
    add_leaves(elem, {}, true, shapes);
    for (size_t i = 0; i != shapes.size(); ++i) {
        result.push_back(generate(dims, leaf_type(shapes[i], form), [&](const DefVec& index) {
            auto at = c;
            for (auto j : index) at = at->element(j);
            DefVec parts;
            store_into(parts, elem, at, true, form);
            return parts[i];
        }));
    }
}

/// An element of a leaf, or what is left of an array with fewer dimensions.
const Def* Coder::part_of(const InMemory& in, size_t leaf, const DefVec& index) {
    if (index.empty()) return in.all[leaf];
    auto& shape = in.shapes[leaf];
    auto split  = shape.dims.begin() + static_cast<std::ptrdiff_t>(index.size());
    DefVec sizes, at;
    for (auto n = shape.dims.begin(); n != split; ++n) {
        sizes.push_back(size(*n));
        at.push_back(w.call<core::bitcast>(w.idx(sizes.back()), index[at.size()]));
    }
    Leaf rest{DefVec(split, shape.dims.end()), shape.cell};
    // nothing is read of an array without elements, and `()` does not say which arrays it is that are empty
    bool is_empty = std::ranges::any_of(shape.dims, [](auto n) { return value(n) == 0; });
    if (is_empty) return zeros(rest, in.form);
    auto type = leaf_type(rest, in.form);
    return w.apply<tensor::get>({w.lit_nat(sizes.size()), w.tuple(sizes), type}, {in.all[leaf], w.tuple(at)});
}

CodeRef Coder::load(const Def* type, const DefVec& all, Form form) {
    return load_from(type, 0, {}, std::make_shared<const InMemory>(InMemory{all, leaves(type), form}));
}

/// The part of it that begins with a leaf, at this index.
CodeRef Coder::load_from(const Def* type, size_t first, const DefVec& index, const std::shared_ptr<const InMemory>& in) {
    bool is_element = !index.empty();
    if (auto array = isa_row(w, type)) {
        auto element = [=, this, elem = array.elem](const Def* i) {
            auto inner = index;
            inner.push_back(i);
            return load_from(elem, first, inner, in);
        };
        auto leaves = [=, this] {
            return def_vec(num_leaves(type, true), [&](size_t i) { return part_of(*in, first + i, index); });
        };
        bool is_same = in->form == Form::Inside;
        return make({.element = element, .leaves = is_same ? std::function<DefVec()>(leaves) : nullptr});
    }
    auto pair     = isa_pair(w, type);
    bool is_apart = pair && !(is_element && !has_rows(w, type));
    if (!is_apart) return decode(type, part_of(*in, first, index), in->form);
    auto left = load_from(pair.first, first, index, in);
    return this->pair(left, load_from(pair.second, first + num_leaves(pair.first, is_element), index, in));
}

// ---- words

const Def* Coder::zero(const Def* type) {
    if (auto size = isa_idx(type)) return w.lit_idx(size, 0);
    if (match<math::F>(type)) return w.raw_lit(type, 0);
    auto sigma = type->isa<Sigma>();
    auto part  = [&](size_t i) { return zero(sigma ? sigma->op(i) : type->as<mim::Arr>()->body()); };
    return w.tuple(def_vec(2, part));
}

const Def* Coder::zeros(const Leaf& leaf, Form form) {
    auto result = zero(cell_type(leaf.cell, form));
    for (size_t i = leaf.dims.size(); i-- != 0;) result = w.pack(size(leaf.dims[i]), result);
    return result;
}

const Def* Coder::add(const Def* a, const Def* b) { return w.call(core::wrap::add, 0, {a, b}); }
const Def* Coder::sub(const Def* a, const Def* b) { return w.call(core::wrap::sub, 0, {a, b}); }
const Def* Coder::mul(const Def* a, const Def* b) { return w.call(core::wrap::mul, 0, {a, b}); }
const Def* Coder::div(const Def* a, const Def* b) { return w.call(core::quot::div, {a, b}); }
const Def* Coder::rem(const Def* a, const Def* b) { return w.call(core::quot::rem, {a, b}); }
const Def* Coder::less(const Def* a, const Def* b) { return w.call(core::icmp::XygLe, {a, b}); }
const Def* Coder::size_word(const Def* n) {
    auto known = size(n);
    auto lit   = value(known);
    return lit ? word(*lit) : w.call<core::bitcast>(i64(), known);
}

const Def* Coder::size(const Def* n) {
    if (auto app = match<core::nat>(n)) {
        auto [a, b] = elems<2>(w, app.arg());
        auto x = size(a), y = size(b);
        return x == a && y == b ? n : w.apply(app.sub(), {x, y});
    }
    auto app = match<nat>(n);
    if (!app) return n;
    auto [left, right] = elems<2>(w, app.arg());
    auto a = size(left), b = size(right);
    switch (app.sub()) {
        case nat::div: return w.apply(core::quot::ndiv, {a, b});
        case nat::mod: return w.apply(core::quot::nrem, {a, b});
        case nat::min: return w.select(w.apply(core::ncmp::gLe, {a, b}), a, b);
        case nat::max: return w.select(w.apply(core::ncmp::gLe, {a, b}), b, a);
        default: return power(a, b);
    }
}

const Def* Coder::power(const Def* base, const Def* exponent) {
    auto step = w.mut_lam(w.pi(w.sigma({w.nat(), w.nat()}), w.nat()));
    w.set(step, w.tt(), w.apply(core::nat::mul, {w.extract(step->var(), 1), base}));
    return w.apply<affine::fold>({w.nat()}, {w.lit_nat(0), exponent, w.lit_nat(1)}, {w.seal(step)}, {w.lit_nat(1)});
}

} // namespace mim::plug::rise
