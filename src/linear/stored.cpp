// SPDX-License-Identifier: MIT
// Which returns are values. What a call returns to becomes a value where a function uses its last parameter as one; whoever calls that value
// leads back to the call. Types alone do not tell: a continuation that gets a stream, Cn [T, Cn [A, …]], looks like a function of a T. So it is
// asked which functions may get a return at all. The judgement, a least fixed point:
//
//     f is a value, or is called from elsewhere             ⟹  f may get a return
//     f (a, r), and r is a return                           ⟹  f may get a return; a function that got f as a return hands one over
//     f may get a return, and uses its last one as a value  ⟹  some values of that type are returns
//     f (a, k), and f hands a return over to what it gets    ⟹  the continuation k may get a return
//     f (a, k), and some values of k's type are returns      ⟹  the continuation k may get a return
//
// A *return* is here a λ that may leave through something around it, or the last parameter of a function that may get one. Other λs lead
// nowhere but where they are told to. Which λs leave depends on what is found here, see leaving.cpp.
#include "linear/stored.h"

#include <algorithm>

#include "linear/check.h"

namespace mim::linear {

const Lam* holds_last_param_of(const Def* d) {
    auto ex   = d->isa<Extract>();
    auto var  = (ex ? ex->tuple() : d)->isa<Var>();
    auto lam  = var ? var->binder()->isa<Lam>() : nullptr;
    auto lit  = lam && ex ? isa_lit(ex->index()) : nullptr;
    auto size = lit ? isa_lit(isa_idx(lit->type())) : nullptr;
    bool last = !size || lit->value() + 1 == size->value();
    return last ? lam : nullptr;
}

void StoredReturns::visit(const Def* d) {
    auto app = d->isa<App>();
    if (!app || !is_never(app)) return;
    auto elems = call_elems(c_.world, app);
    if (elems.empty() || is_static(elems.back()) || !is_continuation(elems.back())) return;
    auto& call     = calls_.emplace_back();
    call.takes_one = elems.size() == 1;
    callees(app->callee(), call.callees, call.unknown);
    callees(elems.back(), call.last, call.last_unknown);
    std::erase_if(call.unknown, [](auto callee) { return head_axiom(callee); }); // axioms hand values over
}

void StoredReturns::start() {
    for (auto lams : {&params_.functions, &params_.returns})
        for (auto lam : *lams) may_get_.insert(lam);
    for (auto& call : calls_) store_handed(call), find_targets(call);
    for (uint32_t i = 0; i != calls_.size(); ++i) note_users(i);
    is_todo_.resize(calls_.size());
}

/// A call is looked at again as soon as more is known of one of these.
void StoredReturns::note_users(uint32_t i) {
    auto& call = calls_[i];
    auto note  = [&](const Lam* lam) { users_[lam].push_back(i); };
    for (auto d : call.last_unknown)
        if (auto lam = holds_last_param_of(d)) note(lam);
    for (auto lam : call.callees) note(lam);
    for (auto lam : call.targets) note(lam);
}

void StoredReturns::look_again(const Lam* lam) {
    auto users = users_.find(lam);
    if (users == users_.end()) return;
    for (auto i : users->second) {
        if (is_todo_[i]) continue;
        is_todo_[i] = true;
        todo_.push_back(i);
    }
}

/// Types may be those of any call, so all are looked at again when there is a new one.
bool StoredReturns::find() {
    auto before  = params_.return_types.size();
    found_users_ = false;
    for (auto lam : may_get_) add_type(lam);
    for (size_t known = params_.return_types.size();; known = params_.return_types.size()) {
        pass_all();
        if (known == params_.return_types.size()) break;
    }
    return found_users_ || params_.return_types.size() != before;
}

void StoredReturns::pass_all() {
    for (auto& call : calls_) pass(call);
    while (!todo_.empty()) {
        auto i = todo_.back();
        todo_.pop_back();
        is_todo_[i] = false;
        pass(calls_[i]);
    }
}

void StoredReturns::add_may_get(const Lam* lam) {
    if (!may_get_.insert(lam)) return;
    found_users_ |= params_.kept.contains(lam);
    add_type(lam);
    look_again(lam);
}

void StoredReturns::add_hands_over(const Lam* lam) {
    if (hands_over_.insert(lam)) look_again(lam);
}

/// What a function that returns values hands over to its return becomes a value.
void StoredReturns::store_handed(const Call& call) {
    auto is_return = [&](const Def* callee) {
        auto lam = holds_last_param_of(callee);
        return lam && params_.returns.contains(lam);
    };
    if (!std::ranges::any_of(call.unknown, is_return)) return;
    for (auto d : call.last_unknown)
        if (auto lam = holds_last_param_of(d)) params_.stored.insert(lam);
}

void StoredReturns::pass(const Call& call) {
    if (gives_return(call)) {
        for (auto lam : call.callees) add_may_get(lam);
        for (auto d : call.unknown)
            if (auto lam = holds_last_param_of(d)) add_hands_over(lam);
    }
    bool hands_over = may_hand_over(call);
    for (auto d : call.last_unknown)
        if (auto lam = holds_last_param_of(d); lam && hands_over) add_hands_over(lam);
    for (auto lam : call.last)
        if (hands_over || is_stored(lam->pi())) add_may_get(lam);
}

bool StoredReturns::gives_return(const Call& call) const {
    auto may_get = [&](const Def* d) {
        auto lam = holds_last_param_of(d);
        return lam && may_get_.contains(lam);
    };
    return c_.leaving.any_may_leave(call.last, {}) || std::ranges::any_of(call.last_unknown, may_get);
}

/// A parameter of a λ that is only called by itself stands for what its calls pass.
void StoredReturns::find_targets(Call& call) {
    for (auto callee : call.unknown) {
        std::vector<const Lam*> lams;
        std::vector<const Def*> others;
        c_.returns.targets(callee, lams, others);
        if (others.empty()) call.targets.insert(call.targets.end(), lams.begin(), lams.end());
        else call.open.push_back(callee);
    }
}

/// What is called may call what it gets last with a return.
bool StoredReturns::may_hand_over(const Call& call) const {
    auto hands_over = [&](const Lam* lam) { return hands_over_.contains(lam) && !params_.returns.contains(lam); };
    return std::ranges::any_of(call.callees, hands_over) || std::ranges::any_of(call.targets, hands_over)
           || std::ranges::any_of(call.open, [&](auto callee) { return may_hand_over(call, callee); });
}

/// A function that is a value, and gets more than a continuation, returns values.
bool StoredReturns::may_hand_over(const Call& call, const Def* unknown) const {
    return call.takes_one || holds_last_param_of(unknown) || is_stored(unknown->type());
}

void StoredReturns::add_type(const Lam* lam) {
    if (!params_.stored.contains(lam)) return;
    auto pi = last_param(c_.world, lam)->type()->isa<Pi>();
    if (pi && pi->is_cn() && last_continuation(pi)) params_.return_types.insert(pi);
}

bool StoredReturns::is_stored(const Def* type) const {
    return std::ranges::any_of(params_.return_types,
                               [&](auto stored) { return may_be_same(c_.world, stored, type, c_.is_inlined()); });
}

} // namespace mim::linear
