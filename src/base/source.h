// SPDX-License-Identifier: MIT
// Source files by id. Text is owned here and never moves, so tokens may hold string_views into it.
#pragma once
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/span.h"

namespace mim {

struct LineCol {
    uint32_t line; ///< from 1
    uint32_t col;  ///< from 1, in bytes
};

class SourceManager {
public:
    /// Takes text under the name that diagnostics show.
    FileId add(std::string path, std::string text);
    /// The file is in the language of a plugin.
    void set_foreign(FileId);
    bool is_foreign(FileId) const;

    const std::string& path(FileId) const;
    std::string_view text(FileId) const;
    /// The text of a place, as far as it is in the file.
    std::string_view text(Span) const;
    LineCol line_col(FileId, uint32_t offset) const;
    /// The line (from 1) without its line break; empty past the end.
    std::string_view line(FileId, uint32_t line) const;

private:
    struct File {
        std::string path, text;
        bool is_foreign = false;
        mutable std::vector<uint32_t> lines; ///< offsets of line starts, made on first use
    };
    const std::vector<uint32_t>& lines(FileId) const;
    std::deque<File> files_;
};

} // namespace mim
