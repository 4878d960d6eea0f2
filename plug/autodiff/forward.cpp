// SPDX-License-Identifier: MIT
// Forward mode: dual numbers. A function becomes one that takes its argument and a tangent of it, and returns its
// value and the tangent of that. What it captures has a tangent beside it, which it captures as well. An axiom's
// tangent is that of its pullback, transposed.
//
// Functions are values, too, such as the pullbacks of reverse mode: one becomes its derivative wherever it is, and its
// tangent is `()`.
#include <functional>

#include "autodiff/diagnostics.h"
#include "calls.h"
#include "copies.h"
#include "dependence.h"
#include "ir/questions.h"
#include "ir/rewrite.h"
#include "math/annexes.h"
#include "nested.h"

namespace mim::plug::autodiff {

namespace {

/// Its tangents carry nothing, or it is a function.
bool is_constant_or_function(World& w, const Def* type) {
    if (type->isa<Pi>() || has_no_tangent(w, type)) return true;
    if (auto arr = type->isa<Arr>()) return is_constant_or_function(w, arr->body());
    bool is_compound = type->isa<Sigma>() && !is_recursive(w, type);
    return is_compound && std::ranges::all_of(type->ops(), [&](auto op) { return is_constant_or_function(w, op); });
}

class Forward : public Rewriter {
public:
    Forward(World& world, bool is_nested)
        : Rewriter(world)
        , is_nested_(is_nested)
        , calls_(world)
        , dependence_(world)
        , copies_(world, dependence_, [this](const Def* def) { return computed(def); }) {}

    const Def* derivative(const Def* f);

private:
    bool needs(const Def* def) override { return depends(def) || (def->isa<Tuple>() && holds_function(world(), def->type())); }
    const Def* rewrite_imm(const Def*) override;
    const Def* rewrite_mut(const Def* def) override { return copies_.of(def); }
    const Def* computed(const Def*);
    const Def* without_tangents(const Def* type, const Def* value);

    bool depends(const Def* def) { return dependence_.of(def); }
    Lam* function(const Lam*);
    const Def* dual_type(const Def* type);
    const Def* tangent_type(const Def* type);
    const Def* function_value(const Def*);
    const Def* value_of(const Def* def) { return holds_function(world(), def->type()) ? function_value(def) : rewrite(def); }
    bool is_call(const Def*);
    const Def* zero(const Def* value) { return zero_of(world(), rewrite(value->type())); }
    bool is_active(const Def*);
    const Def* tangent_of(const Def*);
    const Def* make_tangent(const Def*);
    const Def* tangent_of_axiom(const App*);
    using Seed = std::function<const Def*(const Def*)>;
    const Def* transposed(const App*, const Def* back, const Def* type, const Seed&);
    const Def* dot(const Def* type, const Def* a, const Def* b, const Def* value, const Def* to);
    const Def* pair(const Def*);
    const Def* matched(const Call&);

