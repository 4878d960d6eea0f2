// SPDX-License-Identifier: MIT
#include "syntax/doc_comments.h"

#include <algorithm>
#include <string>

namespace mim {

/// Whether more than a line break lies between these places of the text.
bool DocComments::is_apart(uint32_t end, uint32_t begin) const {
    auto between = cursor_.text(end, begin);
    return std::count(between.begin(), between.end(), '\n') > 1;
}

std::string_view DocComments::join(const Comment* begin, const Comment* end) {
    std::string all;
    for (auto* c = begin; c != end; ++c) {
        auto line = cursor_.text(c->begin + 3, c->end);
        if (!line.empty() && line[0] == ' ') line.remove_prefix(1);
        if (c != begin) all += '\n';
        all += line;
    }
    return tree_.text(all);
}

std::string_view DocComments::of_decl() {
    const auto& cs = cursor_.tokens().comments();
    auto pos       = cursor_.pos();
    while (next_ < cs.size() && cs[next_].token < pos) ++next_;
    uint32_t end = next_;
    while (end < cs.size() && cs[end].token == pos) ++end;
    uint32_t first = end, limit = cursor_.begin();
    while (first > next_) {
        const Comment& c = cs[first - 1];
        if (c.kind != Comment::Doc || !c.own_line || is_apart(c.end, limit)) break;
        limit = cs[--first].begin;
    }
    return join(cs.data() + first, cs.data() + end);
}

std::string_view DocComments::of_module() {
    const auto& cs = cursor_.tokens().comments();
    uint32_t n     = 0;
    auto is_doc    = [&](uint32_t i) { return i < cs.size() && cs[i].kind == Comment::Doc && cs[i].token == 0; };
    while (is_doc(n) && (n == 0 || !is_apart(cs[n - 1].end, cs[n].begin))) ++n;
    if (n == 0) return {};
    uint32_t limit = n < cs.size() && cs[n].token == 0 ? cs[n].begin : cursor_.begin();
    if (!cursor_.at(Tok::Eof) && !is_apart(cs[n - 1].end, limit)) return {};
    return join(cs.data(), cs.data() + n);
}

} // namespace mim
