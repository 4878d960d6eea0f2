// SPDX-License-Identifier: MIT
// The canonical layout: lines stay as they are, with one space between tokens that have any, none behind the last one, and at most one
// empty line in a row.
#include "diag/utf8.h"
#include "front/scanner.h"
#include "lark.h"

namespace lark {

using namespace mim::front;

namespace {

/// A token or a comment.
struct Piece {
    uint32_t begin, end;
    Kind kind;
};

/// All of the text but space, in order.
std::vector<Piece> pieces(const Tokens& tokens) {
    std::vector<Piece> all;
    auto comment = tokens.comments.begin();
    for (uint32_t i = 0; i <= tokens.last(); ++i) {
        for (; comment != tokens.comments.end() && comment->token == i; ++comment)
            all.push_back({comment->begin, comment->end, Error});
        if (tokens[i].tok != End) all.push_back({tokens[i].begin, tokens[i].end, tokens[i].tok});
    }
    return all;
}

/// The space between two pieces of one line.
std::string_view between(Kind before, std::string_view gap, Kind after) {
    if (before == LParen || after == RParen || after == Comma || after == Colon) return "";
    bool spreads = before == Comma || before == Colon || before == Operator || after == Operator || before == Equals
                   || after == Equals;
    return spreads || !gap.empty() ? " " : "";
}

} // namespace

std::optional<std::string> lay_out(mim::FormatContext& c) {
    auto errors = c.diags.num_errors();
    auto tokens = scan(c.file, c.text, lexicon(), c.diags);
    if (c.diags.num_errors() != errors) return {};
    std::string out;
    uint32_t end = 0;
    auto before  = Kind(End);
    for (auto& piece : pieces(tokens)) {
        auto gap   = c.text.substr(end, piece.begin - end);
        auto line  = gap.rfind('\n');
        auto lines = std::count(gap.begin(), gap.end(), '\n');
        if (line != gap.npos && !out.empty()) out += lines > 1 ? "\n\n" : "\n";
        bool is_first = line != gap.npos || out.empty();
        if (is_first) out += gap.substr(line == gap.npos ? 0 : line + 1);
        else out += between(before, gap, piece.kind);
        out += c.text.substr(piece.begin, piece.end - piece.begin);
        end    = piece.end;
        before = piece.kind;
    }
    return out.empty() ? out : out + "\n";
}

} // namespace lark
