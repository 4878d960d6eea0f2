// SPDX-License-Identifier: MIT
// Memory that belongs to an activation (`%mem.slot`): one allocation each time the function is entered in which it is written, however
// often the program gets there. A `con` or `cn` is a block of that function, so a loop made of them may be unrolled while compiling, which
// copies what it contains. Hence what is written in a block is made at the entry of the function, once, and the block mentions its value:
//
//     fun f (mem: %mem.M, x: T): U = … con loop (m, i) = … let (m, p) = %mem.slot A (m, 0); e …
//
// becomes
//
//     fun f (mem: %mem.M, x: T): U = { let (mem, s) = %mem.local A mem; … con loop (m, i) = … e[s/p] … }
//
// Only what is written counts: the axiom in the text (`%mem.slot`) normalizes to the operation in the graph (`%mem.local`), and a graph that was
// printed is read as it stands. What cannot move stays in its block: its type depends on the block, or the function has no token to begin with.
#include <algorithm>

#include "ir/rewrite.h"
#include "sema/elab.h"

namespace mim {

namespace {

/// The elements that are looked through for a token.
constexpr int64_t MaxElems = 256;

bool belongs_to_activation(const Def* op) {
    auto axm = saturated_axiom(op);
    return axm && axm->axiom().has(Axiom::Activation);
}

/// The indices that lead to the first part of this type.
bool find_part(World& world, const Def* value, const Def* type, std::vector<uint64_t>& path) {
    if (value->type() == type) return true;
    if (!value->type()->isa<Sigma>()) return false;
    auto n = world.lit_arity(value->type());
    for (int64_t i = 0; i < n && n <= MaxElems; ++i) {
        auto index = static_cast<uint64_t>(i);
        path.push_back(index);
        if (find_part(world, world.extract(value, index), type, path)) return true;
        path.pop_back();
    }
    return false;
}

/// The value with another part.
const Def* with_part(World& world, const Def* value, std::span<const uint64_t> path, const Def* part) {
    if (path.empty()) return part;
    auto n     = static_cast<uint64_t>(world.lit_arity(value->type()));
    auto inner = with_part(world, world.extract(value, path[0]), path.subspan(1), part);
    return world.insert(value, world.lit_idx(n, path[0]), inner);
}

/// A body over the token that is there once everything is made that belongs at the entry.
class BehindEntry : public Rewriter {
public:
    using Rewriter::Rewriter;

    void replace(const Def* var, const Def* value) {
        map(var, value);
        vars_.insert(var);
    }
    /// A value that has a name for debuggers.
    const Def* renamed(const Def* value) { return known_value(value); }

protected:
    /// The sets of free variables are shared.
    bool needs(const Def* def) override {
        auto free           = world().free_vars(def);
        auto [known, fresh] = mentions_.try_emplace(free.data());
        if (fresh) known->second = std::ranges::any_of(free, [&](auto var) { return vars_.contains(var); });
        return known->second;
    }

