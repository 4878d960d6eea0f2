// SPDX-License-Identifier: MIT
// Matching goes under the variables of functions and packs. There it is that of Miller's patterns: a pattern variable
// that is applied to distinct bound variables stands for what is found in its place, as a function of these, and for
// nothing else that is bound (D. Miller, "A logic programming language with lambda-abstraction, function variables, and
// simple unification", 1991). A pattern variable alone stands for what mentions no bound variable at all.
#include "ir/rule_match.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "ir/impl.h"
#include "ir/size_equations.h"

namespace mim {

size_t num_vars(World& world, const RewriteRule& rule) {
    auto n = lit_arity(world, rule.binder->dom());
    return n < 0 ? 1 : static_cast<size_t>(n);
}

namespace {

/// λ y. f y ▷ f, else null.
const Def* contract(World& world, const Def* def) {
    auto lam = def->isa<Lam>();
    if (!lam || lam->is_waiting()) return nullptr;
    auto app    = lam->body()->isa<App>();
    auto var    = lam->var()->isa<Var>();
    bool is_eta = app && var && app->arg() == var && !is_free_in(world, var, app->callee());
    return is_eta ? app->callee() : nullptr;
}

/// Both look alike to whoever calls them: what is evaluated at once in one of them is in the other.
bool have_one_filter(const Lam* a, const Lam* b) { return a->filter() == b->filter() && a->filter()->isa<Lit>(); }

class RuleMatch {
public:
    RuleMatch(World& world, const RewriteRule& rule, Defs params, Mismatch* why)
        : world_(world)
        , rule_(rule)
        , var_(rule.binder->var())
        , sizes_(world, rule)
        , params_(params)
        , why_(why)
        , found_(num_vars(world, rule), nullptr) {
        forget();
    }

    const Def* run(const Def* def) {
        bool matches = match_all(def) || (meets_type_ && match_values_first(def));
        if (!matches || !are_all_known()) return nullptr;
        auto args = world_.tuple(found_);
        for (auto [pattern, type] : types_) {
            auto expected = world_.subst(pattern, var_, args);
            if (!equal(world_, expected, type)) return fail(Mismatch::Pattern, expected, type), nullptr;
        }
        auto dom        = rule_.binder->dom();
        bool is_fitting = have_types_of_variables() || assignable(world_, dom, args)
                          || (world_.token_types().hidden_here(dom, args) && fits_each(dom, args));
        if (!is_fitting) return explain_type(args), nullptr;
        auto holds = rule_.when ? world_.rules.conditions().of(rule_, found_, args) : world_.tt();
        if (holds != world_.tt()) return fail(Mismatch::Condition, rule_.when, holds), nullptr;
        return args;
    }

private:
    /// A variable that the pattern binds, and the one that the instance binds in its place.
    struct Bound {
        const Def *pattern, *instance;
    };

    /// Remembers the first reason.
    bool fail(Mismatch::Kind kind, const Def* expected, const Def* found) {
        if (why_ && !is_explained_) *why_ = {kind, expected, found};
        is_explained_ = true;
        return false;
    }
    void forget() {
        std::ranges::fill(found_, nullptr);
        std::ranges::copy(params_, found_.begin());
        types_.clear();
        bound_.clear(), entered_.clear();
        equations_.clear();
        is_explained_ = false;
    }
    bool are_all_known() {
        auto open = std::ranges::find(found_, nullptr);
        return open == found_.end()
               || fail(Mismatch::Unknown, sizes_.variable(static_cast<size_t>(open - found_.begin())), nullptr);
    }
    void explain_type(const Def* args) {
        auto dom = rule_.binder->dom();
        for (size_t i = 0; i < found_.size() && why_; ++i) {
            auto type = found_.size() == 1 ? dom : elem_type(world_, dom, args, world_.lit_idx(found_.size(), i));
            if (!assignable(world_, type, found_[i])) fail(Mismatch::Type, type, found_[i]);
        }
        fail(Mismatch::Type, dom, args);
    }
    bool match_all(const Def* def) { return match(rule_.lhs, def) && solve_sizes(); }

    /// A type may be computed from what the variables stand for: `«s; T»` is `«n, m; F64»` for a shape `s`. Such a
    /// type says nothing of them, and is compared when all are known.
    bool match_values_first(const Def* def) {
        forget();
        are_types_later_ = true;
        if (!match_all(def)) return false;
        are_types_later_ = false;
        for (auto [pattern, type] : types_) {
            auto before = found_;
            equations_.clear();
            if (!match(pattern, type) || !solve_sizes()) found_ = before;
        }
        is_explained_ = false;
        return true;
    }

    /*
     * sizes
     */
    /// Whether this part of the left side is an equation. Below binders it is matched as it is written.
    bool is_equation(const Def* pattern) const { return bound_.empty() && SizeEquations::is_size(pattern); }

