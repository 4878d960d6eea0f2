// SPDX-License-Identifier: MIT
// See passing.h. Each closed function has its graph of uses, in which a part of an argument is a vertex of its own (Delay); what the callee does
// with it says whether there is a path through it.
#include "passing.h"

#include <algorithm>
#include <memory>
#include <unordered_set>

#include "uses.h"

namespace mim::plug::direct {

namespace {

using Vertex = Uses::Vertex;

class Passing {
public:
    Passing(Facts& facts, const std::vector<const Lam*>& lams)
        : facts_(facts) {
        for (auto lam : lams)
            if (facts.is_closed(lam)) roots_.push_back(std::make_unique<Root>(facts, lam));
        for (uint32_t r = 0; r != roots_.size(); ++r) add_calls(r);
    }

    void run() {
        for (auto& root : roots_) fix(*root);
        repeat([&](Root& root) { find_needed(root); });
        facts_.decided();
        repeat([&](Root& root) { find_unsafe(root); });
        facts_.decided();
        repeat([&](Root& root) { find_used(root); });
    }

private:
    struct Root {
        Root(Facts& facts, const Lam* lam)
            : uses(facts, lam, true)
            , order(uses.size()) {
            for (uint32_t v = 0; v != order.size(); ++v) order[v] = v;
            std::sort(order.begin(), order.end(), [&](auto a, auto b) { return uses[a].order < uses[b].order; });
        }
        Uses uses;
        std::vector<uint32_t> order; ///< of vertices, operands first
        std::vector<uint32_t> functions, delays;
        bool is_queued = false;
    };

    void add_calls(uint32_t r) {
        auto& root = *roots_[r];
        for (uint32_t v = 0; v != root.uses.size(); ++v) {
            auto& vertex = root.uses[v];
            if (vertex.kind == Vertex::Delay) {
                root.delays.push_back(v);
                auto& callers = callers_[vertex.leaf->lam];
                if (callers.empty() || callers.back() != r) callers.push_back(r);
            } else if (auto lam = vertex.def->isa<Lam>(); lam && vertex.kind == Vertex::Function && facts_.leaves(lam)) {
                root.functions.push_back(v);
                root_of_[lam] = r;
            }
        }
    }

    /// Calls `look` with each function, and again with those that `touch` names.
    template<class Look>
    void repeat(Look look) {
        for (uint32_t r = uint32_t(roots_.size()); r-- != 0;) touch(r);
        while (!queue_.empty()) {
            auto r = queue_.back();
            queue_.pop_back();
            roots_[r]->is_queued = false;
            look(*roots_[r]);
        }
    }

    void touch(uint32_t r) {
        if (roots_[r]->is_queued) return;
        roots_[r]->is_queued = true;
        queue_.push_back(r);
    }

    // --- leaves that types mention ---

    void fix(Root& root) {
        std::vector<const Def*> ops;
        for (uint32_t v = 0; v != root.uses.size(); ++v) {
            auto def = root.uses[v].def;
            fix(def->type());
            fix_pack(result_of(root, v));
            if (def->isa<Lam>() || facts_.isa_leaf(def)) continue;
            ops.clear();
            run_time_ops(def, ops);
            for (auto op : def->ops())
                if (std::find(ops.begin(), ops.end(), op) == ops.end() || is_binder(op)) fix(op);
            if (auto match = def->isa<Match>())
                for (auto arm : match->arms()) fix(arm->type());
        }
    }

    /// The expression that a context evaluates, or the vertex itself.
    static const Def* result_of(Root& root, uint32_t v) {
        auto& vertex = root.uses[v];
        if (vertex.kind != Vertex::Function) return vertex.def;
        auto lam = vertex.def->isa<Lam>();
        return lam ? lam->body() : vertex.def->as<Pack>()->body();
    }

    /// A pack that no code fills is no vertex: its elements mention values, as types do.
    void fix_pack(const Def* def) {
        if (is_binder(def) && !facts_.is_filled(def)) fix(def);
    }
    static bool is_binder(const Def* def) { return def->isa<Pack>() && def->var(); }

    /// A type may mention one leaf deep inside, as that of an element of what a call returned does.
    void fix(const Def* type) {
        if (!type || facts_.is_closed(type) || !fixed_.insert(type).second) return;
        if (auto leaf = facts_.isa_leaf(type)) leaf->is_fixed = true;
        else if (auto var = type->isa<Var>()) fix_all(var->binder()->isa<Lam>());
        else
            for (auto op : type->ops()) fix(op);
        fix(type->type());
    }

