// SPDX-License-Identifier: MIT
// Private to src/sema: the names that the printed IR gives to what it declares.
#pragma once
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "ir/world.h"
#include "sema/reflect.h"

namespace mim {

/// Canonical names count what is declared (`x0`, `f1`), so that they depend on the graph alone. Names of the source are those
/// that the text gave, with a number behind where another one of that name is in scope; a value without a name has a canonical
/// one. They need World::debug.
class PrintedNames {
public:
    PrintedNames(World& world, NamesOf names)
        : world_(world)
        , names_(names) {}

    bool are_of_source() const { return names_ == NamesOf::Source; }
    /// Nobody gets this name.
    void reserve(std::string_view name) { reserved_.emplace(name); }
    /// A name that is not in use.
    Symbol fresh(char prefix);
    /// A name for something that the source calls `wanted`, which may be empty. It is in use until it is released.
    Symbol take(Symbol wanted, char prefix);
    void release(Symbol name) { in_use_.erase(name); }
    /// The name that the source gives to a value, a function or a type; may be empty.
    Symbol of(const Def*) const;
    /// Takes note of the names that a function gives to parts of its parameter.
    void enter(const Lam*);

private:
    bool is_free(const std::string& name) const;

    World& world_;
    NamesOf names_;
    std::set<std::string, std::less<>> reserved_;
    std::unordered_set<Symbol> in_use_;
    std::unordered_map<const Def*, Symbol> parts_;
    uint64_t counters_[256] = {};
};

} // namespace mim
