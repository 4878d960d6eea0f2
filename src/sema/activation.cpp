// SPDX-License-Identifier: MIT
#include "sema/activation.h"

#include <algorithm>

#include "ir/rewrite.h"

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
    auto n = lit_arity(world, value->type());
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
    auto n     = static_cast<uint64_t>(lit_arity(world, value->type()));
    auto inner = with_part(world, world.extract(value, path[0]), path.subspan(1), part);
    return world.insert(value, world.lit_idx(n, path[0]), inner);
}

/// Calls `f` for each operand of the expression, and for each type that is part of it.
template<class F>
void each_part(const Def* def, F f) {
    for (auto op : def->ops())
        if (op) f(op);
    if (def->isa<Lam>() || def->isa<Inj>() || def->isa<Lit>() || is_declared(def)) f(def->type());
}

/// The parts of an expression that mention `part`.
std::unordered_set<const Def*> parts_around(const Def* root, const Def* part) {
    std::unordered_map<const Def*, std::vector<const Def*>> users;
    users[root];
    std::vector<const Def*> work{root};
    while (!work.empty()) {
        auto user = work.back();
        work.pop_back();
        each_part(user, [&](const Def* used) {
            auto [it, fresh] = users.try_emplace(used);
            it->second.push_back(user);
            if (fresh) work.push_back(used);
        });
    }
    std::unordered_set<const Def*> around;
    if (users.contains(part)) work.push_back(part);
    while (!work.empty()) {
        auto def = work.back();
        work.pop_back();
        if (!around.insert(def).second) continue;
        for (auto user : users[def]) work.push_back(user);
    }
    return around;
}

/// A body over the token that is there once everything is made that belongs at the entry.
class BehindEntry : public Rewriter {
public:
    using Rewriter::Rewriter;

    /// Gives the token that it is applied to.
    void forget(const Def* written, const Def* body) {
        written_.insert(written);
        around_written_.merge(parts_around(body, written));
    }

    void replace(const Def* var, const Def* value) {
        map(var, value);
        vars_.insert(var);
    }
    /// A value that has a name for debuggers.
    const Def* renamed(const Def* value) { return known_value(value); }

protected:
    /// The sets of free variables are shared.
    bool needs(const Def* def) override {
        if (around_written_.contains(def)) return true;
        auto free           = free_vars(world(), def);
        auto [known, fresh] = mentions_.try_emplace(free.data());
        if (fresh) known->second = std::ranges::any_of(free, [&](auto var) { return vars_.contains(var); });
        return known->second;
    }

    const Def* rewrite_imm(const Def* def) override {
        auto app = def->isa<App>();
        return app && written_.contains(app->callee()) ? rewrite(app->arg()) : Rewriter::rewrite_imm(def);
    }

    /// The variable of a copy is another one.
    const Def* rewrite_mut(const Def* def) override {
        if (auto var = def->var()) vars_.insert(var);
        return Rewriter::rewrite_mut(def);
    }

private:
    std::unordered_set<const Def*> vars_;
    std::unordered_map<const void*, bool> mentions_;
    std::unordered_set<const Def*> written_, around_written_;
};

} // namespace

const Def* Activations::make_at_entry(const Def* callee, const Def* op, Span place) {
    if (!innermost_ || !belongs_to_activation(op)) return op;
    auto written = head_axiom(callee);
    if (!written || written->axiom().has(Axiom::Activation)) return op;
    bool is_in_block = enclosing_.function() != innermost_->fun->innermost();
    auto result      = is_in_block ? to_entry(op->as<App>(), place) : nullptr;
    return result ? result : op;
}

/// The token that the operation takes and the value that it makes where it belongs; null if it must stay.
const Def* Activations::to_entry(const App* op, Span place) {
    auto token = op->arg();
    if (!tokens_.types().is_token(token) || op->is_unstable()) return nullptr;
    auto owner = innermost_;
    auto first = entry(*owner, token->type());
    while (!first && owner->around && !takes_token(*owner)) {
        owner = owner->around; // whose token it is; and as it is consumed once, so is this activation
        first = entry(*owner, token->type());
    }
    if (!first || !is_known_at_entry(*owner, op->callee())) return nullptr;
    auto made = world_.app(op->callee(), first->last);
    world_.notes.set_place(made, {place});
    first->last = world_.extract(made, uint64_t(0));
    first->made.push_back(made->as<App>());
    auto behind = world_.app(written_slot(*owner, token->type()), token);
    world_.notes.set_place(behind, {place});
    return world_.tuple({behind, world_.extract(made, 1)});
}

