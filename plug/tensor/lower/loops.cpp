// SPDX-License-Identifier: MIT
// See loops.h.
#include "lower/loops.h"

#include <algorithm>
#include <optional>

#include "affine/annexes.h"
#include "analysis/pointee.h"
#include "base/worklist.h"
#include "core/annexes.h"
#include "direct/annexes.h"
#include "ir/rewrite.h"
#include "ir/token_types.h"
#include "kit/build.h"
#include "kit/match.h"
#include "lower/unrolling.h"
#include "math/annexes.h"
#include "mem/annexes.h"
#include "tensor/annexes.h"

namespace mim::plug::tensor {

/*
 * arrays
 */

const Def* Loops::array_type(Defs shape, const Def* type) {
    for (size_t j = shape.size(); j-- != 0;) type = w.arr(shape[j], type);
    return type;
}

const Def* Loops::extract(const Def* array, Defs shape, const Def* type, Defs index) {
    for (size_t j = 0; j != index.size(); ++j) {
        if (is_value(shape[j], 0)) return w.apply<core::absurd>(type, index[j]);
        if (!is_value(shape[j], 1)) array = w.extract(array, index[j]);
    }
    return array;
}

const Def* Loops::insert(const Def* array, Defs shape, Defs index, const Def* value) {
    if (index.empty()) return value;
    auto rest = [&](const Def* row) { return insert(row, shape.subspan(1), index.subspan(1), value); };
    if (is_value(shape[0], 0)) return array;
    if (is_value(shape[0], 1)) return rest(array);
    return w.insert(array, index[0], rest(w.extract(array, index[0])));
}

/*
 * values in the place of others
 */

namespace {

/// Its type is a part of it that its operands do not say.
bool has_own_type(const Def* def) { return def->isa<Lam>() || def->isa<Lit>() || def->isa<Inj>() || def->isa<Tuple>(); }

/// Those of the values that occur in the type.
std::unordered_set<const Def*> mentioned_in(const Def* type, Defs values) {
    std::unordered_set<const Def*> all(values.begin(), values.end()), result;
    Worklist<const Def*> todo{type};
    while (auto def = todo.next()) {
        if (all.contains(def)) {
            result.insert(def);
            continue;
        }
        todo.push_all(def->ops());
        if (has_own_type(def)) todo.push(def->type());
    }
    return result;
}

/// Each behind those that its type mentions.
DefVec in_order_of_types(Defs values) {
    std::unordered_map<const Def*, std::unordered_set<const Def*>> missing;
    for (auto value : values) missing[value] = mentioned_in(value->type(), values);
    DefVec result;
    std::vector<const Def*> rest(values.begin(), values.end());
    auto is_ready = [&](auto value) { return missing[value].empty(); };
    while (true) {
        auto next = std::ranges::find_if(rest, is_ready);
        if (next == rest.end()) return result; // if there are any, each mentions another one: they stay where they are
        auto value = *next;
        rest.erase(next);
        result.push_back(value);
        for (auto other : rest) missing[other].erase(value);
    }
}

} // namespace

/// Touches only what mentions something that is replaced.
class Loops::Replacing : public Rewriter {
public:
    Replacing(World& world, const Binders& own_functions)
        : Rewriter(world)
        , own_functions_(own_functions) {}

    /// Those of the values that can be replaced in the code, in the order of their types: nothing that stays as it is has
    /// one of them in its type. `var`: a variable, parts of which are replaced, too; null: there is none.
    DefVec choose(const DefVec& values, const Def* code, const Def* var = nullptr) {
        auto result = in_order_of_types(values);
        if (result.empty() && var) look_only_for(var, code);
        replaced_.insert(result.begin(), result.end());
        todo_.push(code);
        look_at_parts();
        while (true) {
            mark(result, var);
            auto stay = mentioned_by_what_stays(result);
            if (stay.empty()) return result;
            std::erase_if(result, [&](auto value) { return stay.contains(value); });
            for (auto value : stay) replaced_.erase(value), add_parts(value);
            look_at_parts();
        }
    }

protected:
    bool needs(const Def* def) override { return changes_.contains(def); }

private:
    /// A function that depends on nothing around it is no part of the code, unless it was made for it.
    bool is_elsewhere(const Def* def) { return def->isa<Lam>() && !own_functions_.contains(def) && is_closed(world(), def); }

