// SPDX-License-Identifier: MIT
// Tokens by tables.
#include "front/scanner.h"

#include <doctest/doctest.h>

#include "diag/diag.h"

using namespace mim;
using namespace mim::front;

namespace {

enum Tok : Kind { Let = kFirstOwn, Arrow, Equals, LParen, RParen, LBrace, RBrace };

Lexicon lexicon() {
    Lexicon l;
    l.words          = {{"let", Let}};
    l.symbols        = {{"->", Arrow}, {"→", Arrow}, {"=", Equals}};
    l.brackets       = {{"(", LParen, ")", RParen}, {"{", LBrace, "}", RBrace}};
    l.operators      = "+-=<>";
    l.line_comments  = {"--"};
    l.block_comments = {{"{-", "-}"}};
    l.doc_comment    = "---";
    l.in_names       = "'";
    return l;
}

struct Scanned {
    SourceManager sources;
    Diagnostics diags{sources};
    Lexicon table;
    std::string_view text;
    Tokens tokens;

    explicit Scanned(std::string source, Lexicon l = lexicon())
        : table(std::move(l)) {
        auto file = sources.add("test", std::move(source));
        text      = sources.text(file);
        tokens    = scan(file, text, table, diags);
    }
    std::string kinds() const {
        std::string all;
        for (auto& t : tokens.tokens) all += (all.empty() ? "" : " ") + std::to_string(t.tok);
        return all;
    }
    std::vector<std::string> words() const {
        std::vector<std::string> all;
        for (auto& t : tokens.tokens)
            if (t.tok != End) all.emplace_back(text.substr(t.begin, t.end - t.begin));
        return all;
    }
    std::string errors() const {
        std::string all;
        for (auto& d : diags.all()) all += std::string(info(d.id).code) + "@" + std::to_string(d.span.begin) + " ";
        return all;
    }
};

using Words = std::vector<std::string>;

} // namespace

TEST_CASE("scanner: words, names and symbols") {
    Scanned s("let x' = lets→y");
    CHECK(s.words() == Words{"let", "x'", "=", "lets", "→", "y"});
    CHECK(s.tokens[0].tok == Let);
    CHECK(s.tokens[1].tok == Name);
    CHECK(s.tokens[2].tok == Equals);
    CHECK(s.tokens[3].tok == Name);
    CHECK(s.tokens[4].tok == Arrow);
    CHECK(s.tokens[6].tok == End);
    CHECK(s.errors().empty());
}

TEST_CASE("scanner: an operator is as long as it can be, and a symbol only if it is all of it") {
    Scanned s("a->b a-->b a==b a=b a<->b");
    CHECK(s.words() == Words{"a", "->", "b", "a", "-->", "b", "a", "==", "b", "a", "=", "b", "a", "<->", "b"});
    CHECK(s.tokens[1].tok == Arrow);
    CHECK(s.tokens[4].tok == Operator);
    CHECK(s.tokens[7].tok == Operator);
    CHECK(s.tokens[10].tok == Equals);
}

TEST_CASE("scanner: comments") {
    Scanned s("a -- all of it\nb {- {- inner -} let -} c ---- more\n{- d");
    CHECK(s.words() == Words{"a", "b", "c"});
    REQUIRE(s.tokens.comments.size() == 4);
    CHECK(s.tokens.comments[0].token == 1);
    CHECK(!s.tokens.comments[0].is_first);
    CHECK(s.tokens.comments[3].is_first);
    CHECK(s.errors() == "E007@51 ");
}

TEST_CASE("scanner: comments that document what is below them") {
    Scanned s("--- no\n\n--- one\n--- two\nlet x\n-- none\nlet");
    CHECK(s.tokens.doc_of(0, s.text) == " one\n two");
    CHECK(s.tokens.doc_of(1, s.text).empty());
    CHECK(s.tokens.doc_of(2, s.text).empty());
}

