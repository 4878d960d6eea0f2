// SPDX-License-Identifier: MIT
// The phase tensor.lower: which operation becomes what.
#include <algorithm>

#include "core/annexes.h"
#include "kit/build.h"
#include "lower/tensors.h"
#include "tensor/diagnostics.h"

namespace mim::plug::tensor {

/*
 * parts
 */

uint64_t Tensors::known(const Def* op, const Def* number) {
    if (auto result = value(number)) return *result;
    throw Error(diag::unknown_rank(head_axiom(op)->axiom().name.str(), number));
}

DefVec Tensors::list(const Def* op, const Def* length, const Def* array) {
    auto n = known(op, length);
    return def_vec(n, [&](auto i) { return n == 1 ? array : w.extract(array, i); });
}

std::vector<uint64_t> Tensors::numbers(const Def* op, const Def* length, const Def* array) {
    std::vector<uint64_t> result;
    for (auto def : list(op, length, array)) result.push_back(known(op, def));
    return result;
}

/*
 * what is owed
 */

const Def* Tensors::owed(owe what, const Def* op, const Def* holds) {
    if (auto known = value(holds)) {
        if (*known == 1) return holds;
        throw Error(diag::broken(head_axiom(op)->axiom().name.str(), "what it owes does not hold"));
    }
    auto check = w.call(what, holds, w.tt());
    w.notes.copy_place(op, check);
    return check;
}

const Def* Tensors::in_bounds(const Def* owed, const Def* number, const Def* extent) {
    return w.call<inside>(owed, index(number, extent));
}

const Def* Tensors::after(owe what, const Def* owed, const Def* element) { return w.call(what, owed, element); }

/*
 * operations
 */

const Def* Tensors::computed(const Lowered& old) {
    auto result = source(old.app(), {old.app(), true});
    return loops_.array(result.shape, result.type, *result.source);
}

const Def* Tensors::lower_get(const Def* op) {
    auto shape = list(op, part(op, 0, 0), part(op, 0, 1));
    auto index = list(op, part(op, 0, 0), part(op, 1, 1));
    return elements(old(op, 1, 0), shape, part(op, 0, 2), {op, true}).at(index);
}

const Def* Tensors::lower_set(const Def* op) {
    auto shape = list(op, part(op, 0, 0), part(op, 0, 1));
    auto index = list(op, part(op, 0, 0), part(op, 1, 1));
    return loops_.insert(part(op, 1, 0), shape, index, part(op, 1, 2));
}

const Def* Tensors::lower_fold(const Def* op) {
    auto f = part(op, 1), n = part(op, 2);
    auto a = elements(old(op, 3, 1), {n}, part(op, 0, 1), {op, true});
    return loops_.reduce(a.shape, part(op, 3, 0), [&](Defs at, const Def* acc) { return w.app(f, {acc, a.at(at)}); });
}

/// What is carried is the last step, and the array of all.
const Def* Tensors::lower_scan(const Def* op) {
    auto f = part(op, 1), n = part(op, 2), z = part(op, 3, 0);
    auto a     = elements(old(op, 3, 1), {n}, part(op, 0, 1), {op, true});
    auto start = w.tuple({z, loops_.blank(a.shape, part(op, 0, 0))});
    auto step  = [&](Defs at, const Def* acc) {
        auto [last, steps] = elems<2>(w, acc);
        auto next          = w.app(f, {last, a.at(at)});
        return w.tuple({next, loops_.insert(steps, a.shape, at, next)});
    };
    return loops_.reduce_to_second(a.shape, start, step);
}

const Def* Tensors::lower_scatter(const Def* op) {
    auto n = part(op, 2, 0), m = part(op, 2, 1), type = part(op, 0), c = part(op, 1);
    auto h = elements(old(op, 3, 1), {m}, w.idx(n), {op, true});
    auto v = elements(old(op, 3, 2), {m}, type, {op, true});
    DefVec shape{n};
    return loops_.reduce(h.shape, part(op, 3, 0), [&](Defs at, const Def* acc) {
        DefVec place{h.at(at)};
        auto value = w.app(c, {loops_.extract(acc, shape, type, place), v.at(at)});
        return loops_.insert(acc, shape, place, value);
    });
}

/// All results in one loop. A dimension that is chosen has the extent 1 in them.
const Def* Tensors::lower_reduce(const Def* op) {
    auto [r, s, ni, is] = elems<4>(w, part(op, 0));
    auto shape = list(op, r, s), types = list(op, ni, is);
    auto chosen = numbers(op, r, part(op, 2, 2));
    auto f = part(op, 1), init = part(op, 2, 1);
    DefVec kept, inner;
    for (size_t j = 0; j != shape.size(); ++j) (chosen[j] ? inner : kept).push_back(shape[j]);
    std::vector<Elements> inputs;
    for (size_t i = 0; i != types.size(); ++i) {
        auto input = types.size() == 1 ? old(op, 2, 0) : elem(w, old(op, 2, 0), i);
        inputs.push_back(elements(input, shape, types[i], {op, true}));
    }
    auto result = [&](Defs outer) {
        return loops_.reduce(inner, init, [&](Defs rest, const Def* acc) {
            DefVec at;
            size_t next_outer = 0, next_inner = 0;
            for (size_t j = 0; j != shape.size(); ++j) at.push_back(chosen[j] ? rest[next_inner++] : outer[next_outer++]);
            auto x = w.tuple(map_defs(inputs, [&](auto& input) { return input.at(at); }));
            return w.app(f, {acc, x});
        });
    };
    if (types.size() == 1) return loops_.array(kept, types[0], result);
    return loops_.arrays(kept, types, result);
}

const Def* Tensors::lower_size(const Def* op) { return size(list(op, part(op, 0), part(op, 1))); }

void Tensors::lower() {
    auto loops = [&](const Lowered& old) { return computed(old); };
    on<tensor::map>(loops).on<zip>(loops).on<generate>(loops);
    on<map_reduce>([&](const Lowered& old) { return lower_map_reduce(old.app()); });
    on<transpose>(loops).on<broadcast>(loops).on<reshape>(loops).on<split>(loops).on<join>(loops).on<slice>(loops);
    on<reverse>(loops).on<window>(loops).on<gather>(loops).on<pad>(loops).on<concat>(loops);
    on<get>([&](const Lowered& old) { return lower_get(old.app()); });
    on<set>([&](const Lowered& old) { return lower_set(old.app()); });
    on<fold>([&](const Lowered& old) { return lower_fold(old.app()); });
    on<scan>([&](const Lowered& old) { return lower_scan(old.app()); });
    on<scatter>([&](const Lowered& old) { return lower_scatter(old.app()); });
    on<reduce>([&](const Lowered& old) { return lower_reduce(old.app()); });
    on<tensor::size>([&](const Lowered& old) { return lower_size(old.app()); });
    run();
}

void lower(PhaseContext& c) {
    Tensors(c).lower();
    Lowering(c).on<total>([](const Lowered& old) { return old.arg(); }).run();
}

} // namespace mim::plug::tensor
