// SPDX-License-Identifier: MIT
// Recursive types: `rec T = body` is elaborated with a placeholder for T. Tying makes a mutable of each outermost Σ that contains the
// placeholder, and puts the result itself in its place. The Σs inside of it stay immutable, so that the same type written after `rec` is the
// same node, and what phases made is read back as it was. A placeholder that stays outside of all pointers and functions would make the
// type infinite.
//
// A circle needs a mutable on it, so a Π or a pointer becomes one if no Σ lies between it and the placeholder, and a Π also if its codomain
// mentions its variable and it lies outside of all Σs. The former bind no variable. The domain of the latter is complete before the mutable exists, so it cannot
// contain the placeholder; whoever copies such a Π relies on that (ir/copy.h).
#include "ir/recursive.h"

#include <algorithm>
#include <unordered_map>

#include "ir/impl.h"
#include "ir/subst.h"

namespace mim {

namespace {
class Tie {
public:
    Tie(World& world, Defs holes)
        : world_(world) {
        for (size_t i = 0; i < holes.size(); ++i) holes_.emplace(holes[i], i);
    }

    /// Replaces each body by the type that its placeholder stands for.
    void run(std::span<const Def*> bodies) {
        std::vector<const Def*> roots;
        for (auto body : bodies) roots.push_back(skeleton(body));
        for (auto root : roots)
            if (mentions(root)) fail(Diag::infinite_type);
        roots_ = roots;
        for (size_t i = 0; i < stubs_.size(); ++i) { // filling may create further stubs
            auto [old, stub] = stubs_[i];
            fill(old, stub);
        }
        if (is_infinite()) fail(Diag::infinite_type);
        std::copy(roots.begin(), roots.end(), bodies.begin());
    }

private:
    /// Which of the placeholders it is, or -1.
    int64_t find(const Def* d) const {
        if (d->node() != Node::Hole) return -1;
        auto it = holes_.find(d);
        return it == holes_.end() ? -1 : static_cast<int64_t>(it->second);
    }
    bool mentions(const Def* d) {
        return find(d) >= 0 || (d->has(Def::HasHole) && world_.refresh(d)->has(Def::HasHole) && contains(d));
    }
    bool contains(const Def* d) {
        if (find(d) >= 0) return true;
        if (!d->has(Def::HasHole)) return false;
        if (auto it = contains_.find(d); it != contains_.end()) return it->second;
        bool res            = std::ranges::any_of(d->ops(), [&](auto op) { return op && contains(op); });
        return contains_[d] = res;
    }

    bool is_pointer(const Def* type) const {
        auto axm = type->isa<App>() ? head_axiom(type) : nullptr;
        return axm && is_type(type) && axm->axiom().has(Axiom::Pointer);
    }

