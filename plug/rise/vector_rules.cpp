// SPDX-License-Identifier: MIT
// Rules that make vectors of numbers, and do functions of numbers lane by lane.
#include <unordered_map>

#include "eval/machine.h"
#include "kit/build.h"
#include "kit/match.h"
#include "primitives.h"
#include "print.h"
#include "rise/annexes.h"
#include "strategy.h"
#include "terms/scalars.h"

namespace mim::plug::rise {

namespace {

bool is_lane(const Def* type) {
    auto t = scalar_of(type);
    return t.kind == ScalarType::Bool || t.kind == ScalarType::Signed || t.kind == ScalarType::Unsigned
           || t.kind == ScalarType::Float;
}

/// An operation without a value for some arguments.
bool may_fail(World& w, const Def* term) {
    if (auto op = match<number>(term)) {
        bool divides = op.sub() == number::div || op.sub() == number::mod;
        auto vector  = isa_vector(w, term->type());
        auto t       = scalar_of(vector ? vector.elem : term->type());
        return divides && t.kind != ScalarType::Float;
    }
    if (!match<cast>(term)) return false;
    auto lane = [&](const Def* type) {
        auto vector = isa_vector(w, type);
        return scalar_of(vector ? vector.elem : type);
    };
    return lane(arg_of(term)->type()).kind == ScalarType::Float && lane(term->type()).is_whole();
}

// ---- functions of numbers, lane by lane

/// Why a term has no lanes.
struct NoLanes {
    const Def* term;
};

class Lifting {
public:
    Lifting(World& world, const Def* width)
        : w(world)
        , width_(width) {}

    /// Of numbers, vectors; of pairs of them, pairs of vectors.
    const Def* type(const Def* t) const {
        if (is_lane(t)) return w.apply<Vec>({width_, t});
        auto pair = isa_pair(w, t);
        return pair ? w.apply<Tup>({type(pair.first), type(pair.second)}) : nullptr;
    }
    bool has_lanes(const Def* t) const {
        auto pair = isa_pair(w, t);
        return is_lane(t) || (pair && has_lanes(pair.first) && has_lanes(pair.second));
    }

    /// The function of vectors, whatever the number of its arguments.
    const Def* function(const Def* f) {
        auto lam = isa_known(f);
        if (!lam || !has_lanes(lam->dom())) throw NoLanes{f};
        auto result = w.mut_lam(w.pi(type(lam->dom()), lifted_codomain(lam)));
        w.notes.copy_info(lam, result);
        w.notes.copy_info(lam->var(), result->var());
        lanes_[lam->var()] = result->var();
        auto inner         = lam->body()->type()->isa<Pi>() ? function(lam->body()) : term(lam->body(), false);
        w.set(result, w.tt(), inner);
        return w.seal(result);
    }

