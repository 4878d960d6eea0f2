// SPDX-License-Identifier: MIT
// The functions that are visible outside, see externals.h.
#include "ir/externals.h"

#include <algorithm>
#include <stdexcept>

#include "ir/impl.h"

namespace mim {

void Externals::add(Symbol name, Lam* lam) {
    if (!lam) throw std::invalid_argument("there is no function for the name `" + name.str() + "` that is visible outside");
    auto [it, is_new] = index_.try_emplace(name, all_.size());
    if (!is_new) fail(Diag::external_twice, {name.str(), all_[it->second].lam->type()});
    all_.push_back({name, lam});
}

/// The external function must be there.
size_t Externals::index_of(Symbol name) const {
    auto it = index_.find(name);
    if (it == index_.end()) fail(Diag::unknown_external, {name.str(), names()});
    return it->second;
}

void Externals::replace(Symbol name, Lam* lam) { all_[index_of(name)].lam = lam; }

void Externals::remove(Symbol name) {
    auto i = index_of(name);
    all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(i));
    index_.clear();
    for (size_t j = 0; j < all_.size(); ++j) index_[all_[j].name] = j;
}

Lam* Externals::find(std::string_view name) const {
    auto it = std::ranges::find(all_, name, [](auto& external) { return external.name.view(); });
    return it == all_.end() ? nullptr : it->lam;
}

const External* Externals::find_open() const {
    auto open = std::ranges::find_if(all_, [](auto& external) { return !external.lam->is_set(); });
    return open == all_.end() ? nullptr : &*open;
}

std::string Externals::names() const {
    std::string names;
    for (auto& external : all_) names += (names.empty() ? "`" : ", `") + external.name.str() + "`";
    return names.empty() ? "none" : names;
}

} // namespace mim
