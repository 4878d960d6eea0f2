// SPDX-License-Identifier: MIT
#include "base/symbol.h"

namespace mim {

const std::string& Symbol::str() const {
    static const std::string none;
    return str_ ? *str_ : none;
}

Symbol SymbolTable::intern(std::string_view s) {
    auto it = pool_.find(s);
    if (it == pool_.end()) it = pool_.emplace(s).first;
    return Symbol(&*it);
}

} // namespace mim
