// SPDX-License-Identifier: MIT
// Nests written with indices: a `generate` or a `map` around a `map_reduce` whose inputs are elements and rows at the
// nest's own indices is one `map_reduce`. Each turn evaluates what it did before, so no work is multiplied; what an
// input computes for each of its elements moves into `e` only if that is as cheap as a load.
#include "core/annexes.h"
#include "ir/questions.h"
#include "kit/build.h"
#include "normal.h"

namespace mim::plug::tensor {

namespace {

/// An array from outside of the nest, read at these dimensions of the new iteration space.
struct Source {
    const Def* array;
    Numbers dims;
    bool operator==(const Source&) const = default;
};

class Nest {
public:
    explicit Nest(World& world)
        : world_(&world) {}

    /// The variable of a function of an index, which has these dimensions.
    void bind_index(const Def* var, const Numbers& dims) {
        vars_.push_back(var);
        for (size_t j = 0; j != dims.size(); ++j)
            indices_.emplace_back(dims.size() == 1 ? var : world_->extract(var, j), dims[j]);
    }
    /// The variable of a function of elements or rows of these arrays.
    void bind_rows(const Def* var, const std::vector<Source>& rows) {
        vars_.push_back(var);
        for (size_t i = 0; i != rows.size(); ++i) rows_.emplace_back(rows.size() == 1 ? var : world_->extract(var, i), rows[i]);
    }