    const bool is_nested_; ///< inside of what is differentiated
    Calls calls_;
    Dependence dependence_; ///< on arguments
    Copies copies_;
    std::unordered_map<const Lam*, Lam*> functions_;
    std::unordered_map<const Def*, const Def*> variables_, tangents_, pairs_, derivatives_;
    std::vector<Lam*> made_;
};

bool Forward::is_active(const Def* def) { return depends(def) && !is_constant_or_function(world(), def->type()); }

/// λ (x, v) = (y, w)
Lam* Forward::function(const Lam* lam) {
    auto& w    = world();
    auto& made = functions_[lam];
    if (made) return made;
    auto pi           = lam->pi();
    bool is_dependent = pi->var() && is_free_in(w, pi->var(), pi->codom());
    if (is_dependent) fail(w, diag::not_covered(lam, "its type depends on its argument"), lam);
    auto lams = made = w.mut_lam(dual_type(pi));
    w.notes.copy_info(lam, lams);
    w.set_filter(lams, lam->filter() == w.tt() ? w.tt() : w.ff());
    made_.push_back(lams);
    auto [x, v] = elems<2>(w, lams->var());
    if (auto var = lam->var(); var->isa<Var>()) {
        map(var, x);
        variables_[var] = v;
        dependence_.add(var);
    }
    auto body    = lam->body();
    auto call    = calls_.find(body);
    auto type    = w.sigma({dual_type(pi->codom()), tangent_type(pi->codom())});
    bool is_last = call && lam->type()->as<Pi>()->codom() == body->type();
    auto result  = is_last ? pair(body) : w.tuple({value_of(body), tangent_of(body)});
    w.set_body(lams, result->type() == type ? result : w.coerce(type, result));
    return lams;
}

/// Functions, and the functions that they become.
const Def* Forward::dual_type(const Def* type) {
    auto& w = world();
    if (is_plain(w, type)) return rewrite(type);
    if (auto arr = type->isa<Arr>(); arr && !arr->is_mut()) return w.arr(rewrite(arr->arity()), dual_type(arr->body()));
    if (auto sigma = type->isa<Sigma>(); sigma && !sigma->is_mut())
        return w.sigma(map_defs(sigma->ops(), [&](auto op) { return dual_type(op); }));
    auto pi = type->isa<Pi>();
    if (!pi || pi->is_cn()) fail(w, diag::not_plain(type), type);
    auto both = [&](const Def* of) { return w.sigma({dual_type(of), tangent_type(of)}); };
    return w.pi(both(pi->dom()), both(pi->codom()));
}

const Def* Forward::tangent_type(const Def* type) {
    auto& w = world();
    if (is_plain(w, type)) return tangent(w, rewrite(type));
    if (auto arr = type->isa<Arr>()) return w.arr(rewrite(arr->arity()), tangent_type(arr->body()));
    if (auto sigma = type->isa<Sigma>()) return w.sigma(map_defs(sigma->ops(), [&](auto op) { return tangent_type(op); }));
    return w.unit_type();
}

/// A value that is a function, or has one.
const Def* Forward::function_value(const Def* def) {
    if (auto lam = calls_.function(def)) return function(lam);
    if (calls_.find(def)) return world().extract(pair(def), 0);
    if (auto extract = def->isa<Extract>(); extract && !depends(def))
        return world().extract(function_value(extract->tuple()), extract->index());
    if (!depends(def) && !def->isa<Tuple>()) fail(world(), diag::unknown_callee(def), def);
    return rewrite(def);
}

const Def* Forward::derivative(const Def* f) {
    auto& w  = world();
    auto lam = isa_known(f);
    if (!lam) {
        auto made = w.mut_lam(f->type());
        w.set(made, w.tt(), w.app(f, made->var()));
        lam = w.seal(made)->as<Lam>();
    }
    auto result = function(lam);
    w.close(made_);
    return result;
}

/// The value of a call, and its tangent.
const Def* Forward::pair(const Def* def) {
    if (auto known = pairs_.find(def); known != pairs_.end()) return known->second;
    auto& w = world();
    if (!calls_.find(def)) { // of a function that is a value
        auto arg           = def->as<App>()->arg();
        return pairs_[def] = w.app(function_value(callee_of(def)), {value_of(arg), tangent_of(arg)});
    }
    auto call = *calls_.find(def);
    if (call.is_match()) return pairs_[def] = matched(call);
    auto callees       = map_defs(call.targets, [&](auto target) -> const Def* { return function(target); });
    auto callee        = call.index ? w.extract(w.tuple(callees), rewrite(call.index)) : callees[0];
    auto result        = w.app(callee, {value_of(call.arg), tangent_of(call.arg)});
    return pairs_[def] = result;
}

/// Each arm takes its member, and the tangent of that.
const Def* Forward::matched(const Call& call) {
    auto& w   = world();
    auto x    = value_of(call.arg);
    auto v    = tangent_of(call.arg);
    auto arms = map_defs(call.targets, [&](auto target) -> const Def* {
        auto f      = function(target);
        auto member = dual_type(target->dom());
        auto made   = w.mut_lam(w.pi(member, f->pi()->codom()));
        made_.push_back(made);
        w.set(made, w.tt(), w.app(f, {made->var(), member_tangent(w, x->type(), member, v)}));
        return made;
    });
    return w.match(x, arms);
}

/// Of functions that have a derivative, or are one.
bool Forward::is_call(const Def* def) {
    if (is_type(def)) return false;
    bool is_value = def->isa<App>() && !head_axiom(def) && !calls_.find(def);
    return is_value || (calls_.find(def) && (!has_no_tangent(world(), def->type())));
}

const Def* Forward::rewrite_imm(const Def* def) {
    auto& w = world();
    if (is_call(def)) return w.extract(pair(def), 0);
    if (def->isa<Tuple>() && holds_function(w, def->type()))
        return w.tuple(map_defs(def->ops(), [&](auto op) { return value_of(op); }));
    bool takes_functions = def->isa<App>() && holds_function(w, arg_of(def)->type()); // an axiom, which does not know tangents
    if (takes_functions) return w.app(rewrite(callee_of(def)), copies_.of(arg_of(def)));
    return Rewriter::rewrite_imm(def);
}

/// The value, outside of a copied function, that the function refers to.
const Def* Forward::computed(const Def* def) {
    bool is_plain = !holds_function(world(), def->type());
    if (is_plain) return def->isa<Var>() || is_active(def) ? rewrite(def) : nullptr;
    bool is_made = depends(def) && (def->isa<Var>() || is_call(def));
    if (is_made) return without_tangents(def->type(), value_of(def));
    return def->isa<Var>() ? def : nullptr;
}

/// A value that has become one with tangents, for who knows nothing of these: λ x = (f (x, 0))#0.
const Def* Forward::without_tangents(const Def* type, const Def* value) {
    auto& w = world();
    if (is_plain(w, type)) return value;
    auto element = [&](auto of, auto i) { return without_tangents(of, w.extract(value, i)); };
    auto n       = type->isa<Pi>() || type->is_mut() ? -1 : lit_arity(w, type);
    if (n >= 0) return w.tuple(def_vec(size_t(n), [&](auto i) { return element(part_type(w, type, i), i); }));
    auto pi          = type->isa<Pi>();
    bool is_function = pi && !pi->is_mut() && !pi->is_cn() && is_plain(w, pi->dom());
    if (!is_function) fail(w, diag::not_plain(type), type);
    auto dom  = rewrite(pi->dom());
    auto made = w.mut_lam(w.pi(dom, rewrite(pi->codom())));
    auto pair = w.app(value, {made->var(), zero_of(w, dom)});
    w.set(made, w.tt(), without_tangents(pi->codom(), w.extract(pair, 0)));
    return w.seal(made);
}

/// Deep chains of operations take no deep recursion: their operands come first.
const Def* Forward::tangent_of(const Def* def) {
    struct Step {
        const Def* def;
        bool is_done;
    };
    std::vector<Step> work{{def, false}};
    while (!work.empty()) {
        auto [next, is_done] = work.back();
        work.pop_back();
        if (tangents_.contains(next)) continue;
        if (is_done || !is_active(next) || next->isa<Var>()) {
            tangents_[next] = make_tangent(next);
            continue;
        }
        work.push_back({next, true});
        if (is_call(next)) continue;
        for (auto op : next->ops())
            if (!op->isa<Lam>() && is_active(op)) work.push_back({op, false});
    }
    return tangents_.at(def);
}

const Def* Forward::make_tangent(const Def* def) {
    auto& w = world();
    if (!is_active(def) || match<stop>(def)) return zero(def);
    if (auto var = variables_.find(def); var != variables_.end()) return var->second;
    if (is_call(def)) return w.extract(pair(def), 1);
    if (auto parts = elements(w, def)) return w.tuple(map_defs(*parts, [&](auto part) { return tangent_of(part); }));
    switch (def->node()) {
        case Node::Extract: return w.extract(tangent_of(def->op(0)), rewrite(def->op(1)));
        case Node::Inj: {
            auto inj = def->as<Inj>();
            return injected_tangent(w, rewrite(inj->type()), rewrite(inj->member()), tangent_of(inj->value()));
        }
        case Node::Insert: return w.insert(tangent_of(def->op(0)), rewrite(def->op(1)), tangent_of(def->op(2)));
        case Node::App: return tangent_of_axiom(def->as<App>());
        case Node::Pack: // perhaps only its length depends on an argument
            if (!dependence_.refers_to_active(def->as<Pack>()->body())) return zero(def);
            [[fallthrough]];
        default: fail(world(), diag::not_covered(def, "there is no rule for it"), def);
    }
}

const Def* Forward::tangent_of_axiom(const App* app) {
    auto& w = world();
    for (size_t i = 0, n = num_groups(app); i != n && !is_lifted(app); ++i) {
        auto group   = mim::group(app, i);
        bool is_last = i + 1 == n;
        bool refers  = is_last ? depends(group) && !is_plain(w, group->type()) : dependence_.refers_to_active(group);
        if (refers) fail(w, diag::not_covered(app, takes_active_function), app);
    }
    if (!is_active(app->arg())) return zero(app);
    auto callee = rewrite(app->callee());
    auto x      = rewrite(app->arg());
    if (is_lifted_derivative(callee)) return inner(w, change_of_accumulate(w, callee, x, tangent_of(app->arg())), is_nested_);
    auto types    = w.tuple({rewrite(app->arg()->type()), rewrite(app->type())});
    auto twin     = w.apply<jvp>(types, callee, {x, tangent_of(app->arg())});
    bool is_asked = match<jvp>(twin) && group(twin, 1) == callee; // a loop of one turn becomes the derivative of that
    if (!is_asked) return inner(w, w.extract(twin, 1), is_nested_);
    auto [derivative, is_new] = derivatives_.try_emplace(callee);
    if (is_new) derivative->second = registered(w, callee, is_nested_);
    if (!derivative->second) fail(world(), diag::no_derivative(app, callee), app);
    auto back  = w.extract(w.app(derivative->second, x), 1);
    auto whole = [](const Def* s) { return s; };
    return transposed(app, back, tangent(w, rewrite(app->type())), whole);
}

/// The change of a part of an operation's value with its argument, by its pullback: each of its numbers by a
/// cotangent that is 1 there. `seed` makes one of the whole value from one of this part, whose tangents have this type.
const Def* Forward::transposed(const App* app, const Def* back, const Def* type, const Seed& seed) {
    static constexpr int64_t max_elements = 64;
    auto& w                               = world();
    if (has_no_tangent(w, type)) return zero_of(w, type);
    if (match<math::F>(type)) {
        auto one = w.call(math::conv::u2f, arg_of(type), w.lit_idx(w.lit_2_64(), 1));
        auto z   = w.extract(w.app(back, seed(one)), 0);
        auto sum = dot(tangent(w, rewrite(app->arg()->type())), z, tangent_of(app->arg()), app->arg(), type);
        return sum ? sum : zero_of(w, type);
    }
    auto element = [&](const Def* i) {
        auto of   = elem_type(w, type, w.unit(), i);
        auto zero = zero_of(w, type);
        return transposed(app, back, of, [&](const Def* s) { return seed(w.insert(zero, i, s)); });
    };
    auto n   = lit_arity(w, type);
    auto arr = type->isa<Arr>();
    if (!arr || (n >= 0 && n <= max_elements))
        return w.tuple(def_vec(size_t(n), [&](auto i) { return element(w.lit_idx(uint64_t(n), i)); }));
    auto pack = w.mut_pack(arr->arity());
    return w.seal(pack, element(pack->var()));
}

/// Null: zero. An expression that depends on no argument has no tangent.
const Def* Forward::dot(const Def* type, const Def* a, const Def* b, const Def* value, const Def* to) {
    auto& w = world();
    if (has_no_tangent(w, type) || (value && !is_active(value))) return nullptr;
    if (match<math::F>(type)) {
        auto product = w.apply(math::arith::mul, arg_of(type), 0, {a, b});
        return type == to ? product : w.apply(math::conv::f2f, arg_of(type), arg_of(to), product);
    }
    auto n = lit_arity(w, type);
    if (n < 0) fail(world(), diag::not_covered(value ? value : a, "forward mode of what takes an array"), value ? value : a);
    auto tuple        = value ? value->isa<Tuple>() : nullptr;
    const Def* result = nullptr;
    for (int64_t i = 0; i != n; ++i) {
        auto of   = elem_type(w, type, w.unit(), w.lit_idx(arity(w, type), uint64_t(i)));
        auto part = dot(of, w.extract(a, i), w.extract(b, i), tuple ? tuple->op(size_t(i)) : nullptr, to);
        if (!part) continue;
        auto whole = w.call(math::arith::add, 64, {result ? result : part, part});
        result     = result ? whole : part;
    }
    return result;
}

} // namespace

const Def* forward(World& w, const Def* f, bool is_nested) { return Forward(w, is_nested).derivative(f); }

} // namespace mim::plug::autodiff
