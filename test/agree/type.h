// SPDX-License-Identifier: MIT
// The types of generated programs.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace agree {

struct Type {
    enum Kind : uint8_t { Nat, Idx, Tuple, Array, Union, Var } kind;
    uint64_t size           = 0; ///< Idx (0 is 2^64), Array
    std::vector<Type> elems = {};
    std::string name        = {}; ///< Var: a type parameter

    bool operator==(const Type&) const = default;
    bool is_scalar() const { return kind == Nat || kind == Idx; }
    bool is_aggregate() const { return kind == Tuple || kind == Array; }
    uint64_t arity() const { return kind == Array ? size : elems.size(); }
    const Type& elem(uint64_t i) const { return kind == Array ? elems[0] : elems[i]; }
    bool has_var() const;
};

inline Type nat() { return {Type::Nat}; }
inline Type idx(uint64_t n) { return {Type::Idx, n}; }
inline Type boolean() { return idx(2); }
inline Type i64() { return idx(0); }
inline Type array(uint64_t n, Type elem) { return {Type::Array, n, {std::move(elem)}}; }
inline Type tuple(std::vector<Type> elems) { return {Type::Tuple, 0, std::move(elems)}; }
inline Type type_var(std::string name) { return {Type::Var, 0, {}, std::move(name)}; }

/// n as a size: 2^64 is `i64`.
std::string size_text(uint64_t n);
std::string text(const Type&);
/// Its simplest value; empty for a type parameter.
std::string least(const Type&);
/// i as an index into something of arity n.
std::string index_text(uint64_t i, uint64_t n);
/// ⌈log2 size⌉ for an Idx.
unsigned bits(const Type& idx);
bool is_power_of_two(const Type& idx);

} // namespace agree
