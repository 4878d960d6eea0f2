// SPDX-License-Identifier: MIT
// What the operations mean, for the evaluator: nested loops over all elements, straight from the declarations. Nothing here is shared with the
// normalizers or with the lowering, which are tested against it. An array is the Mim value that it is: a dimension of extent 1 is not there.
#include <algorithm>
#include <functional>
#include <string>

#include "eval/machine.h"
#include "tensor.h"

namespace mim::plug::tensor {

namespace {

using eval::Machine;
using eval::Value;
using Numbers = std::vector<uint64_t>;

/// The numbers of an array of `n`.
Numbers numbers(Machine& m, const Value& array, uint64_t n) {
    Numbers result;
    for (uint64_t i = 0; i != n; ++i) result.push_back(m.num(m.elem(array, i, n)));
    return result;
}

/// Calls f for each index below `shape`, in row-major order.
void for_each(const Numbers& shape, const std::function<void(const Numbers&)>& f) {
    Numbers index(shape.size(), 0);
    for (auto extent : shape)
        if (extent == 0) return;
    for (;;) {
        f(index);
        size_t j = shape.size();
        while (j != 0 && ++index[j - 1] == shape[j - 1]) index[--j] = 0;
        if (j == 0) return;
    }
}

Value element(Machine& m, Value array, const Numbers& shape, const Numbers& index) {
    for (size_t j = 0; j != index.size(); ++j) array = m.elem(array, index[j], shape[j]);
    return array;
}

Value index_value(Machine& m, const Numbers& index) {
    eval::Values values;
    for (auto i : index) values.push_back(Value::num(i));
    return m.tuple(values);
}

using Element = std::function<Value(const Numbers&)>;

Value rows(Machine& m, const Numbers& shape, Numbers& index, const Element& f) {
    if (index.size() == shape.size()) return f(index);
    eval::Values values;
    for (uint64_t i = 0; i != shape[index.size()]; ++i) {
        index.push_back(i);
        values.push_back(rows(m, shape, index, f));
        index.pop_back();
    }
    return m.tuple(values);
}

/// The array whose elements f is.
Value array(Machine& m, const Numbers& shape, const Element& f) {
    Numbers index;
    return rows(m, shape, index, f);
}

/// Behaviour is undefined where what the operation owes does not hold.
void demand(Machine& m, bool holds, const std::string& what, const Def* app) {
    if (!holds) m.undefined(what, app);
}

uint64_t count_of(const Numbers& shape) {
    uint64_t size = 1;
    for (auto extent : shape) size *= extent;
    return size;
}

/// Whether 64 bits are enough for it.
bool has_count(const Numbers& shape) {
    if (std::ranges::find(shape, 0u) != shape.end()) return true;
    uint64_t size = 1;
    return std::ranges::none_of(shape, [&](auto extent) { return __builtin_mul_overflow(size, extent, &size); });
}

/// Row-major.
uint64_t place_of(const Numbers& shape, const Numbers& index) {
    uint64_t place = 0;
    for (size_t j = 0; j != shape.size(); ++j) place = place * shape[j] + index[j];
    return place;
}
Numbers index_of(const Numbers& shape, uint64_t place) {
    Numbers index(shape.size());
    for (size_t j = shape.size(); j-- != 0; place /= shape[j]) index[j] = place % shape[j];
    return index;
}

/// An array with its shape.
struct Tensor {
    Numbers shape;
    Value value;
    Value at(Machine& m, const Numbers& index) const { return element(m, value, shape, index); }
};

/// The one argument of the last group, whose rank and shape are the first two elements of a group of implicits.
Tensor tensor(Machine& m, const Value& implicits, uint64_t num_implicits, const Value& value) {
    auto rank = m.num(m.elem(implicits, 0, num_implicits));
    return {numbers(m, m.elem(implicits, 1, num_implicits), rank), value};
}

/*
 * workhorses
 */

struct MapReduce {
    Machine& m;
    Numbers extents;              ///< of the iteration space
    std::vector<Numbers> of_each; ///< subscripts of each input
    eval::Values inputs;
    Value e, c;

