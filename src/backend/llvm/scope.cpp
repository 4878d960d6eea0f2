// SPDX-License-Identifier: MIT
// See scope.h.
#include "backend/llvm/scope.h"

namespace mim::backend::llvm {

const Value* Scope::find(const Def* def) const {
    auto i = values_.find(def);
    return i == values_.end() ? nullptr : &i->second;
}

void Scope::set(const Def* def, Value v) {
    bool is_elsewhere = !v && def->type() && types_.lower(def->type());
    if (is_elsewhere) return;
    if (values_.emplace(def, v).second) trail_.push_back(def);
}

void Scope::leave(size_t mark) {
    for (; trail_.size() > mark; trail_.pop_back()) values_.erase(trail_.back());
}

void Scope::clear() {
    values_.clear();
    trail_.clear();
}

} // namespace mim::backend::llvm
