// SPDX-License-Identifier: MIT
// Inference without placeholders, for the common case: implicit arguments are found by first-order matching of the callee's domains,
// as declared, against the types of the explicit arguments. Nothing is instantiated and no node is built on the way, which is what
// makes `%core.wrap.add 0 (a, b)` cheap. When a domain is out of reach, World::call takes placeholders.
#include "ir/impl.h"

namespace mim {

namespace {
class Inference {
public:
    explicit Inference(World& world)
        : world_(world) {}

    bool run(const Def* type, Defs groups, std::vector<const Def*>& spine) {
        for (auto group : groups) {
            auto pi = type->isa<Pi>();
            for (; pi && pi->is_implicit(); pi = type->isa<Pi>()) {
                if (!open_group(pi)) return false;
                spine.push_back(nullptr);
                type = pi->codom();
            }
            if (!pi) return false;
            if (pi->dom()->has(Def::HasDep) && !match(pi->dom(), group->type())) return false;
            if (pi->var()) leaves_.push_back({pi->var(), nullptr, group});
            spine.push_back(group);
            type = pi->codom();
        }
        return close(spine);
    }

private:
    struct Leaf {
        const Def* var;   ///< of a Π
        const Def* index; ///< which element of it; null: all of it
        const Def* value; ///< null: not known yet
    };
    struct Group {
        size_t first, count; ///< its leaves
    };

    bool open_group(const Pi* pi) {
        if (!pi->var() || pi->var()->node() != Node::Var) return false; // nothing later mentions it: cannot be inferred
        auto n = world_.lit_arity(pi->dom());
        static constexpr int64_t MaxLeaves = 16;
        if (n < 1 || n > MaxLeaves) return false;
        groups_.push_back({leaves_.size(), static_cast<size_t>(n)});
        for (int64_t i = 0; i < n; ++i)
            leaves_.push_back({pi->var(), n == 1 ? nullptr : world_.lit_idx(n, static_cast<uint64_t>(i)), nullptr});
        return true;
    }

    Leaf* leaf(const Def* pattern) {
        auto ex  = pattern->isa<Extract>();
        auto var = ex ? ex->tuple() : pattern;
        auto idx = ex ? ex->index() : nullptr;
        if (var->node() != Node::Var) return nullptr;
        for (auto& l : leaves_)
            if (l.var == var && l.index == idx) return &l;
        return nullptr;
    }

    bool match(const Def* pattern, const Def* def) {
        if (auto l = leaf(pattern)) {
            if (!l->value) return l->value = def, !def->is_unstable();
            return l->value == def;
        }
        if (!pattern->has(Def::HasDep)) return pattern == def;
        if (pattern->node() != def->node() || pattern->num_ops() != def->num_ops()) return false;
        if (pattern->is_mut() || def->is_mut() || pattern->node() == Node::Var || type_is_operand(pattern)) return pattern == def;
        for (size_t i = 0; i < pattern->num_ops(); ++i)
            if (!match(pattern->op(i), def->op(i))) return false;
        return true;
    }

    bool close(std::vector<const Def*>& spine) {
        auto group = groups_.begin();
        for (auto& arg : spine) {
            if (arg) continue;
            const Def* ops[16];
            for (size_t i = 0; i < group->count; ++i)
                if (!(ops[i] = leaves_[group->first + i].value)) return false;
            arg = world_.tuple(Defs(ops, group->count));
            ++group;
        }
        return true;
    }

    World& world_;
    std::vector<Leaf> leaves_;
    std::vector<Group> groups_;
};
} // namespace

bool World::infer(const Def* callee, Defs groups, std::vector<const Def*>& spine) {
    spine.clear();
    return Inference(*this).run(callee->type(), groups, spine);
}

const Def* World::call(const Def* callee, Defs groups) {
    std::vector<const Def*> spine;
    if (infer(callee, groups, spine)) {
        for (auto arg : spine) callee = app(callee, arg);
        return callee;
    }
    for (auto group : groups) {
        for (auto pi = callee->type()->isa<Pi>(); pi && pi->is_implicit(); pi = refresh(callee->type())->isa<Pi>())
            callee = app(callee, hole(pi->dom()));
        callee = app(callee, group);
    }
    callee = refresh(callee);
    if (callee->has(Def::HasHole)) impl_->report_hole(callee);
    return callee;
}

} // namespace mim
