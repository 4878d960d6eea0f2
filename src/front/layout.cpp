// SPDX-License-Identifier: MIT
#include "front/layout.h"

#include <algorithm>

namespace mim::front {

LayoutCursor::Block LayoutCursor::open() {
    auto column   = token().column;
    bool is_right = column > this->column() || !rules_.is_deeper;
    bool is_empty = raw() == End || !is_right;
    return open(is_empty ? kEmpty : column);
}

LayoutCursor::Block LayoutCursor::open(uint32_t column) {
    if (column != kEmpty) taken_ = pos(); // no separator is before the first item
    return Block(*this, column);
}

bool LayoutCursor::begins_item_around() const { return std::ranges::find(open_, token().column) != open_.end(); }

Kind LayoutCursor::virtual_kind() const {
    auto& next  = token();
    auto column = this->column();
    if (column == kSuspended) return next.tok;
    if (column == kEmpty || next.tok == End) return Close;
    if (!next.is_first || pos() == taken_) return next.tok;
    if (std::ranges::find(rules_.continues, next.tok) != rules_.continues.end()) return next.tok;
    if (next.column < column) return Close;
    return next.column == column ? Kind(Item) : next.tok;
}

} // namespace mim::front
