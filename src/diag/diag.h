// SPDX-License-Identifier: MIT
// Declared diagnostics: a value with a stable code, a place, arguments and notes. Reporting collects; rendering (text with a
// caret, or JSON) is separate, so that tests, the language server and the terminal share one source.
#pragma once
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/blame.h"
#include "base/source.h"
#include "diag/ids.h"

namespace mim {

/// A hint is a note that shows how to write something in Mim: of no use to whoever writes another language.
enum class Severity : uint8_t { Note, Hint, Warning, Error };

/// The declaration of a diagnostic.
struct DiagInfo {
    std::string_view name, code;
    Severity severity;
    std::string_view message;
};

/// A diagnostic is known by the address of its declaration, so that plugins have their own without a numbering that all share. The
/// library of a declaration stays open until the process ends.
class Diag {
public:
    constexpr Diag() = default;
    constexpr explicit Diag(const DiagInfo& info)
        : info_(&info) {}
    constexpr const DiagInfo& info() const { return *info_; }
    friend constexpr bool operator==(Diag, Diag) = default;

#define MIM_DECLARE_DIAG(name) static const Diag name;
    MIM_DIAGNOSTIC_IDS(MIM_DECLARE_DIAG)
#undef MIM_DECLARE_DIAG

private:
    const DiagInfo* info_ = nullptr;
};

inline const DiagInfo& info(Diag id) { return id.info(); }
/// Mim's own, in the order of their table.
std::span<const DiagInfo> all_diagnostics();

using DiagArgs = std::vector<std::string>;

inline std::string diag_text(std::string text) { return text; }
inline std::string diag_text(uint64_t number) { return std::to_string(number); }

/// A diagnostic with its arguments: texts, numbers or, where the graph reports, expressions.
template<class... Args>
struct DiagWith {
    Diag id;
    std::tuple<Args...> args;

    DiagArgs texts() const {
        return std::apply([](const Args&... a) { return DiagArgs{diag_text(a)...}; }, args);
    }
};

/// A diagnostic that knows the types of its arguments. `unclosed("(", ")")` has them; another number or type of arguments does not
/// compile.
template<class... Args>
class DiagOf : public Diag {
public:
    using Diag::Diag;
    DiagWith<Args...> operator()(Args... args) const { return {*this, {std::move(args)...}}; }
};

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
struct TooManyErrors : Passing {};

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
    template<class... Args>
    Diagnostic& report(const DiagWith<Args...>& d, Span span) {
        return report(d.id, span, d.texts());
    }

    /// Reports on this text are counted from now on, but not kept: its mistake was reported, the rest follows from it.
    void mute(Span text) { muted_[{text.file, text.begin}] = text.end; }

    size_t num_errors() const { return num_errors_; }
    const std::vector<Diagnostic>& all() const { return all_; }
    const SourceManager& sources() const { return sources_; }

private:
    bool is_muted(Span) const;

    const SourceManager& sources_;
    std::vector<Diagnostic> all_;
    Diagnostic dropped_{};
    std::map<std::pair<FileId, uint32_t>, uint32_t> muted_; ///< where such a text begins, and where it ends
    size_t num_errors_ = 0;
    size_t num_muted_  = 0; ///< of them
};

/// file:line:col, severity, message and code, the source line with a caret under the exact span, then notes likewise.
std::string render_text(const SourceManager&, const Diagnostic&, bool color);
/// The line of a text in which `begin` is, and below it a mark from there to `end`.
std::string render_mark(std::string_view text, size_t begin, size_t end);
/// One JSON object in one line (code, severity, message, file, line, column, end_line, end_column, notes).
std::string render_json(const SourceManager&, const Diagnostic&);

} // namespace mim
