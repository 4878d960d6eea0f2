// SPDX-License-Identifier: MIT
// What patterns mean, for the evaluator: all ends of the matches from a position, the preferred one first, by backtracking that
// remembers what it found. It reads patterns as they were written, and has nothing in common with normal forms and automata.
#include <algorithm>
#include <cctype>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "eval/machine.h"
#include "regex.h"

namespace mim::plug::regex {

namespace {

using eval::Machine;
using eval::Value;
using Ends = std::vector<uint64_t>;

struct Term {
    enum Op : uint8_t { Any, Range, Utf8, Not, At, Conj, Disj, Alt, Optional, Star, Plus, NoCase, Group, Same };
    Op op         = Same;
    bool lazy     = false;
    bool lines    = false;                     ///< a newline is none of its characters
    bool language = true;                      ///< of all matches, the longest is preferred
    bool groups   = false;                     ///< some that count: none does in a disjunction
    uint64_t lo = 0, hi = 0;                   ///< Range, Utf8; Group: its number
    at place                      = at::start; ///< At
    std::vector<const Term*> kids = {};
};

class Matching {
public:
    /// `size` of the subject; without it, a terminator ends it.
    Matching(Machine& m, const Def* app, Value text, std::optional<uint64_t> size = {})
        : m_(m)
        , app_(app)
        , text_(std::move(text))
        , size_(size) {}

    const Term* read(const Axiom&, const Value* groups);
    const Term* read(const Value&);
    const Ends& ends(const Term*, uint64_t pos, bool nocase);
    /// The leftmost match from a position on: where it begins and ends. Unless `may_be_empty`, the empty one there does not count.
    std::optional<std::pair<uint64_t, uint64_t>> next(const Term*, uint64_t pos, bool may_be_empty);

    using Next = std::function<bool(uint64_t)>;
    /// Tries one way after the other until one leads to a yes; then, where groups are.
    bool way(const Term*, uint64_t pos, bool nocase, const Next&);
    std::map<uint64_t, std::pair<uint64_t, uint64_t>> places;

private:
    static constexpr unsigned max_depth = 2000;
    static constexpr uint64_t max_work  = 50'000'000;

    const Term* add(Term t) {
        work(64);
        auto all   = std::ranges::all_of(t.kids, [](auto kid) { return kid->language; });
        t.lines    = lines_;
        auto some  = std::ranges::any_of(t.kids, [](auto kid) { return kid->groups; });
        t.groups   = t.op == Term::Group || (t.op != Term::Disj && some);
        t.language = t.op == Term::Disj || (t.op != Term::Alt && !t.lazy && all);
        return &terms_.emplace_back(std::move(t));
    }
    void work(uint64_t n) {
        if ((work_ += n) > max_work) m_.fail("a match that takes so long", app_);
    }
    /// The character at a position; -1: the end.
    int chr(uint64_t pos);
    static bool is_word(int c) { return c >= 0 && c < 128 && (std::isalnum(c) || c == '_'); }
    bool is_char(const Term*, int c, bool nocase);
    bool is_place(at, uint64_t pos);
    Ends wide(const Term*, uint64_t pos);
    Ends find(const Term*, uint64_t pos, bool nocase);
    Ends follow(const Term*, const Ends& from, bool nocase);
    Ends many(const Term*, uint64_t pos, bool nocase);
    static Ends once(Ends);
    bool part(const Term*, size_t kid, uint64_t pos, bool nocase, const Next&);
    bool rounds(const Term*, uint64_t pos, bool must, bool nocase, const Next&);
    bool group(const Term*, uint64_t pos, bool nocase, const Next&);