    /// What the equations leave open is matched as it is written: `a · b` at `n · m`.
    bool solve_sizes() {
        while (!equations_.empty()) {
            sizes_.solve(equations_, found_);
            for (auto& [pattern, def] : equations_) {
                auto now = sizes_.with(pattern, found_);
                if (!is_free_in(world_, var_, now) && !equal(world_, now, def)) return fail(Mismatch::Size, now, def);
            }
            std::erase_if(equations_, [&](auto& e) { return !is_free_in(world_, var_, sizes_.with(e.pattern, found_)); });
            if (equations_.empty()) return true;
            auto [pattern, def] = equations_.front();
            equations_.erase(equations_.begin());
            if (match_parts(pattern, def)) continue;
            is_explained_ = false;
            return fail(Mismatch::Size, sizes_.with(pattern, found_), def);
        }
        return true;
    }

    /// The usual case, which needs no new types: each value has the type that its variable was declared with.
    bool have_types_of_variables() const {
        auto dom   = rule_.binder->dom();
        auto sigma = dom->isa<Sigma>();
        if (found_.size() == 1) return found_[0]->type() == dom;
        for (size_t i = 0; i != found_.size(); ++i) {
            bool has_type = sigma && sigma->num_ops() == found_.size() && is_now(sigma->op(i), sigma->var(), found_[i]->type());
            if (!has_type) return false;
        }
        return true;
    }
    /// Whether `pattern` is `def` where the elements of `var` are what was found. It may be so though the answer is no.
    bool is_now(const Def* pattern, const Def* var, const Def* def) const {
        if (!pattern->has(Def::HasDep)) return pattern == def;
        auto ex    = pattern->isa<Extract>();
        auto index = ex && ex->tuple() == var ? isa_lit(ex->index()) : nullptr;
        if (index) return found_[index->value()] == def;
        bool is_alike = pattern->node() == def->node() && pattern->num_ops() == def->num_ops() && !pattern->is_mut()
                        && !def->is_mut();
        if (!is_alike || pattern->isa<Var>()) return false;
        for (size_t i = 0; i != pattern->num_ops(); ++i)
            if (!is_now(pattern->op(i), var, def->op(i))) return false;
        return true;
    }

    /// All groups of a rule are one Σ here, but nobody makes a value of it: what would hide a token in it does not.
    bool fits_each(const Def* dom, const Def* args) {
        for (size_t i = 0; i < found_.size(); ++i)
            if (!assignable(world_, elem_type(world_, dom, args, world_.lit_idx(found_.size(), i)), found_[i])) return false;
        return true;
    }

    /*
     * pattern variables
     */
    bool bind(size_t i, const Def* def) {
        if (mentions_bound(def)) return fail(Mismatch::Pattern, sizes_.variable(i), def);
        if (found_[i]) return equal(world_, found_[i], def) || fail(Mismatch::Pattern, found_[i], def);
        found_[i] = def;
        return true;
    }
    /// The tuple of all variables in order is the variable of the binder.
    bool bind_all(const Def* def) {
        if (lit_arity(world_, def->type()) != static_cast<int64_t>(found_.size())) return false;
        for (size_t i = 0; i < found_.size(); ++i)
            if (!bind(i, world_.extract(def, i))) return false;
        return true;
    }
    /// The number of this pattern variable; one that none has, if it is no pattern variable.
    size_t variable(const Def* pattern) const {
        if (pattern == var_ && found_.size() == 1) return 0;
        auto ex    = pattern->isa<Extract>();
        auto index = ex && ex->tuple() == var_ ? isa_lit(ex->index()) : nullptr;
        return index ? index->value() : found_.size();
    }

