// SPDX-License-Identifier: MIT
// Declarations other than functions and rules: `let`, annexes, axioms, C functions, imports; and `extern` of a
// function.
#pragma once
#include "sema/closed.h"
#include "sema/constructors.h"
#include "sema/debug_names.h"
#include "sema/pattern.h"
#include "sema/pending_function.h"
#include "sema/sema_base.h"
#include "sema/type.h"

namespace mim {

class Declarations : SemaBase {
public:
    Declarations(const Context& context, const Plans& plans, Terms& terms, Patterns& patterns, Types& types,
                 ClosedAnnexes& closed, DebugNames& debug_names, Constructors& constructors)
        : SemaBase(context)
        , plans_(plans)
        , terms_(terms)
        , patterns_(patterns)
        , types_(types)
        , closed_(closed)
        , debug_names_(debug_names)
        , constructors_(constructors) {}

    void let(const ast::Let*);
    void axm(const ast::Axm*);
    void c_decl(const ast::CDecl*);
    /// Brings the names of another file into scope.
    void import(const Scope&);
    /// Null: the file could not be read. Nobody knows what it declares, so that a name is unknown needs no further
    /// report.
    void import_or_miss(const Scope* scope) {
        if (scope) import(*scope);
        else misses_import_ = true;
    }
    bool misses_import() const { return misses_import_; }

    /// Gives a value the name of an annex; poison keeps the name from being reported as unknown.
    void define_annex(const ast::Binder& name, Res value);
    /// The function is called from outside of the program.
    void make_extern(const ast::Fun*, const PendingFunction&);

private:
    void let_name(const ast::Let*, const ast::Binder&, Res value);
    void let_pattern(const ast::Let*, Res value);
    void check_unused(size_t first, const ast::Expr* value);
    /// The declaration of an axiom, or of one for each subtag, and its type, which may be poison.
    struct AxiomType {
        const ast::Axm* decl;
        Ty type;
    };
    void define_axiom(const AxiomType&, Symbol canonical, const ast::Binder& name, std::span<const ast::Binder> aliases);
    bool add_annex(Symbol, Span, const Def*, const View*);
    const Def* make_axiom(const ast::Axm&, Axiom&, const Def* type);
    bool check_extern(const ast::Fun*, const PendingFunction&);

    const Plans& plans_;
    Terms& terms_;
    Patterns& patterns_;
    Types& types_;
    ClosedAnnexes& closed_;
    DebugNames& debug_names_;
    Constructors& constructors_;
    size_t num_unused_  = 0; ///< warnings so far
    bool misses_import_ = false;
};

} // namespace mim
