// SPDX-License-Identifier: MIT
#include "costs.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <vector>

namespace mim::plug::regex {

namespace {

constexpr unsigned drawn    = 200; ///< that are drawn
constexpr size_t max_sample = 400; ///< of one, about

/// The same numbers each time (Steele et al., SplitMix).
class Dice {
public:
    size_t below(size_t n) {
        auto z = seed_ += 0x9e3779b97f4a7c15;
        z      = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z      = (z ^ z >> 27) * 0x94d049bb133111eb;
        return size_t((z ^ z >> 31) >> 32) % n;
    }
    bool percent(size_t n) { return below(100) < n; }

private:
    uint64_t seed_ = 1;
};

/// Samples of a pattern, of which all ways are as likely. Loops without an end turn about forty times in all.
class Samples {
public:
    Samples(const Pattern& pattern, Dice& dice)
        : pattern_(pattern)
        , dice_(dice) {
        rounds_ = std::max<size_t>(40 / std::max<size_t>(loops(pattern), 1), 1);
    }
    std::string draw() {
        text_.clear();
        add(pattern_, rounds_);
        return text_;
    }

private:
    size_t loops(const Pattern& p) {
        auto [known, is_new] = loops_.try_emplace(&p, p.op == Pattern::Quant && p.many);
        if (!is_new) return known->second;
        size_t sum = known->second;
        for (auto kid : p.kids) sum = std::min<size_t>(sum + loops(*kid), 40);
        return loops_[&p] = sum;
    }
    void add(const Pattern& p, size_t rounds) {
        if (text_.size() >= max_sample) return;
        switch (p.op) {
            case Pattern::Look: return;
            case Pattern::Chars: return character(p);
            case Pattern::Group: return add(*p.kids[0], rounds);
            case Pattern::Disj:
            case Pattern::Alt:
                if (!p.kids.empty()) add(*p.kids[dice_.below(p.kids.size())], rounds);
                return;
            case Pattern::Conj: return sequence(p, rounds);
            case Pattern::Quant: return repeat(p, rounds);
        }
    }
    /// Of optional parts that are the same, any number is as likely.
    void sequence(const Pattern& p, size_t rounds) {
        for (size_t i = 0, end = 0; i < p.kids.size(); i = end) {
            auto kid = p.kids[i];
            while (end < p.kids.size() && p.kids[end] == kid) ++end;
            bool is_optional = kid->op == Pattern::Quant && !kid->many && kid->none;
            auto count       = is_optional ? dice_.below(end - i + 1) : end - i;
            for (; count != 0; --count) add(is_optional ? *kid->kids[0] : *kid, rounds);
        }
    }
    /// An inner loop has a quarter of the rounds.
    void repeat(const Pattern& p, size_t rounds) {
        size_t count = p.none ? dice_.below(2) : 1;
        if (p.many)
            for (count = p.none ? 0 : 1; count < max_sample && dice_.below(rounds + 1) != 0;) ++count;
        for (auto inner = std::max<size_t>(rounds / 4, 1); count != 0; --count) add(*p.kids[0], inner);
    }
    void character(const Pattern& p) {
        auto [known, is_new] = some_.try_emplace(&p);
        auto& some           = known->second;
        for (unsigned c = ' '; c < 127 && is_new; ++c)
            if (p.set[c]) some += char(c);
        for (unsigned c = 1; c < 256 && is_new && some.empty(); ++c)
            if (p.set[c]) some += char(c);
        if (!some.empty()) text_ += some[dice_.below(some.size())];
    }

    const Pattern& pattern_;
    Dice& dice_;
    size_t rounds_;
    std::string text_;
    std::map<const Pattern*, size_t> loops_;
    std::map<const Pattern*, std::string> some_; ///< characters, preferably printed ones
};

/// How often each of some cases was met.
class Counts {
public:
    void add(size_t which) { ++all_[which]; }
    /// That tell which, each time.
    double bits() const {
        double sum = 0, total = 0;
        for (auto& [which, count] : all_) total += count;
        for (auto& [which, count] : all_) sum -= count * std::log2(count / total);
        return sum;
    }

private:
    std::map<size_t, double> all_;
};

class Trial {
public:
    explicit Trial(const Dfa& dfa)
        : dfa_(dfa)
        , blocks_(dfa.states) {}