    bool is_outside(const Def* def) const {
        return std::ranges::none_of(vars_, [&](auto var) { return is_free_in(*world_, var, def); });
    }
    std::optional<Source> source(const Def* def) const;
    std::optional<Source> read_at(const Def* array, const DefVec& at) const;
    /// All sources that an expression reads, in order; false if it depends on the nest in another way.
    bool collect(const Def* def, std::vector<Source>& sources, DefVec& leaves) const;
    bool collect_parts(const Def* var, std::vector<Source>& sources, DefVec& leaves) const;
    /// The expression, which reads `elements` in place of the leaves.
    const Def* replace(const Def* def, const DefVec& leaves, const DefVec& elements) const;

private:
    World* world_;
    DefVec vars_;
    std::vector<std::pair<const Def*, uint64_t>> indices_;
    std::vector<std::pair<const Def*, Source>> rows_;
};

std::optional<Source> Nest::source(const Def* def) const {
    if (is_outside(def)) return Source{def, {}};
    for (auto& [var, row] : rows_)
        if (def == var) return row;
    if (auto read = match<get>(def)) {
        auto [array, index] = elems<2>(*world_, read.arg());
        auto at             = elements_of(*world_, elem(*world_, read.group(0), 0), index);
        return at ? read_at(array, *at) : std::nullopt;
    }
    auto extract = def->isa<Extract>();
    return extract ? read_at(extract->tuple(), {extract->index()}) : std::nullopt;
}

/// An element or a row at indices of the nest.
std::optional<Source> Nest::read_at(const Def* array, const DefVec& at) const {
    auto from = source(array);
    for (auto index : at) {
        auto known = std::ranges::find(indices_, index, [](auto& known) { return known.first; });
        if (!from || known == indices_.end()) return {};
        from->dims.push_back(known->second);
    }
    return from;
}

bool Nest::collect(const Def* def, std::vector<Source>& sources, DefVec& leaves) const {
    if (is_outside(def) || std::ranges::find(leaves, def) != leaves.end()) return true;
    if (auto from = source(def)) {
        sources.push_back(*from), leaves.push_back(def);
        return !def->type()->isa<Arr>(); // of a row, one element is read, maybe at an index of a nest around this one
    }
    auto is_bound = [&](const Def* var) { return std::ranges::find(vars_, var) != vars_.end(); };
    if (is_bound(def) && lit_arity(*world_, def->type()) > 1) return collect_parts(def, sources, leaves);
    if (def->isa<Extract>() && is_bound(def->as<Extract>()->tuple())) return false; // an index as a number
    if (!def->isa<App>() && !def->isa<Tuple>() && !def->isa<Extract>()) return false;
    return std::ranges::all_of(def->ops(), [&](auto op) { return collect(op, sources, leaves); });
}

/// A variable that is a tuple.
bool Nest::collect_parts(const Def* var, std::vector<Source>& sources, DefVec& leaves) const {
    for (int64_t i = 0, n = lit_arity(*world_, var->type()); i != n; ++i)
        if (!collect(world_->extract(var, uint64_t(i)), sources, leaves)) return false;
    return true;
}

const Def* Nest::replace(const Def* def, const DefVec& leaves, const DefVec& elements) const {
    if (is_outside(def)) return def;
    auto replaced = [&](const Def* part) { return replace(part, leaves, elements); };
    if (auto leaf = std::ranges::find(leaves, def); leaf != leaves.end()) return elements[size_t(leaf - leaves.begin())];
    auto part = [&](size_t i) { return replaced(def->op(i)); };
    if (def->isa<Var>())
        return world_->tuple(
            def_vec(size_t(lit_arity(*world_, def->type())), [&](auto i) { return replaced(world_->extract(def, i)); }));
    if (def->isa<App>()) return world_->app(part(0), part(1));
    if (def->isa<Extract>()) return world_->extract(part(0), part(1));
    return world_->tuple(def_vec(def->num_ops(), part));
}

Numbers shifted(Numbers dims, uint64_t by) {
    for (auto& d : dims) d += by;
    return dims;
}

Numbers joined(Numbers a, const Numbers& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

Numbers first(uint64_t n) {
    Numbers result;
    for (uint64_t d = 0; d != n; ++d) result.push_back(d);
    return result;
}

bool mentions_all(const Numbers& dims, const DefVec& extents) {
    for (uint64_t d = 0; d != extents.size(); ++d)
        if (!is_value(extents[d], 1) && std::ranges::find(dims, d) == dims.end()) return false;
    return true;
}

/// λ x = f x ▷ f
const Def* function(World& w, const Def* from, const Def* to, const std::function<const Def*(const Def*)>& body) {
    auto lam    = w.mut_lam(w.pi(from, to));
    auto result = body(lam->var());
    if (auto app = result->isa<App>(); app && app->arg() == lam->var() && !is_free_in(w, lam->var(), app->callee())) {
        w.set(lam, w.tt(), result);
        return w.seal(lam), app->callee();
    }
    w.set(lam, w.tt(), result);
    return w.seal(lam);
}

/// An input of the inner `map_reduce`, as the new one reads it.
struct Part {
    std::vector<Source> sources;
    const Def* element = nullptr; ///< what `e` gets, of the leaves; null: the one source
    DefVec leaves;
    Nest nest;
};

/// An array at these dimensions.
std::optional<Part> read_part(const Nest& nest, const Def* input, const Numbers& dims) {
    auto from = nest.source(input);
    if (!from) return {};
    from->dims = joined(from->dims, dims);
    return Part{{*from}, nullptr, {}, nest};
}

/// Binds what the function of a `map` or a `zip` gets.
bool bind_inputs(Part& part, const Lam* f, const DefVec& inputs, const Numbers& dims) {
    std::vector<Source> rows;
    for (auto input : inputs) {
        auto row = part.nest.source(input);
        if (!row) return false;
        rows.push_back({row->array, joined(row->dims, dims)});
    }
    part.nest.bind_rows(f->var(), rows);
    return !rows.empty();
}

/// Something that computes its elements from such ones. A matrix of one row may be read as one of one column, so that
/// the operation that makes it must have made it in the shape in which it is read.
std::optional<Part> computed_part(World& w, const Nest& nest, const Def* input, const DefVec& extents, const Numbers& dims) {
    Part part{{}, nullptr, {}, nest};
    const Lam* f  = nullptr;
    bool is_bound = false;
    auto rank = w.lit_nat(dims.size()), shape = w.tuple(extents);
    auto has_shape = [&](const Def* group) { return group == w.tuple({rank, shape}); };
    if (auto made = match<generate>(input); made && made.group(0) == rank && made.group(1) == shape) {
        f        = isa_known(made.arg());
        is_bound = f && (part.nest.bind_index(f->var(), dims), true);
    } else if (auto made = match<tensor::map>(input); made && has_shape(made.group(2))) {
        f        = isa_known(made.group(1));
        is_bound = f && bind_inputs(part, f, {made.arg()}, dims);
    } else if (auto made = match<zip>(input); made && has_shape(made.group(2))) {
        auto inputs = elements_of(w, elem(w, made.group(0), 0), made.arg());
        f           = isa_known(made.group(1));
        is_bound    = f && inputs && bind_inputs(part, f, *inputs, dims);
    }
    size_t budget = 32; // of nodes, partial applications and indices among them
    if (!is_bound || !is_cheap(f->body(), budget)) return {};
    part.element = f->body();
    bool is_fine = part.nest.collect(f->body(), part.sources, part.leaves) && !part.sources.empty();
    return is_fine ? std::optional(std::move(part)) : std::nullopt;
}

} // namespace

/// The place of a source in the list, to which it is added if it is new: what is read twice is one input.
static size_t place_of(std::vector<Source>& sources, const Source& source) {
    auto at = std::ranges::find(sources, source) - sources.begin();
    if (size_t(at) == sources.size()) sources.push_back(source);
    return size_t(at);
}

/// The nest of loops of these extents around the `map_reduce`, whose inputs are elements and rows at the indices of
/// the nest; null if they are not.
static const Def* merged(World& w, const Nest& nest, const DefVec& around, const Groups& op) {
    auto [k, m, ni, it, rs, ts, from, to] = elems<8>(w, op.implicits);
    auto [o, u]                           = elems<2>(w, op.subscripts);
    auto [e, c, z, p]                     = elems<4>(w, op.functions);
    for (auto def : {k, m, ni, it, rs, ts, from, to, o, u, e, c, z, p})
        if (!nest.is_outside(def)) return nullptr;
    auto extents = elements_of(w, k, it), inputs = elements_of(w, ni, op.inputs), old_us = elements_of(w, ni, u);
    auto ranks = numbers_of(w, ni, rs), outer = numbers_of(w, m, o);
    if (!extents || !inputs || !old_us || !ranks || !outer || inputs->empty()) return nullptr;

    uint64_t rank = around.size();
    std::vector<Part> parts;
    std::vector<Source> sources;
    std::vector<size_t> places; // of what the parts read, one after the other
    DefVec types;
    for (size_t i = 0; i != inputs->size(); ++i) {
        auto dims = numbers_of(w, w.lit_nat((*ranks)[i]), (*old_us)[i]);
        if (!dims) return nullptr;
        auto input          = (*inputs)[i];
        bool is_made_inside = rank == 0 || !nest.is_outside(input);
        bool is_read_once   = mentions_all(*dims, *extents);
        std::optional<Part> part;
        if (is_made_inside && is_read_once) {
            auto read = map_defs(*dims, [&](auto d) { return (*extents)[d]; });
            part      = computed_part(w, nest, input, read, shifted(*dims, rank));
        }
        if (!part) part = read_part(nest, input, shifted(*dims, rank));
        if (!part) return nullptr;
        for (size_t j = 0; j != part->sources.size(); ++j) {
            auto type = part->element ? part->leaves[j]->type() : inputs->size() == 1 ? ts : w.extract(ts, i);
            if (!part->nest.is_outside(type)) return nullptr;
            places.push_back(place_of(sources, part->sources[j]));
            if (places.back() == types.size()) types.push_back(type);
        }
        parts.push_back(std::move(*part));
    }
    bool computes = std::ranges::any_of(parts, [](auto& part) { return part.element; });
    bool repeats  = places.size() != sources.size();
    if (rank == 0 && !computes && !repeats) return nullptr;

    auto new_e   = !computes && !repeats ? e : function(w, w.sigma(types), from, [&](const Def* var) {
        DefVec args;
        size_t next = 0;
        for (auto& part : parts) {
            auto read = [&](size_t place) { return sources.size() == 1 ? var : w.extract(var, place); };
            auto mine = def_vec(part.sources.size(), [&](auto) { return read(places[next++]); });
            args.push_back(part.element ? part.nest.replace(part.element, part.leaves, mine) : mine[0]);
        }
        return w.app(e, w.tuple(args));
    });
    DefVec space = around;
    space.insert(space.end(), extents->begin(), extents->end());
    auto new_rs    = w.tuple(map_defs(sources, [&](auto& source) { return w.lit_nat(source.dims.size()); }));
    auto new_u     = w.tuple(map_defs(sources, [&](auto& source) { return subscripts(w, source.dims, space.size()); }));
    auto new_o     = joined(first(rank), shifted(*outer, rank));
    auto implicits = w.tuple({w.lit_nat(space.size()), w.lit_nat(new_o.size()), w.lit_nat(sources.size()), w.tuple(space), new_rs,
                              w.tuple(types), from, to});
    return w.apply<map_reduce>(implicits, {subscripts(w, new_o, space.size()), new_u}, w.tuple({new_e, c, z, p}),
                               w.tuple(map_defs(sources, [](auto& source) { return source.array; })));
}

const Def* merge_nest(World& w, const DefVec& around, const Lam* f, const Def* rows) {
    auto op = match<map_reduce>(f->body());
    if (!op || !f->var()->isa<Var>() || around.empty()) return nullptr;
    Nest nest(w);
    auto dims = first(around.size());
    if (rows) nest.bind_rows(f->var(), {{rows, dims}});
    else nest.bind_index(f->var(), dims);
    return merged(w, nest, around, {op.group(0), op.group(1), op.group(2), op.arg()});
}

/// Whether the expression has no more nodes than the budget, which is what is left of it.
static bool is_small(const Def* def, size_t& budget) {
    if (!def->type() || is_type(def) || def->isa<Var>() || def->isa<Lit>() || def->isa<Lam>() || def->isa<Axm>()) return true;
    if (budget == 0) return false;
    --budget;
    return std::ranges::all_of(def->ops(), [&](auto op) { return !op || is_small(op, budget); });
}

/// Each input that is merged makes all of `e` anew, so that `e` does not grow without bounds: of a long chain of maps,
/// the last ones are merged here, and the others become one loop with it when loops are made.
const Def* merge_inputs(World& w, const Groups& op) {
    auto e        = isa_known(elem(w, op.functions, 0));
    size_t budget = 256;
    return !e || is_small(e->body(), budget) ? merged(w, Nest(w), {}, op) : nullptr;
}

/// %tensor.generate s (λ i. %tensor.map_reduce …) ▷ %tensor.map_reduce …, if its inputs are elements and rows at i
const Def* normalize_generate(const Redex& redex) {
    auto& w     = redex.w;
    auto around = elements_of(w, redex.group(0), redex.group(1));
    auto h      = isa_known(redex.arg);
    return around && h ? merge_nest(w, *around, h, nullptr) : nullptr;
}

} // namespace mim::plug::tensor
