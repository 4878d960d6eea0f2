// SPDX-License-Identifier: MIT
// The pages of the diagnostics, doc/errors/CODE.md, which cmake/MimPages.cmake makes part of the program.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "diag/diag.h"

namespace mim {

struct ErrorPage {
    std::string_view code, text; ///< the text is Markdown
};
/// In the order of their codes.
std::span<const ErrorPage> error_pages();

/// The message of a diagnostic with `…` for its arguments.
std::string outline(const DiagInfo&);

} // namespace mim
