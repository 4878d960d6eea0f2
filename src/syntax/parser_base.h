// SPDX-License-Identifier: MIT
// The base of the parsers of one kind of text each, which call each other. Their functions are named after what they
// read; each leaves the position behind it. Private to src/syntax.
#pragma once
#include "syntax/parse_errors.h"
#include "syntax/tree_builder.h"

namespace mim {

class ExprParser;
class TypeParser;
class AtomParser;
class PatternParser;
class DeclParser;

/// The state of a parser, and the parsers of each kind of text.
struct Grammar {
    Cursor& cursor;
    ParseContext& context;
    Lookahead& look;
    ParseErrors& errors;
    TreeBuilder& tree;
    Dialect dialect;
    ExprParser& exprs;
    TypeParser& types;
    AtomParser& atoms;
    PatternParser& patterns;
    DeclParser& decls;
};

class ParserBase {
protected:
    explicit ParserBase(const Grammar& grammar)
        : g_(grammar)
        , cursor_(grammar.cursor)
        , context_(grammar.context)
        , look_(grammar.look)
        , errors_(grammar.errors)
        , tree_(grammar.tree) {}

    Tok tok(uint32_t ahead = 0) const { return cursor_.tok(ahead); }
    bool at(Tok t) const { return cursor_.at(t); }
    uint32_t begin() const { return cursor_.begin(); }
    void next() { cursor_.next(); }
    bool accept(Tok t) { return cursor_.accept(t); }
    bool expect(Tok t) { return errors_.expect(t); }
    void expected(std::string_view what) { errors_.expected(what); }
    void close(uint32_t opener, Tok t) { errors_.close(opener, t); }
    template<class T, class... Args>
    const T* make(uint32_t begin, Args... args) {
        return tree_.make<T>(begin, args...);
    }
    template<class T>
    ast::List<T> list(const std::vector<T>& v) {
        return tree_.list(v);
    }
    /// A broken expression at the next token.
    const ast::Expr* error() { return make<ast::Error>(begin()); }
    /// The name that is the next token.
    ast::Binder take_name() {
        ast::Binder b{tree_.symbol(), tree_.place()};
        next();
        return b;
    }

    const Grammar& g_;
    Cursor& cursor_;
    ParseContext& context_;
    Lookahead& look_;
    ParseErrors& errors_;
    TreeBuilder& tree_;
};

} // namespace mim
