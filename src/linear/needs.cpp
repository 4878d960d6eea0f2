// SPDX-License-Identifier: MIT
// The judgement, for the evaluation of an expression e, and a parameter p:
//
//     e always needs p    if e is p, or an element of p,
//                         if one of the parts that e always evaluates needs p,
//                         if e is a choice, and its index needs p, or all of its arms do,
//                         if e is a call of a λ that the program names, and an element of the argument needs p, and the λ the element.
//
// The elements of an argument are told apart, not those of an element. A function as a value needs nothing, nor does
// the code of a local function that is called: what that takes from the parameters of one around it is passed to it by
// need. For recursive functions this is the greatest fixed point: a turn that needs the parameter in the next turn
// alone never ends, or there is one that needs it itself.
#include "linear/needs.h"

#include <algorithm>

#include "linear/nodes.h"

namespace mim::linear {

/// The λ that a call enters if the program names it: f in `f a`, and in `f a b` the one that f returns.
static const Lam* named(const Def* callee) {
    auto lam = callee->isa<Lam>();
    if (auto app = callee->isa<App>()) {
        auto outer = named(app->callee());
        lam        = outer ? outer->body()->isa<Lam>() : nullptr;
    }
    return lam && lam->is_set() ? lam : nullptr;
}

/// The result of a curried function once it has got all arguments.
static const Def* result_of(const Lam* lam) {
    auto res = lam->body();
    while (res->isa<Lam>() && res->is_set()) res = res->as<Lam>()->body();
    return res;
}

/// It waits for more arguments, and evaluates nothing before it has them.
static bool waits(const Def* d) { return d->isa<App>() && d->type()->isa<Pi>(); }

/// One question about one parameter. A node is answered after its parts.
class Needs::Walk {
public:
    Walk(Needs& needs, const Parameter& param)
        : needs_(needs)
        , var_(param.lam->var())
        , elem_(param.elem) {}

    bool ask(const Def* from) {
        std::vector<std::pair<const Def*, bool>> todo{{from, false}};
        while (!todo.empty()) {
            auto [d, is_entered] = todo.back();
            todo.pop_back();
            if (is_entered) {
                answers_[d] = answer(d);
                continue;
            }
            bool is_new = !d->isa<Lam>() && !is_target(d) && mentions(d) && answers_.try_emplace(d, false).second;
            if (!is_new) continue;
            todo.emplace_back(d, true);
            for (auto part : value_ops(d))
                if (part) todo.emplace_back(part, false);
            if (auto app = d->isa<App>())
                for (auto elem : arg_elems(app)) todo.emplace_back(elem, false);
            if (auto match = d->isa<Match>())
                for (auto arm : match->arms()) todo.emplace_back(code_of(arm), false);
        }
        return known(from);
    }

private:
    bool mentions(const Def* d) { return !is_static(d) && is_free_in(needs_.world_, var_, d); }

    /// The parameter, or the variable that it is an element of; for a parameter as a whole, also a part of it.
    bool is_target(const Def* d) {
        if (d == var_) return true;
        auto ex    = d->isa<Extract>();
        auto index = ex ? isa_lit(ex->index()) : nullptr;
        if (!index) return false;
        return elem_ ? ex->tuple() == var_ && index->value() == *elem_ : is_target(ex->tuple());
    }

    /// As a value.
    bool at(const Def* d) { return !waits(d) && known(d); }
    bool known(const Def* d) {
        if (!d || is_static(d)) return false;
        if (is_target(d)) return true;
        auto found = answers_.find(d);
        return found != answers_.end() && found->second;
    }

    bool answer(const Def* d) {
        switch (d->node()) {
            case Node::App: return of_app(d->as<App>());
            case Node::Extract: return of_extract(d->as<Extract>());
            case Node::Match: return at(d->as<Match>()->scrutinee()) || all(d->as<Match>()->arms());
            case Node::Insert: return at(d->as<Insert>()->index()) || at(d->as<Insert>()->value());
            case Node::Pack: return at(d->as<Pack>()->arity());
            default: return std::ranges::any_of(value_ops(d), [&](auto op) { return at(op); });
        }
    }

    bool of_app(const App* app) {
        for (size_t i = 0; auto elem : arg_elems(app)) {
            if (at(elem) && argument(app, i)) return true;
            ++i;
        }
        return !app->callee()->isa<Lam>() && known(app->callee());
    }

