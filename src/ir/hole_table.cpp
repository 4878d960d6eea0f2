// SPDX-License-Identifier: MIT
// Placeholders of inference, and what must be built again: nodes that contain a filled placeholder, or a call of a function whose
// body was not set yet. Both are flagged at construction; refresh rebuilds exactly the flagged nodes, which normalizes them again.
#include "ir/hole_table.h"

#include <algorithm>
#include <optional>

#include "ir/copy.h"
#include "ir/impl.h"
#include "ir/subst.h"

namespace mim {

const Def* HoleTable::make(const Def* type, uint32_t scope) {
    auto& impl = world_.impl();
    auto hole  = impl.alloc_mut<Hole>(type, 1);
    impl.add_flags(hole, Def::HasHole);
    hole->payload_.value = scopes_.size();
    scopes_.push_back(scope);
    return hole;
}

const Def* HoleTable::make(const Def* type) {
    if (auto sing = type->isa<Sing>()) return sing->value();
    return make(type, scope_);
}

size_t HoleTable::number(const Hole* hole) { return hole->payload_.value; }

bool HoleTable::is_around(const Def* binder, const Hole* hole) const {
    auto entered = entered_.find(binder);
    return entered && *entered <= scope(hole);
}

bool HoleTable::in_scope(const Hole* hole, const Var* var) const {
    auto entered = entered_.find(var->binder());
    return !entered || *entered <= scope(hole);
}

void HoleTable::fill(const Hole* hole, const Def* value) {
    auto& impl = world_.impl();
    auto h     = const_cast<Hole*>(hole);
    impl.set_op(h, 0, value);
    impl.add_flags(h, Def::IsSet);
    impl.refresh_memo.clear();
}

const Hole* find_hole(const Def* root, const std::function<bool(const Hole*)>& holds) {
    std::vector<const Def*> work{root};
    std::unordered_set<const Def*> done;
    while (!work.empty()) {
        auto d = work.back();
        work.pop_back();
        if (!d || !d->has(Def::HasHole) || !done.insert(d).second) continue;
        auto hole = d->isa<Hole>();
        if (hole && !hole->solution() && holds(hole)) return hole;
        work.insert(work.end(), d->ops().begin(), d->ops().end());
        if (type_is_operand(d)) work.push_back(d->type());
    }
    return nullptr;
}

const Hole* HoleTable::find_open(const Def* root, const std::function<bool(const Hole*)>& holds) {
    if (auto hole = find_hole(root, holds); hole || around_.empty()) return hole;
    std::vector<const Def*> work{root};
    std::unordered_set<const Def*> done;
    bool has_open = false;
    while (!work.empty()) {
        auto d = work.back();
        work.pop_back();
        if (!d || d->isa<Lam>() || d->isa<Var>()) continue;
        if (!d->is_mut() && !d->has(Def::HasDep) && !d->has(Def::HasHole)) continue;
        if (without_.contains(d) || !done.insert(d).second) continue;
        if (!d->is_set()) { // a placeholder, or a binder under construction
            if (auto hole = d->isa<Hole>(); hole && holds(hole)) return hole;
            has_open = true;
            continue;
        }
        work.insert(work.end(), d->ops().begin(), d->ops().end());
        if (type_is_operand(d)) work.push_back(d->type());
    }
    if (!has_open) without_.insert(done.begin(), done.end());
    return nullptr;
}

bool HoleTable::mentions(const Def* def, const Def* hole) {
    std::vector<const Def*> work{def};
    std::unordered_set<const Def*> done;
    while (!work.empty()) {
        auto d = work.back();
        work.pop_back();
        if (!d || !done.insert(d).second) continue;
        if (d == hole) return true;
        work.insert(work.end(), d->ops().begin(), d->ops().end());
    }
    return false;
}

bool HoleTable::holds_open(const Def* def) {
    return def->has(Def::HasHole) || find_open(def, [](const Hole*) { return true; });
}

bool HoleTable::occurs(const Hole* hole, const Def* value) {
    auto scope = this->scope(hole);
    return find_open(value, [&](const Hole* other) {
        auto& outer = scopes_[number(other)];
        outer       = std::min(outer, scope);
        return other == hole;
    });
}

void HoleTable::report(const Def* root) const {
    auto hole = find_hole(root, [](const Hole*) { return true; });
    if (!hole) return;
    if (tied_.contains(hole)) fail(Diag::rec_in_function);
    fail(Diag::unsolved_hole, {hole->type()});
}

/*
 * refresh
 */

class Refresher {
public:
    explicit Refresher(World& world)
        : world_(world)
        , impl_(world.impl()) {}

