// SPDX-License-Identifier: MIT
// Blocks without brackets: the columns of lines say where their items begin and where they end (Landin, "The next 700 programming
// languages", 1966, the offside rule). The parser opens a block where its grammar has one, so nothing has to be guessed from tokens: a
// token that cannot go on an item ends the block, too, as Haskell's parse-error(t) wants it (Haskell 2010 report, 10.3), since then the
// parser leaves the block. LayoutCursor shows the parser tokens that are not in the text: Item and Close.
#pragma once
#include <vector>

#include "front/cursor.h"
#include "front/scanner.h"

namespace mim::front {

/// The table of a language.
struct LayoutRules {
    /// A line that begins with one of these goes on the item before it, in whatever column it stands.
    std::vector<Kind> continues = {};
    /// Whether a block must stand right of the one around it. If it does not, it is empty.
    bool is_deeper = true;
};

class LayoutCursor : public BasicCursor<Tokens> {
public:
    LayoutCursor(FileId file, std::string_view text, Tokens tokens, LayoutRules rules)
        : BasicCursor(file, text, std::move(tokens), End)
        , rules_(std::move(rules)) {}

    /// The next token. Item and Close have the place of the token that they stand before; the one that follows them is ahead.
    Kind tok(uint32_t ahead = 0) const { return ahead == 0 ? virtual_kind() : BasicCursor::tok(ahead); }
    bool at(Kind t) const { return tok() == t; }
    /// The kind of the next token of the text.
    Kind raw() const { return BasicCursor::tok(); }
    /// Moves behind the next token of the text, which begins no item any more.
    void next() { BasicCursor::next(); }
    bool accept(Kind t) {
        if (!at(t)) return false;
        if (t == Item) taken_ = pos();
        else if (t != Close) next();
        return true;
    }

    /// While it lives, a block is open.
    class Block {
    public:
        Block(LayoutCursor& cursor, uint32_t column)
            : cursor_(cursor) {
            cursor.open_.push_back(column);
        }
        ~Block() { cursor_.open_.pop_back(); }
        Block(const Block&)            = delete;
        Block& operator=(const Block&) = delete;

    private:
        LayoutCursor& cursor_;
    };

    /// @name opening a block; its first item begins without an Item
    ///@{
    /// The items stand in the column of the next token. If that is not right of the block around it, but should be, the block is empty:
    /// Close is next.
    [[nodiscard]] Block open();
    /// The items stand in this column.
    [[nodiscard]] Block open(uint32_t column);
    /// In brackets, lines mean nothing.
    [[nodiscard]] Block suspend() { return Block(*this, kSuspended); }
    ///@}
    /// The column of the innermost block, 0 if there is none or lines mean nothing.
    uint32_t column() const { return open_.empty() ? kSuspended : open_.back(); }
    /// Whether the next token stands in the column of an open block's items.
    bool begins_item_around() const;

private:
    static constexpr uint32_t kSuspended = 0;
    static constexpr uint32_t kEmpty     = ~uint32_t(0); ///< right of every token
    Kind virtual_kind() const;

    LayoutRules rules_;
    std::vector<uint32_t> open_; ///< the columns of the blocks, from the outermost in
    uint32_t taken_ = kNone;     ///< the token whose Item was taken
};

} // namespace mim::front
