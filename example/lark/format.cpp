// SPDX-License-Identifier: MIT
// The canonical layout: lines stay as they are, with one space between tokens that have any, none behind the last one, and at most one
// empty line in a row. Columns have a meaning: a token that a block begins with keeps its place, and so do those before it in its line.
#include <algorithm>
#include <utility>

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

/// How many pieces, from the first on, must keep their places: up to the one behind the last `let` whose block begins in its line.
size_t kept(const std::vector<Piece>& line) {
    size_t count = 0;
    for (size_t i = 0; i + 1 < line.size(); ++i)
        if (line[i].kind == Let) count = i + 2;
    return count;
}

/// The space between two pieces of one line.
std::string_view between(Kind before, std::string_view gap, Kind after) {
    if (before == LParen || after == RParen || after == Comma || after == Colon) return "";
    bool spreads = before == Comma || before == Colon || before == Operator || after == Operator || before == Equals
                   || after == Equals;
    return spreads || !gap.empty() ? " " : "";
}

void add_line(std::string& out, std::string_view text, const std::vector<Piece>& line) {
    auto fixed = kept(line);
    for (size_t i = 0; i != line.size(); ++i) {
        auto& piece = line[i];
        if (i > 0) {
            auto gap = text.substr(line[i - 1].end, piece.begin - line[i - 1].end);
            out += i < fixed ? gap : between(line[i - 1].kind, gap, piece.kind);
        }
        out += text.substr(piece.begin, piece.end - piece.begin);
    }
    out += "\n";
}

} // namespace

std::optional<std::string> lay_out(mim::FormatContext& c) {
    auto errors = c.diags.num_errors();
    auto tokens = scan(c.file, c.text, lexicon(), c.diags);
    if (c.diags.num_errors() != errors) return {};
    std::string out;
    std::vector<Piece> line;
    uint32_t end = 0;
    for (auto& piece : pieces(tokens)) {
        auto gap   = c.text.substr(end, piece.begin - end);
        auto lines = std::count(gap.begin(), gap.end(), '\n');
        end        = piece.end;
        if (lines > 0 && !line.empty()) {
            add_line(out, c.text, std::exchange(line, {}));
            if (lines > 1) out += "\n";
        }
        if (line.empty()) out += gap.substr(gap.rfind('\n') + 1); // the indentation; npos + 1 is 0
        line.push_back(piece);
    }
    if (!line.empty()) add_line(out, c.text, line);
    return out;
}

} // namespace lark