    /// In a branch, what has no value for some arguments would be computed for all of them.
    const Def* term(const Def* def, bool is_branch) {
        if (auto known = lanes_.find(def); known != lanes_.end()) return known->second;
        bool is_same = std::ranges::none_of(lanes_, [&](auto& e) { return is_free_in(w, e.first, def); });
        if (is_same) return splat(def);
        if (is_branch && may_fail(w, def)) throw NoLanes{def};
        return operation(def, is_branch);
    }

private:
    const Def* lifted_codomain(const Lam* lam) {
        auto codom = lam->body()->type();
        if (auto pi = codom->isa<Pi>()) {
            bool is_known = has_lanes(pi->dom()) && has_lanes(pi->codom());
            if (!is_known) throw NoLanes{lam};
            return w.pi(type(pi->dom()), type(pi->codom()));
        }
        if (!has_lanes(codom)) throw NoLanes{lam};
        return type(codom);
    }
    const Def* splat(const Def* def) {
        if (auto types = isa_pair(w, def->type())) {
            auto first  = splat(w.apply<fst>({types.first, types.second}, {def}));
            auto second = splat(w.apply<snd>({types.first, types.second}, {def}));
            return w.apply<rise::pair>({first->type(), second->type()}, {first}, {second});
        }
        if (!is_lane(def->type())) throw NoLanes{def};
        return w.apply<vector_from_scalar>({def->type(), width_}, {def});
    }
    const Def* operation(const Def* def, bool is_branch) {
        auto part = [&](size_t i, bool is_inner = false) { return term(mim::group(def, i), is_branch || is_inner); };
        auto t    = has_lanes(def->type()) ? type(def->type()) : nullptr;
        if (!t) throw NoLanes{def};
        if (auto op = match<number>(def)) return w.apply(op.sub(), {t}, {part(1)}, {part(2)});
        if (auto op = match<unary>(def)) return w.apply(op.sub(), {t}, {part(1)});
        if (match<fma>(def)) return w.apply<fma>({t}, {part(1)}, {part(2)}, {part(3)});
        if (auto op = match<compare>(def)) {
            if (!is_lane(arg_of(def)->type())) throw NoLanes{def};
            auto a = part(1);
            return w.apply(vec_compare(sub_of(def)), {width_, arg_of(def)->type()}, {a}, {part(2)});
        }
        if (match<logic>(def)) { // the second one may not be computed
            auto a = part(0);
            return w.apply(vec_logic(sub_of(def)), {width_}, {a}, {part(1, true)});
        }
        if (match<not_>(def)) return w.apply<vec_not>({width_}, {part(0)});
        if (match<cast>(def)) return w.apply<cast>({type(arg_of(def)->type()), t}, {part(1)});
        if (match<rise::select>(def)) {
            if (!is_lane(def->type())) throw NoLanes{def};
            auto c = part(1), a = part(2, true);
            return w.apply<vec_select>({width_, def->type()}, {c}, {a}, {part(3, true)});
        }
        if (match<id>(def)) return part(1);
        if (match<rise::pair>(def)) {
            auto a = part(1), b = part(2);
            return w.apply<rise::pair>({a->type(), b->type()}, {a}, {b});
        }
        if (match<fst>(def) || match<snd>(def)) {
            auto p     = part(1);
            auto types = arg_of(p->type());
            return match<fst>(def) ? w.apply<fst>(types, {p}) : w.apply<snd>(types, {p});
        }
        throw NoLanes{def};
    }

