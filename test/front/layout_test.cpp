// SPDX-License-Identifier: MIT
// Blocks by layout, as parsers of two kinds of languages read them.
#include "front/layout.h"

#include <doctest/doctest.h>

#include <memory>

#include "diag/diag.h"

using namespace mim;
using namespace mim::front;

namespace {

enum Tok : Kind { Do = kFirstOwn, Of, Then, LParen, RParen, LBrace, RBrace, Semicolon };

Lexicon lexicon() {
    Lexicon l;
    l.words    = {{"do", Do}, {"of", Of}, {"then", Then}};
    l.symbols  = {{";", Semicolon}};
    l.brackets = {{"(", LParen, ")", RParen}, {"{", LBrace, "}", RBrace}};
    return l;
}

/// Reads blocks `do ITEM…` and shows them as `{ITEM; ITEM}`; an item is a row of names, groups in round brackets and blocks.
class Reader {
public:
    explicit Reader(std::string text, LayoutRules rules = {.continues = {Then}}) {
        auto file = sources_.add("test", std::move(text));
        auto view = sources_.text(file);
        cursor_   = std::make_unique<LayoutCursor>(file, view, scan(file, view, table_, diags_), std::move(rules));
    }
    std::string file() {
        auto block = cursor_->open(1);
        auto text  = items();
        return cursor_->raw() == End ? text : text + " rest " + std::string(cursor_->word());
    }

private:
    std::string items() {
        std::string text;
        do text += (text.empty() ? "" : "; ") + item();
        while (cursor_->accept(Item) || cursor_->accept(Semicolon));
        return text;
    }
    std::string item() {
        std::string text;
        while (true) {
            std::string part;
            if (cursor_->at(Name) || cursor_->at(Then)) part = take();
            else if (cursor_->accept(Do)) part = block();
            else if (cursor_->accept(LParen)) part = group();
            else return text;
            text += (text.empty() ? "" : " ") + part;
        }
    }
    std::string block() {
        if (cursor_->accept(LBrace)) {
            auto lines = cursor_->suspend();
            auto text  = items();
            return cursor_->accept(RBrace) ? "{{" + text + "}}" : "unclosed";
        }
        auto block = cursor_->open();
        return "{" + (cursor_->at(Close) ? "" : items()) + "}";
    }
    std::string group() {
        auto lines = cursor_->suspend();
        auto text  = item();
        return cursor_->accept(RParen) ? "(" + text + ")" : "unclosed";
    }
    std::string take() {
        std::string word(cursor_->word());
        cursor_->next();
        return word;
    }

    SourceManager sources_;
    Diagnostics diags_{sources_};
    Lexicon table_ = lexicon();
    std::unique_ptr<LayoutCursor> cursor_;
};

std::string read(std::string text) { return Reader(std::move(text)).file(); }

} // namespace

TEST_CASE("layout: an item goes on right of its column, and the next one begins in it") {
    CHECK(read("a b\n  c\nd") == "a b c; d");
    CHECK(read("do a\n   b\n    c\nd") == "{a; b c}; d");
    CHECK(read("do\n  a\n  b\nc") == "{a; b}; c");
}

TEST_CASE("layout: one line ends several blocks") {
    CHECK(read("do a do b\n        c\n   d\ne") == "{a {b; c}; d}; e");
    CHECK(read("do do do a\nb") == "{{{a}}}; b");
    CHECK(read("do do do a") == "{{{a}}}");
}

TEST_CASE("layout: a token that fits nowhere ends the block") {
    CHECK(read("(do a b) c") == "({a b}) c");
    CHECK(read("(do a\n    b) c") == "({a; b}) c");
    CHECK(read("do do a ; b") == "{{a; b}}");
    CHECK(read("do {do a ; b }") == "{{{a; b}}}");
}

TEST_CASE("layout: a block that is not right of the one around it is empty") {
    CHECK(read("a do\nb") == "a {}; b");
    CHECK(read("do a do\n   b") == "{a {}; b}");
    CHECK(read("do") == "{}");
    CHECK(read("do a do\n    b") == "{a {b}}");
}

TEST_CASE("layout: lines mean nothing in brackets") {
    CHECK(read("a (b\nc\n  d) e\nf") == "a (b c d) e; f");
    CHECK(read("do {a\nb; c\n} d\ne") == "{{a b; c}} d; e");
    CHECK(read("(do a\n  b)") == "({a} b)");
}

TEST_CASE("layout: lines that begin with some tokens go on") {
    CHECK(read("a\nthen b\nc") == "a then b; c");
    CHECK(read("do a\n   then b\n   c") == "{a then b; c}");
}

TEST_CASE("layout: blocks in the column of the one around them") {
    CHECK(Reader("a do\nb\nc", {.continues = {}, .is_deeper = false}).file() == "a {b; c}");
}

TEST_CASE("layout: what is left is seen by the parser") { CHECK(read("a\n )\nb") == "a rest )"); }
