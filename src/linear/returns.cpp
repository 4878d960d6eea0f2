// SPDX-License-Identifier: MIT
#include "linear/returns.h"

#include <algorithm>
#include <functional>

#include "base/worklist.h"
#include "linear/check.h"

namespace mim::linear {

/// A parameter of `lam`, and which one; `lam` is null if it is something else.
struct Param {
    const Lam* lam = nullptr;
    uint64_t i = 0, n = 1;
    bool is_last() const { return lam && i + 1 == n; }
};

static Param param_of(const Def* d) {
    auto ex  = d->isa<Extract>();
    auto lit = ex ? isa_lit(ex->index()) : nullptr;
    auto n   = lit ? isa_lit(isa_idx(lit->type())) : nullptr;
    auto var = (n ? ex->tuple() : d)->isa<Var>();
    auto lam = var ? var->binder()->isa<Lam>() : nullptr;
    return n ? Param{lam, lit->value(), n->value()} : Param{lam};
}

/// The last parameter of this λ, or its only one, if it is a continuation. A function in direct style has no return
/// among its parameters.
static const Lam* last_param_of(const Def* d) {
    auto param = param_of(d);
    return param.is_last() && param.lam->is_cn() && is_continuation(d) ? param.lam : nullptr;
}

/// Code that is not in the program may be among what the call calls: that of an axiom, or of a function that is only declared.
static bool calls_elsewhere(const std::vector<const Lam*>& lams, const std::vector<const Def*>& others) {
    return std::ranges::any_of(lams, [](auto lam) { return !lam->is_set(); })
           || std::ranges::any_of(others, [](auto other) { return head_axiom(other) != nullptr; });
}

/// The argument that this call of the λ passes last.
static const Def* last_arg(World& world, const Lam* lam, const App* app) {
    auto n     = lit_arity(world, lam->dom());
    auto size  = static_cast<size_t>(n);
    auto elems = arg_elems(app);
    if (n < 2) return app->arg();
    return elems.size() == size ? elems.back() : world.extract(app->arg(), size - 1);
}

/// Finds who gets what as the last parameter.
class ReturnWalk {
public:
    /// `on_one_cycle`: whether this call is on a cycle of the graph with the λ that it uses. `inlined`: see Check.
    ReturnWalk(World& world, ReturnParams& params, std::function<bool(const App*, const Lam*)> on_one_cycle, bool inlined)
        : world_(world)
        , params_(params)
        , on_one_cycle_(std::move(on_one_cycle))
        , inlined_(inlined) {}

    void visit(const Def* d) {
        if (auto app = d->isa<App>()) return call(app);
        auto ex        = d->isa<Extract>();
        bool is_chosen = ex && (ex->tuple()->node() == Node::Tuple || binder_of(ex));
        if (d->node() == Node::Tuple || is_chosen) return; // their users say how
        auto match = d->isa<Match>();
        for (auto op : match ? match->ops().first(1) : value_ops(d))
            if (op) value(op);
        for (auto arm : match ? match->arms() : Defs())
            if (auto lam = arm->isa<Lam>(); lam && holds_function(lam->dom()))
                params_.open.insert(lam); // it gets what is matched
    }
    /// Anybody may call the λs that `d` may be: code in this program or, if `goes_elsewhere`, other code.
    void value(const Def* d, bool goes_elsewhere = false) {
        SmallVector<const Def*, 8> todo;
        todo.push_back(d);
        while (!todo.empty()) {
            d = todo.back();
            todo.pop_back();
            if (auto lam = d->isa<Lam>()) {
                params_.open.insert(lam);
                function(lam, goes_elsewhere);
            } else if (auto ex = d->isa<Extract>(); ex && ex->tuple()->node() == Node::Tuple) {
                todo.push_back(ex->tuple());
            } else if (d->node() == Node::Tuple && seen_.insert(d)) {
                for (auto op : d->ops())
                    if (!is_static(op)) todo.push_back(op);
            } else if (auto binder = binder_of(d); binder && binder->isa<Lam>() && holds_function(d->type())) {
                params_.kept.insert(binder->as<Lam>());
                if (auto lam = holds_last_param_of(d)) params_.stored.insert(lam);
            }
        }
    }
    /// Functions that are only declared have callers elsewhere. What gets a return as its last parameter has a return there.
    void close(std::span<const Lam* const> roots) {
        for (auto root : roots)
            if (!used_.contains(root)) params_.open.insert(root), function(root, true);
        for (auto lam : values_) gets_from_unknown(lam);
        while (!found_.empty()) {
            auto lam = found_.back();
            found_.pop_back();
            for (auto next : follow_[lam]) found(next);
        }
    }

private:
    /// It comes back to who calls it, if it gets more than what may be a value. Once calls were inlined, the calls in the program tell more.
    void function(const Lam* lam, bool goes_elsewhere) {
        params_.functions.insert(lam);
        if (lit_arity(world_, lam->dom()) < 2) return;
        if (inlined_ && !goes_elsewhere) values_.insert(lam);
        else found(lam);
    }
    void found(const Lam* lam) {
        if (params_.returns.insert(lam)) found_.push_back(lam);
    }
    void use(const Lam* lam, const App* app) {
        if (!on_one_cycle_(app, lam)) used_.insert(lam);
    }
    /// If the last parameter of `from` is a return, then that of `to` is one.
    void follow(const Lam* from, const Lam* to) { follow_[from].push_back(to); }

