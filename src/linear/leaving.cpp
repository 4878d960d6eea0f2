// SPDX-License-Identifier: MIT
// Through which exits each λ may leave: a least fixed point over the ends of all λs. The judgement, for a call f (a, r) in tail position:
//
//     f leaves through x, which is around f                    ⟹  so does the call
//     f returns through its last parameter, r leaves through x  ⟹  so does the call: what f never returns to is no way out
//     an element of a leaves through x                          ⟹  so does the call
//     a holds a way out inside an aggregate                     ⟹  the call leaves somewhere that nobody knows
//
// A way out inside an aggregate is a continuation that gets no return, a return that somebody has stored (stored.cpp),
// or a function of the type of one that may leave through something around it. Any other function comes back to who calls it,
// so streams and records of functions lead nowhere else. A function may return if it uses its return as a value: somebody may
// call it then. A last parameter that no call gives a return is a function like any other.
#include "linear/leaving.h"

#include <algorithm>
#include <utility>

#include "linear/check.h"

namespace mim::linear {

/*
 * the fixed point
 */

/// One round of the fixed point; earlier rounds have found some exits already.
class LeavingRound {
public:
    LeavingRound(Check& check, std::deque<Fn>& fns)
        : c_(check)
        , fns_(fns)
        , callers_(fns.size())
        , waiting_(fns.size()) {}

    void run() {
        for (auto& f : fns_)
            for (auto& end : f.ends) link(f, end);
        for (auto& f : fns_) {
            for (auto call : f.direct_calls) link_direct(f, c_.direct.end(call));
            if (is_never(f.lam->body()) && c_.leaving.keeps_return(f.lam)) found(&f, last_param(c_.world, f));
        }
        for (auto& f : fns_) // what earlier rounds found
            for (auto exit : f.exits) todo_.emplace_back(&f, exit);
        while (!todo_.empty()) {
            auto [f, exit] = todo_.back();
            todo_.pop_back();
            if (exit && binder_of(exit) == f->lam) return_from(f, exit);
            else
                for (auto caller : callers_[f->index]) found(caller, exit);
        }
    }

private:
    struct Waiting {
        Fn* caller;
        End* end;
    };

    /// Finds the exits that do not depend on whether the call returns.
    void link(Fn& f, End& end) {
        for (auto param : end.params) found(&f, param);
        bool leaves = c_.leaving.any_may_leave({}, end.others) || c_.leaving.any_may_leave({}, end.passed_others);
        if (leaves || (end.holder && c_.leaving.may_come_back_elsewhere(end.holder))) found(&f, nullptr);
        for (auto list : {&end.callees, &end.returns, &end.passed}) link_all(&f, *list);
        bool may_return = !end.knows_callees;
        for (auto lam : end.callees) {
            auto callee = c_.summaries.fn(lam);
            may_return |= !callee || callee->calls_last;
            if (callee) waiting_[callee->index].push_back({&f, &end});
        }
        if (may_return) come_back({&f, &end});
    }

    /// A call in direct style, see direct.cpp.
    void link_direct(Fn& f, const End& end) {
        if (c_.direct.may_call_passed(end))
            for (auto param : end.params) found(&f, param);
        if (c_.direct.leaves_elsewhere(end)) found(&f, nullptr);
        link_all(&f, end.callees);
        link_all(&f, end.passed);
    }

    void link_all(Fn* f, const std::vector<const Lam*>& lams) {
        for (auto lam : lams)
            if (auto callee = c_.summaries.fn(lam)) link_to(f, callee);
    }

    /// The caller leaves where the callee does.
    void link_to(Fn* caller, Fn* callee) {
        callers_[callee->index].push_back(caller);
        for (size_t i = 0; i < callee->exits.size(); ++i) { // a function that calls itself finds more
            auto exit = callee->exits[i];
            if (!exit || binder_of(exit) != callee->lam) found(caller, exit);
        }
    }

    void return_from(Fn* f, const Def* exit) {
        if (exit != last_param(c_.world, *f)) return;
        auto ends = std::exchange(waiting_[f->index], {});
        for (auto& waiting : ends) come_back(waiting);
    }

