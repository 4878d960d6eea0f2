// SPDX-License-Identifier: MIT
#include "syntax/cursor.h"

namespace mim {

bool Cursor::split_closer() {
    auto& cur = token();
    if (cur.tok != Tok::RArray || cur.end - cur.begin != 2 || text()[cur.begin] != '>') return false;
    split(1, Tok::RPack, Tok::RPack);
    return true;
}

Tok Cursor::after_bracket() const {
    auto at = partner();
    return at == kNone ? Tok::Error : tokens()[at + 1].tok; // Eof is behind every bracket
}

} // namespace mim