    void add(const std::string& text) {
        auto stop = text.size(); // or where nothing can match
        Ids path{dfa_.start[0]};
        for (size_t i = 0; i != text.size() && path.back() != Dfa::dead; ++i) path.push_back(step(path.back(), text[i]));
        if (path.back() == Dfa::dead) stop = path.size() - 2 + (path.size() == 1);
        work_.steps += double(stop + 1);
        auto last   = std::min(text.size(), (stop | 31) + 1); // a block that is begun is run
        auto halves = (last + 15) / 16;
        work_.halves += double(halves);
        turns_.add(halves);
        branch(text, path);
        ++count_;
    }
    Work work() {
        work_.turns = turns_.bits();
        for (auto& [state, counts] : decisions_) work_.bits += counts.bits();
        for (auto part : {&work_.steps, &work_.halves, &work_.turns, &work_.blocks, &work_.bits, &work_.skips}) *part /= count_;
        return work_;
    }

private:
    struct Block { ///< of a state
        bool is_known = false;
        std::optional<Dfa::Run> run;
        Set loop; ///< that is skipped
        size_t chain = 0;
        std::array<uint32_t, 256> case_of{}; ///< by character: which of the cases it is that branches tell apart
    };
    uint32_t step(uint32_t q, char c) const { return dfa_.to[dfa_.at(q, uint8_t(c))]; }

    const Block& block(uint32_t q) {
        auto& b = blocks_[q];
        if (std::exchange(b.is_known, true)) return b;
        b.run    = counted_run(dfa_, q);
        b.chain  = b.run ? 0 : compared_chain(dfa_, q).size();
        auto set = dfa_.loop(q);
        if (!b.run && b.chain == 0 && fits_leave(set)) b.loop = set;
        find_cases(b, b.run ? b.run->end : q);
        return b;
    }
    /// Runs of characters that lead the same way; if there are two ways, a table tells which.
    void find_cases(Block& b, uint32_t q) const {
        auto& gone = b.run ? b.run->set : b.loop;
        std::vector<size_t> ways; // of each run
        auto same = [&](size_t x, size_t y) { return dfa_.to[x] == dfa_.to[y] && dfa_.accepts[x] == dfa_.accepts[y]; };
        for (unsigned c = 0; c != 256; ++c) {
            auto cell = dfa_.at(q, c == 0 ? End : c);
            if (!gone[c] && (ways.empty() || !same(ways.back(), cell))) ways.push_back(cell);
            b.case_of[c] = uint32_t(ways.size());
        }
        auto other    = std::ranges::find_if(ways, [&](auto cell) { return !same(cell, ways[0]); });
        bool two_ways = std::ranges::all_of(ways, [&](auto cell) { return same(cell, ways[0]) || same(cell, *other); });
        if (ways.size() <= 3 || !two_ways) return;
        for (unsigned c = 0; c != 256; ++c) b.case_of[c] = same(dfa_.at(q, c == 0 ? End : c), ways[0]) ? 1 : 2;
    }
    /// The blocks that a text leads through: `path` has the state before each of its characters.
    void branch(const std::string& text, const Ids& path) {
        for (size_t i = 0; i < path.size() && path[i] != Dfa::dead;) {
            auto& b   = block(path[i]);
            auto from = i, q = size_t(path[i]);
            auto skip = [&](const Set& set) {
                while (i < text.size() && set[uint8_t(text[i])] && i + 1 < path.size()) ++i;
                auto num_blocks = 1 + (i - from) / 64;
                work_.skips += static_cast<double>(num_blocks);
            };
            if (b.chain != 0) {
                work_.skips += 1;
                bool fits = i + b.chain < path.size() && path[i + b.chain] != Dfa::dead;
                decisions_[q].add(fits);
                if (!fits) return;
                i += b.chain;
                continue;
            }
            if (b.run) skip(b.run->set);
            else if (b.loop.any()) skip(b.loop);
            work_.blocks += 1;
            decisions_[b.run ? b.run->end : q].add(b.case_of[i < text.size() ? uint8_t(text[i]) : 0]);
            ++i;
        }
    }

