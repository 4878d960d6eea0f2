// SPDX-License-Identifier: MIT
#include "ir/active_calls.h"

#include <algorithm>

#include "ir/impl.h"
#include "ir/subst.h"

namespace mim {

/// Where this call is, or would be. Calls within calls get arguments that were made one after the other, and have their places close
/// to each other.
uint32_t& ActiveCalls::slot(const Def* callee, const Def* arg) {
    auto mask = index_.size() - 1;
    for (size_t i = (callee->id() * 0x9e3779b9u + arg->id()) & mask;; i = (i + 1) & mask) {
        auto& s = index_[i];
        if (s == 0 || (calls_[s - 1].callee == callee && calls_[s - 1].arg == arg)) return s;
    }
}

void ActiveCalls::grow() {
    index_.assign(std::max<size_t>(64, index_.size() * 2), 0);
    for (uint32_t i = 0; i < calls_.size(); ++i) slot(calls_[i].callee, calls_[i].arg) = i + 1;
}

bool ActiveCalls::enter(const Lam* callee, const Def* arg, Span site, uint32_t next_id) {
    if ((calls_.size() + 1) * 2 > index_.size()) grow();
    if (calls_.empty()) trace_.clear(), first_id_ = next_id;
    auto& s = slot(callee, arg);
    if (s != 0) {
        calls_[s - 1].met = true;
        return false;
    }
    bool is_again = !calls_.empty() && calls_.back().callee == callee;
    calls_.push_back({callee, arg, site, false, is_again ? calls_.back().repeated + 1 : 0});
    s = static_cast<uint32_t>(calls_.size());
    return true;
}

const Def* ActiveCalls::result(const Lam* callee, const Def* arg) {
    if (calls_.empty()) return nullptr;
    auto s = slot(callee, arg);
    return s != 0 && calls_[s - 1].body ? calls_[s - 1].copies->copy_of(calls_[s - 1].body) : nullptr;
}

std::optional<ActiveCalls::Reduced> ActiveCalls::call_of(const Def* function) const {
    if (calls_.empty() || function->id() < first_id_) return {};
    auto makes_it = [&](const Call& call) { return call.body && call.copies->copy_of(call.body) == function; };
    auto call     = std::find_if(calls_.rbegin(), calls_.rend(), makes_it);
    if (call == calls_.rend()) return {};
    return Reduced{call->callee, call->arg};
}

void ActiveCalls::leave(const World& world, bool failed) {
    auto& call                  = calls_.back();
    slot(call.callee, call.arg) = 0;
    if (failed) record(world, call);
    calls_.pop_back();
}

void ActiveCalls::record(const World& world, const Call& call) {
    static constexpr size_t Max = 8;
    if (trace_.size() == Max) return;
    auto site = call.site ? call.site : world.notes.span(call.callee);
    if (std::ranges::none_of(trace_, [&](auto& t) { return t.site == site && (site || t.callee == call.callee); }))
        trace_.push_back({call.callee, site});
}

} // namespace mim
