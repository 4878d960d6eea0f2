// SPDX-License-Identifier: MIT
// libFuzzer target for everything between text and tree: no input crashes the lexer or the parser; what parses without errors
// prints, in both spellings, to text that parses to the same tree; formatting it keeps the tree and is idempotent.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "syntax/dump.h"
#include "syntax/format.h"
#include "syntax/parse.h"
#include "syntax/print.h"

using namespace mim;

namespace {

struct Run {
    SourceManager sources;
    SymbolTable symbols;
    Diagnostics diags{sources};
    ast::Module module;

    explicit Run(std::string text) {
        diags.max_errors = 0;
        ParseOptions options;
        options.max_nesting = 500;
        module              = parse(sources.add("fuzz.mim", std::move(text)), sources, symbols, diags, options);
    }
};

void check(bool ok, const char* what, const std::string& text) {
    if (ok) return;
    std::fprintf(stderr, "%s:\n%s\n", what, text.c_str());
    std::abort();
}

// Where the first line of Mim begins: after the line that makes the text a script, if it has one.
size_t first_line(const std::string& text) {
    if (!text.starts_with("#!")) return 0;
    auto end = text.find('\n');
    return end == std::string::npos ? text.size() : end + 1;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size > 4096) return 0;
    std::string text(reinterpret_cast<const char*>(data), size);
    Run first(text);
    if (first.diags.num_errors()) return 0;
    auto tree = dump(first.module);
    for (bool ascii : {false, true}) {
        PrintOptions options;
        options.ascii = ascii;
        auto printed  = print(first.module, options);
        Run second(printed);
        check(!second.diags.num_errors() && dump(second.module) == tree, "printed text reads differently", printed);
        check(print(second.module, options) == printed, "printing is not a fixed point", printed);
    }
    auto format_once = [](const std::string& t) {
        SourceManager sources;
        Diagnostics diags(sources);
        return format(sources.add("fuzz.mim", t), sources, diags);
    };
    if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3); // which may stand at the very beginning only
    auto begin = first_line(text);
    text.insert(begin, " "); // a canonical text has none there: one that keeps it was given up
    auto formatted = format_once(text);
    bool given_up  = !formatted || (begin < formatted->size() && (*formatted)[begin] == ' ');
    check(!given_up, "not formatted", text);
    check(dump(Run(*formatted).module) == tree, "formatting changed the tree", *formatted);
    check(format_once(*formatted) == formatted, "formatting is not idempotent", *formatted);
    return 0;
}
