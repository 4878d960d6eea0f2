// SPDX-License-Identifier: MIT
#include "phase/contents.h"

#include <algorithm>

#include "analysis/cps.h"
#include "base/worklist.h"
#include "ir/token_types.h"
#include "opt/signature.h"

namespace mim::plug::mem {

namespace {

/// The indices from a variable to a part of it, innermost first; false if def is no such part.
bool path_to(const Def* def, std::vector<uint64_t>& path) {
    for (; auto extract = def->isa<Extract>(); def = extract->tuple()) {
        auto lit = isa_lit(extract->index());
        if (!lit) return false;
        path.push_back(lit->value());
    }
    return def->isa<Var>();
}

const Lam* owner(const Def* part) {
    while (auto extract = part->isa<Extract>()) part = extract->tuple();
    auto var = part->isa<Var>();
    return var ? var->binder()->isa<Lam>() : nullptr;
}

/// The only part of this type; null if there is none or more than one.
const Def* only_part(World& w, const Def* def, const Def* type) {
    if (def->type() == type) return def;
    auto size        = def->type()->isa<Sigma>() ? lit_arity(w, def->type()) : -1;
    const Def* found = nullptr;
    for (int64_t i = 0; i < size && size <= opt::max_parts; ++i) {
        auto part = only_part(w, w.extract(def, uint64_t(i)), type);
        if (part && found) return nullptr;
        if (part) found = part;
    }
    return found;
}

const Def* token_type(const App* op) { return op->type()->isa<Sigma>() ? op->type()->op(0) : op->type(); }

} // namespace

/*
 * how continuations are reached
 */

const std::vector<Edge>* Flow::edges(const Lam* lam, const Def* token) {
    auto [i, fresh] = known_.try_emplace(token ? token : lam);
    if (fresh) i->second.ok = find_edges(lam, token, i->second.edges);
    return i->second.ok ? &i->second.edges : nullptr;
}

bool Flow::is_function(const Lam* lam) {
    return program_.is_external(lam) || is_closed(world_, lam) || opt::ret_part(world_, lam->pi()) >= 0;
}

bool Flow::keeps_functions() {
    if (keeps_functions_) return *keeps_functions_;
    auto is_kept     = [&](const Def* def) { return match<store>(def) && holds_function(operand(world_, def, 2)->type()); };
    keeps_functions_ = std::ranges::any_of(program_.nodes(), is_kept);
    return *keeps_functions_;
}

const Lams* Flow::merge(const Lams* a, const Lams* b) {
    if (a == b || b->empty()) return a;
    if (a->empty()) return b;
    auto all = *a;
    all.insert(b->begin(), b->end());
    return &*sets_.insert(std::move(all)).first;
}

/// Users first: of what is no function, they form no cycle.
const Lams& Flow::around(const Def* root) {
    auto none = &*sets_.insert(Lams()).first;
    std::vector<std::pair<const Def*, bool>> stack{{root, false}};
    while (!stack.empty()) {
        auto [def, ready] = stack.back();
        stack.pop_back();
        if (!ready && !around_.try_emplace(def, none).second) continue;
        if (!ready) stack.emplace_back(def, true);
        auto found = none;
        for (auto user : program_.users(def)) {
            if (auto lam = user->isa<Lam>()) found = ready ? merge(found, &*sets_.insert({lam}).first) : found;
            else if (!ready) stack.emplace_back(user, false);
            else found = merge(found, around_.at(user));
        }
        if (ready) around_[def] = found;
    }
    return *around_.at(root);
}

bool Flow::find_edges(const Lam* lam, const Def* token, std::vector<Edge>& out) {
    if (!lam->is_cn() || !lam->is_set() || !lam->var()->isa<Var>() || program_.is_external(lam)) return false;
    return climb(lam, Edge::Call, token, out);
}

/// From a function, through choices, to the calls that it is a part of.
bool Flow::climb(const Def* def, Edge::Kind kind, const Def* token, std::vector<Edge>& out) {
    for (auto user : program_.users(def)) {
        if (auto app = user->isa<App>()) {
            if (app->arg() == def || !add(app, kind, token, out)) return false;
        } else if (user->isa<Extract>()) {
            if (!climb(user, Edge::Arm, token, out)) return false;
        } else if (user->isa<Match>() && !token) {
            if (user->op(0) == def) return false;
        } else if (!user->isa<Tuple>() || !climb_tuple(def, user, token, out)) {
            return false;
        }
    }
    return true;
}

bool Flow::climb_tuple(const Def* def, const Def* tuple, const Def* token, std::vector<Edge>& out) {
    for (auto user : program_.users(tuple)) {
        if (user->isa<Extract>()) {
            if (!climb(user, Edge::Arm, token, out)) return false;
            continue;
        }
        auto app     = user->isa<App>();
        bool returns = app && app->arg() == tuple && tuple->ops().back() == def && std::ranges::count(tuple->ops(), def) == 1;
        if (!returns || !add(app, Edge::Return, token, out)) return false;
    }
    return true;
}

/// What a call that returns passes as the state of memory is the only token in its argument.
bool Flow::add(const App* call, Edge::Kind kind, const Def* token, std::vector<Edge>& out) {
    const Def* passed = nullptr;
    if (token && kind == Edge::Return) {
        passed = only_part(world_, call->arg(), token->type());
        if (!passed) return false;
    } else if (token) {
        std::vector<uint64_t> path;
        if (!path_to(token, path)) return false;
        passed = call->arg();
        for (size_t i = path.size(); i-- != 0;) passed = world_.extract(passed, path[i]);
    }
    out.push_back({call, passed, kind});
    return true;
}

/*
 * one allocation
 */

bool Contents::analyze(uint64_t& steps) {
    if (!find_uses() || !find_inside()) return false;
    for (auto load : loads_)
        if (!follow(token_of(load), steps)) return false;
    while (!todo_.empty()) {
        auto token = todo_.back();
        todo_.pop_back();
        if (!follow(token, steps)) return false;
    }
    bool is_read_early = std::ranges::any_of(at_, [](auto& entry) { return !entry.second.value && !entry.second.param; });
    return !is_read_early || nothing(flow_.world(), type());
}

const Def* Contents::token_of(const App* op) const { return only_part(flow_.world(), op->arg(), token_type(op_)); }

/// The pointer is only loaded from, stored to, and freed.
bool Contents::find_uses() {
    auto& program = flow_.program();
    for (auto user : program.users(op_)) {
        auto extract = user->isa<Extract>();
        auto index   = extract ? isa_lit(extract->index()) : nullptr;
        if (!index) return false;
        if (index->value() == 1) pointer_ = extract;
    }
    if (!pointer_) return true;
    for (auto operands : program.users(pointer_)) {
        auto tuple = operands->isa<Tuple>();
        if (!tuple || tuple->op(1) != pointer_ || std::ranges::count(tuple->ops(), pointer_) != 1) return false;
        for (auto user : program.users(tuple)) {
            if (match<load>(user)) loads_.push_back(user->as<App>());
            else if (match<store>(user)) stores_.insert(user->as<App>());
            else if (match<free>(user)) frees_.push_back(user->as<App>());
            else return false;
        }
    }
    return true;
}

/// The functions that mention it, out to where it is made. Each is only called, a branch, or where a call returns to.
bool Contents::find_inside() {
    Worklist<const Def*> work{pointer_};
    while (auto def = work.next()) {
        for (auto lam : flow_.around(def)) {
            if (is_free_in(flow_.world(), lam->var(), pointer_) || !inside_.insert(lam).second) continue;
            if (!flow_.edges(lam, nullptr)) return false;
            work.push(lam);
        }
    }
    return true;
}

/// Finds out what it holds at a token.
bool Contents::follow(const Def* start, uint64_t& steps) {
    Content content;
    for (auto token = start; token;) {
        if (auto known = at_.find(token); known != at_.end()) {
            content = known->second;
            break;
        }
        if (steps == 0) return false;
        --steps;
        auto next = before(token, content);
        if (!next) return false;
        token = *next;
    }
    at_.emplace(start, content);
    return true;
}

/// The token before the operation that made this one; null where the content is known; nothing if it cannot be found out.
std::optional<const Def*> Contents::before(const Def* token, Content& content) {
    auto extract = token->isa<Extract>();
    auto op      = (extract ? extract->tuple() : token)->isa<App>();
    if (!op) {
        std::vector<uint64_t> path;
        auto lam = path_to(token, path) ? owner(token) : nullptr;
        return lam ? enter(lam, token, content) : std::nullopt;
    }
    if (!saturated_axiom(op)) return {};
    if (stores_.contains(op)) return content.value = flow_.world().extract(op->arg(), 2), nullptr;
    if (op == op_ && !match<local>(op)) return nullptr; // nothing yet
    if (op == op_ && !is_closed(flow_.world(), type())) return {};
    auto next = token_of(op);
    return next ? std::optional(next) : std::nullopt;
}

std::optional<const Def*> Contents::enter(const Lam* lam, const Def* token, Content& content) {
    if (!inside_.contains(lam) && flow_.is_function(lam)) return nullptr; // its own activation begins
    auto edges = flow_.edges(lam, token);
    if (!edges || !std::ranges::all_of(*edges, [&](auto& edge) { return leaves_alone(lam, edge); })) return {};
    if (edges->empty()) return nullptr;
    if (edges->size() == 1) return edges->front().token;
    auto [known, fresh] = param_tokens_.try_emplace(lam, token);
    if (known->second != token || lam->dom()->is_mut()) return {};
    content.param = lam;
    if (!fresh) return nullptr;
    params_.emplace_back(lam, edges);
    for (auto& edge : *edges) todo_.push_back(edge.token);
    return nullptr;
}

/// A call that returns to lam does not touch the memory, and lam is not returned to twice: nothing that leads there gets out.
bool Contents::leaves_alone(const Lam* lam, const Edge& edge) {
    if (edge.kind != Edge::Return) return true;
    auto callee = edge.call->callee();
    bool known  = callee->isa<Lam>() ? !inside_.contains(callee) : head_axiom(callee) != nullptr;
    return known && !flow_.keeps_functions() && !holds_function(lam->dom());
}

const Def* nothing(World& w, const Def* type) {
    if (type->isa<Nat>()) return w.lit_nat(0);
    if (auto size = isa_idx(type)) {
        return value(size).value_or(0) != 0 ? w.lit_idx(size, 0) : nullptr;
    }
    if (auto axm = head_axiom(type); axm && axm->axiom().literal) return w.raw_lit(type, 0);
    auto size = type->isa<Sigma>() || type->isa<Arr>() ? lit_arity(w, type) : -1;
    if (size < 0 || size > 16 || type->is_mut()) return nullptr;
    DefVec elems;
    for (int64_t i = 0; i < size; ++i) {
        auto elem = nothing(w, elem_decl(w, type, size_t(i)));
        if (!elem) return nullptr;
        elems.push_back(elem);
    }
    return w.tuple(elems);
}

} // namespace mim::plug::mem
