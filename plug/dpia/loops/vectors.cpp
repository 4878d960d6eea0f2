// SPDX-License-Identifier: MIT
// Vectors. An operation on them is made as the operation on the numbers of one lane. Then
// each operation of `core` or `math` in it becomes the one of `vec` that does it at each lane. If `vec` has none, the
// whole is done lane by lane.
#include "core/annexes.h"
#include "kit/match.h"
#include "loops.h"
#include "math/annexes.h"
#include "mem/annexes.h"
#include "vec/annexes.h"

namespace mim::plug::dpia {

namespace {

/// The axioms of `vec` for those of numbers, by their tags: the subtags follow each other in the same order.
struct Lift {
    AnnexId scalar, vector;
};

template<class Scalar, class Vector>
Lift lift_of(uint16_t first = 0) {
    return {{AnnexTraits<Scalar>::plugin, AnnexTraits<Scalar>::tag, 0},
            {AnnexTraits<Vector>::plugin, AnnexTraits<Vector>::tag, first}};
}

const Def* vector_axiom(World& w, const AnnexId& scalar) {
    static const Lift lifts[] = {
        lift_of<core::wrap, vec::wrap>(),   lift_of<core::icmp, vec::icmp>(),        lift_of<core::bit1, vec::bit1>(),
        lift_of<core::bit2, vec::bit2>(),   lift_of<core::conv, vec::conv>(),        lift_of<math::conv, vec::conv>(2),
        lift_of<math::arith, vec::arith>(), lift_of<math::extrema, vec::extrema>(4), lift_of<math::minus, vec::minus>(),
        lift_of<math::abs, vec::abs>(),     lift_of<math::round, vec::round>(),      lift_of<math::rt, vec::rt>(),
        lift_of<math::tri, vec::tri>(),     lift_of<math::exp, vec::exp>(),          lift_of<math::cmp, vec::cmp>(),
    };
    for (auto& lift : lifts) {
        if (lift.scalar.plugin != scalar.plugin || lift.scalar.tag != scalar.tag) continue;
        return w.annexes.at({lift.vector.plugin, lift.vector.tag, static_cast<uint16_t>(lift.vector.sub + scalar.sub)});
    }
    return nullptr;
}

/// An expression of numbers as one of vectors.
class Lifted {
public:
    Lifted(World& w, uint64_t lanes)
        : w(w)
        , lanes_(lanes) {}

    void add(const Def* number, const Def* vector) { known_[number] = vector; }
    /// Null if `vec` has no operation for a part of it.
    const Def* vector(const Def* number) {
        auto found = known_.find(number);
        if (found != known_.end()) return found->second;
        auto result           = made(number);
        return known_[number] = result;
    }

private:
    const Def* made(const Def* number) {
        auto n = w.lit_nat(lanes_);
        if (number->isa<Lit>()) return w.apply<vec::from>({n, number->type()}, {w.pack(n, number)});
        if (auto extract = number->isa<Extract>()) return selected(extract);
        auto axiom = head_axiom(number);
        auto app   = number->isa<App>();
        auto lift  = axiom && app ? vector_axiom(w, axiom->axiom().id) : nullptr;
        if (!lift) return nullptr;
        auto operands = vectors(app->arg());
        if (!operands) return nullptr;
        auto first   = group(number, 0);
        auto num     = static_cast<size_t>(lit_arity(w, first->type()));
        DefVec types = {n};
        for (size_t i = 0; i != num; ++i) types.push_back(num == 1 ? first : w.extract(first, i));
        auto callee = w.app(lift, w.tuple(types));
        for (size_t i = 1; i + 1 < num_groups(number); ++i) callee = w.app(callee, group(number, i));
        return w.app(callee, operands);
    }
    /// One operand, or a tuple of two.
    const Def* vectors(const Def* arg) {
        bool is_one = !arg->type()->isa<mim::Arr>() && !arg->type()->isa<Sigma>();
        if (is_one) return vector(arg);
        auto first = vector(w.extract(arg, 0)), second = vector(w.extract(arg, 1));
        return first && second ? w.tuple({first, second}) : nullptr;
    }
    /// `select` is one of two by a truth value.
    const Def* selected(const Extract* extract) {
        auto index = extract->index();
        auto two   = extract->tuple();
        if (!is_value(isa_idx(index->type()), 2)) return nullptr;
        auto mask = vector(index);
        auto no = vector(w.extract(two, w.lit_idx(2, 0))), yes = vector(w.extract(two, w.lit_idx(2, 1)));
        if (!mask || !no || !yes) return nullptr;
        return w.call<vec::select>({mask, yes, no});
    }