    World& w;
    const Def* width_;
    std::unordered_map<const Def*, const Def*> lanes_; ///< of variables
};

// ---- behind any array

std::optional<uint64_t> width_of(const Def* strategy, std::string& why) {
    auto n = mim::value(strategy->as<App>()->arg());
    if (n && is_width(*n)) return n;
    why = "a vector has 2, 4, 8, 16, 32 or 64 lanes";
    return {};
}

/// The rule of this name in Mim, at this term.
const Def* fire(World& w, std::string_view name, const Def* at, const DefVec& params) {
    for (auto rule : w.rules.on_request(name)) {
        bool is_own = rule->plugin.view() == "rise";
        if (!is_own) continue;
        if (auto result = w.rules.fire_at(*rule, at, params)) return result;
    }
    return nullptr;
}

const Def* behind(World& w, std::string_view name, const Def* at, const DefVec& params) {
    return fire(w, name, w.apply<id>({at->type()}, {at}), params);
}

ArrayType numbers(World& w, const Def* at, std::string& why) {
    bool is_term = at->type() && !is_type(at) && !at->type()->isa<Pi>();
    auto array   = is_term ? isa_array(w, at->type()) : ArrayType();
    if (array && is_lane(array.elem)) return array;
    why = "`" + print_short(w, at) + "` is no array of numbers";
    return {};
}

const Def* rewrite_after(World& w, const Def* strategy, const Def* at, std::string& why) {
    auto width = width_of(strategy, why);
    auto array = width ? numbers(w, at, why) : ArrayType();
    if (!array) return nullptr;
    auto result = behind(w, "afterBy", at, {w.lit_nat(*width)});
    if (!result) why = std::to_string(*width) + " is not known to divide " + print_short(w, array.size);
    return result;
}

const Def* rewrite_tail(World& w, const Def* strategy, const Def* at, std::string& why) {
    auto width = width_of(strategy, why);
    auto array = width ? numbers(w, at, why) : ArrayType();
    if (!array) return nullptr;
    for (uint64_t rest = 0; rest != *width; ++rest)
        if (auto result = behind(w, "tailBy", at, {w.lit_nat(*width), w.lit_nat(rest)})) return result;
    why = "what " + std::to_string(*width) + " leaves of " + print_short(w, array.size) + " is not known";
    return nullptr;
}

// ---- before maps

/// The elements of an array, which may be pairs, in vectors.
const Def* in_vectors(World& w, const Def* view, const Def* x) {
    auto array = isa_array(w, x->type());
    auto pair  = isa_pair(w, array.elem);
    auto n = mim::group(view, 0), m = elem(w, mim::group(view, 1), 0);
    if (!pair) return w.apply(match<as_vector>(view).sub(), {n}, {m, array.elem}, {x});
    auto zipped = match<zip>(x);
    auto both   = zipped ? nullptr : w.apply<unzip>({array.size, pair.first, pair.second}, {x});
    auto types  = both ? arg_of(both->type()) : nullptr;
    auto first  = in_vectors(w, view, zipped ? mim::group(x, 1) : w.apply<fst>(types, {both}));
    auto second = in_vectors(w, view, zipped ? mim::group(x, 2) : w.apply<snd>(types, {both}));
    return w.apply<zip>({m, isa_array(w, first->type()).elem, isa_array(w, second->type()).elem}, {first}, {second});
}

const Def* rewrite_before_map(World& w, const Def*, const Def* at, std::string& why) {
    auto view = match<as_vector>(at);
    auto map  = view ? match<rise::map>(rise::map::high, view.arg()) : decltype(match<rise::map>(rise::map::high, at))();
    if (!map) {
        why = "`" + print_short(w, at) + "` is no `asVector` of a `map`";
        return nullptr;
    }
    try {
        auto f = Lifting(w, mim::group(at, 0)).function(mim::group(view.arg(), 1));
        auto x = in_vectors(w, at, map.arg());
        auto m = elem(w, mim::group(at, 1), 0);
        return w.apply(rise::map::high, {m, f->type()->as<Pi>()->dom(), f->type()->as<Pi>()->codom()}, {f}, {x});
    } catch (const NoLanes& no) {
        why = "`" + print_short(w, no.term) + "` is not done lane by lane";
        return nullptr;
    }
}

const Def* folded(World& w, const Def* space, const DefVec& types, const Def* f, const Def* e, const Def* x) {
    return w.app(w.apply(reduce_seq::loop, {space}, {w.tuple(types)}, {f}, {e}), x);
}

/// Reductions of all rows are one of vectors, of the columns.
const Def* rewrite_before_map_reduce(World& w, const Def*, const Def* at, std::string& why) {
    auto view      = match<as_vector>(at);
    auto map       = view && match<rise::map>(rise::map::high, view.arg()) ? view.arg() : nullptr;
    auto row       = map ? mim::group(map, 1)->isa<Lam>() : nullptr;
    auto fold      = row ? row->body() : nullptr;
    bool is_seq    = fold && match<reduce_seq>(reduce_seq::loop, fold);
    bool is_it     = fold && (is_seq || match<rise::reduce>(fold)) && arg_of(fold) == row->var();
    auto f         = is_it ? mim::group(fold, is_seq ? 2 : 1) : nullptr;
    auto e         = is_it ? mim::group(fold, is_seq ? 3 : 2) : nullptr;
    bool is_closed = is_it && !is_free_in(w, row->var(), f) && !is_free_in(w, row->var(), e);
    if (!is_closed) {
        why = "`" + print_short(w, at) + "` is no `asVector` of a `map` of reductions that are the same for each row";
        return nullptr;
    }
    auto x       = arg_of(map);
    auto inner   = isa_array(w, isa_array(w, x->type()).elem);
    auto lane    = inner.elem;
    auto width   = mim::group(at, 0);
    auto m       = elem(w, mim::group(at, 1), 0);
    auto all     = elem(w, mim::group(map, 0), 0);
    auto array   = [&](const Def* size, const Def* of) { return w.apply<Arr>({size, of}); };
    bool is_lane = rise::is_lane(lane) && rise::is_lane(e->type());
    if (!is_lane) {
        why = "`" + print_short(w, fold) + "` is no reduction of numbers";
        return nullptr;
    }
    try {
        Lifting lifting(w, width);
        auto step    = lifting.function(f);
        auto start   = w.apply<vector_from_scalar>({e->type(), width}, {e});
        auto vectors = array(m, w.apply<Vec>({width, lane}));
        auto columns = w.apply<transpose>({all, inner.size, lane}, {x});
        auto column  = w.mut_lam(w.pi(array(all, lane), vectors));
        w.set(column, w.tt(), w.apply(view.sub(), {width}, {m, lane}, {column->var()}));
        auto rows  = w.apply(rise::map::high, {inner.size, array(all, lane), vectors}, {w.seal(column)}, {columns});
        auto back  = w.apply<transpose>({inner.size, m, w.apply<Vec>({width, lane})}, {rows});
        auto block = array(inner.size, w.apply<Vec>({width, lane}));
        auto each  = w.mut_lam(w.pi(block, start->type()));
        auto space = is_seq ? mim::group(fold, 0) : nullptr;
        auto vec   = w.apply<Vec>({width, lane});
        auto total = is_seq ? folded(w, space, {inner.size, vec, start->type()}, step, start, each->var())
                            : w.apply<rise::reduce>({inner.size, start->type()}, {step}, {start}, {each->var()});
        w.set(each, w.tt(), total);
        return w.apply(rise::map::high, {m, block, start->type()}, {w.seal(each)}, {back});
    } catch (const NoLanes& no) {
        why = "`" + print_short(w, no.term) + "` is not done lane by lane";
        return nullptr;
    }
}

// ---- reductions

const Def* rewrite_vector_reduce(World& w, const Def* strategy, const Def* at, std::string& why) {
    auto width = width_of(strategy, why);
    auto app   = match<rise::reduce>(at);
    auto f = app ? mim::group(at, 1) : nullptr, e = app ? mim::group(at, 2) : nullptr;
    bool is_known = width && app && is_commutative_with(w, f, e);
    if (!is_known) {
        if (width)
            why = "`" + print_short(w, at)
                  + "` is no `reduce` of numbers by an operator that is known to be commutative, from its unit";
        return nullptr;
    }
    auto x     = app.arg();
    auto array = numbers(w, x, why);
    auto split = array ? behind(w, "afterBy", x, {w.lit_nat(*width)}) : nullptr;
    if (!split) {
        if (array) why = std::to_string(*width) + " is not known to divide " + print_short(w, array.size);
        return nullptr;
    }
    auto vectors = arg_of(split);
    auto rows    = isa_array(w, vectors->type());
    auto step    = Lifting(w, w.lit_nat(*width)).function(f);
    auto start   = w.apply<vector_from_scalar>({array.elem, w.lit_nat(*width)}, {e});
    auto total   = folded(w, w.annex(as::private_), {rows.size, rows.elem, rows.elem}, step, start, vectors);
    auto one     = w.lit_nat(1);
    auto single  = w.apply<make_array>({one, rows.elem}, {total});
    auto lanes   = w.apply<as_scalar>({one, w.lit_nat(*width), array.elem}, {single});
    return w.apply<rise::reduce>({isa_array(w, lanes->type()).size, array.elem}, {f}, {e}, {lanes});
}

// ---- padding

/// It has a value for each argument, as far as the operations in it tell.
bool is_total(World& w, const Def* def, std::unordered_map<const Def*, bool>& known) {
    if (auto found = known.find(def); found != known.end()) return found->second;
    bool result = !may_fail(w, def);
    known[def]  = result;
    auto lam    = def->isa<Lam>();
    bool enters = def->type() && !is_type(def) && (!lam || isa_known(lam));
    for (auto part : enters ? def->ops() : Defs()) result = result && (!part || is_total(w, part, known));
    return known[def] = result;
}

const Def* rewrite_pad_empty_before_map(World& w, const Def*, const Def* at, std::string& why) {
    auto pad = match<pad_empty>(at);
    auto map = pad && match<rise::map>(rise::map::high, pad.arg()) ? pad.arg() : nullptr;
    if (!map) {
        why = "`" + print_short(w, at) + "` is no `padEmpty` of a `map`";
        return nullptr;
    }
    auto f = mim::group(map, 1);
    std::unordered_map<const Def*, bool> known;
    if (!is_total(w, f, known)) {
        why = "`" + print_short(w, f) + "` has no value for some elements";
        return nullptr;
    }
    auto [n, s, t] = elems<3>(w, mim::group(map, 0));
    auto r         = mim::group(at, 0);
    auto padded    = w.apply<pad_empty>({r}, {n, s}, {arg_of(map)});
    return w.apply(rise::map::high, {isa_array(w, padded->type()).size, s, t}, {f}, {padded});
}

} // namespace

void register_vector_rules(PluginBuilder& p) {
    p.axiom("%rise.after").rewrite(rewrite_after);
    p.axiom("%rise.tail").rewrite(rewrite_tail);
    p.axiom("%rise.beforeMap").rewrite(rewrite_before_map);
    p.axiom("%rise.beforeMapReduce").rewrite(rewrite_before_map_reduce);
    p.axiom("%rise.vectorReduce").rewrite(rewrite_vector_reduce);
    p.axiom("%rise.padEmptyBeforeMap").rewrite(rewrite_pad_empty_before_map);
}

} // namespace mim::plug::rise
