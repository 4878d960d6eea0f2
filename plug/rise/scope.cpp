// SPDX-License-Identifier: MIT
#include "scope.h"

namespace mim::plug::rise {

Definition* Definitions::find(const Definition& current, std::string_view name) const {
    auto all = all_.find(name);
    if (all == all_.end()) return nullptr;
    Definition* found = nullptr;
    for (auto def : all->second) {
        bool is_hidden = current.is_library ? !def->is_library : found && def->is_library == found->is_library;
        if (def->type && !is_hidden) found = def;
        if (!def->is_library && !def->type && !current.is_library) return nullptr; // it is further below
    }
    return found;
}

const Definition* Definitions::first_of_name(const Definition& def) const {
    for (auto other : all_.at(def.name)) {
        if (other == &def) break;
        bool is_of_file = other->name_span.file == def.name_span.file;
        bool is_meant   = !other->is_library && (is_of_file || def.name != "main"); // each file has its own
        if (is_meant) return other;
    }
    return nullptr;
}

} // namespace mim::plug::rise
