// SPDX-License-Identifier: MIT
// The text of MIL to definitions of a program.
#include <algorithm>

#include "mil/diagnostics.h"
#include "primitives.h"
#include "reader.h"

namespace mim::plug::mil {

namespace {

class MilParser : Reader {
public:
    MilParser(Reading& r, File& file, std::string_view text)
        : Reader(r, file, text)
        , p_(r.source.program)
        , is_root_(r.open.size() == 1) {}

    void file();

private:
    using Table = std::map<std::string, uint32_t>;
    using Vars  = std::vector<uint32_t>;

    void definition();
    void primitive();
    void block_definition(const Word&);
    void closure_definition(const Word&);
    void top_definition(const Word&);
    void curried(const Word&, uint32_t top);
    void signature(const Word&);
    TypeExpr* stored_types();
    TypeExpr* arrow(TypeExpr* domain, TypeExpr* range);
    void take_signatures();
    void check_defined();
    void export_tops();

    Code code();
    bool statement(Code&, bool& is_over);
    void branches(Code&);
    void cases(Code&);
    Tail tail();
    Tail con_tail(Tail t);
    Jump jump();
    Atom atom();
    Atoms atoms(front::Kind closer);
    Atoms one_or_more();
    Vars bindings(front::Kind closer, bool may_discard);
    Vars left_side();
    uint32_t variable_named(const Word&);
    uint32_t con(const Word&);

    /// The index of what has this name; a definition without content if it comes later.
    template<class Def>
    uint32_t reference(Table File::* table, std::vector<Def>& defs, const Word& w) {
        if (auto found = find_mil(file_, table, w.text)) return *found;
        Def def;
        def.name                      = w.text;
        def.at                        = w.at;
        return (file_.*table)[w.text] = add(defs, std::move(def));
    }
    /// The same, which gets its content now.
    template<class Def>
    uint32_t defined(Table File::* table, std::vector<Def>& defs, const Word& w, Program::Kind kind) {
        auto own   = (file_.*table).find(w.text);
        auto index = own == (file_.*table).end() ? uint32_t(defs.size()) : own->second;
        if (own == (file_.*table).end()) {
            defs.emplace_back();
            (file_.*table)[w.text] = index;
        }
        auto& def = defs[index];
        if (def.is_defined) report_twice(diags_, w.text, w.at, def.at);
        def.name       = w.text;
        def.at         = w.at;
        def.is_defined = true;
        def.is_kept    = is_root_;
        p_.order.push_back({kind, index});
        scope_.clear();
        return index;
    }
    bool at_word(std::string_view word) const { return at(front::Name) && cursor_.word() == word; }
    bool at_name() const { return at(front::Name) || at_variable(); }
    Word name();
    /// `C` or `T.C`
    Word con_word();

