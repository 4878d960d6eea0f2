// SPDX-License-Identifier: MIT
#include "test/fixture.h"

#include <algorithm>
#include <utility>

namespace mim::plug::regex::test {

Regex::Regex() {
    auto re   = add("RegEx", w.star(), 0);
    auto many = w.mut_pi(w.nat(), true); // {i: Nat} [«i; RegEx»] → RegEx
    auto nary = w.seal(many, w.pi(w.arr(many->var(), re), re));
    auto size = w.mut_pi(w.nat(), true); // {n: Nat} [«n; I8»] → RegEx
    auto two  = w.sigma({w.nat(), w.nat()});
    add(any(0), "%regex.any", {0, 1}, re, 0, nullptr, nullptr);
    add(conj(0), "%regex.conj", {0, 1}, nary, 2, normalize_conj, nullptr);
    add(disj(0), "%regex.disj", {0, 1}, nary, 2, normalize_disj, nullptr);
    add(alt(0), "%regex.alt", {0, 1}, nary, 2, normalize_alt, nullptr);
    add(range(0), "%regex.range", {0, 1}, w.pi(w.arr(2, w.idx(256)), re), 1, normalize_range, nullptr);
    add(not_(0), "%regex.not", {0, 1}, w.pi(re, re), 1, normalize_not, nullptr);
    add(quant(0), "%regex.quant", {0, 3}, w.pi(re, re), 1, normalize_quant, nullptr);
    add(lazy(0), "%regex.lazy", {0, 3}, w.pi(re, re), 1, normalize_lazy, nullptr);
    add(by(0), "%regex.by", {0, 5}, w.pi(re, re), 1, normalize_by, nullptr);
    add(at(0), "%regex.at", {0, 8}, re, 0, nullptr, nullptr);
    add(capture(0), "%regex.capture", {0, 1}, w.pi(w.nat(), w.pi(re, re)), 2, nullptr, nullptr);
    add(nocase(0), "%regex.nocase", {0, 1}, w.pi(re, re), 1, normalize_nocase, nullptr);
    add(lines(0), "%regex.lines", {0, 1}, w.pi(re, re), 1, normalize_lines, nullptr);
    add(repeat(0), "%regex.repeat", {0, 1}, w.pi(two, w.pi(re, re)), 2, normalize_repeat, nullptr);
    add(utf8(0), "%regex.utf8", {0, 1}, w.pi(two, re), 1, normalize_utf8, nullptr);
    add(parse(0), "%regex.parse", {0, 1}, w.seal(size, w.pi(w.arr(size->var(), w.idx(256)), re)), 2, normalize_parse, nullptr);
}

const Def* Regex::parsed(std::string_view text) {
    std::vector<const Def*> ops;
    for (auto c : text) ops.push_back(w.lit_idx(256, uint8_t(c)));
    return of(parse(0), ops);
}

std::optional<Dfa> Regex::automaton(const Def* pattern) {
    Patterns patterns(w);
    return make_automaton(patterns.read(pattern));
}

/// The number of what a symbol is before a position.
static size_t context(size_t symbol) { return symbol == End ? 0 : symbol == '\n' ? 1 : word_set()[symbol] ? 2 : 3; }

static size_t symbol_at(std::string_view subject, size_t pos) { return pos < subject.size() ? uint8_t(subject[pos]) : End; }

static int64_t run_from(const Dfa& dfa, std::string_view subject, size_t pos, const std::array<uint32_t, 4>& starts) {
    auto state    = starts[context(pos == 0 ? End : symbol_at(subject, pos - 1))];
    int64_t found = -1;
    for (; state != Dfa::dead; ++pos) {
        auto cell = dfa.at(state, symbol_at(subject, pos));
        if (dfa.accepts[cell]) found = int64_t(pos);
        state = dfa.to[cell];
    }
    return found;
}

int64_t Regex::run(const Dfa& dfa, std::string_view subject, size_t pos) { return run_from(dfa, subject, pos, dfa.start); }

std::optional<Regex::Span> Regex::next(const Search& search, std::string_view subject, size_t pos, bool after_empty) {
    auto& forward = search.forward;
    auto to       = run_from(forward, subject, pos, after_empty ? forward.again : forward.start);
    if (to < 0) return {};
    auto begin = size_t(to);
    auto state = search.backward.start[context(symbol_at(subject, begin))];
    for (auto at = begin; state != Dfa::dead; --at) {
        auto cell = search.backward.at(state, at == 0 ? End : symbol_at(subject, at - 1));
        if (search.backward.accepts[cell]) begin = at;
        if (at == pos) break;
        state = search.backward.to[cell];
    }
    return Span(begin, to);
}

namespace {

/// As `%regex.run.scan` and its ways do it, but what they know of places near the end, and fewer characters at once.
class OnWays {
public:
    OnWays(const Search& search, std::string_view subject)
        : dfa_(search.forward)
        , ways_(search.ways)
        , by_state_(ways_.by_state(dfa_))
        , s_(subject) {}

    int64_t run(size_t pos, bool after_empty) {
        int64_t found = -1;
        pos_ = until_ = pos;
        state_        = (after_empty ? dfa_.again : dfa_.start)[before(pos)];
        for (go(); state_ != Dfa::dead; go()) {
            auto cell = dfa_.at(state_, symbol_at(s_, pos_));
            if (dfa_.accepts[cell]) found = int64_t(pos_);
            if (pos_++ == s_.size()) break;
            state_ = dfa_.to[cell];
        }
        return found;
    }

private:
    size_t before(size_t pos) const { return context(pos == 0 ? End : symbol_at(s_, pos - 1)); }

