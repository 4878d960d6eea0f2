// SPDX-License-Identifier: MIT
#include "linear/ended.h"

#include <algorithm>

#include "base/worklist.h"
#include "linear/check.h"

namespace mim::linear {

const Def* EndedTokens::consumed_by(const Def* d) {
    auto app   = d->isa<App>();
    auto match = d->isa<Match>();
    if ((!app && !match) || is_never(d) || check_.facts.is_token(d)) return nullptr;
    auto is_token = [&](const Def* op) { return op && !is_static(op) && check_.facts.is_token(op); };
    auto entered  = app ? Defs(d->ops().first(1)) : match->arms();
    for (auto code : entered) {
        auto f = code->isa<Lam>() ? check_.summaries.fn(code->as<Lam>()) : nullptr;
        if (!f) continue;
        auto token = std::ranges::find_if(f->captures, is_token);
        if (token != f->captures.end()) return *token;
    }
    auto operands = app ? arg_elems(app) : match->ops().first(1);
    auto token    = std::ranges::find_if(operands, is_token);
    return token == operands.end() ? nullptr : *token;
}

const Def* EndedTokens::of(const Def* def) {
    if (is_static(def) || check_.facts.is_token(def)) return nullptr;
    auto known = tokens_.find(def);
    if (known != tokens_.end()) return known->second;
    Worklist<const Def*> todo{def};
    while (auto d = todo.next()) {
        bool hands_on = check_.facts.is_token(d); // such an effect happens where its token is asked for
        bool is_value = !is_static(d) && !d->isa<Lam>() && !is_never(d);
        if (hands_on || !is_value || !check_.facts.matters({d, Mode::Value})) continue;
        if (auto token = consumed_by(d)) return tokens_[def] = token;
        todo.push_all(value_ops(d));
        todo.push_all(check_.facts.type_values(d));
    }
    for (auto d : todo.seen()) tokens_[d] = nullptr;
    return nullptr;
}

} // namespace mim::linear