    const Def* refresh(const Def* def) {
        if (!def->is_unstable()) return def;
        if (auto hole = def->isa<Hole>()) return hole->solution() ? refresh(hole->solution()) : only_value(hole);
        if (auto res = impl_.refresh_memo.find(def)) return res;
        impl_.check_depth();
        auto res = def->is_mut() ? binder(def) : node(def);
        impl_.refresh_memo.put(def, res);
        return res;
    }

private:
    /// Its type may have turned out to have one value only.
    const Def* only_value(const Hole* hole) {
        if (!hole->type()->is_unstable()) return hole;
        auto type  = refresh(hole->type());
        auto sing  = type->isa<Sing>();
        auto value = sing ? sing->value() : type == world_.unit_type() ? world_.unit() : nullptr;
        if (!value || world_.holes.occurs(hole, value)) return hole;
        world_.holes.fill(hole, value);
        return value;
    }

    static const Def* solution(const Def* def) {
        for (auto hole = def->isa<Hole>(); hole && hole->solution(); hole = def->isa<Hole>()) def = hole->solution();
        return def;
    }

    const Def* node(const Def* def) {
        if (auto ex = def->isa<Extract>()) {
            // by need: only the chosen element. The type of another may mention this one, as in `(?n, ?Ts: «(?n, ?Ts)#0; *»)`
            auto index = refresh(ex->index());
            auto tuple = solution(ex->tuple())->isa<Tuple>();
            if (auto lit = isa_lit(index); lit && tuple) return refresh(tuple->op(lit->value()));
        }
        std::vector<const Def*> ops(def->num_ops());
        for (size_t i = 0; i < ops.size(); ++i) ops[i] = refresh(def->op(i));
        const Def* res;
        if (def->node() == Node::Inj) res = world_.inj(refresh(def->type()), ops[0], ops[1]);
        else if (is_declared(def)) res = world_.tuple(refresh(def->type()), ops);
        else if (def->node() == Node::Lit) res = world_.raw_lit(refresh(def->type()), def->as<Lit>()->value());
        else if (def->node() == Node::Var || def->node() == Node::Axm) return def;
        else if (def->node() == Node::App)
            res = impl_.call_from(world_.notes.place(def), [&] { return world_.app(ops[0], ops[1]); });
        else res = build(world_, def, ops);
        if (res == def) settle(def);
        else world_.notes.copy_place(def, res);
        return res;
    }

    /// A node that came back unchanged is stable once all its operands are, unless it is itself a call that waits.
    void settle(const Def* def) {
        if (impl_.frozen) return; // the left side of a rule stays what asks for its normal form elsewhere
        for (auto op : def->ops())
            if (op->is_unstable()) return;
        if (type_is_operand(def) && def->type()->is_unstable()) return;
        if (auto app = def->isa<App>())
            if (auto lam = app->callee()->isa<Lam>(); lam && lam->is_waiting() && lam->op(0) != world_.ff()) return;
        impl_.clear_flags(def, Def::HasHole | Def::Stale);
    }