    /// Nobody looks into a part that is replaced as a whole, or that mentions nothing that changes: all that was
    /// computed before may be in it.
    void look_at_parts() {
        while (auto def = todo_.next())
            if (!replaced_.contains(def) && may_change(def)) add_parts(def);
    }

    /// Nothing is replaced but the variable, and the variables of functions that mention it, whose types may do so.
    void look_only_for(const Def* var, const Def* code) {
        auto vars = free_vars(world(), code);
        stay_.emplace(vars.begin(), vars.end());
        stay_->erase(var);
    }
    bool may_change(const Def* def) {
        auto changes    = [&](const Def* var) { return !stay_->contains(var); };
        auto may_change = [&](const Def* part) { return std::ranges::any_of(free_vars(world(), part), changes); };
        return !stay_ || may_change(def) || (has_own_type(def) && may_change(def->type()));
    }

    void add_parts(const Def* def) {
        if (is_elsewhere(def)) return;
        auto add_user = [&](const Def* part) {
            if (part) users_[part].push_back(def), todo_.push(part);
        };
        if (!def->isa<Var>()) // whose binder may be around the code
            for (auto op : def->ops()) add_user(op);
        auto type = def->type();
        if (has_own_type(def)) add_user(type);
        else if (type && !is_type(def)) typed_.push_back(def), todo_.push(type);
    }

    /// All that has one of these as a part changes.
    void mark(Defs values, const Def* var) {
        changes_.clear();
        std::vector<const Def*> found(values.begin(), values.end());
        if (var) found.push_back(var);
        while (!found.empty()) {
            auto def = found.back();
            found.pop_back();
            if (!changes_.insert(def).second) continue;
            if (def->var()) found.push_back(def->var());
            auto& above = users_[def];
            found.insert(found.end(), above.begin(), above.end());
        }
    }

    std::unordered_set<const Def*> mentioned_by_what_stays(Defs values) const {
        std::unordered_set<const Def*> result;
        for (auto def : typed_)
            if (changes_.contains(def->type()) && !changes_.contains(def)) result.merge(mentioned_in(def->type(), values));
        return result;
    }

    const Binders& own_functions_;
    Worklist<const Def*> todo_;
    std::unordered_set<const Def*> replaced_;
    std::optional<std::unordered_set<const Def*>> stay_; ///< the variables around the code, if only one of them is replaced
    std::unordered_map<const Def*, std::vector<const Def*>> users_;
    std::unordered_set<const Def*> changes_;
    std::vector<const Def*> typed_; ///< what has the type that its operands say
};

/*
 * nests of loops
 */

/// One loop for each extent that is not 1, each in the body of the one before.
class Loops::Nest {
public:
    Nest(Loops& loops, Defs shape, const Def* type)
        : loops_(loops)
        , w(loops.w)
        , type_(type) {
        for (auto extent : shape) add(extent);
    }

    Defs index() const { return index_; }
    /// The value that the innermost loop carries, and the continuation that gets it for the next turn; null if there is no loop.
    const Def* acc() const { return levels_.empty() ? nullptr : levels_.back().acc; }
    const Def* next() const { return levels_.empty() ? nullptr : levels_.back().next; }

