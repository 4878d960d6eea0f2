// SPDX-License-Identifier: MIT
// Strategies that go below a term.
#include <utility>

#include "elevate/annexes.h"
#include "elevate/diagnostics.h"
#include "interpret.h"
#include "kit/text.h"

namespace mim::plug::elevate {

template<class F>
auto Interpreter::within(const Def* term, size_t child, F f) {
    auto lam = term->isa<Lam>();
    way_.push_back({term, child});
    if (lam) entered_.push_back(lam);
    auto result = f();
    if (lam) entered_.pop_back();
    way_.pop_back();
    return result;
}

/// The term where the strategy rewrote this child.
Interpreter::Result Interpreter::at_child(const Def* strategy, const Def* term, const Below& below, size_t child) {
    auto result = within(term, child, [&] { return apply(strategy, below.at(child)); });
    auto reach  = result.reach.from(Reach(1));
    if (!result) return {nullptr, failed_below(term, child, result.why).why, reach};
    bool is_changed = result.term != below.at(child);
    bool is_open    = is_changed && (term->isa<Lam>() || (result.open && may_stay_open(term)));
    if (is_open) return {nullptr, nullptr, reach, std::make_shared<const Open>(below, child, result.term, result.open)};
    return {below.replace(child, closed(result)), nullptr, reach};
}

/// No reason stays none.
Interpreter::Result Interpreter::failed_below(const Def* term, size_t child, const Failure* why) {
    if (why->kind == Failure::All && why->parts.empty()) return {nullptr, why};
    Failure failure{Failure::Below};
    failure.term = term, failure.child = child, failure.parts = {why};
    return {nullptr, keep(std::move(failure))};
}

Interpreter::Result Interpreter::one(const Def* strategy, const Def* term) {
    Below below(w_, term, entered_);
    std::vector<const Failure*> parts;
    auto reach = Reach(1);
    for (size_t i = 0; i < below.size(); ++i) {
        auto result = at_child(arg_of(strategy), term, below, i);
        reach       = reach.with(result.reach);
        if (result) return result.with(reach);
        parts.push_back(result.why);
    }
    return {nullptr, failed(std::move(parts)).why, reach};
}

Interpreter::Result Interpreter::some(const Def* strategy, const Def* term) {
    Below below(w_, term, entered_);
    std::vector<const Failure*> parts;
    DefVec now;
    bool is_any = false;
    auto reach  = Reach(1);
    for (size_t i = 0; i < below.size(); ++i) {
        auto result = within(term, i, [&] { return apply(arg_of(strategy), below.at(i)); });
        is_any |= bool(result);
        reach = reach.with(result.reach.from(Reach(1)));
        now.push_back(result ? closed(result) : below.at(i));
        if (!result) parts.push_back(failed_below(term, i, result.why).why);
    }
    if (is_any) return {below.rebuild(now), nullptr, reach};
    return {nullptr, failed(std::move(parts)).why, reach};
}

Interpreter::Result Interpreter::all(const Def* strategy, const Def* term) {
    Below below(w_, term, entered_);
    DefVec now;
    auto reach = Reach(1);
    for (size_t i = 0; i < below.size(); ++i) {
        auto result = within(term, i, [&] { return apply(arg_of(strategy), below.at(i)); });
        reach       = reach.with(result.reach.from(Reach(1)));
        if (!result) return {nullptr, failed_below(term, i, result.why).why, reach};
        now.push_back(closed(result));
    }
    return {below.rebuild(now), nullptr, reach};
}

/*
 * ways
 */
Interpreter::Result Interpreter::child(const Def* strategy, const Def* term) {
    auto [i, s] = groups<2>(strategy);
    Below below(w_, term, entered_);
    auto number = this->number(strategy, i);
    if (number < below.size()) return at_child(s, term, below, static_cast<size_t>(number));
    auto text = std::to_string(below.size()) + (below.size() == 1 ? " term is" : " terms are") + " below ";
    return said("child", term, {text, term});
}

Interpreter::Result Interpreter::in_child(const std::string& name, const Def* strategy, const Def* term, bool is_function) {
    Below below(w_, term, entered_);
    auto i = term->isa<App>() ? below.last(is_function) : below.size();
    if (i != below.size()) return at_child(arg_of(strategy), term, below, i);
    auto what = is_function ? " has no argument that is a function" : " has no argument that is no function";
    return said(name, term, {term, what});
}

Interpreter::Result Interpreter::argument(const Def* strategy, const Def* term) {
    return in_child("argument", strategy, term, false);
}

Interpreter::Result Interpreter::function(const Def* strategy, const Def* term) {
    return in_child("function", strategy, term, true);
}

Interpreter::Result Interpreter::body(const Def* strategy, const Def* term) {
    Below below(w_, term, entered_);
    bool has_body = term->isa<Lam>() && below.size() == 1;
    if (has_body) return at_child(arg_of(strategy), term, below, 0);
    return said("body", term, {term, " is no function"});
}

/*
 * traversals that count
 */
/// Each term before those below it, until `visit` has a result.
std::optional<Interpreter::Result> Interpreter::walk(const Def* term, const Visit& visit_term) {
    visit();
    if (auto result = visit_term(term)) return result;
    Below below(w_, term, entered_);
    for (size_t i = 0; i < below.size(); ++i) {
        auto result = within(term, i, [&] { return walk(below.at(i), visit_term); });
        if (!result) continue;
        if (*result) return Result{below.replace(i, closed(*result))};
        return failed_below(term, i, result->why);
    }
    return {};
}

Interpreter::Result Interpreter::position(const Def* strategy, const Def* term) {
    auto [n, s] = groups<2>(strategy);
    auto wanted = number(strategy, n);
    uint64_t at = 0;
    auto result = walk(term,
                       [&, s = s](const Def* here) { return at++ == wanted ? std::optional(apply(s, here)) : std::nullopt; });
    if (result) return *result;
    auto text = " has " + std::to_string(at) + " terms, so none has the number " + std::to_string(wanted);
    return said("position", term, {term, text});
}

Interpreter::Result Interpreter::skip(const Def* strategy, const Def* term) {
    auto [n, s]    = groups<2>(strategy);
    auto wanted    = number(strategy, n);
    uint64_t count = 0;
    std::vector<const Failure*> parts;
    auto result = walk(term, [&, s = s](const Def* here) -> std::optional<Result> {
        auto num_fired = trace_.size();
        auto result    = apply(s, here);
        if (!result) {
            parts.push_back(result.why);
            return {};
        }
        if (count++ == wanted) return result;
        trace_.resize(num_fired);
        return {};
    });
    if (result) return *result;
    if (count == 0) return failed(std::move(parts));
    auto places = std::to_string(count) + (count == 1 ? " term" : " terms");
    return said("skip", term, {s, " succeeds at " + places + ", so none has the number " + std::to_string(wanted)});
}

Interpreter::Result Interpreter::every_below(const Def* p, const Def* s, const Def* term, uint64_t& count) {
    visit();
    Below below(w_, term, entered_);
    DefVec now;
    for (size_t i = 0; i < below.size(); ++i) {
        auto result = within(term, i, [&] { return every_below(p, s, below.at(i), count); });
        if (!result) return failed_below(term, i, result.why);
        now.push_back(closed(result));
    }
    bool is_meant = bool(attempt(p, term));
    count += is_meant;
    auto rebuilt = below.rebuild(now);
    return is_meant ? apply(s, rebuilt) : Result{rebuilt};
}

Interpreter::Result Interpreter::every(const Def* strategy, const Def* term) {
    auto [p, s]    = elems<2>(w_, arg_of(strategy));
    uint64_t count = 0;
    auto result    = every_below(p, s, term, count);
    if (result && count == 0) diags_.report(diag::nowhere(way_text(w_, way_, words_)), options_.place);
    return result;
}

/*
 * normal forms
 */
// `repeat(topDown(s))` begins at the root after each firing, and fails at each term on the way down before it goes on: n
// firings below n terms are n² attempts. The same firings in the same order come from going on where the last one was, where
// no term around it can have changed its mind: s looked less far below that term.

/// `topDown s` is the fixed point of `s <+ one(itself)`. A strategy that shows terms shows them in each turn.
const Def* Interpreter::repeated_top_down(const Def* strategy) {
    auto fix = match<elevate::fix>(strategy);
    auto f   = fix ? isa_known(fix.arg()) : nullptr;
    if (!f || !match<elevate::choice>(f->body())) return nullptr;
    auto options = list(f->body());
    if (options.size() != 2) return nullptr;
    auto one   = match<elevate::one>(options[1]);
    bool is_it = one && one.arg() == f->var() && !is_free_in(w_, f->var(), options[0]) && !says(options[0]);
    return is_it ? options[0] : nullptr;
}

/// Other terms below it are all that changes in a term that is built again.
bool Interpreter::is_rebuilt_plainly(const Def* term) const {
    if (term->isa<Lam>()) return true;
    auto head = saturated_axiom(term);
    return head && !head->axiom().normalizer && !w_.rules.has_eager(&head->axiom());
}

/// The outermost of the terms around that looked down to this depth.
static std::optional<size_t> outermost_above(const auto* around, size_t depth) {
    std::optional<size_t> result;
    for (; around && around->most >= depth; around = around->around)
        if (around->until >= depth) result = around->depth;
    return result;
}

Interpreter::Normal Interpreter::normal(const Def* s, const Def* term, const Asked* around) {
    auto depth = around ? around->depth + 1 : 0;
    while (true) {
        visit();
        if (normal_.contains({s, term})) return {term};
        auto here = apply(s, term);
        auto then = here ? closed(here) : nullptr;
        if (then == term) return {term, {}, true};
        if (then) {
            term = then;
            if (auto again = outermost_above(around, depth)) return {term, again};
            continue;
        }
        auto reach   = is_rebuilt_plainly(term) ? here.reach : Reach::all();
        auto until   = reach.is_all() ? ~size_t(0) : depth + reach.levels();
        auto most    = around ? std::max(around->most, until) : until;
        auto result  = normal_below(s, term, {around, depth, until, most});
        bool is_here = result.again == depth;
        if (!is_here) return result;
        if (result.term == term) return {term, {}, true};
        term = result.term;
    }
}

Interpreter::Normal Interpreter::normal_below(const Def* s, const Def* term, const Asked& here) {
    Below below(w_, term, entered_);
    DefVec now;
    for (size_t i = 0; i < below.size(); ++i) now.push_back(below.at(i));
    for (size_t i = 0; i < below.size(); ++i) {
        auto part = within(term, i, [&] { return normal(s, below.at(i), &here); });
        now[i]    = part.term;
        if (part.again || part.is_over) return {below.rebuild(now), part.again, part.is_over};
    }
    auto result = below.rebuild(now);
    normal_.insert({s, result});
    return {result};
}

/*
 * looks
 */
bool Interpreter::holds_in(const Def* x, const Def* term) {
    return bool(walk(term, [&](const Def* here) { return equal(w_, x, here) ? std::optional(Result{here}) : std::nullopt; }));
}

Interpreter::Result Interpreter::peek(const Def* strategy, const Def* term) {
    auto text = literal_text(w_, arg_of(strategy));
    if (!text) throw Error(diag::not_known(in_words(strategy), "what it shows in front of the term is no literal"));
    diags_.report(diag::peeked(*text, way_text(w_, way_, words_), in_words(term)), options_.place);
    return {term};
}

} // namespace mim::plug::elevate
