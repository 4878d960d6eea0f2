// SPDX-License-Identifier: MIT
#include "syntax/parse.h"

#include <algorithm>

#include "syntax/parser.h"

namespace mim {

using namespace ast;

Parser::Parser(FileId file, std::string_view text, SymbolTable& symbols, Diagnostics& diags, ParseOptions options)
    : cursor_(file, text, {options.dialect, false})
    , look_(cursor_, context_, options.dialect)
    , errors_(cursor_, look_, context_, diags, options.max_nesting)
    , tree_(cursor_, symbols, options)
    , docs_(cursor_, tree_)
    , grammar_{cursor_, context_, look_, errors_, tree_, options.dialect, exprs_, types_, atoms_, patterns_, decls_}
    , exprs_(grammar_)
    , types_(grammar_)
    , atoms_(grammar_)
    , patterns_(grammar_)
    , decls_(grammar_, docs_) {}

Module Parser::module() {
    tree_.module().doc = docs_.of_module();
    std::vector<const Decl*> all;
    while (!cursor_.at(Tok::Eof)) {
        decls_.decls(all, true);
        if (cursor_.at(Tok::Eof)) break;
        errors_.expected("a declaration"); // a stray `end` or `}`
        cursor_.next();
        cursor_.accept(Tok::Semicolon);
    }
    return finish(all);
}

Module Parser::single_expr() {
    const Expr* e = exprs_.expr();
    cursor_.accept(Tok::Semicolon);
    if (!cursor_.at(Tok::Eof)) errors_.expected("the end of the text");
    auto& arena = tree_.module().arena;
    auto* wild  = ast::make<NamePattern>(arena, Span{}, Binder{}, static_cast<const Expr*>(nullptr));
    return finish({tree_.make_decl<Let>(e->span.begin, static_cast<const Pattern*>(wild), e)});
}

/// Annexes are in the order of their places: a declaration was found at its end, behind those inside of it.
Module Parser::finish(const std::vector<const Decl*>& decls) {
    errors_.lex_errors(kNone);
    auto& module = tree_.module();
    module.decls = tree_.list(decls);
    std::ranges::sort(module.annexes, {}, [](const Decl* d) { return d->span.begin; });
    return std::move(module);
}

Module parse(FileId file, const SourceManager& sources, SymbolTable& symbols, Diagnostics& diags, ParseOptions options) {
    auto text = sources.text(file);
    return Parser(file, text, symbols, diags, options).module();
}

Module parse_expr(FileId file, const SourceManager& sources, SymbolTable& symbols, Diagnostics& diags, ParseOptions options) {
    auto text = sources.text(file);
    return Parser(file, text, symbols, diags, options).single_expr();
}

} // namespace mim