    /// The code that runs the loops, whose innermost turn is `turn`, in which `roots` are evaluated. Afterwards `roots` are what the code should
    /// get as arguments.
    const Def* code(const Def* turn, const Def* init, const Def* exit, Roots& roots, Binders& binders);

private:
    struct Level {
        const Def* extent;
        Lam* body;
        const Def *acc, *next;
    };
    DefVec extents_asked_for(size_t d, Defs values);
    void add(const Def* extent) {
        auto index_type = w.idx(extent);
        if (is_value(extent, 1)) return index_.push_back(w.lit_idx(1, 0));
        auto body       = w.mut_lam(w.cn(w.sigma({w.sigma({w.nat(), type_}), w.cn(type_)})));
        auto [in, next] = elems<2>(w, body->var());
        auto [i, acc]   = elems<2>(w, in);
        w.set_filter(body, w.ff());
        index_.push_back(w.call<core::bitcast>(index_type, i));
        levels_.push_back({extent, body, acc, next});
    }

    Loops& loops_;
    World& w;
    const Def* type_;
    std::vector<Level> levels_;
    DefVec index_;
};

const Def* Loops::Nest::code(const Def* turn, const Def* init, const Def* exit, Roots& roots, Binders& binders) {
    for (size_t d = levels_.size(); d-- != 0;) {
        auto& level = levels_[d];
        auto acc    = d == 0 ? init : levels_[d - 1].acc;
        auto next   = d == 0 ? exit : levels_[d - 1].next;
        w.set_body(level.body, turn);
        w.close(std::span(&level.body, 1));
        binders.insert(level.body);
        auto range    = w.tuple({w.lit_nat(0), level.extent, w.lit_nat(1)});
        turn          = w.apply<affine::For>(type_, range, level.body, {acc, next});
        auto same     = loops_.invariants(roots, binders);
        auto asked    = extents_asked_for(d, same);
        bool is_ready = asked.empty() && d == 0; // they are passed to the whole code
        if (!is_ready) turn = loops_.evaluate_before(same, turn, binders);
        for (auto extent : asked) turn = loops_.if_any(extent, turn, w.app(next, acc), binders);
        bool go_out = asked.empty() || d != 0;
        if (go_out) roots = Roots(same.begin(), same.end());
        else roots = loops_.outside(same, init, binders);
    }
    return turn;
}

/// Of this loop and those inside of it: if one of these is 0, the values are not needed, and evaluating one may fail.
DefVec Loops::Nest::extents_asked_for(size_t d, Defs values) {
    DefVec result;
    for (size_t j = levels_.size(); j-- != d;) {
        auto extent = levels_[j].extent;
        bool fails  = std::ranges::any_of(values, [&](auto value) { return loops_.fails_without(value, extent); });
        if (fails) result.push_back(extent);
    }
    return result;
}

/// The code, which gets these values instead of evaluating them again and again.
const Def* Loops::evaluate_before(const DefVec& values, const Def* code, Binders& binders) {
    Replacing replacing(w, binders);
    auto passed = replacing.choose(values, code);
    if (passed.empty()) return code;
    auto con = w.con(type_of_tuple(passed, binders), [&](auto var) {
        for (size_t i = 0; i != passed.size(); ++i) replacing.map(passed[i], element(var, i, passed.size()));
        return replacing.rewrite(code);
    });
    binders.insert(con);
    return w.app(con, w.tuple(passed));
}

/// `code` unless the extent is 0, else `otherwise`.
const Def* Loops::if_any(const Def* extent, const Def* code, const Def* otherwise, Binders& binders) {
    if (auto known = value(extent)) return *known == 0 ? otherwise : code;
    Functions functions(w);
    auto some   = functions.block(code, "some");
    auto none   = functions.block(otherwise, "none");
    auto result = functions.branch(w.call(core::ncmp::e, {extent, w.lit_nat(0)}), none, some);
    functions.close();
    binders.insert(some), binders.insert(none);
    return result;
}

/// The same without a loop, for literal extents that are not 0.
const Def* Loops::turn_by_turn(Defs shape, const Def* acc, const Step& step) {
    if (shape.empty()) return step({}, acc);
    auto n = *value(shape[0]);
    for (uint64_t i = 0; i != n; ++i) {
        acc = turn_by_turn(shape.subspan(1), acc, [&](Defs rest, const Def* last) {
            DefVec index(rest.begin(), rest.end());
            index.insert(index.begin(), w.lit_idx(n, i));
            return step(index, last);
        });
    }
    return acc;
}

/// The value, of the type `result`, that `at_end` makes of what is carried.
const Def* Loops::run(Defs shape, const Def* init, const Def* result, const Step& step, const AtEnd& at_end) {
    if (std::ranges::any_of(shape, [](auto extent) { return is_value(extent, 0); })) return at_end(init);
    Nest nest(*this, shape, init->type());
    if (!nest.acc()) return at_end(step(nest.index(), init));
    auto turn = step(nest.index(), nest.acc());
    Roots roots{turn, init};
    Binders binders;
    bool never_fails = is_total(turn) && is_total(init);
    bool has_token   = w.token_types().contains(init->type());
    auto written_out = never_fails && !has_token ? num_unrolled(w, shape, nest.index(), turn) : 0;
    if (written_out != 0) {
        auto around = shape.first(shape.size() - written_out), inside = shape.last(written_out);
        auto turns = [&](Defs outer, const Def* acc) {
            return turn_by_turn(inside, acc, [&](Defs inner, const Def* last) {
                DefVec index(outer.begin(), outer.end());
                index.insert(index.end(), inner.begin(), inner.end());
                return step(index, last);
            });
        };
        return run(around, init, result, turns, at_end);
    }

    auto draft = w.mut_lam(w.cn(w.sigma({w.unit_type(), w.cn(result)})));
    auto exit  = w.extract(draft->var(), 1);
    auto end   = w.con(init->type(), [&](auto last) { return w.app(exit, at_end(last)); });
    binders.insert(draft), binders.insert(end);
    auto loops = nest.code(w.app(nest.next(), turn), init, end, roots, binders);
    if (has_token) roots = with_effects_before(roots, loops, binders);

    Replacing replacing(w, binders);
    auto values = replacing.choose(roots, loops, draft->var());
    auto args   = type_of_tuple(values, binders);
    auto codom  = w.mut_lam(w.pi(args, w.star()));
    w.set(codom, w.tt(), in_terms_of(codom->var(), values, result, binders));
    auto dom = w.mut_sigma(2);
    w.set(dom, 0, args);
    w.set(dom, 1, w.cn(in_terms_of(w.extract(dom->var(), uint64_t(0)), values, result, binders)));
    auto code  = w.con(w.seal(dom), [&](auto var) {
        auto [tuple, out] = elems<2>(w, var);
        for (size_t i = 0; i != values.size(); ++i) replacing.map(values[i], element(tuple, i, values.size()));
        replacing.map(exit, out);
        return replacing.rewrite(loops);
    });
    auto call  = w.apply<direct::cps2ds_dep>({args, w.seal(codom)}, code);
    auto value = w.app(call, w.tuple(values));
    if (never_fails) return w.call<total>(value);
    return w.apply<over>(w.lit_nat(shape.size()), w.tuple(DefVec(shape.begin(), shape.end())), result, value);
}

const Def* Loops::count(const Def* index) {
    auto cast = match<core::bitcast>(index);
    return cast && cast.arg()->type()->isa<Nat>() ? cast.arg() : w.call<core::bitcast>(w.nat(), index);
}

const Def* Loops::blank(Defs shape, const Def* type) {
    auto whole = array_type(shape, type);
    return whole == w.unit_type() ? w.unit() : w.apply<mem::blank>(whole);
}

/// `acc` after one step for each index of the shape.
const Def* Loops::in_order(Defs shape, const Dims& order, const Def* acc, const Step& step) {
    DefVec extents;
    for (auto d : order) extents.push_back(shape[d]);
    return reduce(extents, acc, [&](Defs turn, const Def* last) {
        DefVec index(order.size());
        for (size_t j = 0; j != order.size(); ++j) index[order[j]] = turn[j];
        return step(index, last);
    });
}

const Def* Loops::array(Defs shape, const Dims& order, const Def* type, const std::function<const Def*(Defs)>& element) {
    return fill(blank(shape, type), shape, order, element);
}

const Def* Loops::fill(const Def* blank, Defs shape, const Dims& order, const std::function<const Def*(Defs)>& element) {
    auto step = [&](Defs index, const Def* acc) { return insert(acc, shape, index, element(index)); };
    return in_order(shape, order, blank, step);
}

const Def* Loops::arrays(Defs shape, const Dims& order, Defs types, const std::function<const Def*(Defs)>& elements) {
    auto step = [&](Defs index, const Def* acc) {
        auto values = elements(index);
        return w.tuple(
            def_vec(types.size(), [&](auto i) { return insert(w.extract(acc, i), shape, index, w.extract(values, i)); }));
    };
    return in_order(shape, order, w.tuple(map_defs(types, [&](auto type) { return blank(shape, type); })), step);
}

const Def* Loops::reduce(Defs shape, const Def* acc, const Step& step) {
    return run(shape, acc, acc->type(), step, [](auto last) { return last; });
}

const Def* Loops::reduce_to_second(Defs shape, const Def* acc, const Step& step) {
    auto second = w.extract(acc, 1)->type();
    return run(shape, acc, second, step, [&](auto last) { return w.extract(last, 1); });
}

/*
 * what is the same in all turns
 */

/// Code in continuation-passing style, called in direct style.
static bool is_code(const Def* def) { return def->isa<App>() && match<direct::cps2ds_dep>(callee_of(def)); }

/// The value of which this is an element, at known places; itself if it is no element.
static const Def* tuple_of(const Def* def) {
    while (def->isa<Extract>() && isa_lit(def->as<Extract>()->index())) def = def->as<Extract>()->tuple();
    return def;
}

/// Something that a function gets, and that may be computed wherever the function is called: what takes time may come to stand in its place. Sizes are
/// in types, so they stay what they are.
bool Loops::is_given(const Def* def) {
    auto var = tuple_of(def);
    if (!var->isa<Var>() || !var->as<Var>()->binder()->isa<Lam>()) return false;
    auto type = def->type();
    auto axm  = type->isa<App>() ? head_axiom(type) : nullptr;
    if (axm) return !axm->axiom().has(Axiom::LinearType) && !axm->axiom().has(Axiom::Pointer);
    return type->isa<Arr>() && !is_type(def) && innermost(type) != w.nat();
}

/// Evaluating it takes more than some instructions, or may do so one day: it calls something.
bool Loops::is_costly(const Def* def) {
    if (is_given(def)) return true;
    if (def->isa<Lam>() || def->isa<Var>() || !def->type() || is_type(def)) return false;
    auto [known, fresh] = costly_.try_emplace(def, false);
    if (!fresh) return known->second;
    auto axm      = head_axiom(def);
    auto app      = def->isa<App>();
    bool is_call  = app && (!axm || is_code(app));
    bool is_loop  = match<affine::fold>(def) || match<direct::fill>(def);
    bool is_check = axm && !match<inside>(def) && saturated_axiom(def) && axm->axiom().has(Axiom::MayTrap)
                    && !axm->axiom().has(Axiom::Speculatable);
    bool result = is_call || is_loop || is_check;
    for (auto op : def->ops()) result |= op && is_costly(op);
    return costly_[def] = result;
}

bool Loops::is_total(const Def* def) {
    if (def->isa<Lam>() || def->isa<Var>() || !def->type() || is_type(def)) return true;
    auto [known, fresh] = total_.try_emplace(def, true);
    if (!fresh) return known->second;
    if (auto loops = match<total>(def)) { // if the values that they get are
        auto code = loops.arg();
        return keep_if_total(def, is_total(is_code(code) ? arg_of(code) : code));
    }
    bool result = !def->isa<App>() || is_total_app(def);
    for (auto op : def->ops()) result = result && (!op || is_total(op));
    return keep_if_total(def, result);
}

/// Whether evaluating it may fail even if this extent is 0.
bool Loops::fails_without(const Def* def, const Def* extent) {
    if (is_total(def)) return false;
    auto loops = match<over>(def);
    if (!loops) return true;
    auto n = value(loops.group(0)).value_or(0);
    for (uint64_t i = 0; i != n; ++i)
        if ((n == 1 ? loops.group(1) : elem(w, loops.group(1), i)) == extent) return false;
    return true;
}

/// This element of what a function returns, or of what each of several functions does; null of a function that is not known.
static DefVec elements_made(World& w, const Def* maker, const Def* index) {
    DefVec result;
    auto choice  = maker->isa<Extract>();
    auto several = choice ? choice->tuple()->isa<Tuple>() : nullptr;
    auto makers  = several ? several->ops() : Defs(&maker, 1);
    for (auto f : makers) {
        auto lam      = f->isa<Lam>();
        bool is_known = lam && lam->is_set() && !lam->is_cn();
        result.push_back(is_known ? w.extract(lam->body(), index) : nullptr);
    }
    return result;
}

/// A call of this, which may be one of several functions, or a function that they have made, such as a pullback: all of
/// them are known, and none comes to call itself.
bool Loops::is_total_callee(const Def* callee) {
    auto extract   = callee->isa<Extract>();
    auto is_callee = [&](auto f) { return f && is_total_callee(f); };
    if (extract && extract->tuple()->isa<Tuple>()) return std::ranges::all_of(extract->tuple()->ops(), is_callee);
    auto call = extract ? extract->tuple()->isa<App>() : nullptr;
    if (call && isa_lit(extract->index()) && !head_axiom(call))
        return std::ranges::all_of(elements_made(w, call->callee(), extract->index()), is_callee);
    auto lam = callee->isa<Lam>();
    if (!lam || !lam->is_set() || lam->is_cn()) return false;
    auto [known, fresh] = total_.try_emplace(lam, false);
    if (!fresh) return known->second;
    return keep_if_total(lam, is_total(lam->body()));
}

/// An expression that is not total yet may be so when all functions in it have their bodies.
bool Loops::keep_if_total(const Def* def, bool result) {
    if (result) total_[def] = true;
    else total_.erase(def);
    return result;
}

/// Code that does nothing but return what is total.
bool Loops::is_total_code(const Def* code) {
    auto lam  = isa_known(code);
    auto jump = lam && lam->is_set() ? lam->body()->isa<App>() : nullptr;
    if (!jump || jump->callee() != w.extract(lam->var(), 1)) return false;
    auto [known, fresh] = total_.try_emplace(lam, false);
    if (!fresh) return known->second;
    return keep_if_total(lam, is_total(jump->arg()));
}

bool Loops::is_total_app(const Def* app) {
    auto axm = head_axiom(app);
    if (is_code(app)) return is_total_code(arg_of(callee_of(app)));
    if (!axm) return is_total_callee(app->as<App>()->callee());
    auto& axiom = axm->axiom();
    if (!saturated_axiom(app) || axiom.has(Axiom::Effect)) return true; // an effect has happened, whoever looks at its value
    if (match<inside>(app)) return true;                                // if what is owed holds
    if (is_of_plugin<math::arith>(axiom)) return !w.checked || is_value(group(app, 1), 0); // what the mode excludes is undefined
    bool may_fail = axiom.has(Axiom::MayTrap) && !axiom.is_speculatable(w.checked);
    return axiom.kind == Axiom::Op && !may_fail;
}

static bool depends_on(World& w, const Def* def, const std::unordered_set<const Def*>& binders) {
    return std::ranges::any_of(free_vars(w, def), [&](auto var) { return binders.contains(var->template as<Var>()->binder()); });
}

/// The parts that are evaluated before anybody asks for extents: those of the values that never fail, since loops around
/// these may have no use for the others, and what the loops begin with, since both ways go on with it.
Loops::Roots Loops::outside(Defs values, const Def* init, const Binders& binders) {
    auto result = invariants({init}, binders);
    for (auto part : invariants(Roots(values.begin(), values.end()), binders, true))
        if (std::ranges::find(result, part) == result.end()) result.push_back(part);
    return Roots(result.begin(), result.end());
}

/// And the effects that happen before the loops, with all that they make: code that is a value holds no token.
Loops::Roots Loops::with_effects_before(const Roots& roots, const Def* loops, const Binders& binders) {
    auto& tokens   = w.token_types();
    auto result    = roots;
    auto all       = free_vars(w, loops);
    auto outer     = std::unordered_set<const Def*>(all.begin(), all.end());
    auto is_before = [&](const Def* def) {
        auto is_outer = [&](auto var) { return outer.contains(var) && !binders.contains(var->template as<Var>()->binder()); };
        return std::ranges::all_of(free_vars(w, def), is_outer);
    };
    std::unordered_set<const Def*> seen;
    std::vector<const Def*> todo{loops};
    while (!todo.empty()) {
        auto def = todo.back();
        todo.pop_back();
        if (!def || !seen.insert(def).second) continue;
        auto whole     = tuple_of(def);
        bool is_made   = whole->isa<App>() && tokens.is_token(whole);
        bool is_token  = whole->isa<Var>() && tokens.is_token(def) && !def->type()->isa<Sigma>();
        bool is_passed = (is_made || is_token) && is_before(def);
        if (!is_passed) todo.insert(todo.end(), def->ops().rbegin(), def->ops().rend());
        else if (std::ranges::find(result, def) == result.end()) result.push_back(def);
    }
    return result;
}

/// The largest costly parts of the roots that depend on none of the binders and are needed wherever the roots are; of
/// these, maybe only parts that never fail.
DefVec Loops::invariants(const Roots& roots, const Binders& binders, bool only_total) {
    DefVec result;
    std::unordered_set<const Def*> seen;
    Roots todo(roots.rbegin(), roots.rend());
    while (!todo.empty()) {
        auto def = todo.back();
        todo.pop_back();
        if (!def || !is_costly(def) || !seen.insert(def).second) continue;
        bool stays      = def->type() == w.nat() || def->type()->isa<Pi>(); // types would change, or known calls become unknown
        bool may_go_out = !only_total || is_total(def);
        if (may_go_out && !def->isa<Tuple>() && !stays && !depends_on(w, def, binders)) {
            result.push_back(def);
            continue;
        }
        auto extract = def->isa<Extract>();
        bool chooses = extract && extract->tuple()->isa<Tuple>() && !isa_lit(extract->index());
        if (chooses) todo.push_back(extract->index());
        else todo.insert(todo.end(), def->ops().rbegin(), def->ops().rend());
    }
    return result;
}

/// The type of the tuple of these values; the types of those behind others may mention these.
const Def* Loops::type_of_tuple(const DefVec& values, const Binders& own) {
    auto types = map_defs(values, [](auto x) { return x->type(); });
    if (std::ranges::all_of(types, [&](auto type) { return mentioned_in(type, values).empty(); })) return w.sigma(types);
    auto result = w.mut_sigma(values.size());
    for (size_t i = 0; i != values.size(); ++i) w.set(result, i, in_terms_of(result->var(), values, types[i], own));
    return w.seal(result);
}

/// The type with the elements of the tuple in the place of these values.
const Def* Loops::in_terms_of(const Def* tuple, const DefVec& values, const Def* type, const Binders& own) {
    auto mentioned = mentioned_in(type, values);
    if (mentioned.empty()) return type;
    Replacing replacing(w, own);
    replacing.choose(DefVec(mentioned.begin(), mentioned.end()), type);
    for (size_t i = 0; i != values.size(); ++i) // an element behind the type has none yet
        if (mentioned.contains(values[i])) replacing.map(values[i], element(tuple, i, values.size()));
    return replacing.rewrite(type);
}

} // namespace mim::plug::tensor
