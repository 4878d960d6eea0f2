// SPDX-License-Identifier: MIT
// See carried.h.
#include "carried.h"

#include <algorithm>

#include "base/components.h"

namespace mim::plug::direct {

using Vertex = Uses::Vertex;

Effect::Effect(Facts& facts, Uses& uses, const Uses::Users& users, uint32_t effect)
    : facts_(facts)
    , uses_(uses)
    , users_(users)
    , effect_(effect) {
    auto type = def()->type();
    auto n    = type->isa<Sigma>() || type->isa<Arr>() ? lit_arity(facts.world(), type) : 0;
    for (int64_t i = 0; i < n; ++i)
        if (!facts.is_effect(facts.world().extract(def(), uint64_t(i)))) values_.push_back(uint64_t(i));
}

bool Effect::is_value(uint32_t user) const {
    auto ex = uses_[user].def->isa<Extract>();
    return uses_[user].kind == Vertex::Simple && ex && facts_.is_effect(ex->tuple()) && !facts_.is_effect(ex);
}

/// Calls go(v) for what needs the effect by way of its token; false: no further here.
template<class F>
void Effect::spread(F go) {
    std::unordered_set<uint32_t> seen;
    std::vector<uint32_t> todo{effect_};
    while (!todo.empty()) {
        auto v = todo.back();
        todo.pop_back();
        for (auto u : users_[v]) {
            if (is_value(u) || !seen.insert(u).second) continue;
            bool is_end = first_ && uses_[u].kind == Vertex::Arm && uses_[u].owner == first_;
            if (go(u) && !is_end) todo.push_back(u);
        }
    }
}

uint32_t Effect::find_first(uint32_t top, const std::vector<bool>& needed) { return first_ = selection(top, needed); }

uint32_t Effect::selection(uint32_t from, const std::vector<bool>& needed) {
    uint32_t found = 0;
    bool several   = false;
    spread([&](uint32_t user) {
        bool passes = uses_[user].kind == Vertex::Arm && needed[uses_[user].owner] && uses_[user].owner != from;
        if (!passes) return user != from;
        several = several || (found && found != uses_[user].owner);
        found   = uses_[user].owner;
        return false;
    });
    return several ? 0 : found;
}

bool Effect::is_looked_at_outside() const {
    auto is_inside = [&](uint32_t v) {
        while (v != 0 && v != first_) v = uses_.dominator(v);
        return v == first_;
    };
    return std::ranges::any_of(users_[effect_], [&](auto u) { return is_value(u) && !is_inside(u); });
}

bool Effect::comes_to(uint32_t arm) {
    if (token_.empty()) spread([&](uint32_t user) { return token_.insert(user).second; });
    return token_.contains(arm);
}

bool Effect::is_strict(uint32_t arm) {
    std::vector<std::pair<uint32_t, bool>> todo{{arm, false}};
    makes_[effect_] = true;
    while (!todo.empty()) {
        auto [v, is_done] = todo.back();
        todo.pop_back();
        if (is_done) {
            auto& succs = uses_[v].succs;
            auto makes  = [&](uint32_t s) { return makes_[s]; };
            auto is_arm = [&](uint32_t s) { return uses_[s].kind == Vertex::Arm; };
            bool any    = std::ranges::any_of(succs, [&](auto s) { return !uses_[s].is_context() && makes(s); });
            bool all    = std::ranges::any_of(succs, is_arm)
                       && std::ranges::all_of(succs, [&](auto s) { return !is_arm(s) || makes(s); });
            makes_[v] = any || all;
            continue;
        }
        bool is_looked_into = (!uses_[v].is_context() || uses_[v].kind == Vertex::Arm) && dependent_.contains(uses_[v].def);
        if (!makes_.try_emplace(v, false).second || !is_looked_into) continue;
        todo.emplace_back(v, true);
        for (auto s : uses_[v].succs) todo.emplace_back(s, false);
    }
    return makes_[arm];
}

void Effect::find_dependent(const std::vector<uint32_t>& order) {
    std::unordered_map<const Def*, std::vector<const Def*>> users;
    std::vector<const Def*> todo;
    auto reach = [&](const Def* def, const Def* user) {
        auto v = uses_.vertex(def);
        if (facts_.is_closed(def) || (v >= 0 && order[uint32_t(v)] < order[effect_])) return;
        auto [i, fresh] = users.try_emplace(def);
        if (user) i->second.push_back(user);
        if (fresh) todo.push_back(def);
    };
    for (auto a : uses_.arms(first_)) reach(uses_[a].def, nullptr);
    while (!todo.empty()) {
        auto def = todo.back();
        todo.pop_back();
        if (!def->is_set()) continue;
        for (auto op : def->ops())
            if (op) reach(op, def);
    }
    for (auto i : values_) todo.push_back(facts_.world().extract(def(), i));
    todo.push_back(def());
    while (!todo.empty()) {
        auto d = todo.back();
        todo.pop_back();
        if (dependent_.insert(d)) todo.insert(todo.end(), users[d].begin(), users[d].end());
    }
}

namespace {

class EffectFinder {
public:
    EffectFinder(Facts& facts, Uses& uses, const Uses::Users& users)
        : facts_(facts)
        , uses_(uses)
        , users_(users)
        , selections_(uses.size()) {
        for (uint32_t v = 1; v != uses.size(); ++v)
            if (is_selection(v) && facts.is_effect(uses[v].def)) ++selections_[uses[v].home];
    }

