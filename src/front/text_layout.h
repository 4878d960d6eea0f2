// SPDX-License-Identifier: MIT
// Lays text out in lines of limited width (Oppen, "Prettyprinting", 1980; the groups are Wadler's). A document is a flat list of
// operations, so building and laying out are loops and linear in its length. A group is printed in one line if it fits,
// together with the text behind it up to the next place where a line may end; else each of its own lines ends.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mim {

class TextLayout {
public:
    enum Op : uint8_t {
        Text,
        Line,     ///< a space, or a line end if the group is broken
        SoftLine, ///< nothing, or a line end if the group is broken
        FillLine, ///< a space, or a line end if the text up to the next line does not fit
        HardLine, ///< a line end; breaks the groups around it
        Blank,    ///< an empty line; only next to a HardLine
        Begin,
        End,
        Indent,
        Dedent,
    };

    /// The text must live until str(). Spaces that would begin a line are dropped.
    void text(std::string_view);
    /// Lines right after a line end are dropped, so that what ends with a comment may be followed by any of them.
    void op(Op);

    /// A comment that ends its line, where the text before it ends: before the line that was just begun, if one was.
    void trailing_comment(std::string_view);
    /// A comment in lines of its own.
    void own_comment(std::string_view);
    /// A comment between two texts.
    void inline_comment(std::string_view);
    /// Whether a line was surely ended and nothing was written since.
    bool fresh() const { return fresh_; }

    std::string str(uint32_t width);

private:
    struct Item {
        Op op;
        uint32_t size; ///< Text: its columns; Begin: those of the group in one line
        std::string_view text;
    };
    static uint32_t columns(std::string_view);
    bool ends_with_line() const;
    std::vector<uint32_t> measure();

    std::vector<Item> ops_;
    std::string_view last_; ///< text
    bool fresh_         = true;
    bool space_pending_ = false; ///< an inline comment was just written
};

} // namespace mim
