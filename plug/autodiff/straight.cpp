// SPDX-License-Identifier: MIT
#include "straight.h"

#include "autodiff/diagnostics.h"
#include "calls.h"
#include "core/annexes.h"
#include "direct/annexes.h"
#include "ir/questions.h"

namespace mim::plug::autodiff {

static bool is_function(const Def* type) {
    auto pi = type->isa<Pi>();
    return pi && pi->is_cn() && continuation_style(pi);
}
static bool is_continuation(const Def* type) {
    auto pi = type->isa<Pi>();
    return pi && pi->is_cn();
}

const Def* Straight::convert(const Def* f) {
    auto& w   = world();
    auto vars = free_vars(w, f);
    outside_.insert(vars.begin(), vars.end());
    const Def* result = nullptr;
    auto lam          = isa_known(f);
    if (is_continuation(f->type())) {
        result = function(f);
    } else if (lam) {
        result = rewrite(lam);
    } else {
        auto made = w.mut_lam(f->type());
        w.set(made, w.tt(), w.app(f, made->var()));
        result = rewrite(w.seal(made));
    }
    w.close(made_);
    return w.refresh(result);
}

Lam* Straight::new_function(const Def* pi, const Lam* like) {
    auto& w   = world();
    auto made = w.mut_lam(pi);
    w.notes.copy_info(like, made);
    w.set_filter(made, like->filter() == w.tt() ? w.tt() : w.ff());
    made_.push_back(made);
    return made;
}

template<class F>
const Def* Straight::choice(const Extract* extract, F f) {
    auto tuple = elements(world(), extract->tuple());
    if (!tuple) fail(world(), diag::unknown_callee(extract), extract);
    return world().extract(world().tuple(map_defs(*tuple, f)), rewrite(extract->index()));
}

/*
 * functions
 */

/// Fn T → U as T → U.
const Def* Straight::function(const Def* f) {
    if (match<direct::ds2cps_dep>(f)) return rewrite(arg_of(f));
    if (auto lam = isa_known(f)) return known_function(lam);
    if (auto extract = f->isa<Extract>()) return choice(extract, [&](auto element) { return function(element); });
    if (auto other = unfolded(f)) return function(other);
    if (head_axiom(f)) fail(world(), diag::not_covered(f, takes_active_function), f);
    fail(world(), diag::unknown_callee(f), f);
}

const Def* Straight::known_function(const Lam* lam) {
    auto& w           = world();
    auto [at, is_new] = functions_.try_emplace(lam);
    auto& f           = at->second;
    if (!is_new) return f.made;
    auto types = continuation_style(lam->pi());
    if (!types) fail(w, diag::not_covered(lam, "it has more than one continuation to return to"), lam);
    f.old    = lam;
    f.result = rewrite(types->second);
    f.made   = new_function(w.pi(rewrite(types->first), f.result), lam);
    auto var = lam->var();
    map(w.extract(var, 0), f.made->var());
    f.returns           = w.extract(var, 1);
    returns_[f.returns] = vars_[var] = &f;
    auto around                      = std::exchange(current_, &f);
    auto body                        = value_of(lam->body());
    current_                         = around;
    w.set_body(f.made, body);
    return f.made;
}

bool Straight::refers_to_outside_only(const Def* def) {
    return std::ranges::all_of(free_vars(world(), def), [&](auto var) { return outside_.contains(var); });
}

/// An operation that takes functions, as its plugin writes it with others; null if that says nothing, or if the operation
/// has a derivative of its own. That may keep arrays, whose sizes must not depend on what is computed in the function; and what it refers
/// to is all that it depends on, which is not so where its functions call one around it.
const Def* Straight::unfolded(const Def* operation) {
    auto axm         = head_axiom(operation);
    bool needs_one   = axm && num_params(axm->type()) == num_groups(operation) + 1;
    bool is_function = needs_one && !last_codom(operation->type())->isa<Sort>();
    if (!is_function || level(world(), operation->type()) != 0) return nullptr;
    bool is_same_size = operation->isa<App>() && refers_to_outside_only(callee_of(operation));
    bool stays        = is_same_size && is_differentiated_lifted(world(), operation);
    if (stays && !calls_around(world(), operation)) return nullptr;
    if (auto counted = this->counted(operation)) return counted;
    auto result = world().apply<unfold>(operation->type(), operation);
    return match<unfold>(result) ? nullptr : result;
}

/// A loop over memory as one that counts its turns; null: it is none, or a turn leaves it early.
const Def* Straight::counted(const Def* operation) {
    auto turn  = operation->isa<App>() ? isa_known(arg_of(operation)) : nullptr;
    auto types = turn ? continuation_style(turn->pi()) : std::nullopt;
    if (!types || !is_loop_over_memory(types->second) || leaves(turn)) return nullptr;
    auto result = world().apply<count>(operation->type(), operation);
    return match<count>(result) ? nullptr : result;
}

/*
 * continuations
 */

/// The result of the function that ends with this jump.
const Def* Straight::value_of(const Def* jump) {
    auto& w = world();
    if (match<core::pe>(jump)) return value_of(arg_of(jump));
    if (auto app = jump->isa<App>(); app && !app->is_mut()) return value_of_call(app);
    if (auto match = jump->isa<Match>())
        return w.match(rewrite(match->scrutinee()), map_defs(match->arms(), [&](auto arm) { return continuation(arm); }));
    fail(w, diag::not_covered(jump, "it does not end by a call of a continuation"), current_->old);
}

const Def* Straight::value_of_call(const App* app) {
    auto& w     = world();
    auto callee = app->callee();
    if (match<core::pe>(callee)) callee = arg_of(callee);
    if (!is_function(callee->type())) return go_on(callee, rewrite(app->arg()));
    auto [x, k] = elems<2>(w, app->arg());
    if (auto other = unfolded(callee)) callee = other;
    auto lam = isa_known(callee);
    if (lam && leaves(lam)) return w.app(leaving(lam, k), rewrite(x));
    return go_on(k, w.app(function(callee), rewrite(x)));
}

const Def* Straight::go_on(const Def* k, const Def* value) { return returns(k) ? value : world().app(continuation(k), value); }

/// Whether this function may go on where the one around it returns to, as the body of a loop that is left early.
bool Straight::leaves(const Lam* lam) {
    auto [at, is_new] = leaves_.try_emplace(lam, false);
    if (!is_new || !current_) return at->second;
    auto& w = world();
    std::vector<const Def*> work{lam->body()};
    std::unordered_set<const Def*> visited;
    while (!work.empty()) {
        auto def = work.back();
        work.pop_back();
        if (is_closed(w, def) || !visited.insert(def).second) continue;
        auto known = returns_.find(def);
        if (known != returns_.end() && is_free_in(w, known->second->old->var(), lam)) return leaves_[lam] = true;
        if (def->isa<Var>()) continue; // a variable does not mean the text of its function
        if (auto inner = def->isa<Lam>()) work.push_back(inner->body());
        else work.insert(work.end(), def->ops().begin(), def->ops().end());
    }
    return false;
}

/// Such a function as a block of the one around it: where it returns to is known.
const Def* Straight::leaving(const Lam* lam, const Def* k) {
    auto& w           = world();
    auto returns      = w.extract(lam->var(), 1);
    auto [at, is_new] = goes_on_.try_emplace(returns, k);
    if (!is_new && at->second != k)
        fail(w,
             diag::not_covered(
                 lam, "it leaves the function around it, and is called in two places: let it return what says how it ended"),
             lam);
    return block(lam);
}

/// The continuation that this one stands for.
const Def* Straight::target(const Def* k) {
    for (auto at = goes_on_.find(k); at != goes_on_.end(); at = goes_on_.find(k)) k = at->second;
    return k;
}

/// Whether it is where the function returns to.
bool Straight::returns(const Def* k) {
    auto known = returns_.find(target(k));
    if (known == returns_.end()) return false;
    if (known->second == current_) return true;
    fail(world(), diag::not_covered(k, "a function inside of this one leaves it: let that return what says how it ended"),
         current_->old);
}

/// Cn T as a function from T to what the function returns.
const Def* Straight::continuation(const Def* k) {
    auto& w = world();
    k       = target(k);
    if (returns(k)) {
        auto made = w.mut_lam(w.pi(current_->result, current_->result));
        w.set(made, w.tt(), made->var());
        return w.seal(made);
    }
    if (auto lam = isa_known(k)) return block(lam);
    if (auto extract = k->isa<Extract>()) return choice(extract, [&](auto element) { return continuation(element); });
    fail(w, diag::not_covered(k, "its text is not known here: choose among continuations where they are called"), current_->old);
}

const Def* Straight::block(const Lam* lam) {
    auto& w           = world();
    auto [at, is_new] = blocks_.try_emplace(lam);
    auto& b           = at->second;
    if (!is_new) {
        if (b.owner == current_) return b.made;
        fail(w, diag::not_covered(lam, "two functions go on with it"), lam);
    }
    b.owner      = current_;
    auto types   = continuation_style(lam->pi());
    bool returns = types && goes_on_.contains(w.extract(lam->var(), 1));
    b.made       = new_function(w.pi(rewrite(returns ? types->first : lam->dom()), current_->result), lam);
    auto made    = b.made;
    if (returns) map(w.extract(lam->var(), 0), made->var());
    else if (auto var = lam->var(); var->isa<Var>()) map(var, made->var());
    w.set_body(made, value_of(lam->body()));
    return made;
}

/*
 * the program
 */

/// A value that does not depend on what is differentiated stays the operation that it is.
bool Straight::is_constant(const Def* def) {
    bool is_value = def->isa<App>() && is_plain(world(), def->type());
    return is_value && refers_to_outside_only(def);
}

const Def* Straight::rewrite_imm(const Def* def) {
    if (is_constant(def)) return def;
    if (match<direct::cps2ds_dep>(def) && is_function(arg_of(def)->type())) return function(arg_of(def));
    if (returns_.contains(def))
        fail(world(), diag::not_covered(def, "this continuation is used as a value: call it where it is known"), def);
    if (auto other = unfolded(def)) return rewrite(other);
    return Rewriter::rewrite_imm(def);
}

const Def* Straight::rewrite_var(const Def* var) {
    auto f = vars_.find(var);
    if (f != vars_.end())
        fail(world(), diag::not_covered(var, "this continuation is used as a value: call it where it is known"), f->second->old);
    return var;
}

const Def* straight(World& w, const Def* f) { return Straight(w).convert(f); }

} // namespace mim::plug::autodiff
