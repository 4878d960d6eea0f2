// SPDX-License-Identifier: MIT
// The phase autodiff.differentiate, at the extension point `differentiate`: derivatives become ordinary programs. The
// innermost one comes first. What is made here captures nothing whose cotangent anybody asks for, so `Env` holds
// nothing and zeros are numbers.
#include "autodiff.h"
#include "autodiff/diagnostics.h"
#include "calls.h"
#include "ir/rewrite.h"
#include "kit/lower.h"
#include "nested.h"

namespace mim::plug::autodiff {

namespace {

void check_plain(World& w, const Def* types, const Def* at) {
    for (auto type : elems<2>(w, types))
        if (!is_plain(w, type)) fail(w, diag::not_plain(type), at);
}

/// A request of a user.
void check(World& w, const Def* types, const Def* at) {
    check_plain(w, types, at);
    for (auto type : elems<2>(w, types))
        if (has_no_tangent(w, type)) fail(w, diag::nothing_active(type), at);
}

/// (f x, λ s = the cotangent of x), where that stays an operation.
const Def* vjp_by_operation(World& w, const Def* f, const Def* x) {
    auto pi    = f->type()->as<Pi>();
    auto types = w.tuple({pi->dom(), pi->codom()});
    auto back  = w.mut_lam(w.pi(tangent(w, pi->codom()), tangent(w, pi->dom())));
    w.set(back, w.tt(), w.apply<accumulate>(types, f, {x, back->var(), zero_of(w, pi->dom())}));
    return w.tuple({w.app(f, x), w.seal(back)});
}

/// `is_nested`: it is inside of what is differentiated.
const Def* vjp_of(World& w, const Def* f, const Def* x, bool is_nested) {
    auto result = w.app(reversed(w, lifted(w, straight(w, f))), x);
    return is_nested && keeps_pullbacks(w, result) ? vjp_by_operation(w, f, x) : result;
}

const Def* jvp_of(World& w, const Def* types, const Def* f, const Def* xv, bool is_nested) {
    auto [from, to] = elems<2>(w, types);
    if (has_no_tangent(w, from)) return w.tuple({w.app(f, w.extract(xv, 0)), zero_of(w, to)});
    return w.app(forward(w, lifted(w, straight(w, f)), is_nested), xv);
}

const Def* accumulate_by(World& w, const Def* types, const Def* f, const Def* xsa);

/// The result of f, of which functions that it calls last are part, unless they come to call themselves.
const Def* result_of(World& w, const Lam* f) {
    auto result = f->body();
    while (auto app = result->isa<App>()) {
        auto callee = isa_known(app->callee());
        if (!callee || !callee->var()->isa<Var>() || refers_to(w, callee->body(), callee)) break;
        result = w.subst(callee->body(), callee->var(), app->arg());
    }
    return result;
}

/// λ v = acc plus the cotangent of f's argument, by this function that f calls, whose own argument is constant.
const Def* accumulate_arm(World& w, const Def* types, const Lam* f, const Lam* target, const Def* xsa) {
    auto acc  = elem(w, xsa, 2);
    auto made = w.mut_lam(w.pi(target->dom(), acc->type()));
    auto arm  = w.mut_lam(f->pi());
    Rewriter at(w);
    at.map(f->var(), arm->var());
    w.set(arm, w.tt(), at.rewrite(w.app(target, made->var())));
    w.set(made, w.tt(), accumulate_by(w, types, w.seal(arm), xsa));
    return w.seal(made);
}

/// f, of which each call of one of several functions, behind which nothing is left to do, is a choice: what is added to
/// is handed to the one that is chosen. Null: it does something else, or one of them calls f.
const Def* accumulate_choice(World& w, const Def* types, const Lam* f, const Def* xsa) {
    Calls calls(w);
    auto call = calls.find(result_of(w, f));
    if (!call || !call->is_choice() || !f->var()->isa<Var>()) return nullptr;
    bool is_changed = call->is_match() && is_free_in(w, f->var(), call->arg) && !has_no_tangent(w, call->arg->type());
    if (is_changed) return nullptr; // by what is differentiated, so the members are no constants
    auto is_again = [&](const Lam* target) { return refers_to(w, target, f); };
    if (std::ranges::any_of(call->targets, is_again)) return nullptr;
    auto x = elem(w, xsa, 0);
    Rewriter here(w);
    here.map(f->var(), x);
    if (call->is_match()) {
        auto arm = [&](auto target) { return accumulate_arm(w, types, f, target, xsa); };
        return w.match(here.rewrite(call->arg), map_defs(call->targets, arm));
    }
    auto arms = map_defs(call->targets, [&](auto target) -> const Def* {
        auto arm = w.mut_lam(f->pi());
        Rewriter at(w);
        at.map(f->var(), arm->var());
        w.set(arm, w.tt(), at.rewrite(w.app(target, call->arg)));
        auto made = w.mut_lam(w.pi(w.unit_type(), elem(w, xsa, 2)->type()));
        w.set(made, w.tt(), accumulate_by(w, types, w.seal(arm), xsa));
        return w.seal(made);
    });
    return w.app(w.extract(w.tuple(arms), here.rewrite(call->index)), w.unit());
}

const Def* accumulate_by(World& w, const Def* types, const Def* f, const Def* xsa) {
    auto lam = isa_known(f);
    if (lam)
        if (auto choice = accumulate_choice(w, types, lam, xsa)) return choice;
    return w.app(accumulating(w, f, elem(w, xsa, 2)), xsa);
}

const Def* accumulate_of(World& w, const Def* types, const Def* f, const Def* xsa, bool is_nested) {
    auto [from, to]   = elems<2>(w, types);
    auto [x, s, acc]  = elems<3>(w, xsa);
    bool is_unchanged = has_no_tangent(w, from) || has_no_tangent(w, to);
    if (is_unchanged) return acc;
    if (acc == zero_of(w, from)) return w.app(w.extract(vjp_of(w, f, x, is_nested), 1), s);
    auto result = accumulate_by(w, types, lifted(w, straight(w, f)), xsa);
    return is_nested && keeps_pullbacks(w, result) ? w.apply<accumulate>(types, f, xsa) : result;
}

const Def* lower_accumulate(const Lowered& old, bool is_nested) {
    auto [types, f, xsa] = old.groups<3>();
    check_plain(old.world(), types, group(old.app(), 1));
    return accumulate_of(old.world(), types, f, xsa, is_nested);
}

const Def* lower_vjp(const Lowered& old, bool is_nested) {
    auto [types, f, x] = old.groups<3>();
    check(old.world(), types, group(old.app(), 1));
    return vjp_of(old.world(), f, x, is_nested);
}

const Def* lower_jvp(const Lowered& old, bool is_nested) {
    auto [types, f, xv] = old.groups<3>();
    check(old.world(), types, group(old.app(), 1));
    return jvp_of(old.world(), types, f, xv, is_nested);
}

/// Makes the derivatives that a registered derivative asks for.
class Inner : public Rewriter {
public:
    Inner(World& world, const Nested& nested)
        : Rewriter(world)
        , nested_(nested) {}

private:
    const Def* rewrite_imm(const Def* def) override {
        auto axm     = def->isa<App>() ? head_axiom(def) : nullptr;
        bool is_full = axm && is_of_plugin<ad>(axm->axiom()) && num_params(axm->type()) == num_groups(def);
        auto result  = is_full ? made(def) : nullptr;
        return result ? result : Rewriter::rewrite_imm(def);
    }

