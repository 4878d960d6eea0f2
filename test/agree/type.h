// SPDX-License-Identifier: MIT
// The types of generated programs.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace agree {

struct Type {
    /// Tag is a singleton `⦃i_n⦄`, Fun a function in direct style, Pair the prelude's `[n: Nat, Idx n]`, Place `Idx n` for a variable n that is not 0, Rec a
    /// recursive type of pure values.
    enum Kind : uint8_t { Nat, Idx, Tuple, Array, Union, Var, Tag, Fun, Pair, Place, Rec } kind;
    uint64_t size           = 0;  ///< Idx (0 is 2^64), Array, Tag; Rec: which kind
    std::vector<Type> elems = {}; ///< Fun: domain and codomain; Rec: what its values are made from
    std::string name        = {}; ///< Var: a type parameter; Tag: the index; Place: n; Rec: the type

    bool operator==(const Type&) const = default;
    bool is_scalar() const { return kind == Nat || kind == Idx; }
    bool is_tagged() const { return kind == Tuple && elems[0].kind == Tag; }
    bool is_aggregate() const { return kind == Tuple || kind == Array; }
    uint64_t arity() const { return kind == Array ? size : elems.size(); }
    const Type& elem(uint64_t i) const { return kind == Array ? elems[0] : elems[i]; }
    bool has_var() const; ///< mentions what a function around it binds
    bool has_function() const;
};

inline Type nat() { return {Type::Nat}; }
inline Type idx(uint64_t n) { return {Type::Idx, n}; }
inline Type boolean() { return idx(2); }
inline Type i64() { return idx(0); }
inline Type array(uint64_t n, Type elem) { return {Type::Array, n, {std::move(elem)}}; }
inline Type tuple(std::vector<Type> elems) { return {Type::Tuple, 0, std::move(elems)}; }
inline Type tag(uint64_t i, uint64_t n) { return {Type::Tag, n, {}, std::to_string(i)}; }
inline Type function(Type dom, Type codom) { return {Type::Fun, 0, {std::move(dom), std::move(codom)}}; }
inline Type size_and_index() { return {Type::Pair}; }
inline Type place(std::string n) { return {Type::Place, 0, {}, std::move(n)}; }
inline Type type_var(std::string name) { return {Type::Var, 0, {}, std::move(name)}; }

/// No value of one could be taken for a value of the other, whatever is instantiated: what the members of a union must be that is matched.
bool apart(const Type&, const Type&);

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
