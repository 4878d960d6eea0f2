// SPDX-License-Identifier: MIT
// Programs in RISE as trees. Types and type-level values are read as expressions; inference tells them apart.
#pragma once
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/polynomial.h"
#include "base/span.h"

namespace mim::plug::rise {

/// An argument at the level of types.
enum class Sort : uint8_t { Nat, Data, Space, NatFun };

enum class Scalar : uint8_t { Bool, I8, I16, I32, I64, U8, U16, U32, U64, F16, F32, F64, Nat };
enum class Space : uint8_t { Global, Local, Private, Constant };

struct Local;
struct Type {
    enum Kind : uint8_t { Meta, Name, Scalar, Idx, Array, Vec, Pair, Fun, Dep, Space, Broken } kind = Meta;

    bool has_size() const { return kind == Idx || kind == Array || kind == Vec; }

    Type* link          = nullptr; ///< what was found for a Meta
    Type* first         = nullptr; ///< element, domain, left part
    Type* second        = nullptr; ///< codomain, right part; that of Dep
    Polynomial size     = {};
    rise::Scalar scalar = {};
    rise::Space space   = {};
    Local* binder       = nullptr; ///< of Dep, and what a Name is
    uint32_t level      = 0;       ///< of a Meta: binders around it
    bool is_implicit    = false;   ///< of Dep
    bool is_data        = false;   ///< a Meta that no function can be
};

/// The argument that a use gives for a binder at the level of types.
struct TypeArg {
    Sort sort      = Sort::Nat;
    Polynomial nat = {};      ///< also what a function of sizes makes of `param`
    Type* type     = nullptr; ///< also an address space

    Polynomial::Var param = 0;
};

struct Expr;
/// A parameter, or a name that `let` binds.
struct Local {
    std::string_view name;
    Span span;
    const Expr* declared = nullptr; ///< null: it is inferred
    bool is_dep          = false;   ///< it stands at the level of types
    bool is_implicit     = false;
    Sort sort            = Sort::Nat;
    Type* type           = nullptr; ///< a value's; for DataType and AddrSp, the type that stands for it
    Polynomial::Var nat  = 0;
};

struct Fact {
    enum Kind : uint8_t { Divides, AtMost, Less, Equal } kind;
    const Expr* left     = nullptr;
    const Expr* right    = nullptr;
    Span span            = {};
    std::string text     = {}; ///< empty: that of its place
    Polynomial left_size = {}, right_size = {};
    bool is_given = false; ///< by `rise.sizes`, so it holds before all others
};

struct Definition;
struct Primitive;
struct Expr {
    enum Kind : uint8_t {
        Name,
        Integer,
        Float,
        Bool,
        Fun,    ///< one parameter
        DepFun, ///< one parameter at the level of types
        Let,    ///< binder, value, body
        If,
        Compose, ///< first, then the second
        Apply,
        Implicit, ///< f @x
        First,
        Second,
        Pair,
        Array, ///< [a, b]
        Ascribe,
        Hole, ///< ?
        Word, ///< a name that is never looked up in scope: the primitive that an operator stands for
        ArrayType,
        PairType,
        IdxType,
        VecType,
        Arrow,
        DepArrow,
        NatFun, ///< a function of sizes, i => n - i
        Broken,
    } kind;
    Span span;
    std::string_view text    = {};
    std::vector<Expr*> parts = {};
    Local* binder            = nullptr;
    std::vector<Fact> facts  = {};    ///< of the last DepFun of a group
    bool is_pipe             = false; ///< an Apply that was written `x |> f`
    bool is_infix            = false; ///< an Apply that an operator stands for

    // found by inference
    Local* local                     = nullptr;
    Definition* def                  = nullptr;
    const Primitive* prim            = nullptr;
    Type* type                       = nullptr;
    std::vector<TypeArg> implicits   = {}; ///< what is inferred behind this expression
    std::optional<TypeArg> arg       = {}; ///< of an Apply at the level of types
    uint64_t dimension               = 0;  ///< of mapLocal (d)
    std::optional<rise::Space> space = {};
};

struct StrategyTree {
    enum Kind : uint8_t { Name, Number, Text, Apply, Sequence, Choice, Infix, List } kind;
    Span span;
    std::string_view text                  = {}; ///< of an Infix: the operator, of sizes
    std::vector<const StrategyTree*> parts = {}; ///< of an Apply: the function, and its arguments
};

struct Definition {
    std::string_view name;
    Span name_span;
    const Expr* declared         = nullptr;
    Expr* body                   = nullptr;
    bool is_exported             = false;
    std::optional<Span> strategy = {};      ///< what stands behind `by`
    const StrategyTree* by       = nullptr; ///< what is applied to it
    Type* type                   = nullptr;
    std::vector<TypeArg> free    = {};         ///< what its uses put others for
    size_t num_implicits         = 0;          ///< of these, what its type names
    size_t first_derived = 0, num_derived = 0; ///< names that its facts gave, in Types
    std::string assumed = {};                  ///< a fact that is only checked at entry
    bool is_tied        = false;               ///< facts tie the sizes that it takes to each other
    bool is_broken      = false;
    bool is_library     = false;
};

struct Strategy {
    struct Parameter {
        std::string_view name, kind; ///< the kind is `Strategy`, `Nat`, `[Nat]` or `AddrSp`
    };
    std::string_view name;
    std::vector<Parameter> parameters = {};
    Span place                        = {};    ///< behind the `=`
    bool is_library                   = false; ///< `place` is in the text of the library
    const StrategyTree* body          = nullptr;
};

/// The code that the strategy `default` is for.
enum class Target : uint8_t { C, Omp, OpenCL };

struct Program {
    std::deque<Expr> exprs;
    std::deque<Local> locals;
    std::deque<Type> types;
    std::deque<std::string> texts; ///< names that are no part of the file
    std::deque<Definition> defs;
    std::vector<Strategy> strategies;
    std::deque<StrategyTree> strategy_trees;
    const StrategyTree* by_flag    = nullptr; ///< what `--set` says
    const StrategyTree* by_default = nullptr; ///< what is applied to a program of which nobody says it
    Target target                  = Target::C;
};

} // namespace mim::plug::rise
