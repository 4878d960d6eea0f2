// SPDX-License-Identifier: MIT
// The judgement, for the evaluation of an expression e, and what is asked for, t:
//
//     e needs t        always if e is t, or one of the parts that e always evaluates always needs t,
//     a choice         needs what its index needs, and, as far as all its arms agree, what these need,
//     a call g a       of a λ g that the program names needs what the body of g needs; and of an element of a, what that needs as often as g needs the
//                      parameter,
//     any other call   needs what all of its argument needs.
//
// A function as a value needs nothing until somebody calls it: sometimes.
#include "linear/needs.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "linear/check.h"

namespace mim::linear {

/// Of parts that are all evaluated.
static Need both(Need a, Need b) { return std::max(a, b); }
/// Of parts one of which is evaluated.
static Need either(Need a, Need b) { return a == b ? a : Need::Sometimes; }
/// Of a part that is evaluated as often as `times` says.
static Need scaled(Need part, Need times) { return std::min(part, times); }

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

/// One question about one expression. A node is answered after its parts.
class Needs::Walk {
public:
    /// Either a node, or the part of a variable that `elem` says. `var`: free in what mentions it.
    struct Target {
        const Def* node;
        const Def* var;
        std::optional<size_t> elem;
    };

    Walk(Needs& needs, const Target& target)
        : needs_(needs)
        , target_(target) {}

    Need ask(const Def* from) {
        std::vector<std::pair<const Def*, bool>> todo{{from, false}};
        while (!todo.empty()) {
            auto [d, is_entered] = todo.back();
            todo.pop_back();
            if (is_entered) {
                answers_[d] = answer(d);
                continue;
            }
            bool is_new = !is_known(d) && answers_.try_emplace(d, Need::Sometimes).second; // a recursion, while it is asked
            if (!is_new) continue;
            todo.emplace_back(d, true);
            add_parts(d, todo);
        }
        return known(from);
    }

private:
    /// Whether this is the target, or cannot mention it.
    bool is_known(const Def* d) { return d->isa<Lam>() || is_target(d) || !mentions(d); }
    bool mentions(const Def* d) { return !is_static(d) && needs_.world_.is_free_in(target_.var, d); }

    bool is_target(const Def* d) {
        if (target_.node) return d == target_.node;
        if (d == target_.var) return true;
        auto ex = d->isa<Extract>();
        if (!target_.elem) return ex && is_target(ex->tuple());
        auto index = is_element(d) ? isa_lit(ex->index()) : nullptr;
        return index && index->value() == *target_.elem;
    }

    /// An element of the variable that is asked for.
    bool is_element(const Def* d) {
        auto ex = d->isa<Extract>();
        return ex && !target_.node && ex->tuple() == target_.var;
    }

    /// As a value: one that waits for more arguments evaluates nothing before it has them.
    Need at(const Def* d) {
        bool waits = d && d->isa<App>() && d->type() && d->type()->isa<Pi>();
        return waits ? scaled(known(d), Need::Sometimes) : known(d);
    }
    Need known(const Def* d) {
        if (!d || is_static(d)) return Need::Never;
        if (is_target(d)) return Need::Always;
        if (!mentions(d)) return Need::Never;
        auto found = answers_.find(d);
        return found == answers_.end() ? Need::Sometimes : found->second; // a function as a value
    }

    void add_parts(const Def* d, std::vector<std::pair<const Def*, bool>>& todo) {
        auto add = [&](const Def* part) {
            if (part) todo.emplace_back(part, false);
        };
        if (is_element(d)) return add(d->as<Extract>()->index());
        for (auto op : value_ops(d)) add(op);
        if (auto app = d->isa<App>())
            for (auto elem : arg_elems(app)) add(elem);
        if (auto entered = entered_by(d)) add(entered);
        if (auto match = d->isa<Match>())
            for (auto arm : match->arms()) add(entered_by_arm(arm));
    }

