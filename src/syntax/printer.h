// SPDX-License-Identifier: MIT
// The class behind print() and format(). A node is printed by appending its parts (texts, lines, child nodes) to a sequence,
// which then takes its place on a work list: no recursion, so any depth of nesting prints.
#pragma once
#include <vector>

#include "front/text_layout.h"
#include "syntax/lex.h"
#include "syntax/print.h"

namespace mim {

/// What the formatter knows beyond the tree.
struct SourceComments {
    std::string_view text;
    const std::vector<Comment>* comments;
};

class Printer {
public:
    explicit Printer(PrintOptions options, const SourceComments* source = nullptr)
        : options_(options)
        , source_(source) {}

    std::string module(const ast::Module&);
    std::string expr(const ast::Expr*);
    std::string pattern(const ast::Pattern*);
    std::string decl(const ast::Decl*);

private:
    /// Binding strengths, weakest first.
    enum Level : uint8_t { Open, WhereLevel, Arrow, Inj, Or, And, Comparison, Sum, Product, Prefix, App, Join, Extract, Atom };
    enum Mode : uint8_t { Round, Square }; ///< what a lone name in brackets is: a binder or a type

    struct Item {
        enum Kind : uint8_t { Text, Op, Expr, Pattern, Decl, Inside, Behind, First, Printed } kind;
        uint8_t arg    = 0;     ///< Op: the operation; Expr: the level; Pattern: the mode; Decl: whether a line was begun for it
        bool in_filter = false; ///< a colon would end the expression
        uint32_t pos   = 0;     ///< Inside, Behind: print comments before this position; Printed: all before it is printed
        std::string_view text{};
        const void* node = nullptr;
    };

    // the sequence
    void put(std::string_view s) { seq_.push_back({Item::Text, 0, false, 0, s, nullptr}); }
    void put(TextLayout::Op op) { seq_.push_back({Item::Op, op, false, 0, {}, nullptr}); }
    void put(const ast::Expr* e, Level level) { seq_.push_back({Item::Expr, level, in_filter_, 0, {}, e}); }
    void put(const ast::Pattern* p, Mode mode) { seq_.push_back({Item::Pattern, mode, false, 0, {}, p}); }
    void put(const ast::Decl* d) { seq_.push_back({Item::Decl, 0, false, 0, {}, d}); }
    void put_number(uint64_t);
    void put_name(const ast::Binder& b) { put(b.name ? b.name.view() : std::string_view("_")); }
    void put_inside(Span closed_by_last_byte, uint32_t closer = 1);
    std::string_view spell(std::string_view unicode, std::string_view ascii) const { return options_.ascii ? ascii : unicode; }
    std::string_view keep(std::string s) { return arena_.text(s); }

    // print.cpp
    void run();
    std::string finish();
    void comments_before(uint32_t pos, bool decls);
    void comments_behind(uint32_t pos);
    void gap_before(uint32_t pos);
    static bool is_bare(const ast::Block*);
    Level level(const ast::Expr*, bool in_filter) const;
    Level level(const ast::Operation*) const;

    // print_expr.cpp
    void expand(const ast::Expr*);
    void literal(const ast::IdxLit*);
    void tuple(const ast::Tuple*);
    void sequence(std::string_view open, std::string_view close, const ast::List<ast::Dim>&, const ast::Expr* body, Span);
    static bool hugs(const ast::App*);
    void app(const ast::App*);
    void join(const ast::Union*);
    void operation(const ast::Operation*);
    void prefix(const ast::Operation*);
    void pi(const ast::Pi*);
    void domains(const ast::Pi*, bool indent);
    void unindented(const ast::Expr*, Level);
    void parens(const ast::Expr*);
    void before(const ast::List<const ast::Decl*>&, size_t num, const ast::Expr* body);
    void bare_block(const ast::Expr*);
    void block(const ast::Block*);
    void where(const ast::Where*);
    void where_decls(const ast::Where*);
    void match(const ast::Match*);
    void labels(const ast::Labels*);
    void function(const ast::Function&);
    void body(const ast::Expr*);
    std::string_view quoted(std::string_view bytes, char quote);

    // print_pattern.cpp
    void expand(const ast::Pattern*, Mode);
    void brackets(std::string_view open, std::string_view close, const ast::TuplePattern*, Mode);
    void domain(const ast::Group&, Level);
    void group(const ast::Group&, bool colon_follows);

    // print_decl.cpp
    void expand(const ast::Decl*);
    void doc(std::string_view);
    void decls(const ast::List<const ast::Decl*>&, size_t first, uint32_t end);
    void let(const ast::Let*);
    void axm(const ast::Axm*);
    void c_decl(const ast::CDecl*);
    void rule(const ast::Rule*);
    void ret(const ast::Ret*);

    PrintOptions options_;
    const SourceComments* source_;
    TextLayout out_;
    ast::Arena arena_; ///< texts that the tree does not hold
    std::vector<Item> work_, seq_;
    size_t comment_   = 0;     ///< the next one to print
    uint32_t printed_ = 0;     ///< the end, in the source, of the last declaration or comment
    bool first_       = false; ///< no empty line in front of what comes next
    bool in_filter_   = false; ///< of the node being expanded
};

} // namespace mim
