// SPDX-License-Identifier: MIT
// Recursive types: `rec T = body` is elaborated with a placeholder for T. Tying makes a mutable of every Σ that contains the
// placeholder on the way, with the result itself in its place. A placeholder that stays outside of all pointers and functions
// would make the type infinite.
#include <algorithm>

#include "ir/impl.h"
#include "ir/subst.h"

namespace mim {

namespace {
class Tie {
public:
    Tie(World& world, Defs holes)
        : world_(world)
        , holes_(holes.begin(), holes.end()) {}

    /// Replaces each body by the type that its placeholder stands for.
    void run(std::span<const Def*> bodies) {
        std::vector<const Def*> roots;
        for (auto body : bodies) roots.push_back(skeleton(body));
        for (auto root : roots)
            if (mentions(root)) fail(holds_hole(root) ? Diag::infinite_type : Diag::rec_needs_tuple);
        roots_ = roots;
        for (size_t i = 0; i < stubs_.size(); ++i) { // filling may create further stubs
            auto [old, stub] = stubs_[i];
            auto array       = old->isa<Arr>();
            for (size_t j = 0; j < stub->num_ops(); ++j) world_.set(stub, j, skeleton(array ? array->body() : old->op(j)));
            world_.seal_recursive(stub);
        }
        for (auto [old, stub] : stubs_)
            if (holds_itself(stub)) fail(Diag::infinite_type);
        std::copy(roots.begin(), roots.end(), bodies.begin());
    }

private:
    int64_t find(const Def* d) const {
        for (size_t i = 0; i < holes_.size(); ++i)
            if (holes_[i] == d) return static_cast<int64_t>(i);
        return -1;
    }
    bool mentions(const Def* d) {
        return find(d) >= 0 || (d->has(Def::HasHole) && world_.refresh(d)->has(Def::HasHole) && contains(d));
    }
    bool contains(const Def* d) {
        if (find(d) >= 0) return true;
        if (!d->has(Def::HasHole)) return false;
        for (auto op : d->ops())
            if (op && contains(op)) return true;
        return false;
    }

    /// Whether values of `type` may hold values of what `found` is asked for. Behind a function or a pointer they do not; of an axiom
    /// that makes types its descriptor says whether it makes pointers; anything else may hold what it mentions.
    template<class F>
    static bool holds(const Def* type, DefMap& done, F found) {
        if (found(type)) return true;
        if (done.find(type)) return false;
        done.put(type, type);
        if (type->node() == Node::Pi || type->node() == Node::Var || type->node() == Node::Lam) return false;
        if (auto axm = type->isa<App>() ? head_axiom(type) : nullptr) {
            auto& a = axm->axiom();
            if (a.has(Axiom::Pointer) || a.has(Axiom::LinearType) || a.has(Axiom::Erased)) return false;
        }
        return std::ranges::any_of(type->ops(), [&](auto op) { return op && holds(op, done, found); });
    }
    static bool holds_itself(const Def* root) {
        DefMap done;
        return std::ranges::any_of(root->ops(), [&](auto op) { return holds(op, done, [&](auto d) { return d == root; }); });
    }
    bool holds_hole(const Def* root) {
        DefMap done;
        return holds(root, done, [&](auto d) { return find(d) >= 0; });
    }

    /// `[T, T]` is an array, and an array is no node that can be recursive. Where no Σ around it is, it becomes one again: the number of
    /// its elements, else 0.
    int64_t tuple_of_equals(const Def* d) {
        if (!roots_.empty() || d->is_mut() || d->node() != Node::Arr) return 0;
        auto n                       = world_.lit_arity(d);
        static constexpr int64_t Max = 1024; // as for what a binder of literal size expands to
        return n >= 2 && n <= Max ? n : 0;
    }

    const Def* skeleton(const Def* d) {
        if (auto i = find(d); i >= 0) return roots_.empty() ? d : roots_[static_cast<size_t>(i)];
        if (!d->has(Def::HasHole)) return d;
        if (auto res = memo_.find(d)) return res;
        const Def* res;
        if (d->node() == Node::Sigma) {
            auto stub = world_.mut_sigma(d->num_ops());
            stubs_.emplace_back(d, stub);
            if (d->var()) fail(Diag::infinite_type);
            res = stub;
        } else if (auto n = tuple_of_equals(d); n > 0) {
            auto stub = world_.mut_sigma(static_cast<size_t>(n));
            stubs_.emplace_back(d, stub);
            res = stub;
        } else if (d->is_mut()) {
            fail(Diag::infinite_type);
        } else {
            std::vector<const Def*> ops(d->num_ops());
            for (size_t i = 0; i < ops.size(); ++i) ops[i] = skeleton(d->op(i));
            res = build(world_, d, ops);
        }
        if (!roots_.empty() || !contains(res)) memo_.put(d, res);
        return res;
    }

    World& world_;
    std::vector<const Def*> holes_, roots_;
    DefMap memo_;
    std::vector<std::pair<const Def*, Sigma*>> stubs_;
};
} // namespace

const Def* World::seal_recursive(Sigma* sigma) {
    impl_->add_flags(sigma, Def::IsSet | Def::Sealed);
    impl_->clear_flags(sigma, Def::HasHole | Def::Stale);
    impl_->recursive.insert(sigma);
    return sigma;
}

bool World::is_recursive(const Def* def) const { return impl_->recursive.contains(def); }

const Def* World::tie(const Def* hole, const Def* body) {
    tie(Defs(&hole, 1), std::span(&body, 1));
    return body;
}

void World::tie(Defs holes, std::span<const Def*> bodies) { Tie(*this, holes).run(bodies); }

} // namespace mim
