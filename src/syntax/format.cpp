// SPDX-License-Identifier: MIT
// The formatter: parse, print with the comments, and repeat until nothing changes. One round is nearly always the fixed point;
// where a comment has to move to another line, the next round settles it. The result is checked to parse to the same tree and
// to have all comments; a file for which that fails is left as it is, since losing code is worse than leaving it unformatted.
#include "syntax/format.h"

#include "syntax/dump.h"
#include "syntax/lex.h"
#include "syntax/parser.h"
#include "syntax/printer.h"

namespace mim {

namespace {

constexpr int kRounds = 8;

struct Parsed {
    ast::Module module;
    std::vector<Comment> comments;
};

Parsed parse_with_comments(FileId file, std::string_view text, SymbolTable& symbols, Diagnostics& diags, Dialect dialect) {
    ParseOptions options;
    options.dialect = dialect;
    return {Parser(file, text, symbols, diags, options).module(), lex(text, {dialect, true}).comments};
}

/// The comments without the white space that formatting may change.
std::string squeezed(std::string_view text, const std::vector<Comment>& comments) {
    std::string s;
    for (auto& c : comments)
        for (char x : text.substr(c.begin, c.end - c.begin))
            if (x != ' ' && x != '\t' && x != '\r') s += x;
    return s;
}

} // namespace

std::optional<std::string> format(FileId file, SourceManager& sources, Diagnostics& diags) {
    auto original = std::string(sources.text(file));
    auto dialect  = lex(original, {Dialect::Mim0_1, false}).dotted ? Dialect::Mim0_1 : Dialect::Mim;
    SymbolTable symbols;
    size_t errors = diags.num_errors();
    auto first    = parse_with_comments(file, original, symbols, diags, dialect);
    if (diags.num_errors() != errors) return {};

    auto comments    = squeezed(original, first.comments);
    std::string text = original;
    Parsed cur       = std::move(first);
    auto tree        = dump(cur.module);
    for (int round = 0; round < kRounds; ++round) {
        SourceComments source{text, &cur.comments};
        auto next = Printer(PrintOptions{}, &source).module(cur.module);
        if (next == text) return text;
        SourceManager scratch;
        FileId id = scratch.add("", next);
        Diagnostics quiet(scratch);
        quiet.max_errors = 0;
        cur              = parse_with_comments(id, next, symbols, quiet, Dialect::Mim);
        if (quiet.num_errors() || dump(cur.module) != tree || squeezed(next, cur.comments) != comments) return original;
        text = std::move(next);
    }
    return text;
}

} // namespace mim
