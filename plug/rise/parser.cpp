// SPDX-License-Identifier: MIT
// Text to trees. Types are read by the same functions as expressions, since an argument may be either.
#include <filesystem>
#include <map>
#include <string>

#include "front/parser.h"
#include "rise.h"
#include "strategy.h"

namespace mim::plug::rise {

static front::Lexicon make_lexicon() {
    front::Lexicon l;
    l.words          = {{"import", Import}, {"export", Export}, {"def", DefWord}, {"by", By},      {"strategy", StrategyWord},
                        {"fun", Fun},       {"depFun", DepFun}, {"where", Where}, {"let", Let},    {"if", If},
                        {"then", Then},     {"else", Else},     {"true", True},   {"false", False}};
    l.symbols        = {{"=", Equals},       {":", Colon},  {";", Semicolon},  {",", Comma},       {".", Dot},    {"->", Arrow},
                        {"=>", DoubleArrow}, {"@", At},     {"?", Question},   {"|", Bar},         {"-", Minus},  {"!", Bang},
                        {"^", Caret},        {"<", Less},   {"<=", LessEqual}, {"==", EqualEqual}, {"+", Infix},  {"*", Infix},
                        {"/", Infix},        {"%", Infix},  {">", Infix},      {">=", Infix},      {"!=", Infix}, {"&&", Infix},
                        {"||", Infix},       {">>", Infix}, {"|>", Infix},     {";;", Other},      {"<+", Other}, {"`", Other}};
    l.brackets       = {{"(", LParen, ")", RParen}, {"[", LBracket, "]", RBracket}, {"{", LBrace, "}", RBrace}};
    l.line_comments  = {"//"};
    l.block_comments = {{"/*", "*/"}};
    l.doc_comment    = "///";
    l.has_suffixes   = true;
    return l;
}

const front::Lexicon& lexicon() {
    static const front::Lexicon table = make_lexicon();
    return table;
}

namespace {

using front::ParserBase;

struct OperatorRow {
    std::string_view text, primitive;
    int precedence;
};
constexpr OperatorRow kOperators[] = {
    {"*", "mul", 7}, {"/", "div", 7},  {"%", "mod", 7}, {"+", "add", 6}, {"-", "sub", 6},
    {"<", "lt", 5},  {"<=", "le", 5},  {">", "gt", 5},  {">=", "ge", 5}, {"==", "eq", 5},
    {"!=", "ne", 5}, {"&&", "and", 4}, {"||", "or", 3}, {">>", "", 2},   {"|>", "", 1},
};

/// The files of a program, each of which is read once.
struct Files {
    FrontEndContext& context;
    std::map<std::string, bool> is_read; ///< false: it is being read
};

class Parser : ParserBase {
public:
    Parser(FileId file, std::string_view text, Program& program, Diagnostics& diags)
        : ParserBase(file, text, lexicon(), {}, diags)
        , program_(program) {
        nesting_ = front::Nesting(kMaxNesting);
        for (auto& row : kOperators) operators_.declare(row.text, {front::Fixity::Left, row.precedence});
        operators_.declare("^", {front::Fixity::Left, 8});
        for (auto op : {"*", "/", "%"}) sizes_.declare(op, {front::Fixity::Left, 7});
        for (auto op : {"+", "-"}) sizes_.declare(op, {front::Fixity::Left, 6});
        sizes_.declare("^", {front::Fixity::Left, 8});
    }

    void file();
    /// The same, with the files that it imports from beside this path.
    void file(Files& files, std::string path) {
        files_ = &files;
        path_  = std::move(path);
        file();
    }
    Expr* type();

private:
    void import_file();
    std::string imported(const std::string& path);
    void def();
    void strategy();
    Strategy::Parameter parameter();
    Span strategy_text(bool is_by);
    Expr* expr() { return infixes(operators_); }
    Expr* size() { return infixes(sizes_); }
    Expr* infixes(const front::OperatorTable&);
    Expr* combined(const front::Infix&, Expr* left, Expr* right);
    Expr* prefix();
    Expr* postfix();
    Expr* size_function();
    Expr* argument();
    Expr* atom();
    Expr* function();
    Expr* dependent();
    void binders(std::vector<Local*>&);
    std::optional<Sort> kind();
    void facts(Expr&);
    Expr* let();
    Expr* choice();
    Expr* brackets();
    Expr* bracketed_type(Expr::Kind, uint32_t begin);
    Expr* arrow(Expr* left);
    bool at_binder() const;
    Expr* dependent_type();

