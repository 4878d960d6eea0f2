// SPDX-License-Identifier: MIT
#include "never.h"

#include <algorithm>

#include "analysis/snapshot.h"
#include "direct/diagnostics.h"
#include "ir/def_set.h"

namespace mim::plug::direct {

namespace {

class Never {
public:
    explicit Never(PhaseContext& context)
        : context_(context) {}

    bool run() {
        for (auto def : context_.program().nodes()) visit(def);
        return !is_wrong_;
    }

private:
    void visit(const Def* def) {
        if (auto app = def->isa<App>()) passed(app->arg(), def);
        else if (auto inj = def->isa<Inj>()) passed(inj->value(), def);
        else if (auto insert = def->isa<Insert>()) passed(insert->value(), def);
        else if (auto lam = def->isa<Lam>(); lam && lam->is_set() && !lam->is_cn()) passed(lam->body(), def);
        if (!def->is_set()) return;
        for (auto op : def->ops()) check_instance(op, def);
    }

    /// An operand of `user`.
    void check_instance(const Def* def, const Def* user) {
        auto app        = def->isa<App>();
        bool is_unknown = app && !app->callee()->isa<Lam>() && !head_axiom(app->callee());
        if (is_unknown && stands_for_never(app->arg()) && seen_.insert(app)) report_instance(app, user);
    }

    /// A type variable gets ⊥. A function that is not known has code for values of the variable, and none that ends where it calls.
    static bool stands_for_never(const Def* arg) {
        if (auto tuple = arg->isa<Tuple>()) return std::ranges::any_of(tuple->ops(), stands_for_never);
        return arg->isa<Bot>();
    }

    void report_instance(const App* app, const Def* user) {
        auto name = context_.world.notes.name(app->callee());
        auto text = name.empty() ? std::string("a function") : std::string(name.view());
        auto span = context_.world.notes.span(app);
        is_wrong_ = true;
        context_.diags.report(diag::unknown_at_never(text), span ? span : context_.world.notes.span(user));
    }

    /// The parts of a tuple or a pack are passed with it.
    void passed(const Def* value, const Def* user) {
        if (value->isa<App>() && value->type()->isa<Bot>()) return report(value->as<App>(), user);
        if (auto pack = value->isa<Pack>()) return passed(pack->body(), value);
        if (!value->isa<Tuple>() || !seen_.insert(value)) return;
        for (auto op : value->ops()) passed(op, value);
    }

    void report(const App* call, const Def* user) {
        if (!seen_.insert(call)) return;
        auto name = context_.world.notes.name(call->callee());
        auto text = name.empty() ? std::string("a continuation") : std::string(name.view());
        auto span = context_.world.notes.span(call);
        is_wrong_ = true;
        context_.diags.report(diag::never_a_value(text), span ? span : context_.world.notes.span(user));
    }

    PhaseContext& context_;
    DefSet seen_;
    bool is_wrong_ = false;
};

} // namespace

bool check_never(PhaseContext& context) { return Never(context).run(); }

} // namespace mim::plug::direct
