// SPDX-License-Identifier: MIT
// The table as data, and messages with their arguments put in.
#include <array>

#include "diag/diag.h"

namespace mim {

namespace {

constexpr std::array kInfos = {
#define MIM_DIAG_INFO(name, code, severity, message) DiagInfo{#name, code, Severity::severity, message},
    MIM_DIAGNOSTICS(MIM_DIAG_INFO)
#undef MIM_DIAG_INFO
};

} // namespace

const DiagInfo& info(Diag id) { return kInfos[static_cast<size_t>(id)]; }
size_t num_diags() { return kInfos.size(); }

std::string message(Diag id, const DiagArgs& args) {
    std::string out;
    auto text = info(id).message;
    for (size_t i = 0; i < text.size(); ++i) {
        bool hole = i + 2 < text.size() && text[i] == '{' && text[i + 2] == '}' && text[i + 1] >= '0' && text[i + 1] <= '9';
        if (!hole) {
            out += text[i];
            continue;
        }
        size_t arg = static_cast<size_t>(text[i + 1] - '0');
        if (arg < args.size()) out += args[arg];
        i += 2;
    }
    return out;
}

} // namespace mim
