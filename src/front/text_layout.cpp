// SPDX-License-Identifier: MIT
// The two passes: measure from the back, then print from the front.
#include "front/text_layout.h"

#include <algorithm>

namespace mim {

namespace {
constexpr uint32_t kInfinite = 1u << 30;
constexpr uint32_t kIndent   = 4;
uint32_t sum(uint32_t a, uint32_t b) { return std::min(a + b, kInfinite); }
} // namespace

uint32_t TextLayout::columns(std::string_view s) {
    return static_cast<uint32_t>(std::count_if(s.begin(), s.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

void TextLayout::text(std::string_view s) {
    if (fresh_ || space_pending_)
        while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
    if (s.empty()) return;
    constexpr std::string_view closers = ",;)]}";
    if (space_pending_ && !fresh_ && closers.find(s.front()) == closers.npos) ops_.push_back({Text, 1, " "});
    // `<` `<<` must not become `<<` `<`.
    if (last_ == "<" && s.front() == '<' && !fresh_) ops_.push_back({Text, 1, " "});
    ops_.push_back({Text, columns(s), s});
    last_  = s;
    fresh_ = space_pending_ = false;
}

void TextLayout::op(Op o) {
    bool line = o == Line || o == SoftLine || o == FillLine || o == HardLine;
    if (line && fresh_) return;
    if (o == Line || o == FillLine || o == HardLine) space_pending_ = false;
    if (o == HardLine) fresh_ = true;
    ops_.push_back({o, 0, {}});
}

bool TextLayout::ends_with_line() const {
    Op o = ops_.empty() ? HardLine : ops_.back().op;
    return o == Line || o == SoftLine || o == FillLine || o == HardLine;
}

void TextLayout::trailing_comment(std::string_view s) {
    bool own = fresh_ && (ops_.empty() || ops_.back().op != HardLine || last_.substr(0, 2) == "//");
    if (own) return own_comment(s); // there is no text that it could follow
    if (ends_with_line()) ops_.pop_back();
    fresh_ = space_pending_ = false;
    text(" ");
    text(s);
    op(HardLine);
}

void TextLayout::own_comment(std::string_view s) {
    if (!ops_.empty() && ends_with_line() && !fresh_) ops_.pop_back();
    op(HardLine);
    space_pending_ = false;
    text(s);
    op(HardLine);
}

void TextLayout::inline_comment(std::string_view s) {
    bool apart = ends_with_line() || last_.empty() || last_.back() == ' ' || last_ == "(" || last_ == "[" || last_ == "{";
    if (!apart) text(" ");
    text(s);
    space_pending_ = true;
}

/// Fills in the sizes of groups; the result is, for each operation, the columns of the text behind it up to the next line.
std::vector<uint32_t> TextLayout::measure() {
    std::vector<uint32_t> rest(ops_.size() + 1, 0);
    std::vector<uint32_t> total(1, 0); // flat columns from here to the end of the group, per open group
    for (size_t i = ops_.size(); i-- > 0;) {
        Item& item   = ops_[i];
        uint32_t own = 0;
        rest[i]      = rest[i + 1];
        switch (item.op) {
            case Text:
                own     = item.size;
                rest[i] = sum(rest[i], own);
                break;
            case Line:
            case FillLine:
                own     = 1;
                rest[i] = 0;
                break;
            case SoftLine: rest[i] = 0; break;
            case HardLine:
            case Blank:
                own     = kInfinite;
                rest[i] = 0;
                break;
            case End: total.push_back(0); break;
            case Begin:
                item.size = own = total.back();
                total.pop_back();
                break;
            default: break;
        }
        total.back() = sum(total.back(), own);
    }
    return rest;
}

std::string TextLayout::str(uint32_t width) {
    auto rest = measure();
    std::string out;
    std::vector<bool> flat;
    // The end of each group is needed to know what follows it.
    std::vector<size_t> open, ends(ops_.size(), 0);
    for (size_t i = 0; i < ops_.size(); ++i) {
        if (ops_[i].op == Begin) open.push_back(i);
        if (ops_[i].op == End) {
            ends[open.back()] = i;
            open.pop_back();
        }
    }
    uint32_t column = 0, indent = 0;
    bool fresh   = true; // the indentation of this line is still to be written
    auto is_flat = [&] { return !flat.empty() && flat.back(); };
    auto newline = [&] {
        while (!out.empty() && out.back() == ' ') out.pop_back();
        out += '\n';
        column = 0;
        fresh  = true;
    };
    for (size_t i = 0; i < ops_.size(); ++i) {
        const Item& item = ops_[i];
        switch (item.op) {
            case Text:
                if (fresh) {
                    column = std::min(indent * kIndent,
                                      width / 2 / kIndent * kIndent); // deep nesting must not grow quadratically
                    out.append(column, ' ');
                    fresh = false;
                }
                out += item.text;
                column += item.size;
                break;
            case Line:
            case FillLine: {
                bool fits = item.op == Line ? is_flat() : is_flat() || column + 1 + rest[i + 1] <= width;
                if (!fits) newline();
                else if (!fresh) {
                    out += ' ';
                    ++column;
                }
                break;
            }
            case SoftLine:
                if (!is_flat()) newline();
                break;
            case HardLine: newline(); break;
            case Blank: out += '\n'; break;
            case Begin: {
                uint32_t start = fresh ? std::min(indent * kIndent, width / 2) : column;
                flat.push_back(is_flat() || sum(sum(start, item.size), rest[ends[i] + 1]) <= width);
                break;
            }
            case End: flat.pop_back(); break;
            case Indent: ++indent; break;
            case Dedent: --indent; break;
        }
    }
    return out;
}

} // namespace mim
