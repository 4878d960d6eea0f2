// SPDX-License-Identifier: MIT
// See outside.h.
#include "backend/llvm/outside.h"

#include <cctype>

namespace mim::backend::llvm {

namespace {

bool continues_name(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)); }

/// Linkers differ in what they say, but all of them name what is missing.
bool mentions(std::string_view text, std::string_view name) {
    for (auto at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
        auto end          = at + name.size();
        bool begins_there = at == 0 || !continues_name(text[at - 1]);
        bool ends_there   = end == text.size() || !continues_name(text[end]);
        if (begins_there && ends_there) return true;
    }
    return false;
}

} // namespace

void Outside::report(Diagnostics& diags, std::string_view what, std::string_view why) const {
    auto& failed = diags.report(Diag::link_failed, {}, {std::string(what), std::string(why)});
    for (auto& [name, caller] : c_functions)
        if (mentions(why, name)) failed.note(Diag::c_function_called, caller.at, {name, caller.text});
}

} // namespace mim::backend::llvm
