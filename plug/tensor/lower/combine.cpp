// SPDX-License-Identifier: MIT
// Folds and scatters, whose function combines what is there with something else. If both are arrays, and it combines
// them element by element, each element is changed where it is: no array is made beside and copied.
#include <algorithm>

#include "base/worklist.h"
#include "core/annexes.h"
#include "kit/build.h"
#include "lower/packs.h"
#include "lower/tensors.h"
#include "normal.h"

namespace mim::plug::tensor {

/// None if the function makes no array, or needs other elements of what is there than the one in the same place.
std::optional<Combine> Tensors::combine_of(const Def* f, Reader reader) {
    auto lam  = isa_known(f);
    auto made = lam ? lam->body() : nullptr;
    if (!made || !(match<tensor::map>(made) || match<zip>(made)) || scheduled(made)) return {};
    bool is_zip  = bool(match<zip>(made));
    auto num     = is_zip ? elem(w, group(made, 0), 0) : w.lit_nat(1);
    auto extents = elements_of(w, elem(w, group(made, 2), 0), elem(w, group(made, 2), 1));
    auto types   = elements_of(w, num, elem(w, group(made, 0), is_zip));
    auto arrays  = elements_of(w, num, group(made, 3));
    if (!extents || !types || !arrays) return {};
    auto old = elem(w, lam->var(), 0), other = elem(w, lam->var(), 1);
    DefVec parts{group(made, 0), group(made, 1), group(made, 2)};
    for (auto array : *arrays)
        if (array != old && array != other) parts.push_back(array);
    if (std::ranges::any_of(parts, [&](auto part) { return is_free_in(w, lam->var(), part); })) return {};

    using Input = std::function<const Def*(Defs index, const Def* old, const Def* other)>;
    auto shape  = map_defs(*extents, [&](auto extent) { return rewrite(extent); });
    std::vector<Input> inputs;
    for (size_t i = 0; i != arrays->size(); ++i) {
        auto array = (*arrays)[i], type = rewrite((*types)[i]);
        if (array == old) {
            inputs.push_back([](Defs, const Def* here, const Def*) { return here; });
        } else if (array == other) {
            inputs.push_back(
                [=, this](Defs index, const Def*, const Def* row) { return loops_.extract(row, shape, type, index); });
        } else {
            auto elements = this->elements(array, shape, type, reader);
            inputs.push_back([=](Defs index, const Def*, const Def*) { return elements.at(index); });
        }
    }
    auto element = [this, g = part(made, 1), inputs](Defs index, const Def* here, const Def* row) {
        return w.app(g, w.tuple(map_defs(inputs, [&](auto& input) { return input(index, here, row); })));
    };
    return Combine{shape, part(made, 0, is_zip ? 2 : 1), element};
}

/// `all`, of this shape, in which the array at `place` is combined with the other one.
static const Def* combined(Loops& loops, const Combine& combine, const Def* all, Defs shape, Defs place, const Def* other) {
    DefVec whole(shape.begin(), shape.end());
    whole.insert(whole.end(), combine.shape.begin(), combine.shape.end());
    return loops.reduce(combine.shape, all, [&](Defs rest, const Def* last) {
        DefVec index(place.begin(), place.end());
        index.insert(index.end(), rest.begin(), rest.end());
        auto here = loops.extract(last, whole, combine.type, index);
        return loops.insert(last, whole, index, combine.element(rest, here, other));
    });
}

const Def* Tensors::lower_fold(const Def* op, Wanted wanted) {
    chosen(op, wanted, {0}, {{true}});
    Reader reader{op, true};
    auto f = part(op, 1), n = part(op, 2);
    auto a     = elements(old(op, 3, 1), {n}, part(op, 0, 1), reader);
    auto array = combine_of(group(op, 1), {op, false});
    return loops_.reduce(a.shape, rewrite(old(op, 3, 0)), [&](Defs at, const Def* acc) {
        return array ? combined(loops_, *array, acc, {}, {}, a.at(at)) : w.app(f, {acc, a.at(at)});
    });
}

const Def* Tensors::lower_scatter(const Def* op, Wanted wanted) {
    chosen(op, wanted, {0}, {{true}});
    auto n = part(op, 2, 0), m = part(op, 2, 1), type = part(op, 0), c = part(op, 1);
    auto h   = elements(old(op, 3, 1), {m}, w.idx(n), {op, true});
    auto v   = elements(old(op, 3, 2), {m}, type, {op, true});
    auto row = combine_of(group(op, 1), {op, false});
    DefVec shape{n};
    return loops_.reduce(h.shape, rewrite(old(op, 3, 0)), [&](Defs at, const Def* acc) {
        DefVec place{h.at(at)};
        if (row) return combined(loops_, *row, acc, shape, place, v.at(at));
        auto value = w.app(c, {loops_.extract(acc, shape, type, place), v.at(at)});
        return loops_.insert(acc, shape, place, value);
    });
}

/// An index is converted in it: the index of a loop around may be another expression there.
static bool comes_from_index(const Def* number) {
    Worklist<const Def*> todo{number};
    while (auto def = todo.next()) {
        if (match<core::bitcast>(def)) return true;
        if (!def->isa<Var>() && !def->isa<Lam>()) todo.push_all(def->ops());
    }
    return false;
}

/// Lengths of arrays in it come from indices.
static bool is_ragged(const Def* root) {
    Worklist<const Def*> todo{root};
    while (auto def = todo.next()) {
        auto arr = def->isa<Arr>() ? def->as<Arr>() : def->type() ? def->type()->isa<Arr>() : nullptr;
        if (arr && comes_from_index(arr->arity())) return true;
        for (auto op : def->ops())
            if (op) todo.push(op);
    }
    return false;
}

/// A fold that counts from 0 is loops like those of operations: what its turns have in common is evaluated before them.
/// Null: evaluating all of what a turn makes is not the same as evaluating what is needed of it.
const Def* Tensors::lower_counted(const Lowered& old) {
    auto [type, range, f, start] = old.groups<4>();
    auto [first, end, by]        = elems<3>(w, range);
    auto turn                    = isa_known(f);
    bool counts                  = is_value(first, 0) && is_value(by, 1) && turn && is_data(type) && !is_ragged(type);
    if (!counts || is_ragged(turn->body()) || !loops_.is_total(turn->body())) return nullptr;
    auto step = [&](Defs index, const Def* acc) {
        auto arg = w.tuple({number(index[0]), acc});
        return inline_copy(turn, arg, old.app()->as<App>());
    };
    return loops_.reduce(DefVec{end}, start, step);
}

} // namespace mim::plug::tensor