    void go() {
        if (pos_ < until_) return;
        auto way = by_state_[state_];
        if (way == Ways::First) {
            find(*ways_.first);
            state_ = dfa_.start[before(pos_)];
        } else if (way == Ways::Hot) {
            hot();
        } else if (way >= Ways::Cores) {
            auto& core = ways_.cores[way - Ways::Cores];
            auto begin = pos_;
            find(core.finder);
            if (pos_ >= begin + core.back) pos_ -= core.back, state_ = core.from;
            else pos_ = begin;
        }
    }
    void find(const Finder& finder) {
        while (!finder.have(s_.substr(pos_))) ++pos_;
        until_ = pos_ + 1;
    }
    void hot() {
        constexpr size_t step = 2;
        for (; pos_ + step <= s_.size(); pos_ += step) {
            auto to = state_;
            for (size_t k = 0; k != step; ++k) {
                auto cell = dfa_.at(to, symbol_at(s_, pos_ + k));
                to        = dfa_.accepts[cell] ? Dfa::dead : dfa_.to[cell];
                if (std::ranges::find(ways_.hot, to) == ways_.hot.end()) {
                    until_ = pos_ + step;
                    return;
                }
            }
            state_ = to;
        }
        until_ = s_.size();
    }

    const Dfa& dfa_;
    const Ways& ways_;
    std::vector<uint8_t> by_state_;
    std::string_view s_;
    size_t pos_ = 0, until_ = 0;
    uint32_t state_ = 0;
};

} // namespace

int64_t Regex::end_on_ways(const Search& search, std::string_view subject, size_t pos, bool after_empty) {
    return OnWays(search, subject).run(pos, after_empty);
}

std::vector<Regex::Span> Regex::all(const Search& search, std::string_view subject) {
    std::vector<Span> result;
    for (auto found = next(search, subject, 0, false); found;
         found      = next(search, subject, found->second, found->first == found->second))
        result.push_back(*found);
    return result;
}

/// As `%regex.run.simulate` does it.
static int64_t simulate(const Threads& threads, std::string_view subject, size_t pos, int64_t stop, std::vector<int64_t>& places,
                        int64_t never = -1) {
    using Thread  = std::pair<uint32_t, std::vector<int64_t>>;
    int64_t found = -1;
    for (std::vector<Thread> now{{0, places}}, next, todo; !now.empty(); now = std::exchange(next, {}), ++pos) {
        auto symbol = symbol_at(subject, pos);
        auto before = 1u << context(pos == 0 ? End : symbol_at(subject, pos - 1));
        std::vector<bool> seen(threads.nodes.size());
        bool hit = false, alive = false, over = false;
        for (auto thread = now.begin(); thread != now.end() && !over; ++thread) {
            for (todo = {*thread}; !todo.empty() && !over;) {
                auto [n, here] = std::move(todo.back());
                auto& node     = threads.nodes[n];
                todo.pop_back();
                if (node.kind == Threads::Close) {
                    if (alive) next.push_back({node.other, here});
                    if (hit) todo.push_back({node.to, here});
                    hit = alive = false;
                    continue;
                }
                if (seen[n]) continue;
                seen[n] = true;
                switch (node.kind) {
                    case Threads::Read:
                        if (threads.sets[node.other][symbol]) next.push_back({node.to, here}), alive = true;
                        break;
                    case Threads::Look:
                        if ((node.before & before) && threads.sets[node.other][symbol]) todo.push_back({node.to, here});
                        break;
                    case Threads::Match:
                        if ((stop >= 0 && int64_t(pos) != stop) || int64_t(pos) == never) break;
                        found = int64_t(pos), over = threads.ordered, places = here;
                        break;
                    case Threads::Leave: hit = true; break;
                    case Threads::Save: here[node.other] = int64_t(pos), todo.push_back({node.to, here}); break;
                    default: todo.push_back({node.other, here}), todo.push_back({node.to, here});
                }
            }
        }
        if (int64_t(pos) == stop) break;
    }
    return found;
}

std::optional<Regex::Span> Regex::next(const SearchThreads& search, std::string_view subject, size_t pos, bool after_empty) {
    std::vector<int64_t> none, places(2, -1);
    auto to = simulate(search.ends, subject, pos, -1, none, after_empty ? int64_t(pos) : -1);
    if (to < 0) return {};
    simulate(search.places, subject, pos, to, places);
    return Span(places[0], to);
}

Search Regex::automata(const Def* pattern, bool eager) { return std::get<Search>(make_search(w, pattern, eager)); }
size_t Regex::count(const Tally& tally, std::string_view subject) {
    size_t result = 0;
    bool before   = false;
    for (auto c : subject) {
        bool here = tally.low[uint8_t(c) & 15] & tally.high[uint8_t(c) >> 4];
        result += here && !(tally.runs && before);
        before = here;
    }
    return result;
}
size_t Regex::count(const Counter& counter, std::string_view subject) {
    size_t result = 0;
    auto state    = counter.start;
    for (auto c : subject) {
        state = counter.rows[uint8_t(c)][state];
        result += state >= counter.counting;
    }
    return result + counter.ends[state];
}
SearchThreads Regex::search_threads(const Def* pattern) {
    return std::get<SearchThreads>(make_search(w, un(by::threads, pattern)));
}

Threads Regex::threads(const Def* pattern) { return make_plan(w, un(by::threads, pattern)).threads; }

int64_t Regex::run(const Threads& threads, std::string_view subject, size_t pos) {
    std::vector<int64_t> places;
    return simulate(threads, subject, pos, -1, places);
}

std::vector<int64_t> Regex::groups(const Threads& threads, std::string_view subject, int64_t stop, uint64_t count) {
    std::vector<int64_t> places(2 * count, -1);
    simulate(threads, subject, 0, stop, places);
    return places;
}

} // namespace mim::plug::regex::test
