// SPDX-License-Identifier: MIT
#include "phase/promote.h"

#include <algorithm>
#include <deque>
#include <map>

#include "analysis/cps.h"
#include "kit/build.h"
#include "opt/signature.h"
#include "phase/contents.h"

namespace mim::plug::mem {

namespace {

/// Steps along tokens for each node of the program: all memory together costs no more.
constexpr uint64_t MaxSteps = 16;

class Promote : public SelectiveRewriter {
public:
    explicit Promote(PhaseContext& c)
        : SelectiveRewriter(c)
        , flow_(c.world, program()) {}

    void analyze() {
        uint64_t steps = MaxSteps * program().nodes().size();
        for (auto def : program().nodes()) {
            if (!match<local>(def) && !match<alloc>(def)) continue;
            Contents contents(flow_, def->as<App>());
            if (contents.analyze(steps)) add(std::move(contents));
        }
    }

protected:
    bool wants(const Def* def) override {
        if (auto app = def->isa<App>()) return ops_.contains(app);
        auto lam = def->isa<Lam>();
        return lam && params_.contains(lam);
    }

    const Def* rewrite_mut(const Def* def) override {
        auto lam    = def->isa<Lam>();
        auto params = lam ? params_.find(lam) : params_.end();
        return params == params_.end() ? SelectiveRewriter::rewrite_mut(def) : build(lam, params->second);
    }

    const Def* rewrite_imm(const Def* def) override {
        if (auto extract = def->isa<Extract>()) {
            auto op = extract->tuple()->isa<App>();
            if (op && ops_.contains(op) && !match<load>(op)) return token_after(op); // of a slot; its pointer is gone
            return SelectiveRewriter::rewrite_imm(def);
        }
        auto app = def->isa<App>();
        if (!app) return SelectiveRewriter::rewrite_imm(def);
        if (ops_.contains(app)) return operation(app);
        return calls_.contains(app) ? call(app) : SelectiveRewriter::rewrite_imm(def);
    }

private:
    void add(Contents&& made) {
        auto c        = &all_.emplace_back(std::move(made));
        ops_[c->op()] = c;
        for (auto op : c->loads()) ops_[op] = c;
        for (auto op : c->stores()) ops_[op] = c;
        for (auto op : c->frees()) ops_[op] = c;
        for (auto& [lam, edges] : c->params()) {
            params_[lam].push_back(c);
            for (auto& edge : *edges) calls_[edge.call][lam] = edge;
        }
    }

    const Def* token_after(const App* op) { return rewrite(ops_.at(op)->token_of(op)); }

    /// A load becomes the token before it and the content; a store and a free become the token before them.
    const Def* operation(const App* op) {
        if (!match<load>(op)) return token_after(op);
        auto c = ops_.at(op);
        return world().tuple({token_after(op), value(*c, c->token_of(op))});
    }

    const Def* value(const Contents& c, const Def* token) {
        auto content = c.at(token);
        if (content.value) return world().coerce(rewrite(c.type()), rewrite(content.value));
        if (!content.param) return nothing(world(), rewrite(c.type()));
        auto& params = params_.at(content.param);
        auto i       = static_cast<size_t>(std::ranges::find(params, &c) - params.begin());
        return world().extract(rewrite(content.param)->as<Lam>()->var(), i);
    }

    /// The new parameters come first, so that the return continuation stays last.
    const Def* build(const Lam* old, const std::vector<const Contents*>& contents) {
        auto& w = world();
        auto n  = opt::num_parts(w, old->pi());
        DefVec types, parts;
        for (auto c : contents) types.push_back(rewrite(c->type()));
        for (size_t i = 0; i < n; ++i) types.push_back(rewrite(n == 1 ? old->dom() : elem_decl(w, old->dom(), i)));
        auto lam = w.mut_lam(w.cn(w.sigma(types)));
        map(old, lam), map(lam, lam);
        w.notes.set_name(lam, w.notes.name(old)), w.notes.set_span(lam, w.notes.span(old));
        for (size_t i = 0; i < n; ++i) {
            parts.push_back(w.extract(lam->var(), contents.size() + i));
            map(opt::part_of(w, old->var(), n, i), parts.back());
        }
        map(old->var(), w.coerce(rewrite(old->dom()), w.tuple(parts)));
        w.set_filter(lam, rewrite(old->filter()));
        w.set_body(lam, rewrite(old->body()));
        w.close(std::span<Lam* const>(&lam, 1));
        return lam;
    }

    /// Passes the contents to the continuations that it leads to.
    const Def* call(const App* app) {
        auto& w     = world();
        auto& edges = calls_.at(app);
        auto arg    = argument(app, edges);
        auto lam    = app->callee()->isa<Lam>();
        auto edge   = lam ? edges.find(lam) : edges.end();
        if (edge == edges.end()) return w.app(redirect(app->callee(), edges), arg);
        auto callee = rewrite(lam);
        return w.app(callee, w.tuple(passed(lam, edge->second.token, arg)));
    }

    const Def* argument(const App* app, const std::map<const Lam*, Edge>& edges) {
        auto tuple = app->arg()->isa<Tuple>();
        if (!tuple) return rewrite(app->arg());
        auto part = [&](auto op) { return op == tuple->ops().back() ? redirect(op, edges) : rewrite(op); };
        return world().tuple(map_defs(tuple->ops(), part));
    }

    /// The contents at the token, and the argument's parts.
    DefVec passed(const Lam* lam, const Def* token, const Def* arg) {
        DefVec args;
        for (auto c : params_.at(lam)) args.push_back(value(*c, token));
        auto n = opt::num_parts(world(), lam->pi());
        for (size_t i = 0; i < n; ++i) args.push_back(opt::part_of(world(), arg, n, i));
        return args;
    }

    /// Continuations with new parameters are reached through others that pass the contents.
    const Def* redirect(const Def* def, const std::map<const Lam*, Edge>& edges) {
        auto& w = world();
        if (auto extract = def->isa<Extract>(); extract && extract->tuple()->isa<Tuple>()) {
            auto index = rewrite(extract->index());
            auto elems = map_defs(extract->tuple()->ops(), [&](auto op) { return redirect(op, edges); });
            return w.extract(w.tuple(elems), index);
        }
        auto lam  = def->isa<Lam>();
        auto edge = lam ? edges.find(lam) : edges.end();
        if (edge == edges.end()) return rewrite(def);
        auto pass = [&](auto arg) { return w.app(rewrite(lam), w.tuple(passed(lam, edge->second.token, arg))); };
        auto made = w.con(rewrite(lam->dom()), pass, lam);
        map(made, made);
        return made;
    }

    Flow flow_;
    std::deque<Contents> all_;
    std::unordered_map<const App*, const Contents*> ops_;                 ///< all that touches private memory
    std::unordered_map<const Lam*, std::vector<const Contents*>> params_; ///< what a continuation gets, in order
    std::unordered_map<const App*, std::map<const Lam*, Edge>> calls_;    ///< that lead to such continuations
};

} // namespace

/// With --checked, memory is watched while the program runs: what is wrong with it must still happen then.
void promote(PhaseContext& c) {
    if (c.world.keeps_traps) return;
    if (!occurs<local, alloc>(c.program())) return;
    Promote promote(c);
    promote.analyze();
    promote.run();
}

} // namespace mim::plug::mem
