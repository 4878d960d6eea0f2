// SPDX-License-Identifier: MIT
// The class behind parse(); only the parse*.cpp files see it. The methods are named after what they read; each leaves the
// position behind it. Two rules keep errors few and precise: an error at a token that already has one is not reported, and a
// bracket whose inside is broken is skipped to its partner.
#pragma once
#include <algorithm>
#include <array>
#include <string>

#include "syntax/token_stream.h"

namespace mim {

class Parser {
public:
    Parser(FileId file, std::string_view text, SymbolTable& symbols, Diagnostics& diags, ParseOptions options)
        : file_(file)
        , text_(text)
        , symbols_(symbols)
        , diags_(diags)
        , options_(options)
        , toks_(text, {options.dialect, false}) {
        module_.file = file;
    }

    ast::Module module();
    ast::Module single_expr();

private:
    void sort_annexes();

    // parse_expr.cpp
    const ast::Expr* expr();
    const ast::Expr* inj();
    const ast::Expr* app();
    const ast::Expr* join();
    const ast::Expr* extract();
    const ast::Expr* wheres(uint32_t begin, const ast::Expr* body);
    bool starts_atom() const;
    bool is_ret() const;

    // parse_type.cpp
    const ast::Expr* arrow();
    const ast::Expr* cn_type();
    const ast::Expr* fn_type();
    bool at_domain() const;
    bool at_group() const;
    bool has_statement() const;
    bool at_braced_value() const;
    ast::Group domain();
    ast::Group type_domain(const ast::Expr*);
    ast::Group old_named_domain();

    // parse_atom.cpp
    const ast::Expr* atom();
    const ast::Expr* number();
    const ast::Expr* floating();
    const ast::Expr* string();
    const ast::Expr* tuple();
    const ast::Expr* block();
    const ast::Expr* bare_block();
    void statement(uint32_t opener, const ast::Expr*);
    const ast::Expr* sequence(Tok close);
    const ast::Expr* singleton();
    const ast::Expr* lambda();
    const ast::Expr* sort();
    const ast::Expr* insert();
    const ast::Expr* match();

    // parse_pattern.cpp
    const ast::Pattern* pattern();
    const ast::Pattern* element(bool square);
    const ast::Pattern* suffix(uint32_t begin, const ast::Pattern*);
    const ast::Pattern* brackets(bool square);
    const ast::Pattern* keep_brackets(bool square);
    const ast::Pattern* typed(uint32_t begin, const ast::Pattern*);
    const ast::Expr* type_before_assign();
    const ast::Pattern* names();
    const ast::Pattern* parameter();
    ast::Group group();
    ast::List<ast::Group> groups();
    bool is_pattern_ahead(bool square) const;

    // parse_decl.cpp
    void decls(std::vector<const ast::Decl*>&, bool top);
    bool starts_decl(uint32_t ahead = 0) const;
    const ast::Decl* decl(bool top, bool joins);
    void end_decl(ast::Decl*, std::string_view context);
    bool check_top_level(bool top);
    ast::Decl* declaration(bool top);
    ast::Decl* let();
    ast::Decl* rec();
    ast::Decl* fun(bool top);
    ast::Decl* axm();
    ast::Decl* c_decl();
    ast::Decl* rule();
    ast::Decl* import();
    ast::Decl* plugin();
    ast::Decl* ret();
    ast::SubTag subtag();
    ast::Function function(ast::LamForm, std::string_view context = "a function");
    std::string_view doc();
    void module_doc();

    // parse_hint.cpp
    void hint(Diagnostic&, std::string_view expected);
    void hint_operator(Diagnostic&, uint32_t place);
    void hint_negative(Diagnostic&, uint32_t begin, uint32_t end);
    bool is_less() const;
    bool is_bare_block() const;
    bool is_keyword_as_name(std::initializer_list<Tok> followers) const;
    bool is_misused() const;
    void misuse();
    uint32_t dotted() const;
    void skip_dotted(uint32_t end);
    const ast::Expr* dotted_name(uint32_t end);
    bool split_line(const ast::Expr*& value);

