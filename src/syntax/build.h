// SPDX-License-Identifier: MIT
// Builds the tree of a Mim program from C++, for a text in another language. Each node has the place of the text that it stands for, so
// errors of typing and of phases, `--checked` and `-g` point into that text, and its names are those that a Mim program finds when it
// imports the file. Elaboration infers, checks and converts as in Mim.
//
// Functions that take a Span make a node at that place. Spans of parts need not lie in those of the whole, and may repeat; but names
// that are bound need places of their own, by which elaboration knows whether they are used.
//
// A null pointer, a place in another file and a number of bits that no integer has are std::invalid_argument.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/symbol.h"
#include "syntax/ast.h"

namespace mim::ast {

class Builder {
public:
    using Exprs = std::vector<const Expr*>;

    Builder(FileId file, SymbolTable& symbols)
        : symbols_(symbols) {
        module_.file = file;
    }

    /// @name names and literals
    ///@{
    const Expr* name(Span at, std::string_view name) { return make<Name>(at, intern(name)); }
    /// `%plugin.tag`, with its `%`.
    const Expr* annex(Span at, std::string_view name) { return make<Annex>(at, intern(name)); }
    const Expr* prim(Span at, PrimKind kind) { return make<Prim>(at, kind); }
    const Expr* boolean(Span at, bool value) { return prim(at, value ? PrimKind::tt : PrimKind::ff); }
    const Expr* nat(Span at, uint64_t value) { return make<NatLit>(at, value); }
    /// An integer of 8, 16, 32 or 64 bits, which the value fits.
    const Expr* integer(Span at, uint64_t value, unsigned bits);
    /// A literal of a type that has numbers, in the syntax of C.
    const Expr* floating(Span at, std::string_view digits, const Expr* type);
    /// The bytes of the text, an array of `I8`.
    const Expr* string(Span at, std::string_view bytes) { return make<StrLit>(at, module_.arena.text(bytes)); }
    /// To be inferred.
    const Expr* hole(Span at) { return make<Hole>(at); }
    /// Stands for text that had an error; nothing that it is a part of is reported.
    const Expr* error(Span at) { return make<Error>(at); }
    ///@}

    /// @name calls, tuples and choices
    ///@{
    const Expr* app(Span at, const Expr* callee, const Expr* arg);
    /// A call with all arguments in one tuple.
    const Expr* call(Span at, const Expr* callee, const Exprs& args) { return app(at, callee, tuple(at, args)); }
    /// One element is itself.
    const Expr* tuple(Span at, const Exprs& elems);
    const Expr* extract(Span at, const Expr* tuple, const Expr* index);
    /// The element with this number.
    const Expr* element(Span at, const Expr* tuple, uint64_t index) { return extract(at, tuple, nat(at, index)); }
    /// `(otherwise, then)#condition`: evaluated by need, as operands are. The parts need not have one type if the condition is known. A language whose
    /// choices have one type calls a function that says so, as `%lark.choose` of example/lark.
    const Expr* choose(Span at, const Expr* condition, const Expr* then, const Expr* otherwise);
    ///@}

    /// @name types
    ///@{
    /// An integer type of 1, 8, 16, 32 or 64 bits.
    const Expr* integer_type(Span at, unsigned bits);
    const Expr* tuple_type(Span at, const Exprs& elems);
    const Expr* array_type(Span at, const Expr* arity, const Expr* element);
    /// `[domain, …] → codomain`
    const Expr* arrow(Span at, const Exprs& domain, const Expr* codomain);
    ///@}

    /// @name functions and blocks
    ///@{
    struct Param {
        Span at;
        std::string_view name;    ///< empty or `_`: it has none. `return` is the continuation of a Fun
        const Expr* type;         ///< null in a `let`
        bool is_implicit = false; ///< inferred; only in a group of its own
    };
    using Params = std::vector<Param>;
    struct Head {
        std::vector<Params> groups;     ///< curried
        const Expr* codomain = nullptr; ///< null: that of the body
        const Expr* filter   = nullptr; ///< which calls are evaluated while compiling; null: as Mim does without one
        LamForm form         = LamForm::Lam;
    };
    const Expr* lambda(Span at, const Head&, const Expr* body);
    const Expr* block(Span at, const std::vector<Decl*>& decls, const Expr* body);
    ///@}

    /// @name declarations
    ///@{
    /// `name_at` is the place of the name alone.
    Decl* let(Span at, Span name_at, std::string_view name, const Expr* value);
    /// Takes a tuple apart.
    Decl* let(Span at, const Params& names, const Expr* value);
    Decl* function(Span at, Span name_at, std::string_view name, const Head&, const Expr* body, bool is_extern = false);
    /// Functions, from the second one on, that know those before them back to the first.
    static void join(Decl* function);
    /// A function of C: `Fn [params] → result`. In direct style, `%direct.cps2ds name (args)` calls it.
    Decl* c_function(Span at, Span name_at, std::string_view name, const Params&, const Expr* result);
    /// Documents a declaration, for `mim doc`: lines without the marks of comments.
    void document(Decl* decl, std::string_view doc);
    ///@}

    /// @name the file
    ///@{
    void document(std::string_view doc) { module_.doc = module_.arena.text(doc); }
    void plugin(std::string_view name, Span at = {}) { add(make_decl<Plugin>(at, Binder{intern(name), at})); }
    /// `import "path";`, of a file in Mim or in a language of a plugin.
    void import(std::string_view path, Span at = {}) { add(make_decl<Import>(at, Binder{intern(path), at}, true)); }
    void add(Decl* decl);
    /// The tree; the builder is used up.
    Module finish();
    ///@}

private:
    template<class T, class... Args>
    const Expr* make(Span at, Args... args) {
        return ast::make<T>(module_.arena, in_file(at), args...);
    }
    template<class T, class... Args>
    Decl* make_decl(Span at, Args... args) {
        return ast::make_decl<T>(module_.arena, in_file(at), args...);
    }
    /// The same, checked.
    Span in_file(Span) const;
    Symbol intern(std::string_view text) { return symbols_.intern(text); }
    Symbol binder_name(std::string_view name) { return name == "_" ? Symbol() : intern(name); }
    const Pattern* pattern(const Param&);
    const TuplePattern* patterns(Span at, const Params&, bool is_square);
    Function make_function(Span at, const Head&, const Expr* body);

    SymbolTable& symbols_;
    Module module_;
    std::vector<const Decl*> decls_;
};

} // namespace mim::ast