    void come_back(Waiting w) {
        for (auto param : w.end->last_params) found(w.caller, param);
        link_all(w.caller, w.end->last);
    }

    void found(Fn* f, const Def* exit) {
        bool own     = exit && binder_of(exit) == f->lam;
        bool returns = is_never(f->lam->body());
        if (!own && returns && is_closed(c_.world, f->lam)) { // it only returns where its caller says
            exit = last_param(c_.world, *f);
            own  = true;
        }
        if (!f->exit_set.insert(exit)) return;
        f->exits.push_back(exit);
        f->leaves_around |= !own;
        todo_.emplace_back(f, exit);
    }

    Check& c_;
    std::deque<Fn>& fns_;
    std::vector<std::vector<Fn*>> callers_;     ///< by Fn::index
    std::vector<std::vector<Waiting>> waiting_; ///< calls that come back if this function returns
    std::vector<std::pair<Fn*, const Def*>> todo_;
};

/// Parameters stand for functions that come back through what they get last until one is found that may leave elsewhere, and no value is a return
/// until one is found.
void Leaving::find() {
    auto& fns = c_.summaries.all();
    for (bool changed = true; changed;) {
        types_.clear();
        for (auto& f : fns) {
            f.exits.clear(), f.exit_set.clear();
            f.leaves_around = f.calls_last = false;
        }
        for (auto& f : fns) find_ends(f);
        find_types();
        changed = c_.returns.find_more();
    }
}

/// What is used as a value and may leave through a continuation from around it makes calls of unknown functions leave there.
void Leaving::find_types() {
    auto& fns = c_.summaries.all();
    auto note = [&](const std::vector<Fn::Use>& uses) {
        for (auto& use : uses)
            if (may_leave(use.lam)) types_.insert(use.lam->type());
    };
    for (bool changed = true; changed;) {
        auto before = types_.size();
        LeavingRound(c_, fns).run();
        for (auto& f : fns) {
            note(f.escaping), note(f.jumps);
            if (!c_.is_inlined()) note(f.results); // phases make closures of what a function returns
        }
        c_.direct.add_leaving_types(fns, types_);
        changed = c_.direct.find_takers(fns) || before != types_.size();
    }
}

/*
 * ends
 */

/// Where control goes when `app` is the last thing that happens.
End Leaving::end(const App* app) {
    End end;
    c_.returns.ask_for(app->callee());
    std::vector<const Def*> others;
    callees(app->callee(), end.callees, others);
    for (auto other : others) {
        end.knows_callees = false;
        if (head_axiom(other)) continue; // it comes back through what it got, or gets
        auto lam    = binder_of(other) ? binder_of(other)->isa<Lam>() : nullptr;
        auto binder = lam && other == last_param(c_.world, lam) ? c_.summaries.fn(lam) : nullptr;
        if (!has_exit(c_.world, app) || c_.returns.leads_back(other)) end.params.push_back(other);
        else if (binder) binder->calls_last = true; // what it stands for is known to who calls this function
        else c_.returns.targets(other, end.callees, end.others);
    }
    bool returns = c_.returns.leads_back(app->callee()); // what it gets are values: control goes to who gets them
    auto elems   = call_elems(c_.world, app);
    for (auto elem : return_elems(c_.world, app)) {
        others.clear();
        if (!returns && elem == elems.back()) callees(elem, end.last, end.last_params);
        else callees(elem, end.returns, others);
        if (!returns) end.params.insert(end.params.end(), others.begin(), others.end());
    }
    bool holds_functions = comes_back_elsewhere(c_.world, app,
                                                [&](const Def* type) { return c_.given_types.may_hold_function(type); });
    if (holds_functions) holders_.insert(app);
    if (holds_functions && !returns) end.holder = app;
    passed(c_.world, app, end.passed, end.passed_others);
    for (auto other : end.passed_others)
        if (!returns && c_.returns.is_return_as_value(other)) end.params.push_back(other);
    return end;
}

void Leaving::find_ends(Fn& f) {
    f.ends.clear();
    for (auto d : f.end_nodes) {
        if (auto app = d->isa<App>()) {
            f.ends.push_back(end(app));
        } else if (auto match = d->isa<Match>()) {
            auto& end = f.ends.emplace_back();
            for (auto arm : match->arms()) callees(arm, end.callees, end.params);
        } else if (is_unknown_end(d)) {
            f.ends.emplace_back().params.push_back(d);
        }
    }
}

/*
 * answers
 */

/// In a program as it was written, an aggregate may hold a function that leaves, and a return that somebody has stored
/// leaves as well. Phases pass packages whose types they do not know, store returns with what their functions return
/// to, and know of no type which of the two it is.
bool Leaving::is_leaving_type(const Def* type) const {
    bool is_any_known = !types_.empty() || (!c_.is_inlined() && !c_.returns.stored_types().empty());
    if (!is_any_known && !c_.given_types.never()) return false; // most often, and functions of many groups are long
    auto pi      = type->isa<Pi>();
    bool returns = pi && !pi->is_cn() && last_codom(pi)->node() != Node::Bot;
    if (returns && c_.given_types.never() && binder_of(last_codom(pi))) return true; // it may be any continuation
    auto is_such = [&](const Def* leaving) {
        bool is_same_style = !returns || !leaving->as<Pi>()->is_cn() || c_.given_types.never(); // T is no ⊥
        return is_same_style && c_.given_types.may_be_same(leaving, type);
    };
    return std::ranges::any_of(types_, is_such) || (!c_.is_inlined() && std::ranges::any_of(c_.returns.stored_types(), is_such));
}

bool Leaving::has_leaving_type(const Def* d) const {
    if (head_axiom(d)) { // it calls the functions that it got; one of them may be a parameter that stands for what is made of it
        if (c_.is_inlined() || !asking_.insert(d).second) return false; // phases make closures so
        auto leaves = any_function_so_far(d, [&](auto function) { return may_leave(function); });
        asking_.erase(d);
        return leaves;
    }
    if (c_.is_inlined()) return is_leaving_type(d->type());
    bool is_variable = binder_of(d->type());
    bool none_leaves = types_.empty() && c_.returns.stored_types().empty();
    if (none_leaves && !is_variable) return false;
    return c_.given_types.may_hold(d->type(), [&](const Pi* pi) { return is_leaving_type(pi); });
}

bool Leaving::may_leave(const Lam* lam) const {
    auto f = c_.summaries.fn(lam);
    return f && f->leaves_around;
}

bool Leaving::leads_out(const Lam* lam) const {
    auto f         = c_.summaries.fn(lam);
    auto is_around = [&](const Def* exit) { return exit && binder_of(exit) != lam; };
    return f && std::ranges::any_of(f->exits, is_around);
}

bool Leaving::any_may_leave(std::span<const Lam* const> lams, const std::vector<const Def*>& others) const {
    return std::ranges::any_of(lams, [&](auto lam) { return may_leave(lam); })
           || std::ranges::any_of(others, [&](auto other) { return has_leaving_type(other); });
}

bool Leaving::may_leave(const Def* callee) const {
    std::vector<const Lam*> lams;
    std::vector<const Def*> others;
    c_.returns.targets(callee, lams, others);
    return any_may_leave(lams, others);
}

bool Leaving::keeps_return(const Lam* lam) const {
    if (!c_.returns.uses_as_value(lam)) return false;
    auto last = last_param(c_.world, lam);
    if (c_.is_inlined() && !c_.given_types.may_hold_function(last->type())) return false; // data is no return
    if (!is_continuation(last)) return true;
    return c_.returns.may_get_return(lam) || is_way_out(last->type()->as<Pi>());
}

bool Leaving::is_way_out(const Pi* pi) const {
    auto is_such = [&](const Def* type) { return c_.given_types.may_be_same(type, pi); };
    return c_.returns.is_way_back(pi) || std::ranges::any_of(types_, is_such);
}

bool Leaving::may_come_back_elsewhere(const App* app) const {
    auto is_way = [&](const Pi* pi) { return is_way_out(pi); };
    return holders_.contains(app)
           && comes_back_elsewhere(c_.world, app, [&](const Def* type) { return c_.given_types.may_hold(type, is_way); });
}

} // namespace mim::linear
