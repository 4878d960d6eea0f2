// SPDX-License-Identifier: MIT
#include "sema/annexes.h"

#include <algorithm>
#include <vector>

namespace mim {

const Annexes::Annex* Annexes::find(Symbol name) const {
    auto it = map_.find(name);
    return it == map_.end() ? nullptr : &it->second;
}

std::pair<const Annexes::Annex*, bool> Annexes::define(Symbol name, const Annex& annex) {
    auto [it, fresh] = map_.try_emplace(name, annex);
    return {&it->second, fresh};
}

const Annexes::Map::value_type* Annexes::find_by_last(Symbol last) const {
    auto end                     = "." + last.str();
    const Map::value_type* found = nullptr;
    for (auto& entry : map_) {
        if (!entry.first.view().ends_with(end)) continue;
        if (found) return nullptr;
        found = &entry;
    }
    return found;
}

std::string Annexes::subtags_of(std::string_view axiom) const {
    const size_t max = axiom.find('.') == axiom.npos ? 32 : 16;
    std::vector<std::pair<uint32_t, std::string_view>> found;
    for (auto& [name, annex] : map_) {
        auto text = name.view();
        if (text.size() <= axiom.size() + 1 || !text.starts_with(axiom) || text[axiom.size()] != '.') continue;
        auto tag = text.substr(axiom.size() + 1);
        found.emplace_back(annex.span.begin, tag.substr(0, tag.find('.')));
    }
    std::sort(found.begin(), found.end());
    std::vector<std::string_view> names;
    for (auto& [_, name] : found)
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    std::string text;
    for (size_t i = 0; i < names.size(); ++i) {
        if (i == max) return text + ", …";
        text += (i ? ", `" : "`") + std::string(names[i]) + "`";
    }
    return text;
}

} // namespace mim
