// SPDX-License-Identifier: MIT
// Code of MIL.
#include <algorithm>
#include <utility>

#include "mil_parser.h"

namespace mim::plug::mil {

/// A name of the code that follows.
void MilParser::enter(const Vars& variables) {
    for (auto v : variables)
        if (v != kNone) scope_[p_.variables[v]] = v;
}

MilParser::Vars MilParser::bindings(front::Kind closer, bool may_discard) {
    Vars all;
    std::map<std::string, Span> seen;
    bracketed(Comma, closer, [&] {
        if (may_discard && accept(Underscore)) return all.push_back(kNone);
        if (!at_name()) return expected("a variable");
        auto w = name();
        all.push_back(p_.variable(w.text));
        annotate(all.back());
        auto [before, is_new] = seen.emplace(w.text, w.at);
        if (!is_new) report_twice(diags_, w.text, w.at, before->second);
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
    auto v = p_.variable(name().text);
    annotate(v);
    return {v};
}

/// `:: t` behind a variable
void MilParser::annotate(uint32_t variable) {
    if (accept(Colons)) file_.annotations.push_back({variable, type()});
}

/// `(a :: t)`: a variable of this type, which the code around gets.
Atom MilParser::typed_atom() {
    next();
    auto place = here();
    auto value = atom();
    auto v     = p_.variable("v");
    if (!at(Colons)) expected("`::`");
    annotate(v);
    expect(RParen);
    if (code_) code_->statements.push_back({{v}, {Tail::Return, kNone, 0, {value}, place}});
    return {Atom::Var, v};
}

Code MilParser::code() {
    front::Nesting::Level level(nesting_);
    Code result;
    result.at    = here();
    bool is_over = false;
    auto around  = std::exchange(code_, &result);
    block([&] {
        if (is_over) return expected("the end of the code");
        if (!statement(result, is_over)) skip_item();
    });
    code_ = around;
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
        auto binds = left_side();
        if (!expect(LeftArrow)) return false;
        auto t = tail();
        enter(binds); // the computation does not know the names
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
        auto found   = find_mil(file_, &File::primitives, w.text);
        auto library = found ? std::nullopt : find_mil(file_, &File::primitive_blocks, w.text);
        if (library) {
            t.op        = Tail::Block;
            t.target    = *library;
            auto opener = cursor_.pos() - 1;
            if (expect(LParen)) t.args = atoms(RParen);
            close(opener, RParen);
            return t;
        }
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
    auto w        = con_word();
    bool is_known = find_con(file_, w.text).has_value();
    auto counted  = [](size_t n) { return n == 1 ? std::string("one field") : std::to_string(n) + " fields"; };
    t.target      = con(w);
    t.op          = Tail::Build;
    if (accept(LParen)) {
        t.args    = atoms(RParen);
        auto size = p_.cons[t.target].fields.size();
        bool fits = t.args.size() == size || !is_known;
        if (!fits) diags_.report(diag::arity(w.text, counted(size), t.args.size()), w.at);
        return t;
    }
    t.op = Tail::Select;
    if (!at(front::Integer)) {
        expected("`(` or the number of a field");
        return t;
    }
    t.index       = static_cast<uint32_t>(std::min<uint64_t>(front::integer_value(cursor_.word()).value_or(kNone), kNone));
    auto size     = p_.cons[t.target].fields.size();
    bool is_field = t.index < size;
    if (!is_field && is_known) diags_.report(diag::arity(w.text, counted(size), t.index), here());
    if (!is_field) t.index = 0;
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
    if (at(Character)) {
        auto code = cursor_.token().extra;
        next();
        return {Atom::Word, code};
    }
    if (accept(Hash)) {
        if (at(front::Integer)) return {Atom::Proxy, integer()};
        if (auto name = label()) return {Atom::Label, p_.label(*name)};
        expected("a number or a label");
        return {};
    }
    if (auto row = bits()) return bits_atom(p_.word_bits, number_of(*row), row->width);
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
    if (at(LParen) && code_) return typed_atom();
    expected("a variable or a number");
    return {};
}

} // namespace mim::plug::mil
