// SPDX-License-Identifier: MIT
// Literate files: code are the lines that begin with `>`, and a blank line is between them and text.
#include <algorithm>

#include "front/chars.h"
#include "mil/diagnostics.h"
#include "reader.h"

namespace mim::plug::mil {

std::string literate_code(Diagnostics& diags, FileId file, std::string_view text) {
    enum Line : uint8_t { Blank, Text, Code };
    constexpr std::string_view kMark = "\xef\xbb\xbf"; // of the order of bytes
    std::string result(text);
    auto before = Blank;
    for (size_t begin = text.starts_with(kMark) ? kMark.size() : 0, end = 0; begin < text.size(); begin = end + 1) {
        end       = std::min(text.find('\n', begin), text.size());
        auto line = text.substr(begin, end - begin);
        auto kind = line.starts_with('>') ? Code : std::ranges::all_of(line, front::is_space) ? Blank : Text;
        if (kind != Blank && before != Blank && kind != before) {
            auto at = static_cast<uint32_t>(begin);
            diags.report(diag::no_gap, {file, at, at + 1});
        }
        before     = kind;
        auto first = result.begin() + static_cast<std::ptrdiff_t>(begin);
        std::fill_n(first, kind == Code ? 1 : line.size(), ' ');
    }
    return result;
}

} // namespace mim::plug::mil