    /// The types whose values a value of `type` may contain. Functions and pointers contain none. The descriptor of an axiom that makes
    /// types says whether it makes pointers. Any other type may contain what it mentions.
    static Defs held(const Def* type) {
        if (type->node() == Node::Pi || type->node() == Node::Var || type->node() == Node::Lam) return {};
        if (auto axm = type->isa<App>() ? head_axiom(type) : nullptr) {
            auto& a = axm->axiom();
            if (a.has(Axiom::Pointer) || a.has(Axiom::LinearType) || a.has(Axiom::Erased)) return {};
        }
        return type->ops();
    }
    /// Whether values of one of the types may hold values of itself: a search in depth that meets what it comes from.
    bool is_infinite() const {
        std::unordered_map<const Def*, bool> done; ///< false while the search is in it
        std::vector<std::pair<const Def*, size_t>> path;
        for (auto [old, stub] : stubs_) {
            if (!done.emplace(stub, false).second) continue;
            path.emplace_back(stub, 0);
            while (!path.empty()) {
                auto& [type, next] = path.back();
                auto parts         = held(type);
                if (next == parts.size()) {
                    done[type] = true;
                    path.pop_back();
                    continue;
                }
                auto part = parts[next++];
                if (!part) continue;
                auto [it, fresh] = done.emplace(part, false);
                if (fresh) path.emplace_back(part, 0);
                else if (!it->second) return true;
            }
        }
        return false;
    }
    /// An operand of `old` for the mutable that takes its place.
    const Def* part(const Def* old, size_t i, const Def* stub) {
        return old->var() ? world_.subst(old->op(i), old->var(), stub->var()) : old->op(i);
    }
    void fill(const Def* old, const Def* stub) {
        if (auto pi = stub->isa_mut<Pi>()) return fill_pi(old->as<Pi>(), pi);
        if (auto pointer = stub->isa_mut<App>()) return fill_pointer(old->as<App>(), pointer);
        fill_sigma(old, stub->as_mut<Sigma>());
    }
    const Def* element(const Arr* array, size_t i) {
        auto index = world_.lit_idx(array->arity()->as<Lit>()->value(), i);
        return array->var() ? world_.subst(array->body(), array->var(), index) : array->body();
    }
    void fill_pointer(const App* old, App* stub) {
        auto callee = skeleton(old->callee());
        seal_recursive(world_, stub, callee, skeleton(old->arg()));
    }
    void fill_sigma(const Def* old, Sigma* stub) {
        auto array = old->isa<Arr>();
        for (size_t i = 0; i < stub->num_ops(); ++i)
            world_.set(stub, i, skeleton(array ? element(array, i) : part(old, i, stub)));
        seal_recursive(world_, stub);
    }
    void fill_pi(const Pi* old, Pi* stub) {
        auto dom = stub->var() ? stub->dom() : skeleton(old->dom());
        seal_recursive(world_, stub, dom, skeleton(part(old, 1, stub)));
    }

    /// `[T, T]` is an array, and an array is no node that can be recursive. Where no Σ around it is, it becomes one again: the number of
    /// its elements, else 0.
    int64_t tuple_of_array(const Def* d) {
        if (!roots_.empty() || d->node() != Node::Arr) return 0;
        auto n                       = lit_arity(world_, d);
        static constexpr int64_t Max = 1024; // as for what a binder of literal size expands to
        return n >= 2 && n <= Max ? n : 0;
    }

    const Def* skeleton(const Def* d) {
        if (auto i = find(d); i >= 0) return roots_.empty() ? d : roots_[static_cast<size_t>(i)];
        if (!d->has(Def::HasHole)) return d;
        if (auto res = memo_.find(d)) return res;
        const Def* res;
        if (d->node() == Node::Sigma && (roots_.empty() || d->is_mut())) {
            auto stub = world_.mut_sigma(d->num_ops());
            stubs_.emplace_back(d, stub);
            world_.notes.copy_info(d, stub);
            res = stub;
        } else if (auto n = tuple_of_array(d); n > 0) {
            auto stub = world_.mut_sigma(static_cast<size_t>(n));
            stubs_.emplace_back(d, stub);
            res = stub;
        } else if (d->is_mut()) {
            res = skeleton_of_binder(d);
        } else if (roots_.empty() && is_pointer(d) && meets_array(d)) {
            res = stub_for(d);
        } else {
            std::vector<const Def*> ops(d->num_ops());
            for (size_t i = 0; i < ops.size(); ++i) ops[i] = skeleton(d->op(i));
            bool is_circle = std::ranges::any_of(ops, [&](auto op) { return contains(op); });
            auto stub      = is_circle ? stub_for(d) : nullptr;
            res            = stub ? stub : build(world_, d, ops);
        }
        if (!roots_.empty() || !contains(res)) memo_.put(d, res);
        return res;
    }

    /// In place of a Π or a pointer that has no Σ between it and the placeholder; null for other types.
    const Def* stub_for(const Def* type) {
        Def* stub = nullptr;
        if (auto pi = type->isa<Pi>()) stub = mut_recursive_pi(world_, pi->type(), pi->is_implicit());
        else if (is_pointer(type)) stub = mut_recursive_pointer(world_, type->as<App>());
        if (stub) stubs_.emplace_back(type, stub);
        return stub;
    }