    void call(const App* app) {
        std::vector<const Lam*> lams;
        std::vector<const Def*> others;
        callees(app->callee(), lams, others);
        auto elems = arg_elems(app);
        for (auto lam : lams) use(lam, app), gets(lam, app);
        for (auto other : others)
            if (is_continuation(other)) unknown_calls_.push_back({other->type()->as<Pi>(), app});
        bool goes_elsewhere = calls_elsewhere(lams, others);
        for (size_t i = 0; i < elems.size(); ++i) {
            if (is_static(elems[i])) continue;
            if (i + 1 == elems.size() && is_never(app) && is_continuation(elems[i])) returned(app, elems[i], others);
            else value(elems[i], goes_elsewhere);
        }
    }
    /// A call of `lam`, by itself.
    void gets(const Lam* lam, const App* app) {
        params_.calls[lam].push_back(app);
        auto last = last_arg(world_, lam, app);
        if (!is_continuation(last)) return;
        std::vector<const Lam*> lams;
        std::vector<const Def*> others;
        callees(last, lams, others);
        for (auto other : others)
            if (auto from = last_param_of(other)) follow(from, lam);
    }
    /// A λ that is a value, and that calls of unknown functions of its type may call.
    void gets_from_unknown(const Lam* lam) {
        for (auto& call : unknown_calls_) {
            if (call.type != lam->pi() && !may_be_same(world_, call.type, lam->pi(), inlined_)) continue;
            if (lit_arity(world_, call.type->dom()) != lit_arity(world_, lam->dom())) found(lam);
            else gets_from_unknown(lam, last_arg(world_, lam, call.app));
        }
    }
    /// A λ that knows no function around it comes back to who calls it, and so does any other function that is no return.
    void gets_from_unknown(const Lam* lam, const Def* last) {
        std::vector<const Lam*> lams;
        std::vector<const Def*> others;
        callees(last, lams, others);
        if (std::ranges::any_of(lams, [&](auto last_lam) { return knows_function_around(last_lam); })) found(lam);
        for (auto other : others) {
            if (auto from = last_param_of(other)) follow(from, lam);
            else if (may_be_stored(other->type())) found(lam);
        }
    }
    /// Whether the λ mentions a part of a variable around it that holds a function.
    bool knows_function_around(const Lam* lam) {
        auto vars = free_vars(world_, lam);
        DefSet seen;
        std::vector<const Def*> todo{lam};
        while (!todo.empty()) {
            auto d = todo.back();
            todo.pop_back();
            if (is_static(d) || is_closed(world_, d) || !seen.insert(d)) continue;
            if (auto binder = binder_of(d)) {
                bool is_around = std::ranges::find(vars, binder->var()) != vars.end();
                if (is_around && holds_function(d->type())) return true;
                continue;
            }
            for (auto op : value_ops(d))
                if (op) todo.push_back(op);
        }
        return false;
    }
    /// Whether some function uses a last parameter of this type as a value: it may be a return.
    bool may_be_stored(const Def* type) {
        return std::ranges::any_of(
            params_.stored, [&](auto lam) { return may_be_same(world_, last_param(world_, lam)->type(), type, inlined_); });
    }
    /// The λs that come last in a call of these are its return, unless calling one of these hands them over.
    void returned(const App* app, const Def* d, const std::vector<const Def*>& callees_of_call) {
        std::vector<const Lam*> lams;
        std::vector<const Def*> others;
        callees(d, lams, others);
        for (auto lam : lams) use(lam, app), params_.open.insert(lam);
        for (auto callee : callees_of_call)
            if (auto from = last_param_of(callee))
                for (auto lam : lams)
                    if (lit_arity(world_, lam->dom()) > 1) follow(from, lam);
    }

