// SPDX-License-Identifier: MIT
#include "lower/code.h"

#include "core/annexes.h"
#include "kit/build.h"
#include "kit/match.h"
#include "tensor/annexes.h"

namespace mim::plug::ainf {

/// Equal numbers are one value.
CodeRef Coder::scalar(const Def* def) {
    auto& code = scalars_[def];
    if (!code) code = make({.scalar = def});
    return code;
}

const Def* Coder::as_word(const Def* index) { return index->type() == i64() ? index : w.call<core::bitcast>(i64(), index); }

// ---- types

bool Coder::has_function(const Def* type) const {
    if (type->isa<Pi>()) return true;
    if (auto array = isa_array(w, type)) return has_function(array->second);
    auto pair = isa_pair(w, type);
    return pair && (has_function(pair->first) || has_function(pair->second));
}

bool Coder::is_word(const Def* type) const {
    if (auto array = isa_array(w, type)) return is_word(array->second);
    auto pair = isa_pair(w, type);
    return pair ? is_word(pair->first) && is_word(pair->second) : !isa_idx(type);
}

const Def* Coder::shape(const Leaf& leaf, Form form) const {
    return w.tuple({w.lit_nat(leaf.dims.size()), w.tuple(leaf.dims), cell_type(w, leaf.cell, form)});
}

// ---- values

const Def* Coder::encode(const Def* type, const CodeRef& c, Form form) {
    if (auto pair = isa_pair(w, type))
        return w.tuple({encode(pair->first, c->first, form), encode(pair->second, c->second, form)});
    if (auto pi = type->isa<Pi>()) {
        auto body = [&](const Def* arg) { return all_of(pi->codom(), c->call(parts(pi->dom(), arg))); };
        return w.lam(cell_type(w, pi, form)->as<Pi>(), body);
    }
    return form == Form::Words && isa_idx(type) ? as_word(c->scalar) : c->scalar;
}

CodeRef Coder::decode(const Def* type, const Def* def, Form form) {
    if (auto pair = isa_pair(w, type)) {
        auto first = decode(pair->first, w.extract(def, 0), form);
        return this->pair(first, decode(pair->second, w.extract(def, 1), form));
    }
    if (auto pi = type->isa<Pi>()) {
        auto call = [=, this](const CodeRef& arg) { return parts(pi->codom(), w.app(def, all_of(pi->dom(), arg))); };
        return make({.call = call});
    }
    bool is_index = form == Form::Words && isa_idx(type);
    return scalar(is_index ? w.call<core::bitcast>(type, def) : def);
}

CodeRef Coder::parts(const Def* type, const Def* all) {
    auto n = leaves(w, type).size();
    return load(type, def_vec(n, [&](size_t i) { return n == 1 ? all : w.extract(all, i); }));
}

const Def* Coder::generate(const DefVec& dims, const Def* type, const std::function<const Def*(const DefVec&)>& element) {
    auto domain = w.sigma(map_defs(dims, [&](auto n) { return w.idx(n); }));
    auto lam    = w.mut_lam(w.pi(domain, type));
    auto at     = [&](size_t i) { return dims.size() == 1 ? lam->var() : w.extract(lam->var(), i); };
    w.set(lam, w.tt(), element(def_vec(dims.size(), at)));
    auto h = w.seal(lam);
    return w.apply<tensor::generate>({w.lit_nat(dims.size())}, {w.tuple(dims)}, {type}, {h});
}

DefVec Coder::store(const Def* type, const CodeRef& c, Form form) {
    DefVec result;
    store_into(result, type, c, false, form);
    return result;
}

DefVec Coder::element(const Def* type, const CodeRef& c) {
    DefVec result;
    store_into(result, type, c, true, Form::Inside);
    return result;
}

void Coder::store_into(DefVec& result, const Def* type, const CodeRef& c, bool is_element, Form form) {
    auto pair = isa_pair(w, type);
    if (isa_array(w, type)) {
        store_array(result, type, c, form);
    } else if (is_apart(type, is_element)) {
        store_into(result, pair->first, c->first, is_element, form);
        store_into(result, pair->second, c->second, is_element, form);
    } else {
        result.push_back(encode(type, c, form));
    }
}

void Coder::store_array(DefVec& result, const Def* type, const CodeRef& c, Form form) {
    bool is_same   = form == Form::Inside || is_word(type);
    bool is_stored = c->leaves != nullptr;
    if (is_stored && is_same) {
        for (auto leaf : c->leaves()) result.push_back(leaf);
        return;
    }
    // loops that are directly inside of each other are one
    DefVec dims;
    auto elem  = type;
    auto probe = c;
    auto inner = isa_array(w, elem);
    while (inner && (dims.empty() || !probe->leaves || !is_same)) {
        dims.push_back(inner->first);
        probe = probe->element(w.mut_lam(w.pi(w.idx(inner->first), w.unit_type()))->var());
        elem  = inner->second;
        inner = isa_array(w, elem);
    }
    auto shapes = leaves_of_element(w, elem);
    for (size_t i = 0; i != shapes.size(); ++i) {
        result.push_back(generate(dims, leaf_type(w, shapes[i], form), [&](const DefVec& index) {
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
    DefVec dims(shape.dims.begin(), shape.dims.begin() + static_cast<std::ptrdiff_t>(index.size()));
    DefVec rest(shape.dims.begin() + static_cast<std::ptrdiff_t>(index.size()), shape.dims.end());
    auto type = leaf_type(w, {rest, shape.cell}, in.form);
    return w.apply<tensor::get>({w.lit_nat(dims.size()), w.tuple(dims), type}, {in.all[leaf], w.tuple(index)});
}

CodeRef Coder::load(const Def* type, const DefVec& all, Form form) {
    auto in = std::make_shared<const InMemory>(InMemory{all, leaves(w, type), form});
    return load_from(type, 0, {}, in);
}

/// The part of it that begins with a leaf, at this index.
CodeRef Coder::load_from(const Def* type, size_t first, const DefVec& index, const std::shared_ptr<const InMemory>& in) {
    bool is_element = !index.empty();
    if (auto array = isa_array(w, type)) {
        auto element = [=, this, elem = array->second](const Def* i) {
            auto inner = index;
            inner.push_back(i);
            return load_from(elem, first, inner, in);
        };
        auto leaves = [=, this] {
            return def_vec(num_leaves(type, true), [&](size_t i) { return part_of(*in, first + i, index); });
        };
        bool is_same = in->form == Form::Inside || is_word(type);
        return make({.element = element, .leaves = is_same ? std::function<DefVec()>(leaves) : nullptr});
    }
    if (!is_apart(type, is_element)) return decode(type, part_of(*in, first, index), in->form);
    auto pair = isa_pair(w, type);
    auto left = load_from(pair->first, first, index, in);
    return this->pair(left, load_from(pair->second, first + num_leaves(pair->first, is_element), index, in));
}

} // namespace mim::plug::ainf