    /// Whether an array that binds its index lies between `d` and the placeholder, with no Σ around it. Such an array is complete once the
    /// roots are known.
    bool meets_array(const Def* d) {
        if (d->node() == Node::Sigma || d->node() == Node::Hole || !contains(d)) return false;
        if (auto it = meets_array_.find(d); it != meets_array_.end()) return it->second;
        bool binds             = d->is_mut() && d->node() == Node::Arr;
        return meets_array_[d] = binds || std::ranges::any_of(d->ops(), [&](auto op) { return meets_array(op); });
    }

    /// Of a Π, an array or a pack that binds a variable. What it contains once the roots are known is complete, so it may be sealed.
    const Def* skeleton_of_binder(const Def* d) {
        if (d->node() != Node::Pi && (d->node() != Node::Arr || roots_.empty())) fail(Diag::infinite_type);
        if (contains(d->op(0))) fail(d->node() == Node::Pi ? Diag::rec_in_domain : Diag::infinite_type);
        if (auto arr = d->isa<Arr>()) {
            auto copy = world_.mut_arr(arr->arity());
            return world_.seal(copy, skeleton(part(arr, 1, copy)));
        }
        auto pi   = d->as<Pi>();
        auto copy = world_.mut_pi(pi->dom(), pi->is_implicit(), pi->type());
        if (!roots_.empty()) return world_.seal(copy, skeleton(part(pi, 1, copy)));
        stubs_.emplace_back(pi, copy);
        return copy;
    }

    World& world_;
    std::unordered_map<const Def*, size_t> holes_;
    std::unordered_map<const Def*, bool> contains_; ///< one of the placeholders
    std::unordered_map<const Def*, bool> meets_array_;
    std::vector<const Def*> roots_;
    DefMap memo_;
    std::vector<std::pair<const Def*, Def*>> stubs_; ///< each with what it takes the place of
};
} // namespace

Pi* mut_recursive_pi(World& w, const Def* type, bool implicit) {
    auto pi = w.impl().alloc_mut<Pi>(type, 2);
    w.impl().add_flags(pi, implicit ? Def::Implicit : 0);
    return pi;
}

App* mut_recursive_pointer(World& w, const App* like) {
    auto app = w.impl().alloc_mut<App>(like->type(), 2);
    w.impl().set_groups(app, like);
    return app;
}

static const Def* seal(World& w, Def* type) {
    auto& impl = w.impl();
    impl.add_flags(type, Def::IsSet | Def::Sealed);
    if (type->has(Def::HasHole)) w.holes.note_around(type);
    impl.clear_flags(type, Def::HasHole | Def::Stale);
    impl.recursive.insert(type);
    return type;
}

const Def* seal_recursive(World& w, Sigma* sigma) { return seal(w, sigma); }

const Def* seal_recursive(World& w, Pi* pi, const Def* dom, const Def* codom) {
    auto& impl = w.impl();
    impl.set_op(pi, 0, dom);
    impl.set_op(pi, 1, codom);
    impl.set_type(pi, w.sort(std::max(level(w, dom), level(w, codom))));
    impl.add_flags(pi, WorldImpl::inherited(dom) | WorldImpl::inherited(codom));
    return seal(w, pi);
}

const Def* seal_recursive(World& w, App* pointer, const Def* callee, const Def* arg) {
    auto& impl = w.impl();
    impl.set_op(pointer, 0, callee);
    impl.set_op(pointer, 1, arg);
    impl.add_flags(pointer, WorldImpl::inherited(callee) | WorldImpl::inherited(arg));
    return seal(w, pointer);
}

bool is_recursive(World& w, const Def* def) { return w.impl().recursive.contains(def); }

const Def* tie_recursive(World& w, const Def* hole, const Def* body) {
    tie_recursive(w, Defs(&hole, 1), std::span(&body, 1));
    return body;
}

void tie_recursive(World& w, Defs holes, std::span<const Def*> bodies) {
    Tie(w, holes).run(bodies);
    for (auto hole : holes) w.holes.tied(hole);
}

} // namespace mim