    World& world_;
    ReturnParams& params_;
    std::function<bool(const App*, const Lam*)> on_one_cycle_;
    bool inlined_;
    struct UnknownCall {
        const Pi* type; ///< of what is called
        const App* app;
    };
    std::vector<UnknownCall> unknown_calls_;
    LamSet values_;                 ///< these take several parameters, and only code in this program calls them
    DefSet seen_;                   ///< tuples
    LamSet used_;                   ///< called, or the return of a call
    std::vector<const Lam*> found_; ///< their followers are not looked at yet
    std::unordered_map<const Lam*, std::vector<const Lam*>> follow_;
};

void Returns::find(std::span<const Lam* const> roots) {
    auto on_one_cycle = [&](const App* app, const Lam* lam) { return c_.facts.component(app) == c_.facts.component(lam); };
    ReturnWalk walk(c_.world, params_, on_one_cycle, c_.is_inlined());
    for (auto& external : c_.world.externals) walk.value(external.lam, true);
    for (auto d : c_.facts.nodes()) walk.visit(d), stored_.visit(d);
    for (auto lam : c_.rules.functions()) params_.open.insert(lam); // who calls the axiom calls these
    walk.close(roots);
    stored_.start();
}

bool Returns::find_more() {
    bool changed = stored_.find();
    auto leaving = find_leaving();
    for (auto lam : asked_)
        if (leaving.contains(lam) || gets_way_back(lam)) changed |= leading_back_.insert(lam);
    return changed;
}

/// Those of the asked λs whose last parameter stands for a function that may leave. Calls that hand a parameter on make
/// long chains, which share their ends, so each parameter is followed once for all λs.
LamSet Returns::find_leaving() const {
    std::vector<const Def*> nodes;
    std::unordered_map<const Def*, uint32_t> numbers;
    std::vector<std::vector<uint32_t>> users; // nodes that may stand for this one
    auto number = [&](const Def* d) {
        auto [place, is_new] = numbers.emplace(d, static_cast<uint32_t>(nodes.size()));
        if (is_new) nodes.push_back(d), users.emplace_back();
        return place->second;
    };
    for (auto lam : asked_) number(last_param(c_.world, lam));
    Worklist<uint32_t> leaving;
    for (uint32_t i = 0; i != nodes.size(); ++i) {
        auto node = nodes[i];
        std::vector<const Lam*> lams;
        std::vector<const Def*> parts, next, others;
        callees(node, lams, parts);
        for (auto part : parts) {
            if (part != node) next.push_back(part);
            else if (!stands_for(part, next)) others.push_back(part);
        }
        for (auto d : next) {
            auto meaning = number(d);
            users[meaning].push_back(i);
        }
        if (c_.leaving.any_may_leave(lams, others)) leaving.push(i);
    }
    while (auto node = leaving.next()) leaving.push_all(users[*node]);
    LamSet result;
    for (auto lam : asked_)
        if (leaving.seen().contains(numbers.at(last_param(c_.world, lam)))) result.insert(lam);
    return result;
}

/// Whether a call of the λ hands on what leads back. Phases make functions of parts of others, to which these hand on
/// their returns: a return has one parameter then, as a value that takes one has.
bool Returns::gets_way_back(const Lam* lam) const {
    if (!c_.is_inlined()) return false;
    return std::ranges::any_of(params_.calls.at(lam), [&](auto app) { return leads_back(last_arg(c_.world, lam, app)); });
}

/// Whether what is called may be the last parameter of a λ that is such.
template<class F>
static bool any_last_param(const Def* callee, F is_such) {
    if (callee->node() != Node::Extract && callee->node() != Node::Var) return false;
    auto may_be_such = [&](const Def* other) {
        auto lam = last_param_of(other);
        return lam && is_such(lam);
    };
    if (!isa_choice(callee)) return may_be_such(callee);
    std::vector<const Lam*> lams;
    std::vector<const Def*> others;
    callees(callee, lams, others);
    return std::ranges::any_of(others, may_be_such);
}

bool Returns::is_return(const Def* callee) const {
    return any_last_param(callee, [&](auto lam) { return params_.returns.contains(lam); });
}

bool Returns::leads_back(const Def* callee) const {
    return any_last_param(callee, [&](auto lam) {
        bool is_returned_to = !params_.calls.contains(lam) && stored_.may_get_return(lam);
        return params_.returns.contains(lam) || leading_back_.contains(lam) || is_returned_to;
    });
}

void Returns::ask_for(const Def* callee) {
    any_last_param(callee, [&](auto lam) {
        if (params_.calls.contains(lam)) asked_.insert(lam);
        return false; // look at all
    });
}

bool Returns::arguments(const Def* d, std::vector<const Def*>& args) const {
    std::vector<const Def*> path; // of indices, the innermost first
    for (auto ex = d->isa<Extract>(); ex; ex = d->isa<Extract>()) {
        if (!isa_lit(ex->index())) return false;
        path.push_back(ex->index());
        d = ex->tuple();
    }
    auto lam   = d->isa<Var>() ? d->as<Var>()->binder()->isa<Lam>() : nullptr;
    auto calls = lam ? params_.calls.find(lam) : params_.calls.end();
    if (calls == params_.calls.end() || params_.open.contains(lam)) return false;
    for (auto app : calls->second) {
        auto arg = app->arg();
        for (auto index = path.rbegin(); index != path.rend(); ++index) arg = c_.world.extract(arg, *index);
        args.push_back(arg);
    }
    return true;
}

/// Adds what stands for it in the calls that are known. False if there may be others.
bool Returns::stands_for(const Def* d, std::vector<const Def*>& args) const {
    if (arguments(d, args)) return true;
    auto param = param_of(d);
    auto calls = params_.calls.find(param.lam);
    if (calls == params_.calls.end()) return false;
    for (auto app : calls->second) args.push_back(param.n == 1 ? app->arg() : c_.world.extract(app->arg(), param.i));
    return false;
}

void Returns::targets(const Def* callee, std::vector<const Lam*>& lams, std::vector<const Def*>& others) const {
    std::vector<const Def*> todo{callee}, found;
    DefSet seen;
    while (!todo.empty()) {
        found.clear();
        callees(todo.back(), lams, found);
        todo.pop_back();
        for (auto other : found) {
            bool is_open = seen.insert(other) && !stands_for(other, todo);
            if (is_open) others.push_back(other);
        }
    }
}

bool Returns::is_return_as_value(const Def* def) const {
    auto lam = binder_of(def) ? binder_of(def)->isa<Lam>() : nullptr;
    return lam && def == last_param(c_.world, lam) && is_continuation(def) && is_way_back(def->type()->as<Pi>());
}

bool Returns::is_way_back(const Pi* pi) const {
    if (!pi->is_cn()) return false;
    if (!last_continuation(pi)) return true;
    return std::ranges::any_of(params_.return_types, [&](auto type) { return c_.given_types.may_be_same(type, pi); });
}

} // namespace mim::linear