    Program& p_;
    bool is_root_;
    std::map<std::string, uint32_t> scope_; ///< variables of the definition that is read
};

MilParser::Word MilParser::name() {
    bool is_operator = accept(LParen);
    Word w{std::string(cursor_.word()), here()};
    next();
    if (is_operator) next();
    return w;
}

MilParser::Word MilParser::con_word() {
    auto w = name();
    if (!at(Dot) || tok(1) != front::Name) return w;
    next();
    auto inside = name();
    return {w.text + "." + inside.text, w.at.join(inside.at)};
}

void MilParser::file() {
    auto lines      = cursor_.open(1);
    auto first_data = p_.datas.size();
    while (!at(front::Close)) {
        if (accept(front::Item) || accept(Semicolon)) continue;
        reading = "a definition";
        if (!declaration()) definition();
        if (!at_item_end() && !at(Semicolon)) {
            expected("the end of the definition");
            skip_item();
        }
    }
    for (auto i = first_data; i != p_.datas.size(); ++i) p_.datas[i].is_kept = is_root_;
    auto errors = diags_.num_errors();
    check_defined();
    export_tops();
    reading_.is_cut |= has_errors() || diags_.num_errors() != errors;
}

void MilParser::check_defined() {
    auto check = [&](const Table& table, auto& defs) {
        for (auto& [name, index] : table)
            if (!defs[index].is_defined) diags_.report(diag::undefined(name), defs[index].at);
    };
    check(file_.blocks, p_.blocks);
    check(file_.closures, p_.closures);
    check(file_.tops, p_.tops);
}

/// Signatures of primitives are their declarations.
void MilParser::take_signatures() {
    auto give = [](const Table& table, auto& defs, const Signature& s) {
        auto found = table.find(s.name.text);
        if (found != table.end()) defs[found->second].typing.text = s.type;
        return found != table.end();
    };
    for (auto& s : signatures_) {
        bool is_found = s.kind == Program::BlockKind     ? give(file_.blocks, p_.blocks, s)
                        : s.kind == Program::ClosureKind ? give(file_.closures, p_.closures, s)
                                                         : give(file_.tops, p_.tops, s) || file_.values.contains(s.name.text);
        if (!is_found) diags_.report(diag::undefined(s.name.text), s.name.at);
    }
}

/// Definitions of the file that LC may use.
void MilParser::export_tops() {
    take_signatures();
    for (auto& [name, index] : file_.tops) {
        auto& top       = p_.tops[index];
        top.is_exported = is_root_ && file_.exports.contains(name);
        auto bind       = source_.bind(name, top.at);
        bind->is_top    = true;
        bind->top       = index;
        bind->signature = top.typing.text;
        bind->block     = top.block;
        bind->arity     = top.block == kNone ? 0 : p_.blocks[top.block].params.size();
        file_.values.emplace(name, bind);
    }
}

// ---- definitions
// ------------------------------------------------------------------------------------------------------------

void MilParser::definition() {
    bool has_name = at_name();
    if (at_word("primitive") && tok(1) == front::Name) return primitive();
    if (!has_name) {
        if (at(LBracket)) return not_yet("definitions of several values at the outermost level", here());
        expected("a definition");
        return skip_item();
    }
    auto w = name();
    if (at(LBracket)) return block_definition(w);
    if (at(LBrace)) return closure_definition(w);
    if (at(LeftArrow)) return top_definition(w);
    if (at(Colons) || at(Comma)) return signature(w);
    expected("`[`, `{`, `<-` or `::`");
    skip_item();
}

void MilParser::signature(const Word& first) {
    std::vector<Word> names{first};
    while (accept(Comma)) names.push_back(name());
    if (!expect(Colons)) return skip_item();
    bool is_closure = at(LBrace);
    auto t          = is_closure ? stored_types() : type();
    bool is_block   = !is_closure && accept(BlockArrow);
    auto kind       = is_closure ? Program::ClosureKind : is_block ? Program::BlockKind : Program::TopKind;
    if (kind != Program::TopKind) t = arrow(t, is_block ? argument_type() : type());
    for (auto& w : names) signatures_.push_back({w, t, kind});
}

/// `{t, …}` in front of the type of a closure.
TypeExpr* MilParser::stored_types() {
    auto place = here();
    next();
    std::vector<TypeExpr*> parts;
    bracketed(Comma, RBrace, [&] { parts.push_back(type()); });
    return source_.type_expr({TypeExpr::Tuple, place, {}, std::move(parts)});
}

TypeExpr* MilParser::arrow(TypeExpr* domain, TypeExpr* range) {
    auto head = source_.type_expr({TypeExpr::Con, domain->at, ">>="});
    return source_.type_expr({TypeExpr::Apply, domain->at, {}, {head, domain, range}});
}

void MilParser::primitive() {
    reading = "a primitive";
    next();
    auto w    = name();
    auto info = find_primitive(w.text);
    if (!info) {
        diags_.report(diag::unknown("primitive", w.text), w.at);
        return skip_item();
    }
    mil::Primitive p;
    p.name    = w.text;
    p.at      = w.at;
    p.code    = static_cast<uint32_t>(info->op);
    p.is_kept = is_root_;
    if (at(front::Name)) p.purity = name().text;
    if (accept(LBrace)) {
        expect(RBrace);
        p.form = mil::Primitive::Function;
        if (accept(LBracket)) {
            expect(RBracket);
            p.form = mil::Primitive::Procedure;
        }
    }
    if (!expect(Colons)) return skip_item();
    auto domain = argument_type();
    if (!expect(BlockArrow)) return skip_item();
    auto range = argument_type();
    p.domain   = domain->parts;
    if (range->kind == TypeExpr::Tuple) p.range = range->parts;
    else p.any_range = range;
    bool fits = p.domain.size() == info->arguments && (p.any_range || p.range.size() == info->results);
    if (!fits) {
        auto has = std::to_string(info->arguments) + " arguments and " + std::to_string(info->results) + " results";
        diags_.report(diag::arity(w.text, has, p.domain.size()), w.at);
    }
    auto index = add(p_.primitives, p);
    if (!define(file_.primitives, w, index, {})) return;
    p_.order.push_back({Program::PrimitiveKind, index});
    if (p.form == mil::Primitive::Block) return;
    auto bind       = source_.bind(w.text, w.at);
    bind->is_top    = true;
    bind->primitive = index;
    file_.values.emplace(w.text, bind);
}

void MilParser::block_definition(const Word& w) {
    reading    = "a block";
    auto index = defined(&File::blocks, p_.blocks, w, Program::BlockKind);
    next();
    auto params = bindings(RBracket, false);
    if (!expect(Equals)) return skip_item();
    auto body               = code();
    p_.blocks[index].params = std::move(params);
    p_.blocks[index].code   = std::move(body);
}

void MilParser::closure_definition(const Word& w) {
    reading    = "a closure";
    auto index = defined(&File::closures, p_.closures, w, Program::ClosureKind);
    next();
    auto stored = bindings(RBrace, false);
    auto params = left_side();
    if (!expect(Equals)) return skip_item();
    auto place = here();
    auto body  = code();
    auto t     = body.tail;
    bool plain = body.end == Code::Tailed && body.statements.empty();
    if (!plain) { // becomes a block
        auto all = stored;
        all.insert(all.end(), params.begin(), params.end());
        Atoms args;
        for (auto v : all) args.push_back({Atom::Var, v});
        auto block = add(p_.blocks, {w.text, place, all, std::move(body), true, is_root_});
        p_.order.push_back({Program::BlockKind, block});
        t = {Tail::Block, block, 0, args, place};
    }
    auto& def  = p_.closures[index];
    def.stored = std::move(stored);
    def.params = std::move(params);
    def.tail   = std::move(t);
}

void MilParser::top_definition(const Word& w) {
    reading    = "a top-level definition";
    auto index = defined(&File::tops, p_.tops, w, Program::TopKind);
    next();
    if (at(LBrace)) return curried(w, index);
    auto place = here();
    auto body  = code();
    bool plain = body.end == Code::Tailed && body.statements.empty();
    auto t     = body.tail;
    if (!plain) {
        auto block = add(p_.blocks, {w.text, place, {}, std::move(body), true, is_root_});
        p_.order.push_back({Program::BlockKind, block});
        t = {Tail::Block, block, 0, {}, place};
    }
    p_.tops[index].tail = std::move(t);
}

/// `x <- {u, v} code`: closures that take one argument after the other, and a block for all of them.
void MilParser::curried(const Word& w, uint32_t top) {
    next();
    auto params = bindings(RBrace, false);
    auto place  = here();
    auto body   = code();
    auto first  = [&](size_t n) {
        Atoms args;
        for (size_t i = 0; i != n; ++i) args.push_back({Atom::Var, params[i]});
        return args;
    };
    auto add_block = [&](Vars vars, Code c) {
        auto block = add(p_.blocks, {w.text, place, std::move(vars), std::move(c), true, is_root_});
        p_.order.push_back({Program::BlockKind, block});
        return block;
    };
    auto block = add_block(params, std::move(body));
    Tail inner{Tail::Block, block, 0, first(params.size()), place};
    for (size_t i = params.size(); i-- != 0;) {
        ClosureDef k{w.text, place,   {params.begin(), params.begin() + static_cast<std::ptrdiff_t>(i)}, {params[i]}, inner,
                     true,   is_root_};
        auto closure = add(p_.closures, std::move(k));
        p_.order.push_back({Program::ClosureKind, closure});
        Code allocates;
        auto f               = p_.variable("k");
        allocates.statements = {{{f}, {Tail::Closure, closure, 0, first(i), place}}};
        allocates.tail       = {Tail::Build, p_.func, 0, {{Atom::Var, f}}, place};
        auto vars            = Vars(params.begin(), params.begin() + static_cast<std::ptrdiff_t>(i));
        inner                = {Tail::Block, add_block(vars, std::move(allocates)), 0, first(i), place};
    }
    p_.tops[top].tail  = inner;
    p_.tops[top].block = block;
}

// ---- code
// -------------------------------------------------------------------------------------------------------------------

uint32_t MilParser::variable_named(const Word& w) { return scope_[w.text] = p_.variable(w.text); }

MilParser::Vars MilParser::bindings(front::Kind closer, bool may_discard) {
    Vars all;
    std::map<std::string, Span> seen;
    bracketed(Comma, closer, [&] {
        if (may_discard && accept(Underscore)) return all.push_back(kNone);
        if (!at_name()) return expected("a variable");
        auto w = name();
        if (accept(Colons)) type();
        auto [before, is_new] = seen.emplace(w.text, w.at);
        if (!is_new) report_twice(diags_, w.text, w.at, before->second);
        all.push_back(variable_named(w));
    });
    return all;
}

/// `x`, `_` or `[x, _]`
MilParser::Vars MilParser::left_side() {
    if (accept(LBracket)) return bindings(RBracket, true);
    if (accept(Underscore)) return {kNone};
    if (!at_name()) {
        expected("a variable");
        return {kNone};
    }
    auto w = name();
    if (accept(Colons)) type();
    return {variable_named(w)};
}

Code MilParser::code() {
    front::Nesting::Level level(nesting_);
    Code result;
    result.at    = here();
    bool is_over = false;
    block([&] {
        if (is_over) return expected("the end of the code");
        if (!statement(result, is_over)) skip_item();
    });
    if (!is_over && !has_errors()) expected("a call, `return`, `if` or `case` at the end");
    return result;
}

bool MilParser::statement(Code& c, bool& is_over) {
    if (at_word("assert")) {
        auto place = here();
        next();
        auto a = atom();
        if (!at_con()) return expected("a constructor"), false;
        Tail t{Tail::Assert, con(con_word()), 0, {a}, place, 0};
        c.statements.push_back({{}, std::move(t)});
        return true;
    }
    bool is_simple = (at_name() && tok(1) == LeftArrow) || (at_name() && tok(1) == Colons);
    bool is_binder = at(LBracket) || at(Underscore) || is_simple || (at(LParen) && tok(3) == LeftArrow);
    if (is_binder) {
        auto scope = scope_; // the names are bound behind the computation
        auto binds = left_side();
        auto after = std::exchange(scope_, std::move(scope));
        if (!expect(LeftArrow)) return false;
        auto t    = tail();
        scope_    = std::move(after);
        t.results = static_cast<uint32_t>(binds.size());
        c.statements.push_back({std::move(binds), std::move(t)});
        return true;
    }
    is_over = true;
    if (at(If)) branches(c);
    else if (at(Case)) cases(c);
    else c.tail = tail();
    return true;
}

void MilParser::branches(Code& c) {
    c.end = Code::If;
    next();
    c.subject = atom();
    expect(Then);
    c.arms.push_back({kNone, jump()});
    expect(Else);
    c.arms.push_back({kNone, jump()});
}

void MilParser::cases(Code& c) {
    c.end = Code::Case;
    next();
    c.subject = atom();
    if (!expect(Of)) return;
    block([&] {
        bool is_default = accept(Underscore);
        if (!is_default && !at_con()) {
            expected("a constructor or `_`");
            return skip_item();
        }
        auto w     = is_default ? Word() : con_word();
        auto index = is_default ? kNone : con(w);
        if (!expect(RightArrow)) return skip_item();
        auto j = jump();
        if (is_default) {
            c.otherwise = j;
            return;
        }
        auto is_it = [&](auto& arm) { return arm.con == index; };
        if (std::ranges::any_of(c.arms, is_it)) report_twice(diags_, w.text, w.at, {});
        c.arms.push_back({index, j});
    });
}

Jump MilParser::jump() {
    Jump j;
    j.at = here();
    if (!at_name()) {
        expected("a block");
        return j;
    }
    j.block = reference(&File::blocks, p_.blocks, name());
    if (expect(LBracket)) j.args = atoms(RBracket);
    return j;
}

uint32_t MilParser::con(const Word& w) {
    auto found = find_con(file_, w.text);
    if (!found) diags_.report(diag::unknown("constructor", w.text), w.at);
    return found.value_or(p_.unit);
}

Tail MilParser::tail() {
    Tail t;
    t.at = here();
    if (at_word("return")) {
        next();
        t.args    = one_or_more();
        t.results = static_cast<uint32_t>(t.args.size());
        return t;
    }
    if (at_con()) return con_tail(t);
    bool is_call = at_name()
                   && (tok(at(LParen) ? 3 : 1) == LBracket || tok(at(LParen) ? 3 : 1) == LParen
                       || tok(at(LParen) ? 3 : 1) == LBrace);
    if (!is_call) {
        t.op   = Tail::Enter;
        t.args = {atom()};
        if (!expect(Enter)) return t;
        auto rest = one_or_more();
        t.args.insert(t.args.end(), rest.begin(), rest.end());
        return t;
    }
    auto w = name();
    if (accept(LBracket)) {
        t.op     = Tail::Block;
        t.target = reference(&File::blocks, p_.blocks, w);
        t.args   = atoms(RBracket);
    } else if (accept(LBrace)) {
        t.op     = Tail::Closure;
        t.target = reference(&File::closures, p_.closures, w);
        t.args   = atoms(RBrace);
    } else {
        next();
        auto found = find_mil(file_, &File::primitives, w.text);
        if (!found) diags_.report(diag::unknown("primitive", w.text), w.at);
        t.op        = Tail::Primitive;
        t.target    = found.value_or(0);
        t.results   = found ? static_cast<uint32_t>(p_.primitives[*found].range.size()) : 1;
        auto opener = cursor_.pos() - 1;
        if (expect(LParen)) t.args = atoms(RParen);
        close(opener, RParen);
    }
    return t;
}

/// `C(a, …)` or `C i a`
Tail MilParser::con_tail(Tail t) {
    auto w   = con_word();
    t.target = con(w);
    t.op     = Tail::Build;
    if (accept(LParen)) {
        t.args    = atoms(RParen);
        auto size = p_.cons[t.target].fields.size();
        if (t.args.size() != size) diags_.report(diag::arity(w.text, std::to_string(size) + " fields", t.args.size()), w.at);
        return t;
    }
    t.op = Tail::Select;
    if (!at(front::Integer)) {
        expected("`(` or the number of a field");
        return t;
    }
    t.index   = static_cast<uint32_t>(std::min<uint64_t>(front::integer_value(cursor_.word()).value_or(kNone), kNone));
    auto size = p_.cons[t.target].fields.size();
    if (t.index >= size) {
        diags_.report(diag::arity(w.text, std::to_string(size) + " fields", t.index), here());
        t.index = 0;
    }
    next();
    t.args = {atom()};
    return t;
}

Atoms MilParser::atoms(front::Kind closer) {
    Atoms all;
    bracketed(Comma, closer, [&] { all.push_back(atom()); });
    return all;
}

Atoms MilParser::one_or_more() {
    if (accept(LBracket)) return atoms(RBracket);
    return {atom()};
}

Atom MilParser::atom() {
    auto place = here();
    if (at(front::Integer)) {
        auto text  = std::string(cursor_.word());
        auto value = integer();
        if (value > p_.mask()) diags_.report(diag::too_large(text, p_.word_bits), place);
        return {Atom::Word, value};
    }
    if (auto row = bits()) return bits_atom(p_.word_bits, row->value, row->width);
    if (at(front::String)) {
        auto text = add(p_.texts, cursor_.tokens().strings[cursor_.token().extra]);
        next();
        return {Atom::Text, text};
    }
    if (at_variable()) {
        auto w = name();
        if (auto local = scope_.find(w.text); local != scope_.end()) return {Atom::Var, local->second};
        return {Atom::Top, reference(&File::tops, p_.tops, w)};
    }
    expected("a variable or a number");
    if (!at_item_end()) next();
    return {};
}

} // namespace

void read_mil(Reading& r, File& file) { MilParser(r, file, r.context.diags.sources().text(file.id)).file(); }

} // namespace mim::plug::mil