    Span from(uint32_t begin) const { return cursor_.span_from(begin); }
    Expr* make(Expr e) { return &program_.exprs.emplace_back(std::move(e)); }
    Expr* broken(std::string_view what) {
        expected(what);
        return make({.kind = Expr::Broken, .span = cursor_.span()});
    }
    Expr* apply(Span span, Expr* f, Expr* x) { return make({.kind = Expr::Apply, .span = span, .parts = {f, x}}); }
    Local* local() {
        auto name = &program_.locals.emplace_back(Local{.name = cursor_.word(), .span = cursor_.span()});
        if (!expect(front::Name)) name->name = "_";
        return name;
    }

    Program& program_;
    Files* files_ = nullptr; ///< null: what is read is no file
    std::string path_;
    front::OperatorTable operators_, sizes_;
};

// ---- definitions

void Parser::file() {
    while (!at(front::End)) {
        reading = "a file";
        if (at(StrategyWord)) {
            strategy();
        } else if (at(DefWord) || at(Export)) {
            def();
        } else if (at(Import)) {
            import_file();
        } else {
            expected("`def`, `export` or `strategy`");
            next();
            while (!at(DefWord) && !at(Export) && !at(StrategyWord) && !at(front::End)) next();
        }
    }
}

/// The file's declarations are known from here on. Returns nothing, or the reason why it cannot be read.
std::string Parser::imported(const std::string& path) {
    auto known = files_->is_read.find(path);
    if (known != files_->is_read.end()) return known->second ? "" : "`" + path + "` imports itself";
    auto file = files_->context.open(path);
    if (!file) return "`" + path + "` cannot be read";
    bool is_rise = std::filesystem::path(path).extension() == ".rise";
    if (!is_rise) return "`" + path + "` is no file in RISE";
    files_->is_read[path] = false;
    Parser(*file, diags_.sources().text(*file), program_, diags_).file(*files_, path);
    files_->is_read[path] = true;
    return {};
}

void Parser::import_file() {
    next();
    auto place   = cursor_.span();
    auto written = cursor_.word();
    if (!expect(front::String) || !files_) return;
    auto name = std::filesystem::path(written.substr(1, written.size() - 2));
    auto path = (std::filesystem::path(path_).parent_path() / name).lexically_normal();
    auto why  = imported(path.string());
    if (!why.empty()) diags_.report(Diag::front_end_failed, place, {std::string("rise"), why});
}

void Parser::def() {
    reading = "a definition";
    Definition def;
    def.is_exported = accept(Export);
    expect(DefWord);
    def.name_span = cursor_.span();
    def.name      = cursor_.word();
    expect(front::Name);
    if (accept(Colon)) def.declared = type();
    if (accept(By)) def.strategy = strategy_text(true);
    expect(Equals);
    def.body = expr();
    program_.defs.push_back(std::move(def));
    bool is_over = at(DefWord) || at(Export) || at(StrategyWord) || at(Import) || at(front::End);
    if (is_over) return;
    expected("the end of the definition");
    while (!at(DefWord) && !at(Export) && !at(StrategyWord) && !at(front::End)) next();
}

/// A strategy ends at the `=` of its definition, or at the `;` before the next declaration.
Span Parser::strategy_text(bool is_by) {
    auto begin   = cursor_.begin();
    auto is_over = [&] {
        if (at(front::End)) return true;
        if (is_by) return at(Equals);
        auto after = tok(1);
        return at(Semicolon)
               && (after == DefWord || after == Export || after == StrategyWord || after == Import || after == front::End);
    };
    if (is_over()) expected("a strategy");
    while (!is_over()) next();
    return from(begin);
}

Strategy::Parameter Parser::parameter() {
    Strategy::Parameter p{.name = cursor_.word(), .kind = {}};
    expect(front::Name);
    expect(Colon);
    bool is_list    = accept(LBracket);
    auto word       = cursor_.word();
    bool is_sort    = word == "Nat" || (!is_list && (word == "Strategy" || word == "AddrSp"));
    bool is_allowed = at(front::Name) && is_sort;
    p.kind          = is_list ? "[Nat]" : word;
    if (is_allowed) next();
    else expected("a kind: `Strategy`, `Nat`, `[Nat]` or `AddrSp`");
    if (is_list && is_allowed) expect(RBracket);
    return p;
}

void Parser::strategy() {
    reading = "a strategy";
    next();
    Strategy s;
    s.name = cursor_.word();
    expect(front::Name);
    if (accept(LParen)) bracketed(Comma, RParen, [&] { s.parameters.push_back(parameter()); });
    if (expect(Equals)) {
        s.place = strategy_text(false);
        expect(Semicolon);
    }
    program_.strategies.push_back(s);
}

// ---- expressions

Expr* Parser::combined(const front::Infix& op, Expr* left, Expr* right) {
    auto span = left->span.join(right->span);
    if (op.text == ">>") return make({.kind = Expr::Compose, .span = span, .parts = {left, right}});
    if (op.text == "|>") {
        auto e     = apply(span, right, left);
        e->is_pipe = true;
        return e;
    }
    std::string_view name = "pow";
    for (auto& row : kOperators)
        if (row.text == op.text) name = row.primitive;
    auto word   = make({.kind = Expr::Word, .span = op.span, .text = name});
    auto e      = apply(span, apply(span, word, left), right);
    e->is_infix = true;
    return e;
}

Expr* Parser::infixes(const front::OperatorTable& table) {
    auto combine = [&](const front::Infix& op, Expr* a, Expr* b) { return combined(op, a, b); };
    front::Infixes<Expr*> all(prefix());
    while (auto op = infix(table)) {
        next();
        all.add(*op, prefix(), combine);
    }
    return all.finish(combine);
}

Expr* Parser::prefix() {
    front::Nesting::Level nest(nesting_);
    if (too_deep()) return make({.kind = Expr::Broken, .span = cursor_.span()});
    bool is_minus = at(Minus);
    if (!is_minus && !at(Bang)) return postfix();
    auto op = make({.kind = Expr::Word, .span = cursor_.span(), .text = is_minus ? "neg" : "not"});
    next();
    auto operand = prefix();
    return apply(op->span.join(operand->span), op, operand);
}

/// `i => n - 1 - i`
Expr* Parser::size_function() {
    auto begin = cursor_.begin();
    auto x     = local();
    x->is_dep  = true;
    expect(DoubleArrow);
    auto body = size();
    return make({.kind = Expr::NatFun, .span = from(begin), .parts = {body}, .binder = x});
}

Expr* Parser::argument() {
    if (at(front::Name) && tok(1) == DoubleArrow) return size_function();
    auto e = at_binder() || at(LBrace) ? dependent_type() : expr();
    return at(Arrow) ? arrow(e) : e;
}

Expr* Parser::postfix() {
    auto e = atom();
    while (true) {
        auto begin = e->span.begin;
        if (accept(LParen)) {
            if (at(RParen)) expected("an argument");
            bracketed(Comma, RParen, [&] { e = apply({}, e, argument()), e->span = e->parts[1]->span; });
            for (auto p = e; p->kind == Expr::Apply && p->span.begin != begin; p = p->parts[0]) p->span = from(begin);
        } else if (accept(At)) {
            auto arg = atom();
            e        = make({.kind = Expr::Implicit, .span = from(begin), .parts = {e, arg}});
        } else if (at(Dot) && tok(1) == front::Float) { // e.1.2
            next();
            for (char c : cursor_.word())
                if (c != '.')
                    e = make({.kind = c == '1' ? Expr::First : Expr::Second, .span = cursor_.span_from(begin), .parts = {e}});
            next();
            e->span = from(begin);
        } else if (at(Dot) && tok(1) == front::Integer && (cursor_.word(1) == "1" || cursor_.word(1) == "2")) {
            next();
            auto kind = cursor_.word() == "1" ? Expr::First : Expr::Second;
            next();
            e = make({.kind = kind, .span = from(begin), .parts = {e}});
        } else if (accept(Dot)) { // n.dt
            auto elem = postfix();
            e         = make({.kind = Expr::ArrayType, .span = from(begin), .parts = {e, elem}});
        } else {
            return e;
        }
    }
}

Expr* Parser::atom() {
    auto at_   = cursor_.span();
    auto word  = cursor_.word();
    auto begin = cursor_.begin();
    if (accept(front::Name)) {
        bool is_square = at(LBracket);
        if (is_square && word == "Array") return bracketed_type(Expr::ArrayType, begin);
        if (is_square && word == "Tuple") return bracketed_type(Expr::PairType, begin);
        if (is_square && word == "Idx") return bracketed_type(Expr::IdxType, begin);
        if (is_square && word == "Vec") return bracketed_type(Expr::VecType, begin);
        return make({.kind = Expr::Name, .span = at_, .text = word});
    }
    if (accept(front::Integer)) return make({.kind = Expr::Integer, .span = at_, .text = word});
    if (accept(front::Float)) return make({.kind = Expr::Float, .span = at_, .text = word});
    if (accept(True) || accept(False)) return make({.kind = Expr::Bool, .span = at_, .text = word});
    if (accept(Question)) return make({.kind = Expr::Hole, .span = at_});
    if (at(Fun)) return function();
    if (at(DepFun)) return dependent();
    if (at(Let)) return let();
    if (at(If)) return choice();
    if (accept(LParen)) return brackets();
    if (accept(LBracket)) {
        Expr e{.kind = Expr::Array, .span = at_};
        bracketed(Comma, RBracket, [&] { e.parts.push_back(expr()); });
        e.span = from(begin);
        return make(std::move(e));
    }
    return broken("an expression");
}

Expr* Parser::function() {
    auto begin = cursor_.begin();
    next();
    auto opener = cursor_.pos();
    if (!expect(LParen)) return make({.kind = Expr::Broken, .span = from(begin)});
    std::vector<Local*> parameters;
    bool has_own = accept(LParen); // fun((x, y) => e)
    do {
        parameters.push_back(local());
        if (accept(Colon)) parameters.back()->declared = type();
    } while (accept(Comma));
    if (has_own) expect(RParen);
    expect(DoubleArrow);
    auto e = expr();
    close(opener, RParen);
    for (size_t i = parameters.size(); i-- != 0;)
        e = make({.kind = Expr::Fun, .span = from(begin), .parts = {e}, .binder = parameters[i]});
    return e;
}

std::optional<Sort> Parser::kind() {
    auto word = cursor_.word();
    if (!at(front::Name)) {
        expected("a kind: `Nat`, `DataType`, `AddrSp` or `Nat -> Nat`");
        return {};
    }
    std::optional<Sort> sort;
    if (word == "Nat") sort = Sort::Nat;
    if (word == "DataType") sort = Sort::Data;
    if (word == "AddrSp") sort = Sort::Space;
    if (!sort) expected("a kind: `Nat`, `DataType`, `AddrSp` or `Nat -> Nat`");
    next();
    bool is_function = at(Arrow) && sort == Sort::Nat;
    if (!is_function) return sort;
    next();
    bool is_nat = at(front::Name) && cursor_.word() == "Nat";
    if (is_nat) next();
    else expected("`Nat`, which functions of sizes make");
    return Sort::NatFun;
}

void Parser::binders(std::vector<Local*>& all) {
    size_t first = all.size();
    while (true) {
        auto x    = local();
        x->is_dep = true;
        all.push_back(x);
        if (accept(Comma)) continue;
        expect(Colon);
        auto sort = kind();
        for (; first != all.size(); ++first) all[first]->sort = sort.value_or(Sort::Nat);
        bool goes_on = at(Comma) && tok(1) == front::Name;
        if (!goes_on) return;
        next();
    }
}

void Parser::facts(Expr& e) {
    do {
        auto begin = cursor_.begin();
        auto left  = size();
        auto op    = tok();
        auto kind  = Fact::Divides;
        if (op == LessEqual) kind = Fact::AtMost;
        if (op == Less) kind = Fact::Less;
        if (op == EqualEqual) kind = Fact::Equal;
        bool is_op    = op == Bar || op == LessEqual || op == Less || op == EqualEqual;
        bool is_other = op == Infix; // `>=`, say: one error is enough, so the rest is read
        if (!is_op) expected("`|`, `<=`, `<` or `==`");
        if (!is_op && !is_other) return;
        next();
        auto right = size();
        if (is_op) e.facts.push_back({kind, left, right, from(begin)});
    } while (accept(Comma));
}

Expr* Parser::dependent() {
    auto begin = cursor_.begin();
    next();
    auto opener = cursor_.pos();
    if (!expect(LParen)) return make({.kind = Expr::Broken, .span = from(begin)});
    std::vector<Local*> parameters;
    bool has_own = accept(LParen);
    binders(parameters);
    if (has_own) expect(RParen);
    Expr last{.kind = Expr::DepFun, .span = {}};
    if (accept(Where)) facts(last);
    expect(DoubleArrow);
    auto e = expr();
    close(opener, RParen);
    for (size_t i = parameters.size(); i-- != 0;) {
        auto inner = e;
        e          = make({.kind = Expr::DepFun, .span = from(begin), .parts = {inner}, .binder = parameters[i]});
        if (i + 1 == parameters.size()) e->facts = std::move(last.facts);
    }
    return e;
}

Expr* Parser::let() {
    auto begin = cursor_.begin();
    next();
    auto x = local();
    expect(Equals);
    auto value = expr();
    expect(Semicolon);
    auto body = expr();
    return make({.kind = Expr::Let, .span = from(begin), .parts = {value, body}, .binder = x});
}

Expr* Parser::choice() {
    auto begin = cursor_.begin();
    next();
    auto c = expr();
    expect(Then);
    auto holds = expr();
    expect(Else);
    auto fails = expr();
    return make({.kind = Expr::If, .span = from(begin), .parts = {c, holds, fails}});
}

/// `(e)`, `(e, e)` or `(e : type)`; the bracket is the last token.
Expr* Parser::brackets() {
    auto opener = cursor_.pos() - 1;
    auto begin  = cursor_.begin() - 1;
    auto e      = argument();
    if (accept(Comma)) {
        auto second = argument();
        close(opener, RParen);
        return make({.kind = Expr::Pair, .span = from(begin), .parts = {e, second}});
    }
    if (accept(Colon)) {
        auto t = type();
        close(opener, RParen);
        return make({.kind = Expr::Ascribe, .span = from(begin), .parts = {e, t}});
    }
    close(opener, RParen);
    e->span = from(begin);
    return e;
}

// ---- types

Expr* Parser::bracketed_type(Expr::Kind kind, uint32_t begin) {
    next();
    auto opener = cursor_.pos() - 1;
    Expr e{.kind = kind, .span = {}};
    e.parts.push_back(kind == Expr::PairType ? type() : size());
    if (kind != Expr::IdxType && expect(Comma)) e.parts.push_back(type());
    close(opener, RBracket);
    e.span = from(begin);
    return make(std::move(e));
}

/// A name and its kind.
bool Parser::at_binder() const {
    if (!at(LParen) || tok(1) != front::Name || tok(2) != Colon) return false;
    auto word = cursor_.word(3);
    return word == "Nat" || word == "DataType" || word == "AddrSp";
}

Expr* Parser::dependent_type() {
    auto begin       = cursor_.begin();
    bool is_implicit = at(LBrace);
    auto opener      = cursor_.pos();
    next();
    auto x         = local();
    x->is_dep      = true;
    x->is_implicit = is_implicit;
    expect(Colon);
    x->sort       = kind().value_or(Sort::Nat);
    bool is_given = x->sort == Sort::NatFun || x->sort == Sort::Space;
    if (is_implicit && is_given) expected("a kind that is inferred: functions of sizes and address spaces are given");
    close(opener, is_implicit ? RBrace : RParen);
    expect(Arrow);
    auto rest = type();
    return make({.kind = Expr::DepArrow, .span = from(begin), .parts = {rest}, .binder = x});
}

Expr* Parser::arrow(Expr* left) {
    next();
    auto right = type();
    return make({.kind = Expr::Arrow, .span = left->span.join(right->span), .parts = {left, right}});
}

Expr* Parser::type() {
    front::Nesting::Level nest(nesting_);
    if (too_deep()) return make({.kind = Expr::Broken, .span = cursor_.span()});
    if (at_binder() || at(LBrace)) return dependent_type();
    auto left = postfix();
    return at(Arrow) ? arrow(left) : left;
}

} // namespace

bool parse(FrontEndContext& c, Program& program) {
    auto path = std::filesystem::path(c.path).lexically_normal().string();
    Files files{c, {{path, false}}};
    Parser(c.file, c.text, program, c.diags).file(files, path);
    return c.diags.num_errors() == 0;
}

void parse_library(Diagnostics& diags, Program& program, FileId file) {
    Parser(file, diags.sources().text(file), program, diags).file();
}

Expr* parse_type(std::string_view text, Program& program) {
    SourceManager none;
    Diagnostics quiet(none);
    return Parser({}, text, program, quiet).type();
}

} // namespace mim::plug::rise
