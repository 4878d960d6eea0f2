// SPDX-License-Identifier: MIT
// Operations that take functions, such as those of `tensor`. Values that the functions refer to become an argument: `op g x`
// is `%autodiff.lift_with op (λ c. g) (c, x)`. So the operation has a derivative like any other one, which its plugin
// registers, and in which `c` is an argument, too.
//
// The parts of `c` are values, not variables, as captures are in reverse mode: the largest expressions in the
// functions that depend on nothing in these. In an arm of a choice only variables and their elements are such, since
// nothing must be computed that the program does not ask for.
#include <unordered_set>

#include "calls.h"
#include "ir/questions.h"
#include "ir/rewrite.h"

namespace mim::plug::autodiff {

namespace {

/// Finds what functions refer to.
class Captures {
public:
    Captures(World& world, const std::unordered_set<const Def*>& outside)
        : world_(world)
        , outside_(outside) {}

    DefVec of(const Def* functions) {
        bind(functions);
        visit({functions});
        visit(std::exchange(arms_, {}), true);
        return result_;
    }
    /// All variables that are bound in the functions.
    void bind(const Def* functions) {
        DefVec work{functions};
        std::unordered_set<const Def*> seen;
        while (!work.empty()) {
            auto def = work.back();
            work.pop_back();
            if (!def || def->isa<Var>() || !seen.insert(def).second || is_closed(world_, def)) continue;
            if (def->is_mut() && def->var()) bound_.insert(def->var());
            work.insert(work.end(), def->ops().begin(), def->ops().end());
        }
    }
    /// Whether the functions call one around this operation, which then is one of them, too.
    bool are_around(const Def* operation) const {
        return std::ranges::any_of(free_vars(world_, operation), [&](auto var) { return bound_.contains(var); });
    }

private:
    /// It depends on what is differentiated, and on nothing in the functions.
    bool is_invariant(const Def* def) {
        auto vars        = free_vars(world_, def);
        auto is_inside   = [&](const Def* var) { return bound_.contains(var); };
        auto is_constant = [&](const Def* var) { return outside_.contains(var); };
        return !std::ranges::all_of(vars, is_constant) && std::ranges::none_of(vars, is_inside);
    }

    static bool is_element(const Def* def) {
        while (auto extract = def->isa<Extract>()) def = extract->tuple();
        return def->isa<Var>();
    }

    void visit(DefVec work, bool is_in_arm = false) {
        while (!work.empty()) {
            auto def = work.back();
            work.pop_back();
            if (!def || is_closed(world_, def) || !def->type() || is_type(def) || match<stop>(def)) continue;
            if (!visited_.insert(def).second) continue;
            bool is_value = is_plain(world_, def->type()) && !has_no_tangent(world_, def->type());
            if (is_value && is_invariant(def) && (!is_in_arm || is_element(def))) {
                result_.push_back(def);
                continue;
            }
            auto choice    = def->isa<Extract>();
            bool is_choice = choice && choice->tuple()->isa<Tuple>() && !isa_lit(choice->index());
            if (is_choice && !is_in_arm) {
                arms_.insert(arms_.end(), choice->tuple()->ops().begin(), choice->tuple()->ops().end());
                work.push_back(choice->index());
                continue;
            }
            if (auto match = def->isa<Match>(); match && !is_in_arm) {
                arms_.insert(arms_.end(), match->arms().begin(), match->arms().end());
                work.push_back(match->scrutinee());
                continue;
            }
            if (auto lam = def->isa<Lam>()) work.push_back(lam->body());
            else work.insert(work.end(), def->ops().begin(), def->ops().end());
        }
    }

    World& world_;
    const std::unordered_set<const Def*>& outside_;
    std::unordered_set<const Def*> bound_, visited_;
    DefVec result_, arms_;
};

class Lift : public Rewriter {
public:
    Lift(World& world, const Def* f)
        : Rewriter(world) {
        auto vars = free_vars(world, f);
        outside_.insert(vars.begin(), vars.end());
    }

private:
    const Def* rewrite_imm(const Def* def) override {
        if (auto operation = lifted_inside(def)) return rewrite(operation);
        auto result = def->isa<Pack>() ? lifted_array(def->as<Pack>()) : lifted(def);
        return result ? rewrite(result) : Rewriter::rewrite_imm(def);
    }
    const Def* rewrite_mut(const Def* def) override {
        auto result = def->isa<Pack>() ? lifted_array(def->as<Pack>()) : nullptr;
        return result ? rewrite(result) : Rewriter::rewrite_mut(def);
    }

    /// The operation itself, if a derivative inside of this one has lifted it: there, what it refers to around that
    /// was constant.
    const Def* lifted_inside(const Def* def) {
        bool is_lifted = match<lift>(def) || match<lift_with>(def);
        if (!is_lifted || made_.contains(def) || Captures(world(), outside_).of(group(def, 2)).empty()) return nullptr;
        auto undo = match<lift>(def) ? unlifted : unlifted_with;
        return undo(world(), group(def, 1), group(def, 2), group(def, 3));
    }

    /// Of an array that has no expression for each element. Null: it has, or nothing in it is differentiated.
    const Def* lifted_array(const Pack* pack) {
        auto& w      = world();
        auto arr     = pack->type()->isa<Arr>();
        bool is_told = !arr || arr->is_mut() || elements(w, pack);
        if (is_told || !is_plain(w, arr->body()) || has_no_tangent(w, arr->body())) return nullptr;
        auto element = w.mut_lam(w.pi(w.idx(arr->arity()), arr->body()));
        auto body    = pack->is_mut() ? w.subst(pack->body(), pack->var(), element->var()) : pack->body();
        w.set(element, w.tt(), body);
        auto f        = w.seal(element);
        auto captures = Captures(w, outside_).of(f);
        if (captures.empty()) return nullptr;
        auto c      = w.tuple(captures);
        auto types  = w.tuple({c->type(), f->type(), arr});
        auto array  = w.apply<autodiff::array>({arr->arity(), arr->body()});
        auto result = w.app(w.apply<lift>(types, array, abstracted(f, captures, c->type())), c);
        made_.insert(result);
        w.notes.set_place(result, w.notes.place(pack));
        return result;
    }