    Value element_at(const Numbers& at) const {
        eval::Values args;
        for (size_t i = 0; i != inputs.size(); ++i) {
            auto value = inputs[i];
            for (auto d : of_each[i]) value = m.elem(value, at[d], extents[d]);
            args.push_back(value);
        }
        return m.call(e, m.tuple(args));
    }
};

} // namespace

namespace {

/// The output of a `map_reduce` whose functions say what its elements are. One that repeats a subscript is a diagonal.
Value reduced(MapReduce& space, const Numbers& outer, const Value& z, const Value& p, const Def* app) {
    auto& m       = space.m;
    auto num_dims = space.extents.size();
    std::vector<bool> is_outer(num_dims);
    Numbers shape, inner, inner_shape;
    for (auto d : outer) is_outer[d] = true, shape.push_back(space.extents[d]);
    for (uint64_t d = 0; d != num_dims; ++d)
        if (!is_outer[d]) inner.push_back(d), inner_shape.push_back(space.extents[d]);
    return array(m, shape, [&](const Numbers& index) {
        Numbers at(num_dims);
        for (size_t j = 0; j != outer.size(); ++j) at[outer[j]] = index[j];
        for (size_t j = 0; j != outer.size(); ++j)
            if (at[outer[j]] != index[j]) return m.call(p, z);
        if (inner.empty()) return m.call(p, space.element_at(at));
        auto acc = z;
        for_each(inner_shape, [&](const Numbers& rest) {
            for (size_t j = 0; j != inner.size(); ++j) at[inner[j]] = rest[j];
            acc = m.by_value(m.call(space.c, m.tuple({acc, space.element_at(at)})), app);
        });
        return m.call(p, acc);
    });
}

/// Adds a list of inputs.
void read_inputs(MapReduce& space, uint64_t n, const Value& ranks, const Value& subscripts, const Value& arrays) {
    auto& m = space.m;
    for (uint64_t i = 0; i != n; ++i) {
        space.of_each.push_back(numbers(m, m.elem(subscripts, i, n), m.num(m.elem(ranks, i, n))));
        space.inputs.push_back(m.elem(arrays, i, n));
    }
}

} // namespace

Value mean_map_reduce(Machine& m, const Def* app) {
    auto [k, n, num, it, ranks, types, from, to] = m.elems<8>(m.group(0));
    auto [out, in]                               = m.elems<2>(m.group(1));
    auto [e, c, z, p]                            = m.elems<4>(m.group(2));
    MapReduce space{m, numbers(m, it, m.num(k)), {}, {}, e, c};
    read_inputs(space, m.num(num), ranks, in, m.group(3));
    auto outer  = numbers(m, out, m.num(n));
    auto sorted = outer;
    std::ranges::sort(sorted);
    demand(m, std::ranges::adjacent_find(sorted) == sorted.end(), "an output subscript is repeated", app);
    return reduced(space, outer, z, p, app);
}

Value mean_map_reduce_both(Machine& m, const Def* app) {
    auto num_dims     = m.num(m.elem(m.group(0), 0, 11));
    auto num_outer    = m.num(m.elem(m.group(0), 1, 11));
    auto na           = m.num(m.elem(m.group(0), 2, 11));
    auto nb           = m.num(m.elem(m.group(0), 3, 11));
    auto ra           = m.elem(m.group(0), 5, 11);
    auto rb           = m.elem(m.group(0), 7, 11);
    auto [out, a, b]  = m.elems<3>(m.group(1));
    auto [e, c, z, p] = m.elems<4>(m.group(2));
    auto [as, bs]     = m.elems<2>(m.group(3));
    auto on_lists     = m.host_fn([e, na](Machine& m, Value all) {
        auto elems = m.force(all).tuple().elems;
        auto part  = [&](size_t from, size_t to) { return m.tuple({elems.begin() + long(from), elems.begin() + long(to)}); };
        return m.call(e, m.tuple({part(0, na), part(na, elems.size())}));
    });
    MapReduce space{m, numbers(m, m.elem(m.group(0), 4, 11), num_dims), {}, {}, on_lists, c};
    read_inputs(space, na, ra, a, as);
    read_inputs(space, nb, rb, b, bs);
    return reduced(space, numbers(m, out, num_outer), z, p, app);
}

Value mean_second(Machine& m, const Def* app) {
    auto& w   = m.world();
    auto type = m.types().reify(m.group(0), app);
    auto f    = w.mut_lam(w.pi(w.sigma({type, type}), w.bool_type()));
    auto test = w.apply<second>(type, m.types().reify(m.group(1), app), f->var());
    w.set(f, w.tt(), test);
    return m.call(m.eval(w.seal(f)), m.group(2));
}

Value mean_kind(Machine& m, const Def* app) {
    auto c = m.types().reify(m.group(1), app);
    return Value::num(value(m.world().call<kind>(c)).value_or(0));
}

Value mean_walk(Machine& m, const Def* app) {
    auto shape = numbers(m, m.group(1), m.num(m.group(0)));
    auto f     = m.group(3);
    auto acc   = m.group(4);
    for_each(shape, [&](const Numbers& index) { acc = m.by_value(m.call(f, m.tuple({index_value(m, index), acc})), app); });
    return acc;
}

Value mean_walk_rest(Machine& m, const Def* app) {
    auto [k, n]     = m.elems<2>(m.group(0));
    auto [it, o]    = m.elems<2>(m.group(1));
    auto [out, acc] = m.elems<2>(m.group(4));
    auto extents    = numbers(m, it, m.num(k));
    auto fixed      = numbers(m, o, m.num(n));
    auto at         = numbers(m, out, fixed.size());
    auto f          = m.group(3);
    for_each(extents, [&](const Numbers& index) {
        for (size_t j = 0; j != fixed.size(); ++j)
            if (index[fixed[j]] != at[j]) return;
        acc = m.by_value(m.call(f, m.tuple({index_value(m, index), acc})), app);
    });
    return acc;
}

Value mean_reduce(Machine& m, const Def* app) {
    auto [r, s, num, types] = m.elems<4>(m.group(0));
    auto f                  = m.group(1);
    auto [is, init, dims]   = m.elems<3>(m.group(2));
    auto rank = m.num(r), num_inputs = m.num(num);
    auto shape = numbers(m, s, rank), chosen = numbers(m, dims, rank);
    auto kept = shape, rest = shape;
    for (uint64_t j = 0; j != rank; ++j) (chosen[j] ? kept[j] : rest[j]) = 1;
    auto results = [&](const Numbers& index) {
        auto acc = init;
        for_each(rest, [&](const Numbers& inner) {
            eval::Values args;
            Numbers at = index;
            for (uint64_t j = 0; j != rank; ++j) at[j] += inner[j];
            for (uint64_t i = 0; i != num_inputs; ++i) args.push_back(element(m, m.elem(is, i, num_inputs), shape, at));
            acc = m.by_value(m.call(f, m.tuple({acc, m.tuple(args)})), app);
        });
        return acc;
    };
    std::vector<eval::Value> all;
    for_each(kept, [&](const Numbers& index) { all.push_back(results(index)); });
    eval::Values arrays;
    for (uint64_t i = 0; i != num_inputs; ++i)
        arrays.push_back(array(m, kept, [&](const Numbers& index) { return m.elem(all[place_of(kept, index)], i, num_inputs); }));
    return m.tuple(arrays);
}

/*
 * functions over elements
 */

Value mean_map(Machine& m, const Def*) {
    auto a = tensor(m, m.group(2), 2, m.group(3));
    auto f = m.group(1);
    return array(m, a.shape, [&](const Numbers& index) { return m.call(f, a.at(m, index)); });
}

Value mean_zip(Machine& m, const Def*) {
    auto num   = m.num(m.elem(m.group(0), 0, 3));
    auto f     = m.group(1);
    auto shape = tensor(m, m.group(2), 2, {}).shape;
    return array(m, shape, [&](const Numbers& index) {
        eval::Values args;
        for (uint64_t i = 0; i != num; ++i) args.push_back(element(m, m.elem(m.group(3), i, num), shape, index));
        return m.call(f, m.tuple(args));
    });
}

Value mean_fold(Machine& m, const Def* app) {
    auto f      = m.group(1);
    auto n      = m.num(m.group(2));
    auto [z, a] = m.elems<2>(m.group(3));
    auto acc    = z;
    for (uint64_t i = 0; i != n; ++i) acc = m.by_value(m.call(f, m.tuple({acc, m.elem(a, i, n)})), app);
    return acc;
}

Value mean_scan(Machine& m, const Def* app) {
    auto f      = m.group(1);
    auto n      = m.num(m.group(2));
    auto [z, a] = m.elems<2>(m.group(3));
    auto acc    = z;
    eval::Values steps;
    for (uint64_t i = 0; i != n; ++i) steps.push_back(acc = m.by_value(m.call(f, m.tuple({acc, m.elem(a, i, n)})), app));
    return m.tuple(steps);
}

Value mean_generate(Machine& m, const Def*) {
    auto shape = numbers(m, m.group(1), m.num(m.group(0)));
    auto h     = m.group(3);
    return array(m, shape, [&](const Numbers& index) { return m.call(h, index_value(m, index)); });
}

/*
 * elements
 */

Value mean_size(Machine& m, const Def*) { return Value::num(count_of(numbers(m, m.group(1), m.num(m.group(0))))); }

Value mean_get(Machine& m, const Def*) {
    auto [value, index] = m.elems<2>(m.group(1));
    auto a              = tensor(m, m.group(0), 3, value);
    return m.force(a.at(m, numbers(m, index, a.shape.size())));
}

Value mean_set(Machine& m, const Def*) {
    auto [value, index, element] = m.elems<3>(m.group(1));
    auto a                       = tensor(m, m.group(0), 3, value);
    auto at                      = numbers(m, index, a.shape.size());
    auto v                       = element;
    return array(m, a.shape, [&](const Numbers& i) { return i == at ? v : a.at(m, i); });
}

Value mean_index(Machine& m, const Def* app) {
    auto n = m.force(m.group(1));
    auto i = m.num(m.group(2));
    if (n.is(eval::Kind::Size64)) return Value::num(i); // any number is below it
    demand(m, i < m.num(n), "index " + std::to_string(i) + " is not below " + std::to_string(m.num(n)), app);
    return Value::num(i);
}

/*
 * other views
 */

Value mean_transpose(Machine& m, const Def* app) {
    auto rank = m.num(m.group(0));
    auto q    = numbers(m, m.group(1), rank);
    auto a    = Tensor{numbers(m, m.elem(m.group(2), 0), rank), m.group(3)};
    Numbers shape, seen(rank);
    for (auto d : q) {
        demand(m, seen[d]++ == 0, "no permutation", app);
        shape.push_back(a.shape[d]);
    }
    return array(m, shape, [&](const Numbers& index) {
        Numbers at(rank);
        for (uint64_t j = 0; j != rank; ++j) at[q[j]] = index[j];
        return a.at(m, at);
    });
}

Value mean_broadcast(Machine& m, const Def*) {
    auto [k, r] = m.nums<2>(m.group(0));
    auto [t, u] = m.elems<2>(m.group(1));
    auto shape = numbers(m, t, k), dims = numbers(m, u, r);
    Tensor a{{}, m.group(3)};
    for (auto d : dims) a.shape.push_back(shape[d]);
    return array(m, shape, [&](const Numbers& index) {
        Numbers at;
        for (auto d : dims) at.push_back(index[d]);
        return a.at(m, at);
    });
}

Value mean_reshape(Machine& m, const Def* app) {
    auto shape = numbers(m, m.group(1), m.num(m.group(0)));
    auto a     = tensor(m, m.group(2), 3, m.group(3));
    demand(m, has_count(shape), "the product of its extents leaves 64 bits", app);
    demand(m, count_of(shape) == count_of(a.shape),
           "an array of " + std::to_string(count_of(a.shape)) + " elements is none of " + std::to_string(count_of(shape)), app);
    return array(m, shape, [&](const Numbers& index) { return a.at(m, index_of(a.shape, place_of(shape, index))); });
}

Value mean_split(Machine& m, const Def*) {
    auto [n, k] = m.nums<2>(m.group(0));
    auto a      = m.group(2);
    return array(m, {n, k}, [&](const Numbers& index) { return m.elem(a, index[0] * k + index[1], n * k); });
}

Value mean_join(Machine& m, const Def*) {
    auto [n, k, type] = m.elems<3>(m.group(0));
    Tensor a{{m.num(n), m.num(k)}, m.group(1)};
    return array(m, {count_of(a.shape)}, [&](const Numbers& index) { return a.at(m, index_of(a.shape, index[0])); });
}

Value mean_slice(Machine& m, const Def* app) {
    auto rank           = m.num(m.group(0));
    auto [from, to, by] = m.elems<3>(m.group(1));
    auto lo = numbers(m, from, rank), shape = numbers(m, to, rank), step = numbers(m, by, rank);
    Tensor a{numbers(m, m.elem(m.group(2), 0), rank), m.group(3)};
    for (uint64_t j = 0; j != rank; ++j) {
        demand(m, step[j] != 0, "a step of 0", app);
        auto rest = a.shape[j] - std::min(lo[j], a.shape[j]);
        bool fits = shape[j] == 0 || (rest != 0 && shape[j] - 1 <= (rest - 1) / step[j]);
        demand(m, fits,
               std::to_string(shape[j]) + " elements from " + std::to_string(lo[j]) + " on, in steps of "
                   + std::to_string(step[j]) + ", are not in an array of " + std::to_string(a.shape[j]),
               app);
    }
    return array(m, shape, [&](Numbers index) {
        for (uint64_t j = 0; j != rank; ++j) index[j] = lo[j] + index[j] * step[j];
        return a.at(m, index);
    });
}

Value mean_reverse(Machine& m, const Def*) {
    auto n = m.num(m.elem(m.group(0), 0));
    auto a = m.group(1);
    return array(m, {n}, [&](const Numbers& index) { return m.elem(a, n - 1 - index[0], n); });
}

Value mean_window(Machine& m, const Def* app) {
    auto [t, k] = m.nums<2>(m.group(0));
    auto n      = m.num(m.elem(m.group(1), 0));
    auto a      = m.group(2);
    demand(m, t == 0 || k == 0 || (k <= n && t <= n + 1 - k),
           std::to_string(t) + " windows of " + std::to_string(k) + " need more than " + std::to_string(n) + " elements", app);
    return array(m, {t, k}, [&](const Numbers& index) { return m.elem(a, index[0] + index[1], n); });
}

Value mean_pad(Machine& m, const Def* app) {
    auto rank             = m.num(m.group(0));
    auto [before, behind] = m.elems<2>(m.group(1));
    auto lo = numbers(m, before, rank), hi = numbers(m, behind, rank);
    auto [value, filler] = m.elems<2>(m.group(3));
    Tensor a{numbers(m, m.elem(m.group(2), 0), rank), value};
    auto how   = pad(m.sub());
    auto shape = a.shape;
    for (uint64_t j = 0; j != rank; ++j) {
        bool has_extent = !__builtin_add_overflow(shape[j], lo[j], &shape[j])
                          && !__builtin_add_overflow(shape[j], hi[j], &shape[j]);
        demand(m, has_extent, "the sum of its extents leaves 64 bits", app);
        demand(m, how == pad::const_ || a.shape[j] != 0 || shape[j] == 0, "there is nothing to pad with", app);
    }
    auto fill = filler;
    return array(m, shape, [&](Numbers index) {
        for (uint64_t j = 0; j != rank; ++j) {
            auto n = a.shape[j], i = index[j];
            bool is_inside = i >= lo[j] && i - lo[j] < n;
            if (is_inside) index[j] = i - lo[j];
            else if (how == pad::const_) return fill;
            else if (how == pad::edge) index[j] = i < lo[j] ? 0 : n - 1;
            else index[j] = (i + n - lo[j] % n) % n;
        }
        return a.at(m, index);
    });
}

Value mean_concat(Machine& m, const Def*) {
    auto [first, second, type] = m.elems<3>(m.group(0));
    auto [a, b]                = m.elems<2>(m.group(1));
    auto n = m.num(first), k = m.num(second);
    auto front = a, back = b;
    return array(m, {n + k}, [&](const Numbers& index) {
        auto i = index[0];
        return i < n ? m.elem(front, i, n) : m.elem(back, i - n, k);
    });
}

Value mean_gather(Machine& m, const Def*) {
    auto [n, type, r, s] = m.elems<4>(m.group(0));
    auto [a, h]          = m.elems<2>(m.group(1));
    auto shape           = numbers(m, s, m.num(r));
    auto extent          = m.num(n);
    auto from = a, at = h;
    return array(m, shape, [&](const Numbers& index) { return m.elem(from, m.num(element(m, at, shape, index)), extent); });
}

Value mean_scatter(Machine& m, const Def* app) {
    auto c         = m.group(1);
    auto [n, k]    = m.nums<2>(m.group(2));
    auto [a, h, v] = m.elems<3>(m.group(3));
    eval::Values values;
    for (uint64_t i = 0; i != n; ++i) values.push_back(m.elem(a, i, n));
    for (uint64_t i = 0; i != k; ++i) {
        auto& at = values[m.num(m.elem(h, i, k))];
        at       = m.by_value(m.call(c, m.tuple({at, m.elem(v, i, k)})), app);
    }
    return m.tuple(values);
}

/*
 * memory
 */

namespace {

/// The elements behind the pointer. Only where nothing is normalized: else these are loads and stores of `mem`.
struct Elements {
    Machine& m;
    Value ptr, type;
    Numbers shape;
    const Def* app;

