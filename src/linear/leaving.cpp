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
#include <algorithm>
#include <utility>

#include "linear/check.h"

namespace mim::linear {

/// One round of the fixed point; earlier rounds have found some exits already.
class Leaving {
public:
    Leaving(Check& check, std::deque<Fn>& fns)
        : c_(check)
        , fns_(fns)
        , callers_(fns.size())
        , waiting_(fns.size()) {}

    void run() {
        for (auto& f : fns_)
            for (auto& end : f.ends) link(f, end);
        for (auto& f : fns_) {
            for (auto call : f.direct_calls) link_direct(f, c_.direct.end(call));
            if (is_never(f.lam->body()) && c_.keeps_return(f.lam)) found(&f, c_.last_param(f));
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
        bool leaves = c_.any_may_leave({}, end.others) || c_.any_may_leave({}, end.passed_others);
        if (leaves || (end.holder && c_.may_come_back_elsewhere(end.holder))) found(&f, nullptr);
        for (auto list : {&end.callees, &end.returns, &end.passed}) link_all(&f, *list);
        bool may_return = !end.knows_callees;
        for (auto lam : end.callees) {
            auto callee = c_.fn(lam);
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
            if (auto callee = c_.fn(lam)) link_to(f, callee);
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
        if (exit != c_.last_param(*f)) return;
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
            exit = c_.last_param(*f);
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
void Check::find_exits() {
    for (bool changed = true; changed;) {
        leaving_types_.clear();
        for (auto& f : fn_store_) {
            f.exits.clear(), f.exit_set.clear();
            f.leaves_around = f.calls_last = false;
        }
        for (auto& f : fn_store_) find_ends(f);
        find_leaving_types();
        changed = stored_returns_.find();
        for (auto lam : asked_)
            if (may_leave(last_param(lam))) changed |= leading_back_.insert(lam);
    }
}

/// What is used as a value and may leave through a continuation from around it makes calls of unknown functions leave there.
void Check::find_leaving_types() {
    auto note = [&](const std::vector<Fn::Use>& uses) {
        for (auto& use : uses)
            if (may_leave(use.lam)) leaving_types_.insert(use.lam->type());
    };
    for (bool changed = true; changed;) {
        auto before = leaving_types_.size();
        Leaving(*this, fn_store_).run();
        for (auto& f : fn_store_) {
            note(f.escaping), note(f.jumps);
            if (!inlined_) note(f.results); // phases make closures of what a function returns
        }
        direct.add_leaving_types(fn_store_, leaving_types_);
        changed = direct.find_takers(fn_store_) || before != leaving_types_.size();
    }
}

bool Check::keeps_return(const Lam* lam) const {
    if (!return_params_.kept.contains(lam)) return false;
    auto last = last_param(lam);
    if (!is_continuation(last)) return true;
    return stored_returns_.may_get_return(lam) || is_way_out(last->type()->as<Pi>());
}

bool Check::is_return_as_value(const Def* def) const {
    auto lam = binder_of(def) ? binder_of(def)->isa<Lam>() : nullptr;
    return lam && def == last_param(lam) && is_continuation(def) && is_way_back(def->type()->as<Pi>());
}

/// A continuation that gets no return of its own, or that may be the return of a function: what it returns may end in a function, so its
/// type does not tell.
bool Check::is_way_back(const Pi* pi) const {
    if (!pi->is_cn()) return false;
    if (!last_continuation(pi)) return true;
    return std::ranges::any_of(return_params_.return_types, [&](auto type) { return given_types.may_be_same(type, pi); });
}

bool Check::is_way_out(const Pi* pi) const {
    auto is_such = [&](const Def* type) { return given_types.may_be_same(type, pi); };
    return is_way_back(pi) || std::ranges::any_of(leaving_types_, is_such);
}

bool Check::may_come_back_elsewhere(const App* app) const {
    auto is_way = [&](const Pi* pi) { return is_way_out(pi); };
    return holders_.contains(app)
           && comes_back_elsewhere(world, app, [&](const Def* type) { return given_types.may_hold(type, is_way); });
}

} // namespace mim::linear
