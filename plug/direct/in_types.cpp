// SPDX-License-Identifier: MIT
// See in_types.h. Normalizers keep such expressions equal to what they stand for: where the arguments are known, `f a` may be evaluated
// when it is built, and `(a, b)#i` may be an element.
#include "in_types.h"

#include <algorithm>
#include <unordered_set>

#include "backend/emit.h"
#include "eval/machine.h"
#include "facts.h"
#include "ir/def_set.h"
#include "kit/match.h"
#include "kit/selective.h"
#include "lift.h"
#include "style.h"

namespace mim::plug::direct {

namespace {

/// An unknown element of a tuple of values of one type.
bool is_choice(const Def* def) {
    auto extract = def->isa<Extract>();
    if (!extract || extract->index()->isa<Lit>() || !is_term(def)) return false;
    auto tuple = extract->tuple()->isa<Tuple>();
    return tuple && tuple->type()->isa<Arr>() && !tuple->type()->is_mut();
}

/// A `match` of a value.
bool is_match(const Def* def) { return def->isa<Match>() && is_term(def) && !def->type()->isa<Bot>(); }

/// Whether def is a closed call that makes a package with types in it.
bool makes_types(World& w, const Def* def) { return is_direct_call(def) && is_closed(w, def) && holds_types(def->type()); }

/// So many calls are unfolded to find a package: recursion may have no end.
constexpr int max_unfolded = 1000;

/// The package that a closed call makes, with the types in it, if unfolding says which one; else null. No code computes types, and
/// a closed type is the same in every function: whatever mentions the call mentions the package instead.
const Def* known_package(World& w, const Def* def) {
    if (!makes_types(w, def)) return nullptr;
    for (int i = 0; i != max_unfolded && makes_types(w, def); ++i) {
        auto call = def->as<App>();
        auto lam  = call->callee()->isa<Lam>();
        if (!lam || !lam->is_set()) return nullptr;
        def = w.beta(lam, call->arg());
    }
    return def->isa<Tuple>();
}

/// It makes a token, or consumes one, so it must not be evaluated again.
bool is_effect(World& w, const Def* def) {
    auto app   = def->isa<App>();
    auto match = def->isa<Match>();
    auto arg   = app ? app->arg() : match ? match->scrutinee() : nullptr;
    return w.token_types().is_token(def) || (arg && w.token_types().is_token(arg));
}

/// A package stays as it is. But a closed value is mentioned by closed types, which are the same in every function: no function
/// evaluates it for them.
bool is_evaluated_before(World& w, const Def* def) {
    if (is_effect(w, def)) return true;
    if (!holds_package(def->type()) || known_package(w, def)) return false;
    return !is_closed(w, def) || holds_types(def->type());
}

bool is_control(const Def* def) { return is_choice(def) || is_direct_call(def) || is_match(def); }

/*
 * construction
 */

/// λ (x: T) = U, where U may mention the variable of the function type.
const Def* codomain(World& w, const Pi* pi) {
    auto level = w.pi(pi->dom(), w.star());
    auto lam   = w.mut_lam(level);
    auto codom = pi->var() ? w.subst(pi->codom(), pi->var(), lam->var()) : pi->codom();
    w.set(lam, w.tt(), codom);
    return w.seal(lam);
}

const Def* by_need(World&, const Def* value, const Def* arg);

bool calls_itself(const Lam* lam) {
    std::unordered_set<const Def*> seen;
    std::vector<const Def*> todo{lam->body()};
    while (!todo.empty()) {
        auto def = todo.back();
        todo.pop_back();
        if (def == lam) return true;
        if (def->isa<Var>() || !seen.insert(def).second) continue;
        for (auto op : def->ops())
            if (op) todo.push_back(op);
    }
    return false;
}

/// An operation with the value of `f arg`.
const Def* make_axiom_call(World& w, const Def* f, const Def* arg) {
    auto pi    = f->type()->as<Pi>();
    auto types = w.tuple({pi->dom(), codomain(w, pi)});
    auto cps   = w.call<ds2cps_dep>(types, f);
    return pi->is_mut() ? w.call<call_dep>(types, cps, arg) : w.call<direct::call>(cps, arg);
}

/// The body of a function that does not call itself takes the place of the call, for a type may mention a function that refers to
/// the type's own variable: that has no code. The call of a closed function for elements stays, since a tuple may have
/// another type.
const Def* make_call(World& w, const Def* f, const Def* arg) {
    if (auto package = known_package(w, w.app(f, arg))) return by_need(w, package, arg);
    auto lam      = f->isa<Lam>();
    bool has_code = lam && is_closed(w, lam) && has_elements(lam->pi()->codom());
    bool stays    = !lam || !lam->is_set() || has_code || calls_itself(lam);
    auto value    = stays ? nullptr : w.beta(lam, arg);
    return value ? by_need(w, value, arg) : make_axiom_call(w, f, arg);
}

const Def* make_choice(World& w, const Extract* extract) { return w.call<choose>(w.tuple({extract->tuple(), extract->index()})); }

const Def* make_match(World&, const Match*);

/// The result of a call, in which everything is evaluated by need but its argument: that is outside of the function.
class ByNeed : public Rewriter {
public:
    ByNeed(World& world, const Def* arg)
        : Rewriter(world) {
        keep(arg);
    }

protected:
    const Def* rewrite_imm(const Def* def) override {
        if (is_effect(world(), def)) return def;
        auto now = Rewriter::rewrite_imm(def);
        if (is_choice(now)) return make_choice(world(), now->as<Extract>());
        if (is_match(now)) return make_match(world(), now->as<Match>());
        auto app = is_direct_call(now) ? now->as<App>() : nullptr;
        return app ? make_call(world(), app->callee(), app->arg()) : now;
    }
    /// The body of a function is not evaluated here.
    const Def* rewrite_mut(const Def* def) override { return def->isa<Lam>() ? def : Rewriter::rewrite_mut(def); }

private:
    void keep(const Def* arg) {
        if (known(arg)) return;
        map(arg, arg);
        if (!arg->isa<Tuple>()) return;
        for (auto elem : arg->ops()) keep(elem);
    }
};

/// The arms are evaluated by the function, which is called if its value is asked for.
const Def* make_match(World& w, const Match* match) {
    auto lifted = lift(w, match);
    return make_axiom_call(w, lifted.function, lifted.arg);
}

const Def* by_need(World& w, const Def* value, const Def* arg) { return ByNeed(w, arg).rewrite(value); }

/*
 * normalizers
 */

/// Whether `value`, what f makes of arg, is the `match` that is the body of f, with the same question.
bool is_undecided(World& w, const Def* f, const Def* arg, const Def* value) {
    auto lam   = f->isa<Lam>();
    auto body  = lam && lam->is_set() ? lam->body()->isa<Match>() : nullptr;
    auto match = value->isa<Match>();
    return body && match && match->scrutinee() == w.subst(body->scrutinee(), lam->var(), arg);
}

/*
 * what types mention
 */

class InTypes : public SelectiveRewriter {
public:
    explicit InTypes(PhaseContext& c)
        : SelectiveRewriter(c) {
        for (auto def : program().nodes()) {
            if (auto app = def->isa<App>()) look_into_domain(app);
            if (is_term(def)) look_into(def->type());
            else if (def->type() && def->type()->isa<Sort>()) look_into(def);
        }
    }

protected:
    bool wants(const Def* def) override { return found_.contains(def); }

