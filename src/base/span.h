// SPDX-License-Identifier: MIT
// Positions in source text: byte offsets into a file that a SourceManager owns. Small enough to pass by value everywhere;
// line and column are computed only when a diagnostic is rendered.
#pragma once
#include <cstdint>

namespace mim {

/// A file of a SourceManager; 0 is "no file" (a node that no text stands for).
using FileId = uint32_t;

/// The half-open byte range [begin, end) of a file.
struct Span {
    FileId file    = 0;
    uint32_t begin = 0;
    uint32_t end   = 0;

    explicit operator bool() const { return file != 0; }
    bool operator==(const Span&) const = default;
    /// The smallest span that covers both; either may be empty. Both must lie in one file, else `this` wins.
    Span join(Span o) const {
        if (!file) return o;
        if (!o.file || o.file != file) return *this;
        return {file, begin < o.begin ? begin : o.begin, end > o.end ? end : o.end};
    }
};

} // namespace mim
