// SPDX-License-Identifier: MIT
#include "ir/token_types.h"

#include <algorithm>
#include <set>
#include <utility>

#include "ir/apart.h"
#include "ir/copy.h"

namespace mim {

namespace {

/// A domain with more elements than this is not searched for type variables.
constexpr int64_t MaxTypeParams = 256;

/// Sorts, and functions and arrays that lead to one. A circle of functions and arrays leads to none.
bool is_type_like(const Def* type) {
    auto next = [](const Def* type) -> const Def* {
        bool leads_on = type->is_set() && (type->isa<Arr>() || type->isa<Pi>());
        return leads_on ? type->op(1) : nullptr;
    };
    auto behind = type; // at half the speed: on a circle it is caught up with
    for (bool is_odd = false; type; is_odd = !is_odd) {
        if (type->node() == Node::Sort) return true;
        type = next(type);
        if (type == behind) return false;
        if (is_odd) behind = next(behind);
    }
    return false;
}

/// Calls f for each part of a type, or of an expression that holds types: see token_types.h. False if some are not known yet.
template<class F>
bool parts(const Def* def, F f) {
    auto part = [&](const Def* op) {
        if (!op) return false;
        if (!op->type() || holds_types(op->type())) f(op);
        return true;
    };
    switch (def->node()) {
        case Node::Sigma:
        case Node::Union:
        case Node::Tuple:
        case Node::Extract:
        case Node::App:
        case Node::Insert:
        case Node::Inj:
        case Node::Match: {
            bool known = true;
            for (auto op : def->ops()) known &= part(op);
            return known;
        }
        case Node::Lam:
        case Node::Arr:
        case Node::Pack: return def->is_set() && part(def->op(1));
        case Node::Hole: return def->is_set() && part(def->op(0));
        case Node::Sing: return f(def->op(0)->type()), true;
        default: return true;
    }
}

/// Of `#i` of `#j` of a variable, and the like: the variable.
const Def* base_of(const Def* def) {
    while (auto ex = def->isa<Extract>()) {
        if (!isa_lit(ex->index())) break;
        def = ex->tuple();
    }
    return def;
}

/// `part` is `whole`, or lies within it.
bool lies_in(const Def* part, const Def* whole) {
    while (part != whole && part->isa<Extract>()) part = part->as<Extract>()->tuple();
    return part == whole;
}

/// Whether a type has as a part what stands at this place of the variable, or what it lies in, or something of it.
bool has_part(World& world, const Def* type, const Def* place) {
    auto var = base_of(place);
    std::vector<const Def*> todo{type};
    DefSet seen;
    while (!todo.empty()) {
        auto def = todo.back();
        todo.pop_back();
        if (!is_free_in(world, var, def) || !seen.insert(def)) continue;
        if (base_of(def) != var) parts(def, [&](const Def* part) { todo.push_back(part); });
        else if (lies_in(place, def) || lies_in(def, place)) return true;
    }
    return false;
}

/// Calls f(place, value) for each type, or value that holds types, in this element of a variable; value: what stands there, or null.
template<class F>
bool any_type(World& world, const Def* place, const Def* value, F f) {
    if (!holds_types(place->type())) return false;
    auto n = lit_arity(world, place->type());
    if (n < 2 || n > MaxTypeParams) return f(place, value);
    for (size_t i = 0; i < static_cast<size_t>(n); ++i)
        if (any_type(world, world.extract(place, i), value ? world.extract(value, i) : nullptr, f)) return true;
    return false;
}

/// The element of a Σ whose type has as a part what stands at this place of the Σ's variable; -1 if there is none.
int64_t value_of(World& world, const Def* sigma, const Def* place) {
    if (base_of(place)->node() != Node::Var) return -1; // a singleton
    for (size_t i = 0; i < sigma->num_ops(); ++i)
        if (has_part(world, sigma->op(i), place)) return static_cast<int64_t>(i);
    return -1;
}

/// Whether two types stay different whatever their variables stand for. Types that are apart do, and so do closed ones
/// that are not equal, also as parts of others. An array of unknown length may have one element, and be that, or none.
class Different {
public:
    /// `is_node`: closed types are equal only if they are one node.
    Different(World& world, bool is_node)
        : world_(world)
        , is_node_(is_node) {}

