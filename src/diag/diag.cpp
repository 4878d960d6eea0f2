// SPDX-License-Identifier: MIT
// Collecting diagnostics: what was said before about the same place is not said again, and --max-errors ends the run.
#include "diag/diag.h"

#include <algorithm>

namespace mim {

namespace {

/// Errors at one place repeat when an expression is checked twice; only neighbours are compared, so that reporting stays linear.
constexpr size_t kWindow = 256;

bool is_repeated(const std::vector<Diagnostic>& all, Diag id, Span span, const DiagArgs& args) {
    auto first = all.size() > kWindow ? all.end() - kWindow : all.begin();
    return std::any_of(first, all.end(),
                       [&](const Diagnostic& d) { return d.id == id && d.span == span && (span || d.args == args); });
}

} // namespace

Diagnostic& Diagnostics::report(Diag id, Span span, DiagArgs args) {
    if (is_repeated(all_, id, span, args)) {
        dropped_ = {};
        return dropped_;
    }
    auto severity = info(id).severity;
    if (severity == Severity::Warning && werror) severity = Severity::Error;
    if (severity == Severity::Error) {
        if (max_errors != 0 && num_errors_ >= max_errors) throw TooManyErrors();
        ++num_errors_;
    }
    all_.push_back({id, severity, span, std::move(args), {}});
    return all_.back();
}

} // namespace mim
