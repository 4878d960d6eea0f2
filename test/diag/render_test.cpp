// SPDX-License-Identifier: MIT
// Collecting and rendering diagnostics: the caret's column under tabs and wide characters, spans of several lines, long lines,
// bytes that are no text, and JSON.
#include <doctest/doctest.h>

#include <set>

#include "diag/diag.h"
#include "diag/utf8.h"

using namespace mim;

namespace {

struct Fixture {
    SourceManager sources;
    Diagnostics diags{sources};

    Span find(std::string text, std::string_view what, std::string name = "a.mim") {
        auto at   = static_cast<uint32_t>(text.find(what));
        auto file = sources.add(std::move(name), std::move(text));
        return {file, at, at + static_cast<uint32_t>(what.size())};
    }
    std::string text(Span span, Diag id = Diag::unknown_name, DiagArgs args = {"foo"}) {
        return render_text(sources, diags.report(id, span, std::move(args)), false);
    }
};

} // namespace

TEST_CASE_FIXTURE(Fixture, "the caret stands under the exact span") {
    CHECK(text(find("let a = 1;\nlet x = foo;\n", "foo"))
          == "a.mim:2:9: error: unknown name `foo` [E100]\n"
             "  2 | let x = foo;\n"
             "    |         ^~~\n");
}

TEST_CASE_FIXTURE(Fixture, "tabs and characters of other widths") {
    CHECK(text(find("\tλ\t→ foo", "foo"))
          == "a.mim:1:6: error: unknown name `foo` [E100]\n"
             "  1 |     λ   → foo\n"
             "    |           ^~~\n");
    CHECK(text(find("漢字 foo", "foo"))
          == "a.mim:1:4: error: unknown name `foo` [E100]\n"
             "  1 | 漢字 foo\n"
             "    |      ^~~\n");
    CHECK(text(find("a\xff\x1b foo", "foo"))
          == "a.mim:1:5: error: unknown name `foo` [E100]\n"
             "  1 | a\xef\xbf\xbd\xef\xbf\xbd foo\n"
             "    |     ^~~\n");
}

TEST_CASE_FIXTURE(Fixture, "a span of several lines") {
    CHECK(text(find("let x = (1,\n  2,\n  3);\n", "(1,\n  2,\n  3)"))
          == "a.mim:1:9: error: unknown name `foo` [E100]\n"
             "  1 | let x = (1,\n"
             "    |         ^~~\n"
             "...\n"
             "  3 |   3);\n"
             "    |   ~~\n");
}

TEST_CASE_FIXTURE(Fixture, "the end of the file, an empty file and no place at all") {
    CHECK(text(find("ab\n", "\n")) == "a.mim:1:3: error: unknown name `foo` [E100]\n  1 | ab\n    |   ^\n");
    auto file = sources.add("b.mim", "");
    CHECK(text({file, 0, 0}) == "b.mim:1:1: error: unknown name `foo` [E100]\n  1 |\n    | ^\n");
    CHECK(text({}) == "mim: error: unknown name `foo` [E100]\n");
}

TEST_CASE_FIXTURE(Fixture, "of a long line the part around the caret is shown") {
    auto out = text(find(std::string(100'000, 'x') + " foo " + std::string(100'000, 'y'), "foo"));
    CHECK(out.size() < 600);
    CHECK(out.find("…xxx") != out.npos);
    CHECK(out.find(" foo y") != out.npos);
    CHECK(out.find("^~~\n") != out.npos);
}

TEST_CASE_FIXTURE(Fixture, "notes follow, and color is only added") {
    auto span = find("let x = foo;", "foo");
    auto& d   = diags.report(Diag::redefined, span, {"foo"}).note(Diag::declared_here, {span.file, 4, 5}, {"x"});
    CHECK(render_text(sources, d, false)
          == "a.mim:1:9: error: `foo` is already defined in this block [E101]\n"
             "  1 | let x = foo;\n"
             "    |         ^~~\n"
             "a.mim:1:5: note: `x` is declared here\n"
             "  1 | let x = foo;\n"
             "    |     ^\n");
    CHECK(render_text(sources, d, true).find("\033[1;31m") != std::string::npos);
}

TEST_CASE_FIXTURE(Fixture, "JSON is one valid line whatever the text") {
    auto span = find("λ \"foo\"", "\"foo\"", "dir/a \"b\".mim");
    auto& d   = diags.report(Diag::unknown_name, span, {"a\"\\\n\x01\xff"}).note(Diag::declared_here, {}, {"x"});
    CHECK(render_json(sources, d)
          == "{\"severity\":\"error\",\"code\":\"E100\",\"message\":\"unknown name `a\\\"\\\\\\n\\u0001\xef\xbf\xbd`\","
             "\"file\":\"dir/a \\\"b\\\".mim\",\"line\":1,\"column\":3,\"end_line\":1,\"end_column\":8,"
             "\"notes\":[{\"severity\":\"note\",\"code\":\"N001\",\"message\":\"`x` is declared here\"}]}\n");
}

TEST_CASE_FIXTURE(Fixture, "an error is told once, and --max-errors ends the run") {
    auto file        = sources.add("a.mim", "0123456789");
    diags.max_errors = 3;
    for (int i = 0; i < 5; ++i) diags.report(Diag::unknown_name, {file, 0, 1}, {"a"});
    CHECK(diags.num_errors() == 1);
    diags.report(Diag::unknown_name, {file, 1, 2}, {"a"});
    diags.report(Diag::unknown_name, {}, {"a"});
    CHECK_THROWS_AS(diags.report(Diag::unknown_name, {}, {"b"}), TooManyErrors);
    CHECK(diags.all().size() == 3);
}

TEST_CASE("codes are unique and fit their severity") {
    std::set<std::string_view> codes;
    for (auto& d : all_diagnostics()) {
        CAPTURE(d.name);
        CHECK(codes.insert(d.code).second);
        CHECK(d.code[0] == (d.severity == Severity::Error ? 'E' : d.severity == Severity::Warning ? 'W' : 'N'));
        CHECK(d.message.back() != '.');
    }
}

TEST_CASE("malformed UTF-8 is taken byte by byte") {
    CHECK(utf8::count("aλ→𝄞") == 4);
    CHECK(utf8::count("\xc0\x80") == 2);
    CHECK(utf8::count("\xed\xa0\x80") == 3);
    CHECK(utf8::count("\xf4\x90\x80\x80") == 4);
    CHECK(utf8::count("\xe2\x86") == 2);
}
