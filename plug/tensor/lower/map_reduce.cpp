// SPDX-License-Identifier: MIT
// `map_reduce` as loops. Each output element is a loop over the dimensions that it is reduced over, unless these loops read memory in larger steps than a
// loop over the last dimension of the output does: then that is the innermost loop, and the elements of a row are reduced side by side. The
// order in which terms are added to an element is the same.
#include "lower/map_reduce.h"
#include "kit/build.h"
#include "lower/tensors.h"

namespace mim::plug::tensor {

MapReduce Tensors::map_reduce_of(const Def* op, Reader reader) {
    auto [k, m, ni, it, rs, ts, from, to] = elems<8>(w, part(op, 0));
    auto [e, c, z, p]                     = elems<4>(w, part(op, 2));
    MapReduce r;
    r.extents = list(op, k, it);
    r.outer   = numbers(op, m, part(op, 1, 0));
    r.e = e, r.c = c, r.z = z, r.p = p;
    r.from = from, r.to = to;
    std::vector<bool> is_outer(r.extents.size());
    for (auto d : r.outer) is_outer[d] = true;
    for (uint64_t d = 0; d != r.extents.size(); ++d)
        if (!is_outer[d]) r.inner.push_back(d);

    auto types = list(op, ni, ts), ranks = list(op, ni, rs), subscripts = list(op, ni, part(op, 1, 1));
    for (size_t i = 0; i != types.size(); ++i) {
        auto dims  = numbers(op, ranks[i], subscripts[i]);
        auto input = types.size() == 1 ? group(op, 3) : old(op, 3, i);
        auto once  = reader.once && r.mentions_all(dims);
        r.inputs.push_back({dims, elements(input, r.extents_of(dims), types[i], {reader.op, once})});
    }
    return r;
}

bool MapReduce::mentions_all(const std::vector<uint64_t>& dims) const {
    for (uint64_t d = 0; d != extents.size(); ++d)
        if (!is_value(extents[d], 1) && std::ranges::find(dims, d) == dims.end()) return false;
    return true;
}

DefVec MapReduce::extents_of(const std::vector<uint64_t>& dims) const {
    return map_defs(dims, [&](auto d) { return extents[d]; });
}

/// How many inputs a loop over this dimension reads in steps of more than one element.
size_t MapReduce::num_strided(uint64_t dim) const {
    return size_t(std::ranges::count_if(inputs, [&](auto& input) {
        auto place = std::ranges::find(input.dims, dim);
        return place != input.dims.end() && input.dims.back() != dim;
    }));
}

bool MapReduce::reduces_rows() const {
    return !outer.empty() && !inner.empty() && num_strided(inner.back()) > num_strided(outer.back());
}

/// The function returns its argument.
static bool is_identity(const Def* f) {
    auto lam = isa_known(f);
    return lam && lam->body() == lam->var();
}

const Def* Tensors::element_of(const MapReduce& r, Defs index) {
    return w.app(r.e, w.tuple(map_defs(r.inputs, [&](auto& input) {
        return input.elements.at(map_defs(input.dims, [&](auto d) { return index[d]; }));
    })));
}

Elements Tensors::of_map_reduce(const Def* op, Reader reader) {
    auto r  = map_reduce_of(op, reader);
    auto at = [this, r](Defs index) {
        DefVec all(r.extents.size());
        for (size_t j = 0; j != r.outer.size(); ++j) all[r.outer[j]] = index[j];
        if (r.inner.empty()) return w.app(r.p, element_of(r, all));
        auto sum = loops_.reduce(r.extents_of(r.inner), r.z, [&](Defs rest, const Def* acc) {
            for (size_t j = 0; j != rest.size(); ++j) all[r.inner[j]] = rest[j];
            return w.app(r.c, {acc, element_of(r, all)});
        });
        return w.app(r.p, sum);
    };
    return {r.extents_of(r.outer), r.to, at};
}

/// The elements of the last dimension of the output are reduced side by side, in the output itself if their type is that of the terms.
const Def* Tensors::reduced_by_rows(const MapReduce& r) {
    auto shape       = r.extents_of(r.outer);
    auto rows        = Defs(shape).first(shape.size() - 1);
    auto row         = Defs(shape).last(1);
    auto terms       = r.extents_of(r.inner);
    bool is_in_place = r.from == r.to && is_identity(r.p);
    terms.push_back(row[0]);

    return loops_.reduce(rows, loops_.blank(shape, r.to), [&](Defs at, const Def* out) {
        auto sums_shape = is_in_place ? Defs(shape) : row;
        auto place      = [&](const Def* i) {
            DefVec index;
            if (is_in_place) index.assign(at.begin(), at.end());
            index.push_back(i);
            return index;
        };
        auto start = is_in_place ? out : loops_.blank(row, r.from);
        auto zeros = loops_.reduce(row, start,
                                   [&](Defs i, const Def* sums) { return loops_.insert(sums, sums_shape, place(i[0]), r.z); });
        auto sums  = loops_.reduce(terms, zeros, [&](Defs rest, const Def* acc) {
            DefVec all(r.extents.size());
            for (size_t j = 0; j != at.size(); ++j) all[r.outer[j]] = at[j];
            for (size_t j = 0; j != r.inner.size(); ++j) all[r.inner[j]] = rest[j];
            all[r.outer.back()] = rest.back();
            auto index          = place(rest.back());
            auto sum            = w.app(r.c, {loops_.extract(acc, sums_shape, r.from, index), element_of(r, all)});
            return loops_.insert(acc, sums_shape, index, sum);
        });
        if (is_in_place) return sums;
        return loops_.reduce(row, out, [&](Defs i, const Def* acc) {
            DefVec index(at.begin(), at.end());
            index.push_back(i[0]);
            return loops_.insert(acc, shape, index, w.app(r.p, loops_.extract(sums, row, r.from, i)));
        });
    });
}

const Def* Tensors::lower_map_reduce(const Def* op) {
    Reader reader{op, true};
    auto r = map_reduce_of(op, reader);
    if (r.reduces_rows()) return reduced_by_rows(r);
    auto result = of_map_reduce(op, reader);
    return loops_.array(result.shape, result.type, *result.source);
}

} // namespace mim::plug::tensor
