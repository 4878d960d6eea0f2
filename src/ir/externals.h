// SPDX-License-Identifier: MIT
// The functions of a program that are visible outside, by symbol, in order of declaration.
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/symbol.h"
#include "ir/def.h"

namespace mim {

struct External {
    Symbol name;
    Lam* lam;
};

class Externals {
public:
    /// A name is given once; throws if it is there.
    void add(Symbol, Lam*);
    /// The name must be there; throws if it is not.
    void replace(Symbol, Lam*);
    /// The same.
    void remove(Symbol);
    /// Null if there is none.
    Lam* find(std::string_view name) const;
    /// One that has no body: nobody can use the program then (Diag::external_open). Null if all have one.
    const External* find_open() const;
    /// All names, for a message.
    std::string names() const;

    /// In order of declaration.
    const std::vector<External>& all() const { return all_; }
    auto begin() const { return all_.begin(); }
    auto end() const { return all_.end(); }
    size_t size() const { return all_.size(); }
    bool empty() const { return all_.empty(); }

private:
    size_t index_of(Symbol) const;

    std::vector<External> all_;
    std::unordered_map<Symbol, size_t> index_;
};

} // namespace mim
