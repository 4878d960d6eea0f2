// SPDX-License-Identifier: MIT
#include "regex/host/tree.h"

#include <algorithm>

#include "regex/diagnostics.h"

namespace mim::plug::regex {

Set range_set(unsigned lo, unsigned hi) {
    Set all;
    all.set();
    return hi < lo ? Set() : all >> (all.size() - 1 - (hi - lo)) << lo;
}

Set word_set() {
    static const auto set = range_set('a', 'z') | range_set('A', 'Z') | range_set('0', '9') | range_set('_', '_');
    return set;
}

std::vector<std::pair<unsigned, unsigned>> runs(const Set& set) {
    std::vector<std::pair<unsigned, unsigned>> result;
    for (unsigned c = 0; c != End; ++c) {
        if (!set[c]) continue;
        if (c == 0 || !set[c - 1]) result.push_back({c, c});
        result.back().second = c;
    }
    return result;
}

Before behind(unsigned c) { return c == '\n' ? AfterLine : word_set()[c] ? AfterWord : AfterOther; }

bool Pattern::is_whole() const {
    auto whole = [](auto kid) { return kid->is_whole(); };
    switch (op) {
        case Look: return set.none() || (set.count() == 1 && set[End]);
        case Conj: return !kids.empty() && whole(kids.back());
        case Disj:
        case Alt: return std::ranges::all_of(kids, whole);
        default: return false;
    }
}

void fail(Error error) { throw error; }

void too_large(const std::string& what, uint64_t at_most) {
    fail(diag::too_large(what + " are at most " + std::to_string(at_most)));
}

/// Of all texts that match; -1: they differ, or there are none.
static int64_t length_of(const Pattern& p) {
    constexpr int64_t varies = -1;
    switch (p.op) {
        case Pattern::Chars: return 1;
        case Pattern::Look: return 0;
        case Pattern::Quant: return varies;
        case Pattern::Group: return p.kids[0]->length;
        case Pattern::Disj:
        case Pattern::Alt: {
            auto same = [&](auto kid) { return kid->length == p.kids[0]->length; };
            return !p.kids.empty() && std::ranges::all_of(p.kids, same) ? p.kids[0]->length : varies;
        }
        case Pattern::Conj: break;
    }
    int64_t sum = 0;
    for (auto kid : p.kids) {
        if (kid->length < 0) return varies;
        sum += kid->length;
    }
    return sum;
}

const Pattern* Trees::make(Pattern p) {
    // a disjunction forgets the order of its parts, and their groups
    auto ordered  = std::ranges::any_of(p.kids, [](auto kid) { return kid->ordered; });
    p.ordered     = p.op == Pattern::Alt || p.op == Pattern::Group || p.lazy || (p.op != Pattern::Disj && ordered);
    auto nullable = [](auto kid) { return kid->nullable; };
    if (p.op == Pattern::Conj) p.nullable = std::ranges::all_of(p.kids, nullable);
    else p.nullable = p.op == Pattern::Look || p.none || std::ranges::any_of(p.kids, nullable);
    p.length = length_of(p);
    return &all_.emplace_back(std::move(p));
}

const Pattern* Trees::character(unsigned char c) {
    auto& known = characters_[c];
    return known ? known : known = chars(range_set(c, c));
}

const Pattern* Trees::nary(Pattern::Op op, std::vector<const Pattern*> kids) {
    if (kids.size() == 1 && op != Pattern::Alt) return kids[0];
    return make({.op = op, .kids = std::move(kids)});
}

const Pattern* Trees::look(uint8_t before, Set next) { return make({.op = Pattern::Look, .before = before, .set = next}); }

/// Contexts as symbols, and symbols as contexts. Places ask for nothing that one of them cannot say.
static Set symbols_of(uint8_t before) {
    auto word = word_set(), line = range_set('\n', '\n'), end = Set().set(End);
    Set set;
    if (before & AtStart) set |= end;
    if (before & AfterLine) set |= line;
    if (before & AfterWord) set |= word;
    if (before & AfterOther) set |= ~(word | line | end);
    return set;
}
static uint8_t contexts_of(const Set& symbols) {
    uint8_t before = 0;
    for (auto b : {AtStart, AfterLine, AfterWord, AfterOther})
        if ((symbols_of(b) & ~symbols).none()) before |= b;
    return before;
}

const Pattern& Trees::reversed(const Pattern& p) {
    if (auto known = reversed_.find(&p); known != reversed_.end()) return *known->second;
    Pattern r{.op = p.op == Pattern::Alt ? Pattern::Disj : p.op, .none = p.none, .many = p.many, .set = p.set};
    if (p.op == Pattern::Look) r.before = contexts_of(p.set), r.set = symbols_of(p.before);
    for (auto kid : p.kids) r.kids.push_back(&reversed(*kid));
    if (p.op == Pattern::Conj) std::ranges::reverse(r.kids);
    return *(reversed_[&p] = make(std::move(r)));
}

/// It is within one line, as one sees at once: nothing but characters, as a word is.
static bool is_in_line(const Pattern& p) {
    auto is_char = [](const Pattern* one) { return one->op == Pattern::Chars && !one->set['\n']; };
    return is_char(&p) || (p.op == Pattern::Conj && std::ranges::all_of(p.kids, is_char));
}

const Pattern& Trees::in_lines(const Pattern& p) {
    if (auto known = in_lines_.find(&p); known != in_lines_.end()) return *known->second;
    if (auto sub = place_of(&p)) {
        if (sub == at::start) return *place(at::line_start);
        if (sub == at::stop) return *place(at::line_stop);
        return p;
    }
    if (p.op == Pattern::Group) return in_lines(*p.kids[0]);
    if (is_in_line(p)) return p;
    auto line = p;
    if (p.op == Pattern::Chars) line.set.reset('\n');
    for (auto& kid : line.kids) kid = &in_lines(*kid);
    bool same = line.set == p.set && line.kids == p.kids;
    return *(in_lines_[&p] = same ? &p : make(std::move(line)));
}

std::optional<at> Trees::place_of(const Pattern* p) const {
    auto found = std::ranges::find(places_, p);
    return found == places_.end() ? std::nullopt : std::optional(at(found - places_.begin()));
}

const Pattern* Trees::place(at sub) {
    auto& known = places_[size_t(sub)];
    return known ? known : known = make_place(sub);
}

const Pattern* Trees::make_place(at sub) {
    auto all = ~Set(), word = word_set(), line = range_set('\n', '\n'), end = Set().set(End);
    uint8_t no_word = Anywhere & ~AfterWord;
    switch (sub) {
        case at::start: return look(AtStart, all);
        case at::stop: return look(Anywhere, end);
        case at::line_start: return look(AtStart | AfterLine, all);
        case at::line_stop: return look(Anywhere, line | end);
        case at::word: return make({.op = Pattern::Disj, .kids = {look(AfterWord, ~word), look(no_word, word)}});
        case at::inside: return make({.op = Pattern::Disj, .kids = {look(AfterWord, word), look(no_word, ~word)}});
        case at::no_word_before: return look(no_word, all);
        case at::no_word_after: return look(Anywhere, ~word);
    }
    return nullptr;
}

} // namespace mim::plug::regex
