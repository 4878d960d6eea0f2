// SPDX-License-Identifier: MIT
// Operators by a table.
#include "front/operators.h"

#include <doctest/doctest.h>

#include <sstream>

using namespace mim;
using namespace mim::front;

namespace {

OperatorTable table() {
    OperatorTable t;
    t.declare("+", {Fixity::Left, 6});
    t.declare("-", {Fixity::Left, 6});
    t.declare("*", {Fixity::Left, 7});
    t.declare("^", {Fixity::Right, 8});
    t.declare(":", {Fixity::Right, 6});
    t.declare("=", {Fixity::Neither, 4});
    return t;
}

struct Read {
    std::string text, clashes;
};

/// An expression of names and operators with spaces between them, in full parentheses.
Read read(const std::string& text, const OperatorTable& operators = table()) {
    std::istringstream in(text);
    std::string op, operand, clashes;
    in >> operand;
    auto combine = [](const Infix& op, const std::string& a, const std::string& b) {
        return "(" + a + std::string(op.text) + b + ")";
    };
    Infixes<std::string> all(operand);
    std::vector<std::string> names;
    names.reserve(text.size()); // the operators point into it
    while (in >> op >> operand) {
        auto& name = names.emplace_back(op);
        auto clash = all.add({name, {}, *operators.find(op)}, operand, combine);
        if (clash) clashes += std::string(clash->text) + op + " ";
    }
    return {all.finish(combine), clashes};
}

} // namespace

TEST_CASE("operators: precedence and sides") {
    CHECK(read("a").text == "a");
    CHECK(read("a + b * c").text == "(a+(b*c))");
    CHECK(read("a * b + c").text == "((a*b)+c)");
    CHECK(read("a - b + c - d").text == "(((a-b)+c)-d)");
    CHECK(read("a ^ b ^ c").text == "(a^(b^c))");
    CHECK(read("a ^ b * c ^ d + e").text == "(((a^b)*(c^d))+e)");
    CHECK(read("a = b + c").text == "(a=(b+c))");
    CHECK(read("a + b = c * d").clashes.empty());
}

TEST_CASE("operators: those of one precedence need a side in common") {
    CHECK(read("a = b = c").clashes == "== ");
    CHECK(read("a + b : c").clashes == "+: ");
    CHECK(read("a : b + c").clashes == ":+ ");
    CHECK(read("a + b * c : d").clashes == "+: ");
    CHECK(read("a + b - c").clashes.empty());
    CHECK(read("a = b = c").text == "((a=b)=c)"); // still read to the end
}

TEST_CASE("operators: declarations of an inner scope hide those around it") {
    auto t = table();
    CHECK(!t.declare("+", {Fixity::Right, 1}));
    {
        OperatorTable::Scope scope(t);
        CHECK(t.declare("+", {Fixity::Right, 9}));
        CHECK(t.declare("?", {Fixity::Left, 1}));
        CHECK(!t.declare("?", {Fixity::Left, 1}));
        CHECK(read("a * b + c", t).text == "(a*(b+c))");
        {
            OperatorTable::Scope inner(t);
            CHECK(t.declare("+", {Fixity::Left, 0}));
            CHECK(t.find("+")->precedence == 0);
        }
        CHECK(t.find("+")->precedence == 9);
    }
    CHECK(t.find("+") == Fixity{Fixity::Left, 6});
    CHECK(!t.find("?"));
    CHECK(OperatorTable(Fixity{Fixity::Right, -1}).find("?")->precedence == -1);
}

TEST_CASE("operators: long chains need neither stack nor more than linear time") {
    auto count = [](const Infix&, size_t a, size_t b) { return a + b; };
    auto t     = table();
    Infixes<size_t> all(1);
    for (int i = 0; i < 1'000'000; ++i) all.add({"^", {}, *t.find("^")}, 1, count);
    CHECK(all.finish(count) == 1'000'001);
}