    const Def* rewrite_imm(const Def* def) override {
        if (!found_.contains(def)) return SelectiveRewriter::rewrite_imm(def);
        if (auto app = def->isa<App>()) {
            auto callee = rewrite(app->callee());
            return make_call(world(), callee, rewrite(app->arg()));
        }
        auto now = SelectiveRewriter::rewrite_imm(def);
        if (is_match(now)) return make_match(world(), now->as<Match>());
        if (is_choice(now)) return make_choice(world(), now->as<Extract>());
        return by_need(world(), now, world().unit()); // one of the arms, once it is known which one
    }

private:
    /// The types that a function wants, for this argument: what has the type ⦃f n⦄ may be `f n` itself.
    void look_into_domain(const App* app) {
        auto pi    = app->callee()->type()->isa<Pi>();
        auto sigma = pi ? pi->dom()->isa<Sigma>() : nullptr;
        if (!sigma || !sigma->var()) return;
        for (auto type : sigma->ops())
            if (is_free_in(world(), sigma->var(), type)) look_into(world().subst(type, sigma->var(), app->arg()));
    }

    /// What made a token is evaluated where the token is used, and a package before the type is asked for: a type mentions the results, and
    /// no operand.
    void look_into(const Def* type) {
        if (seen_.contains(type)) return;
        std::vector<const Def*> todo{type};
        while (!todo.empty()) {
            auto def = todo.back();
            todo.pop_back();
            if (def->isa<Var>() || !seen_.insert(def)) continue;
            if (auto lam = def->isa<Lam>(); lam && lam->is_set() && is_term(lam->body())) continue;
            if (world().token_types().is_token(def)) continue;
            if (is_control(def) && is_evaluated_before(world(), def)) continue;
            if (is_control(def)) found_.insert(def);
            for (auto op : def->ops())
                if (op) todo.push_back(op);
        }
    }

