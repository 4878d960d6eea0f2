// SPDX-License-Identifier: MIT
#include "regex/host/engine.h"

#include "base/stack.h"
#include "regex/host/parse.h"

namespace mim::plug::regex {

static const Pattern& read(Trees& trees, std::string text, bool lines) {
    const Pattern* result = nullptr;
    run_on_big_stack([&] {
        auto& pattern = parse_text(trees, std::move(text), LazyRegex::max_parts);
        result        = lines ? &trees.in_lines(pattern) : &pattern;
    });
    return *result;
}

LazyRegex::LazyRegex(std::string text, bool lines, const LazyLimits& limits)
    : pattern_(read(trees_, std::move(text), lines))
    , limits_(limits) {}

std::optional<Nfa> LazyRegex::make(Use use) {
    switch (use) {
        case Full: return make_nfa(*whole(), false, Inner::Enclosed, most);
        case Prefix: return make_nfa(pattern_, is_ordered(pattern_), Inner::Enclosed, most);
        case Ends: return make_search_nfa(pattern_, Inner::Enclosed, false, most);
        case Begins: return make_nfa(trees_.reversed(pattern_), false, Inner::Enclosed, most);
        case Somewhere: return make_somewhere_nfa(pattern_, most);
    }
    return {};
}

LazyCaches& LazyRegex::caches(Use use) {
    if (auto made = made_[use].load(std::memory_order_acquire)) return *made;
    std::lock_guard lock(mutex_);
    auto& made = caches_[use];
    if (made) return *made;
    std::optional<Threads> threads;
    run_on_big_stack([&] {
        auto nfa = make(use);
        if (nfa) threads = make_threads(*nfa);
    });
    if (!threads) too_large("its parts", most);
    made = std::make_unique<LazyCaches>(words(*threads), limits_);
    made_[use].store(made.get(), std::memory_order_release);
    return *made;
}

bool LazyRegex::is_small(bool whole) {
    std::lock_guard lock(mutex_);
    bool small = false;
    auto fits  = [](const std::optional<Nfa>& nfa) { return nfa && make_dfa(*nfa); };
    run_on_big_stack([&] {
        if (whole) small = fits(make_nfa(*this->whole(), false));
        else small = fits(make_search_nfa(pattern_)) && fits(make_nfa(trees_.reversed(pattern_), false));
    });
    return small;
}

bool LazyRegex::full_match(std::string_view subject) {
    return caches(Full).with([&](LazyCache& cache) { return cache.first_end(subject, 0).has_value(); });
}

std::optional<size_t> LazyRegex::prefix_match(std::string_view subject) {
    return caches(Prefix).with([&](LazyCache& cache) { return cache.end(subject, 0); });
}

std::optional<LazyRegex::Span> LazyRegex::next(std::string_view subject, size_t from, bool after_empty) {
    auto end = caches(Ends).with([&](LazyCache& cache) { return cache.end(subject, from, after_empty); });
    if (!end) return {};
    return Span{caches(Begins).with([&](LazyCache& cache) { return cache.begin(subject, from, *end); }), *end};
}

/// The beginning of a match matters if the match may be empty: then another one may begin where it ends.
size_t LazyRegex::count(std::string_view subject) {
    if (pattern_.nullable) {
        size_t count = 0;
        for (auto found = next(subject, 0, false); found; found = next(subject, found->end, found->begin == found->end)) ++count;
        return count;
    }
    return caches(Ends).with([&](LazyCache& cache) {
        size_t count = 0;
        for (auto end = cache.end(subject, 0); end; end = cache.end(subject, *end)) ++count;
        return count;
    });
}

std::optional<size_t> LazyRegex::somewhere(std::string_view subject, size_t from) {
    return caches(Somewhere).with([&](LazyCache& cache) { return cache.first_end(subject, from); });
}

} // namespace mim::plug::regex
