// SPDX-License-Identifier: MIT
// Monomorphization: a function that takes types gets a copy for each list of types that it is called with, and so do functions that
// take type operators, polymorphic functions, or numbers on which the layout of a value depends (sizes.h). No code can be made for what
// stays: unlike `specialize` this is no optimization, and it works on direct style and on continuations alike.
//
//     f (T, x)  ▷  f_T x                                 T closed; calls with the same types share the copy, in it as well
//     f (g, x)  ▷  f_g x                                 g polymorphic, or a choice of such functions
//     f T       ▷  the body of f for T                   if that is a function and nothing else is passed
//     (f, g)#i (T, x)  ▷  (f_T, g_T)#i x
//
// Types that are only known at run time are left alone: behind pointers they do no harm, and elsewhere the back end says where. A
// function that is called with ever new types ends with an error after MaxCopies; one that is called with ever new numbers, as a loop that
// counts, keeps its numbers.
#include <algorithm>
#include <map>
#include <optional>
#include <ranges>
#include <unordered_set>

#include "analysis/cps.h"
#include "ir/error.h"
#include "ir/token_types.h"
#include "opt/expand.h"
#include "opt/opt.h"
#include "opt/signature.h"
#include "opt/sizes.h"

namespace mim::opt {

namespace {

constexpr size_t MaxCopies = 1024;

/// Thrown when a function gets ever new numbers, as in a loop that counts.
struct EverNewNumbers {
    const Lam* lam;
};

class Monomorphize : public SignatureRewriter {
public:
    /// The functions in `counting` keep their numbers.
    Monomorphize(PhaseContext& c, const std::unordered_set<const Lam*>& counting)
        : SignatureRewriter(c)
        , counting_(counting) {
        for (auto def : program().nodes())
            if (is_package_choice(def)) find_choosers(def);
    }

protected:
    bool wants(const Def* def) override {
        auto app = def->isa<App>();
        if (!app) return false;
        if (auto lam = app->callee()->isa<Lam>()) return bool(plan(lam, app->arg(), app->arg()));
        auto choice = isa_choice(app->callee());
        return choice && plan(choice->op(0)->as<Lam>(), app->arg(), app->arg());
    }

    const Def* rewrite_imm(const Def* def) override {
        if (auto app = def->isa<App>()) {
            if (auto now = reduce(app); now != def) return rewrite(now);
            if (auto call = copied(app)) return call;
        }
        return SignatureRewriter::rewrite_imm(def);
    }

    /// Copies are functions of the old program until they are rewritten: what is put into a body has the types that the body expects.
    const Def* type_for_part(const Def* type) override { return type; }

private:
    /// What becomes of an argument of which something is known; `key` says what: pairs of a place and a value of the new program, after the
    /// function.
    struct Plan {
        Part part;
        std::vector<uint32_t> key;
        bool numbers = true; ///< literals that sizes depend on are taken out as well
    };

    /// Whether both take out the same parts of one argument.
    static bool is_same_part(const Plan& a, const Plan& b) {
        return std::ranges::equal(a.key | std::views::drop(1), b.key | std::views::drop(1));
    }

    /// `now` is what has become of `arg` in the new program: it says what is known.
    std::optional<Plan> plan(const Lam* lam, const Def* arg, const Def* now) {
        if (!lam->is_set() || !lam->var()->isa<Var>() || !takes_static(lam->pi())) return {};
        Plan plan{{}, {lam->id()}};
        plan.numbers   = !counting_.contains(lam) && sizes().decide_in(lam);
        uint32_t place = 0;
        plan.part      = part_for(plan, lam->dom(), lam->var(), {arg, now}, place, lam->is_cn());
        if (plan.key.size() == 1) return {};
        return plan;
    }

    struct Passed {
        const Def* old; ///< in the old program
        const Def* now; ///< in the new one
    };

    /// `may_return`: a continuation that comes last is where the function returns to.
    Part part_for(Plan& plan, const Def* type, const Def* param, Passed arg, uint32_t& place, bool may_return) {
        ++place;
        bool is_size = plan.numbers && is_number(type) && arg.now->isa<Lit>() && sizes().contains(param);
        if (is_static(type) ? is_known(arg.now) : is_size) {
            plan.key.push_back(place), plan.key.push_back(arg.now->id());
            return {Part::Drop, arg.old, {}};
        }
        if (!is_split(type, plan.numbers) || is_chosen(type, param)) return {};
        auto known = plan.key.size();
        Part result{Part::Split, nullptr, {}};
        for (size_t i = 0, n = size_t(lit_arity(world(), type)); i != n; ++i) {
            auto elem    = elem_decl(world(), type, i);
            bool returns = may_return && i + 1 == n && is_cn_type(elem);
            Passed part{world().extract(arg.old, i), world().extract(arg.now, i)};
            result.parts.push_back(returns ? Part{} : part_for(plan, elem, world().extract(param, i), part, place, false));
        }
        return plan.key.size() == known ? Part{} : result;
    }

