// SPDX-License-Identifier: MIT
// Input that is deep, long or random: a diagnostic or a result, in time that grows with the text.
#include <doctest/doctest.h>

#include <chrono>
#include <random>

#include "base/stack.h"
#include "helper.h"

using namespace mim;
using namespace mim::test;

namespace {

std::string repeat(std::string_view s, int n) {
    std::string all;
    for (int i = 0; i < n; ++i) all += s;
    return all;
}

/// Parses and prints on a big stack; "too deep" if that is what the parser said.
std::string outcome(const std::string& text) {
    std::string result;
    run_on_big_stack([&] {
        Parsed p(text);
        print(p.module);
        result = p.ok() ? "ok" : p.has(Diag::nested_too_deep) ? "too deep" : "errors";
        CHECK((result != "too deep" || p.diags.num_errors() == 1));
    });
    return result;
}

} // namespace

TEST_CASE("hostile: deep nesting ends with one diagnostic") {
    constexpr int n = 100'000;
    CHECK(outcome("let x = " + repeat("(", n) + "1" + repeat(")", n) + ";") == "too deep");
    for (auto unit : {"(", "[", "[[a: Nat, b: ", "<<x: ", "λ x = ", "match x with | a: Nat => ", "Cn ", "Fn ", "Fn A → ", "Sort ",
                      "1:", "1.5:", "{ let x = ", "f λ x: ", "ins(", "{| ", "{x: "}) {
        CAPTURE(unit);
        CHECK(outcome("let x = " + repeat(unit, n)) == "too deep");
    }
}

TEST_CASE("hostile: the limit can be lowered") {
    ParseOptions options;
    options.max_nesting = 10;
    CHECK(Parsed("let x = ((((1))));", options).ok());
    Parsed p("let x = ((((((((((((1))))))))))));", options);
    CHECK(p.errors() == "1:19 nested too deeply: the limit is 10 levels\n");
}

TEST_CASE("hostile: 20,000 nested lets and wheres, and long chains, are no problem") {
    constexpr int n = 20'000;
    CHECK(outcome("let x = " + repeat("{ let y = 1; ", n) + "y" + repeat("}", n) + ";") == "ok");
    CHECK(outcome("con f (x: Nat) = " + repeat("g x where con g (x: Nat) = ", n) + "x; " + repeat("end; ", n)) == "ok");
    CHECK(outcome("let x = {" + repeat("let y = 1; ", 5 * n) + "y};") == "ok");
    CHECK(outcome("let x = " + repeat("ret y = f $ x; ", 5 * n) + "y;") == "ok");
    CHECK(outcome("let x = " + repeat("f x ", 5 * n) + ";") == "ok");
    CHECK(outcome("let x = x" + repeat("#i", 5 * n) + ";") == "ok");
    CHECK(outcome("let x = x" + repeat(" where let y = 1; end", 5 * n) + ";") == "ok");
    CHECK(outcome("let x = " + repeat("A → ", 5 * n) + "A;") == "ok");
    CHECK(outcome("let x = " + repeat("[A] ", 5 * n) + " → A;") == "ok");
    CHECK(outcome("let x = (" + repeat("1, ", 5 * n) + "1);") == "ok");
}

TEST_CASE("hostile: nested brackets take linear time") {
    auto seconds = [](int n) {
        auto text = "let x: " + repeat("[", n) + "Nat" + repeat("]", n) + " = " + repeat("[[", n / 2) + "a: T"
                    + repeat("], Nat]", n / 2) + ";";
        auto start = std::chrono::steady_clock::now();
        CHECK(outcome(text) == "ok");
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    CHECK(seconds(20'000) < 5); // milliseconds if linear
}

TEST_CASE("hostile: random bytes and random tokens") {
    std::mt19937 random(42);
    const char* words[] = {"let", "lam", "con", "rec",   "and",  "where",  "end", "(",    ")",    "[",     "]",    "{",
                           "}",   "«",   "»",   "<",     ">>",   "‹",      ";",   ":",    ",",    "=",     "→",    "#",
                           "@",   "$",   "|",   "=>",    "x",    "%a.b",   "3",   "3_5",  "ret",  "match", "with", "λ",
                           "Cn",  "Fn",  "as",  "\"s\"", "'c'",  "_",      "axm", "rule", "when", "*",     "∪",    "inj",
                           "{|",  "|}",  "/*",  "*/",    "//\n", "import", "1.5", "fun"};
    for (int round = 0; round < 300; ++round) {
        std::string bytes, tokens;
        for (int i = 0; i < 200; ++i) bytes += static_cast<char>(random());
        for (int i = 0; i < 60; ++i) (tokens += words[random() % std::size(words)]) += ' ';
        for (auto& text : {bytes, tokens, "let x = " + tokens}) {
            Parsed p(text);
            print(p.module);
            format_text(text);
        }
    }
}
