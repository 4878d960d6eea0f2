// SPDX-License-Identifier: MIT
// Rules that no pattern says.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "core/annexes.h"
#include "elevate/run/terms.h"
#include "eval/machine.h"
#include "kit/build.h"
#include "kit/match.h"
#include "print.h"
#include "rise/annexes.h"
#include "strategy.h"
#include "terms/scalars.h"

namespace mim::plug::rise {

namespace {

bool is_data(const Def* term) { return term->type() && !term->type()->isa<Pi>() && !is_type(term); }

const Def* rewrite_id_after(World& w, const Def*, const Def* at, std::string& why) {
    if (is_data(at)) return w.apply<id>({at->type()}, {at});
    why = "a function is no data";
    return nullptr;
}

const Def* rewrite_dfnf(World& w, const Def*, const Def* at, std::string&) { return eta_long(w, at); }

// ---- fission

/// A way from the body of a function to the one part below that has its variable, over and over.
class Chain {
public:
    Chain(World& world, const Lam* f)
        : w(world)
        , f_(f) {
        auto def = f->body();
        while (def != f->var()) {
            elevate::Below below(w, def, {});
            auto place = place_in(below);
            if (place == below.size()) break;
            levels_.push_back({def, place});
            def = below.at(place);
        }
        end_ = def;
    }

    /// Terms between the body and the variable, each of which could be handed from one map to the next.
    size_t num_cuts() const { return levels_.empty() ? 0 : levels_.size() - (end_ == f_->var()); }
    /// Why there is no cut.
    std::string refusal() const {
        if (!is_free_in(w, f_->var(), f_->body())) return "the function of the `map` does not use its argument";
        bool is_step = end_ == f_->var();
        return is_step ? "the function of the `map` is one step"
                       : "`" + print_short(w, f_->var()) + "` is also in a part that stays";
    }
    /// Term `i`, from the body, which is none of them, inwards.
    const Def* cut(size_t i) const { return i == levels_.size() ? end_ : levels_[i].def; }
    /// The function that makes term `outer` of term `inner`, or, if that is one more than there are, of the variable.
    const Def* step(size_t outer, size_t inner) const {
        auto from = inner > num_cuts() ? f_->var() : cut(inner);
        auto lam  = w.mut_lam(w.pi(from->type(), cut(outer)->type()));
        w.notes.copy_info(f_, lam);
        auto body = inner > num_cuts() ? w.subst(cut(outer), f_->var(), lam->var()) : lam->var();
        for (auto i = inner > num_cuts() ? outer : inner; i-- > outer;) {
            elevate::Below below(w, levels_[i].def, {});
            body = below.replace(levels_[i].place, body);
        }
        w.set(lam, w.tt(), body);
        return w.seal(lam);
    }

private:
    struct Level {
        const Def* def;
        size_t place;
    };
    /// Their number if it is in several parts, or in a function.
    size_t place_in(const elevate::Below& below) const {
        auto place = below.size();
        for (size_t i = 0; i != below.size(); ++i) {
            if (!is_free_in(w, f_->var(), below.at(i))) continue;
            bool is_other = place != below.size() || below.is_function(i);
            if (is_other) return below.size();
            place = i;
        }
        return place;
    }