    /// A function that refers to variables around it is known as well: the copy that it is put into lies where it does.
    bool is_known(const Def* arg) {
        if (is_closed(world(), arg)) return true;
        auto lam = arg->isa<Lam>();
        if (auto choice = isa_choice(arg)) lam = choice->op(0)->as<Lam>();
        return lam && binds_types(lam->dom());
    }

    /// Types, type operators, polymorphic functions, and arrays of these.
    static bool is_static(const Def* type) {
        if (auto arr = type->isa<Arr>()) return arr->is_set() && is_static(arr->body());
        auto pi = type->isa<Pi>();
        if (!pi) return type->isa<Sort>();
        return binds_types(pi->dom()) || last_codom(pi)->isa<Sort>();
    }

    /// `(x, y)#i` of tuples whose elements have types that mention each other: without what is known of it, x is no such tuple.
    static bool is_package_choice(const Def* def) {
        auto extract = def->isa<Extract>();
        return extract && !extract->index()->isa<Lit>() && def->type()->isa<Sigma>() && def->type()->is_mut();
    }

    void find_choosers(const Def* choice) {
        for (auto var : free_vars(world(), choice))
            if (auto lam = var->as<Var>()->binder()->isa<Lam>()) choosers_.insert(lam);
    }

    /// Whether `param`, a part of a function's variable, may be among the packages that the function chooses from.
    bool is_chosen(const Def* type, const Def* param) const {
        if (!type->isa<Sigma>() || !type->is_mut()) return false;
        auto extract = param->isa<Extract>();
        if (!extract) return false;
        while (extract->tuple()->isa<Extract>()) extract = extract->tuple()->as<Extract>();
        auto var = extract->tuple()->isa<Var>();
        return var && choosers_.contains(var->binder());
    }

    static bool is_number(const Def* type) { return type->isa<Nat>() || isa_idx(type); }

    /// Whether something static, or else a number, may be in a tuple of this type.
    bool is_split(const Def* type, bool numbers) {
        if (!type->isa<Sigma>() && !type->isa<Arr>()) return false;
        auto n = lit_arity(world(), type);
        if (n < 2 || n > max_parts) return false;
        auto& splits       = splits_[numbers];
        auto [memo, fresh] = splits.try_emplace(type, false); // a type that contains itself does so behind a pointer
        if (!fresh) return memo->second;
        bool any = false;
        for (size_t i = 0; i != size_t(n) && !any; ++i) {
            auto elem = elem_decl(world(), type, i);
            any       = (numbers && is_number(elem)) || is_static(elem) || is_split(elem, numbers);
        }
        return splits[type] = any;
    }

    bool takes_static(const Pi* pi) { return is_number(pi->dom()) || is_static(pi->dom()) || is_split(pi->dom(), true); }

    const Sizes& sizes() {
        if (!sizes_) sizes_.emplace(world(), program());
        return *sizes_;
    }

    /// A choice by an unknown index among functions that all can be copied in the same way.
    const Tuple* isa_choice(const Def* callee) {
        auto extract = callee->isa<Extract>();
        auto tuple   = extract && !isa_lit(extract->index()) ? extract->tuple()->isa<Tuple>() : nullptr;
        if (!tuple) return nullptr;
        auto type = tuple->op(0)->type();
        bool same = std::ranges::all_of(tuple->ops(), [&](auto f) { return f->template isa<Lam>() && f->type() == type; });
        return same ? tuple : nullptr;
    }

    /// Nothing is left to pass, and the result is a function again.
    static bool is_gone(const Lam* lam, const Plan& plan) { return lam->pi()->codom()->isa<Pi>() && num_kept(plan.part) == 0; }

    /// `f T … (x)`, where types are all that is passed before x, as a call of the function that f makes of them.
    const Def* reduce(const App* call) {
        std::vector<const App*> calls;
        const Def* callee = call;
        for (; callee->isa<App>(); callee = callee->as<App>()->callee()) calls.push_back(callee->as<App>());
        if (!callee->isa<Lam>()) return call;
        for (; !calls.empty(); calls.pop_back()) {
            auto lam     = callee->isa<Lam>();
            auto arg     = lam && takes_static(lam->pi()) ? rewrite(calls.back()->arg()) : nullptr;
            auto planned = arg ? plan(lam, calls.back()->arg(), arg) : std::nullopt;
            if (planned && is_gone(lam, *planned)) {
                callee = body_for(lam, *planned, call);
                continue;
            }
            if (callee == calls.back()->callee()) return call;
            auto app = world().app(callee, calls.back()->arg());
            world().notes.copy_place(calls.back(), app);
            callee = app;
        }
        return callee;
    }