    std::vector<Effect> run() {
        for (uint32_t v = 1; v != uses_.size(); ++v)
            if (is_candidate(v)) look_at(v);
        return std::move(found_);
    }

private:
    /// Also the call of a function that a selection chooses.
    bool is_selection(uint32_t v) { return uses_[v].kind == Vertex::Control && !uses_.arms(v).empty(); }
    /// Where all needs of v come from: what it is below, or the context of a selection whose arms need it.
    uint32_t top(uint32_t v) {
        auto dom = uses_.dominator(v);
        return is_selection(dom) ? uses_[dom].home : dom;
    }
    bool is_candidate(uint32_t v) {
        auto& vertex = uses_[v];
        bool makes   = vertex.kind == Vertex::Control || (vertex.kind == Vertex::Simple && vertex.def->isa<App>());
        if (!makes || vertex.is_strict || !facts_.is_effect(vertex.def)) return false;
        auto dom = uses_.dominator(v);
        if (is_selection(dom) && selections_[uses_[dom].home] < 2) return false; // its arms
        return !strict(top(v))[v];                                               // else all arms may need it
    }

    void look_at(uint32_t v) {
        Effect effect(facts_, uses_, users_, v);
        if (effect.values().empty() || !effect.find_first(top(v), strict(top(v))) || effect.first() == uses_.dominator(v)) return;
        if (!effect.is_looked_at_outside()) return;
        if (order_.empty()) order_ = components(uses_.size(), [&](uint32_t u) -> auto& { return uses_[u].succs; });
        effect.find_dependent(order_);
        auto selection = uses_[effect.first()].def;
        if (touched_.contains(selection) || dependent_.contains(selection) || dependent_.contains(effect.def())) return;
        for (auto def : effect.dependent())
            if (touched_.contains(def)) return;
        touched_.insert(selection), touched_.insert(effect.def());
        for (auto def : effect.dependent()) dependent_.insert(def);
        found_.push_back(std::move(effect));
    }

    /// What evaluating `context` makes happen in any case.
    const std::vector<bool>& strict(uint32_t context) {
        auto [i, fresh] = strict_.try_emplace(context);
        if (fresh) i->second = uses_.strict(context);
        return i->second;
    }

    Facts& facts_;
    Uses& uses_;
    const Uses::Users& users_;
    std::vector<uint32_t> selections_;                       ///< of tokens, in a context
    std::vector<uint32_t> order_;                            ///< see Effect::find_dependent
    std::unordered_map<uint32_t, std::vector<bool>> strict_; ///< by context
    std::vector<Effect> found_;
    DefSet touched_, dependent_; ///< effects that were found with their selections, and what depends on them
};

} // namespace

std::vector<Effect> find_carried(Facts& facts, Uses& uses, const Uses::Users& users) {
    return EffectFinder(facts, uses, users).run();
}

} // namespace mim::plug::direct
