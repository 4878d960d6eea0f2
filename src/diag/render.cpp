// SPDX-License-Identifier: MIT
// Diagnostics as text:
//
//     file.mim:3:9: error: unknown name `foo` [E100]
//       3 | let x = foo;
//         |         ^~~
//     file.mim:1:5: note: …
//
// Lines and columns count from 1, columns in characters. Tabs become spaces up to the next multiple of four, what a terminal
// cannot show becomes �, and of a very long line only the part around the caret is shown. A span of several lines shows its
// first and its last one.
#include <algorithm>
#include <cstddef>

#include "diag/diag.h"
#include "diag/utf8.h"

namespace mim {

namespace {

constexpr size_t kTab        = 4;
constexpr size_t kMaxWidth   = 140;  ///< columns of a source line that are shown
constexpr size_t kMaxCell    = 32;   ///< bytes
constexpr size_t kContext    = 40;   ///< columns before the caret when a long line is cut
constexpr size_t kMaxMessage = 4000; ///< bytes of a message; types can be huge

struct Paint {
    bool on;
    std::string operator()(const char* code, std::string_view text) const {
        return on ? "\033[" + std::string(code) + "m" + std::string(text) + "\033[0m" : std::string(text);
    }
};

constexpr const char* kBold = "1";

const char* color_of(Severity s) {
    switch (s) {
        case Severity::Error: return "1;31";
        case Severity::Warning: return "1;35";
        default: return "1;36";
    }
}

const char* name_of(Severity s) {
    switch (s) {
        case Severity::Error: return "error";
        case Severity::Warning: return "warning";
        default: return "note";
    }
}

/// A source line as a terminal shows it: the text, cell by cell, and the columns of a byte range.
struct Line {
    std::vector<std::string> cells; ///< one per column; the second half of a wide character is empty
    size_t begin = 0, end = 0;      ///< columns of the span
};

Line lay_out(std::string_view text, size_t begin, size_t end) {
    Line line;
    std::string_view rest = text;
    bool seen_begin = false, seen_end = false;
    while (!rest.empty()) {
        size_t at = text.size() - rest.size();
        if (!seen_begin && at >= begin) line.begin = line.cells.size(), seen_begin = true;
        if (!seen_end && at >= end) line.end = line.cells.size(), seen_end = true;
        auto c = utf8::next(rest);
        if (c == '\t') {
            do line.cells.emplace_back(" ");
            while (line.cells.size() % kTab != 0);
            continue;
        }
        std::string cell;
        utf8::append(cell, utf8::is_control(c) ? utf8::kInvalid : c);
        auto width = utf8::width(c);
        if (width == 0 && !line.cells.empty()) { // marks on a letter; no letter carries thousands
            if (line.cells.back().size() < kMaxCell) line.cells.back() += cell;
            continue;
        }
        line.cells.push_back(std::move(cell));
        if (width == 2) line.cells.emplace_back();
    }
    if (!seen_begin) line.begin = line.cells.size();
    if (!seen_end) line.end = line.cells.size();
    return line;
}

/// Lays out the part of a line around the begin of the span: a generated line may have megabytes, and an error for every name in it.
Line lay_out_near(std::string_view text, size_t begin, size_t end) {
    constexpr size_t kBytes = 16 * kMaxWidth;
    if (text.size() <= 4 * kBytes) return lay_out(text, begin, end);
    auto is_inner = [&](size_t i) { return i < text.size() && (static_cast<unsigned char>(text[i]) & 0xc0) == 0x80; };
    auto from     = begin > kBytes ? begin - kBytes : 0;
    auto to       = std::min(text.size(), begin + kBytes);
    while (is_inner(from)) ++from;
    while (is_inner(to)) ++to;
    return lay_out(text.substr(from, to - from), begin - from, std::min(end, to) - from);
}

/// Leaves of a long line a window around the beginning of the span.
void cut(Line& line) {
    if (line.cells.size() <= kMaxWidth) return;
    size_t from = line.begin > kContext ? line.begin - kContext : 0;
    size_t to   = std::min(line.cells.size(), from + kMaxWidth);
    bool right  = to < line.cells.size();
    line.cells  = std::vector<std::string>(line.cells.begin() + static_cast<std::ptrdiff_t>(from),
                                           line.cells.begin() + static_cast<std::ptrdiff_t>(to));
    line.begin -= from;
    line.end = std::min(line.end - std::min(line.end, from), line.cells.size());
    if (from != 0) line.cells.front() = "…";
    if (right) line.cells.back() = "…";
}

/// The line and the one with the mark under it, behind what begins them; `head` is the first character of the mark.
std::string marked(const Line& line, const std::string& prefix, const std::string& gutter, char head, const char* color,
                   Paint paint) {
    std::string text = prefix, mark(line.begin, ' ');
    for (auto& cell : line.cells) text += cell;
    auto length = line.end > line.begin ? line.end - line.begin : 1;
    auto under  = head + std::string(length - 1, '~');
    while (!text.empty() && text.back() == ' ') text.pop_back();
    return text + "\n" + gutter + mark + paint(color, under) + "\n";
}

/// The source line and the line with the mark under it.
std::string excerpt(const Line& line, uint32_t number, char head, const char* color, Paint paint) {
    auto margin = std::to_string(number);
    auto gutter = std::string(std::max<size_t>(margin.size(), 3), ' ');
    return marked(line, gutter.substr(margin.size()) + margin + " | ", gutter + " | ", head, color, paint);
}

std::string snippet(const SourceManager& sources, Span span, const char* color, Paint paint) {
    auto first = sources.line_col(span.file, span.begin);
    auto last  = sources.line_col(span.file, std::max(span.begin, span.end));
    // A span that ends with a line break ends on the line before it.
    if (last.line > first.line && last.col == 1) {
        last.line -= 1;
        last.col = static_cast<uint32_t>(sources.line(span.file, last.line).size()) + 1;
    }
    auto text = sources.line(span.file, first.line);
    if (first.line == last.line) {
        auto line = lay_out_near(text, first.col - 1, last.col - 1);
        cut(line);
        return excerpt(line, first.line, '^', color, paint);
    }
    auto head = lay_out_near(text, first.col - 1, text.size());
    cut(head);
    auto out  = excerpt(head, first.line, '^', color, paint);
    text      = sources.line(span.file, last.line);
    auto from = std::min(text.find_first_not_of(" \t"), text.size());
    auto tail = lay_out_near(text, from, std::max<size_t>(last.col - 1, from));
    cut(tail);
    if (last.line > first.line + 1) out += "...\n";
    return out + excerpt(tail, last.line, '~', color, paint);
}

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/// Goes to the next line that has text; it is indented, so that nobody takes it for another message.
void next_line(std::string_view& text, std::string& out) {
    size_t indent = 0;
    for (; !text.empty() && is_space(text.front()); text.remove_prefix(1)) indent = text.front() == '\n' ? 0 : indent + 1;
    out += "\n" + std::string(std::max<size_t>(indent, 2), ' ');
}

/// A message for a terminal: of bounded length, without control characters. Further lines are indented.
std::string clean(std::string_view text) {
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    std::string out;
    while (!text.empty()) {
        if (out.size() > kMaxMessage) return out + " …";
        auto c = utf8::next(text);
        if (c == '\n') next_line(text, out);
        else utf8::append(out, c == '\t' || c == '\r' ? U' ' : utf8::is_control(c) ? utf8::kInvalid : c);
    }
    return out;
}

/// Line and column in characters.
LineCol place(const SourceManager& sources, FileId file, uint32_t offset) {
    auto at = sources.line_col(file, offset);
    at.col  = static_cast<uint32_t>(utf8::count(sources.text({file, offset - (at.col - 1), offset}))) + 1;
    return at;
}

std::string render_one(const SourceManager& sources, Diag id, Severity severity, Span span, const DiagArgs& args, Paint paint) {
    std::string where = "mim";
    bool has_place    = !sources.path(span.file).empty();
    if (has_place) {
        auto at = place(sources, span.file, span.begin);
        where   = clean(sources.path(span.file)) + ":" + std::to_string(at.line) + ":" + std::to_string(at.col);
    }
    auto color = color_of(severity);
    auto out   = paint(kBold, where + ":") + " " + paint(color, std::string(name_of(severity)) + ":") + " "
               + clean(message(id, args));
    if (severity != Severity::Note) out += " [" + std::string(info(id).code) + "]";
    out += "\n";
    return has_place ? out + snippet(sources, span, color, paint) : out;
}

void json_string(std::string& out, std::string_view text) {
    static constexpr char kHex[] = "0123456789abcdef";
    out += '"';
    while (!text.empty()) {
        auto c = utf8::next(text);
        if (c == '"' || c == '\\') {
            (out += '\\') += static_cast<char>(c);
        } else if (c == '\n') {
            out += "\\n";
        } else if (c == '\t') {
            out += "\\t";
        } else if (c < 0x20 || c == 0x7f) {
            ((out += "\\u00") += kHex[c >> 4]) += kHex[c & 15];
        } else {
            utf8::append(out, c);
        }
    }
    out += '"';
}

void json_fields(std::string& out, const SourceManager& sources, Diag id, Severity severity, Span span, const DiagArgs& args) {
    out += "\"severity\":\"" + std::string(name_of(severity)) + "\",\"code\":\"" + std::string(info(id).code) + "\",\"message\":";
    json_string(out, message(id, args));
    if (sources.path(span.file).empty()) return;
    auto begin = place(sources, span.file, span.begin), end = place(sources, span.file, std::max(span.begin, span.end));
    out += ",\"file\":";
    json_string(out, sources.path(span.file));
    out += ",\"line\":" + std::to_string(begin.line) + ",\"column\":" + std::to_string(begin.col)
           + ",\"end_line\":" + std::to_string(end.line) + ",\"end_column\":" + std::to_string(end.col);
}

} // namespace

/// The notes of a diagnostic that its reader can use.
static std::vector<const Diagnostic::Note*> notes_for_reader(const SourceManager& sources, const Diagnostic& d) {
    std::vector<const Diagnostic::Note*> notes;
    bool is_foreign = sources.is_foreign(d.span.file);
    for (auto& note : d.notes)
        if (!is_foreign || info(note.id).severity != Severity::Hint) notes.push_back(&note);
    return notes;
}

std::string render_text(const SourceManager& sources, const Diagnostic& d, bool color) {
    auto out = render_one(sources, d.id, d.severity, d.span, d.args, {color});
    for (auto note : notes_for_reader(sources, d))
        out += render_one(sources, note->id, Severity::Note, note->span, note->args, {color});
    return out;
}

std::string render_mark(std::string_view text, size_t begin, size_t end) {
    auto from = begin == 0 ? 0 : text.rfind('\n', begin - 1) + 1;
    text      = text.substr(from, text.find('\n', begin) - from);
    auto line = lay_out_near(text, begin - from, std::min(end - from, text.size()));
    cut(line);
    return marked(line, "  ", "  ", '^', "", {false});
}

std::string render_json(const SourceManager& sources, const Diagnostic& d) {
    std::string out = "{";
    json_fields(out, sources, d.id, d.severity, d.span, d.args);
    out += ",\"notes\":[";
    std::string_view separator;
    for (auto note : notes_for_reader(sources, d)) {
        out += separator;
        out += "{";
        json_fields(out, sources, note->id, Severity::Note, note->span, note->args);
        out += "}";
        separator = ",";
    }
    return out + "]}\n";
}

} // namespace mim
