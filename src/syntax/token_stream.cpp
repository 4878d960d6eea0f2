// SPDX-License-Identifier: MIT
#include "syntax/token_stream.h"

#include <algorithm>

namespace mim {

/// How many tokens are read ahead, and how many are kept before it pays to move the rest.
static constexpr size_t kWindow = 4096;

/// Reads on, up to where no bracket is open: whoever sees an opening bracket also sees its partner. False at the end.
bool TokenStream::fill() const {
    auto before = lexed().tokens.size();
    while (lexed().tokens.size() < before + kWindow || !lexer_.is_balanced())
        if (!lexer_.advance()) break;
    return lexed().tokens.size() > before;
}

uint32_t TokenStream::last() {
    while (fill()) {}
    return base_ + static_cast<uint32_t>(lexed().tokens.size()) - 1;
}

void TokenStream::drop(uint32_t before) {
    auto n = before - base_;
    if (n < kWindow || n < lexed().tokens.size() / 2) return;
    auto& tokens = lexer_.result().tokens;
    auto end     = tokens.begin() + n;
    auto literal = std::find_if(std::make_reverse_iterator(end), tokens.rend(), [](const Token& t) { return is_literal(t.tok); });
    if (literal != tokens.rend()) {
        auto& literals = lexer_.result().literals;
        auto count     = literal->extra + 1 - literal_base_;
        literals.erase(literals.begin(), literals.begin() + count);
        literal_base_ += count;
    }
    tokens.erase(tokens.begin(), end);
    base_ = before;
    lexer_.set_dropped(base_, literal_base_);
}

} // namespace mim