    /// A variable that is passed on as a whole stands for its elements.
    bool argument(const App* app, size_t i) {
        bool passes_on = app->arg() == var_ && elem_;
        return passes_on ? needs_.element(app, *elem_) : needs_.argument(app, i);
    }

    bool of_extract(const Extract* ex) {
        if (at(ex->index())) return true;
        if (is_target(ex->tuple())) return false; // another element, or one that is chosen at run time
        auto tuple = ex->tuple()->isa<Tuple>();
        return tuple ? all(tuple->ops()) : at(ex->tuple());
    }

    bool all(Defs arms) {
        return !arms.empty() && std::ranges::all_of(arms, [&](auto arm) { return at(code_of(arm)); });
    }
    /// Of an arm of a `match`.
    static const Def* code_of(const Def* arm) {
        auto lam = arm->isa<Lam>();
        return lam && lam->is_set() ? lam->body() : arm;
    }

    Needs& needs_;
    const Def* var_;
    std::optional<size_t> elem_;
    std::unordered_map<const Def*, bool> answers_;
};

bool Needs::parameter(const Parameter& param) {
    auto [found, is_new] = parameters_.emplace(param, true);
    if (!is_new) return found->second;
    if (depth_ == MaxDepth) return found->second = false;
    auto first = asked_.size();
    ++depth_;
    bool res = Walk(*this, param).ask(result_of(param.lam));
    --depth_;
    if (!res)
        for (; asked_.size() != first; asked_.pop_back()) parameters_.erase(asked_.back());
    if (res) asked_.push_back(param);
    return parameters_[param] = res;
}

/// A function in direct style is among those that an axiom got: none that makes types, as there are in most applications.
static bool gets_direct_function(const App* app) {
    return any_function_so_far(app, [](auto function) { return !is_continuation(function) && !makes_types(function); });
}

/// Each element is a value of its own, which who looks at others does not need. The elements of a pack without an index
/// are all the same one.
static bool is_aggregate(const Def* d) {
    auto pack    = d->isa<Pack>();
    auto arity   = pack && !pack->is_mut() ? isa_lit(pack->arity()) : nullptr;
    bool is_same = arity && arity->value() != 0;
    return d->isa<Tuple>() || d->isa<Insert>() || (pack && !is_same);
}

bool Needs::argument(const App* call, size_t i) {
    bool is_whole = !call->arg()->isa<Tuple>();
    bool is_apart = is_aggregate(arg_elems(call)[i]); // each element for itself
    bool by_value = is_never(call) || (!head_axiom(call) && !isa_choice(call->callee()) && !named(call->callee()));
    if (is_apart && !by_value) return false;
    return element(call, is_whole ? std::nullopt : std::optional(i));
}

/// An axiom may be lowered to a function that takes by need what its own functions may ignore.
bool Needs::element(const App* call, std::optional<size_t> i) {
    if (is_never(call)) return true;
    if (head_axiom(call)) return !gets_direct_function(call);
    if (isa_choice(call->callee())) return false; // its arms are called, each with what it needs
    auto lam = named(call->callee());
    return !lam || parameter({lam, i});
}

const DefSet& Needs::evaluated(const Def* from) {
    auto [found, is_new] = evaluated_.try_emplace(from);
    if (!is_new) return found->second;
    DefSet res;
    std::vector<const Def*> todo{from};
    auto add = [&](const Def* part) {
        bool is_value = part && !is_static(part) && !part->isa<Lam>() && !waits(part);
        if (is_value) todo.push_back(part);
    };
    while (!todo.empty()) {
        auto d = todo.back();
        todo.pop_back();
        if (!res.insert(d)) continue;
        if (auto app = d->isa<App>()) {
            for (size_t i = 0; auto elem : arg_elems(app)) {
                if (!is_static(elem) && argument(app, i)) add(elem);
                ++i;
            }
            add(app->callee());
        } else if (auto match = d->isa<Match>()) {
            add(match->scrutinee());
        } else if (isa_choice(d)) {
            add(d->as<Extract>()->index());
        } else if (auto ins = d->isa<Insert>()) {
            add(ins->index()), add(ins->value());
        } else if (auto pack = d->isa<Pack>()) {
            add(pack->arity());
        } else {
            for (auto op : value_ops(d)) add(op);
        }
    }
    return evaluated_[from] = std::move(res);
}

} // namespace mim::linear
