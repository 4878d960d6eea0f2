// SPDX-License-Identifier: MIT
// A program as it is written, and what inference finds out about it.
#pragma once
#include <deque>
#include <optional>
#include <string_view>
#include <vector>

#include "ainf/list/list.h"
#include "base/polynomial.h"
#include "base/span.h"

namespace mim::plug::polara {

struct Expr;

/// A type, some parts of which may not be known yet: a Meta with a link is that type.
struct Type {
    enum Kind : uint8_t { Meta, Nat, Flt, Fin, Fun, Pair, Array, Broken };
    Kind kind                  = Meta;
    Type* first                = nullptr; ///< of a Fun the domain; of an Array the elements
    Type* second               = nullptr; ///< of a Fun the codomain
    Polynomial size            = {};      ///< of Fin and Array
    Type* link                 = nullptr;
    uint32_t visit             = 0;  ///< the walk over types that was here last
    std::vector<Expr*> waiting = {}; ///< for a Meta to be known
};

/// A name that a program binds, within a definition.
struct Local {
    std::string_view name;
    Span span;
    Type* type = nullptr; ///< null until it is inferred, if the program does not state it
};

struct Def;

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
    bool is_settled          = false; ///< an Infix whose types are decided

    /// @name found by inference
    ///@{
    Type* type                        = nullptr;
    const Expr* head                  = nullptr; ///< of applications, elements and parts: what they are of
    const Local* local                = nullptr; ///< that a name means, or
    Def* def                          = nullptr;
    std::vector<Polynomial> def_sizes = {}; ///< of this use of a definition
    std::optional<ainf::Op> constant  = {}; ///< that an application is of
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
    Type* result                   = nullptr; ///< null if the program does not state it
    Expr* body                     = nullptr;
    Type* type                     = nullptr; ///< null until it is checked, if its sizes have no error
};

/// Owns what it points to.
struct Program {
    bool is_fast = false;
    std::deque<Def> defs;
    std::deque<Expr> exprs;
    std::deque<Local> locals;
    std::deque<Type> types;
};

} // namespace mim::plug::polara
