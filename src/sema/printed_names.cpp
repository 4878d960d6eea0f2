// SPDX-License-Identifier: MIT
#include "sema/printed_names.h"

#include "syntax/print.h"

namespace mim {

bool PrintedNames::is_free(const std::string& name) const {
    return !reserved_.contains(name) && (!are_of_source() || !in_use_.contains(world_.sym(name)));
}

Symbol PrintedNames::fresh(char prefix) {
    auto& n = counters_[static_cast<unsigned char>(prefix)];
    std::string name;
    do name = prefix + std::to_string(n++);
    while (!is_free(name));
    return world_.sym(name);
}

Symbol PrintedNames::take(Symbol wanted, char prefix) {
    bool is_usable = are_of_source() && wanted && is_identifier(wanted.view()) && wanted.view() != "_";
    if (!is_usable) return fresh(prefix);
    auto name = wanted.str();
    for (uint64_t n = 1; !is_free(name); ++n) name = wanted.str() + "_" + std::to_string(n);
    auto symbol = world_.sym(name);
    in_use_.insert(symbol);
    return symbol;
}

Symbol PrintedNames::of(const Def* def) const {
    if (!are_of_source()) return {};
    if (auto part = parts_.find(def); part != parts_.end()) return part->second;
    if (auto local = Notes::has_place(def) ? world_.notes.local(def) : nullptr) return local->name;
    return def->is_mut() || def->isa<Var>() ? world_.notes.name(def) : Symbol();
}

void PrintedNames::enter(const Lam* lam) {
    auto locals = are_of_source() ? world_.notes.locals(lam) : nullptr;
    if (!locals) return;
    for (auto& local : *locals) {
        auto def = local.value;
        while (auto part = def->isa<Extract>()) def = part->tuple();
        if (def == lam->var()) parts_.emplace(local.value, local.name);
    }
}

} // namespace mim
