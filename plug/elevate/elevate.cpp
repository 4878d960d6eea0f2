// SPDX-License-Identifier: MIT
// The phase that applies strategies, and what the plugin registers.
#include "driver/plugin.h"
#include "elevate/annexes.h"
#include "elevate/diagnostics.h"
#include "elevate/run/interpret.h"
#include "eval/machine.h"
#include "kit/lower.h"
#include "kit/match.h"

namespace mim::plug::elevate {

namespace {

/// What a rule makes of a term is the same value.
eval::Value mean_rewrite(eval::Machine& m, const Def*) { return m.group(2); }

/*
 * rules that no pattern can say
 */
const Def* rewrite_eta(World& w, const Def*, const Def* at, std::string& why) {
    auto lam    = at->isa<Lam>();
    auto known  = lam ? isa_known(lam) : nullptr;
    auto app    = known ? known->body()->isa<App>() : nullptr;
    auto var    = known ? known->var() : nullptr;
    bool is_eta = app && var->isa<Var>() && app->arg() == var && !is_free_in(w, var, app->callee());
    if (is_eta && assignable(w, at->type(), app->callee())) return app->callee();
    why = "`" + term_text(w, at) + "` is no function that only calls another one";
    return nullptr;
}

/// The function is below the arguments that follow the first.
const Def* rewrite_beta(World& w, const Def*, const Def* at, std::string& why) {
    DefVec args;
    auto head = at;
    while (auto app = head->isa<App>()) args.push_back(app->arg()), head = app->callee();
    auto result = isa_known(head) && !args.empty() ? w.beta(head, args.back()) : nullptr;
    if (!result) {
        why = "`" + term_text(w, at) + "` calls no function that is known";
        return nullptr;
    }
    args.pop_back();
    for (; !args.empty(); args.pop_back()) result = w.app(result, args.back());
    return result;
}

DiagArgs texts(World& world, const Error& error) {
    DiagArgs result;
    for (auto& arg : error.args) {
        auto text = std::get_if<std::string>(&arg);
        result.push_back(text ? *text : term_text(world, std::get<const Def*>(arg)));
    }
    return result;
}

/// A strategy that fails leaves its term as it is, so that the next one is tried as well.
const Def* rewrite_term(PhaseContext& c, const Lowered& app) {
    auto& w           = app.world();
    auto [_, s, term] = app.groups<3>();
    auto place        = w.notes.span(app.app());
    Interpreter::Options options{c.settings.number("elevate.budget"), c.settings.flag("elevate.trace"), place, nullptr};
    try {
        std::string why;
        if (auto result = Interpreter(w, c.diags, options).run(s, term, why)) return result;
        c.diags.report(diag::failed(why), place);
    } catch (const Error& error) {
        bool is_reported = error.id == Diag::plugin_fault || info(error.id).code.starts_with("E-elevate");
        if (!is_reported) throw;
        c.diags.report(error.id, place, texts(w, error));
    }
    return term;
}

void apply_strategies(PhaseContext& c) {
    Lowering(c).on<elevate::rewrite>([&](const Lowered& app) { return rewrite_term(c, app); }).run();
}

void init(PluginBuilder& p) {
    p.diagnostics(diag::all());
    p.option("budget", 100'000,
             "how often rules may fire in one application of a strategy; a hundred times as many terms may be visited");
    p.option("trace", false, "shows each rule that fired, where it did, and the terms before and after");
    p.axiom("%elevate.rewrite").meaning(mean_rewrite);
    p.axiom("%elevate.eta").rewrite(rewrite_eta);
    p.axiom("%elevate.beta").rewrite(rewrite_beta);
    p.phase("elevate.rewrite", "applies strategies: `%elevate.rewrite s x` becomes what `s` makes of `x`", apply_strategies);
    p.join("language", "elevate.rewrite");
}

} // namespace

} // namespace mim::plug::elevate

MIM_PLUGIN(elevate, mim::plug::elevate::init)
