// SPDX-License-Identifier: MIT
// The parser of polara.h's grammar. parse_types.cpp reads types and sizes, parse_blocks.cpp blocks and what binds names,
// parse_operations.cpp the rest of expressions, parser.cpp definitions.
#pragma once
#include <string>

#include "front/parser.h"
#include "polara.h"
#include "polara/diagnostics.h"

namespace mim::plug::polara {

/// Types and sizes, which know the names in the braces of the definition.
class TypeParser : protected front::ParserBase {
protected:
    static constexpr uint32_t kMaxBrackets = 30'000;

    TypeParser(FrontEndContext& c, Types& types)
        : ParserBase(c.file, c.text, lexicon(), {.continues = {Then, Else, RParen, RBracket, Comma}}, c.diags)
        , types_(types)
        , text_(c.text) {
        nesting_ = front::Nesting(kMaxBrackets, 3); // an argument in brackets is three levels
    }

    Type* type();
    Polynomial size() { return size_of(&TypeParser::size_sum); }

    /// The result of `inner`, which reads the contents of brackets whose opener is the last token.
    template<class F>
    auto in_brackets(F inner, front::Kind closer = RParen) {
        auto lines  = cursor_.suspend();
        auto opener = cursor_.pos() - 1;
        auto result = inner();
        close(opener, closer);
        return result;
    }
    Span from(uint32_t begin) const { return cursor_.span_from(begin); }

    Types& types_;
    std::vector<SizeName> sizes_; ///< of the definition
    size_t mild_errors_ = 0;      ///< those that keep nothing else from being read and checked

private:
    Type* product();
    Type* atomic_type();
    bool at_size_of_array() const;
    bool names_size(std::string_view) const;
    bool has_arrow_behind_size() const;
    Type* unknown_type();
    Polynomial size_of(Polynomial (TypeParser::*part)());
    Polynomial size_sum();
    Polynomial size_product();
    Polynomial size_atom();
    Polynomial size_name(std::string_view, Span);
    Polynomial size_number(std::string_view, Span);
    /// Reports a size that is wrong, which keeps nothing else from being read and checked.
    template<class Diagnosis>
    Polynomial no_size(const Diagnosis& d, Span span) {
        diags_.report(d, span);
        ++mild_errors_;
        return types_.size_meta();
    }

    std::string_view text_;
};

class Parser : TypeParser {
public:
    Parser(FrontEndContext& c, Program& program, Types& types)
        : TypeParser(c, types)
        , program_(program) {}

    bool file();

private:
    void math_line();
    void def();
    bool at_def() const { return cursor_.raw() == Extern || cursor_.raw() == DefWord; }
    void skip_to_def();
    /// Of a broken definition.
    void skip_rest() {
        while (!at_item_end() && !at_def()) next();
    }
    const std::vector<SizeName>& sizes();
    bool has_twin(std::string_view name, Span);
    std::vector<Local*> parameters();
    size_t names(std::vector<Local*>&);
    void state_type(const std::vector<Local*>&, size_t first);
    std::string_view take_name();

    Expr* block();
    Expr* let();
    struct Pattern {
        std::string_view name;
        Span span;
        std::vector<Pattern> parts;
    };
    Pattern pattern();
    Expr* bind(const Pattern&, Type*, Expr* value, uint32_t begin);
    Expr* expr();
    Expr* function();
    Expr* loop();
    bool at_long_expression() const;
    bool lacks_brackets() const { return at_long_expression() && !(starts_fold_ && at(For)); }
    Expr* without_brackets();
    Expr* nested(uint32_t begin, Expr::Kind, const std::vector<Local*>&, Expr* body, const Expr* each = nullptr);
    Expr* fold();
    Expr* choice();
    bool at_loop_of_sum() const;

    Expr* comparison();
    Expr* sums();
    Expr* products();
    Expr* infix(Expr* left, Expr* (Parser::*operand)());
    Expr* application();
    bool at_argument() const;
    Expr* postfix();
    Expr* projections(Expr*);
    std::string_view projected(uint32_t dot) const;
    Expr* atom();
    Expr* brackets();
    Expr* number(bool is_negative, uint32_t begin);
    std::vector<Expr*> list(front::Kind closer, bool has_blocks);

    bool is_adjacent() const { return cursor_.begin() == cursor_.last_end(); }
    Expr* make(Expr e) { return &program_.exprs.emplace_back(std::move(e)); }
    Expr* nothing() { return make({.kind = Expr::Broken, .span = cursor_.span()}); }
    Expr* broken(std::string_view what) {
        expected(what);
        return nothing();
    }
    Local* local(Span span, std::string_view name) { return &program_.locals.emplace_back(Local{.name = name, .span = span}); }
    /// The name that is next.
    Local* local() {
        auto span = cursor_.span();
        return local(span, take_name());
    }
    /// The name of an index, with the size that may stand behind it.
    Local* index() {
        auto name = local();
        if (accept(Colon)) name->type = types_.fin(size());
        return name;
    }

    Program& program_;
    bool starts_fold_ = false; ///< `for` is expected
};

} // namespace mim::plug::polara
