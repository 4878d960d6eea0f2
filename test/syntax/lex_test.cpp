// SPDX-License-Identifier: MIT
// Tokens: every spelling of the table, literals and their limits, comments, and what is no token.
#include <doctest/doctest.h>

#include "helper.h"
#include "syntax/lex.h"

using namespace mim;
using mim::test::Parsed;

namespace {

std::vector<Tok> toks(std::string_view text) {
    std::vector<Tok> all;
    for (auto& t : lex(text).tokens) all.push_back(t.tok);
    return all;
}

struct Spelling {
    Tok tok;
    std::string_view text;
};

std::vector<Spelling> spellings() {
    std::vector<Spelling> all;
    auto add = [&](Tok tok, std::string_view text) {
        if (!text.empty() && tok != Tok::Dot && tok != Tok::Pi) all.push_back({tok, text});
    };
#define MIM_KEY(name, spelling) add(Tok::name, spelling);
#define MIM_PUNCT(name, ascii, unicode) add(Tok::name, ascii), add(Tok::name, unicode);
#define MIM_CLASS(name, description)
    MIM_TOKENS(MIM_KEY, MIM_PUNCT, MIM_CLASS)
#undef MIM_KEY
#undef MIM_PUNCT
#undef MIM_CLASS
    return all;
}

std::string error_of(const std::string& literal) {
    Parsed p("let x = " + literal + ";");
    return p.diags.all().empty() ? "" : std::string(info(p.diags.all()[0].id).name);
}

} // namespace

TEST_CASE("lex: every spelling of every token") {
    for (auto [tok, text] : spellings()) {
        CAPTURE(text);
        CHECK(toks(text) == std::vector{tok, Tok::Eof});
        CHECK_FALSE(describe(tok).empty());
    }
    CHECK(toks("x_1 %a.b %a.b.c 23 0xff 0b1 42I32 3_23 3₂₃ 1.5 'a' \"s\"")
          == std::vector{Tok::Ident, Tok::Annex, Tok::Annex, Tok::Nat, Tok::Nat, Tok::Nat, Tok::Idx, Tok::Idx, Tok::Idx,
                         Tok::Float, Tok::Char, Tok::String, Tok::Eof});
}

TEST_CASE("lex: the longest token wins") {
    CHECK(toks("<<<") == std::vector{Tok::LArray, Tok::LPack, Tok::Eof});
    CHECK(toks("letx let") == std::vector{Tok::Ident, Tok::K_let, Tok::Eof});
    CHECK(toks("=>=->") == std::vector{Tok::FatArrow, Tok::Assign, Tok::Arrow, Tok::Eof});
    CHECK(toks("%a.b.c.d").front() == Tok::Error);
    CHECK(toks("_ _x __") == std::vector{Tok::Underscore, Tok::Ident, Tok::Ident, Tok::Eof});
}

TEST_CASE("lex: partners of brackets") {
    auto r = lex("([)](x)");
    CHECK(r.tokens[4].extra == 6);
    CHECK(r.tokens[6].extra == 4);
    CHECK(r.tokens[1].extra == kNone);
    CHECK(r.tokens[2].extra == kNone);
}

TEST_CASE("lex: values of literals") {
    auto r = lex(
        "18446744073709551615 0xFFFFFFFFFFFFFFFF 0b101 255I8 1I1 18446744073709551615I64 22_23 0₁ '\\n' '\\x41' \"a\\0\\\"é\"");
    auto lit = [&](size_t i) { return r.literals.at(r.tokens.at(i).extra); };
    CHECK(r.errors.empty());
    CHECK(lit(0).value == ~uint64_t(0));
    CHECK(lit(1).value == ~uint64_t(0));
    CHECK(lit(2).value == 5);
    CHECK((lit(3).value == 255 && lit(3).size == 256 && lit(3).form == ast::IdxForm::Width));
    CHECK((lit(4).value == 1 && lit(4).size == 2));
    CHECK((lit(5).value == ~uint64_t(0) && lit(5).size == 0));
    CHECK((lit(6).value == 22 && lit(6).size == 23 && lit(6).form == ast::IdxForm::Index));
    CHECK((lit(7).value == 0 && lit(7).size == 1));
    CHECK((lit(8).value == '\n' && lit(8).form == ast::IdxForm::Char));
    CHECK(lit(9).value == 'A');
    CHECK(r.bytes.substr(lit(10).value, lit(10).size) == std::string("a\0\"é", 5));
}

TEST_CASE("lex: all escapes") {
    auto r = lex(R"("\0\n\t\r\a\b\f\v\\\"\'")");
    CHECK(r.bytes == std::string("\0\n\t\r\a\b\f\v\\\"'", 11));
}