    World& w;
    const Lam* f_;
    std::vector<Level> levels_;
    const Def* end_ = nullptr; ///< the variable, or a term that has it in several parts
};

/// `*f → *g₁ >> … >> *gₙ`, where the body of f is cut at these terms, from the outermost inwards.
template<class Choose>
const Def* fission(World& w, const Def* at, std::string& why, Choose choose) {
    auto app    = match<map>(map::high, at);
    auto [f, x] = app ? std::pair(mim::group(at, 1)->isa<Lam>(), app.arg()) : std::pair<const Lam*, const Def*>();
    if (!f) {
        why = "`" + print_short(w, at) + "` is no `map` of a function";
        return nullptr;
    }
    Chain chain(w, f);
    if (chain.num_cuts() == 0) {
        why = chain.refusal();
        return nullptr;
    }
    std::vector<size_t> cuts = choose(chain.num_cuts());
    auto size                = elem(w, mim::group(at, 0), 0);
    auto result              = x;
    auto inner               = chain.num_cuts() + 1;
    cuts.insert(cuts.begin(), 0);
    for (size_t i = cuts.size(); i-- != 0; inner = cuts[i]) {
        auto g  = chain.step(cuts[i], inner);
        auto pi = g->type()->as<Pi>();
        result  = w.apply(map::high, {size, pi->dom(), pi->codom()}, {g}, {result});
    }
    return result;
}

const Def* rewrite_last_fission(World& w, const Def*, const Def* at, std::string& why) {
    return fission(w, at, why, [](size_t) { return std::vector<size_t>{1}; });
}

const Def* rewrite_first_fission(World& w, const Def*, const Def* at, std::string& why) {
    return fission(w, at, why, [](size_t n) { return std::vector<size_t>{n}; });
}

const Def* rewrite_full_fission(World& w, const Def*, const Def* at, std::string& why) {
    return fission(w, at, why, [](size_t n) {
        std::vector<size_t> all;
        for (size_t i = 1; i <= n; ++i) all.push_back(i);
        return all;
    });
}

// ---- reductions

/// An operator that is known to be associative.
struct Operator {
    const Def* axiom = nullptr; ///< null: it is none
    bool is_sum = false, is_product = false;
};

Operator operator_of(World& w, const Def* term) {
    if (auto app = match<number>(term)) {
        auto op       = number(app.sub());
        bool is_known = op == number::add || op == number::mul || op == number::min || op == number::max;
        if (is_known) return {w.annex(op), op == number::add, op == number::mul};
    }
    if (auto app = match<logic>(term)) return {w.annex(logic(app.sub()))};
    return {};
}

/// The literal 0 or 1 of its type.
bool is_written_as(World& w, const Def* def, uint64_t n) {
    if (auto own = match<rise::unsigned_>(def)) return mim::value(elem(w, own.arg(), 1)) == n;
    auto lit = isa_lit(def);
    if (!lit) return false;
    auto type = scalar_of(def->type());
    if (type.kind != ScalarType::Float) return lit->value() == n;
    uint64_t one = type.bits == 16 ? 0x3c00u : type.bits == 32 ? 0x3f800000u : 0x3ff0000000000000u;
    return lit->value() == (n == 0 ? 0 : one);
}

/// As in types: an element of an idempotent operator may be taken twice.
bool is_unit(World& w, const Operator& op, const Def* e) {
    if (op.is_sum) return is_written_as(w, e, 0);
    return !op.is_product || is_written_as(w, e, 1);
}

const Def* rewrite_reduce_map_fission(World& w, const Def*, const Def* at, std::string& why) {
    auto app   = match<reduce_seq>(reduce_seq::loop, at);
    auto outer = app ? mim::group(at, 2)->isa<Lam>() : nullptr;
    auto inner = outer ? outer->body()->isa<Lam>() : nullptr;
    auto op    = inner ? operator_of(w, inner->body()) : Operator();
    if (!op.axiom) {
        why = "`" + print_short(w, at) + "` is no `reduceSeq` of an operator that is known to be associative";
        return nullptr;
    }
    auto e      = mim::group(at, 3);
    auto left   = inner->body()->as<App>()->callee()->as<App>()->arg();
    auto right  = inner->body()->as<App>()->arg();
    bool splits = left == outer->var() && !is_free_in(w, outer->var(), right);
    if (!splits || !is_unit(w, op, e)) {
        why = splits ? "`" + print_short(w, e) + "` is not known to be the unit of the operator"
                     : "the operator does not combine the accumulator with a value of the element";
        return nullptr;
    }
    auto [n, s, t] = elems<3>(w, mim::group(at, 1));
    auto x         = app.arg();
    auto type      = t;
    auto g         = w.mut_lam(w.pi(inner->dom(), type));
    w.notes.copy_info(inner, g);
    w.set(g, w.tt(), w.subst(right, inner->var(), g->var()));
    auto mapped      = right == inner->var() ? x : w.apply(map::high, {n, s, t}, {w.seal(g)}, {x});
    bool is_of_types = op.axiom->type()->as<Pi>()->is_implicit();
    auto f           = is_of_types ? w.app(op.axiom, type) : op.axiom;
    return w.apply<rise::reduce>({n, t}, {eta_long(w, f)}, {e}, {mapped});
}

/// p, where the length is k^p.
const Def* exponent_of(World& w, const Def* length, uint64_t k) {
    if (auto power = match<nat>(nat::pow, length)) {
        auto [base, exponent] = elems<2>(w, power.arg());
        return mim::value(base) == k ? exponent : nullptr;
    }
    auto n     = mim::value(length);
    bool is_in = n && *n != 0;
    if (!is_in) return nullptr;
    uint64_t p = 0, rest = *n;
    for (; rest % k == 0; rest /= k) ++p;
    return rest == 1 ? w.lit_nat(p) : nullptr;
}

const Def* rewrite_tree_reduce(World& w, const Def* strategy, const Def* at, std::string& why) {
    auto app = match<rise::reduce>(at);
    auto k   = mim::value(strategy->as<App>()->arg());
    if (!app || !k || *k < 2) {
        why = app ? "it makes one element of 2 at least" : "`" + print_short(w, at) + "` is no `reduce`";
        return nullptr;
    }
    auto [n, t] = elems<2>(w, mim::group(at, 0));
    auto p      = exponent_of(w, n, *k);
    if (!p) {
        why = "`" + print_short(w, n) + "` is not known to be a power of " + std::to_string(*k);
        return nullptr;
    }
    auto element = t;
    auto f = mim::group(at, 1), e = mim::group(at, 2);
    auto width = w.lit_nat(*k);
    auto array = [&](const Def* size, const Def* of) { return w.apply<Arr>({size, of}); };
    auto block = w.mut_lam(w.pi(array(width, element), element));
    w.set(block, w.tt(), w.apply<rise::reduce>({width, element}, {f}, {e}, {block->var()}));
    auto total = w.seal(block);
    auto step  = [&](const Def* l) {
        auto longer = array(w.call(core::nat::mul, {l, width}), element);
        auto lam    = w.mut_lam(w.pi(longer, array(l, element)));
        auto blocks = w.apply<rise::split>({width}, {l, element}, {lam->var()});
        w.set(lam, w.tt(), w.apply(map::high, {l, array(width, element), element}, {total}, {blocks}));
        return w.seal(lam);
    };
    auto pi    = w.mut_pi(w.nat());
    auto codom = step(pi->var())->type();
    auto sizes = w.mut_lam(w.seal(pi, codom));
    w.set(sizes, w.tt(), step(sizes->var()));
    auto one    = w.lit_nat(1);
    auto result = w.apply<rise::iterate>({p}, {one, width, element}, {w.seal(sizes)}, {app.arg()});
    auto first  = w.apply<lidx>({w.lit_nat(0), one});
    return w.apply<rise::idx>({one, element}, {first}, {result});
}

/// A number of steps of which nothing says that it is 1 or more.
bool may_be_none(World& w, const Def* steps) {
    if (mim::value(steps)) return false;
    auto sum = match<core::nat>(core::nat::add, steps);
    if (!sum) return true;
    auto is_some = [&](uint64_t i) { return mim::value(elem(w, sum.arg(), i)).value_or(0) > 0; };
    return !is_some(0) && !is_some(1);
}

/// If there are no steps, the array has as many elements as the result, each a row of `n ^ k`, which is 1, elements.
const Def* rewrite_iterate_or_first(World& w, const Def*, const Def* at, std::string& why) {
    auto app = match<rise::iterate>(at);
    auto k   = app ? mim::group(at, 0) : nullptr;
    if (!app || !may_be_none(w, k)) {
        why = app ? "it is known that there are `" + print_short(w, k) + "` steps, and not none"
                  : "`" + print_short(w, at) + "` is no `iterate`";
        return nullptr;
    }
    auto [m, n, t] = elems<3>(w, mim::group(at, 1));
    auto element   = t;
    auto x         = app.arg();
    auto width     = w.apply(nat::pow, {n, k});
    auto row       = w.apply<Arr>({width, element});
    auto rows      = w.apply<rise::split>({width}, {m, element}, {x});
    auto f         = w.mut_lam(w.pi(w.apply<Index>({m}), element));
    auto chosen    = w.apply<rise::idx>({m, row}, {f->var()}, {rows});
    auto zero      = w.apply<lidx>({w.lit_nat(0), width});
    w.set(f, w.tt(), w.apply<rise::idx>({width, element}, {zero}, {chosen}));
    auto first   = w.apply<rise::generate>({m, element}, {w.seal(f)});
    auto is_none = w.apply(compare::eq, {w.nat()}, {k}, {w.lit_nat(0)});
    return w.apply<rise::select>({at->type()}, {is_none}, {first}, {at});
}

// ---- names

/// The first term below, from the outside, that applies this axiom and speaks of nothing that is bound around it.
class CommonPart {
public:
    CommonPart(World& world, const Def* head, const Def* at)
        : w(world)
        , head_(head) {
        for (auto var : free_vars(w, at)) outer_.insert(var);
        find(at);
    }

