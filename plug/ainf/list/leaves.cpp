// SPDX-License-Identifier: MIT
#include "ainf/list/leaves.h"

#include <algorithm>

#include "ainf/list/types.h"
#include "kit/build.h"
#include "kit/match.h"

namespace mim::plug::ainf {

bool has_array(World& w, const Def* type) {
    if (isa_array(w, type)) return true;
    auto pair = isa_pair(w, type);
    return pair && (has_array(w, pair->first) || has_array(w, pair->second));
}

static void add_leaves(World& w, const Def* type, const DefVec& dims, bool is_element, std::vector<Leaf>& all) {
    auto pair = isa_pair(w, type);
    if (auto array = isa_array(w, type)) {
        auto inner = dims;
        inner.push_back(array->first);
        add_leaves(w, array->second, inner, true, all);
    } else if (pair && !(is_element && !has_array(w, type))) {
        add_leaves(w, pair->first, dims, is_element, all);
        add_leaves(w, pair->second, dims, is_element, all);
    } else {
        all.push_back({dims, type});
    }
}

std::vector<Leaf> leaves(World& w, const Def* type) {
    std::vector<Leaf> all;
    add_leaves(w, type, {}, false, all);
    return all;
}

std::vector<Leaf> leaves_of_element(World& w, const Def* type) {
    std::vector<Leaf> all;
    add_leaves(w, type, {}, true, all);
    return all;
}

bool has_no_elements(const Leaf& leaf) {
    return std::ranges::any_of(leaf.dims, [](auto n) { return is_value(n, 0); });
}

const Def* cell_type(World& w, const Def* type, Form form) {
    if (auto pair = isa_pair(w, type)) return w.sigma({cell_type(w, pair->first, form), cell_type(w, pair->second, form)});
    if (auto pi = type->isa<Pi>()) return w.pi(memory_type(w, pi->dom()), memory_type(w, pi->codom()));
    bool is_word = type == w.nat() || (form == Form::Words && isa_idx(type));
    return is_word ? w.i64_type() : type;
}

const Def* leaf_type(World& w, const Leaf& leaf, Form form) {
    auto type = cell_type(w, leaf.cell, form);
    for (size_t i = leaf.dims.size(); i-- != 0;) type = w.arr(leaf.dims[i], type);
    return type;
}

const Def* memory_type(World& w, const Def* type) {
    return w.sigma(map_defs(leaves(w, type), [&](auto& leaf) { return leaf_type(w, leaf, Form::Inside); }));
}

} // namespace mim::plug::ainf