    /*
     * bound variables
     */
    bool mentions_bound(const Def* def) {
        return std::ranges::any_of(bound_, [&](auto& b) { return is_free_in(world_, b.instance, def); });
    }
    /// The pattern with the variables that the instance binds in place of its own.
    const Def* renamed(const Def* pattern) {
        for (auto& b : bound_)
            if (is_free_in(world_, b.pattern, pattern)) pattern = world_.subst(pattern, b.pattern, b.instance);
        return pattern;
    }
    /// The bound variable that this is, or a part of; else null.
    const Bound* bound_part(const Def* pattern) const {
        if (auto ex = pattern->isa<Extract>(); ex && isa_lit(ex->index())) pattern = ex->tuple();
        auto found = std::ranges::find(bound_, pattern, &Bound::pattern);
        return found != bound_.end() ? &*found : nullptr;
    }
    static bool contains(const std::vector<const Def*>& all, const Def* def) { return std::ranges::find(all, def) != all.end(); }
    static std::vector<const Def*> parts(const Def* arg) {
        if (!arg->isa<Tuple>()) return {arg};
        return {arg->ops().begin(), arg->ops().end()};
    }
    /// Whether the arguments of this application are bound variables, or parts of such, none of them twice.
    bool takes_bound(const Def* app) const {
        std::vector<const Def*> used;
        for (; app->isa<App>(); app = app->as<App>()->callee()) {
            for (auto part : parts(app->as<App>()->arg())) {
                auto whole    = bound_part(part);
                bool is_again = whole && (contains(used, part) || contains(used, whole->pattern));
                if (!whole || is_again) return false;
                used.push_back(part);
            }
        }
        auto is_covered = [&](const Def* part) {
            auto whole = bound_part(part)->pattern;
            return whole != part && contains(used, whole);
        };
        return std::ranges::none_of(used, is_covered);
    }
    /// `def` where `part`, a variable or an element of one, is `value`.
    const Def* replace(const Def* def, const Def* part, const Def* value) {
        auto ex = part->isa<Extract>();
        if (!ex) return world_.subst(def, part, value);
        auto whole = ex->tuple();
        std::vector<const Def*> elems;
        auto n = static_cast<uint64_t>(lit_arity(world_, whole->type()));
        for (uint64_t i = 0; i < n; ++i) elems.push_back(world_.extract(whole, world_.lit_idx(n, i)));
        elems[isa_lit(ex->index())->value()] = value;
        return world_.subst(def, whole, world_.tuple(elems));
    }
    const Def* replace_all(const Def* def, const Def* arg, const Def* value) {
        auto all = parts(arg);
        if (all.size() == 1 && !arg->isa<Tuple>()) return replace(def, arg, value);
        for (uint64_t i = 0; i < all.size(); ++i)
            def = replace(def, all[i], world_.extract(value, world_.lit_idx(all.size(), i)));
        return def;
    }
    /// The function of `arg`, which are variables that the instance binds, whose result is `def`.
    const Def* abstract(const Def* def, const Def* arg) {
        if (auto app = def->isa<App>(); app && app->arg() == arg) {
            auto all     = parts(arg);
            auto is_free = [&](const Def* part) {
                auto ex = part->isa<Extract>();
                return is_free_in(world_, ex ? ex->tuple() : part, app->callee());
            };
            if (std::ranges::none_of(all, is_free)) return app->callee();
        }
        auto pi    = world_.mut_pi(arg->type());
        auto codom = replace_all(def->type(), arg, pi->var());
        auto lam   = world_.mut_lam(world_.seal(pi, codom));
        world_.set(lam, lam->is_cn() ? world_.ff() : world_.tt(), replace_all(def, arg, lam->var()));
        return world_.seal(lam);
    }
    bool bind_function(size_t i, const Def* pattern, const Def* def) {
        for (; pattern->isa<App>(); pattern = pattern->as<App>()->callee())
            def = abstract(def, renamed(pattern->as<App>()->arg()));
        return bind(i, def);
    }

