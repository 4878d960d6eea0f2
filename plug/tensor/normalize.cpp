// SPDX-License-Identifier: MIT
// What is known of an operation when it is built. A normalizer looks at its operation and at the operations that make its operands, never further, and
// never makes work of one array the work of several.
#include <algorithm>

#include "core/annexes.h"
#include "ir/rewrite.h"
#include "kit/build.h"
#include "math/annexes.h"
#include "mem/annexes.h"
#include "normal.h"
#include "tensor/diagnostics.h"

namespace mim::plug::tensor {

std::optional<DefVec> elements_of(World& w, const Def* length, const Def* array) {
    auto n = value(length);
    if (!n || *n > max_rank) return {};
    return def_vec(*n, [&](auto i) { return *n == 1 ? array : w.extract(array, i); });
}

std::optional<Numbers> numbers_of(World& w, const Def* length, const Def* array) {
    auto defs = elements_of(w, length, array);
    Numbers result;
    for (size_t i = 0; defs && i != defs->size(); ++i) {
        auto number = value((*defs)[i]);
        if (!number) return {};
        result.push_back(*number);
    }
    return defs ? std::optional(result) : std::nullopt;
}

const Def* subscripts(World& w, const Numbers& dims, uint64_t rank) {
    return w.tuple(map_defs(dims, [&](auto d) { return w.lit_idx(rank, d); }));
}

bool is_identity(const Numbers& dims) {
    for (size_t j = 0; j != dims.size(); ++j)
        if (dims[j] != j) return false;
    return true;
}

std::optional<uint64_t> num_elements(Defs extents) {
    if (std::ranges::any_of(extents, [](auto n) { return is_value(n, 0); })) return 0;
    uint64_t result = 1;
    for (auto extent : extents) {
        auto n = value(extent);
        if (!n || __builtin_mul_overflow(result, *n, &result)) return {};
    }
    return result;
}

bool has_too_many(Defs extents) {
    return std::ranges::all_of(extents, [](auto n) { return value(n).has_value(); }) && !num_elements(extents);
}

Error too_many(const Axm* axm, Defs extents) {
    std::string shape;
    for (auto extent : extents) shape += (shape.empty() ? "(" : ", ") + std::to_string(*value(extent));
    return diag::too_many(axm->axiom().name.str(), shape + ")");
}

namespace {

bool is_permutation(Numbers dims) {
    std::ranges::sort(dims);
    return is_identity(dims);
}

/// The function returns its argument.
bool returns_argument(const Def* f) {
    auto lam = isa_known(f);
    return lam && lam->body() == lam->var();
}

bool all_are(const DefVec& defs, uint64_t number) {
    return std::ranges::all_of(defs, [&](auto def) { return is_value(def, number); });
}

[[noreturn]] void broken(const Redex& redex, std::string what) {
    throw Error(diag::broken(head_axiom(redex.callee)->axiom().name.str(), std::move(what)));
}

std::string text(uint64_t n) { return std::to_string(n); }

/// An error if all of these extents are literals, and 64 bits are too few for the number of elements.
void check_size(const Redex& redex, Defs extents) {
    if (has_too_many(extents)) throw too_many(head_axiom(redex.callee), extents);
}

} // namespace

namespace {

/// A number and what is added to it, which is null where nothing is.
struct Terms {
    uint64_t number;
    const Def* rest;
};

Terms terms_of(World& w, const Def* def) {
    if (auto known = value(def)) return {*known, nullptr};
    auto sum   = match(core::nat::add, def);
    auto known = sum ? value(elem(w, sum.arg(), 0)) : std::nullopt;
    return known ? Terms{*known, elem(w, sum.arg(), 1)} : Terms{0, def};
}

/// Whether `a > b` follows from the form, whatever the names in it stand for.
bool is_more(World& w, const Def* a, const Def* b) {
    auto [more, base] = terms_of(w, a);
    auto [most, same] = terms_of(w, b);
    return more > most && (!same || base == same);
}

/// Whether it is no 0, by form.
bool is_some(World& w, const Def* n) { return terms_of(w, n).number != 0; }

[[noreturn]] void misses(const Redex& redex, std::string how_many, const Def* needed, const Def* got) {
    throw Error(diag::wrong_number(head_axiom(redex.callee)->axiom().name.str(), std::move(how_many), needed, got));
}

/// An error if it gets fewer elements than it needs, by form.
void check_needed(const Redex& redex, const Def* needed, const Def* got) {
    if (is_more(redex.w, needed, got)) misses(redex, "at least", needed, got);
}

const Def* product_of(World& w, Defs extents) {
    const Def* result = w.lit_nat(1);
    for (auto n : extents) result = w.call(core::nat::mul, {result, n});
    return result;
}

} // namespace

/// %tensor.size s ▷ s#0 · … · s#(r-1)
/// An error if that leaves 64 bits.
const Def* normalize_size(const Redex& redex) {
    auto& w     = redex.w;
    auto extent = elements_of(w, redex.group(0), redex.arg);
    if (!extent) return nullptr;
    check_size(redex, *extent);
    if (auto known = num_elements(*extent)) return w.lit_nat(*known);
    return product_of(w, *extent);
}

/// %tensor.index n i:
///   ▷ i        if n is the size of what i is an index of
///   ▷ i_n      of a literal that is below n; an error of one that is not
const Def* normalize_index(const Redex& redex) {
    auto& w = redex.w;
    auto m = redex.group(0), n = redex.group(1);
    if (m == n) return redex.arg;
    auto i = value(redex.arg), size = value(n);
    if (!i || !size) return nullptr;
    bool has_all = n == w.lit_2_64(); // which n says by 0
    if (!has_all && *i >= *size) broken(redex, "index " + text(*i) + " is not below " + text(*size));
    return w.lit(redex.type, *i);
}

/*
 * functions over elements
 */

/// %tensor.map f a:
///   ▷ a                           if f returns its argument
///   ▷ %tensor.map_reduce …        if f is one over rows that it gets
const Def* normalize_map(const Redex& redex) {
    auto& w = redex.w;
    if (returns_argument(redex.group(1))) return redex.arg;
    auto [r, s] = elems<2>(w, redex.group(2));
    auto around = elements_of(w, r, s);
    auto f      = isa_known(redex.group(1));
    return around && f ? merge_nest(w, *around, f, redex.arg) : nullptr;
}

/// Some of the operations on floating-point numbers: roots, exponentials, quotients.
bool takes_long(const Axiom& axiom) {
    if (!is_of_plugin<math::arith>(axiom)) return false;
    if (is_tag<math::arith>(axiom))
        return math::arith(axiom.id.sub) == math::arith::div || math::arith(axiom.id.sub) == math::arith::rem;
    return !is_tag<math::minus>(axiom) && !is_tag<math::abs>(axiom) && !is_tag<math::extrema>(axiom) && !is_tag<math::cmp>(axiom)
           && !is_tag<math::conv>(axiom);
}

bool is_cheap(const Def* def, size_t& budget) {
    if (!def->type() || is_type(def) || def->isa<Var>() || def->isa<Lit>() || def->isa<Lam>() || def->isa<Axm>()) return true;
    if (budget-- == 0) return false;
    if (auto app = def->isa<App>()) {
        auto axm     = head_axiom(app);
        bool is_load = axm && is_tag<get>(axm->axiom());
        if (!is_load && (!axm || !axm->axiom().has(Axiom::Speculatable) || takes_long(axm->axiom()))) return false;
    }
    return std::ranges::all_of(def->ops(), [&](auto op) { return !op || is_cheap(op, budget); });
}

/// f applied to the argument, if that is as cheap as a load.
static const Def* cheap_call(World& w, const Def* f, const Def* arg) {
    auto lam      = isa_known(f);
    size_t budget = 8;
    if (!lam || !is_cheap(lam->body(), budget)) return nullptr;
    return w.beta(f, arg);
}

/// %tensor.get (a, i), where a is:
///   %tensor.set (b, i, v)        ▷ v
///   %tensor.set (b, j, v)        ▷ %tensor.get (b, i)     for other literals j
///   %tensor.generate s h         ▷ h i                     if that is as cheap as a load
///   %tensor.map f b              ▷ f (%tensor.get (b, i))  likewise
/// and of rank 0: a
const Def* normalize_get(const Redex& redex) {
    auto& w              = redex.w;
    auto [a, i]          = redex.elems<2>();
    auto [rank, s, type] = elems<3>(w, redex.group(0));
    if (is_value(rank, 0)) return a;
    auto again = [&](const Def* array) { return w.app(redex.callee, {array, i}); };
    if (auto old = match<set>(a); old && old.group(0) == redex.group(0)) {
        auto j = elem(w, old.arg(), 1);
        if (i == j) return elem(w, old.arg(), 2);
        auto here = numbers_of(w, rank, i), there = numbers_of(w, rank, j);
        return here && there && *here != *there ? again(elem(w, old.arg(), 0)) : nullptr;
    }
    if (auto made = match<generate>(a)) {
        bool is_same = made.group(0) == rank && made.group(1) == s;
        return is_same ? cheap_call(w, made.group(3), i) : nullptr;
    }
    if (auto made = match<tensor::map>(a)) {
        auto [from, to] = elems<2>(w, made.group(0));
        if (made.group(2) != w.tuple({rank, s})) return nullptr;
        auto x = w.apply<get>(w.tuple({rank, s, from}), {made.arg(), i});
        return cheap_call(w, made.group(1), x);
    }
    return nullptr;
}

/// %tensor.set (%tensor.set (a, i, v), i, x) ▷ %tensor.set (a, i, x); of rank 0: x
const Def* normalize_set(const Redex& redex) {
    auto& w        = redex.w;
    auto [a, i, x] = redex.elems<3>();
    if (is_value(elem(w, redex.group(0), 0), 0)) return x;
    auto old     = match<set>(a);
    bool is_same = old && old.group(0) == redex.group(0) && elem(w, old.arg(), 1) == i;
    return is_same ? w.app(redex.callee, {elem(w, old.arg(), 0), i, x}) : nullptr;
}

/*
 * other views
 */

/// %tensor.transpose q a:
///   ▷ a                           if q changes nothing
///   ▷ %tensor.transpose p b       if a is %tensor.transpose q' b
/// An error if q is no permutation.
const Def* normalize_transpose(const Redex& redex) {
    auto& w   = redex.w;
    auto rank = redex.group(0);
    auto q    = numbers_of(w, rank, redex.group(1));
    if (!q) return nullptr;
    if (!is_permutation(*q)) broken(redex, "its dimensions are no permutation");
    if (is_identity(*q)) return redex.arg;
    auto inner = match<transpose>(redex.arg);
    auto first = inner && inner.group(0) == rank ? numbers_of(w, rank, inner.group(1)) : std::nullopt;
    if (!first) return nullptr;
    Numbers both(q->size());
    for (size_t j = 0; j != q->size(); ++j) both[j] = (*first)[(*q)[j]];
    return w.apply<transpose>(rank, subscripts(w, both, q->size()), inner.group(2), inner.arg());
}

/// %tensor.broadcast (t, u) a ▷ a if u changes nothing
const Def* normalize_broadcast(const Redex& redex) {
    auto& w     = redex.w;
    auto [k, r] = elems<2>(w, redex.group(0));
    auto u      = numbers_of(w, r, elem(w, redex.group(1), 1));
    return u && is_value(k, u->size()) && is_identity(*u) ? redex.arg : nullptr;
}

/// %tensor.reshape t a:
///   ▷ a                           if that is its shape
///   ▷ %tensor.reshape t b         if a is %tensor.reshape s b
/// An error if it has another number of elements, or too many of them.
const Def* normalize_reshape(const Redex& redex) {
    auto& w = redex.w;
    auto k = redex.group(0), t = redex.group(1);
    auto [r, s, type] = elems<3>(w, redex.group(2));
    if (k == r && t == s) return redex.arg;
    auto new_shape = elements_of(w, k, t), old_shape = elements_of(w, r, s);
    if (new_shape) check_size(redex, *new_shape);
    if (old_shape) check_size(redex, *old_shape);
    auto to   = new_shape ? num_elements(*new_shape) : std::nullopt;
    auto from = old_shape ? num_elements(*old_shape) : std::nullopt;
    if (to && from && *to != *from) broken(redex, "an array of " + text(*from) + " elements is none of " + text(*to));
    if (new_shape && old_shape && !(to && from)) {
        auto needed = product_of(w, *new_shape), got = product_of(w, *old_shape);
        if (is_more(w, needed, got) || is_more(w, got, needed)) misses(redex, "exactly", needed, got);
    }
    auto inner = match<reshape>(redex.arg);
    if (!inner || !to || !from || inner.group(0) != r || inner.group(1) != s) return nullptr;
    return w.apply<reshape>(k, t, inner.group(2), inner.arg());
}

/// %tensor.split (n, m) (%tensor.join @(n, m, T) a) ▷ a
/// An error if there are too many elements.
const Def* normalize_split(const Redex& redex) {
    auto& w = redex.w;
    check_size(redex, DefVec{w.extract(redex.group(0), 0), w.extract(redex.group(0), 1)});
    auto inner = match<join>(redex.arg);
    auto same  = inner ? w.tuple({w.extract(redex.group(0), 0), w.extract(redex.group(0), 1), redex.group(1)}) : nullptr;
    return inner && inner.group(0) == same ? inner.arg() : nullptr;
}

/// %tensor.join (%tensor.split (n, m) a) ▷ a
/// An error if there are too many elements.
const Def* normalize_join(const Redex& redex) {
    auto& w           = redex.w;
    auto [n, m, type] = elems<3>(w, redex.group(0));
    check_size(redex, DefVec{n, m});
    auto inner = match<split>(redex.arg);
    return inner && inner.group(0) == w.tuple({n, m}) && inner.group(1) == type ? inner.arg() : nullptr;
}

static void check_slice(const Redex& redex, const Def* lo, const Def* n, const Def* by, const Def* extent) {
    if (is_value(by, 0)) broken(redex, "its step is 0");
    auto first = value(lo), count = value(n), step = value(by), size = value(extent);
    if (!is_some(redex.w, n)) return;
    bool is_dense = is_value(by, 1);
    if (is_dense && (!first || !count || !size)) check_needed(redex, redex.w.call(core::nat::add, {lo, n}), extent);
    if (!first || !count || !step || !size) return;
    auto last = (unsigned __int128)*first + (unsigned __int128)(*count - 1) * *step;
    if (last >= *size) broken(redex, "element " + text(uint64_t(last)) + " of " + text(*size));
}

/// %tensor.slice (0, s, 1) a ▷ a, and an error if it reads behind the end.
const Def* normalize_slice(const Redex& redex) {
    auto& w          = redex.w;
    auto r           = redex.group(0);
    auto [lo, t, by] = elems<3>(w, redex.group(1));
    auto s           = elem(w, redex.group(2), 0);
    auto from = elements_of(w, r, lo), to = elements_of(w, r, t), step = elements_of(w, r, by), extent = elements_of(w, r, s);
    if (!from || !to || !step || !extent) return nullptr;
    for (size_t j = 0; j != to->size(); ++j) check_slice(redex, (*from)[j], (*to)[j], (*step)[j], (*extent)[j]);
    return t == s && all_are(*from, 0) && all_are(*step, 1) ? redex.arg : nullptr;
}

/// %tensor.reverse (%tensor.reverse a) ▷ a
const Def* normalize_reverse(const Redex& redex) {
    auto inner = match<reverse>(redex.arg);
    return inner && inner.group(0) == redex.group(0) ? inner.arg() : nullptr;
}

/// An error if the last window ends behind the end.
const Def* normalize_window(const Redex& redex) {
    auto& w      = redex.w;
    auto [t, k]  = elems<2>(w, redex.group(0));
    auto n       = w.extract(redex.group(1), 0);
    auto windows = value(t), size = value(k), extent = value(n);
    if (!is_some(w, t) || !is_some(w, k)) return nullptr;
    if (!windows || !size || !extent) {
        auto all = w.call(core::nat::sub, {w.call(core::nat::add, {t, k}), w.lit_nat(1)});
        check_needed(redex, all, n);
        return nullptr;
    }
    if ((unsigned __int128)*windows + *size > (unsigned __int128)*extent + 1)
        broken(redex, text(*windows) + " windows of " + text(*size) + " need more than " + text(*extent) + " elements");
    return nullptr;
}

/// An error if all of these are literals, and their sum leaves 64 bits: the extent of a result along one dimension.
static void check_extent(const Redex& redex, const DefVec& parts) {
    unsigned __int128 total = 0;
    for (auto part : parts) {
        auto n = value(part);
        if (!n) return;
        total += *n;
    }
    if (uint64_t(total) == total) return;
    std::string sum;
    for (auto part : parts) sum += (sum.empty() ? "" : " + ") + text(*value(part));
    throw Error(diag::too_many(head_axiom(redex.callee)->axiom().name.str(), sum));
}

/// An error if there are too many elements in an array of this shape whose elements may be arrays, too.
static void check_result(const Redex& redex, DefVec shape, const Def* type) {
    for (auto arr = type->isa<Arr>(); arr; arr = arr->body()->isa<Arr>()) shape.push_back(arr->arity());
    check_size(redex, shape);
}

/// %tensor.pad (0, 0) (a, v) ▷ a, and an error if there is nothing to take what is added from, or the result has too
/// many elements.
const Def* normalize_pad(const Redex& redex) {
    auto& w       = redex.w;
    auto r        = redex.group(0);
    auto [lo, hi] = elems<2>(w, redex.group(1));
    auto before = elements_of(w, r, lo), behind = elements_of(w, r, hi), extent = elements_of(w, r, elem(w, redex.group(2), 0));
    if (!before || !behind || !extent) return nullptr;
    if (all_are(*before, 0) && all_are(*behind, 0)) return redex.elem(0);
    DefVec result;
    for (size_t j = 0; j != extent->size(); ++j) {
        check_extent(redex, {(*before)[j], (*extent)[j], (*behind)[j]});
        result.push_back(w.call(core::nat::add, {w.call(core::nat::add, {(*before)[j], (*extent)[j]}), (*behind)[j]}));
    }
    check_result(redex, result, elem(w, redex.group(2), 1));
    if (pad(redex.sub()) == pad::const_) return nullptr;
    for (size_t j = 0; j != extent->size(); ++j) {
        auto added = w.call(core::nat::add, {(*before)[j], (*behind)[j]});
        if (is_value((*extent)[j], 0) && is_some(w, added)) broken(redex, "there is no element to repeat");
    }
    return nullptr;
}

/// %tensor.concat (a, b) ▷ b if a has no elements, and a if b has none
/// An error if the result has too many elements.
const Def* normalize_concat(const Redex& redex) {
    auto [n, m, type] = elems<3>(redex.w, redex.group(0));
    check_extent(redex, {n, m});
    check_result(redex, {redex.w.call(core::nat::add, {n, m})}, type);
    if (is_value(n, 0)) return redex.elem(1);
    return is_value(m, 0) ? redex.elem(0) : nullptr;
}

/*
 * map_reduce
 */

namespace {

/// An input of `map_reduce`, or what it only says to take otherwise.
struct Input {
    const Def* array;
    Numbers dims; ///< of the iteration space
};

/// The input without an operation that only says which dimension is which. It must be read in the shape in which it
/// was made: a matrix of one row may be read as one of one column.
bool absorb(World& w, const DefVec& extents, Input& input) {
    auto rank = input.dims.size();
    auto read = map_defs(input.dims, [&](auto d) { return extents[d]; });
    if (auto inner = match<transpose>(input.array)) {
        auto q    = numbers_of(w, inner.group(0), inner.group(1));
        auto from = elements_of(w, inner.group(0), elem(w, inner.group(2), 0));
        if (!q || q->size() != rank || !from) return false;
        if (map_defs(*q, [&](auto d) { return (*from)[d]; }) != read) return false;
        Numbers dims(rank);
        for (size_t j = 0; j != rank; ++j) dims[(*q)[j]] = input.dims[j];
        input = {inner.arg(), dims};
        return true;
    }
    if (auto inner = match<broadcast>(input.array)) {
        auto [k, r] = elems<2>(w, inner.group(0));
        auto u      = numbers_of(w, r, elem(w, inner.group(1), 1));
        if (!u || !is_value(k, rank) || elements_of(w, k, elem(w, inner.group(1), 0)) != read) return false;
        Numbers dims;
        for (auto d : *u) dims.push_back(input.dims[d]);
        input = {inner.arg(), dims};
        return true;
    }
    return false;
}

} // namespace

/// Which of the n elements of its argument a function returns, if it does that.
static std::optional<size_t> returned_element(World& w, const Def* f, size_t n) {
    auto lam = isa_known(f);
    if (!lam) return {};
    for (size_t i = 0; i != n; ++i)
        if (lam->body() == (n == 1 ? lam->var() : w.extract(lam->var(), i))) return i;
    return {};
}

/// %tensor.map_reduce (o, u) (e, c, z, p) is:
///   ▷ is#i                        if o = u#i, e returns element i of its argument, and p its argument
///   ▷ the same over b             for an input that is a transposed or broadcast b: subscripts compose
///   ▷ the same over b, c …        for an input whose elements are cheap expressions of those of b, c …
/// An error if o repeats a subscript.
const Def* normalize_map_reduce(const Redex& redex) {
    auto& w                               = redex.w;
    auto [k, m, ni, it, rs, ts, from, to] = elems<8>(w, redex.group(0));
    auto [o, u]                           = elems<2>(w, redex.group(1));
    auto outer                            = numbers_of(w, m, o);
    auto rank                             = value(k);
    auto ranks = elements_of(w, ni, rs), subscripts_of = elements_of(w, ni, u), arrays = elements_of(w, ni, redex.arg);
    auto extents = elements_of(w, k, it);
    if (!rank || !outer || !ranks || !subscripts_of || !arrays || !extents) return nullptr;
    auto sorted = *outer;
    std::ranges::sort(sorted);
    if (std::ranges::adjacent_find(sorted) != sorted.end()) broken(redex, "a subscript of its result is repeated");

    std::vector<Input> inputs;
    for (size_t i = 0; i != arrays->size(); ++i) {
        auto dims = numbers_of(w, (*ranks)[i], (*subscripts_of)[i]);
        if (!dims) return nullptr;
        inputs.push_back({(*arrays)[i], *dims});
    }
    auto [e, c, z, p] = elems<4>(w, redex.group(2));
    auto copied       = outer->size() == *rank && returns_argument(p) ? returned_element(w, e, inputs.size()) : std::nullopt;
    if (copied && inputs[*copied].dims == *outer) return inputs[*copied].array;

    bool is_changed = false;
    for (auto& input : inputs)
        while (absorb(w, *extents, input)) is_changed = true;
    if (!is_changed) return merge_inputs(w, {redex.group(0), redex.group(1), redex.group(2), redex.arg});
    auto new_ranks = w.tuple(map_defs(inputs, [&](auto& input) { return w.lit_nat(input.dims.size()); }));
    auto new_u     = w.tuple(map_defs(inputs, [&](auto& input) { return subscripts(w, input.dims, *rank); }));
    auto implicits = w.tuple({k, m, ni, it, new_ranks, ts, from, to});
    auto arg       = w.tuple(map_defs(inputs, [](auto& input) { return input.array; }));
    return w.apply<map_reduce>(implicits, {o, new_u}, redex.group(2), arg);
}

/*
 * schedules, what phases make, and memory
 */

/// %tensor.with s (%tensor.with t a) ▷ %tensor.with s a
const Def* normalize_with(const Redex& redex) {
    auto inner = match<with>(redex.arg);
    return inner ? redex.w.app(redex.callee, inner.arg()) : nullptr;
}

/// %tensor.owe (tt, numbers) x ▷ x
const Def* normalize_owe(const Redex& redex) { return is_value(elem(redex.w, redex.group(1), 0), 1) ? redex.arg : nullptr; }

/// %tensor.load and %tensor.store are those of `mem`, at the type of the array.
const Def* normalize_load(const Redex& redex) { return redex.w.call<mem::load>(redex.arg); }
const Def* normalize_store(const Redex& redex) { return redex.w.call<mem::store>(redex.arg); }

} // namespace mim::plug::tensor