    const Def* body_for(const Lam* lam, const Plan& plan, const App* call) {
        auto& body = bodies_[plan.key];
        if (body) return body;
        count(lam, call);
        return body = world().subst(lam->body(), lam->var(), assemble(plan.part, {}));
    }

    /// A call with the types that are known taken out, else null.
    const Def* copied(const App* call) {
        auto lam    = call->callee()->isa<Lam>();
        auto choice = isa_choice(call->callee());
        if (choice) lam = choice->op(0)->as<Lam>();
        if (!lam || !takes_static(lam->pi())) return nullptr;
        auto arg     = call->arg();
        auto now     = rewrite(arg);
        auto planned = plan(lam, arg, now);
        if (!planned) return nullptr;
        std::vector<const Def*> args, callees;
        select(planned->part, now, args);
        if (!choice) return world().app(copy(lam, *planned, call), args);
        for (auto op : choice->ops()) {
            auto own = plan(op->as<Lam>(), arg, now); // sizes may matter to one and not to the other
            if (!own || !is_same_part(*own, *planned)) return nullptr;
            callees.push_back(copy(op->as<Lam>(), *own, call));
        }
        auto index = rewrite(call->callee()->as<Extract>()->index());
        return world().app(world().extract(world().tuple(callees), index), args);
    }

    /// The copy is known before its body is rewritten, so that the body's own calls find it.
    const Def* copy(const Lam* old, const Plan& plan, const App* call) {
        auto [known, fresh] = copies_.try_emplace(plan.key, nullptr);
        if (!fresh) return rewrite(known->second);
        count(old, call);
        auto& w       = world();
        auto lam      = w.mut_lam(type_for(old->pi(), plan.part));
        known->second = lam;
        auto arg      = assemble(plan.part, params_of(lam, num_kept(plan.part)));
        w.notes.set_name(lam, w.notes.name(old)), w.notes.set_span(lam, w.notes.span(old));
        w.set_filter(lam, w.subst(old->filter(), old->var(), arg));
        w.set_body(lam, w.subst(old->body(), old->var(), arg));
        w.close(std::span<Lam* const>(&lam, 1));
        return rewrite(lam);
    }

    const Def* type_for(const Pi* pi, const Part& part) {
        if (pi->is_cn()) return new_type(part, pi);
        auto& w  = world();
        auto dom = new_dom(part, pi->dom());
        if (!pi->is_mut()) return w.pi(dom, pi->codom());
        auto made = w.mut_pi(dom);
        auto n    = num_kept(part);
        std::vector<const Def*> params;
        for (size_t i = 0; i != n; ++i) params.push_back(n == 1 ? made->var() : w.extract(made->var(), i));
        return w.seal(made, w.subst(pi->codom(), pi->var(), assemble(part, params)));
    }

    void count(const Lam* lam, const App* call) {
        if (++counts_[lam] <= MaxCopies) return;
        if (!counting_.contains(lam)) throw EverNewNumbers{lam};
        Error error(Diag::too_deep, {});
        error.trace.push_back({lam, world().notes.span(call) ? world().notes.span(call) : world().notes.span(lam)});
        throw error;
    }

    const std::unordered_set<const Lam*>& counting_;
    std::unordered_set<const Def*> choosers_; ///< functions that choose among packages
    std::optional<Sizes> sizes_;
    std::unordered_map<const Def*, bool> splits_[2]; ///< without numbers, and with them
    std::map<std::vector<uint32_t>, const Lam*> copies_;
    std::map<std::vector<uint32_t>, const Def*> bodies_;
    std::unordered_map<const Lam*, size_t> counts_;
};

} // namespace

void monomorphize(PhaseContext& c) {
    expand_polymorphic(c);
    std::unordered_set<const Lam*> counting;
    auto externals = c.world.externals;
    while (true) {
        try {
            Monomorphize(c, counting).run();
            return;
        } catch (const EverNewNumbers& error) { // start again, with the program as it was
            counting.insert(error.lam);
            for (auto& e : externals) c.world.externals.replace(e.name, e.lam->as_mut<Lam>());
        }
    }
}

} // namespace mim::opt