    DefSet seen_, found_;
};

/*
 * values
 */

/// f (x, stop)
eval::Value mean_call(eval::Machine& m, const Def*) {
    auto x = m.group(m.num_groups() - 1);
    return m.call_cps(m.force(m.group(m.num_groups() - 2)), &x);
}

eval::Value mean_choose(eval::Machine& m, const Def*) {
    auto n              = m.size(m.group(0));
    auto [elems, index] = m.elems<2>(m.group(2));
    return m.force(m.elem(elems, m.num(index), n));
}

backend::Value emit_call(backend::Emit& e, const Def* app) {
    auto call = app->as<App>();
    return e.call_function(call->callee()->as<App>()->arg(), call->arg());
}

/// A branch to the element.
backend::Value emit_choose(backend::Emit& e, const Def* app) {
    auto& w    = e.world();
    auto arg   = app->as<App>()->arg();
    auto elems = w.extract(arg, 0);
    auto index = e.emit(w.extract(arg, 1));
    auto type  = e.type(app->type());
    auto n     = uint64_t(lit_arity(w, elems->type()));
    if (!index || !type) return e.emit(w.extract(elems, 0));
    auto chosen = e.new_block("chosen");
    std::vector<std::pair<backend::Value, backend::Block>> incoming;
    auto choose = [&](uint64_t i) {
        auto value = e.emit_inside(w.extract(elems, i), app->type());
        incoming.emplace_back(value, e.current());
        e.jump(chosen);
    };
    for (uint64_t i = 0; i + 1 != n; ++i) {
        auto element = e.new_block("element"), other = e.new_block("other");
        e.branch(e.cmp(backend::Cmp::Eq, index, e.int_const(e.type_of(index), i)), element, other);
        e.enter(element);
        choose(i);
        e.enter(other);
    }
    choose(n - 1);
    e.enter(chosen);
    return e.phi(type, incoming);
}

} // namespace

void evaluate_in_types_by_need(PhaseContext& c) { InTypes(c).run(); }

/// call (ds2cps f) a ▷ f a, if that is no call any more
const Def* normalize_call(const Redex& redex) {
    auto cps = match<ds2cps_dep>(arg_of(redex.callee));
    if (!cps) return nullptr;
    auto value = redex.w.app(cps.arg(), redex.arg);
    auto app   = value->isa<App>();
    bool waits = (app && app->callee() == cps.arg()) || is_undecided(redex.w, cps.arg(), redex.arg, value);
    return waits ? nullptr : by_need(redex.w, value, redex.arg);
}

/// choose (t, i) ▷ t#i, if that is no choice any more
const Def* normalize_choose(const Redex& redex) {
    auto value = redex.w.extract(redex.elem(0), redex.elem(1));
    return is_choice(value) ? nullptr : value;
}

void register_in_types(PluginBuilder& p) {
    p.axiom("%direct.call").by_need().token_free().meaning(mean_call).emit("llvm", emit_call);
    p.axiom("%direct.call_dep").by_need().token_free().meaning(mean_call).emit("llvm", emit_call);
    p.axiom("%direct.choose").by_need().token_free().meaning(mean_choose).emit("llvm", emit_choose);
}

} // namespace mim::plug::direct
