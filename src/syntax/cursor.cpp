// SPDX-License-Identifier: MIT
#include "syntax/cursor.h"

namespace mim {

void Cursor::next() {
    auto& t   = token();
    last_     = t.tok;
    last_end_ = t.end;
    if (last_ != Tok::Eof) ++pos_;
}

bool Cursor::split_closer() {
    Token& cur = toks_[pos_];
    if (cur.tok != Tok::RArray || cur.end - cur.begin != 2 || text_[cur.begin] != '>') return false;
    cur.tok   = Tok::RPack;
    last_end_ = ++cur.begin;
    last_     = Tok::RPack;
    return true;
}

void Cursor::move_back(uint32_t pos, uint32_t last_end) {
    pos_      = pos;
    last_end_ = last_end;
}

Tok Cursor::after_bracket() const {
    auto at = partner();
    return at == kNone ? Tok::Error : toks_[at + 1].tok; // Eof is behind every bracket
}

} // namespace mim
