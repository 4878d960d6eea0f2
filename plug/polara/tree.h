// SPDX-License-Identifier: MIT
// A program as it is written, and what inference finds out about it.
#pragma once
#include <deque>
#include <string_view>
#include <vector>

#include "base/polynomial.h"
#include "base/span.h"

namespace mim::plug::polara {

/// A type, some parts of which may not be known yet: a Meta with a link is that type.
struct Type {
    enum Kind : uint8_t { Meta, Nat, Flt, Fin, Fun, Pair, Array, Broken };
    Kind kind       = Meta;
    Type* first     = nullptr; ///< of a Fun the domain; of an Array the elements
    Type* second    = nullptr; ///< of a Fun the codomain
    Polynomial size = {};      ///< of Fin and Array
    Type* link      = nullptr;
};

/// A size as it is written.
struct SizeExpr {
    enum Kind : uint8_t { Number, Name, Add, Sub, Mul, Broken };
    Kind kind;
    Span span;
    std::string_view text = {};
    const SizeExpr* left  = nullptr;
    const SizeExpr* right = nullptr;
};

/// A type as it is written.
struct TypeExpr {
    enum Kind : uint8_t { Nat, Flt, Bool, Fin, Fun, Pair, Array, Broken };
    Kind kind;
    Span span;
    const SizeExpr* size   = nullptr;
    const TypeExpr* first  = nullptr;
    const TypeExpr* second = nullptr;
};

/// A name that a program binds, within a definition.
struct Local {
    std::string_view name;
    Span span;
    const TypeExpr* declared = nullptr;
    const SizeExpr* extent   = nullptr; ///< of the index of a loop
    Type* type               = nullptr;
};

struct Def;

enum class Constant : uint8_t { Exp, Log, Sqrt, NormCdf, Max, I2n, N2f, Sum, Ite };

struct Expr {
    enum Kind : uint8_t {
        Name, ///< `text`
        Integer,
        Float,
        Bool, ///< `text`, and whether a minus is before it
        Fun,
        For, ///< binder, body
        Fold,
        Scan,  ///< value, index; start, body
        If,    ///< condition, branches
        Let,   ///< binder; value, body
        Infix, ///< `text`; left, right
        Apply,
        Get,
        Pair, ///< two parts
        First,
        Second, ///< one part
        Broken,
    };
    Kind kind;
    Span span;
    std::string_view text    = {};
    std::vector<Expr*> parts = {};
    Local* binder            = nullptr;
    Local* index             = nullptr; ///< of a fold
    bool is_negative         = false;

    /// @name found by inference
    ///@{
    Type* type                        = nullptr;
    const Local* local                = nullptr; ///< that a name means, or
    Def* def                          = nullptr;
    std::vector<Polynomial> def_sizes = {}; ///< of this use of a definition
    const Constant* constant          = nullptr;
    ///@}
};

struct SizeName {
    std::string_view name;
    Span span;
    Polynomial::Var var = 0;
};

struct Def {
    std::string_view name;
    Span name_span;
    bool is_extern                 = false;
    std::vector<SizeName> sizes    = {};
    std::vector<Local*> parameters = {};
    const TypeExpr* result         = nullptr;
    Expr* body                     = nullptr;
    Type* type                     = nullptr; ///< null until it is checked
};

/// Owns what it points to.
struct Program {
    bool is_fast = false;
    std::deque<Def> defs;
    std::deque<Expr> exprs;
    std::deque<Local> locals;
    std::deque<Type> types;
    std::deque<SizeExpr> sizes;
    std::deque<TypeExpr> type_exprs;
};

} // namespace mim::plug::polara
