// SPDX-License-Identifier: MIT
#include "ir/token_types.h"

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

bool binds_types(const Def* dom) {
    if (is_type_like(dom)) return true;
    if (auto sigma = dom->isa<Sigma>())
        for (auto op : sigma->ops())
            if (is_type_like(op)) return true;
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
    return !is_static(value) && (contains(value->type()) || (value->node() == Node::Var && existential_.contains(value)));
}

size_t TokenTypes::num_elems(const Def* token) {
    auto type = token->type();
    if (type->node() != Node::Sigma && type->node() != Node::Arr) return 0;
    auto n = world_.lit_arity(type);
    return n > 1 && n <= (1 << 20) ? static_cast<size_t>(n) : 0;
}

bool TokenTypes::is_elem_token(const Def* token, size_t i) {
    auto type = token->type();
    if (auto sigma = type->isa<Sigma>(); sigma && !sigma->is_mut()) return contains(sigma->op(i));
    if (auto arr = type->isa<Arr>(); arr && !arr->is_mut()) return contains(arr->body());
    return is_token(world_.extract(token, i));
}

bool TokenTypes::mark(const Def* var, const Def* arg, bool always) {
    if (is_type_like(var->type())) return (always || contains(arg)) && marked_.insert(var).second;
    auto sigma = var->type()->isa<Sigma>();
    if (!sigma || world_.lit_arity(sigma) > MaxTypeParams) return false;
    bool changed = false;
    for (size_t i = 0; i < sigma->num_ops(); ++i) {
        if (!is_type_like(sigma->op(i))) continue;
        if (always || contains(world_.extract(arg, i))) changed |= marked_.insert(world_.extract(var, i)).second;
    }
    if (!changed) return false;
    memo_.clear();
    for (size_t i = 0; i < sigma->num_ops(); ++i)
        if (contains(world_.elem_type(sigma, var, world_.lit_idx(sigma->num_ops(), i)))) existential_.insert(var);
    return true;
}

void TokenTypes::instantiate(const std::vector<const App*>& calls, const std::vector<const Lam*>& lams) {
    for (bool changed = true; changed;) {
        changed = false;
        for (auto call : calls) {
            if (auto lam = call->callee()->isa<Lam>()) {
                if (mark(lam->var(), call->arg(), false)) memo_.clear(), changed = true;
                continue;
            }
            // an unknown function gets a token type: it may be any
            auto arg     = call->arg();
            auto dom     = call->callee()->type()->as<Pi>()->dom();
            bool unknown = is_type_like(dom) && contains(arg);
            if (auto sigma = dom->isa<Sigma>(); sigma && world_.lit_arity(sigma) <= MaxTypeParams)
                for (size_t i = 0; i < sigma->num_ops(); ++i)
                    unknown |= is_type_like(sigma->op(i)) && contains(world_.extract(arg, i));
            if (!unknown) continue;
            for (auto lam : lams)
                if (mark(lam->var(), nullptr, true)) memo_.clear(), changed = true;
        }
    }
}

} // namespace mim