    bool check(const Def* a, const Def* b) {
        if (a == b) return false;
        if (Apart(world_).check(a, b)) return true;
        bool is_final = is_closed(world_, a) && is_closed(world_, b);
        return is_final ? is_node_ || !equal(world_, a, b) : parts_differ(a, b);
    }

private:
    bool parts_differ(const Def* a, const Def* b) {
        bool is_new = seen_.insert({a, b}).second; // nothing is known of recursive types that lead back
        if (!is_new || !a->is_set() || !b->is_set()) return false;
        if (is_unknown_array(a)) return differs_from_array(a->as<Arr>()->body(), b);
        if (is_unknown_array(b)) return differs_from_array(b->as<Arr>()->body(), a);
        if (is_closed_union(a)) return keeps_head(b);
        if (is_closed_union(b)) return keeps_head(a);
        if (a->isa<Pi>() && b->isa<Pi>()) return check(a->op(0), b->op(0)) || check(a->op(1), b->op(1));
        return a->isa<Sigma>() && b->isa<Sigma>() && any_differs(a, b);
    }

    /// `a` is an array of elements of type `elem`, and nobody knows how many.
    bool differs_from_array(const Def* elem, const Def* b) {
        bool is_union = is_closed_union(b);
        if (!is_union && !keeps_head(b)) return false;
        if (!b->isa<Sigma>() && !b->isa<Arr>()) return check(elem, b);
        return b->isa<Sigma>() && b->num_ops() != 0 && check(elem, b) && any_of_ops(b, [&](auto op) { return check(elem, op); });
    }

    bool any_differs(const Def* a, const Def* b) {
        return any_of_ops(a, [&, i = size_t(0)](auto op) mutable { return check(op, b->op(i++)); });
    }

    template<class F>
    static bool any_of_ops(const Def* sigma, F is_such) {
        auto ops = sigma->ops().first(std::min<size_t>(sigma->num_ops(), MaxElements));
        return std::ranges::any_of(ops, std::move(is_such));
    }

    static bool is_unknown_array(const Def* type) {
        return type->isa<Arr>() && !type->var() && !isa_lit(type->as<Arr>()->arity());
    }
    bool is_closed_union(const Def* type) { return type->isa<Union>() && is_closed(world_, type); }
    /// No substitution makes a union or an array of unknown length of it.
    bool keeps_head(const Def* type) { return bool(Apart(world_).head(Apart::type(type))); }

    static constexpr size_t MaxElements = 256; ///< as many are compared

