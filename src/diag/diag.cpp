// SPDX-License-Identifier: MIT
// Collecting diagnostics: what was said before about the same place is not said again, and --max-errors ends the run.
#include "diag/diag.h"

#include <algorithm>

namespace mim {

namespace {

/// Errors at one place repeat when an expression is checked twice; only neighbours are compared, so that reporting stays linear.
constexpr size_t kWindow = 256;

/// Once it is used up, whatever comes next runs into it as well.
bool is_exhausted(const std::vector<Diagnostic>& all, Diag id) {
    if (id != Diag::out_of_budget && id != Diag::out_of_memory) return false;
    return std::any_of(all.begin(), all.end(), [&](const Diagnostic& d) { return d.id == id; });
}

bool is_repeated(const std::vector<Diagnostic>& all, Diag id, Span span, const DiagArgs& args) {
    if (is_exhausted(all, id)) return true;
    bool by_args = !span || info(id).severity < Severity::Warning; // several notes may be of one place
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
    return all_.back();
}

} // namespace mim
