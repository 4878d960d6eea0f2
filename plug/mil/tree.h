// SPDX-License-Identifier: MIT
// Programs in LC as trees, and what files share.
#pragma once
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "front/operators.h"
#include "program.h"
#include "report.h"

namespace mim::plug::mil {

struct TypeExpr {
    enum Kind : uint8_t {
        Var,
        Con,
        Apply,
        Tuple,
        Number,
        Label,
        Compute, ///< `(a + b)`: `name` is the operator, on two numbers
        Kinded,  ///< `(t :: k)`
        Forall,  ///< `forall a (b :: k). t`: variables, and t
    };
    Kind kind;
    Span at;
    std::string name;
    std::vector<TypeExpr*> parts = {}; ///< Apply: the head and its arguments
    mil::Kind has                = {}; ///< Kinded: k; a variable of a Forall: its kind

    mutable const TypeExpr* stands_for = nullptr; ///< of a synonym, as soon as it was read
};

struct Expr;

/// Something with a name: a definition, or a variable that a function or a pattern binds.
struct Bind {
    std::string name;
    Span at;
    Expr* value         = nullptr; ///< of a definition in LC
    bool is_top         = false;
    bool is_late        = false; ///< the initializer of an area
    TypeExpr* signature = nullptr;
    uint32_t primitive  = kNone; ///< it is this one
    Scheme scheme       = {};
    bool has_scheme     = false;
    uint32_t uses       = 0; ///< how often it is named