    /// Binders of types and packs are not sealed while they contain placeholders: they are filled again and sealed then. One in
    /// which nothing was solved yet stays the same node.
    const Def* binder(const Def* def) {
        if (!def->is_set() || def->is_sealed() || def->node() == Node::Lam) return def;
        std::vector<const Def*> ops(def->num_ops());
        bool same = true;
        for (size_t i = 0; i < ops.size(); ++i) {
            ops[i] = refresh(def->op(i)), same &= ops[i] == def->op(i);
            if (def->node() == Node::Arr && is_zero(ops[0])) return world_.unit_type();
            if (def->node() == Node::Pack && is_zero(ops[0])) return world_.unit();
        }
        if (same) return def;
        if (def->node() == Node::Arr) return rebind(def, world_.mut_arr(ops[0]), ops[1]);
        if (def->node() == Node::Pack) return rebind(def, world_.mut_pack(ops[0]), ops[1]);
        impl_.clear_flags(def, Def::HasHole | Def::Stale);
        if (def->node() == Node::Pi) {
            auto pi = const_cast<Pi*>(def->as<Pi>());
            impl_.set_op(pi, 0, ops[0]);
            return world_.seal(pi, ops[1]);
        }
        auto sigma = const_cast<Sigma*>(def->as<Sigma>());
        for (size_t i = 0; i < ops.size(); ++i) world_.set(sigma, i, ops[i]);
        return world_.seal(sigma);
    }

    /// The variable's type mentions the arity: a new binder keeps it right.
    template<class T>
    const Def* rebind(const Def* def, T* fresh, const Def* body) {
        return world_.seal(fresh, refresh(world_.subst(body, def->var(), fresh->var())));
    }

    World& world_;
    WorldImpl& impl_;
};

const Def* World::refresh(const Def* def) { return def->is_unstable() ? Refresher(*this).refresh(def) : def; }

/// Whether the filter or the body is another one now.
static bool refresh_parts(World& world, Lam* lam) {
    bool changed = false;
    for (size_t i = 0; i < 2; ++i) {
        auto op = lam->op(i);
        if (!op->is_unstable()) continue;
        auto res = world.refresh(op);
        if (res == op) continue;
        changed = true;
        world.impl().set_op(lam, i, i == 0 ? res : world.coerce(codom(world, lam->pi(), lam->var()), res));
        world.impl().refresh_memo.clear();
    }
    return changed;
}

void World::close(std::span<Lam* const> group) {
    auto& pending = impl_->pending;
    pending.insert(pending.end(), group.begin(), group.end());
    std::optional<Error> error;
    // Inner λs come first, and a stale call may need the refreshed body of another: repeat until nothing changes.
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t j = 0; j < pending.size();) { // refreshing may add to the list
            auto lam = pending[j];
            try {
                changed |= refresh_parts(*this, lam);
                ++j;
            } catch (const Error& e) { // it would be thrown again at each other function that is closed
                std::erase(pending, lam);
                if (e.id != Diag::needs_itself) throw;
                if (!error) error = e;
            }
        }
    }
    auto stable = [&](Lam* lam) {
        if (lam->op(0)->is_unstable() || lam->op(1)->is_unstable()) return false;
        // what copies the λ would not find the variables that stand in the solution of a placeholder
        if (lam->type()->is_unstable()) impl_->set_type(lam, refresh(lam->type()));
        if (lam->type()->is_unstable()) return false;
        seal(lam);
        return true;
    };
    std::erase_if(pending, stable);
    if (error) throw *error;
}

/// A recursive type is sealed around placeholders and never built again, as others point to it. Once these are filled, it gets what they stand for.
static void refresh_recursive(World& world) {
    if (!world.holes.has_around()) return;
    auto& impl = world.impl();
    std::vector<const Def*> types(impl.recursive.begin(), impl.recursive.end());
    std::ranges::sort(types, {}, [](const Def* type) { return type->id(); });
    for (auto type : types)
        for (size_t i = 0; i < type->num_ops(); ++i)
            if (type->op(i)->is_unstable()) impl.set_op(const_cast<Def*>(type), i, world.refresh(type->op(i)));
}

void World::finish() {
    close({});
    refresh_recursive(*this);
    auto pending = std::move(impl_->pending);
    impl_->pending.clear();
    for (auto lam : pending) {
        try {
            for (auto op : lam->ops()) holes.report(op);
        } catch (Error& e) {
            if (!e.rewritten) e.rewritten = notes.span(lam);
            throw;
        }
        seal(lam);
    }
}

} // namespace mim
