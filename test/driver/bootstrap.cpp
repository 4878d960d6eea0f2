// SPDX-License-Identifier: MIT
#include "driver/bootstrap.h"

#include <doctest/doctest.h>

#include "driver/annexes.h"
#include "syntax/parse.h"

using namespace mim;

namespace {

struct Parsed {
    explicit Parsed(std::string text)
        : diags(sources)
        , module(parse(sources.add("p.mim", std::move(text)), sources, symbols, diags)) {
        REQUIRE(diags.num_errors() == 0);
    }
    /// The names stay.
    void drop_tree() { module = {}; }
    SourceManager sources;
    SymbolTable symbols;
    Diagnostics diags;
    ast::Module module;
};

} // namespace

TEST_CASE("annexes are numbered in the order of their declaration") {
    Parsed p("axm %p.Type: *;\n"
             "axm %p.op(add = plus, sub): Nat → Nat;\n"
             "let %p.one = 1;\n"
             "lam %p.twice (x: Nat): Nat = %p.op.add x;\n"
             "let %q.other = 2;\n"
             "let (%p.mode.fast, %p.mode.slow) = (0, 1);\n");
    AnnexTable table(p.module);
    auto id = [&](std::string_view name) {
        auto found = table.find(name);
        REQUIRE(found);
        return *found;
    };
    auto plugin = plugin_hash("p");
    CHECK(id("%p.Type") == AnnexId{plugin, 0, 0});
    CHECK(id("%p.op.add") == AnnexId{plugin, 1, 0});
    CHECK(id("%p.op.plus") == AnnexId{plugin, 1, 0});
    CHECK(id("%p.op.sub") == AnnexId{plugin, 1, 1});
    CHECK(id("%p.one") == AnnexId{plugin, 2, 0});
    CHECK(id("%p.twice") == AnnexId{plugin, 3, 0});
    CHECK(id("%q.other") == AnnexId{plugin_hash("q"), 0, 0});
    CHECK(id("%p.mode.slow") == AnnexId{plugin, 4, 1});
    CHECK_FALSE(table.find("%p.op"));
}

TEST_CASE("annexes inside of functions are numbered with the others, and the table outlives the tree") {
    Parsed p(
        "lam %p.outer (x: Nat): Nat = { axm %p.op(add, sub = minus): Nat → Nat, norm_op, 2; let (%p.a, (%p.b, c)) = x; c };\n"
        "lam plain (x: Nat): Nat = x where lam %p.inner (y: Nat): Nat = match y with | n: Nat => { let %p.arm = 1; n }; "
        "end;\n"
        "axm %p.last: Nat;\n");
    AnnexTable table(p.module);
    p.drop_tree();
    std::string order;
    for (auto& tag : table.tags()) order.append(tag.name).append(" ");
    CHECK(order == "outer op a b inner arm last ");
    auto op = table.tag("p", "op");
    REQUIRE(op);
    REQUIRE(op->axioms.size() == 1);
    CHECK(op->axioms[0].curry == 2u);
    CHECK(op->axioms[0].normalizer.span);
    CHECK(op->subs[1].axiom == 0u);
    CHECK_FALSE(table.tag("p", "arm")->subs[0].axiom);
}

TEST_CASE("the header names annexes by enums, keywords with an underscore, and leaves other plugins out") {
    Parsed p("axm %p.op(and, not = neg): Nat → Nat;\nlet %q.other = 2;\naxm %p.new: *;\n");
    auto header = annex_header(p.module, "p");
    CHECK(header.find("namespace mim::plug::p {") != header.npos);
    CHECK(header.find("enum class op : uint16_t {\n    and_ = 0,\n    not_ = 1,\n    neg = not_,\n};") != header.npos);
    CHECK(header.find("enum class new_ : uint16_t {};") != header.npos);
    CHECK(header.find("struct AnnexTraits<plug::p::op> {") != header.npos);
    CHECK(header.find("num_subs = 2;") != header.npos);
    CHECK(header.find("plugin   = " + std::to_string(plugin_hash("p")) + "ull;") != header.npos);
    CHECK(header.find("other") == header.npos);
}

TEST_CASE("the header tells of each axiom, and declares its normalizer once") {
    Parsed p("/// Twice a number.\n///\n/// No more.\naxm %p.twice: Nat → Nat, normalize_twice;\n"
             "axm %p.op(a): Nat → Nat, normalize_op;\naxm %p.op(b): Nat → Bool, normalize_op;\naxm %q.x: Nat, normalize_x;\n");
    auto header = annex_header(p.module, "p");
    CHECK(header.find("/// Twice a number.\n///\n/// No more.\n/// axm %p.twice: Nat → Nat, normalize_twice;\nenum class twice")
          != header.npos);
    CHECK(header.find("/// axm %p.op(b): Nat → Bool, normalize_op;\nenum class op") != header.npos);
    CHECK(header.find("const Def* normalize_twice(const Redex&);") != header.npos);
    CHECK(header.find("p.normalizer(\"normalize_op\", normalize_op);") != header.npos);
    CHECK(header.find("normalize_op(const") == header.rfind("normalize_op(const"));
    CHECK(header.find("normalize_x") == header.npos);
}

TEST_CASE("names of annexes and plugins") {
    AnnexName name;
    CHECK(split_annex("%core.wrap.add", name));
    CHECK(name.plugin == "core");
    CHECK(name.tag == "wrap");
    CHECK(name.sub == "add");
    CHECK(split_annex("%mem.M", name));
    CHECK(name.sub.empty());
    for (auto bad : {"", "%", "core.wrap", "%core", "%core.", "%.x", "%a.b.", "%a.b.c.d"}) CHECK_FALSE(split_annex(bad, name));
    CHECK(is_plugin_name("core_2"));
    for (auto bad : {"", "2x", "a-b", "../x", "a.b"}) CHECK_FALSE(is_plugin_name(bad));
}
