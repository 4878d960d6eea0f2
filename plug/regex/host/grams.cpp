// SPDX-License-Identifier: MIT
#include "regex/host/grams.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "regex/host/finder.h"

namespace mim::plug::regex {

namespace {

constexpr size_t max_length = 4;        ///< characters of a gram
constexpr size_t max_match  = 256;      ///< characters that an attempt at a place may read
constexpr size_t max_steps  = 1 << 20;  ///< that finding the grams may take
constexpr double max_rate   = 1.0 / 12; ///< of places: an automaton takes less time for more
constexpr double max_short  = 1.0 / 30; ///< the same of grams that are one character shorter
constexpr size_t slots      = 64;       ///< for a gram, so that few others are where one is
constexpr size_t min_slots  = 1 << 12;
constexpr size_t max_slots  = 1 << 20;

/// The least and the greatest length of the texts from each node on.
class Lengths {
public:
    Lengths(const Nfa& nfa, uint32_t start)
        : nfa_(nfa)
        , start_(start)
        , all_(nfa.nodes.size()) {
        visit(start);
    }
    /// No loop, nor a language that is enclosed.
    bool is_bounded = true;
    size_t least() const { return all_[start_].least; }
    size_t most() const { return all_[start_].most; }

private:
    struct Length {
        enum : uint8_t { New, Open, Done } state = New;
        uint32_t least = ~0u, most = 0;
    };
    struct Visit {
        uint32_t node;
        size_t next = 0;
    };
    void visit(uint32_t start) {
        std::vector<Visit> around{{start}};
        all_[start].state = Length::Open;
        while (!around.empty() && is_bounded) {
            auto& [node, i] = around.back();
            auto next       = nfa_.next(nfa_.nodes[node]);
            if (i == next.size()) {
                finish(node);
                around.pop_back();
                continue;
            }
            auto to    = next[i++];
            is_bounded = all_[to].state != Length::Open && nfa_.nodes[to].kind != Nfa::Open;
            if (all_[to].state != Length::New) continue;
            all_[to].state = Length::Open;
            around.push_back({to});
        }
    }
    void finish(uint32_t node) {
        auto& at     = nfa_.nodes[node];
        auto& length = all_[node];
        if (at.kind == Nfa::Match) length.least = 0;
        for (auto to : nfa_.next(at)) {
            length.least = std::min(length.least, all_[to].least);
            length.most  = std::max(length.most, all_[to].most);
        }
        bool reads = at.kind == Nfa::Read;
        if (length.least != ~0u) length.least += reads;
        length.most += reads;
        length.state = Length::Done;
    }

