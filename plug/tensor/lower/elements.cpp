// SPDX-License-Identifier: MIT
// Where elements come from: a function of the index for each operation.
#include "base/worklist.h"
#include "core/annexes.h"
#include "ir/questions.h"
#include "kit/build.h"
#include "lower/tensors.h"
#include "normal.h"

namespace mim::plug::tensor {

DefVec Tensors::index_at(Defs shape, const Def* place, const Def* owed) {
    DefVec result(shape.size());
    for (size_t j = shape.size(); j-- != 0;) {
        bool is_first = j == 0;
        result[j]     = in_bounds(owed, is_first ? place : remainder(place, shape[j]), shape[j]);
        if (!is_first) place = quotient(place, shape[j]);
    }
    return result;
}

/*
 * reading
 */

Elements Tensors::values(const Def* array, DefVec shape, const Def* type) {
    auto at = [this, array, shape, type](Defs index) { return loops_.extract(array, shape, type, index); };
    return {shape, type, at};
}

bool has_one_user(const Snapshot& program, const Def* def) {
    auto users = program.users(def);
    if (users.size() != 1) return false;
    return !users[0]->isa<Tuple>() || has_one_user(program, users[0]);
}

bool is_deeper(World& w, const Def* inner, const Def* outer) {
    auto vars = free_vars(w, outer);
    for (auto var : free_vars(w, inner)) {
        if (std::ranges::find(vars, var) != vars.end()) continue;
        auto around    = free_vars(w, var->as<Var>()->binder());
        bool is_around = std::ranges::any_of(around, [&](auto v) { return std::ranges::find(vars, v) != vars.end(); });
        if (vars.empty() || is_around) return true;
    }
    return false;
}

/// The function computes, from its argument and what is there, no more than a load would take.
static bool is_as_cheap_as_a_load(World& w, const Lam* f) {
    Worklist<const Def*> todo{f->body()};
    for (size_t budget = 16; auto def = todo.next();) {
        if (def->isa<Lam>() || !is_free_in(w, f->var(), def)) continue;
        if (budget-- == 0) return false;
        auto axm = head_axiom(def);
        if (def->isa<App>() && (!axm || !axm->axiom().has(Axiom::Speculatable) || takes_long(axm->axiom()))) return false;
        todo.push_all(def->ops());
    }
    return true;
}

/// Its elements may be computed where they are read, also if that is more than once.
static bool is_cheap_everywhere(World& w, const Def* producer) {
    if (!match<tensor::map>(producer) && !match<zip>(producer) && !match<generate>(producer)) return false;
    auto f = isa_known(group(producer, match<generate>(producer) ? 3 : 1));
    if (!f || !is_as_cheap_as_a_load(w, f)) return false;
    if (match<generate>(producer)) return true;
    auto arg    = arg_of(producer);
    auto is_new = [](const Def* input) { return computes_elements(input) || is_access(input); };
    return !is_new(arg) && !(arg->isa<Tuple>() && std::ranges::any_of(arg->ops(), is_new)) && !arg->isa<Pack>();
}

/// Nobody else reads the producer's elements, and this operation does so not more often than they are made.
static bool is_only_reader(World& w, const Snapshot& program, const Def* op, const Def* producer) {
    return has_one_user(program, producer) && !is_deeper(w, op, producer);
}

bool Tensors::may_fuse(const Def* producer, Reader reader) {
    if (scheduled(producer)) return false;
    if (is_access(producer)) return true;
    bool is_there = Rewriter::known(producer) != nullptr;
    if (is_there || !computes_elements(producer) || !has_one_user(program(), producer)) return false;
    if (is_cheap_everywhere(w, producer)) return true;
    if (!reader.once || !is_only_reader(w, program(), reader.op, producer)) return false;
    if (!match<map_reduce>(producer)) return true;
    // Elements that are reduced side by side are an array. The operation is taken apart here as it is where it is made,
    // so that its inputs are made in one way. Its function may come back to it.
    bool is_new = made_by_rows_.emplace(producer, false).second;
    if (is_new) made_by_rows_[producer] = map_reduce_of(producer, {producer, true}).reduces_rows(w);
    return !made_by_rows_[producer];
}

/// The operand whose elements the operation has in other places; null: it is none, or may have others, too.
static const Def* viewed(const Def* op) {
    return match<transpose>(op) || match<slice>(op) || match<reverse>(op) || match<window>(op) ? arg_of(op) : nullptr;
}

/// Rows of an array that is there, or will be: they are not computed one by one.
static bool are_views(World& w, const Elements& rows) {
    auto index = some_index(w, rows.shape);
    auto row   = rows.at(index);
    while (auto check = match<owe>(row)) row = check.arg();
    while (auto extract = row->isa<Extract>()) row = extract->tuple();
    return std::ranges::none_of(index, [&](auto var) { return is_free_in(w, var, row); });
}

/// The element of a row, whose address is all that is computed of the row.
static const Def* element_of_row(Loops& loops, const Def* row, Defs shape, const Def* type, Defs index) {
    auto check = match<owe>(row);
    if (!check) return loops.extract(row, shape, type, index);
    auto element = element_of_row(loops, check.arg(), shape, type, index);
    return loops.w.call(owe(sub_of(row)), check.group(1), element);
}

Elements Tensors::elements(const Def* array, DefVec shape, const Def* type, Reader reader) {
    if (turn_ && turn_->array == array) return made_in_turn();
    if (rows_ && rows_->row == array) return elements_of_row(shape, type);
    if (auto views = views_of_rows(array, shape, type, reader)) return *views;
    if (may_fuse(array, reader)) {
        bool is_only = is_access(array) ? has_one_user(program(), array) : is_only_reader(w, program(), reader.op, array);
        reader.once  = reader.once && is_only;
        auto result  = source(array, reader);
        auto end     = std::ranges::mismatch(result.shape, shape);
        bool is_same = end.in1 == result.shape.end(); // else rows of one are read as columns of one
        if (is_same && end.in2 == shape.end()) return result;
        if (is_same && is_access(array) && are_views(w, result)) return elements_of_rows(result, shape, type);
    }
    return values(rewrite(array), std::move(shape), type);
}

Elements Tensors::elements_of_rows(Elements rows, const DefVec& shape, const Def* type) {
    auto num = rows.shape.size();
    auto at  = [=, this](Defs index) {
        return element_of_row(loops_, rows.at(index.first(num)), std::span(shape).subspan(num), type, index.subspan(num));
    };
    return {shape, type, at};
}

/// A `map` that takes each row for a view of it, such as all its windows, makes no rows.
std::optional<Elements> Tensors::views_of_rows(const Def* array, const DefVec& shape, const Def* type, Reader reader) {
    auto rows = match<tensor::map>(array);
    auto f    = rows ? isa_known(rows.group(1)) : nullptr;
    auto rank = rows ? value(elem(w, rows.group(2), 0)) : std::nullopt;
    auto from = f ? viewed(f->body()) : nullptr;
    if (!from || !rank || *rank >= shape.size() || from != f->var() || scheduled(array)) return {};
    DefVec parts;
    for (auto part = callee_of(f->body()); part->isa<App>(); part = callee_of(part)) parts.push_back(arg_of(part));
    if (std::ranges::any_of(parts, [&](auto part) { return is_free_in(w, f->var(), part); })) return {};

    reader.once     = false;
    auto outer_rows = std::exchange(rows_, std::make_shared<Rows>());
    auto all        = rows_;
    *all            = {f->var(), array, DefVec(shape.begin(), shape.begin() + ptrdiff_t(*rank)), reader, {}};
    auto view       = source(f->body(), reader);
    rows_           = outer_rows;
    if (view.shape.size() + *rank != shape.size() || view.type != type) return {};
    auto at = [=, num = *rank](Defs index) {
        all->index.assign(index.begin(), index.begin() + ptrdiff_t(num));
        return view.at(index.subspan(num));
    };
    return Elements{shape, type, at};
}

/// Of the row that the function of a `map` gets.
Elements Tensors::elements_of_row(const DefVec& shape, const Def* type) {
    auto all   = rows_;
    auto whole = all->around;
    whole.insert(whole.end(), shape.begin(), shape.end());
    auto from = elements(arg_of(all->op), whole, type, all->reader);
    auto at   = [=](Defs index) {
        auto place = all->index;
        place.insert(place.end(), index.begin(), index.end());
        return from.at(place);
    };
    return {shape, type, at};
}

/*
 * operations
 */

bool is_access(const Def* op) {
    return match<transpose>(op) || match<broadcast>(op) || match<reshape>(op) || match<split>(op) || match<join>(op)
           || match<slice>(op) || match<reverse>(op) || match<window>(op) || match<gather>(op) || match<pad>(op)
           || match<concat>(op);
}

bool computes_elements(const Def* op) {
    return match<tensor::map>(op) || match<zip>(op) || match<generate>(op) || match<map_reduce>(op);
}

Elements Tensors::source(const Def* op, Reader reader) {
    if (match<tensor::map>(op)) return of_map(op, reader);
    if (match<zip>(op)) return of_zip(op, reader);
    if (match<generate>(op)) return of_generate(op);
    if (match<map_reduce>(op)) return of_map_reduce(op, reader);
    if (match<transpose>(op)) return of_transpose(op, reader);
    if (match<broadcast>(op)) return of_broadcast(op, reader);
    if (match<reshape>(op)) return of_reshape(op, reader);
    if (match<split>(op)) return of_split(op, reader);
    if (match<join>(op)) return of_join(op, reader);
    if (match<slice>(op)) return of_slice(op, reader);
    if (match<reverse>(op)) return of_reverse(op, reader);
    if (match<window>(op)) return of_window(op, reader);
    if (match<pad>(op)) return of_pad(op, reader);
    if (match<concat>(op)) return of_concat(op, reader);
    return of_gather(op, reader);
}

Elements Tensors::of_map(const Def* op, Reader reader) {
    auto shape = list(op, part(op, 2, 0), part(op, 2, 1));
    auto a     = elements(group(op, 3), shape, part(op, 0, 0), reader);
    auto f     = part(op, 1);
    return {shape, part(op, 0, 1), [this, f, a](Defs at) { return w.app(f, a.at(at)); }};
}

/// If several inputs are one array, its element is computed once: a chain of such operations takes linear time.
static DefVec elements_at(const std::vector<Elements>& inputs, Defs index) {
    DefVec result;
    for (auto& input : inputs) {
        auto same = size_t(std::ranges::find(inputs, input.source, &Elements::source) - inputs.begin());
        result.push_back(same < result.size() ? result[same] : input.at(index));
    }
    return result;
}

Elements Tensors::of_zip(const Def* op, Reader reader) {
    auto shape  = list(op, part(op, 2, 0), part(op, 2, 1));
    auto types  = list(op, part(op, 0, 0), part(op, 0, 1));
    auto f      = part(op, 1);
    auto arrays = def_vec(types.size(), [&](auto i) { return types.size() == 1 ? group(op, 3) : old(op, 3, i); });
    std::vector<Elements> inputs;
    for (size_t i = 0; i != arrays.size(); ++i) {
        auto same = size_t(std::ranges::find(arrays, arrays[i]) - arrays.begin());
        inputs.push_back(same < i ? inputs[same] : elements(arrays[i], shape, types[i], reader));
    }
    auto at = [this, f, inputs](Defs index) { return w.app(f, w.tuple(elements_at(inputs, index))); };
    return {shape, part(op, 0, 2), at};
}

Elements Tensors::of_generate(const Def* op) {
    auto shape = list(op, part(op, 0), part(op, 1));
    auto h     = part(op, 3);
    return {shape, part(op, 2), [this, h](Defs at) { return w.app(h, w.tuple(at)); }};
}

Elements Tensors::of_transpose(const Def* op, Reader reader) {
    auto r     = part(op, 0);
    auto from  = list(op, r, part(op, 2, 0));
    auto q     = numbers(op, r, part(op, 1));
    auto type  = part(op, 2, 1);
    auto a     = elements(group(op, 3), from, type, reader);
    auto shape = map_defs(q, [&](auto d) { return from[d]; });
    auto at    = [a, q](Defs index) {
        DefVec result(q.size());
        for (size_t j = 0; j != q.size(); ++j) result[q[j]] = index[j];
        return a.at(result);
    };
    return {shape, type, at};
}

Elements Tensors::of_broadcast(const Def* op, Reader reader) {
    auto shape = list(op, part(op, 0, 0), part(op, 1, 0));
    auto dims  = numbers(op, part(op, 0, 1), part(op, 1, 1));
    auto type  = part(op, 2);
    reader.once &= dims.size() == shape.size();
    auto a  = elements(group(op, 3), map_defs(dims, [&](auto d) { return shape[d]; }), type, reader);
    auto at = [a, dims](Defs index) { return a.at(map_defs(dims, [&](auto d) { return index[d]; })); };
    return {shape, type, at};
}

/// The element, which may depend on no index. What is owed is asked again, which costs nothing.
static const Def* after(World& w, const Def* owed, const Def* element) {
    auto check = match<owe>(owed);
    return check ? w.call(owe(sub_of(owed)), {owed, elem(w, check.group(1), 1)}, element) : element;
}

Elements Tensors::of_reshape(const Def* op, Reader reader) {
    auto shape = list(op, part(op, 0), part(op, 1));
    auto from  = list(op, part(op, 2, 0), part(op, 2, 1));
    auto type  = part(op, 2, 2);
    auto a     = elements(group(op, 3), from, type, reader);
    auto same  = w.call(core::ncmp::e,
                        {size(shape), size(from)}); // the array is there, so its own size is none of more than 64 bits
    if (!isa_lit(same)) same = both(owed(owe::shape, op, has_size(shape), DefVec{size(from)}), same);
    auto fits = owed(owe::reshape, op, same, DefVec{size(from), size(shape)});
    auto at   = [=, this](Defs index) { return after(w, fits, a.at(index_at(from, row_major(shape, index), fits))); };
    return {shape, type, at};
}

Elements Tensors::of_split(const Def* op, Reader reader) {
    auto n = part(op, 0, 0), m = part(op, 0, 1), type = part(op, 1);
    auto a  = elements(group(op, 2), {product(n, m)}, type, reader);
    auto at = [=, this](Defs i) {
        DefVec shape{n, m};
        DefVec index{in_bounds(w.tt(), row_major(shape, i), product(n, m))};
        return a.at(index);
    };
    return {{n, m}, type, at};
}

Elements Tensors::of_join(const Def* op, Reader reader) {
    auto [n, m, type] = elems<3>(w, part(op, 0));
    DefVec from{n, m};
    auto a  = elements(group(op, 1), from, type, reader);
    auto at = [=, this](Defs index) { return a.at(index_at(from, number(index[0]), w.tt())); };
    return {{product(n, m)}, type, at};
}

Elements Tensors::of_slice(const Def* op, Reader reader) {
    auto r  = part(op, 0);
    auto lo = list(op, r, part(op, 1, 0)), shape = list(op, r, part(op, 1, 1)), by = list(op, r, part(op, 1, 2));
    auto from = list(op, r, part(op, 2, 0));
    auto type = part(op, 2, 1);
    auto a    = elements(group(op, 3), from, type, reader);
    DefVec fits;
    for (size_t j = 0; j != shape.size(); ++j) {
        DefVec numbers{shape[j], lo[j], by[j], from[j]};
        fits.push_back(owed(owe::slice, op, is_slice(lo[j], shape[j], by[j], from[j]), numbers));
    }
    auto at = [=, this](Defs index) {
        DefVec result;
        for (size_t j = 0; j != index.size(); ++j) {
            auto i = sum(lo[j], product(number(index[j]), by[j]));
            result.push_back(in_bounds(fits[j], i, from[j]));
        }
        auto element = a.at(result);
        for (auto fit : fits) element = after(w, fit, element);
        return element;
    };
    return {shape, type, at};
}

Elements Tensors::of_reverse(const Def* op, Reader reader) {
    auto n = part(op, 0, 0), type = part(op, 0, 1);
    auto a  = elements(group(op, 1), {n}, type, reader);
    auto at = [=, this](Defs i) {
        auto last = difference(n, w.lit_nat(1));
        DefVec index{in_bounds(w.tt(), difference(last, number(i[0])), n)};
        return a.at(index);
    };
    return {{n}, type, at};
}

Elements Tensors::of_window(const Def* op, Reader reader) {
    auto t = part(op, 0, 0), k = part(op, 0, 1), n = part(op, 1, 0), type = part(op, 1, 1);
    reader.once = false;
    auto a      = elements(group(op, 2), {n}, type, reader);
    auto zero   = w.lit_nat(0);
    auto most   = sum(n, w.lit_nat(1)); // t + k may leave 64 bits
    auto is_all = is_at_most(sum(t, k), most) ? w.tt() : w.call(core::ncmp::le, {t, difference(most, k)});
    auto unread = w.select(w.call(core::ncmp::e, {t, zero}), w.tt(), w.call(core::ncmp::e, {k, zero}));
    auto fits   = owed(owe::window, op, w.select(unread, w.tt(), is_all), DefVec{t, k, n});
    auto at     = [=, this](Defs i) {
        DefVec index{in_bounds(fits, sum(number(i[0]), number(i[1])), n)};
        return after(w, fits, a.at(index));
    };
    return {{t, k}, type, at};
}

Elements Tensors::of_pad(const Def* op, Reader reader) {
    auto r  = part(op, 0);
    auto lo = list(op, r, part(op, 1, 0)), hi = list(op, r, part(op, 1, 1)), from = list(op, r, part(op, 2, 0));
    auto type = part(op, 2, 1);
    auto how  = pad(sub_of(op));
    reader.once &= how == pad::const_;
    auto a    = elements(old(op, 3, 0), from, type, reader);
    auto fill = rewrite(old(op, 3, 1));
    DefVec shape, fits;
    for (size_t j = 0; j != from.size(); ++j) {
        shape.push_back(sum(sum(lo[j], from[j]), hi[j]));
        auto added   = sum(lo[j], hi[j]);
        auto is_same = w.call(core::ncmp::e, {added, w.lit_nat(0)});
        auto has_any = w.call(core::ncmp::ne, {from[j], w.lit_nat(0)});
        auto holds   = how == pad::const_ ? w.tt() : w.select(is_same, w.tt(), has_any);
        if (how != pad::const_ && !isa_lit(added)) { // else it reads what is there, or the array is too large to be there
            auto has_extent = both(has_sum(lo[j], hi[j]), has_sum(added, from[j]));
            holds           = both(owed(owe::extent, op, has_extent, DefVec{from[j], lo[j], hi[j]}), holds);
        }
        bool is_asked = bool(match<owe>(holds));
        fits.push_back(is_asked ? holds : owed(owe::pad, op, holds, DefVec{lo[j], hi[j]}));
    }
    auto at = [=, this](Defs index) -> const Def* {
        DefVec result;
        const Def* is_inside = w.tt();
        for (size_t j = 0; j != index.size(); ++j) {
            auto i = number(index[j]), n = from[j];
            auto behind = difference(i, lo[j]); // 0 before it
            if (how == pad::const_) {
                auto is_here = w.select(is_less(i, lo[j]), w.ff(), is_less(behind, n));
                is_inside    = w.select(is_inside, is_here, w.ff());
            } else if (how == pad::edge) {
                behind = w.select(is_less(behind, n), behind, difference(n, w.lit_nat(1)));
            } else {
                behind = remainder(sum(i, difference(n, remainder(lo[j], n))), n);
            }
            result.push_back(in_bounds(fits[j], behind, n));
        }
        auto element = a.at(result);
        for (auto fit : fits) element = after(w, fit, element);
        return w.select(is_inside, element, fill);
    };
    return {shape, type, at};
}

Elements Tensors::of_concat(const Def* op, Reader reader) {
    auto [n, m, type] = elems<3>(w, part(op, 0));
    auto a = elements(old(op, 1, 0), {n}, type, reader), b = elements(old(op, 1, 1), {m}, type, reader);
    auto first = n, second = m;
    auto at = [=, this](Defs index) {
        auto i = number(index[0]);
        DefVec front{in_bounds(w.tt(), i, first)}, back{in_bounds(w.tt(), difference(i, first), second)};
        return w.select(is_less(i, first), a.at(front), b.at(back));
    };
    return {{sum(n, m)}, type, at};
}

Elements Tensors::of_gather(const Def* op, Reader reader) {
    auto [n, type, r, s] = elems<4>(w, part(op, 0));
    auto shape           = list(op, r, s);
    auto h               = elements(old(op, 1, 1), shape, w.idx(n), reader);
    reader.once          = false;
    auto a               = elements(old(op, 1, 0), {n}, type, reader);
    auto at              = [a, h](Defs index) {
        DefVec place{h.at(index)};
        return a.at(place);
    };
    return {shape, type, at};
}

} // namespace mim::plug::tensor
