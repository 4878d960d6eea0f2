// SPDX-License-Identifier: MIT
// For text that a program wrote: the text of the user that each part of it stands for.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/span.h"

namespace mim::front {

class SourceMap {
public:
    /// The text from this offset on stands for that place. Offsets ascend.
    void add(uint32_t begin, Span place) { entries_.push_back({begin, place}); }
    bool empty() const { return entries_.empty(); }

    /// The place that a part of the written text stands for; that part itself in front of the first entry.
    Span operator()(Span part) const {
        auto first = at(part.begin), last = at(std::max(part.begin + 1, part.end) - 1);
        if (!first) return part;
        return first->place.join(last->place);
    }

private:
    struct Entry {
        uint32_t begin;
        Span place;
    };
    const Entry* at(uint32_t offset) const {
        auto behind = std::ranges::upper_bound(entries_, offset, {}, &Entry::begin);
        return behind == entries_.begin() ? nullptr : &*std::prev(behind);
    }

    std::vector<Entry> entries_;
};

/// Text and its map, written from the front to the back.
class MappedText {
public:
    explicit MappedText(FileId file)
        : file_(file) {}

    /// The text that is written next stands for these bytes of the file.
    MappedText& at(uint32_t begin, uint32_t end) {
        map_.add(static_cast<uint32_t>(text_.size()), {file_, begin, end});
        return *this;
    }
    MappedText& operator<<(std::string_view text) {
        text_ += text;
        return *this;
    }
    const std::string& text() const { return text_; }
    const SourceMap& map() const { return map_; }

private:
    FileId file_;
    std::string text_;
    SourceMap map_;
};

} // namespace mim::front