    void fix_all(const Lam* lam) {
        auto leaves = lam ? facts_.leaves(lam) : nullptr;
        if (!leaves) return;
        for (auto& leaf : *leaves) leaf.is_fixed = true;
    }

    // --- needed ---

    void find_needed(Root& root) {
        for (auto f : root.functions) {
            auto lam     = root.uses[f].def->as<Lam>();
            auto& leaves = *facts_.leaves(lam);
            auto needed  = needed_by(root, f, leaves);
            bool changed = false;
            for (size_t i = 0; i != leaves.size(); ++i)
                if (leaves[i].is_needed && !leaves[i].is_fixed && !(needed >> i & 1)) leaves[i].is_needed = false, changed = true;
            if (!changed) continue;
            for (auto caller : callers_[lam]) touch(caller);
        }
    }

    /// The set of leaves that vertex `function` needs. Whoever calls a function inside needs nothing of what that takes from around it.
    uint64_t needed_by(Root& root, uint32_t function, const std::vector<Leaf>& leaves) {
        auto& uses = root.uses;
        std::vector<uint64_t> sets(uses.size());
        for (size_t i = 0; i != leaves.size(); ++i)
            if (auto v = uses.vertex(leaves[i].def); v >= 0) sets[size_t(v)] = uint64_t(1) << i;
        for (auto v : root.order) {
            bool has_arm    = false;
            uint64_t common = ~uint64_t(0);
            for (auto s : uses[v].succs) {
                auto& to = uses[s];
                if (to.kind == Vertex::Arm) {
                    has_arm = true, common &= sets[s];
                } else if (to.kind == Vertex::Delay ? to.leaf->is_fixed || to.leaf->is_needed : to.kind != Vertex::Function) {
                    sets[v] |= sets[s];
                }
            }
            if (has_arm) sets[v] |= common;
        }
        return sets[function];
    }

    // --- unsafe ---

    void find_unsafe(Root& root) {
        facts_.forget();
        for (auto d : root.delays) {
            auto& vertex = root.uses[d];
            auto& leaf   = *vertex.leaf;
            if (leaf.is_unsafe || leaf.is_fixed || leaf.is_needed || facts_.is_safe(vertex.def)) continue;
            leaf.is_unsafe = true;
            touch(root_of_[leaf.lam]);
        }
    }

    // --- used ---

    /// An argument that is passed as a value is evaluated, so all that it mentions is used, whether or not the callee looks at it.
    void find_used(Root& root) {
        auto& uses = root.uses;
        std::vector<bool> seen(uses.size());
        std::vector<uint32_t> todo{0};
        std::vector<const Lam*> changed;
        while (!todo.empty()) {
            auto v = todo.back();
            todo.pop_back();
            if (seen[v]) continue;
            seen[v] = true;
            if (auto leaf = facts_.isa_leaf(uses[v].def); leaf && uses[v].kind == Vertex::Simple && !leaf->is_used) {
                leaf->is_used = true;
                changed.push_back(leaf->lam);
            }
            for (auto s : uses[v].succs) {
                bool is_passed = uses[s].kind != Vertex::Delay || !uses[s].leaf->is_lazy() || uses[s].leaf->is_used;
                if (is_passed) todo.push_back(s);
            }
        }
        for (auto lam : changed)
            for (auto caller : callers_[lam]) touch(caller);
    }

    Facts& facts_;
    std::vector<std::unique_ptr<Root>> roots_;
    std::unordered_set<const Def*> fixed_; ///< what types mention, and was looked at
    std::unordered_map<const Lam*, std::vector<uint32_t>> callers_;
    std::unordered_map<const Lam*, uint32_t> root_of_;
    std::vector<uint32_t> queue_;
};

} // namespace

void decide_passing(Facts& facts, const std::vector<const Lam*>& lams, const std::vector<const Def*>& calls) {
    for (auto lam : lams) facts.add_function(lam);
    bool is_interesting = std::any_of(calls.begin(), calls.end(), [&](const Def* call) {
        auto leaves = facts.callee_leaves(call);
        return leaves && std::any_of(leaves->begin(), leaves->end(), [&](auto& leaf) {
                   return !facts.is_safe(facts.part(call->as<App>()->arg(), leaf));
               });
    });
    if (is_interesting) Passing(facts, lams).run();
    facts.decided();
}

} // namespace mim::plug::direct