    /// Null: it is no derivative, and no sum of any.
    const Def* made(const Def* def) {
        auto& w = world();
        if (match<zero>(def)) return is_plain(w, arg_of(def)) ? zero_of(w, rewrite(arg_of(def))) : nullptr;
        if (match<add>(def)) {
            auto [a, b] = elems<2>(w, rewrite(arg_of(def)));
            return is_plain(w, group(def, 0)) ? sum_of(w, rewrite(group(def, 0)), a, b) : nullptr;
        }
        if (!match<vjp>(def) && !match<jvp>(def) && !match<accumulate>(def)) return nullptr;
        auto types = rewrite(group(def, 0)), f = rewrite(group(def, 1)), x = rewrite(group(def, 2));
        check_plain(w, types, group(def, 1));
        bool is_nested = nested_.contains(def);
        if (match<vjp>(def)) return vjp_of(w, f, x, is_nested);
        return match<jvp>(def) ? jvp_of(w, types, f, x, is_nested) : accumulate_of(w, types, f, x, is_nested);
    }

    const Nested& nested_;
};

/// λ x = (y, λ s = (back s, ())) for (y, back) = f' x
const Def* lower_ad(const Lowered& old, bool is_nested) {
    auto& w = old.world();
    auto f  = old.group(1);
    auto pi = f->type()->isa<Pi>();
    if (!pi || pi->is_mut() || pi->is_cn())
        fail(w, diag::not_covered(f, "it is no function in direct style"), group(old.app(), 1));
    check(w, w.tuple({pi->dom(), pi->codom()}), group(old.app(), 1));
    auto env  = w.unit_type();
    auto back = w.pi(tangent(w, pi->codom()), w.sigma({tangent(w, pi->dom()), env}));
    auto made = w.mut_lam(w.pi(pi->dom(), w.sigma({pi->codom(), back})));
    auto pair = vjp_of(w, f, made->var(), is_nested);
    auto last = w.mut_lam(back);
    w.set(last, w.tt(), w.tuple({w.app(w.extract(pair, 1), last->var()), w.unit()}));
    w.set(made, w.tt(), w.tuple({w.extract(pair, 0), w.seal(last)}));
    return w.seal(made);
}

/// A request of a user for a function over memory, or of plain types.
void check_memory(World& w, const Def* types, const Def* at) {
    for (auto type : elems<2>(w, types))
        if (!is_reversible(w, type)) fail(w, diag::not_plain(type), at);
    auto from = elem(w, types, 0);
    if (!changes(w, from)) fail(w, diag::nothing_active(from), at);
}

/// Whether the first thing that k does with (y, back) is to call back, and the last: `λ (y, back) = back (…)`.
Applied applied_by(World& w, const Def* k) {
    auto lam  = isa_known(k);
    auto call = lam ? lam->body()->isa<App>() : nullptr;
    if (!call || !lam->var()->isa<Var>()) return Applied::Often;
    auto back = w.extract(lam->var(), 1);
    if (call->callee() != back) return Applied::Often;
    auto y = w.extract(lam->var(), 0);
    std::vector<const Def*> work{call->arg()};
    std::unordered_set<const Def*> visited;
    while (!work.empty()) {
        auto def = work.back();
        work.pop_back();
        if (def == y || !is_free_in(w, lam->var(), def) || !visited.insert(def).second) continue;
        if (def == back || def == lam->var()) return Applied::Often;
        for (auto op : def->ops())
            if (op) work.push_back(op);
    }
    return Applied::Once;
}

/// k (y, λ (s, k) = k (back s)) for (y, back) = f' x
const Def* lower_reverse(const Lowered& old) {
    auto& w             = old.world();
    auto [types, f, xk] = old.groups<3>();
    auto [from, to]     = elems<2>(w, types);
    check_memory(w, types, group(old.app(), 1));
    auto applied    = applied_by(w, elem(w, xk, 1));
    auto d          = reversed(w, lifted(w, straight(w, f)), applied);
    auto back_type  = w.fn(tangent(w, to), tangent(w, from));
    auto made       = w.mut_lam(w.fn(augmented(w, from), w.sigma({augmented(w, to), back_type})));
    auto [x, k]     = elems<2>(w, made->var());
    auto pair       = w.app(d, x);
    auto back       = w.mut_lam(back_type);
    auto [s, go_on] = elems<2>(w, back->var());
    w.set(back, w.ff(), w.app(go_on, w.app(w.extract(pair, 1), s)));
    w.set(made, w.tt(), w.app(k, {w.extract(pair, 0), w.seal(back)}));
    return w.app(w.seal(made), xk);
}

/// The type of a sum or a zero, which must be known now.
const Def* known_type(const Lowered& old) {
    auto type = old.group(0);
    if (!type->isa<Pi>() && !is_plain(old.world(), type)) fail(old.world(), diag::not_plain(type), old.app());
    return type;
}

const Def* lower_zero(const Lowered& old) { return zero_of(old.world(), known_type(old)); }

const Def* lower_add(const Lowered& old) {
    auto& w     = old.world();
    auto [a, b] = elems<2>(w, old.group(1));
    return sum_of(w, known_type(old), a, b);
}

/// f x, of what says how f is differentiated.
const Def* as_it_is(const Lowered& old) { return old.world().app(old.group(1), old.arg()); }

const Def* lower_array(const Lowered& old) { return array_of(old.world(), elem(old.world(), old.group(0), 0), old.arg()); }

/// The place where the user asks for the derivative, if that was written in a function of this plugin.
Span users_place(const Snapshot& program, World& w, const Def* app) {
    std::vector<const Def*> work{app};
    std::unordered_set<const Def*> visited;
    for (size_t i = 0; i != work.size(); ++i) {
        auto place = w.notes.span(work[i]);
        if (place && !is_own(w, place)) return place;
        for (auto user : program.users(work[i]))
            if (visited.insert(user).second) work.push_back(user);
    }
    return {};
}

Lowering::Handler at_users_place(PhaseContext& c, Lowering::Handler handler) {
    return [&c, handler = std::move(handler)](const Lowered& old) {
        try {
            return handler(old);
        } catch (Error& e) {
            if (!e.rewritten) e.rewritten = users_place(c.program(), c.world, old.app());
            throw;
        }
    };
}

} // namespace

const Def* array_of(World& w, const Def* n, const Def* f) {
    auto pack = w.mut_pack(n);
    return w.seal(pack, w.app(f, pack->var()));
}

bool refers_to(World& w, const Def* from, const Def* to) {
    std::vector<const Def*> work{from};
    std::unordered_set<const Def*> visited;
    while (!work.empty()) {
        auto def = work.back();
        work.pop_back();
        if (def == to) return true;
        if (is_closed(w, def) && !def->is_mut() && !def->has(Def::HasDep)) continue;
        if (def->isa<Var>() || !visited.insert(def).second) continue; // a variable does not call its function
        for (auto op : def->ops())
            if (op) work.push_back(op);
    }
    return false;
}

const Def* registered(World& w, const Def* operation, bool is_nested) {
    auto derivative = w.apply<ad>(operation->type(), operation);
    return match<ad>(derivative) ? nullptr : inner(w, derivative, is_nested);
}

const Def* inner(World& w, const Def* def, bool is_nested) {
    Nested nested(def, is_nested);
    return Inner(w, nested).rewrite(def);
}

/// False if there are no derivatives. Those that stayed operations inside of others may be left.
static bool make_derivatives(PhaseContext& c, const Nested& nested) {
    Lowering lowering(c);
    auto placed = [&](Lowering::Handler handler) { return at_users_place(c, std::move(handler)); };
    auto inside = [&](auto lower) {
        return placed([&nested, lower](const Lowered& old) { return lower(old, nested.contains(old.app())); });
    };
    lowering.on<vjp>(inside(lower_vjp)).on<jvp>(inside(lower_jvp)).on<ad>(inside(lower_ad));
    lowering.on<accumulate>(inside(lower_accumulate)).on<autodiff::reverse>(placed(lower_reverse));
    lowering.on<zero>(placed(lower_zero)).on<add>(placed(lower_add));
    lowering.on<Env>([](const Lowered& old) { return old.world().unit_type(); });
    return lowering.run();
}

/// Derivatives that stayed operations, and were lifted, are made in the next turn.
static void unlift_derivatives(PhaseContext& c) {
    Lowering lowering(c);
    lowering.on<lift_with>([](const Lowered& old) -> const Def* {
        if (!is_lifted_derivative(old.app())) return nullptr;
        return unlifted_with(old.world(), old.group(1), old.group(2), old.group(3));
    });
    lowering.run();
}

void differentiate(PhaseContext& c) {
    static constexpr size_t max_nested = 16;
    bool is_used                       = false;
    for (size_t i = 0; i != max_nested && make_derivatives(c, Nested(c.program())); ++i) {
        is_used = true;
        unlift_derivatives(c);
    }
    if (is_used) make_derivatives(c, Nested());
    Lowering loops(c); // from the inside out: the pullback of a turn refers to the tapes of loops in it
    loops.on<taped>(lower_taped).run();
    Lowering constants(c); // they matter in what is around a derivative, too
    constants.on<stop>([](const Lowered& old) { return old.arg(); });
    constants.on<array>(lower_array);
    constants.on<lift>([](const Lowered& old) { return unlifted(old.world(), old.group(1), old.group(2), old.group(3)); });
    constants.on<lift_with>(
        [](const Lowered& old) { return unlifted_with(old.world(), old.group(1), old.group(2), old.group(3)); });
    constants.on<custom>(as_it_is).on<checkpoint>(as_it_is).on<recorded>(as_it_is).run();
    if (is_used) share(c);
}

} // namespace mim::plug::autodiff
