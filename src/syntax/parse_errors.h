// SPDX-License-Identifier: MIT
// Errors of syntax, and recovery from them. Two rules keep errors few and precise: an error at a token that already has
// one is not reported, and a bracket whose inside is broken is skipped to its partner.
#pragma once
#include <string>
#include <string_view>

#include "diag/diag.h"
#include "front/nesting.h"
#include "syntax/lookahead.h"

namespace mim {

class ParseErrors {
public:
    ParseErrors(Cursor& cursor, const Lookahead& look, const ParseContext& context, Diagnostics& diags, uint32_t max_nesting)
        : cursor_(cursor)
        , look_(look)
        , context_(context)
        , diags_(diags)
        , nesting_(max_nesting) {}

    /// @name reports
    ///@{
    /// Something else than the next token was expected. Null if there is nothing to report.
    Diagnostic* expected(std::string_view what);
    /// The same for the `}` of a block, with other notes, and without marking the token; null if there is nothing to
    /// report.
    Diagnostic* expected_end_of_block();
    /// Null if nothing is reported any more.
    Diagnostic* report(Diag, Span, DiagArgs = {});
    /// Reports the errors of the lexer in front of this offset of the text.
    void lex_errors(uint32_t before);
    /// How many errors were reported so far.
    size_t count() const { return diags_.num_errors(); }
    /// Behind a declaration at the top level that began at this offset of the text, when there were so many errors. Elaboration reports
    /// nothing of it if there are more now: names are missing and expressions look otherwise where the text is broken.
    void end_decl(uint32_t begin, size_t num_errors);
    /// Elaboration reports nothing of this text, for the same reason.
    void mute(Span text) { diags_.mute(text); }
    /// They need no report.
    void skip_lex_errors(uint32_t before);
    /// The next token has an error: whatever else is wrong with it needs no report.
    void mark() { place_ = cursor_.pos(); }
    bool is_marked() const { return place_ == cursor_.pos(); }
    /// The position of the token that was marked last.
    uint32_t place() const { return place_; }
    /// The next token is unknown to the lexer, or the last one was.
    bool is_at_lex_error() const { return cursor_.at(Tok::Error) || cursor_.last() == Tok::Error; }
    ///@}

    /// @name the source, for messages
    ///@{
    /// The text at this place, or `…` if it is long.
    std::string text(Span) const;
    /// The declarations that may bind this value, which stands where a declaration was expected.
    std::string bindings_text(const ast::Expr* value) const;
    ///@}

    /// @name tokens that must be there; false if they are not
    ///@{
    /// Takes the token. `>>` may end two packs, and `>` `>` an array.
    bool expect(Tok);
    /// The same without a report.
    bool accept_end(Tok);
    /// Takes the closing bracket; if something else is there, skips to the partner of the opener, which is at this
    /// position.
    void close(uint32_t opener, Tok);
    /// The first token of a line below the declaration that starts at this offset, and indented as that is: it goes on with the value before
    /// it, as an argument, though a `;` was meant to end that. kNone if there is none.
    uint32_t line_without_end(uint32_t declaration) const;
    /// The `;` in front of this token is missing.
    void report_unended(uint32_t line);
    /// Whether the `{` at this position has a partner. A `}` that begins a line further to the left than the line of the
    /// `{` belongs to a block around it.
    bool is_closed(uint32_t opener) const;
    /// The note that says where the bracket at this position is.
    void note_opener(Diagnostic&, uint32_t opener) const;
    /// The same for the block around this place, if its `}` is missing.
    void note_open_block(Diagnostic&) const;
    /// Skips to behind the partner of the opener, unless it is behind the cursor.
    void skip_to_partner(uint32_t opener);
    /// Skips the rest of a broken declaration: behind the next `;`, or to a token that may start or end a declaration
    /// list.
    void sync();
    ///@}

    front::Nesting& nesting() { return nesting_; }
    /// Whether the limit of nesting is reached. Then reports it once, and moves to the end so that everything returns.
    bool too_deep();
    /// Nested too deeply: nothing more is reported.
    bool is_stopped() const { return is_stopped_; }

private:
    std::string seen() const;
    bool follows_error();

    Cursor& cursor_;
    const Lookahead& look_;
    const ParseContext& context_;
    Diagnostics& diags_;
    front::Nesting nesting_;
    uint32_t place_   = kNone; ///< the token that has an error
    uint32_t shown_   = kNone; ///< where the last token is that was reported as not expected
    size_t lex_error_ = 0;     ///< index of the next error of the lexer to report
    bool is_stopped_  = false;
};

} // namespace mim
