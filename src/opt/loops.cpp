// SPDX-License-Identifier: MIT
// Tail recursion becomes a loop: a function that calls itself with its own return continuation gets an inner function for those calls,
// without that continuation and without the parameters that they pass on unchanged:
//
//     fun f (x, y) = … f (x', y) … return e        becomes        fun f (x, y) = loop x where con loop x = … loop x' … return e end
//
// Other calls of f, such as those in the middle of a computation, stay calls of f. The inner function is a block with variables for
// the back end, f is not recursive any more if nothing else made it so, and callers may inline it.
#include <unordered_set>

#include "ir/building.h"
#include "opt/frames.h"
#include "opt/opt.h"
#include "opt/signature.h"

namespace mim::opt {

namespace {

class Loops : public SignatureRewriter {
public:
    explicit Loops(PhaseContext& c)
        : SignatureRewriter(c)
        , frames_(frames(c.world, program())) {}

    void find() {
        for (auto def : program().nodes())
            if (auto lam = def->isa<Lam>()) find(lam);
    }

protected:
    bool wants(const Def* def) override {
        auto lam = def->isa<Lam>();
        return lam && inner_.contains(lam);
    }

    const Def* rewrite_mut(const Def* def) override {
        auto lam = def->isa<Lam>();
        auto it  = lam ? inner_.find(lam) : inner_.end();
        return it == inner_.end() ? SelectiveRewriter::rewrite_mut(def) : build(lam, it->second);
    }

    const Def* rewrite_imm(const Def* def) override {
        auto app = def->isa<App>();
        if (!app || !tail_calls_.contains(app)) return SelectiveRewriter::rewrite_imm(def);
        auto& plan = inner_.at(app->callee()->as<Lam>());
        std::vector<const Def*> args;
        kept(plan.part, app->arg(), args);
        return world().app(plan.loop, args);
    }

private:
    struct Inner {
        Part part;
        const Lam* loop = nullptr;
    };

    void find(const Lam* lam) {
        if (!lam->is_cn() || !lam->is_set() || !lam->var()->isa<Var>() || frames_.contains(lam)) return;
        auto& w  = world();
        auto ret = ret_part(w, lam->pi());
        auto sig = lam->dom()->isa<Sigma>();
        if (ret < 0 || (sig && sig->is_mut())) return;
        auto n   = num_parts(w, lam->pi());
        auto own = [&](size_t i) { return part_of(w, lam->var(), n, i); };
        std::vector<bool> same(n, true);
        bool any = false;
        for (auto user : program().users(lam)) {
            auto app = user->isa<App>();
            if (!app || app->callee() != lam || part_of(w, app->arg(), n, size_t(ret)) != own(size_t(ret))) continue;
            any = true;
            tail_calls_.insert(app);
            for (size_t i = 0; i < n; ++i) same[i] = same[i] && part_of(w, app->arg(), n, i) == own(i);
        }
        if (!any) return;
        std::vector<Part> parts;
        for (size_t i = 0; i < n; ++i) parts.push_back({same[i] ? Part::Drop : Part::Keep, nullptr, {}});
        inner_[lam].part = n == 1 ? parts.front() : Part{Part::Split, nullptr, std::move(parts)};
    }

    const Def* build(const Lam* old, Inner& inner) {
        auto& w    = world();
        auto lam   = w.mut_lam(rewrite(old->type()));
        auto loop  = w.mut_lam(new_type(inner.part, old->pi()));
        inner.loop = loop;
        w.notes.copy_info(old, lam);
        w.notes.set_name(loop, w.sym("loop")), w.notes.set_span(loop, w.notes.span(old));
        map(old, lam), map(lam, lam), map(loop, loop);
        map(old->var(), lam->var());
        copy_names(old, lam);
        auto n      = num_parts(w, old->pi());
        auto params = params_of(loop, num_kept(inner.part));
        std::vector<const Def*> values, start;
        for (size_t i = 0, next = 0; i < n; ++i) {
            auto own  = part_of(w, lam->var(), n, i);
            bool keep = (n == 1 ? inner.part : inner.part.parts[i]).kind == Part::Keep;
            values.push_back(keep ? params[next++] : own);
            if (keep) start.push_back(own);
            map(part_of(w, old->var(), n, i), values.back());
        }
        map(old->var(), w.coerce(rewrite(old->dom()), w.tuple(values)));
        w.set_filter(loop, rewrite(old->filter()));
        w.set_filter(lam, w.ff());
        Building body(w, loop);
        w.set_body(loop, rewrite(old->body()));
        copy_names(old, loop);
        w.set_body(lam, w.app(loop, start));
        Lam* group[] = {lam, loop};
        w.close(group);
        return lam;
    }

    std::unordered_set<const Lam*> frames_;
    std::unordered_set<const App*> tail_calls_;
    std::unordered_map<const Lam*, Inner> inner_;
};

} // namespace

void find_loops(PhaseContext& c) {
    Loops loops(c);
    loops.find();
    loops.run();
}

} // namespace mim::opt
