// SPDX-License-Identifier: MIT
#include "front/parser.h"

#include <algorithm>
#include <optional>

namespace mim::front {

std::string shown(std::string_view token) {
    constexpr size_t kLongest = 40, kCut = 36;
    if (token.size() <= kLongest) return "`" + std::string(token) + "`";
    auto end = kCut;
    while (end > 0 && (static_cast<unsigned char>(token[end]) & 0xc0) == 0x80) --end; // not inside a character
    return "`" + std::string(token.substr(0, end)) + "…`";
}

std::string ParserBase::describe(Kind kind) const {
    switch (kind) {
        case End: return "the end of the file";
        case Name: return "a name";
        case Integer: return "a number";
        case Float: return "a floating-point number";
        case String: return "a string";
        case Operator: return "an operator";
        case Item: return "a new line";
        case Close: return "the end of the block";
        default: break;
    }
    for (auto& spelling : lexicon_.words)
        if (spelling.kind == kind) return shown(spelling.text);
    for (auto& spelling : lexicon_.symbols)
        if (spelling.kind == kind) return shown(spelling.text);
    for (auto& bracket : lexicon_.brackets) {
        if (bracket.opener == kind) return shown(bracket.open);
        if (bracket.closer == kind) return shown(bracket.close);
    }
    return "something else";
}

std::string ParserBase::seen() const {
    bool is_layout = at(Item) || at(Close);
    return is_layout || cursor_.raw() == End ? describe(tok()) : shown(cursor_.word());
}

/// That of the next token. The end of a block, or of the text, is at the end of the last token, not in some line
/// below.
Span ParserBase::place() const {
    bool is_in_text = !at(Item) && !at(Close) && cursor_.raw() != End;
    bool is_below   = cursor_.last_end() != 0 && cursor_.at_line_start();
    if (is_in_text || !is_below) return cursor_.span();
    return cursor_.span_from(cursor_.last_end());
}

/// Null if the next token has a report already, or nothing is reported any more.
Diagnostic* ParserBase::report_expected(std::string_view what) {
    bool has_report = place_ == cursor_.pos() || cursor_.raw() == Error || cursor_.last() == Error;
    has_errors_     = true;
    place_          = cursor_.pos();
    if (has_report || is_stopped_) return nullptr;
    auto& report = diags_.report(Diag::expected_token, place(), {std::string(what), seen(), std::string(reading)});
    note_layout(report);
    return &report;
}

/// Shows the line that ends the block, if it fits into no block around.
void ParserBase::note_layout(Diagnostic& report) const {
    if (!at(Close) || cursor_.raw() == End || cursor_.begins_item_around()) return;
    report.note(Diag::line_ends_block, cursor_.span(),
                {std::to_string(cursor_.token().column), std::to_string(cursor_.column())});
}

void ParserBase::expected(std::string_view what) { report_expected(what); }

bool ParserBase::expect(Kind kind) {
    if (accept(kind)) return true;
    expected(describe(kind));
    return false;
}

void ParserBase::close(uint32_t opener, Kind kind) {
    if (accept(kind)) return;
    auto& bracket = cursor_.tokens()[opener];
    if (auto d = report_expected(describe(kind)))
        d->note(Diag::opened_here, {cursor_.file(), bracket.begin, bracket.end}, {describe(bracket.tok)});
    bool has_partner = bracket.extra != kNone && bracket.extra >= cursor_.pos();
    if (!has_partner) return;
    cursor_.move_to(bracket.extra);
    next();
}

void ParserBase::ambiguous(const Infix& before, const Infix& op) {
    has_errors_ = true;
    diags_.report(Diag::mixed_operators, op.span, {std::string(before.text), std::string(op.text)});
}

void ParserBase::skip_item() {
    has_errors_ = true;
    while (!at_item_end()) {
        auto partner   = cursor_.token().extra;
        bool is_opener = cursor_.raw() != String && partner != kNone && partner > cursor_.pos();
        if (is_opener) cursor_.move_to(partner);
        next();
    }
}

bool ParserBase::too_deep() {
    if (!nesting_.is_too_deep()) return false;
    if (!is_stopped_) diags_.report(Diag::nested_too_deep, cursor_.span(), {std::to_string(nesting_.depth())});
    has_errors_ = is_stopped_ = true;
    cursor_.move_to_end();
    return true;
}

std::optional<Infix> ParserBase::infix(const OperatorTable& table) const {
    if (at_item_end()) return {};
    auto fixity = table.find(cursor_.word());
    if (!fixity) return {};
    return Infix{cursor_.word(), cursor_.span(), *fixity};
}

} // namespace mim::front
