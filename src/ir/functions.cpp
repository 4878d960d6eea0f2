// SPDX-License-Identifier: MIT
// λ, application, β under filters, axioms' normalizers (spec section 1).
#include <algorithm>
#include <array>
#include <utility>

#include "diag/family.h"
#include "ir/hook.h"
#include "ir/impl.h"
#include "ir/known.h"
#include "ir/subst.h"

namespace mim {

/*
 * λ
 */

Lam* World::mut_lam(const Pi* pi) {
    auto lam = impl_->alloc_mut<Lam>(pi, 2);
    impl_->set_var(lam, impl_->make_var(lam, pi->dom()));
    return lam;
}

void World::set_type(Lam* lam, const Pi* pi) { impl_->set_type(lam, pi); }

void World::set_filter(Lam* lam, const Def* filter) {
    filter = refresh(filter);
    if (!assignable(*this, bool_, filter)) fail(Diag::filter_not_bool, {filter, filter->type()});
    impl_->set_op(lam, 0, refresh(filter));
    impl_->refresh_memo.clear();
}

/// A phase would change a function that calls may have been reduced with.
static void check_unset(World& world, const Lam* lam) {
    if (!lam->is_set()) return;
    auto name = world.notes.name(lam).str();
    fail(Diag::body_twice, {name.empty() ? std::string("λ") : name, lam->type()});
}

void World::set_body(Lam* lam, const Def* body) {
    check_unset(*this, lam);
    auto codom = mim::codom(*this, lam->pi(), lam->var());
    if (!assignable(*this, codom, body)) fail(Diag::not_assignable, {codom, body, body->type()});
    impl_->set_op(lam, 1, coerce(codom, refresh(body)));
    impl_->add_flags(lam, Def::IsSet);
    impl_->refresh_memo.clear();
}

const Def* World::seal(Lam* lam) {
    impl_->add_flags(lam, Def::Sealed);
    return lam;
}

/*
 * application
 */

const Def* codom(World& w, const Pi* pi, const Def* arg) {
    if (!pi->var()) return pi->codom();
    auto& memo  = w.impl().codom_memo;
    bool stable = !pi->is_unstable() && !arg->is_unstable();
    if (stable)
        if (auto res = memo.find(pi, arg)) return res;
    auto res = w.subst(pi->codom(), pi->var(), w.coerce(pi->dom(), arg));
    if (stable && !res->is_unstable()) memo.put(pi, arg, res);
    return res;
}

const Def* World::app(const Def* callee, const Def* arg) {
    ++stats_.requests;
    const Def* ops[] = {callee, arg};
    auto key         = impl_->app_key(ops);
    auto where       = key.where();
    auto def         = impl_->find_here(key, where);
    if (def && !def->is_unstable() && !impl_->has_eager_rule(callee)) return def;
    return impl_->app_checked(callee, arg, where, !def);
}

bool WorldImpl::has_eager_rule(const Def* callee) const {
    if (!world.rules.has_eager()) return false;
    auto axm = head_axiom(callee);
    return axm && world.rules.has_eager(&axm->axiom());
}

const Def* WorldImpl::app_checked(const Def* callee, const Def* arg, NodeKey::Where where, bool absent) {
    auto size = table.size();
    if (callee->node() == Node::Hole || arg->node() == Node::Hole) callee = world.refresh(callee), arg = world.refresh(arg);
    if (frozen) return app_frozen(callee, arg);
    if (auto res = app_memo.find(callee, arg)) return res;
    auto type = callee->type();
    if (type->is_unstable()) type = world.refresh(type);
    auto pi = type->isa<Pi>();
    if (!pi) fail(Diag::not_a_function, {callee, type});
    check_arg(pi, callee, arg);
    if (callee->is_unstable() || arg->is_unstable()) {
        auto new_callee = world.refresh(callee), new_arg = world.refresh(arg);
        if (new_callee != callee || new_arg != arg) return world.app(new_callee, new_arg);
    }
    if (auto declared = coerce_arg(pi, arg); declared != arg) {
        auto res = world.app(callee, declared);
        if (!res->is_unstable() && !callee->is_unstable() && !arg->is_unstable()) app_memo.put(callee, arg, res);
        return res;
    }
    if (auto res = normalize_app(pi, callee, arg)) {
        if (!res->is_unstable() && !callee->is_unstable() && !arg->is_unstable()) {
            auto app = res->isa<App>();
            if (!app || app->callee() != callee || app->arg() != arg) app_memo.put(callee, arg, res);
        }
        return res;
    }
    uint8_t extra = waits(callee, arg) ? Def::Stale : 0;
    if (!absent || table.size() != size) return raw_app(pi, callee, arg, extra);
    const Def* ops[] = {callee, arg}; // nothing was added since it was looked for
    return new_app(pi, app_key(ops), where, extra);
}

/// Only the application itself stays as it is written: the types that it computes are normal like any other. It is flagged, so that
/// whoever asks for the same application elsewhere gets its normal form.
const Def* WorldImpl::app_frozen(const Def* callee, const Def* arg) {
    struct Thaw {
        WorldImpl& impl;
        unsigned frozen = std::exchange(impl.frozen, 0u);
        ~Thaw() { impl.frozen = frozen; }
    } thaw{*this};
    auto type = world.refresh(callee->type());
    auto pi   = type->isa<Pi>();
    if (!pi) fail(Diag::not_a_function, {callee, type});
    check_arg(pi, callee, arg);
    return raw_app(pi, callee, arg, Def::Stale);
}

void WorldImpl::check_arg(const Pi* pi, const Def* callee, const Def* arg) {
    if (takes(world, callee, arg, pi)) return;
    arg = world.refresh(arg);
    fail(Diag::not_assignable, {world.refresh(pi->dom()), arg, arg->type()});
}

const Def* WorldImpl::raw_app(const Pi* pi, const Def* callee, const Def* arg, uint8_t extra) {
    const Def* ops[] = {callee, arg};
    auto key         = app_key(ops);
    auto where       = key.where();
    auto def         = find(key, where);
    if (!def) return new_app(pi, key, where, extra);
    if (extra) add_flags(def, extra);
    else if (!callee->is_unstable() && !arg->is_unstable()) clear_flags(def, Def::HasHole | Def::Stale);
    return def;
}

const Def* WorldImpl::new_app(const Pi* pi, const NodeKey& key, NodeKey::Where where, uint8_t extra) {
    auto type = codom(world, pi, key.ops[1]);
    if (auto sing = type->isa<Sing>()) return sing->value();
    auto def = insert(key, where, type);
    if (type->is_unstable()) extra |= inherited(type) & (Def::HasHole | Def::Stale);
    if (extra) add_flags(def, extra);
    return def;
}

namespace {

std::string plugin_of(const Axiom& axiom) { return std::string(plugin_name(axiom)); }

/// Reports what the type does not say, by the axiom's plugin. An argument that has placeholders, or waits for a body,
/// is built again once these are there, and verified then.
[[gnu::noinline]] void run_verifier(World& world, const Axiom& axiom, const Def* callee, const Def* arg) {
    if (callee->is_unstable() || arg->is_unstable()) return;
    auto wrong = call_hook(axiom, "the verifier of", nullptr, [&] { return axiom.verifier(world, callee, arg); });
    if (!wrong.empty()) fail(Diag::rejected, {plugin_of(axiom), callee, arg, std::move(wrong)});
}

/// Reports the exception of a normalizer, in a handler of it. An Error that is none of types is about the user's program.
[[noreturn]] void normalizer_threw(const Axiom& axiom, const Def* callee, const Def* arg) {
    auto what = hook_exception_text();
    fail(Diag::normalizer_threw, {plugin_of(axiom), axiom.name.str(), callee, arg, std::move(what)});
}

/// A normalizer must preserve types: the new expression is assignable to the old type. What it breaks is its plugin's fault, and
/// said so here, where the rewrite is known.
[[gnu::noinline]] const Def* run_normalizer(World& world, const Axiom& axiom, const Def* type, const Def* callee,
                                            const Def* arg) {
    Blame blame(plugin_name(axiom), "the normalizer of", axiom.name.view());
    const Def* res;
    try {
        res = axiom.normalizer({world, type, callee, arg});
    } catch (...) {
        normalizer_threw(axiom, callee, arg);
    }
    bool is_built_again = callee->is_unstable() || arg->is_unstable();
    if (res && res->has(Def::HasHole) && !is_built_again && world.refresh(res)->has(Def::HasHole))
        fail(Diag::normalizer_threw,
             {plugin_of(axiom), axiom.name.str(), callee, arg, "it returned a placeholder that nobody fills"});
    if (!res || res->type() == type || res->is_unstable() || type->is_unstable()) return res;
    if (assignable(world, type, res)) return world.coerce(type, res);
    fail(Diag::normalizer_broke, {plugin_of(axiom), axiom.name.str(), callee, arg, type, res, res->type()});
}

} // namespace

/// A function on types. Only these are reduced while the argument has placeholders, for the result may decide them; copying any other
/// function would make binders whose types have placeholders. Their calls wait.
static bool makes_type(const Pi* pi) { return last_codom(pi)->node() == Node::Sort; }

const Def* WorldImpl::normalize_app(const Pi* pi, const Def* callee, const Def* arg) {
    if (auto lam = callee->isa<Lam>(); lam && arg->has(Def::HasHole) && !makes_type(lam->pi())) return nullptr;
    if (auto lam = callee->isa<Lam>())
        return !lam->is_waiting() && wants_beta(lam, arg) ? beta(std::array{Reduction{lam, world.coerce(pi->dom(), arg)}})
                                                          : nullptr;
    auto axm = head_axiom(callee);
    if (!axm) return callee->isa<App>() ? fold_groups(callee, arg) : nullptr;
    auto& axiom = axm->axiom();
    if (aux(callee) == 2 && axiom.verifier) run_verifier(world, axiom, callee, arg);
    if (aux(callee) == 2 && axiom.normalizer && world.normalizers) {
        auto type = codom(world, pi, arg);
        if (auto sing = type->isa<Sing>()) return sing->value();
        if (auto res = run_normalizer(world, axiom, type, callee, arg)) return res->is_unstable() ? world.refresh(res) : res;
    }
    if (world.rules.has_eager(&axiom)) {
        auto raw = raw_app(pi, callee, arg, 0);
        if (auto res = world.rules.apply(raw, true)) return res;
    }
    return nullptr;
}

/*
 * β
 */

bool WorldImpl::wants_beta(const Lam* lam, const Def* arg) {
    auto filter = lam->filter();
    if (filter->isa<Lit>()) return filter == world.tt_;
    if (filter == world.when_known_) return !lam->is_waiting() && !next_group(lam) && is_known_call(lam, arg);
    return world.subst(filter, lam->var(), arg) == world.tt_;
}

/// Whether all that the function takes is known, and all that it refers to around it: that may be what ends it.
bool WorldImpl::is_known_call(const Lam* lam, const Def* arg) { return known(world, arg) == Known::Yes && is_closed(world, lam); }

/// Of a function whose groups are folded together, the one that takes the next group.
const Lam* WorldImpl::next_group(const Lam* lam) {
    auto next = lam->body()->isa<Lam>();
    return next && next->op(0) == world.when_known_ ? next : nullptr;
}

/// The same function, at the head of this application to groups of it; null if it is no such application.
const Lam* WorldImpl::folded_head(const Def* callee) {
    while (callee->isa<App>()) callee = callee->as<App>()->callee();
    auto lam = callee->isa<Lam>();
    return lam && lam->op(0) == world.when_known_ ? lam : nullptr;
}

/// Reduces an application to all groups together, if they are known; else null.
const Def* WorldImpl::fold_groups(const Def* callee, const Def* arg) {
    auto lam = folded_head(callee);
    if (!lam || lam->is_waiting() || !is_known_call(lam, arg)) return nullptr;
    std::vector<const Def*> args{arg};
    for (auto app = callee->isa<App>(); app; app = app->callee()->isa<App>()) args.push_back(app->arg());
    std::vector<Reduction> groups;
    for (; lam && !args.empty(); lam = next_group(lam), args.pop_back()) {
        if (lam->is_waiting() || known(world, args.back()) != Known::Yes) return nullptr;
        groups.push_back({lam, args.back()});
    }
    bool is_all = !lam && args.empty();
    return is_all ? beta(groups) : nullptr;
}

/// Whether this application is to be asked for again once bodies are set.
bool WorldImpl::waits(const Def* callee, const Def* arg) {
    auto lam = callee->isa<Lam>();
    if (!lam) lam = folded_head(callee);
    if (!lam || !lam->is_waiting()) return false;
    return !lam->op(0) || lam->op(0) == world.when_known_ || wants_beta(lam, arg);
}

void WorldImpl::tick() {
    if (++steps > world.limits.budget) fail(Diag::out_of_budget, {std::to_string(world.limits.budget)});
}

const Def* WorldImpl::unreduced(std::span<const Reduction> groups) {
    const Def* res = groups.front().lam;
    for (auto& g : groups) res = raw_app(res->type()->as<Pi>(), res, g.arg, 0);
    return res;
}

const Def* WorldImpl::beta(std::span<const Reduction> groups) {
    auto site = std::exchange(call_site, Place());
    auto lam  = groups.front().lam;
    auto arg  = groups.front().arg;
    bool same = std::ranges::all_of(groups, [](auto& g) { return g.arg == g.lam->var(); });
    if (auto inner = groups.back().lam->body(); same && inner->isa<Lam>()) return inner;
    if (groups.size() > 1) {
        std::vector<const Def*> args;
        for (auto& g : groups) args.push_back(g.arg);
        arg = world.tuple(args);
        if (auto res = spine_memo.find(lam, arg)) return res;
    }
    for (size_t i = 0; i < groups.size(); ++i) count_beta();
    if (groups.size() == 1 && (!lam->var()->isa<Var>() || !is_free_in(world, lam->var(), lam->body())))
        if (!lam->body()->is_unstable()) return lam->body();
    if (auto res = active.result(lam, arg)) return res;
    bool outermost = active.empty();
    // The call needs its own result, even if it is nothing else (`lam forever x = forever x`): it would unfold for ever, which the
    // outer reduction reports.
    if (!active.enter(lam, arg, site.span, next_id)) return unreduced(groups);
    if (outermost && !site) site.span = world.here;
    if (!outermost) return reduce(groups, arg, site);
    Evaluation evaluation(*this);
    try { // only here: going through a handler at each of a million levels takes long
        return reduce(groups, arg, site);
    } catch (Error& error) {
        if (error.trace.empty()) error.trace = active.trace();
        throw;
    }
}

/// Whether no part of it is known.
static bool is_unknown(World& world, const Def* arg) {
    auto is_part_unknown = [&](const Def* part) { return is_unknown(world, part); };
    bool has_parts       = arg->isa<Tuple>() && arg->num_ops() != 0;
    return has_parts ? std::ranges::all_of(arg->ops(), is_part_unknown) : known(world, arg) != Known::Yes;
}

/// A function that calls itself so often, one call in the other, of whose arguments nothing is known, hardly ends.
void WorldImpl::check_end(const Def* arg) {
    static constexpr uint32_t limit = 1 << 14;
    auto n                          = active.num_repeated();
    if (n != 0 && n % limit == 0 && is_unknown(world, arg)) fail(Diag::too_deep);
}

const Def* WorldImpl::reduce(std::span<const Reduction> groups, const Def* arg, Place site) {
    struct Leave {
        WorldImpl& impl;
        int exceptions = std::uncaught_exceptions();
        ~Leave() { impl.active.leave(impl.world, std::uncaught_exceptions() != exceptions); }
    } leave{*this};
    check_depth();
    check_end(arg);
    Subst s(world, groups.back().lam, site);
    for (auto& g : groups)
        if (g.lam->var()->node() == Node::Var) s.map(g.lam->var(), g.arg);
    // `lam f (x: T) (n: Nat) = … f x (n - 1) …`: the copy of the inner function for this x calls itself
    if (auto inner = groups.back().lam->body()->isa<Lam>()) active.returns(s, inner);
    auto res = s.rewrite(groups.back().lam->body());
    if (world.debug && !is_constant(res))
        for (auto& g : groups) s.keep_names(g.lam);
    if (res->is_unstable()) res = world.refresh(res);
    auto lam = groups.front().lam;
    if (active.is_met()) fail(Diag::needs_itself, {lam});
    if (groups.size() > 1 && !res->is_unstable()) spine_memo.put(lam, arg, res);
    return res;
}

const Def* World::beta(const Def* callee, const Def* arg) {
    auto lam = callee->isa<Lam>();
    if (!lam) return nullptr;
    if (!takes(*this, lam, arg)) fail(Diag::not_assignable, {lam->dom(), arg, arg->type()});
    arg = coerce(lam->dom(), arg);
    if (!lam->is_waiting()) return impl_->beta(std::array{Reduction{lam, arg}});
    impl_->raw_app(lam->pi(), lam, arg, Def::Stale); // whoever asked is asked again once the body is known
    return nullptr;
}

} // namespace mim
