// SPDX-License-Identifier: MIT
// Declarations and functions.
#pragma once
#include "syntax/doc_comments.h"
#include "syntax/parser_base.h"

namespace mim {

class DeclParser : ParserBase {
public:
    DeclParser(const Grammar& grammar, DocComments& docs)
        : ParserBase(grammar)
        , docs_(docs) {}

    /// Declarations up to `end`, `}` or the end of the file.
    void decls(std::vector<const ast::Decl*>&, bool top);
    /// Declarations in front of an expression, `ret` among them. `bare`: the first token of them, if they have no braces.
    void statements(std::vector<const ast::Decl*>&, Span bare);
    /// One declaration and its `;`, which may be left out behind `end`. Null if it has no name. `joins`: `and` may join
    /// it to one before.
    const ast::Decl* decl(bool top, bool joins);
    /// Parameter groups, filter, codomain and body; a `con` has no codomain.
    /// `head`: where the name of the function is in the text, if it has one.
    ast::Function function(ast::LamForm, std::string_view context = "a function", uint32_t head = kNone);

private:
    void end_decl(ast::Decl*, std::string_view context);
    bool check_top_level(bool top);
    ast::Decl* declaration(bool top);
    ast::Decl* op();
    bool check_operands(const ast::Binder& op, const ast::List<ast::Group>&);
    ast::Decl* let();
    const ast::Decl* foreign_let();
    ast::Decl* rec();
    ast::Decl* fun(bool top);
    ast::Decl* axm();
    ast::Decl* axm_without_percent(uint32_t begin);
    ast::SubTag subtag();
    ast::List<ast::SubTag> subtags();
    struct Normalizer;
    Normalizer normalizer();
    ast::Decl* c_decl();
    ast::Decl* rule();
    ast::Decl* import();
    ast::Decl* plugin();
    ast::Decl* ret();
    template<class T, class... Args>
    ast::Decl* make_decl(uint32_t begin, Args... args) {
        return tree_.make_decl<T>(begin, args...);
    }
    const ast::Expr* value_behind(Tok);
    const ast::Expr* definition();
    const ast::Expr* function_body(uint32_t head);
    /// The text of an expression, if it is short enough to be repeated in a message; else `…`.
    std::string text(const ast::Expr*) const;
    void hint_statements(Diagnostic&, const std::vector<const ast::Decl*>& before);

    DocComments& docs_;
};

} // namespace mim
