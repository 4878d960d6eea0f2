// SPDX-License-Identifier: MIT
// Declared diagnostics: a value with a stable code, a place, arguments and notes. Reporting collects; rendering (text with a
// caret, or JSON) is separate, so that tests, the language server and the terminal share one source.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "diag/table.h"

namespace mim {

enum class Severity : uint8_t { Note, Warning, Error };

enum class Diag : uint16_t {
#define MIM_DIAG_ENUM(name, code, severity, message) name,
    MIM_DIAGNOSTICS(MIM_DIAG_ENUM)
#undef MIM_DIAG_ENUM
};

struct DiagInfo {
    std::string_view name, code;
    Severity severity;
    std::string_view message;
};
const DiagInfo& info(Diag);
size_t num_diags();

using DiagArgs = std::vector<std::string>;

struct Diagnostic {
    Diag id;
    Severity severity; ///< the declared one, or Error for a warning under --werror
    Span span;         ///< may be empty: no place
    DiagArgs args;
    struct Note {
        Diag id;
        Span span;
        DiagArgs args;
    };
    std::vector<Note> notes;

    Diagnostic& note(Diag id, Span span, DiagArgs args = {}) {
        notes.push_back({id, span, std::move(args)});
        return *this;
    }
};

/// The message with its arguments put in.
std::string message(Diag, const DiagArgs&);

/// Thrown when --max-errors is reached; the driver catches it.
struct TooManyErrors {};

class Diagnostics {
public:
    explicit Diagnostics(const SourceManager& sources)
        : sources_(sources) {}

    size_t max_errors = 20; ///< 0: no limit
    bool werror       = false;
    bool verbose      = false; ///< notes are wanted that explain what the compiler chose

    /// Collects one diagnostic; a second error with the same id at the same span is dropped (the returned one is then a dummy).
    /// The reference is valid until the next report. Throws TooManyErrors past max_errors.
    Diagnostic& report(Diag, Span, DiagArgs = {});

    size_t num_errors() const { return num_errors_; }
    const std::vector<Diagnostic>& all() const { return all_; }
    const SourceManager& sources() const { return sources_; }

private:
    const SourceManager& sources_;
    std::vector<Diagnostic> all_;
    Diagnostic dropped_{};
    size_t num_errors_ = 0;
};

/// file:line:col, severity, message and code, the source line with a caret under the exact span, then notes likewise.
std::string render_text(const SourceManager&, const Diagnostic&, bool color);
/// The line of a text in which `begin` is, and below it a mark from there to `end`.
std::string render_mark(std::string_view text, size_t begin, size_t end);
/// One JSON object in one line (code, severity, message, file, line, column, end_line, end_column, notes).
std::string render_json(const SourceManager&, const Diagnostic&);

} // namespace mim
