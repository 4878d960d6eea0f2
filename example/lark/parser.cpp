// SPDX-License-Identifier: MIT
// Reads a file into the tree of a Mim program; each node has the place of the text that it stands for.
#include <map>
#include <string>
#include <vector>

#include "front/parser.h"
#include "lark.h"
#include "syntax/build.h"

namespace lark {

using mim::Span;
using mim::ast::Builder;
using mim::ast::Decl;
using mim::ast::Expr;
using namespace mim::front;

namespace {

/// An operator of the language itself: an axiom of integers, or one of the two that evaluate their right side only if they need it.
struct BuiltIn {
    std::string_view op;
    Fixity fixity;
    std::string_view axiom; ///< empty: lazy
    bool has_mode = false;  ///< whether the axiom takes what happens to a result that does not fit
};
constexpr BuiltIn kBuiltIns[] = {
    {"*", {Fixity::Left, 7}, "%core.wrap.mul", true},
    {"+", {Fixity::Left, 6}, "%core.wrap.add", true},
    {"-", {Fixity::Left, 6}, "%core.wrap.sub", true},
    {"==", {Fixity::Neither, 4}, "%core.icmp.e"},
    {"!=", {Fixity::Neither, 4}, "%core.icmp.ne"},
    {"<", {Fixity::Neither, 4}, "%core.icmp.sl"},
    {"<=", {Fixity::Neither, 4}, "%core.icmp.sle"},
    {">", {Fixity::Neither, 4}, "%core.icmp.sg"},
    {">=", {Fixity::Neither, 4}, "%core.icmp.sge"},
    {"&&", {Fixity::Right, 3}, {}},
    {"||", {Fixity::Right, 2}, {}},
};
constexpr uint64_t kNoSignedWrap  = 1;
constexpr unsigned kBits          = 32;
constexpr uint64_t kMaxPrecedence = 9;

class Parser : ParserBase {
public:
    explicit Parser(mim::FrontEndContext& c)
        : ParserBase(c.file, c.text, lexicon(), {.continues = {Then, Else, In, RParen, Comma}}, c.diags)
        , tree_(c.file, c.symbols) {
        for (auto& op : kBuiltIns) operators_.declare(op.op, op.fixity);
    }

    std::optional<mim::FrontEndProgram> file();

private:
    void item();
    void type_alias();
    void fixity();
    void function();
    std::optional<Fixity> declared_fixity();

    Builder::Params params();
    Builder::Param param();

    const Expr* type();
    const Expr* atomic_type();

    const Expr* expr();
    const Expr* let();
    const Expr* choice();
    const Expr* choose(Span at, const Expr* condition, const Expr* then, const Expr* otherwise);
    const Expr* lambda();
    const Expr* infixes();
    const Expr* operand();
    const Expr* calls(uint32_t begin, const Expr* callee);
    const Expr* atom();
    Builder::Exprs arguments(std::string_view what);
    const Expr* apply(const Infix& op, const Expr* left, const Expr* right);
    const Expr* arithmetic(Span at, std::string_view axiom, bool has_mode, const Builder::Exprs& args);
    const Expr* number();
    const Expr* broken(std::string_view what);

    Span from(uint32_t begin) const { return cursor_.span_from(begin); }
    std::string_view take_name();