    /// It is a constant here. A derivative around this one may depend on it, and on what its functions refer to.
    bool is_outside(const Def* def) {
        return std::ranges::all_of(free_vars(world(), def), [&](auto var) { return outside_.contains(var); });
    }

    /// Null: the operation takes no functions, or nothing in it is differentiated, or nobody has said what its
    /// derivative is.
    const Def* lifted(const Def* def) {
        auto& w      = world();
        auto axm     = def->isa<App>() ? head_axiom(def) : nullptr;
        auto n       = axm ? num_groups(def) : 0;
        bool is_own  = axm && is_of_plugin<ad>(axm->axiom()) && !is_tag<accumulate>(axm->axiom());
        bool is_full = axm && num_params(axm->type()) == n && n >= 2 && !is_own;
        if (!is_full || !is_plain(w, def->type()) || has_no_tangent(w, def->type()) || is_outside(def)) return nullptr;
        bool is_last = holds_function(w, arg_of(def)->type());
        auto callee  = is_last ? def : callee_of(def);
        if (!holds_function(w, arg_of(callee)->type())) return nullptr;
        bool is_dependent = def->as<App>()->callee()->type()->is_mut() || callee_of(callee)->type()->is_mut();
        if (is_dependent) return nullptr;
        auto functions = arg_of(callee);
        Captures found(w, outside_);
        auto captures = found.of(functions);
        if (found.are_around(def)) return nullptr; // each copy of the functions would have the operation again
        auto c     = w.tuple(captures);
        auto g     = abstracted(functions, captures, c->type());
        auto types = DefVec{c->type(), functions->type()};
        if (!is_last) types.push_back(arg_of(def)->type());
        types.push_back(def->type());
        auto op = is_last ? w.apply<lift>(w.tuple(types), callee_of(callee), g)
                          : w.apply<lift_with>(w.tuple(types), callee_of(callee), g);
        if (match<ad>(w.apply<ad>(op->type(), op))) return nullptr;
        auto result = w.app(op, is_last ? c : w.tuple({c, arg_of(def)}));
        made_.insert(result);
        w.notes.set_place(result, w.notes.place(def));
        return result;
    }

    const Def* part_of(const Def* tuple, size_t i, size_t n) { return n == 1 ? tuple : world().extract(tuple, i); }

    /// The part of `c` that a captured value is, in which all that has no tangent stays outside: types mention it.
    const Def* with_constants(const Def* captured, const Def* part) {
        auto& w = world();
        if (has_no_tangent(w, captured->type())) return captured;
        auto tuple = captured->type()->isa<Sigma>();
        if (!tuple || tuple->is_mut()) return part;
        return w.tuple(
            def_vec(tuple->num_ops(), [&](auto i) { return with_constants(w.extract(captured, i), w.extract(part, i)); }));
    }

    /// λ c = functions
    const Def* abstracted(const Def* functions, const DefVec& captures, const Def* type) {
        auto& w   = world();
        auto made = w.mut_lam(w.pi(type, functions->type()));
        Rewriter replace(w);
        for (size_t i = 0; i != captures.size(); ++i)
            replace.map(captures[i], with_constants(captures[i], part_of(made->var(), i, captures.size())));
        w.set(made, w.tt(), replace.rewrite(functions));
        return w.seal(made);
    }

    std::unordered_set<const Def*> outside_, made_; ///< constant variables; what was lifted here
};

} // namespace

bool calls_around(World& w, const Def* operation) {
    std::unordered_set<const Def*> none;
    Captures found(w, none);
    found.bind(arg_of(operation));
    return found.are_around(operation);
}

bool is_differentiated_lifted(World& w, const Def* operation) {
    auto pi   = operation->type()->isa<Pi>();
    auto last = operation->isa<App>();
    if (!pi || pi->is_mut() || !last || last->callee()->type()->is_mut()) return false;
    if (!is_plain(w, pi->dom()) || !is_plain(w, pi->codom()) || has_no_tangent(w, pi->codom())) return false;
    auto functions = arg_of(operation);
    auto g         = w.mut_lam(w.pi(w.unit_type(), functions->type()));
    w.set(g, w.tt(), functions);
    auto types = w.tuple({w.unit_type(), functions->type(), pi->dom(), pi->codom()});
    auto whole = w.apply<lift_with>(types, callee_of(operation), w.seal(g));
    return !match<ad>(w.apply<ad>(whole->type(), whole));
}

const Def* lifted(World& w, const Def* f) { return Lift(w, f).rewrite(f); }

const Def* unlifted(World& w, const Def* operation, const Def* g, const Def* c) {
    auto functions = w.app(g, c);
    auto axm       = head_axiom(operation);
    if (axm && is_tag<autodiff::array>(axm->axiom())) return array_of(w, elem(w, group(operation, 0), 0), functions);
    return w.app(operation, functions);
}

const Def* unlifted_with(World& w, const Def* operation, const Def* g, const Def* cx) {
    auto [c, x] = elems<2>(w, cx);
    return w.app(w.app(operation, w.app(g, c)), x);
}

} // namespace mim::plug::autodiff