    // parse.cpp
    Tok tok(uint32_t ahead = 0) const { return toks_[pos_ + ahead].tok; }
    bool at(Tok t) const { return tok() == t; }
    uint32_t begin() const { return toks_[pos_].begin; }
    /// Whether the next token stands on a later line than the last one.
    bool at_line_start() const { return text_.substr(last_end_, begin() - last_end_).find('\n') != text_.npos; }
    /// The token behind the partner of the bracket at pos_ + ahead; Error if it has none.
    Tok after_bracket(uint32_t ahead = 0) const;
    Span span_from(uint32_t begin) const { return {file_, begin, std::max(begin, last_end_)}; }
    Span span() const { return {file_, toks_[pos_].begin, toks_[pos_].end}; }
    void next();
    bool accept(Tok);
    bool expect(Tok);
    bool split_closer();
    void close(uint32_t opener, Tok);
    void expected(std::string_view what);
    void report(Diag, Span, DiagArgs = {});
    void lex_errors(uint32_t before);
    std::string seen() const;
    void sync();
    bool too_deep();
    Symbol symbol(uint32_t begin, uint32_t end);
    ast::Binder name();
    ast::Binder name_or_annex();
    const ast::Expr* error();

    /// A level of nesting.
    struct Nest {
        explicit Nest(Parser& p)
            : p(p) {
            ++p.depth_;
        }
        ~Nest() { --p.depth_; }
        Parser& p;
    };
    /// Forgets what only holds outside of brackets.
    struct Brackets {
        Brackets(Parser& p, std::string_view context)
            : p(p)
            , context(std::exchange(p.context_, context))
            , in_type(std::exchange(p.in_param_type_, false))
            , in_filter(std::exchange(p.in_filter_, false))
            , no_ret(std::exchange(p.no_ret_, false)) {}
        ~Brackets() {
            p.in_param_type_ = in_type;
            p.in_filter_     = in_filter;
            p.no_ret_        = no_ret;
            p.context_       = context;
        }
        Parser& p;
        std::string_view context;
        bool in_type, in_filter, no_ret;
    };
    template<class T>
    ast::List<T> list(const std::vector<T>& v) {
        return module_.arena.list(v);
    }
    template<class T, class... Args>
    const T* make(uint32_t begin, Args... args) {
        return ast::make<T>(module_.arena, span_from(begin), args...);
    }
    template<class T, class... Args>
    ast::Decl* make_decl(uint32_t begin, Args... args) {
        return ast::make_decl<T>(module_.arena, span_from(begin), args...);
    }

    FileId file_;
    std::string_view text_;
    SymbolTable& symbols_;
    Diagnostics& diags_;
    ParseOptions options_;
    TokenStream toks_;
    ast::Module module_;
    uint32_t pos_             = 0;
    std::string_view context_ = "a file"; ///< what is being read, for diagnostics
    uint32_t last_end_        = 0;        ///< where the last token ended
    Tok last_                 = Tok::Eof;
    uint32_t error_pos_       = kNone; ///< the token that has an error
    uint32_t depth_           = 0;
    uint32_t doc_             = 0;     ///< index of the next comment to look at
    size_t lex_error_         = 0;     ///< index of the next error of the lexer to report
    bool stopped_             = false; ///< nested too deeply: nothing more is reported
    uint64_t misused_         = 0;     ///< keywords that the text took for names, as bits
    bool in_param_type_       = false; ///< `@` ends the type: a filter follows
    bool in_filter_           = false; ///< `:` ends the expression
    bool no_ret_              = false; ///< `=` ends the expression
    /// The last application that goes on behind a line break, and what it was up to there.
    struct Split {
        const ast::Expr *whole = nullptr, *line = nullptr;
        uint32_t next = 0; ///< the first token of the next line
    };
    Split split_;
    struct Known {
        std::string_view text;
        Symbol symbol;
    };
    std::array<Known, 1024> known_{}; ///< recently interned names
};

} // namespace mim