    World& w;
    uint64_t lanes_;
    std::unordered_map<const Def*, const Def*> known_;
};

} // namespace

// ---- operations

/// `f` makes the number of those of one lane, whose type it gets.
CValueRef LoopCode::of_lanes(const Def* term, const Def* type, std::vector<CRef> args, OfLanes f) {
    auto n     = scalar(term->type()).lanes;
    auto maker = [=, this](const DefVec& vectors) -> const Def* {
        auto types  = map_defs(vectors, [&](auto v) { return elem(w, arg_of(v->type()), 1); });
        auto lanes  = w.mut_lam(w.cn(w.sigma(types)))->var();
        auto symbol = [&](size_t i) { return types.size() == 1 ? lanes : w.extract(lanes, i); };
        auto number = f(type, def_vec(types.size(), symbol));
        Lifted lifted(w, n);
        for (size_t i = 0; i != types.size(); ++i) lifted.add(symbol(i), vectors[i]);
        if (auto vector = lifted.vector(number)) return vector;
        auto lane = [&](size_t i) {
            return f(type, map_defs(vectors, [&](auto v) { return w.call<vec::get>({v, w.lit_idx(uint64_t(n), i)}); }));
        };
        return w.apply<vec::from>({w.lit_nat(n), number->type()}, {w.tuple(def_vec(n, lane))});
    };
    auto prefix = term;
    for (size_t i = 0; i != args.size(); ++i) prefix = callee_of(prefix);
    return of_scalar(node_of(prefix, term->type(), std::move(args), maker));
}

CValueRef LoopCode::vector_operation(const Def* term, const ScopeRef& s) {
    auto vector = rise::isa_vector(w, term->type());
    if (!vector) return nullptr;
    auto first = [&] { return rise::isa_vector(w, group(term, 1)->type()).elem; };
    auto of    = [&](const Def* type, size_t num, OfLanes f) {
        std::vector<CRef> args;
        for (size_t i = 0; i != num; ++i) args.push_back(value(group(term, i + 1), s)->scalar);
        return of_lanes(term, type, std::move(args), std::move(f));
    };
    if (match<rise::vector_from_scalar>(term)) {
        auto t = scalar(term->type());
        return of_scalar(CTerms::vector(t, std::vector<CRef>(t.lanes, value(arg_of(term), s)->scalar)));
    }
    if (match<rise::vec_not>(term)) return of(vector.elem, 1, [this](auto, auto& x) { return w.select(x[0], w.ff(), w.tt()); });
    if (match<rise::vec_select>(term)) return of(vector.elem, 3, [this](auto, auto& x) { return w.select(x[0], x[1], x[2]); });
    if (match<rise::fma>(term))
        return of(vector.elem, 3, [this](auto type, auto& x) { return arithmetic_.fma(type, x[0], x[1], x[2]); });
    if (match<rise::cast>(term)) {
        if (first() == vector.elem) return value(group(term, 1), s);
        return of(first(), 1, [this, to = vector.elem](auto type, auto& x) { return arithmetic_.cast(type, to, x[0]); });
    }
    if (match<rise::number>(term))
        return of(vector.elem, 2, [=, this](auto type, auto& x) {
            return arithmetic_.number(sub_of(term), rise::scalar_of(type), type, x[0], x[1]);
        });
    if (match<rise::unary>(term))
        return of(vector.elem, 1,
                  [=, this](auto type, auto& x) { return arithmetic_.unary(sub_of(term), rise::scalar_of(type), type, x[0]); });
    if (match<rise::vec_compare>(term))
        return of(first(), 2, [=, this](auto type, auto& x) {
            return arithmetic_.compare(sub_of(term), rise::scalar_of(type), type, x[0], x[1]);
        });
    if (!match<rise::vec_logic>(term)) return nullptr;
    bool is_and = rise::vec_logic(sub_of(term)) == rise::vec_logic::conj;
    return of(vector.elem, 2,
              [=, this](auto, auto& x) { return is_and ? w.select(x[0], x[1], w.ff()) : w.select(x[0], w.tt(), x[1]); });
}

// ---- lanes

CRef LoopCode::lane_at(const CScalar& t, CRef vector, const Polynomial& i) {
    auto node     = CTerms::lane_at(t, vector, i);
    auto known    = i.value();
    makers_[node] = [=, this](const DefVec& x) {
        auto n     = uint64_t(t.lanes);
        auto index = known ? w.lit_idx(n, static_cast<uint64_t>(*known)) : w.call<core::bitcast>(w.idx(n), x[1]);
        return w.call<vec::get>({x[0], index});
    };
    return node;
}

CRef LoopCode::made_vector(const CScalar& t, const std::vector<CRef>& lanes) {
    auto node     = CTerms::made_vector(t, lanes);
    makers_[node] = [=, this](const DefVec& x) {
        auto n = w.lit_nat(t.lanes);
        return w.apply<vec::from>({n, x[0]->type()}, {x.size() == 1 ? w.pack(n, x[0]) : w.tuple(x)});
    };
    return node;
}

CRef LoopCode::any_number(const Def* type) {
    auto node      = CTerms::any_number(type);
    auto zero      = coder_.zero(coder_.scalar_type(number_type(w, type)));
    auto n         = w.lit_nat(scalar(type).lanes);
    bool is_vector = scalar(type).kind == CScalar::Vector;
    atoms_[node]   = is_vector ? w.apply<vec::from>({n, zero->type()}, {w.pack(n, zero)}) : zero;
    return node;
}

// ---- memory

CRef LoopCode::vector_at(const CScalar& t, VectorUse use, const std::string& name, const Polynomial& index) {
    auto node    = CTerms::vector_at(t, use, name, index);
    cells_[node] = {name, index, {}, number_type(w, memory(name).cell), t.lanes};
    return node;
}

CRef LoopCode::vector_cell(const CScalar& t, const Walk& walk, VectorUse use) {
    auto node    = CCode::vector_cell(t, walk, use);
    auto lanes   = Polynomial::number(Polynomial::Number(t.lanes));
    auto& memory = this->memory(walk.name);
    auto index   = walk.index ? *walk.index * lanes : Polynomial();
    cells_[node] = {walk.name, memory.count ? std::optional(index) : std::nullopt, {}, number_type(w, memory.cell), t.lanes};
    return node;
}

CRef LoopCode::lane_cell(const CScalar& t, const Walk& walk, const Polynomial& lane) {
    auto& memory = this->memory(walk.name);
    if (!memory.count) throw Refused{Refused::NoCode, "a lane of a vector has no memory of its own", {}, memory.cell};
    auto node    = CCode::lane_cell(t, walk, lane);
    cells_[node] = {walk.name, memory_cells_.at(node).index, {}, number_type(w, memory.cell)};
    return node;
}

const Def* LoopCode::load_lanes(const Cell& cell) {
    auto& memory  = this->memory(cell.memory);
    auto n        = w.lit_nat(cell.lanes);
    bool is_whole = !memory.count || memory.form == rise::Form::Inside;
    auto at       = is_whole ? address(cell) : nullptr;
    if (!memory.count) return effect(w.call<mem::load>({mem_, at}));
    if (is_whole) return effect(w.call<vec::load>(w.tuple({n, w.lit_nat(1)}), w.tuple({mem_, at})));
    auto lane = [&](size_t i) {
        return load({cell.memory, *cell.index + Polynomial::number(Polynomial::Number(i)), {}, cell.type});
    };
    auto lanes = def_vec(cell.lanes, lane);
    return w.apply<vec::from>({n, lanes[0]->type()}, {w.tuple(lanes)});
}

void LoopCode::store_lanes(const Def* address, const Cell& cell, const Def* value) {
    auto& memory = this->memory(cell.memory);
    if (!memory.count) return void(mem_ = w.call<mem::store>({mem_, address, value}));
    if (memory.form == rise::Form::Inside) return void(mem_ = w.call<vec::store>(w.lit_nat(1), w.tuple({mem_, address, value})));
    for (uint64_t i = 0; i != cell.lanes; ++i) {
        Cell one{cell.memory, *cell.index + Polynomial::number(Polynomial::Number(i)), {}, cell.type};
        store(this->address(one), one, w.call<vec::get>({value, w.lit_idx(uint64_t(cell.lanes), i)}));
    }
}

// ---- tables

/// Numbers that are known: an array of the graph for each part of a pair.
CValueRef LoopCode::table(const Def* term) {
    auto& name = tables_[term];
    if (!name.empty()) return CCode::load(term->type(), name);
    name = text_.unique("table");
    std::map<std::string, DefVec> numbers;
    auto add = [&](auto& self, const Def* type, const CValueRef& v, const std::string& leaf) -> void {
        if (auto parts = pair(type)) {
            self(self, parts.first, v->first, leaf + "_fst");
            return self(self, parts.second, v->second, leaf + "_snd");
        }
        auto parts = array(type);
        if (!parts) return numbers[leaf].push_back(def(v->scalar));
        auto n = size(parts.size).value().value();
        for (Polynomial::Number i = 0; i != n; ++i) self(self, parts.elem, v->element(Polynomial::number(i)), leaf);
    };
    add(add, term->type(), value(arg_of(term)), name);
    for (auto& [leaf, all] : numbers) numbers_of_tables_[leaf] = w.tuple(all);
    return CCode::load(term->type(), name);
}

} // namespace mim::plug::dpia