    /// @name in MIL
    ///@{
    uint32_t variable = kNone; ///< of a local value
    uint32_t top      = kNone;
    uint32_t block    = kNone; ///< what a call with all arguments enters; of a local function, with what it captures behind them
    uint32_t runs     = kNone; ///< the same for one whose result is run at once
    size_t arity      = 0;
    std::vector<uint32_t> params = {}; ///< of the block
    ///@}
};

struct Alternative {
    enum Kind : uint8_t { Constructor, Tuple, Variable, Wildcard };
    Kind kind;
    Span at;
    std::string name;
    uint32_t con              = kNone;
    std::vector<Bind*> fields = {}; ///< null is `_`; of a Variable, itself
    Expr* body                = nullptr;
};

struct Expr {
    enum Kind : uint8_t {
        Name,
        Con,
        Word,
        Bits,
        Text,
        Proxy, ///< `#n`
        Label, ///< `#name`
        Area,  ///< memory for the type `annotation`: `word` bytes, whose address is a multiple of `index`
        Apply,
        Lambda,
        Let,
        If,
        And,
        Or,
        Case,
        Do,
        Fatbar,
        Typed,
        Record,      ///< `C[f = e|…]`: the parts are the values
        Field,       ///< `e.f`
        Update,      ///< `e[f = e|…]`: behind e, the parts are the values
        Initializer, ///< `S[f <- e|…]`: like a Record; `index` is the type S
        Same,        ///< a value at another type that is represented in the same way
        Reference,   ///< `e.f` of a reference to a `struct`; `index` is its type
        Broken,
    };
    enum Step : uint8_t { Run, Bound, Define }; ///< of a Do
    /// A field that an expression names.
    struct Given {
        std::string name;
        Span at;
        uint32_t index = 0;     ///< which one it is
        bool is_memory = false; ///< `f <- e`
        bool has_value = false; ///< that, or `f = e`
        bool is_broken = false; ///< there is no such field, which has a report
    };
    struct Statement {
        Step step;
        Bind* name; ///< of Bound; null is `_`
        Expr* value;
        std::vector<Bind*> binds; ///< of Define
    };
    Kind kind;
    Span at;
    std::string name                       = {};
    uint64_t word                          = 0;
    std::vector<Expr*> parts               = {}; ///< Apply: the function and one argument
    std::vector<Bind*> binds               = {}; ///< Lambda: parameters, null is `_`; Let: definitions
    std::vector<Alternative> alts          = {};
    std::vector<Statement> steps           = {};
    TypeExpr* annotation                   = nullptr;
    Bind* bind                             = nullptr; ///< Name: what it is; Typed: nobody's, it has the type
    uint32_t con                           = kNone;   ///< Con: which one
    std::vector<std::vector<Bind*>> groups = {};      ///< Let: the components of its definitions
    std::vector<Given> given               = {};      ///< Record, Field, Update, Initializer, Reference
    uint32_t layout                        = kNone;   ///< … of this constructor; if `con` is one, it is around it
    uint32_t index                         = 0;       ///< Bits: how many
};

/// `x <- area T e aligned n` of MIL. Its size is known when its type is.
struct AreaText {
    uint32_t top;
    TypeExpr* type;
    Span at;
    uint64_t align = 0; ///< 0: nobody asks for it
};

/// `x :: t` of MIL, where x is bound or used.
struct Annotation {
    uint32_t variable;
    TypeExpr* type;
};

/// A definition of LC that MIL names: `top` is it.
struct ForeignUse {
    Bind* bind;
    uint32_t top;
};

/// `external x = y` of MIL: a top-level definition, and what it is at another type.
struct Alias {
    uint32_t top;
    Atom value;
    Span at;
};

/// A file in LC or MIL.
struct File {
    FileId id = 0;
    std::string path;
    bool is_done = false; ///< it was read; until then, whoever requires it is in a cycle
    std::vector<File*> required;
    std::map<std::string, Bind*> values;
    std::map<std::string, Span> exports; ///< where they are exported
    std::map<std::string, Span> entries; ///< those of them that C calls
    std::map<std::string, uint32_t> types, cons;
    std::map<std::string, TypeExpr*> synonyms;
    std::map<std::string, uint32_t> blocks, closures, primitives, tops; ///< of MIL
    std::map<std::string, uint32_t> generators;
    std::map<std::string, uint32_t> primitive_blocks; ///< primitives that are blocks of the library of generators
    std::map<std::string, front::Fixity> fixities, type_fixities;
    std::vector<AreaText> areas;
    std::vector<Annotation> annotations;
    std::vector<Bind*> order;               ///< definitions in LC, as they are written
    std::vector<std::vector<Bind*>> groups; ///< their components, each behind what it needs
};

/// All files of a program, what is in them, and what becomes of it.
struct Source {
    std::deque<TypeExpr> type_exprs;
    std::deque<Bind> binds;
    std::deque<Expr> exprs;
    std::vector<std::unique_ptr<File>> files; ///< those that others require come first
    Types types;
    Program program;
    std::vector<Alias> aliases;
    std::vector<ForeignUse> uses;
    File* builtin     = nullptr; ///< what every file knows
    File* main        = nullptr;
    File* generators  = nullptr; ///< the library that has them, if a file needs it
    bool shows_counts = false;   ///< the text of the program is that with counts
    Report report;               ///< what the optimizer did

    TypeExpr* type_expr(TypeExpr t) { return &type_exprs.emplace_back(std::move(t)); }
    Expr* expr(Expr e) { return &exprs.emplace_back(std::move(e)); }
    Bind* bind(std::string name, Span at) {
        auto& b = binds.emplace_back();
        b.name  = std::move(name);
        b.at    = at;
        return &b;
    }
};

/// The meaning of a name in a file: its own definition, or one that a required file exports; types and constructors
/// need no export.
Bind* find_value(const File&, const std::string& name);
std::optional<uint32_t> find_con(const File&, const std::string& name);
std::optional<uint32_t> find_type(const File&, const std::string& name);
TypeExpr* find_synonym(const File&, const std::string& name);
/// Of MIL: `Map` is one of the tables of a file.
std::optional<uint32_t> find_mil(const File&, std::map<std::string, uint32_t> File::* table, const std::string& name);

} // namespace mim::plug::mil