/// From tokens of this type to the token behind a slot of this activation. The slots of different activations stay
/// apart: a function is read to its end while those around it are not.
const Def* Activations::written_slot(Activation& activation, const Def* token_type) {
    auto& slot   = shared_.written_slot;
    slot.name    = world_.sym("%slot");
    slot.curry   = 2;
    auto axm     = world_.axm(&slot, world_.pi(world_.nat(), world_.pi(token_type, token_type)));
    auto written = world_.app(axm, world_.lit_nat(activation.fun->innermost()->id()));
    activation.written_slots.insert(written);
    return written;
}

Activation::Entry* Activations::entry(Activation& activation, const Def* token_type) {
    for (auto& entry : activation.entries)
        if (entry.first->type() == token_type) return &entry;
    for (auto& group : activation.fun->groups) {
        std::vector<uint64_t> path;
        auto var = group.lam->var();
        if (!var->isa<Var>() || !find_part(world_, var, token_type, path)) continue;
        auto token = var;
        for (auto i : path) token = world_.extract(token, i);
        auto start = world_.app(written_slot(activation, token_type), token);
        return &activation.entries.emplace_back(var, std::move(path), token, start);
    }
    return nullptr;
}

bool Activations::takes_token(const Activation& activation) {
    auto is_token = [&](const ParamGroup& group) { return tokens_.types().is_token(group.lam->var()); };
    return std::ranges::any_of(activation.fun->groups, is_token);
}

/// Nothing of it is bound in a block, or comes from an effect. Binders are made from the outermost one in.
bool Activations::is_known_at_entry(const Activation& activation, const Def* def) {
    auto innermost = activation.fun->innermost()->id();
    std::vector<const Def*> work{def};
    std::unordered_set<const Def*> done;
    while (!work.empty()) {
        auto d = work.back();
        work.pop_back();
        auto vars = free_vars(world_, d);
        if (vars.empty() || !done.insert(d).second) continue;
        if (std::ranges::any_of(vars, [&](auto var) { return var->template as<Var>()->binder()->id() > innermost; }))
            return false;
        if (tokens_.types().is_token(d)) return false;
        work.insert(work.end(), d->ops().begin(), d->ops().end());
    }
    return true;
}

const Def* Activations::leave(const Activation& activation, const Def* body) {
    if (std::ranges::all_of(activation.entries, [](auto& entry) { return entry.made.empty(); })) return body;
    BehindEntry behind(world_);
    std::unordered_map<const Def*, const Def*> values; ///< of variables, behind the entry
    for (auto& entry : activation.entries) {
        auto last = entry.first;
        for (auto op : entry.made) {
            auto made = world_.app(op->callee(), last);
            world_.notes.set_place(made, world_.notes.place(op));
            behind.map(op, made);
            last = world_.extract(made, uint64_t(0));
        }
        if (auto name = world_.notes.name(entry.first)) world_.notes.set_name(last, name);
        if (auto span = world_.notes.span(entry.first)) world_.notes.set_span(last, span);
        auto& value = values.try_emplace(entry.var, entry.var).first->second;
        value       = with_part(world_, value, entry.path, last);
    }
    for (auto& [var, value] : values) behind.replace(var, value);
    auto lam = activation.fun->innermost();
    effects_.keep_as_read(lam, body);
    body = world_.refresh(body);
    for (auto written : activation.written_slots) behind.forget(written, body);
    auto result = behind.rewrite(body);
    if (auto locals = world_.notes.locals(lam)) {
        for (auto local : std::vector(*locals)) {
            auto value = behind.renamed(local.value);
            if (value && value != local.value) local.value = value, world_.notes.add_local(lam, local);
        }
    }
    return result;
}

void Activations::keep_as_read(const PendingFunction& f) {
    auto body = world_.refresh(f.as_read);
    std::vector<Lam*> lams;
    for (auto& g : f.groups) {
        auto outer = lams.empty() ? nullptr : lams.back();
        auto type  = outer ? codom(world_, outer->pi(), outer->var()) : g.lam->type();
        auto lam   = world_.mut_lam(type);
        world_.notes.copy_info(g.lam, lam);
        body = world_.subst(body, g.lam->var(), lam->var());
        tokens_.name(g.pattern, g.cps ? world_.extract(lam->var(), uint64_t(0)) : lam->var());
        lams.push_back(lam);
    }
    for (size_t i = lams.size(); i-- > 0;) world_.set(lams[i], world_.ff(), i + 1 == lams.size() ? body : lams[i + 1]);
    world_.close(lams);
    shared_.as_read.push_back(lams.front());
}

} // namespace mim
