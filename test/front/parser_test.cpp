// SPDX-License-Identifier: MIT
// Errors and recovery of parsers, shown by a language of equations `NAME = sums`.
#include "front/parser.h"

#include <doctest/doctest.h>

using namespace mim;
using namespace mim::front;

namespace {

enum Tok : Kind { Equals = kFirstOwn, LParen, RParen, Comma };

const Lexicon& lexicon() {
    static const Lexicon table{
        .symbols   = {{"=", Equals}, {",", Comma}},
        .brackets  = {{"(", LParen, ")", RParen}},
        .operators = "+<=",
    };
    return table;
}

class Equations : ParserBase {
public:
    Equations(FileId file, std::string_view text, Diagnostics& diags)
        : ParserBase(file, text, lexicon(), {}, diags) {
        operators_.declare("+", {Fixity::Left, 6});
        operators_.declare("<", {Fixity::Neither, 4});
    }

    /// The number of equations that begin well.
    int file() {
        auto block = cursor_.open(1);
        int count  = 0;
        while (!at(Close)) {
            count += equation();
            if (!at_item_end()) {
                expected("the end of the equation");
                skip_item();
            }
            accept(Item);
        }
        return count;
    }
    bool failed() const { return has_errors(); }

private:
    bool equation() {
        reading = "an equation";
        if (!expect(Name) || !expect(Equals)) return false;
        sum();
        return true;
    }
    int sum() {
        auto combine = [](const Infix&, int a, int b) { return a + b; };
        Infixes<int> all(operand());
        while (auto op = infix(operators_)) {
            next();
            if (auto before = all.add(*op, operand(), combine)) ambiguous(*before, *op);
        }
        return all.finish(combine);
    }
    int operand() {
        Nesting::Level nest(nesting_);
        if (too_deep()) return 0;
        if (accept(Name) || accept(Integer)) return 1;
        if (accept(LParen)) bracketed(Comma, RParen, [&] { sum(); });
        else expected("an operand");
        return 0;
    }

    OperatorTable operators_;
};

struct Read {
    SourceManager sources;
    Diagnostics diags{sources};
    int count   = 0;
    bool failed = false;

    explicit Read(std::string text) {
        auto file = sources.add("test", std::move(text));
        Equations equations(file, sources.text(file), diags);
        count  = equations.file();
        failed = equations.failed();
    }
    std::string errors() const {
        std::string all;
        for (auto& d : diags.all()) {
            auto at = sources.line_col(d.span.file, d.span.begin);
            all += std::to_string(at.line) + ":" + std::to_string(at.col) + " " + std::string(info(d.id).code) + " "
                   + message(d.id, d.args) + "\n";
        }
        return all;
    }
};

} // namespace

TEST_CASE("parser: correct texts") {
    Read r("a = 1 + b\n  + 2\nb = (a, 1 + 1, ())\n");
    CHECK(r.count == 2);
    CHECK(!r.failed);
    CHECK(r.errors().empty());
    CHECK(Read("").count == 0);
}

TEST_CASE("parser: each broken item is reported once, and the next one is read") {
    Read r("a = \nb 1\n1\nc = 2 3 4\nd = 1");
    CHECK(r.failed);
    CHECK(r.count == 3);
    CHECK(r.errors()
          == "1:4 E002 expected an operand, got a new line while parsing an equation\n"
             "2:3 E002 expected `=`, got `1` while parsing an equation\n"
             "3:1 E002 expected a name, got `1` while parsing an equation\n"
             "4:7 E002 expected the end of the equation, got `3` while parsing an equation\n");
}

TEST_CASE("parser: a broken group in brackets is skipped") {
    Read r("a = (1 = 2) + b\nb = (1, (2\nc = )");
    CHECK(r.errors()
          == "1:8 E002 expected `)`, got `=` while parsing an equation\n"
             "3:1 E002 expected `)`, got `c` while parsing an equation\n"
             "3:6 E002 expected `)`, got the end of the file while parsing an equation\n");
    CHECK(r.diags.all()[0].notes.size() == 1);
}

TEST_CASE("parser: operators without a side in common") {
    CHECK(Read("a = 1 < 2 < 3").errors() == "1:11 E020 `<` and `<` bind equally and not from the same side: write parentheses\n");
    CHECK(Read("a = 1 < 2 < 3").diags.all()[0].id == Diag::mixed_operators);
    CHECK(Read("a = 1 < 2 + 3").errors().empty());
}

TEST_CASE("parser: an error of the scanner is the only one at its place") {
    CHECK(Read("a = ?\nb = 1 + §").errors() == "1:5 E001 unexpected character `?`\n2:9 E001 unexpected character `§`\n");
}

TEST_CASE("parser: nesting has a limit") {
    std::string deep(20'000, '(');
    Read r("a = " + deep + "\nb = 1");
    CHECK(r.errors().starts_with("1:"));
    CHECK(r.errors().find("E003 nested too deeply: the limit is 10000 levels") != std::string::npos);
    CHECK(r.diags.all().size() == 1);
}

TEST_CASE("parser: long tokens are cut in messages") {
    CHECK(shown("abc") == "`abc`");
    CHECK(shown(std::string(50, 'a')) == "`" + std::string(36, 'a') + "…`");
    CHECK(shown(std::string(35, 'a') + "ää" + std::string(20, 'b')) == "`" + std::string(35, 'a') + "…`");
}
