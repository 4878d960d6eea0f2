// SPDX-License-Identifier: MIT
// Reads patterns from the graph. Shared parts are read once. Only normal forms come here: negations and repetitions are gone.
#include "pattern.h"

#include <algorithm>

#include "regex.h"
#include "regex/diagnostics.h"

namespace mim::plug::regex {

/// Deeper patterns would take the stack of those who follow them.
static constexpr unsigned max_depth = 2000;

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

bool chars_of(const Def* def, Set& set) {
    if (auto axm = def->isa<Axm>()) return set = range_set(0, 255), is_tag<any>(axm->axiom());
    if (auto app = match<range>(def)) {
        auto lo = isa_lit(app.arg()->isa<Tuple>()  ? app.arg()->op(0)
                          : app.arg()->isa<Pack>() ? app.arg()->as<Pack>()->body()
                                                   : def);
        auto hi = app.arg()->isa<Tuple>() ? isa_lit(app.arg()->op(1)) : lo;
        if (!lo || !hi) return false;
        return set = range_set(unsigned(lo->value()), unsigned(hi->value())), true;
    }
    auto app = match<disj>(def);
    if (!app || !app.arg()->isa<Tuple>()) return false;
    Set part;
    set.reset();
    return !app.arg()->ops().empty()
           && std::ranges::all_of(app.arg()->ops(), [&](auto op) { return chars_of(op, part) && (set |= part, true); });
}

void fail(Error error) { throw error; }

void too_large(const std::string& what, uint64_t at_most) {
    fail(diag::too_large(what + " are at most " + std::to_string(at_most)));
}

[[noreturn]] static void unknown() {
    fail(diag::not_known("this pattern is", "build it from `%regex`, in functions that are evaluated (a filter `@tt`)"));
}

const Pattern* Patterns::make(Pattern p) {
    // a disjunction forgets the order of its parts, and their groups
    auto ordered  = std::ranges::any_of(p.kids, [](auto kid) { return kid->ordered; });
    p.ordered     = p.op == Pattern::Alt || p.op == Pattern::Group || p.lazy || (p.op != Pattern::Disj && ordered);
    auto nullable = [](auto kid) { return kid->nullable; };
    if (p.op == Pattern::Conj) p.nullable = std::ranges::all_of(p.kids, nullable);
    else p.nullable = p.op == Pattern::Look || p.none || std::ranges::any_of(p.kids, nullable);
    return &all_.emplace_back(std::move(p));
}

const Pattern* Patterns::look(uint8_t before, Set next) { return make({.op = Pattern::Look, .before = before, .set = next}); }

const Pattern& Patterns::read(const Def* def) {
    auto& known = memo_[def];
    if (known) return *known;
    if (depth_ == max_depth) too_large("parts, one in the other,", max_depth);
    ++depth_;
    auto result = compute(def);
    --depth_;
    return *(memo_[def] = result);
}

std::vector<const Pattern*> Patterns::elems(const Def* app) {
    std::vector<const Pattern*> kids;
    auto n = value(group(app, 0));
    if (!n) unknown();
    if (*n > max_nodes) too_large("its parts", max_nodes);
    for (uint64_t i = 0; i != *n; ++i) kids.push_back(&read(operand(world_, app, i)));
    return kids;
}

const Pattern* Patterns::compute(const Def* def) {
    if (Set set; chars_of(def, set)) return make({.op = Pattern::Chars, .set = set});
    if (match<conj>(def)) return make({.op = Pattern::Conj, .kids = elems(def)});
    if (match<disj>(def)) return make({.op = Pattern::Disj, .kids = elems(def)});
    if (match<alt>(def)) return make({.op = Pattern::Alt, .kids = elems(def)});
    auto axm = head_axiom(def);
    auto sub = axm ? axm->axiom().id.sub : 0;
    if (auto app = match<quant>(def))
        return make({.op   = Pattern::Quant,
                     .none = quant(sub) != quant::plus,
                     .many = quant(sub) != quant::optional,
                     .kids = {&read(app.arg())}});
    if (auto app = match<lazy>(def))
        return make({.op   = Pattern::Quant,
                     .none = lazy(sub) != lazy::plus,
                     .many = lazy(sub) != lazy::optional,
                     .lazy = true,
                     .kids = {&read(app.arg())}});
    if (auto app = match<capture>(def)) {
        auto number = isa_lit(app.group(0));
        if (!number) unknown();
        auto kid = &read(app.arg());
        return groups_ ? make({.op = Pattern::Group, .number = number->value(), .kids = {kid}}) : kid;
    }
    if (auto app = match<by>(def)) return wish.scheme = sub, &read(app.arg());
    if (def->isa<Axm>() && is_tag<at>(def->as<Axm>()->axiom())) return place(def);
    unknown();
}

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

const Pattern& Patterns::reversed(const Pattern& p) {
    auto& known = reversed_[&p];
    if (known) return *known;
    Pattern r{.op = p.op == Pattern::Alt ? Pattern::Disj : p.op, .none = p.none, .many = p.many, .set = p.set};
    if (p.op == Pattern::Look) r.before = contexts_of(p.set), r.set = symbols_of(p.before);
    for (auto kid : p.kids) r.kids.push_back(&reversed(*kid));
    if (p.op == Pattern::Conj) std::ranges::reverse(r.kids);
    return *(reversed_[&p] = make(std::move(r)));
}

const Pattern* Patterns::place(const Def* def) {
    auto all = ~Set(), word = word_set(), line = range_set('\n', '\n'), end = Set().set(End);
    uint8_t no_word = Anywhere & ~AfterWord;
    switch (at(def->as<Axm>()->axiom().id.sub)) {
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

Before behind(unsigned c) { return c == '\n' ? AfterLine : word_set()[c] ? AfterWord : AfterOther; }

} // namespace mim::plug::regex