    Machine& m_;
    const Def* app_;
    Value text_;
    std::optional<uint64_t> size_;
    std::string seen_; ///< of the subject
    std::deque<Term> terms_;
    std::map<std::tuple<const Term*, uint64_t, bool>, Ends> memo_;
    uint64_t work_  = 0;
    unsigned depth_ = 0;
    bool lines_     = false; ///< what is read is within a line
};

const Term* Matching::read(const Value& value) {
    auto v = m_.force(value, app_);
    if (!v.is(eval::Kind::Axiom) || v.axiom().axm->axiom().id.plugin != AnnexTraits<conj>::plugin)
        m_.fail("a pattern that is none of `%regex`", app_);
    if (++depth_ > max_depth) m_.fail("a pattern that is nested so deeply", app_);
    auto result = read(v.axiom().axm->axiom(), v.axiom().groups.data());
    --depth_;
    return result;
}

static at in_line(at place) { return place == at::start ? at::line_start : place == at::stop ? at::line_stop : place; }

const Term* Matching::read(const Axiom& axiom, const Value* groups) {
    auto sub = axiom.id.sub;
    if (is_tag<any>(axiom)) return add({.op = Term::Any});
    if (is_tag<at>(axiom)) return add({.op = Term::At, .place = lines_ ? in_line(at(sub)) : at(sub)});
    if (is_tag<range>(axiom)) {
        auto [lo, hi] = m_.nums<2>(groups[0]);
        return add({.op = Term::Range, .lo = lo, .hi = hi});
    }
    if (is_tag<utf8>(axiom)) {
        auto [lo, hi] = m_.nums<2>(groups[0]);
        return add({.op = Term::Utf8, .lo = lo, .hi = hi});
    }
    Term t;
    if (is_tag<conj>(axiom) || is_tag<disj>(axiom) || is_tag<alt>(axiom)) {
        t.op   = is_tag<conj>(axiom) ? Term::Conj : is_tag<disj>(axiom) ? Term::Disj : Term::Alt;
        auto n = m_.num(groups[0]);
        for (uint64_t i = 0; i != n; ++i) t.kids.push_back(read(m_.elem(groups[1], i, n)));
        return add(std::move(t));
    }
    if (is_tag<regex::repeat>(axiom)) {
        t.op            = Term::Conj;
        auto [min, max] = m_.nums<2>(groups[0]);
        auto kid        = read(groups[1]);
        for (uint64_t i = 0; i < max; ++i) t.kids.push_back(i < min ? kid : add({.op = Term::Optional, .kids = {kid}}));
        return add(std::move(t));
    }
    if (is_tag<capture>(axiom)) return add({.op = Term::Group, .lo = m_.num(groups[0]), .kids = {read(groups[1])}});
    auto around = std::exchange(lines_, lines_ || is_tag<lines>(axiom));
    t.kids.push_back(read(groups[0]));
    lines_ = around;
    t.lazy = is_tag<regex::lazy>(axiom);
    if (t.lazy || is_tag<quant>(axiom)) t.op = Term::Op(Term::Optional + sub);
    if (is_tag<not_>(axiom)) t.op = Term::Not;
    if (is_tag<nocase>(axiom)) t.op = Term::NoCase;
    return add(std::move(t));
}

int Matching::chr(uint64_t pos) {
    if (size_) return pos < *size_ ? int(m_.memory().load_byte(text_, pos)) : -1;
    while (seen_.size() <= pos) seen_ += char(m_.memory().load_byte(text_, seen_.size()));
    return seen_[pos] == 0 ? -1 : uint8_t(seen_[pos]);
}

bool Matching::is_char(const Term* t, int c, bool nocase) {
    if (t->lines && c == '\n') return false;
    auto in     = [&](int x) { return t->lo <= uint64_t(x) && uint64_t(x) <= t->hi; };
    auto in_kid = [&](auto kid) { return is_char(kid, c, nocase || t->op == Term::NoCase); };
    switch (t->op) {
        case Term::Any: return c >= 0;
        case Term::Range: return c >= 0 && (in(c) || (nocase && c < 128 && (in(std::tolower(c)) || in(std::toupper(c)))));
        case Term::Not: return c >= 0 && !in_kid(t->kids[0]);
        case Term::Disj: return std::ranges::any_of(t->kids, in_kid);
        case Term::NoCase:
        case Term::Same: return in_kid(t->kids[0]);
        default: m_.fail("a negation of what is not one character", app_);
    }
}

bool Matching::is_place(at place, uint64_t pos) {
    auto before = pos == 0 ? -1 : int(m_.memory().load_byte(text_, pos - 1));
    bool edge   = is_word(before) != is_word(chr(pos));
    switch (place) {
        case at::start: return pos == 0;
        case at::stop: return chr(pos) < 0;
        case at::line_start: return pos == 0 || before == '\n';
        case at::line_stop: return chr(pos) < 0 || chr(pos) == '\n';
        case at::word: return edge;
        case at::inside: return !edge;
        case at::no_word_before: return !is_word(before);
        case at::no_word_after: return !is_word(chr(pos));
    }
    return false;
}

/// A character of one to four bytes; of all its encodings, the shortest is the one that counts.
Ends Matching::wide(const Term* t, uint64_t pos) {
    auto c = chr(pos);
    if (t->lines && c == '\n') return {};
    if (c < 0x80) return c >= 0 && t->lo <= uint64_t(c) && uint64_t(c) <= t->hi ? Ends{pos + 1} : Ends{};
    unsigned length = c >= 0xf8 ? 0 : c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 0;
    uint64_t value  = unsigned(c) & (0x7fu >> length);
    for (unsigned i = 1; i < length; ++i) {
        auto next = chr(pos + i);
        if (next < 0x80 || next > 0xbf) return {};
        value = value << 6 | (unsigned(next) & 0x3f);
    }
    static constexpr uint64_t least[] = {~0ull, ~0ull, 0x80, 0x800, 0x10000};
    bool is_half                      = value >= 0xd800 && value <= 0xdfff;
    return value >= least[length] && !is_half && t->lo <= value && value <= t->hi ? Ends{pos + length} : Ends{};
}

/// Where several matches end in the same place, the first one counts.
Ends Matching::once(Ends ends) {
    std::set<uint64_t> seen;
    std::erase_if(ends, [&](auto end) { return !seen.insert(end).second; });
    return ends;
}

const Ends& Matching::ends(const Term* t, uint64_t pos, bool nocase) {
    auto key = std::tuple(t, pos, nocase);
    if (auto it = memo_.find(key); it != memo_.end()) return it->second;
    auto found = once(find(t, pos, nocase));
    if (t->language) std::ranges::sort(found, std::greater());
    work(16 + found.size());
    return memo_[key] = std::move(found);
}

Ends Matching::follow(const Term* t, const Ends& from, bool nocase) {
    Ends result;
    for (auto pos : from) {
        auto& more = ends(t, pos, nocase);
        result.insert(result.end(), more.begin(), more.end());
        work(1 + more.size());
    }
    return once(std::move(result));
}

Ends Matching::find(const Term* t, uint64_t pos, bool nocase) {
    Ends result;
    switch (t->op) {
        case Term::Any:
        case Term::Range:
        case Term::Not: return is_char(t, chr(pos), nocase) ? Ends{pos + 1} : Ends{};
        case Term::Utf8: return wide(t, pos);
        case Term::At: return is_place(t->place, pos) ? Ends{pos} : Ends{};
        case Term::Conj:
            result = {pos};
            for (auto kid : t->kids) result = follow(kid, result, nocase);
            return result;
        case Term::Disj:
        case Term::Alt:
            for (auto kid : t->kids) {
                auto& more = ends(kid, pos, nocase);
                result.insert(result.end(), more.begin(), more.end());
            }
            return result;
        case Term::Optional:
            result = ends(t->kids[0], pos, nocase);
            result.insert(t->lazy ? result.begin() : result.end(), pos);
            return result;
        case Term::Star:
        case Term::Plus: return many(t, pos, nocase);
        case Term::NoCase:
        case Term::Group:
        case Term::Same: return ends(t->kids[0], pos, nocase || t->op == Term::NoCase);
    }
    return result;
}

/// A search in depth over positions: from each, first where one more round leads, then the position itself, or the other way round. A round
/// that matches nothing is the last one.
Ends Matching::many(const Term* t, uint64_t pos, bool nocase) {
    struct Step {
        uint64_t pos;
        bool stop; ///< here; else go on from here
    };
    Ends result;
    std::set<uint64_t> entered;
    std::vector<Step> todo;
    auto go_on = [&](uint64_t from, bool may_stop) {
        auto& more = ends(t->kids[0], from, nocase);
        work(2 + more.size());
        if (may_stop && !t->lazy) todo.push_back({from, true});
        for (auto it = more.rbegin(); it != more.rend(); ++it) todo.push_back({*it, *it == from});
        if (may_stop && t->lazy) todo.push_back({from, true});
    };
    // the first round of `plus` must be made, and counts as no visit of the position
    if (t->op == Term::Star) entered.insert(pos);
    go_on(pos, t->op == Term::Star);
    while (!todo.empty()) {
        auto [at, stop] = todo.back();
        todo.pop_back();
        if (stop) result.push_back(at);
        else if (entered.insert(at).second) go_on(at, true);
    }
    return result;
}

std::optional<std::pair<uint64_t, uint64_t>> Matching::next(const Term* t, uint64_t pos, bool may_be_empty) {
    for (auto from = pos; from <= *size_; ++from)
        for (auto to : ends(t, from, false))
            if (may_be_empty || from != pos || to != pos) return std::pair(from, to);
    return {};
}

bool Matching::way(const Term* t, uint64_t pos, bool nocase, const Next& next) {
    struct Depth {
        unsigned& depth;
        ~Depth() { --depth; }
    } here{++depth_};
    if (depth_ > max_depth) m_.fail("groups in a match that is so long", app_);
    work(16);
    if (!t->groups) return std::ranges::any_of(ends(t, pos, nocase), next);
    auto kid = [&](const Term* k) { return way(k, pos, nocase || t->op == Term::NoCase, next); };
    switch (t->op) {
        case Term::Conj: return part(t, 0, pos, nocase, next);
        case Term::Alt: return std::ranges::any_of(t->kids, kid);
        case Term::Optional: return t->lazy ? next(pos) || kid(t->kids[0]) : kid(t->kids[0]) || next(pos);
        case Term::Star:
        case Term::Plus: return rounds(t, pos, t->op == Term::Plus, nocase, next);
        case Term::Group: return group(t, pos, nocase, next);
        default: return kid(t->kids[0]);
    }
}

bool Matching::part(const Term* t, size_t kid, uint64_t pos, bool nocase, const Next& next) {
    if (kid == t->kids.size()) return next(pos);
    return way(t->kids[kid], pos, nocase, [&](uint64_t end) { return part(t, kid + 1, end, nocase, next); });
}

/// A round that matches nothing is the last one.
bool Matching::rounds(const Term* t, uint64_t pos, bool must, bool nocase, const Next& next) {
    auto more = [&] {
        return way(t->kids[0], pos, nocase,
                   [&](uint64_t end) { return end == pos ? next(end) : rounds(t, end, false, nocase, next); });
    };
    return must ? more() : t->lazy ? next(pos) || more() : more() || next(pos);
}

bool Matching::group(const Term* t, uint64_t pos, bool nocase, const Next& next) {
    return way(t->kids[0], pos, nocase, [&](uint64_t end) {
        auto before   = places;
        places[t->lo] = {pos, end};
        return next(end) || (places = before, false);
    });
}

} // namespace

eval::Value mean_prefix(Machine& m, const Def* app) {
    auto [mem, text, at] = m.elems<3>(m.group(2));
    m.token(mem);
    auto pos = m.num(at);
    Matching matching(m, app, m.force(text, app), m.num(m.group(1)));
    auto& ends = matching.ends(matching.read(m.group(0)), pos, false);
    return m.tuple({Value::token(), Value::num(!ends.empty()), Value::num(ends.empty() ? pos : ends[0])});
}

eval::Value mean_next(Machine& m, const Def* app) {
    auto [mem, text, at, after_empty] = m.elems<4>(m.group(2));
    m.token(mem);
    auto pos = m.num(at);
    Matching matching(m, app, m.force(text, app), m.num(m.group(1)));
    auto found       = matching.next(matching.read(m.group(0)), pos, !m.flag(after_empty));
    auto [begin, to] = found.value_or(std::pair(pos, pos));
    return m.tuple({Value::token(), Value::num(found.has_value()), Value::num(begin), Value::num(to)});
}

eval::Value mean_count(Machine& m, const Def* app) {
    auto [mem, text] = m.elems<2>(m.group(2));
    m.token(mem);
    Matching matching(m, app, m.force(text, app), m.num(m.group(1)));
    auto pattern   = matching.read(m.group(0));
    uint64_t count = 0, pos = 0;
    bool may_be_empty = true;
    while (auto found = matching.next(pattern, pos, may_be_empty))
        ++count, pos = found->second, may_be_empty = found->first != found->second;
    return m.tuple({Value::token(), Value::num(count)});
}

eval::Value mean_groups(Machine& m, const Def* app) {
    auto [mem, text, at] = m.elems<3>(m.group(m.num_groups() - 1));
    m.token(mem);
    auto pos = m.num(at), count = m.num(m.group(0));
    Matching matching(m, app, m.force(text, app));
    auto pattern = matching.read(m.group(1));
    auto ends    = matching.ends(pattern, pos, false);
    if (!ends.empty()) {
        matching.way(pattern, pos, false, [&](uint64_t end) { return end == ends[0]; });
        matching.places[0] = {pos, ends[0]};
    }
    std::vector<Value> places;
    for (uint64_t i = 0; i != count; ++i) {
        auto place        = matching.places.find(i);
        auto took         = place != matching.places.end();
        auto [begin, end] = took ? place->second : std::pair(pos, pos);
        places.push_back(m.tuple({Value::num(took), Value::num(begin), Value::num(end)}));
    }
    return m.tuple({Value::token(), Value::num(!ends.empty()), m.tuple(std::move(places))});
}

eval::Value mean(Machine& m, const Def* app) {
    auto [mem, text, at] = m.elems<3>(m.group(m.num_groups() - 1));
    m.token(mem);
    auto pos = m.num(at);
    Matching matching(m, app, m.force(text, app));
    auto& ends = matching.ends(matching.read(m.axiom(), &m.group(0)), pos, false);
    return m.tuple({Value::token(), Value::num(!ends.empty()), Value::num(ends.empty() ? pos : ends[0])});
}

} // namespace mim::plug::regex
