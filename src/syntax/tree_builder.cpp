// SPDX-License-Identifier: MIT
#include "syntax/tree_builder.h"

namespace mim {

Symbol TreeBuilder::symbol() {
    auto text = cursor_.word();
    // In the 0.1 dialect today's keywords were usable as names.
    if (dialect_ == Dialect::Mim0_1 && keyword(text) != Tok::Ident) return symbols_.intern(std::string(text) + "_");
    size_t h = text.size();
    for (char c : text) h = h * 31 + static_cast<unsigned char>(c);
    Known& known = known_[h % known_.size()];
    if (known.text != text || known.text.empty()) known = {text, symbols_.intern(text)};
    return known.symbol;
}

} // namespace mim
