// SPDX-License-Identifier: MIT
#include "sema/scope.h"

#include <utility>

namespace mim {

static size_t hash_symbol(Symbol s) { return std::hash<Symbol>()(s) * 0x9e3779b97f4a7c15ull >> 20; }

Scopes::Scopes()
    : table_(256) {}

void Scopes::grow() {
    auto old  = std::exchange(table_, std::vector<Slot>(table_.size() * 2));
    auto mask = table_.size() - 1;
    for (auto& s : old) {
        if (!s.sym) continue;
        auto i = hash_symbol(s.sym) & mask;
        while (table_[i].sym) i = (i + 1) & mask;
        table_[i] = s;
    }
}

uint32_t& Scopes::slot(Symbol sym) {
    auto mask = table_.size() - 1;
    for (auto i = hash_symbol(sym) & mask;; i = (i + 1) & mask) {
        if (table_[i].sym == sym) return table_[i].top;
        if (table_[i].sym) continue;
        if ((used_ + 1) * 2 > table_.size()) {
            grow();
            return slot(sym);
        }
        ++used_;
        table_[i].sym = sym;
        return table_[i].top;
    }
}

uint32_t Scopes::push(Binding b) {
    auto i = static_cast<uint32_t>(stack_.size());
    if (b.sym) {
        auto& top = slot(b.sym);
        b.prev    = top;
        top       = i + 1;
    }
    stack_.push_back(b);
    return i;
}

void Scopes::pop(size_t mark) {
    while (stack_.size() > mark) {
        auto& b = stack_.back();
        if (b.sym) slot(b.sym) = b.prev;
        stack_.pop_back();
    }
}

bool Scopes::is_hidden(size_t i) const {
    for (auto r : hidden_)
        if (i >= r.lo && i < r.hi) return true;
    return false;
}

Binding* Scopes::shadowed(const Binding& b) {
    auto i = b.prev;
    while (i && is_hidden(i - 1)) i = stack_[i - 1].prev;
    return i ? &stack_[i - 1] : nullptr;
}

Binding* Scopes::find(Symbol sym) {
    auto i = slot(sym);
    while (i && !hidden_.empty() && is_hidden(i - 1)) i = stack_[i - 1].prev;
    return i ? &stack_[i - 1] : nullptr;
}

} // namespace mim