    World& world_;
    bool is_node_;
    std::set<std::pair<const Def*, const Def*>> seen_;
};

} // namespace

const Pi* last_continuation(const Pi* pi) {
    auto sigma = pi->is_cn() ? pi->dom()->isa<Sigma>() : nullptr;
    auto last  = sigma && sigma->num_ops() > 1 ? sigma->op(sigma->num_ops() - 1)->isa<Pi>() : nullptr;
    return last && last->is_cn() ? last : nullptr;
}

/// The type of the result that a function returns to its caller.
static const Def* result_type(const Pi* pi) {
    if (!pi->is_cn()) return pi->codom();
    auto ret = last_continuation(pi);
    return ret ? ret->dom() : nullptr;
}

/// Values of this type refer to values of its arguments, but do not hold them.
static bool is_pointer(const Def* type) {
    auto axm = head_axiom(type);
    return axm && axm->axiom().has(Axiom::Pointer);
}

/// Whether a type holds a function for which `is_such` holds, behind a pointer only if `behind`. An unknown type may
/// stand for anything; a variable, or a part of one, only if `variables`.
template<class F>
static bool holds_such(const Def* root, F is_such, bool behind = true, bool variables = true) {
    if (isa_idx(root)) return false; // most are
    SmallVector<const Def*, 8> todo;
    DefSet seen;
    todo.push_back(root);
    while (!todo.empty()) {
        auto type = todo.back();
        todo.pop_back();
        if (!seen.insert(type)) continue;
        switch (type->node()) {
            case Node::Pi: {
                if (is_such(type->as<Pi>())) return true;
                if (auto result = result_type(type->as<Pi>())) todo.push_back(result);
                continue;
            }
            case Node::Hole:
            case Node::Match: return true;
            case Node::Var:
                if (variables) return true;
                continue;
            case Node::Extract:
                if (!variables && base_of(type)->isa<Var>()) continue;
                if (!type->op(0)->isa<Tuple>() && !type->op(0)->isa<Pack>()) return true;
                break;
            case Node::App:
                if (isa_idx(type)) continue;
                if (!head_axiom(type)) return true;
                if (!behind && is_pointer(type)) continue;
                break;
            default: break;
        }
        parts(type, [&](const Def* part) { todo.push_back(part); });
    }
    return false;
}

bool holds_function(const Def* type) {
    return holds_such(type, [](const Pi*) { return true; });
}

bool holds_function_itself(const Def* type) {
    return holds_such(type, [](const Pi*) { return true; }, false);
}

bool holds_never(const Def* root) {
    SmallVector<const Def*, 8> todo;
    DefSet seen;
    todo.push_back(root);
    while (!todo.empty()) {
        auto type = todo.back();
        todo.pop_back();
        if (!seen.insert(type)) continue;
        if (type->node() == Node::Bot) return true;
        bool has_elements = type->node() == Node::Sigma || type->node() == Node::Arr || type->node() == Node::Union;
        if (has_elements && type->is_set()) todo.append(type->ops().begin(), type->ops().end());
    }
    return false;
}

bool may_hold(const Def* type, const IsFunction& is_such, bool variables) { return holds_such(type, is_such, true, variables); }

bool may_be_same(World& world, const Def* type, const Def* other, bool is_node) {
    return !Different(world, is_node).check(type, other);
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

bool holds_types(const Def* type) {
    auto sort = type->type() ? type->type()->isa<Sort>() : nullptr;
    return !sort || sort->level() > 0;
}

/*
 * types
 */

/// A walk over the parts of a type, in depth. What is on the way to a token is a type with tokens; what it has left behind is none, unless it
/// came back to something on the way, or to what is not known yet.
class TokenTypes::Walk {
public:
    explicit Walk(TokenTypes& types)
        : t_(types) {}

    bool run(const Def* root) {
        if (enter(root)) return finish(Yes);
        while (!visits_.empty()) {
            auto& visit = visits_.back();
            if (todo_.size() == visit.first_part) {
                leave();
                continue;
            }
            auto part = todo_.back();
            todo_.pop_back();
            switch (t_.memo(part)) {
                case Yes: return finish(Yes);
                case Open:
                case Later: visit.is_cyclic = true; break;
                case Unknown:
                    if (enter(part)) return finish(Yes);
                    break;
                default: break;
            }
        }
        return finish(is_known_ ? No : Unknown);
    }

private:
    struct Visit {
        const Def* def;
        size_t first_part;
        bool is_cyclic = false;
    };

    /// Whether that is a token at once.
    bool enter(const Def* def) {
        t_.memo(def) = Open;
        visits_.push_back({def, todo_.size()});
        if (t_.marked_.contains(def)) return true;
        if (auto axm = def->isa<Axm>()) return enter_axiom(axm->axiom());
        if (!parts(def, [&](const Def* part) { todo_.push_back(part); })) is_known_ = false, visits_.back().is_cyclic = true;
        return false;
    }
    bool enter_axiom(const Axiom& axiom) {
        if (axiom.has(Axiom::LinearType)) return true;
        auto it = t_.rewritten_.find(&axiom);
        if (it == t_.rewritten_.end()) return false;
        for (auto right : it->second) {
            if (!right) return true;
            todo_.push_back(right);
        }
        return false;
    }
    void leave() {
        auto visit = visits_.back();
        visits_.pop_back();
        t_.memo(visit.def) = visit.is_cyclic ? Later : No;
        if (!visit.is_cyclic) return;
        later_.push_back(visit.def);
        if (!visits_.empty()) visits_.back().is_cyclic = true;
    }
    /// `others`: of what came back to something on the way.
    bool finish(State others) {
        for (auto& visit : visits_) t_.memo(visit.def) = Yes;
        for (auto def : later_) t_.memo(def) = others == No ? No : Unknown;
        return others == Yes;
    }

    TokenTypes& t_;
    std::vector<Visit> visits_;
    std::vector<const Def*> todo_, later_;
    bool is_known_ = true;
};

bool TokenTypes::contains(const Def* type) {
    if (num_rules_ != world_.rules.of_types().size()) read_rules();
    auto known = memo(type);
    return known == Unknown ? Walk(*this).run(type) : known == Yes;
}

void TokenTypes::read_rules() {
    auto& rules = world_.rules.of_types();
    for (; num_rules_ != rules.size(); ++num_rules_) {
        auto& rule = *rules[num_rules_];
        rewritten_[&head_axiom(rule.lhs)->axiom()].push_back(may_become_any(rule) ? nullptr : rule.rhs);
    }
    memo_.clear();
}

/// The right side has as a part a variable that is no part of the left one: `%p.type_of (%p.name_of T) => T`, where a name is data.
bool TokenTypes::may_become_any(const RewriteRule& rule) {
    return any_type(world_, rule.binder->var(), nullptr, [&](const Def* place, const Def*) {
        return has_part(world_, rule.rhs, place) && !has_part(world_, rule.lhs, place);
    });
}

/*
 * packages
 */

const Def* TokenTypes::hidden_here(const Def* type, const Def* value) {
    auto sigma = type->isa<Sigma>();
    if (!sigma || !sigma->var() || !holds_types(sigma)) return nullptr;
    const Def* token = nullptr;
    any_type(world_, sigma->var(), value, [&](const Def* place, const Def* type) {
        if (!contains(type)) return false;
        auto i = value_of(world_, sigma, place);
        if (i >= 0) token = world_.extract(value, static_cast<uint64_t>(i));
        return i >= 0;
    });
    return token;
}

TokenTypes::Hidden TokenTypes::hidden(const Def* type, const Def* value) {
    if (!holds_types(type) || (type == value->type() && !value->isa<Tuple>()))
        return {};                   // a tuple may have been declared with its type
    auto sigma = type->isa<Sigma>(); // the value may be none of it: errors are looked into as well
    if (sigma && lit_arity(world_, value->type()) == static_cast<int64_t>(sigma->num_ops()))
        if (auto token = hidden_here(type, value)) return {type, token};
    auto arr = type->isa<Arr>();
    if (!arr && !type->isa<Sigma>()) return {};
    if (auto pack = value->isa<Pack>(); arr && pack) {
        if (!arr->var()) return hidden(arr->body(), pack->body());
        auto index = pack->var() ? pack->var() : world_.mut_pack(pack->arity())->var();
        return hidden(elem_type(world_, arr, value, index), pack->body());
    }
    auto n = lit_arity(world_, type);
    if (n < 2 || n != lit_arity(world_, value->type())) return {};
    for (size_t i = 0; i < static_cast<size_t>(n); ++i) {
        auto elem = elem_type(world_, type, value, world_.lit_idx(static_cast<uint64_t>(n), i));
        if (!elem->isa<Sigma>() && !elem->isa<Arr>()) continue;
        if (auto found = hidden(elem, world_.extract(value, i))) return found;
    }
    return {};
}

/*
 * elements
 */

size_t TokenTypes::num_elems(const Def* token) {
    auto type = token->type();
    if (type->node() != Node::Sigma && type->node() != Node::Arr) return 0;
    auto n         = lit_arity(world_, type);
    bool are_known = type->isa<Sigma>() || n <= static_cast<int64_t>(MaxExpansion);
    return n > 1 && are_known ? static_cast<size_t>(n) : 0;
}

bool TokenTypes::is_elem_token(const Def* token, size_t i) {
    auto type = token->type();
    if (auto sigma = type->isa<Sigma>(); sigma && !sigma->is_mut()) return contains(sigma->op(i));
    if (auto arr = type->isa<Arr>(); arr && !arr->is_mut()) return contains(arr->body());
    return is_token(world_.extract(token, i));
}

/*
 * type variables
 */

/// The place in `whole`, as a place in `to`, which has the same type.
static const Def* move(World& world, const Def* place, const Def* whole, const Def* to) {
    if (place == whole) return to;
    auto ex = place->as<Extract>();
    return world.extract(move(world, ex->tuple(), whole, to), ex->index());
}

/// Some Σ around this place of a variable has a value of the type that stands there: then that is no type with tokens, for they would be
/// hidden.
bool TokenTypes::types_values(const Def* place) {
    for (auto whole = place; whole->isa<Extract>();) {
        whole      = whole->as<Extract>()->tuple();
        auto sigma = whole->type()->isa<Sigma>();
        if (sigma && sigma->var() && value_of(world_, sigma, move(world_, place, whole, sigma->var())) >= 0) return true;
    }
    return false;
}

/// The types among the elements of `var`, also inside of its elements, that are types with tokens in `arg` (null: all of them may be).
bool TokenTypes::mark(const Def* var, const Def* arg) {
    bool changed = false;
    any_type(world_, var, arg, [&](const Def* place, const Def* type) {
        bool may = base_of(place)->node() == Node::Var && (!type || contains(type)) && !types_values(place);
        changed |= may && marked_.insert(place);
        return false;
    });
    return changed;
}

/// The same for the variables in the pattern of a rule. What has a type with tokens as a part in `arg` may be any of those in it.
bool TokenTypes::mark_pattern(const Def* pattern, const Def* arg) {
    bool changed = false;
    any_type(world_, pattern, arg, [&](const Def* place, const Def* type) {
        if (!contains(type)) return false;
        if (base_of(place)->node() == Node::Var) changed |= marked_.insert(place);
        else
            for (auto var : free_vars(world_, place)) changed |= mark(var, nullptr);
        return false;
    });
    return changed;
}

bool TokenTypes::mark(const Instance& instance) {
    if (instance.kind == Instance::Rule) return mark_pattern(instance.callee, instance.arg);
    return mark(instance.callee->as<Lam>()->var(), instance.kind == Instance::Match ? nullptr : instance.arg);
}

/// One of the types among the elements of `arg` is one with tokens.
bool TokenTypes::passes(const Def* arg) {
    return any_type(world_, arg, nullptr, [&](const Def* type, const Def*) { return contains(type); });
}

void TokenTypes::instantiate(const std::vector<Instance>& instances, const std::vector<const Lam*>& lams) {
    bool all = false; // are marked
    for (bool changed = true; changed;) {
        changed = false;
        for (auto& instance : instances) {
            bool is_known = instance.kind == Instance::Rule || instance.callee->isa<Lam>();
            if (instance.kind == Instance::Match && !contains(instance.arg)) continue;
            if (is_known) {
                changed |= mark(instance);
                continue;
            }
            if (instance.kind == Instance::Call && (all || !passes(instance.arg))) continue;
            if (!all) // an unknown function: it may be any
                for (auto other : lams) changed |= mark(other->var(), nullptr);
            all = true;
        }
        if (changed) memo_.clear();
    }
}

} // namespace mim
