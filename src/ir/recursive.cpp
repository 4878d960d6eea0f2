// SPDX-License-Identifier: MIT
// Recursive types: `rec T = body` is elaborated with a placeholder for T. Tying makes a mutable of every Σ that contains the
// placeholder on the way, with the result itself in its place. A placeholder that stays outside of all pointers and functions
// would make the type infinite.
#include "ir/impl.h"
#include "ir/subst.h"

namespace mim {

namespace {
class Tie {
public:
    Tie(World& world, const Def* hole)
        : world_(world)
        , hole_(hole) {}

    const Def* run(const Def* body) {
        auto root = skeleton(body);
        if (mentions(root)) fail(Diag::infinite_type);
        root_ = root;
        for (size_t i = 0; i < stubs_.size(); ++i) { // filling may create further stubs
            auto [old, stub] = stubs_[i];
            for (size_t j = 0; j < old->num_ops(); ++j) world_.set(stub, j, skeleton(old->op(j)));
            world_.seal_recursive(stub);
        }
        return root;
    }

private:
    bool mentions(const Def* d) { return d == hole_ || (d->has(Def::HasHole) && world_.refresh(d)->has(Def::HasHole) && contains(d)); }
    bool contains(const Def* d) {
        if (d == hole_) return true;
        if (!d->has(Def::HasHole)) return false;
        for (auto op : d->ops())
            if (op && contains(op)) return true;
        return false;
    }

    const Def* skeleton(const Def* d) {
        if (d == hole_) return root_ ? root_ : d;
        if (!d->has(Def::HasHole)) return d;
        if (auto res = memo_.find(d)) return res;
        const Def* res;
        if (d->node() == Node::Sigma) {
            auto stub = world_.mut_sigma(d->num_ops());
            stubs_.emplace_back(d, stub);
            if (d->var()) fail(Diag::infinite_type);
            res = stub;
        } else if (d->is_mut()) {
            fail(Diag::infinite_type);
        } else {
            std::vector<const Def*> ops(d->num_ops());
            for (size_t i = 0; i < ops.size(); ++i) ops[i] = skeleton(d->op(i));
            res = build(world_, d, ops);
        }
        if (root_ || !contains(res)) memo_.put(d, res);
        return res;
    }

    World& world_;
    const Def* hole_;
    const Def* root_ = nullptr;
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
    if (!body->has(Def::HasHole)) return body;
    return Tie(*this, hole).run(body);
}

} // namespace mim