    Builder tree_;
    OperatorTable operators_;
    std::map<std::string, std::string_view, std::less<>> functions_; ///< that declared operators stand for
    Decl* last_function_ = nullptr;
};

std::optional<mim::FrontEndProgram> Parser::file() {
    tree_.plugin("lark");
    auto block = cursor_.open(1);
    while (!at(Close)) {
        item();
        if (at(Close)) break;
        if (!at(Item)) {
            expected("a declaration at the start of a line");
            skip_item();
        }
        accept(Item);
    }
    if (has_errors()) return {};
    return tree_.finish();
}

void Parser::item() {
    if (at(Def)) return function();
    if (at(Type)) return type_alias();
    if (at(InfixL) || at(InfixR) || at(InfixN)) return fixity();
    expected("`def`, `type` or `infix`");
    skip_item();
}

std::string_view Parser::take_name() {
    auto name = cursor_.word();
    return expect(Name) ? name : "_";
}

void Parser::type_alias() {
    reading    = "a type";
    auto begin = cursor_.begin();
    next();
    auto name_at = cursor_.span();
    auto name    = take_name();
    expect(Equals);
    auto meaning = type();
    tree_.add(tree_.let(from(begin), name_at, name, meaning));
    last_function_ = nullptr;
}

/// The side and the number; nothing after a report.
std::optional<Fixity> Parser::declared_fixity() {
    auto side = at(InfixL) ? Fixity::Left : at(InfixR) ? Fixity::Right : Fixity::Neither;
    next();
    auto number = integer_value(cursor_.word());
    if (at(Integer) && number && *number <= kMaxPrecedence) {
        next();
        return Fixity{side, static_cast<int>(*number)};
    }
    expected("a precedence from 0 to 9");
    return {};
}

void Parser::fixity() {
    reading     = "a fixity";
    auto fixity = declared_fixity();
    auto op     = cursor_.word();
    auto op_at  = cursor_.span();
    if (!fixity || !expect(Operator) || !expect(Equals)) return skip_item();
    auto function = cursor_.word();
    if (!expect(Name)) return skip_item();
    if (operators_.declare(op, *fixity)) functions_.emplace(op, function);
    else diags_.report(mim::Diag::redefined, op_at, {std::string(op)});
}

/// Functions in a row know each other.
void Parser::function() {
    reading    = "a function";
    auto begin = cursor_.begin();
    auto doc   = cursor_.tokens().doc_of(cursor_.pos(), cursor_.text());
    next();
    auto name_at = cursor_.span();
    auto name    = take_name();
    Builder::Head head{.groups = {params()}};
    if (expect(Colon)) head.codomain = type();
    expect(Equals);
    auto body = expr();
    if (!at_item_end()) {
        expected("the end of the function");
        skip_item();
    }
    bool is_main = name == "main";
    head.form    = is_main ? mim::ast::LamForm::Fun : mim::ast::LamForm::Lam;
    if (is_main) body = tree_.app(body->span, tree_.name(body->span, "return"), body);
    else head.filter = tree_.boolean(name_at, false);
    auto decl = tree_.function(from(begin), name_at, name, head, body, is_main);
    tree_.document(decl, doc);
    if (last_function_) Builder::join(decl);
    tree_.add(last_function_ = decl);
}

Builder::Param Parser::param() {
    auto at   = cursor_.span();
    auto name = take_name();
    expect(Colon);
    return {at, name, type()};
}

Builder::Params Parser::params() {
    Builder::Params params;
    if (expect(LParen)) bracketed(Comma, RParen, [&] { params.push_back(param()); });
    return params;
}

const Expr* Parser::broken(std::string_view what) {
    expected(what);
    return tree_.error(cursor_.span());
}

// ---- types

const Expr* Parser::type() {
    Nesting::Level nest(nesting_);
    if (too_deep()) return tree_.error(cursor_.span());
    auto begin  = cursor_.begin();
    auto domain = atomic_type();
    if (!accept(Arrow)) return domain;
    auto codomain = type();
    return tree_.arrow(from(begin), {domain}, codomain);
}

const Expr* Parser::atomic_type() {
    auto at = cursor_.span();
    if (accept(LParen)) {
        Builder::Exprs elems;
        bracketed(Comma, RParen, [&] { elems.push_back(type()); });
        return elems.size() == 1 ? elems[0] : tree_.tuple_type(from(at.begin), elems);
    }
    auto word = cursor_.word();
    if (!accept(Name)) return broken("a type");
    if (word == "Int") return tree_.integer_type(at, kBits);
    if (word == "Bool") return tree_.prim(at, mim::ast::PrimKind::Bool);
    return tree_.name(at, word);
}

// ---- expressions

const Expr* Parser::expr() {
    Nesting::Level nest(nesting_);
    if (too_deep()) return tree_.error(cursor_.span());
    if (at(Let)) return let();
    if (at(If)) return choice();
    if (at(Backslash)) return lambda();
    return infixes();
}

const Expr* Parser::let() {
    auto begin = cursor_.begin();
    next();
    std::vector<Decl*> decls;
    {
        auto block = cursor_.open();
        while (at(Name)) {
            auto at   = cursor_.span();
            auto name = take_name();
            expect(Equals);
            auto value = expr();
            decls.push_back(tree_.let(from(at.begin), at, name, value));
            if (!accept(Item)) break;
        }
    } // whatever is next is behind the block
    if (!expect(In)) return tree_.error(from(begin));
    auto body = expr();
    return tree_.block(from(begin), decls, body);
}

const Expr* Parser::choice() {
    auto begin = cursor_.begin();
    next();
    auto condition = expr();
    expect(Then);
    auto then = expr();
    expect(Else);
    auto otherwise = expr();
    return choose(from(begin), condition, then, otherwise);
}

const Expr* Parser::choose(Span at, const Expr* condition, const Expr* then, const Expr* otherwise) {
    auto chosen = tree_.app(at, tree_.annex(condition->span, "%lark.choose"), condition);
    return tree_.call(at, chosen, {then, otherwise});
}

const Expr* Parser::lambda() {
    auto begin = cursor_.begin();
    next();
    auto name_at = cursor_.span();
    auto name    = take_name();
    expect(Colon);
    Builder::Param parameter{name_at, name, atomic_type()};
    expect(Arrow);
    auto body = expr();
    return tree_.lambda(from(begin), {.groups = {{parameter}}, .filter = tree_.boolean(name_at, false)}, body);
}

const Expr* Parser::infixes() {
    auto combine = [&](auto& op, auto left, auto right) { return apply(op, left, right); };
    Infixes<const Expr*> all(operand());
    while (at(Operator)) {
        auto op = infix(operators_);
        if (!op) {
            diags_.report(mim::Diag::unknown_name, cursor_.span(), {std::string(cursor_.word())});
            skip_item();
            break;
        }
        next();
        if (auto before = all.add(*op, operand(), combine)) ambiguous(*before, *op);
    }
    return all.finish(combine);
}

const Expr* Parser::apply(const Infix& op, const Expr* left, const Expr* right) {
    auto at = left->span.join(right->span);
    if (op.text == "&&") return choose(at, left, right, tree_.boolean(op.span, false));
    if (op.text == "||") return choose(at, left, tree_.boolean(op.span, true), right);
    for (auto& built_in : kBuiltIns)
        if (built_in.op == op.text) return arithmetic(at, built_in.axiom, built_in.has_mode, {left, right});
    auto function = functions_.find(op.text);
    return tree_.call(at, tree_.name(op.span, function->second), {left, right});
}

const Expr* Parser::arithmetic(Span at, std::string_view axiom, bool has_mode, const Builder::Exprs& args) {
    auto callee = tree_.annex(at, axiom);
    if (has_mode) callee = tree_.app(at, callee, tree_.nat(at, kNoSignedWrap));
    return tree_.call(at, callee, args);
}

const Expr* Parser::operand() {
    Nesting::Level nest(nesting_);
    if (too_deep()) return tree_.error(cursor_.span());
    auto at = cursor_.span();
    if (accept(Not)) {
        auto value = operand();
        return choose(from(at.begin), value, tree_.boolean(at, false), tree_.boolean(at, true));
    }
    if (this->at(Operator) && cursor_.word() == "-") {
        next();
        auto value = operand();
        return arithmetic(from(at.begin), "%core.wrap.sub", true, {tree_.integer(at, 0, kBits), value});
    }
    return calls(at.begin, atom());
}

const Expr* Parser::calls(uint32_t begin, const Expr* callee) {
    while (true) {
        if (at(LParen)) {
            auto args = arguments("the arguments of a call");
            callee    = tree_.call(from(begin), callee, args);
        } else if (accept(Dot)) {
            auto index = integer_value(cursor_.word());
            if (!at(Integer) || !index || *index == 0) return broken("the number of an element, from 1 on");
            next();
            callee = tree_.element(from(begin), callee, *index - 1);
        } else {
            return callee;
        }
    }
}

Builder::Exprs Parser::arguments(std::string_view what) {
    auto around = std::exchange(reading, what);
    Builder::Exprs args;
    next();
    bracketed(Comma, RParen, [&] { args.push_back(expr()); });
    reading = around;
    return args;
}

const Expr* Parser::atom() {
    auto at   = cursor_.span();
    auto word = cursor_.word();
    if (accept(Name)) return tree_.name(at, word);
    if (this->at(Integer)) return number();
    if (accept(True)) return tree_.boolean(at, true);
    if (accept(False)) return tree_.boolean(at, false);
    if (!this->at(LParen)) return broken("an expression");
    auto elems = arguments("a tuple");
    return tree_.tuple(from(at.begin), elems);
}

const Expr* Parser::number() {
    auto at    = cursor_.span();
    auto text  = std::string(cursor_.word());
    auto value = integer_value(text);
    next();
    if (value && *value < uint64_t(1) << (kBits - 1)) return tree_.integer(at, *value, kBits);
    diags_.report(mim::Diag::literal_misfit, at, {text, "Int", "the largest value is 2147483647"});
    return tree_.error(at);
}

} // namespace

std::optional<mim::FrontEndProgram> read(mim::FrontEndContext& c) { return Parser(c).file(); }

} // namespace lark