    const Nfa& nfa_;
    uint32_t start_;
    std::vector<Length> all_;
};

bool is_letter(size_t c) { return (c | 32) - 'a' < 26; }

/// Small and capital letters are alike wherever one is read.
bool is_without_case(const Nfa& nfa) {
    return std::ranges::all_of(nfa.nodes, [&](const Nfa::Node& node) {
        if (node.kind != Nfa::Read) return true;
        auto& set = nfa.sets[node.set];
        for (size_t c = 'a'; c <= 'z'; ++c)
            if (set[c] != set[c ^ 32]) return false;
        return true;
    });
}

/// How likely it is that a place begins like one of them; without case, a letter is also the other one.
double rate(const std::vector<uint32_t>& grams, size_t length, bool folds) {
    std::array<double, 256> frequencies;
    for (size_t c = 0; c != 256; ++c) {
        Set set;
        set.set(c);
        if (folds && is_letter(c)) set.set(c ^ 32);
        frequencies[c] = frequency(set);
    }
    double sum = 0;
    for (auto gram : grams) {
        double product = 1;
        for (size_t i = 0; i != length; ++i) product *= frequencies[gram >> 8 * i & 255];
        sum += product;
    }
    return sum;
}

void make_unique(std::vector<uint32_t>& grams) {
    std::ranges::sort(grams);
    auto [end, last] = std::ranges::unique(grams);
    grams.erase(end, last);
}

/// Of those of four characters, the first three and the last three.
std::vector<uint32_t> shorter(const std::vector<uint32_t>& grams) {
    std::vector<uint32_t> result;
    for (auto gram : grams) result.push_back(gram & 0xffffff), result.push_back(gram >> 8);
    make_unique(result);
    return result;
}

/// The first characters of all texts, of this length; none if that takes too long.
std::optional<std::vector<uint32_t>> find_grams(const Nfa& nfa, uint32_t start, size_t length, bool folds) {
    struct Way {
        uint32_t node, gram;
        size_t length;
    };
    std::vector<Way> todo{{start, 0, 0}};
    std::vector<uint32_t> result;
    for (size_t steps = 0; !todo.empty(); ++steps) {
        if (steps == max_steps) return {};
        auto [n, gram, read] = todo.back();
        todo.pop_back();
        if (read == length) {
            result.push_back(gram);
            continue;
        }
        auto& node = nfa.nodes[n];
        if (node.kind != Nfa::Read) {
            for (auto to : nfa.next(node)) todo.push_back({to, gram, read});
            continue;
        }
        auto& set = nfa.sets[node.set];
        for (auto c = set._Find_first(); c < End; c = set._Find_next(c)) {
            bool is_other = folds && is_letter(c) && !(c & 32); // the small letter is the same
            if (!is_other) todo.push_back({nfa.next(node)[0], gram | uint32_t(c) << 8 * read, read + 1});
        }
        if (todo.size() > max_steps) return {};
    }
    return result;
}

constexpr size_t block = 16; ///< characters

/// The first block in which some text may begin, or where blocks end. `Step`: of how many places one is looked at, the
/// last one.
template<bool Folds, size_t Step>
const char* find_block(GramTable table, const char* at, const char* last) {
    for (; at + block <= last; at += block) {
        auto two    = [&](size_t i) { return table.has<Folds>(load_gram(at + i)) | table.has<Folds>(load_gram(at + i + Step)); };
        auto some   = [&](size_t i) { return two(i) | two(i + 2 * Step); };
        uint8_t any = some(Step - 1) | some(5 * Step - 1);
        if constexpr (Step == 1) any |= some(8) | some(12);
        if (any != 0) break;
    }
    return at;
}

} // namespace

std::optional<Grams> Grams::of(const Nfa& nfa) {
    if constexpr (std::endian::native != std::endian::little) return {};
    auto start = nfa.searches ? nfa.next(nfa.nodes[nfa.start])[0] : nfa.start; // where a match begins
    Lengths lengths(nfa, start);
    if (!lengths.is_bounded || lengths.least() < 2 || lengths.least() == ~0u || lengths.most() > max_match) return {};
    auto length = std::min(lengths.least(), max_length);
    bool folds  = is_without_case(nfa);
    auto grams  = find_grams(nfa, start, length, folds);
    if (!grams) return {};
    make_unique(*grams);
    if (rate(*grams, length, folds) > max_rate) return {};
    return Grams(length, folds, *grams);
}

Grams::Grams(size_t length, bool folds, const std::vector<uint32_t>& grams)
    : length_(length)
    , folds_(folds)
    , all_(length, grams, folds, 0x85ebca6b) {
    auto parts = length == max_length ? shorter(grams) : std::vector<uint32_t>();
    step_      = length == max_length && rate(parts, 3, folds) <= max_short ? 2 : 1;
    first_     = step_ == 2 ? Slots(3, parts, folds, 0x9e3779b1) : Slots(length, grams, folds, 0x9e3779b1);
    if (length == Pairs::length) pairs_ = Pairs::of(grams, folds);
    if (length == Triples::length && !pairs_) triples_ = Triples::of(grams);
}

Grams::Slots::Slots(size_t length, const std::vector<uint32_t>& grams, bool folds, uint32_t factor)
    : factor(factor << 8 * (max_length - length)) {
    auto count = std::clamp(std::bit_ceil(slots * grams.size()), min_slots, max_slots);
    shift      = 32 - unsigned(std::countr_zero(count));
    has.resize(count);
    auto table = this->table();
    for (auto gram : grams) has[folds ? table.slot<true>(gram) : table.slot<false>(gram)] = 1;
}

GramTable Grams::Slots::table() const { return {factor, shift, has.data()}; }

template<bool Folds, size_t Step>
size_t Grams::find_in(std::string_view text, size_t from) const {
    auto first = first_.table(), all = all_.table();
    auto at = text.data() + from, end = text.data() + text.size();
    auto last = end - std::min(text.size() - from, max_length); // behind it, a gram may be cut off
    if (pairs_) {
        auto most = end - std::min(text.size() - from, Pairs::length);
        at        = pairs_->find(all, at, most);
        if (at + Pairs::block <= most) return size_t(at - text.data());
    }
    if (triples_) {
        auto most = end - std::min(text.size() - from, Triples::length);
        at        = triples_->find(all, Folds, at, most);
        if (at + Triples::block <= most) return size_t(at - text.data());
    }
    while ((at = find_block<Folds, Step>(first, at, last)) + block <= last) {
        for (auto stop = at + block; at != stop; at += Step) {
            if (!first.has<Folds>(load_gram(at + Step - 1))) continue;
            for (size_t i = 0; i != Step; ++i)
                if (all.has<Folds>(load_gram(at + i))) return size_t(at + i - text.data());
        }
    }
    for (; at + length_ <= end; ++at) {
        char gram[max_length]{};
        std::memcpy(gram, at, std::min(size_t(end - at), max_length));
        if (all.has<Folds>(load_gram(gram))) return size_t(at - text.data());
    }
    return nowhere;
}

size_t Grams::find(std::string_view text, size_t from) const {
    if (step_ == 2) return folds_ ? find_in<true, 2>(text, from) : find_in<false, 2>(text, from);
    return folds_ ? find_in<true, 1>(text, from) : find_in<false, 1>(text, from);
}

} // namespace mim::plug::regex