    const Dfa& dfa_;
    std::vector<Block> blocks_;
    std::map<size_t, Counts> decisions_; ///< by state
    Counts turns_;
    Work work_;
    double count_ = 0;
};

constexpr std::string_view common = "etaoin shrdlu019-.,";

} // namespace

/// As bench/regex draws its lines.
Features find_features(const Dfa& dfa, const Pattern& pattern) {
    Dice dice;
    Samples samples(pattern, dice);
    std::vector<std::string> own;
    std::string alphabet;
    for (unsigned i = 0; i != drawn; ++i) alphabet += own.emplace_back(samples.draw());
    if (alphabet.empty()) alphabet = common;
    auto any = [&](std::string_view of) { return of[dice.below(of.size())]; };
    Trial half(dfa), few(dfa);
    for (auto& text : own) {
        auto other = text;
        auto at    = dice.below(text.size() + 1);
        auto kind  = dice.below(100);
        if (kind >= 95) {
            for (auto& c : other) c = any(alphabet);
        } else if (kind >= 55) {
            other = other.substr(0, at);
            if (auto way = dice.below(4); way != 3) {
                if (way != 1) other += any(alphabet);
                other += text.substr(std::min(at + (way != 2), text.size()));
            }
        }
        half.add(other);
        kind = dice.below(100);
        if (kind < 5) {
            few.add(text);
        } else if (kind < 45) {
            std::string random(dice.below(41), ' ');
            for (auto& c : random) c = any(common);
            few.add(random);
        } else {
            at = dice.below(std::min<size_t>(text.size(), 6) + 1);
            few.add(text.substr(0, at) + any(common) + text.substr(at));
        }
    }
    return {half.work(), few.work()};
}

namespace {

/// A way, of which some kinds take other times.
enum class Row : uint8_t {
    Branches,
    Table,
    Shifts,
    Shuffles16x4,
    Shuffles16,
    Shuffles32,
    Shuffles64,
    Strides4,
    Strides2,
    Strides2Large,
    Compare,
    Hash
};
constexpr size_t num_rows = 12;

/// Nothing that is larger stays in the fastest cache.
bool is_large(const Dfa& dfa) { return dfa.states > 256 || size_t(dfa.states) * dfa.classes * dfa.classes > 1u << 15; }

std::optional<Row> row_of(by way, const Dfa& dfa) {
    switch (way) {
        case by::branches: return Row::Branches;
        case by::table: return Row::Table;
        case by::shifts: return Row::Shifts;
        case by::compare: return Row::Compare;
        case by::hash: return Row::Hash;
        case by::shuffles:
            if (shuffle_length(dfa, false) == 4) return Row::Shuffles16x4;
            return lanes_of(dfa) == 16 ? Row::Shuffles16 : lanes_of(dfa) == 32 ? Row::Shuffles32 : Row::Shuffles64;
        case by::strides:
            if (stride_length(dfa, false) == 4) return Row::Strides4;
            return is_large(dfa) ? Row::Strides2Large : Row::Strides2;
        case by::threads:
        case by::lazy: break;
    }
    return {};
}

constexpr double learned = 20; ///< bits that a processor learns by heart of thousands of subjects

/// Nanoseconds for each part of Work, for a subject in any case, and for bits beyond those.
struct Coefficients {
    double subject, steps, halves, turns, blocks, bits, skips, more;
};
/// With vectors of 16, 32 and 64 bytes, by row.
constexpr Coefficients coefficients[3][num_rows] = {
#include "costs.inc"
};

} // namespace

std::string text(const Dfa& dfa, const Features& features) {
    std::string result;
    char line[160];
    for (auto& w : {features.half, features.few}) {
        std::snprintf(line, sizeof line, "%.3f %.3f %.3f %.3f %.3f %.3f ", w.steps, w.halves, w.turns, w.blocks, w.bits, w.skips);
        result += line;
    }
    auto row = [&](by way) { return int(*row_of(way, dfa)); };
    std::snprintf(line, sizeof line, "%u %u %d %d", dfa.states, dfa.classes, row(by::shuffles), row(by::strides));
    return result + line;
}

std::optional<Cost> cost(by way, const Dfa& dfa, const Features& features, Fast fast) {
    auto row = row_of(way, dfa);
    if (!row) return {};
    auto& c = coefficients[fast.wide_shuffles ? 2 : fast.wide_vectors ? 1 : 0][size_t(*row)];
    auto of = [&](const Work& w) {
        return c.subject + c.steps * w.steps + c.halves * w.halves + c.turns * w.turns + c.blocks * w.blocks + c.bits * w.bits
               + c.skips * w.skips + c.more * std::max(w.bits - learned, 0.0);
    };
    return Cost{of(features.half), of(features.few)};
}

} // namespace mim::plug::regex