TEST_CASE("lex: literals that do not fit") {
    CHECK(error_of("18446744073709551616") == "literal_too_big");
    CHECK(error_of("0x10000000000000000") == "literal_too_big");
    CHECK(error_of("3_18446744073709551616") == "literal_too_big");
    CHECK(error_of("300I8") == "literal_misfit");
    CHECK(error_of("2I1") == "literal_misfit");
    CHECK(error_of("65536I16") == "literal_misfit");
    CHECK(error_of("4294967296I32") == "literal_misfit");
    CHECK(error_of("18446744073709551616I64") == "literal_misfit");
    CHECK(error_of("5_3") == "literal_misfit");
    CHECK(error_of("5₅") == "literal_misfit");
    CHECK(error_of("0_0") == "literal_misfit");
    CHECK(Parsed("let x = 300I8;").errors() == "1:9 literal `300I8` does not fit its type `I8`: the largest value is 255\n");
    CHECK(Parsed("let x = 5_3;").errors() == "1:9 literal `5_3` does not fit its type `Idx 3`: the largest value is 2\n");
}

TEST_CASE("lex: malformed literals and names") {
    for (auto text : {"12abc", "0x", "0b2", "1I7", "1.5e", "3_2x", "0x1.8"}) {
        CAPTURE(text);
        CHECK(error_of(text) == "malformed_number");
    }
    CHECK(error_of("-3") == "negative_integer");
    CHECK(error_of("1.5") == "float_without_type");
    CHECK(error_of("-1.5:F") == "");
    CHECK(error_of("0x1.8p-3:F") == "");
    CHECK(error_of("'ab'") == "bad_char_literal");
    CHECK(error_of("''") == "bad_char_literal");
    CHECK(error_of("'é'") == "bad_char_literal");
    CHECK(error_of("'a") == "bad_char_literal");
    CHECK(error_of("\"\\q\"") == "unknown_escape");
    CHECK(error_of("'\\é'") == "unknown_escape");
    CHECK(error_of("\"abc") == "unterminated_string");
    CHECK(error_of("\"abc\n\"") == "unterminated_string");
    CHECK(error_of("%core") == "malformed_annex");
    CHECK(error_of("%a.b.c.d") == "malformed_annex");
    CHECK(error_of("x ?") == "unexpected_char");
    CHECK(error_of("x é") == "unexpected_char");
    CHECK(error_of(".x") == "unexpected_char");
    CHECK(error_of("Π") == "unexpected_char");
    CHECK(error_of("/* no end") == "unterminated_comment");
    CHECK(error_of("x \xff\xfe") == "bad_utf8");
    CHECK(error_of("\"\xc0\x80\"") == "bad_utf8");
    CHECK(error_of("x // \xed\xa0\x80\n") == "bad_utf8");
}

TEST_CASE("lex: the caret is under the exact text") {
    CHECK(Parsed("let x = (1, 5_3);").under(Diag::literal_misfit) == "5_3");
    CHECK(Parsed("let x = \"ab\\qc\";").under(Diag::unknown_escape) == "\\q");
    CHECK(Parsed("let x = y ???;").under(Diag::unexpected_char) == "?");
}

TEST_CASE("lex: comments and white space") {
    CHECK(toks("// a\nx /* b\n * c */ y /**/ //") == std::vector{Tok::Ident, Tok::Ident, Tok::Eof});
    CHECK(toks("\xef\xbb\xbfx\r\n\ty") == std::vector{Tok::Ident, Tok::Ident, Tok::Eof});
    auto r = lex("/// doc\nx // line\n/* block */ //// line", {Dialect::Mim, true});
    REQUIRE(r.comments.size() == 4);
    CHECK(r.comments[0].kind == Comment::Doc);
    CHECK(r.comments[0].own_line);
    CHECK(r.comments[1].kind == Comment::Line);
    CHECK_FALSE(r.comments[1].own_line);
    CHECK(r.comments[2].kind == Comment::Block);
    CHECK(r.comments[3].kind == Comment::Line);
    CHECK(lex("/// doc\n// line\nx").comments.size() == 1);
}

TEST_CASE("lex: the first line of a script") {
    auto r = lex("#!/bin/mim\n x", {Dialect::Mim, true});
    REQUIRE(r.comments.size() == 1);
    CHECK(r.comments[0].kind == Comment::Line);
    CHECK(r.comments[0].end == 10);
    CHECK(r.tokens[0].begin == 12);
    CHECK(toks("#!") == std::vector{Tok::Eof});
    CHECK(toks("#x") == std::vector{Tok::Hash, Tok::Ident, Tok::Eof});
    CHECK(toks("\n#!") == std::vector{Tok::Hash, Tok::Not, Tok::Eof});
    CHECK(lex("#!\xff\n").errors.size() == 1);
}

TEST_CASE("lex: the 0.1 dialect") {
    auto r = lex(".let x: .Nat = .ret .(Π)", {Dialect::Mim0_1, false});
    std::vector<Tok> all;
    for (auto& t : r.tokens) all.push_back(t.tok);
    CHECK(all
          == std::vector{Tok::K_let, Tok::Ident, Tok::Colon, Tok::K_Nat, Tok::Assign, Tok::Ident, Tok::Dot, Tok::LParen, Tok::Pi,
                         Tok::RParen, Tok::Eof});
    CHECK(r.dotted);
    CHECK_FALSE(lex("let x = .(y)", {Dialect::Mim0_1, false}).dotted);
}
