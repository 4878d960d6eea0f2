// SPDX-License-Identifier: MIT
#include "diag/diag.h"

namespace mim {

static constexpr DiagInfo table[] = {
#define MIM_DIAG_INFO(name, code, severity, message) {#name, code, Severity::severity, message},
    MIM_DIAGNOSTICS(MIM_DIAG_INFO)
#undef MIM_DIAG_INFO
};

const DiagInfo& info(Diag id) { return table[static_cast<size_t>(id)]; }
size_t num_diags() { return std::size(table); }

std::string message(Diag id, const DiagArgs& args) {
    auto text = info(id).message;
    std::string res;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '{' && i + 2 < text.size() && text[i + 2] == '}' && text[i + 1] >= '0' && text[i + 1] <= '9') {
            if (auto n = static_cast<size_t>(text[i + 1] - '0'); n < args.size()) res += args[n];
            i += 2;
        } else res += text[i];
    }
    return res;
}

Diagnostic& Diagnostics::report(Diag id, Span span, DiagArgs args) {
    auto severity = info(id).severity;
    if (severity == Severity::Warning && werror) severity = Severity::Error;
    for (auto& d : all_)
        if (d.id == id && d.span == span && d.args == args) return dropped_ = {};
    if (severity == Severity::Error) {
        if (max_errors && num_errors_ == max_errors) throw TooManyErrors();
        ++num_errors_;
    }
    all_.push_back({id, severity, span, std::move(args), {}});
    return all_.back();
}

} // namespace mim