TEST_CASE("scanner: numbers") {
    Scanned s("0 12 0x1F 0b101 1.5 2e-3 1.x");
    std::vector<Kind> kinds;
    for (auto& t : s.tokens.tokens) kinds.push_back(t.tok);
    CHECK(kinds == std::vector<Kind>{Integer, Integer, Integer, Integer, Float, Float, Integer, Error, Name, End});
    CHECK(integer_value("0x1F") == 31);
    CHECK(integer_value("0b101") == 5);
    CHECK(integer_value("18446744073709551615") == ~uint64_t(0));
    CHECK(!integer_value("18446744073709551616"));
    CHECK(Scanned("12ab").errors() == "E011@0 ");
    CHECK(Scanned("0x").errors() == "E011@0 ");
    CHECK(Scanned("1e").errors() == "E011@0 ");
}

TEST_CASE("scanner: what a language leaves out") {
    auto l       = lexicon();
    l.has_floats = false;
    l.symbols.push_back({".", kFirstOwn + 10});
    CHECK(Scanned("p.1.2", l).words() == Words{"p", ".", "1", ".", "2"});
    CHECK(Scanned("2e3", l).errors() == "E011@0 ");
    l.has_strings = false;
    CHECK(Scanned("\"a\"", l).errors() == "E001@0 E001@2 ");
    CHECK(Scanned("\xef\xbb\xbf"
                  "a")
              .words()
          == Words{"a"}); // a byte order mark
    CHECK(Scanned("\xef\xbb\xbf"
                  "a")
              .tokens[0]
              .column
          == 1);
    l.operators   = "-|";
    l.doc_comment = "--|";
    Scanned s("--| one\n--| two\nx", l);
    CHECK(s.tokens.doc_of(0, s.text) == " one\n two");
}

TEST_CASE("scanner: strings") {
    Scanned s(R"("a\n\x41" "")");
    REQUIRE(s.tokens.strings.size() == 2);
    CHECK(s.tokens.strings[s.tokens[0].extra] == "a\nA");
    CHECK(s.tokens.strings[s.tokens[1].extra].empty());
    CHECK(Scanned("\"a").errors() == "E005@0 ");
    CHECK(Scanned("\"a\nb\"").errors() == "E005@0 E005@4 ");
    CHECK(Scanned(R"("\q")").errors() == "E008@1 ");
}

TEST_CASE("scanner: brackets know their partners") {
    Scanned s("( { } ) } ( {) ");
    CHECK(s.tokens[0].extra == 3);
    CHECK(s.tokens[3].extra == 0);
    CHECK(s.tokens[1].extra == 2);
    CHECK(s.tokens[4].extra == kNone);
    CHECK(s.tokens[6].extra == kNone);
    CHECK(s.tokens[7].extra == kNone);
}

TEST_CASE("scanner: columns count characters, and tabs go to multiples of eight") {
    Scanned s("ä→\tb\n  c d");
    CHECK(s.errors() == "E001@0 ");
    CHECK(s.tokens[1].column == 2);
    CHECK(s.tokens[2].column == 9);
    CHECK(s.tokens[3].column == 3);
    CHECK(s.tokens[0].is_first);
    CHECK(!s.tokens[1].is_first);
    CHECK(s.tokens[3].is_first);
    CHECK(!s.tokens[4].is_first);
}

TEST_CASE("scanner: what has no meaning is reported once, and nothing else is lost") {
    Scanned s("a §§§ b \xff c");
    CHECK(s.words() == Words{"a", "§§§", "b", "\xff", "c"});
    CHECK(s.errors() == "E001@2 E004@11 ");
    auto l        = lexicon();
    l.allows_tabs = false;
    CHECK(Scanned("a\tb\tc", l).errors() == "E001@1 ");
}

TEST_CASE("scanner: what other languages have, where it is longer than what this one has") {
    auto l      = lexicon();
    l.operators = {};
    l.foreign   = {{"=>", "`->`"}, {"&", "`and`"}, {"&&", "`and`"}};
    Scanned s("a = b => c && d & e", l);
    CHECK(s.words() == Words{"a", "=", "b", "=>", "c", "&&", "d", "&", "e"});
    CHECK(s.errors() == "E001@6 E001@11 E001@16 ");
    CHECK(message(s.diags.all()[0].id, s.diags.all()[0].args) == "unexpected character `=>`: `->`");
}