    const Def* part() const { return part_; }
    const Def* replaced(const Def* at, const Def* now) {
        if (is_same(at)) return now;
        if (auto known = replaced_.find(at); known != replaced_.end()) return known->second;
        elevate::Below below(w, at, {});
        DefVec all;
        for (size_t i = 0; i != below.size(); ++i) all.push_back(replaced(below.at(i), now));
        return replaced_[at] = below.rebuild(all);
    }

private:
    void find(const Def* at) {
        elevate::Below below(w, at, {});
        for (size_t i = 0; i != below.size() && !part_; ++i) {
            auto child = below.at(i);
            if (!seen_.insert(child).second) continue;
            if (is_it(child)) part_ = child;
            else find(child);
        }
    }
    bool applies(const Def* def) const {
        auto axiom = saturated_axiom(def);
        return axiom && axiom == head_;
    }
    /// Functions that were written twice are different nodes.
    bool is_same(const Def* def) const { return def == part_ || (applies(def) && equal(w, def, part_)); }
    bool is_it(const Def* def) const {
        return applies(def) && std::ranges::all_of(free_vars(w, def), [&](auto var) { return outer_.contains(var); });
    }

    World& w;
    const Def* head_;
    const Def* part_ = nullptr;
    std::unordered_set<const Def*> outer_, seen_;
    std::unordered_map<const Def*, const Def*> replaced_;
};

const Def* rewrite_common_part(World& w, const Def* strategy, const Def* at, std::string& why) {
    CommonPart common(w, head_axiom(arg_of(strategy)), at);
    auto part = common.part();
    if (!part || !is_data(at)) {
        why = "no such part of `" + print_short(w, at) + "` is the same wherever functions inside are called";
        return nullptr;
    }
    auto lam = w.mut_lam(w.pi(part->type(), at->type()));
    w.set(lam, w.tt(), common.replaced(at, lam->var()));
    return w.apply<rise::let>({part->type(), at->type()}, {part}, {w.seal(lam)});
}

// ---- windows

const Def* rewrite_slide_tile(World& w, const Def* strategy, const Def* at, std::string& why) {
    auto app = match<rise::slide>(at);
    if (!app) {
        why = "`" + print_short(w, at) + "` is no `slide`";
        return nullptr;
    }
    auto [size_def, step_def] = elems<2>(w, mim::group(at, 0));
    auto size = mim::value(size_def), step = mim::value(step_def), tile = mim::value(strategy->as<App>()->arg());
    bool is_known = size && step && tile && *step != 0;
    bool fits     = is_known && *tile >= *size && (*tile - *size) % *step == 0;
    if (!fits) {
        why = is_known ? "a tile of " + std::to_string(*tile) + " elements is not full of windows of " + std::to_string(*size)
                             + ", each " + std::to_string(*step) + " behind the one before"
                       : "the lengths of windows and tiles are literals";
        return nullptr;
    }
    DefVec windows{w.lit_nat((*tile - *size) / *step)};
    for (auto rule : w.rules.on_request("slideTileBy")) {
        bool is_own = rule->plugin.view() == "rise";
        if (!is_own) continue;
        if (auto result = w.rules.fire_at(*rule, at, windows)) return result;
    }
    why = "the windows of `" + print_short(w, at) + "` are not known to be full tiles";
    return nullptr;
}

} // namespace

bool is_commutative_with(World& w, const Def* f, const Def* e) {
    auto outer = isa_known(f);
    auto inner = outer ? isa_known(outer->body()) : nullptr;
    auto op    = inner ? operator_of(w, inner->body()) : Operator();
    if (!op.axiom) return false;
    auto left = inner->body()->as<App>()->callee()->as<App>()->arg(), right = inner->body()->as<App>()->arg();
    bool is_applied = (left == outer->var() && right == inner->var()) || (right == outer->var() && left == inner->var());
    return is_applied && is_unit(w, op, e);
}

void register_strategies(PluginBuilder& p) {
    register_vector_rules(p);
    p.axiom("%rise.idAfter").rewrite(rewrite_id_after);
    p.axiom("%rise.mapLastFission").rewrite(rewrite_last_fission);
    p.axiom("%rise.mapFirstFission").rewrite(rewrite_first_fission);
    p.axiom("%rise.mapFullFission").rewrite(rewrite_full_fission);
    p.axiom("%rise.reduceMapFission").rewrite(rewrite_reduce_map_fission);
    p.axiom("%rise.treeReduce").rewrite(rewrite_tree_reduce);
    p.axiom("%rise.iterateOrFirst").rewrite(rewrite_iterate_or_first);
    p.axiom("%rise.slideTile").rewrite(rewrite_slide_tile);
    p.axiom("%rise.subexpressionElimination").rewrite(rewrite_common_part);
    p.axiom("%rise.dfnf").rewrite(rewrite_dfnf);
    p.axiom("%rise.by").meaning([](eval::Machine& m, const Def*) { return m.group(2); });
}

} // namespace mim::plug::rise