    /// The variable of a copy is another one.
    const Def* rewrite_mut(const Def* def) override {
        if (auto var = def->var()) vars_.insert(var);
        return Rewriter::rewrite_mut(def);
    }

private:
    std::unordered_set<const Def*> vars_;
    std::unordered_map<const void*, bool> mentions_;
};

} // namespace

/// `op` is what `callee`, as it is written, has become.
const Def* Elab::make_at_entry(const Def* callee, const Def* op, Span place) {
    if (!activation_ || !belongs_to_activation(op)) return op;
    auto written = head_axiom(callee);
    if (!written || written->axiom().has(Axiom::Activation)) return op;
    auto& owner      = *activation_;
    bool is_in_block = function_ != owner.fun->groups.back().lam;
    bool is_known    = std::ranges::find(owner.at_entry, op) != owner.at_entry.end(); // another one, which is made there
    auto result      = is_in_block || is_known ? to_entry(op->as<App>(), place) : nullptr;
    if (!result) owner.in_place.insert(op);
    return result ? result : op;
}

/// The token that the operation takes and the value that it makes where it belongs; null if it must stay.
const Def* Elab::to_entry(const App* op, Span place) {
    auto token = op->arg();
    if (!s_.tokens.is_token(token) || op->is_unstable()) return nullptr;
    auto owner = activation_;
    auto first = entry(*owner, token->type());
    while (!first && owner->around && !takes_token(*owner)) {
        owner = owner->around; // whose token it is; and as it is consumed once, so is this activation
        first = entry(*owner, token->type());
    }
    if (!first || !is_known_at_entry(*owner, op->callee())) return nullptr;
    auto make = [&] {
        auto made   = world_.app(op->callee(), first->last);
        first->last = world_.extract(made, uint64_t(0));
        owner->at_entry.push_back(made);
        return made;
    };
    auto made = make();
    while (owner->in_place.contains(made)) { // it is made there anyway, for the body itself
        first->passed.push_back(first->last);
        made = make();
    }
    world_.set_place(made, {place});
    return world_.tuple({token, world_.extract(made, 1)});
}

Elab::Activation::Entry* Elab::entry(Activation& activation, const Def* token_type) {
    for (auto& entry : activation.entries)
        if (entry.first->type() == token_type) return &entry;
    for (auto& group : activation.fun->groups) {
        std::vector<uint64_t> path;
        auto var = group.lam->var();
        if (!var->isa<Var>() || !find_part(world_, var, token_type, path)) continue;
        auto token = var;
        for (auto i : path) token = world_.extract(token, i);
        return &activation.entries.emplace_back(var, std::move(path), token, token, std::vector<const Def*>());
    }
    return nullptr;
}

bool Elab::takes_token(const Activation& activation) {
    return std::ranges::any_of(activation.fun->groups, [&](auto& group) { return s_.tokens.is_token(group.lam->var()); });
}

/// Nothing of it is bound in a block, or comes from an effect. Binders are made from the outermost one in.
bool Elab::is_known_at_entry(const Activation& activation, const Def* def) {
    auto innermost = activation.fun->groups.back().lam->id();
    std::vector<const Def*> work{def};
    std::unordered_set<const Def*> done;
    while (!work.empty()) {
        auto d = work.back();
        work.pop_back();
        auto vars = world_.free_vars(d);
        if (vars.empty() || !done.insert(d).second) continue;
        if (std::ranges::any_of(vars, [&](auto var) { return var->template as<Var>()->binder()->id() > innermost; }))
            return false;
        if (s_.tokens.is_token(d)) return false;
        work.insert(work.end(), d->ops().begin(), d->ops().end());
    }
    return true;
}

/// The body, which was read, of a function whose activation owns what was made at its entry.
const Def* Elab::leave_activation(const Activation& activation, const Def* body) {
    if (activation.at_entry.empty()) return body;
    std::unordered_map<const Def*, const Def*> values; ///< of variables, behind the entry
    for (auto& entry : activation.entries) {
        if (auto name = world_.name(entry.first)) world_.set_name(entry.last, name);
        if (auto span = world_.span(entry.first)) world_.set_span(entry.last, span);
        auto& value = values.try_emplace(entry.var, entry.var).first->second;
        value       = with_part(world_, value, entry.path, entry.last);
    }
    BehindEntry behind(world_);
    for (auto& [var, value] : values) behind.replace(var, value);
    for (auto& entry : activation.entries)
        for (auto token : entry.passed) behind.map(token, entry.last);
    for (auto op : activation.at_entry) behind.map(op, op);
    auto lam    = activation.fun->groups.back().lam;
    read_[lam]  = body;
    auto result = behind.rewrite(world_.refresh(body));
    if (auto locals = world_.locals(lam)) {
        for (auto local : std::vector(*locals)) {
            auto value = behind.renamed(local.value);
            if (value && value != local.value) local.value = value, world_.add_local(lam, local);
        }
    }
    return result;
}

} // namespace mim
