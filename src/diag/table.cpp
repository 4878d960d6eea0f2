// SPDX-License-Identifier: MIT
// The table as data, and messages with their arguments put in.
#include <iterator>

#include "diag/diag.h"

namespace mim {

namespace {

/// Where a diagnostic stands in the table.
enum Position : size_t {
#define MIM_DIAG(name, code, severity, message) at_##name,
#include "diag/diagnostics.def"
#undef MIM_DIAG
};

constexpr DiagInfo kInfos[] = {
#define MIM_DIAG(name, code, severity, message) DiagInfo{#name, code, Severity::severity, message},
#include "diag/diagnostics.def"
#undef MIM_DIAG
};

} // namespace

// Neither a name of diag/ids.h without a text compiles, nor a text without a name.
#define MIM_COUNT_DIAG(name) +1
static_assert(std::size(kInfos) == 0 MIM_DIAGNOSTIC_IDS(MIM_COUNT_DIAG));
#undef MIM_COUNT_DIAG
#define MIM_DEFINE_DIAG(name) constinit const Diag Diag::name{kInfos[at_##name]};
MIM_DIAGNOSTIC_IDS(MIM_DEFINE_DIAG)
#undef MIM_DEFINE_DIAG

std::span<const DiagInfo> all_diagnostics() { return kInfos; }

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
