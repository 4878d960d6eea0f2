// SPDX-License-Identifier: MIT
// Dead parameters, and with them dead code: a part of an argument is computed only if the function needs it. Starts at the functions
// visible outside and follows what is needed; a part of a known call's argument is needed once the function's parameter is. So a
// parameter that a loop only passes on to itself goes. Tokens are always needed: effects stand in their order. So is the return of a
// function with memory of its own: without it, that memory would belong to the function around.
#include <algorithm>

#include "ir/token_types.h"
#include "opt/frames.h"
#include "opt/opt.h"
#include "opt/signature.h"

namespace mim::opt {

namespace {

class Dead : public SignatureRewriter {
public:
    explicit Dead(PhaseContext& c)
        : SignatureRewriter(c)
        , tokens_(c.world)
        , frames_(frames(c.world, program())) {}

    void analyze() {
        for (auto& e : world().externals) need(e.lam);
        while (!work_.empty()) {
            auto def = work_.back();
            work_.pop_back();
            visit(def);
        }
        for (auto& [lam, sites] : sites_) plan(lam);
    }

private:
    bool is_needed(const Def* def) const { return def->id() < needed_.size() && needed_[def->id()]; }
    void need(const Def* def) {
        if (is_needed(def)) return;
        if (def->id() >= needed_.size()) needed_.resize(def->id() + def->id() / 2 + 64);
        needed_[def->id()] = true;
        work_.push_back(def);
    }

    void visit(const Def* def) {
        if (auto lam = parameter(def)) return need_part(lam, def);
        if (auto var = def->isa<Var>()) {
            auto lam = var->binder()->isa<Lam>(); // the argument as a whole
            if (lam && lam->is_cn() && num_parts(world(), lam->pi()) > 1)
                for (auto param : parts_of(lam)) need(param);
            return;
        }
        auto app = def->isa<App>();
        auto lam = app ? app->callee()->isa<Lam>() : nullptr;
        if (lam && is_planned(lam)) return call(app, lam);
        for (auto op : def->ops())
            if (op) need(op);
        if (def->isa<Lit>() || def->isa<Inj>() || def->isa<Lam>() || is_declared(def)) need(def->type());
    }

    /// The λ that def is a part of the argument of.
    const Lam* parameter(const Def* def) {
        auto extract = def->isa<Extract>();
        auto var     = (extract ? extract->tuple() : def)->isa<Var>();
        auto lam     = var ? var->binder()->isa<Lam>() : nullptr;
        if (!lam || !lam->is_cn() || (extract && !isa_lit(extract->index()))) return nullptr;
        return (num_parts(world(), lam->pi()) > 1) == (extract != nullptr) ? lam : nullptr;
    }

    /// Its calls can be changed, and its types do not depend on its parameters.
    bool is_planned(const Lam* lam) {
        auto [i, fresh] = planned_.try_emplace(lam, false); // asking is linear in its users, and each of its calls asks
        auto sigma      = lam->dom()->isa<Sigma>();
        if (fresh) i->second = !(sigma && sigma->is_mut()) && is_only_called(program(), lam);
        return i->second;
    }

    void call(const App* app, const Lam* lam) {
        auto [i, fresh] = sites_.try_emplace(lam);
        i->second.push_back(app);
        if (fresh) need(lam->filter()), need(lam->body()), need(lam->type());
        auto params = parts_of(lam);
        for (size_t j = 0; j < params.size(); ++j) {
            if (fresh && is_always_needed(lam, params[j])) need(params[j]);
            if (is_needed(params[j])) need(part_of(world(), app->arg(), params.size(), j));
        }
    }

    bool is_always_needed(const Lam* lam, const Def* param) {
        return tokens_.is_token(param) || (is_cn_type(param->type()) && frames_.contains(lam));
    }

    void need_part(const Lam* lam, const Def* param) {
        auto sites = sites_.find(lam);
        if (sites == sites_.end()) return;
        auto params = parts_of(lam);
        auto j      = static_cast<size_t>(std::ranges::find(params, param) - params.begin());
        for (auto app : sites->second) need(part_of(world(), app->arg(), params.size(), j));
    }

    void plan(const Lam* lam) {
        std::vector<Part> parts;
        bool any = false;
        for (auto param : parts_of(lam)) {
            parts.push_back({is_needed(param) ? Part::Keep : Part::Drop, nullptr, {}});
            any |= !is_needed(param);
        }
        // of such arguments, only the parts were looked at: not all that the whole mentions is needed
        any |= std::ranges::any_of(sites_.at(lam),
                                   [](const App* app) { return app->arg()->isa<Insert>() || app->arg()->isa<Extract>(); });
        if (!any || lam->dom() == world().unit_type()) return;
        plans_.emplace(lam, parts.size() == 1 ? parts.front() : Part{Part::Split, nullptr, std::move(parts)});
    }

    TokenTypes tokens_;
    std::unordered_set<const Lam*> frames_;
    std::vector<bool> needed_; ///< by id
    std::vector<const Def*> work_;
    std::unordered_map<const Lam*, bool> planned_;
    std::unordered_map<const Lam*, std::vector<const App*>> sites_;
};

} // namespace

void drop_dead(PhaseContext& c) {
    Dead dead(c);
    dead.analyze();
    dead.run();
}

} // namespace mim::opt
