// SPDX-License-Identifier: MIT
#include "driver/registry.h"

#include <algorithm>

namespace mim {

void Registry::declare(const AnnexTag& tag, SymbolTable& symbols) {
    auto base  = "%" + std::string(tag.plugin) + "." + std::string(tag.name);
    auto& list = by_tag_[base];
    for (size_t i = list.size(); i < tag.subs.size(); ++i) {
        auto& names   = tag.subs[i].names;
        auto full     = [&](std::string_view sub) { return sub.empty() ? base : base + "." + std::string(sub); };
        auto& axiom   = axioms_.emplace_back();
        axiom.name    = symbols.intern(full(names.front()));
        axiom.id      = {plugin_hash(tag.plugin), tag.number, static_cast<uint16_t>(i)};
        auto declared = tag.subs[i].axiom;
        auto curry    = declared ? tag.axioms[*declared].curry : std::nullopt;
        if (curry) axiom.curry = static_cast<uint8_t>(*curry);
        for (auto name : names) by_name_.emplace(full(name), &axiom);
        list.push_back(&axiom);
    }
}

std::vector<Axiom*> Registry::find(std::string_view name) const {
    auto key = std::string(name);
    if (auto it = by_tag_.find(key); it != by_tag_.end()) return it->second;
    if (auto it = by_name_.find(key); it != by_name_.end()) return {it->second};
    return {};
}

Axiom* Registry::axiom(std::string_view name) const {
    auto it = by_name_.find(std::string(name));
    return it == by_name_.end() ? nullptr : it->second;
}

bool Registry::add_phase(RegisteredPhase phase) {
    if (this->phase(phase.phase.name)) return false;
    phases_.push_back(std::move(phase));
    return true;
}

const RegisteredPhase* Registry::phase(std::string_view name) const {
    for (auto& p : phases_)
        if (p.phase.name == name) return &p;
    return nullptr;
}

void Registry::join(Join join) {
    auto& all = joins_[join.point];
    auto at   = std::ranges::upper_bound(all, join.plugin, {}, &Join::plugin);
    all.insert(at, std::move(join));
}

PhaseOrder Registry::order(const std::string& point) const {
    auto found = joins_.find(point);
    return found == joins_.end() ? PhaseOrder() : order_phases(found->second, builds_on_);
}

bool Registry::add_front_end(RegisteredFrontEnd f) {
    if (front_end(f.extension)) return false;
    front_ends_.push_back(std::move(f));
    return true;
}

bool Registry::add_back_end(RegisteredBackEnd b) {
    if (back_end(b.name)) return false;
    back_ends_.push_back(std::move(b));
    return true;
}

const RegisteredFrontEnd* Registry::front_end(std::string_view extension) const {
    for (auto& f : front_ends_)
        if (f.extension == extension) return &f;
    return nullptr;
}

const RegisteredBackEnd* Registry::back_end(std::string_view name) const {
    for (auto& b : back_ends_)
        if (b.name == name) return &b;
    return nullptr;
}

} // namespace mim
