// SPDX-License-Identifier: MIT
#include "regex/host/classes.h"

#include <algorithm>
#include <array>

namespace mim::plug::regex {

CodePoints CodePoints::bytes(unsigned lo, unsigned hi) {
    CodePoints set;
    set.bytes_ = range_set(lo, hi);
    return set;
}

CodePoints CodePoints::of(uint32_t lo, uint32_t hi) {
    CodePoints set;
    if (lo < 128) set.bytes_ = range_set(lo, std::min(hi, 127u));
    if (hi >= 128) set.wide_.push_back({std::max(lo, 128u), hi});
    return set;
}

bool CodePoints::named(char name, CodePoints& set) {
    set = {};
    switch (name) {
        case 'd': set.bytes_ = range_set('0', '9'); return true;
        case 'w': set.bytes_ = word_set(); return true;
        case 's': set.bytes_ = range_set('\t', '\r') | range_set(' ', ' '); return true;
        case 'h': set.bytes_ = range_set('\t', '\t') | range_set(' ', ' '); return true;
        case 'v': set.bytes_ = range_set('\n', '\r'); return true;
        default: return false;
    }
}

bool CodePoints::posix(std::string_view name, CodePoints& set) {
    auto digit = range_set('0', '9'), lower = range_set('a', 'z'), upper = range_set('A', 'Z'), print = range_set(' ', '~');
    auto alnum = digit | lower | upper, graph = range_set('!', '~'), blank = range_set('\t', '\t') | range_set(' ', ' ');
    const std::pair<std::string_view, Set> classes[] = {
        {"alnum", alnum},
        {"alpha", lower | upper},
        {"ascii", range_set(0, 127)},
        {"blank", blank},
        {"cntrl", range_set(0, 31) | range_set(127, 127)},
        {"digit", digit},
        {"graph", graph},
        {"lower", lower},
        {"print", print},
        {"punct", graph & ~alnum},
        {"space", range_set('\t', '\r') | range_set(' ', ' ')},
        {"upper", upper},
        {"word", word_set()},
        {"xdigit", digit | range_set('a', 'f') | range_set('A', 'F')},
    };
    auto known = std::ranges::find(classes, name, &std::pair<std::string_view, Set>::first);
    if (known == std::end(classes)) return false;
    return set = {}, set.bytes_ = known->second, true;
}

/// Bytes from 128 on come from complements of sets of ASCII; beside other characters they stand for all of these.
CodePoints& CodePoints::operator|=(const CodePoints& other) {
    bytes_ |= other.bytes_;
    wide_.insert(wide_.end(), other.wide_.begin(), other.wide_.end());
    if (!wide_.empty()) widen();
    return *this;
}

void CodePoints::widen() {
    if (bytes_[128]) wide_ = {{128, max_code_point}}, bytes_ &= range_set(0, 127);
}

CodePoints CodePoints::complement() const {
    CodePoints result;
    result.bytes_ = ~bytes_ & range_set(0, is_bytes() ? 255 : 127);
    if (is_bytes()) return result;
    auto sorted = wide_;
    std::ranges::sort(sorted);
    uint32_t next = 128;
    for (auto [lo, hi] : sorted) {
        if (lo > next) result.wide_.push_back({next, lo - 1});
        next = std::max(next, hi + 1);
    }
    if (next <= max_code_point) result.wide_.push_back({next, max_code_point});
    return result;
}

void CodePoints::fold() {
    for (unsigned c = 'a'; c <= 'z'; ++c)
        if (bytes_[c] || bytes_[c - 32]) bytes_.set(c).set(c - 32);
}

const Pattern* CodePoints::pattern(Trees& trees) const {
    std::vector<const Pattern*> ways{trees.chars(bytes_)};
    for (auto [lo, hi] : wide_) ways.push_back(utf8_range(trees, lo, hi));
    return trees.nary(Pattern::Disj, std::move(ways));
}

static std::array<unsigned, 4> encode(uint32_t c, unsigned length) {
    std::array<unsigned, 4> bytes{};
    for (unsigned i = length; i-- > 1; c >>= 6) bytes[i] = 0x80 | (c & 0x3f);
    static constexpr unsigned heads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    bytes[0]                          = heads[length] | c;
    return bytes;
}

/// A range is cut until its first and last character have encodings of the same length that differ in one byte, behind which all bytes
/// are possible: then it is a sequence of ranges of bytes.
const Pattern* utf8_range(Trees& trees, uint32_t lo, uint32_t hi) {
    std::vector<const Pattern*> ways;
    auto cut = [&](uint32_t first, uint32_t last) { ways = {utf8_range(trees, lo, first), utf8_range(trees, last, hi)}; };
    for (auto last : {0x7fu, 0x7ffu, 0xffffu})
        if (ways.empty() && lo <= last && last < hi) cut(last, last + 1);
    if (ways.empty() && lo <= 0xdfff && 0xd800 <= hi) { // no characters, but halves of some in UTF-16
        if (lo < 0xd800) ways.push_back(utf8_range(trees, lo, 0xd7ff));
        if (hi > 0xdfff) ways.push_back(utf8_range(trees, 0xe000, hi));
        return trees.nary(Pattern::Disj, std::move(ways));
    }
    for (unsigned bits = 18; ways.empty() && bits != 0; bits -= 6) {
        auto low = (1u << bits) - 1;
        if (lo >> bits == hi >> bits) continue;
        if (lo & low) cut(lo | low, (lo | low) + 1);
        else if (~hi & low) cut((hi & ~low) - 1, hi & ~low);
    }
    if (!ways.empty()) return trees.nary(Pattern::Disj, std::move(ways));
    unsigned length = lo < 0x80 ? 1 : lo < 0x800 ? 2 : lo < 0x10000 ? 3 : 4;
    auto first = encode(lo, length), last = encode(hi, length);
    for (unsigned i = 0; i != length; ++i) ways.push_back(trees.chars(range_set(first[i], last[i])));
    return trees.nary(Pattern::Conj, std::move(ways));
}

} // namespace mim::plug::regex