    /*
     * patterns
     */
    bool match(const Def* pattern, const Def* def) {
        if (auto i = variable(pattern); i < found_.size()) return bind(i, def);
        if (pattern == var_) return bind_all(def);
        auto bound = std::ranges::find(bound_, pattern, &Bound::pattern);
        if (bound != bound_.end()) return bound->instance == def || fail(Mismatch::Pattern, pattern, def);
        if (!is_free_in(world_, var_, pattern))
            return equal(world_, renamed(pattern), def) || fail(Mismatch::Pattern, pattern, def);
        if (is_equation(pattern)) return equations_.push_back({pattern, def}), true;
        if (is_type(pattern)) {
            meets_type_ = true;
            if (are_types_later_) return types_.emplace_back(renamed(pattern), def), true;
        }
        return match_parts(pattern, def) || fail(Mismatch::Pattern, pattern, def);
    }
    bool match_parts(const Def* pattern, const Def* def) {
        if (auto res = match_function(pattern, def)) return *res;
        // a tuple pattern sees through packs and any other value of its arity
        if (pattern->isa<Tuple>() && !def->isa<Tuple>()) {
            if (lit_arity(world_, def->type()) != static_cast<int64_t>(pattern->num_ops())) return false;
            for (size_t i = 0; i < pattern->num_ops(); ++i)
                if (!match(pattern->op(i), world_.extract(def, i))) return false;
            return true;
        }
        if (auto pack = pattern->isa<Pack>(); pack && pack->is_mut()) return match_packs(pack, def);
        if (auto pack = pattern->isa<Pack>(); pack && is_only_element(def)) return match_only_element(pack, def);
        if (pattern->node() != def->node() || pattern->num_ops() != def->num_ops() || pattern->is_mut() || def->is_mut())
            return false;
        if (!is_declared(pattern) && type_is_operand(pattern) && !match(pattern->type(), def->type())) return false;
        for (size_t i = 0; i < pattern->num_ops(); ++i)
            if (!match(pattern->op(i), def->op(i))) return false;
        return true;
    }
    /// A function, or what a pattern variable makes of bound variables; nothing if the pattern is neither.
    std::optional<bool> match_function(const Def* pattern, const Def* def) {
        if (pattern->isa<App>() && !bound_.empty()) {
            auto head = pattern;
            while (head->isa<App>()) head = head->as<App>()->callee();
            auto i = variable(head);
            if (i < found_.size() && takes_bound(pattern)) return bind_function(i, pattern, def);
        }
        auto lam = pattern->isa<Lam>();
        if (lam && def->isa<Lam>()) return match_lams(lam, def->as<Lam>());
        if (auto callee = lam ? contract(world_, lam) : nullptr) return match(callee, def);
        if (auto callee = pattern->isa<App>() ? contract(world_, def) : nullptr) return match(pattern, callee);
        return {};
    }
    bool match_lams(const Lam* pattern, const Lam* def) {
        auto entered = std::ranges::find(entered_, pattern, &std::pair<const Lam*, const Lam*>::first);
        if (entered != entered_.end()) return entered->second == def; // it calls itself
        if (pattern->is_waiting() || def->is_waiting() || !have_one_filter(pattern, def)) return false;
        bool is_plain = !pattern->type()->is_mut() && !def->type()->is_mut();
        bool has_type = is_plain ? match(pattern->type(), def->type()) : match(pattern->dom(), def->dom());
        if (!has_type) return false;
        entered_.emplace_back(pattern, def);
        bool res = match_below({pattern->var(), def->var()}, pattern->body(), def->body());
        entered_.pop_back();
        return res;
    }
    bool match_packs(const Pack* pattern, const Def* def) {
        auto pack = def->isa<Pack>();
        if (!pack || !pack->is_mut()) return match_elements(pattern, def);
        if (!match(pattern->arity(), pack->arity())) return false;
        return match_below({pattern->var(), pack->var()}, pattern->body(), pack->body());
    }
    /// `‹1; x›` is `x`.
    bool is_only_element(const Def* def) { return !def->isa<Pack>() && lit_arity(world_, def->type()) == 1; }
    bool match_only_element(const Pack* pattern, const Def* def) {
        return match(pattern->arity(), world_.lit_nat(1)) && match(pattern->body(), def);
    }
    /// `‹i: n; f i›` at a tuple, at equal elements, or at the only one, which such a pack is where n is a small literal or f is
    /// constant: f is the function from an index to the element there. The elements say nothing of any other body.
    bool match_elements(const Pack* pattern, const Def* def) {
        auto app      = pattern->body()->isa<App>();
        auto i        = app && app->arg() == pattern->var() ? variable(app->callee()) : found_.size();
        auto arr      = def->type()->isa<Arr>();
        bool is_alone = is_only_element(def);
        bool is_list  = (def->isa<Tuple>() || def->isa<Pack>()) && arr && !arr->is_mut();
        if (i >= found_.size() || (!is_alone && !is_list)) return false;
        auto size = is_alone ? world_.lit_nat(1) : arr->arity();
        if (!match(pattern->arity(), size)) return false;
        auto lam = world_.mut_lam(world_.pi(world_.idx(size), is_alone ? def->type() : arr->body()));
        world_.set(lam, world_.tt(), world_.extract(def, lam->var()));
        return bind(i, world_.seal(lam));
    }
    /// `bound`: the variables that these bodies are below of. The one value of a type has none.
    bool match_below(const Bound& bound, const Def* pattern, const Def* def) {
        bool are_variables = bound.pattern->isa<Var>() && bound.instance->isa<Var>();
        if (!are_variables) return bound.pattern == bound.instance && match(pattern, def);
        bound_.push_back(bound);
        bool res = match(pattern, def);
        bound_.pop_back();
        return res;
    }

    World& world_;
    const RewriteRule& rule_;
    const Def* var_;
    SizeEquations sizes_;
    Defs params_;
    Mismatch* why_;
    bool is_explained_ = false;
    std::vector<const Def*> found_;
    std::vector<SizeEquations::Equation> equations_;
    std::vector<Bound> bound_;                               ///< outermost first
    std::vector<std::pair<const Lam*, const Lam*>> entered_; ///< functions of the pattern and of the instance
    std::vector<std::pair<const Def*, const Def*>> types_;   ///< patterns of types, and what they have to match
    bool meets_type_      = false;
    bool are_types_later_ = false;
};

} // namespace

/// No part of `RuleTable::apply`, whose frame is small: rules fire in the results of rules, thousands deep.
[[gnu::noinline]] const Def* match_rule(World& world, const RewriteRule& rule, const Def* app, Defs params, Mismatch* why) {
    return RuleMatch(world, rule, params, why).run(app);
}

} // namespace mim
