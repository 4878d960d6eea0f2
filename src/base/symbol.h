// SPDX-License-Identifier: MIT
// Interned strings: equal text is the same pointer within one SymbolTable, so symbols compare and hash by address.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>

namespace mim {

class Symbol {
public:
    Symbol() = default;
    std::string_view view() const { return str_ ? std::string_view(*str_) : std::string_view(); }
    const std::string& str() const;
    bool empty() const { return !str_ || str_->empty(); }
    explicit operator bool() const { return !empty(); }
    bool operator==(const Symbol&) const = default;
    bool operator==(std::string_view s) const { return view() == s; }

private:
    explicit Symbol(const std::string* s)
        : str_(s) {}
    const std::string* str_ = nullptr;
    friend class SymbolTable;
    friend struct std::hash<Symbol>;
};

class SymbolTable {
public:
    Symbol intern(std::string_view s);

private:
    struct Hash : std::hash<std::string_view> {
        using is_transparent = void;
    };
    std::unordered_set<std::string, Hash, std::equal_to<>> pool_;
};

} // namespace mim

template<>
struct std::hash<mim::Symbol> {
    size_t operator()(mim::Symbol s) const { return std::hash<const void*>()(s.str_); }
};
