// SPDX-License-Identifier: MIT
// The types and the literals: the layer below terms and binders. World is what people use, it has all of these functions.
#pragma once
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>

#include "ir/def.h"

namespace mim {

struct WorldImpl; ///< private to src/ir

/// As World does, each function checks, normalizes and hash-conses what it builds, and throws mim::Error when the
/// request is ill-typed.
class TypeBuilder {
public:
    const Def* sort(unsigned level);
    const Def* star() { return star_; }  ///< *
    const Def* box() { return sort(1); } ///< □
    const Def* bot() { return bot_; }
    const Def* top() { return top_; }
    const Def* nat() { return nat_; }
    const Def* idx() { return idx_; } ///< Idx : Nat → *
    const Def* idx(const Def* size);  ///< Idx size
    const Def* idx(std::integral auto size) { return idx(lit_nat(size)); }
    const Def* i64_type();                        ///< Idx 2^64
    const Def* bool_type() { return bool_; }      ///< Idx 2
    const Def* unit_type() { return unit_type_; } ///< []
    const Def* unit() { return unit_; }           ///< ()
    const Def* lit_nat(uint64_t);
    /// 2^64, a size only: it is no `Nat`, but stands for one where takes() says so. Its type is ⊤.
    const Def* lit_2_64() { return lit_2_64_; }
    /// i_n; throws unless i < n. `size` is a literal Nat (2^64 included).
    const Def* lit_idx(const Def* size, uint64_t value);
    const Def* lit_idx(std::integral auto size, uint64_t value) { return lit_idx(lit_nat(size), value); }
    const Def* lit_bool(bool b) { return b ? tt_ : ff_; }
    const Def* ff() { return ff_; }
    /// The filter `@_`: calls are reduced where all groups are there, and all that they take is known (ir/known.h). The groups of a
    /// curried function have it together; groups in front of them may have `tt`.
    const Def* when_known() { return when_known_; }
    const Def* tt() { return tt_; }
    /// A literal of a type that is `Nat` or `Idx n`.
    const Def* lit(const Def* type, uint64_t value);
    /// A literal of any other type whose value is 64 bits (a plugin's, e.g. a float's bits): no range check.
    const Def* raw_lit(const Def* type, uint64_t bits);
    const Def* axm(const Axiom*, const Def* type);

    const Def* pi(const Def* dom, const Def* codom, bool implicit = false);
    const Def* cn(const Def* dom) { return pi(dom, bot()); }
    const Def* cn(std::initializer_list<const Def*> dom) { return cn(sigma(dom)); }
    /// Fn dom → codom = Cn [dom, Cn codom]
    const Def* fn(const Def* dom, const Def* codom) { return cn(sigma({dom, cn(codom)})); }
    const Def* sigma(Defs);
    const Def* sigma(std::initializer_list<const Def*> ops) { return sigma(Defs(ops.begin(), ops.size())); }
    const Def* arr(const Def* arity, const Def* body);
    const Def* arr(std::integral auto arity, const Def* body) { return arr(lit_nat(arity), body); }
    const Def* union_type(Defs);
    const Def* sing(const Def* value); ///< ⦃value⦄

    /// The state of the graph, which only src/ir knows.
    WorldImpl& impl() { return *impl_; }

protected:
    explicit TypeBuilder(World&);
    ~TypeBuilder();
    TypeBuilder(const TypeBuilder&)            = delete;
    TypeBuilder& operator=(const TypeBuilder&) = delete;

    std::unique_ptr<WorldImpl> impl_;
    const Def *star_, *bot_, *top_, *nat_, *idx_, *bool_, *lit_2_64_, *ff_, *tt_, *when_known_, *unit_type_, *unit_;
};

} // namespace mim
