// SPDX-License-Identifier: MIT
#include "never.h"

#include <unordered_set>

#include "analysis/snapshot.h"
#include "direct/diagnostics.h"

namespace mim::plug::direct {

namespace {

class Never {
public:
    explicit Never(PhaseContext& context)
        : context_(context) {}

    void run() {
        for (auto def : context_.program().nodes()) visit(def);
    }

private:
    void visit(const Def* def) {
        if (auto app = def->isa<App>()) passed(app->arg(), def);
        else if (auto inj = def->isa<Inj>()) passed(inj->value(), def);
        else if (auto insert = def->isa<Insert>()) passed(insert->value(), def);
        else if (auto lam = def->isa<Lam>(); lam && lam->is_set() && !lam->is_cn()) passed(lam->body(), def);
    }

    /// The parts of a tuple or a pack are passed with it.
    void passed(const Def* value, const Def* user) {
        if (value->isa<App>() && value->type()->isa<Bot>()) return report(value->as<App>(), user);
        if (auto pack = value->isa<Pack>()) return passed(pack->body(), value);
        if (!value->isa<Tuple>() || !seen_.insert(value).second) return;
        for (auto op : value->ops()) passed(op, value);
    }

    void report(const App* call, const Def* user) {
        if (!seen_.insert(call).second) return;
        auto name = context_.world.name(call->callee());
        auto text = name.empty() ? std::string("a continuation") : std::string(name.view());
        auto span = context_.world.span(call);
        context_.diags.report(diag::never_a_value(text), span ? span : context_.world.span(user));
    }

    PhaseContext& context_;
    std::unordered_set<const Def*> seen_;
};

} // namespace

void check_never(PhaseContext& context) { Never(context).run(); }

} // namespace mim::plug::direct