    Elements(Machine& machine, const Value& pointer, const Def* place)
        : m(machine)
        , ptr(m.force(pointer, place))
        , type(m.elem(m.group(0), 2, 3))
        , shape(tensor(m, m.group(0), 3, {}).shape)
        , app(place) {}

    Value address(const Numbers& index) const {
        auto size = count_of(shape);
        return m.memory().lea(ptr, Value::num(size), m.tuple(eval::Values(size, type)), place_of(shape, index), app);
    }
    Value load(const Numbers& index) const { return m.memory().load(address(index), type, app); }
    void store(const Numbers& index, const Value& v) const { m.memory().store(address(index), type, v, app); }
};

} // namespace

Value mean_load(Machine& m, const Def* app) {
    auto [token, ptr] = m.elems<2>(m.group(1));
    m.token(token);
    Elements elements(m, ptr, app);
    auto value = array(m, elements.shape, [&](const Numbers& index) { return elements.load(index); });
    return m.tuple({Value::token(), value});
}

Value mean_store(Machine& m, const Def* app) {
    auto [token, ptr, value] = m.elems<3>(m.group(1));
    m.token(token);
    Elements elements(m, ptr, app);
    auto a = value;
    for_each(elements.shape, [&](const Numbers& index) { elements.store(index, element(m, a, elements.shape, index)); });
    return Value::token();
}

Value mean_with(Machine& m, const Def*) { return m.force(m.group(2)); }

Value mean_owe(Machine& m, const Def* app) {
    auto [holds, list] = m.elems<2>(m.group(1));
    std::string text   = text_of(owe(m.sub()));
    for (auto n : numbers(m, list, m.num(m.elem(m.group(0), 0, 2))))
        if (auto place = text.find("{}"); place != text.npos) text.replace(place, 2, std::to_string(n));
    demand(m, m.flag(holds), text, app);
    return m.force(m.group(2));
}

Value mean_inside(Machine& m, const Def* app) {
    demand(m, m.flag(m.group(1)), "an index that is out of bounds", app);
    return m.force(m.group(2));
}

Value mean_total(Machine& m, const Def*) { return m.force(m.group(1)); }
Value mean_over(Machine& m, const Def*) { return m.force(m.group(3)); }

} // namespace mim::plug::tensor
