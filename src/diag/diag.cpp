// SPDX-License-Identifier: MIT
// Collecting diagnostics: what was said before about the same place is not said again, and --max-errors ends the run.
#include "diag/diag.h"

#include <algorithm>

#include "diag/family.h"

namespace mim {

namespace {

/// Errors at one place repeat when an expression is checked twice; only neighbours are compared, so that reporting stays linear.
constexpr size_t kWindow = 256;

/// Once it is used up, whatever comes next runs into it as well.
bool is_exhausted(const std::vector<Diagnostic>& all, Diag id) {
    if (id != Diag::out_of_budget && id != Diag::out_of_memory) return false;
    return std::any_of(all.begin(), all.end(), [&](const Diagnostic& d) { return d.id == id; });
}

/// Of these, one `plugin` line may be the place of many: each hook of the plugin may be wrong.
bool is_of_registrations(Diag id) {
    static const Diag all[] = {Diag::plugin_fault,     Diag::unknown_registration, Diag::phase_twice,
                               Diag::registered_twice, Diag::bad_diagnostic,       Diag::unknown_extension_point,
                               Diag::phase_never_runs, Diag::bad_manifest};
    return std::ranges::find(all, id) != std::end(all);
}

bool is_repeated(const std::vector<Diagnostic>& all, Diag id, Span span, const DiagArgs& args) {
    if (is_exhausted(all, id)) return true;
    bool is_note = info(id).severity < Severity::Warning; // several may be of one place
    bool by_args = !span || is_note || is_of_registrations(id);
    auto first   = all.size() > kWindow ? all.end() - kWindow : all.begin();
    return std::any_of(first, all.end(),
                       [&](const Diagnostic& d) { return d.id == id && d.span == span && (!by_args || d.args == args); });
}

} // namespace

bool Diagnostics::is_muted(Span span) const {
    auto behind = muted_.upper_bound({span.file, span.begin});
    if (!span || behind == muted_.begin()) return false;
    auto& [begin, end] = *std::prev(behind);
    return begin.first == span.file && span.end <= end;
}

/// Whether this warning is about an expression that the next error refuses as a whole.
static bool foretells(const Diagnostic& last, Span error) {
    return last.severity == Severity::Warning && error && last.span == error;
}

/// Without a place, nobody knows which of the plugins is speaking. Some name their plugin, or have its code. For the hook of an axiom, Mim
/// speaks.
static void name_reporter(Diagnostic& d) {
    auto blame      = Blame::current();
    bool is_speaker = blame && !blame->culprit.plugin.empty() && !blame->culprit.at;
    if (!is_speaker || is_of_plugin(d.id)) return;
    auto text   = message(d.id, d.args);
    auto plugin = std::string(blame->culprit.plugin);
    bool names  = text.find("plugin `" + plugin + "`") != text.npos || text.find("`" + plugin + ".") != text.npos;
    if (!names) d.note(Diag::code_of, {}, {blame->culprit.text()});
}

Diagnostic& Diagnostics::report(Diag id, Span span, DiagArgs args) {
    bool muted    = is_muted(span);
    auto severity = info(id).severity;
    if (severity == Severity::Warning && werror) severity = Severity::Error;
    bool is_error = severity == Severity::Error;
    if (is_error && muted) ++num_errors_, ++num_muted_;
    if (muted || is_repeated(all_, id, span, args)) {
        dropped_ = {};
        return dropped_;
    }
    if (is_error) {
        if (max_errors != 0 && num_errors_ - num_muted_ >= max_errors) throw TooManyErrors();
        ++num_errors_;
        if (!all_.empty() && foretells(all_.back(), span)) all_.pop_back();
    }
    all_.push_back({id, severity, span, std::move(args), {}});
    bool has_place = !sources_.path(span.file).empty();
    if (!has_place && severity >= Severity::Warning) name_reporter(all_.back());
    return all_.back();
}

} // namespace mim
