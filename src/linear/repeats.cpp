// SPDX-License-Identifier: MIT
#include "linear/repeats.h"

#include <algorithm>

#include "linear/check.h"
#include "linear/knowing.h"

namespace mim::linear {

/*
 * the whole program
 */

bool Repeats::ask(const Lam* callee, const Lam* asker) {
    if (!callee->is_set()) return false; // elsewhere: C calls its return once
    if (callee->is_cn() && check_.forgetting.keeps_nothing(callee)
        && check_.given_types.takes_data(last_param(check_.world, callee)))
        return false;
    if (asker) askers_[callee].insert(asker);
    look_at(callee);
    return repeats_.contains(callee);
}

/// Functions that anybody may call.
void Repeats::ask_all() {
    if (all_asked_) return;
    all_asked_ = true;
    for (auto lam : lams_) {
        auto f         = check_.summaries.fn(lam);
        bool may_do_so = lam->is_cn() ? takes_continuation(lam->pi()) : f && !f->direct_calls.empty();
        if (lam->is_set() && may_do_so) look_at(lam);
    }
    for (auto d : nodes_)
        if (d->isa<App>() && d->type()->isa<Pi>() && head_axiom(d) && !functions_so_far(d).empty() && check_.direct.is_value(d))
            axiom_values_.push_back(d);
}

bool Repeats::ask_unknown(const Def* callee, const Lam* asker) {
    if (asker) askers_of_unknown_.insert(asker);
    ask_all();
    auto pi = callee->type()->as<Pi>();
    return std::ranges::any_of(types_, [&](auto type) {
        bool is_same_style = type->template as<Pi>()->is_cn() == pi->is_cn(); // see is_instantiated
        return is_same_style && check_.given_types.may_be_same(type, pi);
    });
}

/// Whether a type variable stands for ⊥ in the result of this call: what is called does not know that it gets a return, and its code
/// is in direct style.
static bool is_instantiated(const Def* callee) {
    auto head = callee;
    while (auto app = head->isa<App>()) head = app->callee();
    return head != callee && head->type()->isa<Pi>() && last_codom(head->type())->node() != Node::Bot;
}

/// Whether this asker was told so, and nothing that repeats was found since.
bool Repeats::is_harmless(const Def* axiom_value, const Lam* asker) {
    size_t known = repeats_.size() + types_.size();
    if (known != harmless_before_) harmless_.clear();
    harmless_before_ = known;
    auto those       = harmless_.find(asker);
    return those != harmless_.end() && those->second.contains(axiom_value);
}

/// The same of a callee other than a λ. An axiom may call the functions that it got, and a rule may put others in its place.
bool Repeats::ask_callee(const Def* callee, const Lam* asker) {
    if (auto axm = head_axiom(callee)) {
        if (is_harmless(callee, asker)) return false;
        bool rules_may_return     = ask_axiom(axm->axiom(), asker);
        bool functions_may_return = ask_functions(functions_so_far(callee), asker);
        bool res                  = rules_may_return || functions_may_return;
        if (!res) harmless_[asker].insert(callee);
        return res;
    }
    bool never = callee->type()->as<Pi>()->is_cn();
    return (never && is_instantiated(callee)) || ask_unknown(callee, asker);
}

/// The functions that a call may enter. All are asked, so that the asker hears of each.
bool Repeats::ask_each(const std::vector<const Lam*>& lams, const std::vector<const Def*>& others, const Lam* asker) {
    bool res = false;
    for (auto lam : lams) res |= ask(lam, asker);
    for (auto other : others) res |= ask_callee(other, asker);
    return res;
}

bool Repeats::ask_axiom(const Axiom& axiom, const Lam* asker) {
    bool res = false; // all are asked, so that the asker hears of each
    for (auto lam : check_.rules.functions(axiom)) res |= ask(lam, asker);
    return res;
}

bool Repeats::ask_functions(std::vector<const Def*> todo, const Lam* asker) {
    bool res = false; // all are asked, so that the asker hears of each
    DefSet seen;
    while (!todo.empty()) {
        auto d = todo.back();
        todo.pop_back();
        if (is_static(d) || !seen.insert(d)) continue;
        if (d->node() == Node::Tuple) {
            todo.insert(todo.end(), d->ops().begin(), d->ops().end());
            continue;
        }
        if (!d->type()->isa<Pi>()) continue;
        std::vector<const Lam*> lams;
        std::vector<const Def*> others;
        callees(d, lams, others);
        res |= ask_each(lams, others, asker);
    }
    return res;
}

bool Repeats::ask(const App* app, const Lam* asker) {
    if (check_.given_types.takes_data(call_elems(check_.world, app).back()) && !storing_.happens_in(app, Storing::Stores))
        return false;
    std::vector<const Lam*> lams;
    std::vector<const Def*> others;
    check_.returns.targets(app->callee(), lams, others);
    return ask_each(lams, others, asker);
}

bool Repeats::ask_direct(const Def* call, const Lam* asker) {
    auto& end = check_.direct.end(call);
    bool res  = ask_each(end.callees, end.others, asker);
    auto app  = call->isa<App>();
    auto axm  = app ? head_axiom(app->callee()) : nullptr;
    if (axm) res |= ask_functions(functions_so_far(app), asker);
    return res;
}

bool Repeats::function(const Lam* lam) {
    ask(lam, nullptr);
    solve();
    return repeats_.contains(lam);
}

bool Repeats::direct_call(const Def* call) {
    ask_direct(call, nullptr);
    solve();
    return ask_direct(call, nullptr);
}

void Repeats::forget() {
    known_ = {}, repeats_ = {}, types_ = {}, askers_of_unknown_ = {};
    askers_.clear(), axiom_values_.clear(), harmless_.clear();
    all_asked_ = false;
}

/// Whether more axioms that got functions are known to call one that repeats.
bool Repeats::find_axiom_values() {
    bool found = false;
    for (auto d : axiom_values_)
        if (!types_.contains(d->type()) && ask_functions(functions_so_far(d), nullptr)) found |= types_.insert(d->type());
    return found;
}

bool Repeats::call(const App* app) {
    ask(app, nullptr);
    solve();
    return ask(app, nullptr);
}

void Repeats::look_at(const Lam* lam) {
    if (known_.insert(lam) && queued_.insert(lam).second) queue_.push_back(lam);
}

void Repeats::solve() {
    auto again = [&](const Lam* lam) {
        if (!repeats_.contains(lam) && queued_.insert(lam).second) queue_.push_back(lam);
    };
    while (!queue_.empty()) {
        auto lam = queue_.back();
        queue_.pop_back();
        queued_.erase(lam);
        if (!Knowing(check_, *this, lam).run()) continue;
        repeats_.insert(lam);
        for (auto asker : askers_[lam]) again(asker);
        bool is_new = check_.direct.is_value(lam) && types_.insert(lam->type());
        if (find_axiom_values() || is_new)
            for (auto asker : askers_of_unknown_) again(asker);
    }
}

} // namespace mim::linear