    /// The code that a call evaluates.
    static const Def* entered_by(const Def* d) {
        auto app = d->isa<App>();
        auto lam = app && !app->type()->isa<Pi>() ? named(app->callee()) : nullptr;
        return lam ? lam->body() : nullptr;
    }
    static const Def* entered_by_arm(const Def* arm) {
        auto lam = arm->isa<Lam>();
        return lam && lam->is_set() ? lam->body() : arm;
    }

    Need answer(const Def* d) {
        switch (d->node()) {
            case Node::App: return of_app(d->as<App>());
            case Node::Extract: return of_extract(d->as<Extract>());
            case Node::Match: return of_match(d->as<Match>());
            case Node::Insert: {
                auto ins      = d->as<Insert>();
                auto replaced = scaled(at(ins->tuple()), Need::Sometimes);
                return both(replaced, both(at(ins->index()), at(ins->value())));
            }
            case Node::Pack: {
                auto pack = d->as<Pack>();
                return both(at(pack->arity()), scaled(at(pack->body()), Need::Sometimes));
            }
            default: return of_all(value_ops(d));
        }
    }

    Need of_all(Defs parts) {
        auto res = Need::Never;
        for (auto part : parts) res = both(res, at(part));
        return res;
    }

    Need of_app(const App* app) {
        auto res = Need::Never;
        for (size_t i = 0; auto elem : arg_elems(app)) {
            auto need = at(elem);
            if (need != Need::Never) res = both(res, scaled(need, argument(app, i)));
            ++i;
        }
        if (auto entered = entered_by(app)) res = both(res, of_body(entered));
        bool is_lam = app->callee()->isa<Lam>();
        return is_lam ? res : both(res, known(app->callee()));
    }

    /// Of a function that is called. What it takes from the parameters of one around it is passed to it by need.
    Need of_body(const Def* body) { return target_.node ? at(body) : scaled(at(body), Need::Sometimes); }

    /// A variable that is passed on as a whole stands for its elements.
    Need argument(const App* app, size_t i) {
        bool passes_on = app->arg() == target_.var && target_.elem;
        return passes_on ? needs_.element(app, *target_.elem) : needs_.argument(app, i);
    }

    Need of_extract(const Extract* ex) {
        if (is_element(ex)) return isa_lit(ex->index()) ? Need::Never : both(at(ex->index()), Need::Sometimes);
        auto tuple = ex->tuple()->isa<Tuple>();
        if (!tuple) return both(at(ex->index()), at(ex->tuple()));
        return both(at(ex->index()), of_one(tuple->ops(), [](const Def* arm) { return arm; }));
    }

    Need of_match(const Match* match) { return both(at(match->scrutinee()), of_one(match->arms(), entered_by_arm)); }

    template<class F>
    Need of_one(Defs arms, F code) {
        if (arms.empty()) return Need::Never;
        auto res = at(code(arms.front()));
        for (auto arm : arms) res = either(res, at(code(arm)));
        return res;
    }

    Needs& needs_;
    Target target_;
    std::unordered_map<const Def*, Need> answers_;
};

Need Needs::parameter(const Parameter& param) {
    auto [found, is_new] = parameters_.emplace(param, Need::Sometimes);
    if (!is_new || depth_ == MaxDepth) return found->second;
    ++depth_;
    auto res = Walk(*this, {nullptr, param.lam->var(), param.elem}).ask(result_of(param.lam));
    --depth_;
    return parameters_[param] = res;
}

Need Needs::argument(const App* call, size_t i) {
    bool is_whole = !call->arg()->isa<Tuple>();
    return element(call, is_whole ? std::nullopt : std::optional(i));
}

Need Needs::element(const App* call, std::optional<size_t> i) {
    auto lam = is_never(call) ? nullptr : named(call->callee());
    return lam ? parameter({lam, i}) : Need::Always;
}

Need Needs::of(const Def* from, const Def* what) {
    auto [found, is_new] = expressions_.try_emplace({from, what}, Need::Sometimes);
    if (!is_new) return found->second;
    auto vars            = world_.free_vars(what);
    auto res             = Walk(*this, {what, vars.front(), std::nullopt}).ask(from);
    return found->second = res; // no other question of this kind is asked meanwhile
}

} // namespace mim::linear
