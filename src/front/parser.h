// SPDX-License-Identifier: MIT
// The base of parsers of plugins' languages: the tokens with their layout, errors, and recovery from them. One run shows several errors:
// an error at a token that already has one is not reported, and the rest of a broken item is skipped.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "diag/diag.h"
#include "front/layout.h"
#include "front/nesting.h"
#include "front/operators.h"
#include "front/scanner.h"

namespace mim::front {

class ParserBase {
protected:
    static constexpr uint32_t kMaxNesting = 10'000;

    /// The lexicon lives longer than the parser.
    ParserBase(FileId file, std::string_view text, const Lexicon& lexicon, LayoutRules rules, Diagnostics& diags)
        : lexicon_(lexicon)
        , diags_(diags)
        , cursor_(file, text, scan(file, text, lexicon, diags), std::move(rules))
        , nesting_(kMaxNesting) {}

    /// @name tokens
    ///@{
    Kind tok(uint32_t ahead = 0) const { return cursor_.tok(ahead); }
    bool at(Kind kind) const { return cursor_.at(kind); }
    bool accept(Kind kind) { return cursor_.accept(kind); }
    void next() { cursor_.next(); }
    /// Takes the token; false after a report.
    bool expect(Kind);
    /// Takes the closing bracket; if something else is there, reports it and skips to behind the partner of the opener, which is at
    /// this position.
    void close(uint32_t opener, Kind);
    /// Reads what stands in brackets whose opener is the last token, up to their closer. Lines mean nothing there.
    template<class Part>
    void bracketed(Kind separator, Kind closer, Part part) {
        auto lines  = cursor_.suspend();
        auto opener = cursor_.pos() - 1;
        bool is_on  = !at(closer);
        while (is_on) {
            part();
            is_on = accept(separator);
        }
        close(opener, closer);
    }
    /// Whether nothing of the item is left.
    bool at_item_end() const { return at(Item) || at(Close) || at(End); }
    ///@}

    /// @name errors
    ///@{
    /// Reports that something else than the next token was expected, such as "an expression".
    void expected(std::string_view what);
    /// An operator has no side in common with the one before it.
    void ambiguous(const Infix& before, const Infix& op);
    /// Skips the rest of a broken item.
    void skip_item();
    /// Whether the text is nested too deeply. Then reports it once, and moves to the end so that everything returns.
    bool too_deep();
    bool has_errors() const { return has_errors_; }
    /// The construct that is read, for messages.
    std::string_view reading = "a file";
    ///@}

    /// The infix operator that is next, if the table knows it.
    std::optional<Infix> infix(const OperatorTable&) const;

    const Lexicon& lexicon_;
    Diagnostics& diags_;
    LayoutCursor cursor_;
    Nesting nesting_;

private:
    Diagnostic* report_expected(std::string_view what);
    void note_layout(Diagnostic&) const;
    std::string describe(Kind) const;
    std::string seen() const;
    Span place() const;

    uint32_t place_  = kNone; ///< the token that has an error
    bool has_errors_ = false;
    bool is_stopped_ = false;
};

/// A token as a message shows it: in backticks, and not too long.
std::string shown(std::string_view token);

} // namespace mim::front
