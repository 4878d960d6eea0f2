// SPDX-License-Identifier: MIT
#include "ir/token_types.h"

#include <algorithm>

namespace mim {

namespace {

/// A domain with more elements than this is not searched for type variables.
constexpr int64_t MaxTypeParams = 256;

bool is_type_like(const Def* type) {
    if (type->node() == Node::Sort) return true;
    if (auto arr = type->isa<Arr>()) return arr->is_set() && arr->body() && is_type_like(arr->body());
    if (auto pi = type->isa<Pi>()) return pi->is_set() && is_type_like(pi->codom());
    return false;
}

/// The parts of a type whose values are parts of its values; for applications, all arguments.
template<class F>
void parts(const Def* type, F f) {
    switch (type->node()) {
        case Node::Sigma:
        case Node::Union:
        case Node::Tuple:
        case Node::Extract:
        case Node::App:
        case Node::Insert:
            for (auto op : type->ops())
                if (op) f(op);
            break;
        case Node::Arr:
        case Node::Pack:
            if (type->is_set()) f(type->op(1));
            break;
        case Node::Sing: f(type->op(0)->type()); break;
        default: break;
    }
}

} // namespace

bool holds_function(const Def* root) {
    SmallVector<const Def*, 8> todo;
    DefSet seen;
    todo.push_back(root);
    while (!todo.empty()) {
        auto type = todo.back();
        todo.pop_back();
        if (!seen.insert(type)) continue;
        switch (type->node()) {
            case Node::Pi:
            case Node::Var:
            case Node::Hole:
            case Node::Match: return true; // whatever it stands for
            case Node::Extract:
                if (!type->op(0)->isa<Tuple>() && !type->op(0)->isa<Pack>()) return true;
                break;
            case Node::App:
                if (isa_idx(type)) continue;
                if (!head_axiom(type)) return true;
                break;
            default: break;
        }
        parts(type, [&](const Def* part) { todo.push_back(part); });
    }
    return false;
}

bool may_be_same(World& world, const Def* type, const Def* other) {
    return type == other || !world.is_closed(type) || !world.is_closed(other);
}

bool binds_types(const Def* dom) {
    std::vector<const Def*> todo{dom};
    DefSet seen;
    seen.insert(dom);
    auto push = [&](const Def* type) {
        if (type && seen.insert(type)) todo.push_back(type);
    };
    while (!todo.empty()) {
        auto type = todo.back();
        todo.pop_back();
        if (is_type_like(type)) return true;
        if (auto arr = type->isa<Arr>()) push(arr->is_set() ? arr->body() : nullptr);
        if (type->isa<Sigma>()) std::ranges::for_each(type->ops(), push);
    }
    return false;
}

bool TokenTypes::contains(const Def* root) {
    if (auto known = memo(root); known != Unknown) return known == Yes;
    std::vector<const Def*> todo{root}, seen;
    while (!todo.empty()) {
        auto type = todo.back();
        todo.pop_back();
        auto known = memo(type);
        if (known == No) continue;
        auto axm = type->isa<Axm>();
        if (known == Yes || (axm && axm->axiom().has(Axiom::LinearType)) || marked_.contains(type)) {
            for (auto d : seen) memo(d) = Unknown;
            memo(root) = Yes;
            return true;
        }
        memo(type) = No; // so far
        seen.push_back(type);
        parts(type, [&](const Def* part) {
            if (memo(part) != No) todo.push_back(part);
        });
    }
    return false;
}

bool TokenTypes::is_token(const Def* value) {
    return !is_static(value) && (contains(value->type()) || existential_.contains(value));
}

size_t TokenTypes::num_elems(const Def* token) {
    auto type = token->type();
    if (type->node() != Node::Sigma && type->node() != Node::Arr) return 0;
    auto n = world_.lit_arity(type);
    return n > 1 && n <= (1 << 20) ? static_cast<size_t>(n) : 0;
}

bool TokenTypes::is_elem_token(const Def* token, size_t i) {
    auto type = token->type();
    if (!existential_.empty()) return is_token(world_.extract(token, i));
    if (auto sigma = type->isa<Sigma>(); sigma && !sigma->is_mut()) return contains(sigma->op(i));
    if (auto arr = type->isa<Arr>(); arr && !arr->is_mut()) return contains(arr->body());
    return is_token(world_.extract(token, i));
}

/// The types among the elements of `var`, also inside of its elements, that are tokens in `arg` (null: all of them are).
bool TokenTypes::mark(const Def* var, const Def* arg) {
    if (is_type_like(var->type())) return (!arg || contains(arg)) && marked_.insert(var);
    auto n = world_.lit_arity(var->type());
    if (n < 2 || n > MaxTypeParams || !binds_types(var->type())) return false;
    bool changed = false, holds = false;
    for (size_t i = 0; i < static_cast<size_t>(n); ++i) {
        auto elem = world_.extract(var, i);
        changed |= mark(elem, arg ? world_.extract(arg, i) : nullptr);
        holds |= existential_.contains(elem);
    }
    if (!changed) return false;
    memo_.clear();
    for (size_t i = 0; i < static_cast<size_t>(n); ++i)
        holds |= contains(world_.elem_type(var->type(), var, world_.lit_idx(static_cast<uint64_t>(n), i)));
    if (holds) existential_.insert(var);
    return true;
}

/// Whether one of the types in `arg`, which has the type `dom`, contains a token.
bool TokenTypes::passes(const Def* dom, const Def* arg) {
    if (is_type_like(dom)) return contains(arg);
    auto n = world_.lit_arity(dom);
    if (n < 2 || n > MaxTypeParams || !binds_types(dom)) return false;
    for (size_t i = 0; i < static_cast<size_t>(n); ++i)
        if (auto elem = world_.extract(arg, i); passes(dom->isa<Sigma>() ? dom->op(i) : dom->as<Arr>()->body(), elem))
            return true;
    return false;
}

void TokenTypes::instantiate(const std::vector<const App*>& calls, const std::vector<const Lam*>& lams) {
    for (bool changed = true; changed;) {
        changed = false;
        for (auto call : calls) {
            if (auto lam = call->callee()->isa<Lam>()) {
                if (mark(lam->var(), call->arg())) memo_.clear(), changed = true;
            } else if (passes(call->callee()->type()->as<Pi>()->dom(), call->arg())) { // an unknown function: it may be any
                for (auto other : lams)
                    if (mark(other->var(), nullptr)) memo_.clear(), changed = true;
            }
        }
    }
}

} // namespace mim
