// SPDX-License-Identifier: MIT
#include "regex/host/engine.h"

#include <algorithm>
#include <cstring>

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
    , lines_(lines)
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
    std::optional<Places> places;
    bool has_grams = use == search() && !inner();
    run_on_big_stack([&] {
        auto nfa = make(use);
        if (use == Ends || use == Somewhere) places = find_beginnings(pattern_);
        if (nfa && has_grams && !places) grams_ = Grams::of(*nfa);
        if (nfa) threads = make_threads(*nfa);
    });
    if (!threads) too_large("its parts", most);
    made = std::make_unique<LazyCaches>(words(*threads), limits_, places);
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

/// Of the line that has this place, as far as it is not before `from`.
static size_t line_begin(std::string_view subject, size_t place, size_t from) {
    auto text    = subject.data();
    auto newline = place == from ? nullptr : memrchr(text + from, '\n', place - from);
    return newline ? size_t(static_cast<const char*>(newline) - text) + 1 : from;
}

std::optional<LazyRegex::Span> LazyRegex::next(std::string_view subject, size_t from, bool after_empty) {
    if (auto places = inner()) { // in the line that has a match, which is soon found
        auto place = in_line_with(*places, subject, from);
        if (!place) return {};
        from    = line_begin(subject, *place, from);
        subject = subject.substr(0, subject.find('\n', *place));
    }
    if (auto grams = this->grams()) {
        auto found = attempt(*grams, subject, from);
        if (found || from == subject.size()) return found;
    }
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
    size_t count = 0, from = 0;
    while (auto places = inner()) { // as long as these pay
        auto place = in_line_with(*places, subject, from);
        if (!place) return count;
        auto stop = std::min(subject.find('\n', *place), subject.size());
        count += count_from(subject.substr(0, stop), line_begin(subject, *place, from));
        from = stop;
    }
    while (auto grams = this->grams()) {
        auto found = attempt(*grams, subject, from);
        if (!found && from == subject.size()) return count;
        if (found) ++count, from = found->end;
    }
    return count + count_from(subject, from);
}

size_t LazyRegex::count_from(std::string_view subject, size_t from) {
    return caches(Ends).with([&](LazyCache& cache) {
        size_t count = 0;
        for (auto end = cache.end(subject, from); end; end = cache.end(subject, *end)) ++count;
        return count;
    });
}

/// Null if there are none, or these do not pay.
const Places* LazyRegex::inner() {
    auto pays = inner_pays_.load(std::memory_order_acquire);
    if (pays != Pays::Unknown) return pays == Pays::Yes ? &*inner_ : nullptr;
    std::call_once(inner_once_, [&] {
        run_on_big_stack([&] {
            if (lines_ || is_within_line(pattern_)) inner_ = find_inner(pattern_);
        });
        inner_pays_ = inner_ ? Pays::Yes : Pays::No;
    });
    return inner_pays_.load(std::memory_order_acquire) == Pays::Yes ? &*inner_ : nullptr;
}

/// Only lines that have such a place are looked at, as long as most have none.
std::optional<size_t> LazyRegex::in_line_with(const Places& inner, std::string_view subject, size_t from) {
    return caches(Somewhere).with([&](LazyCache& cache) { return in_line_with(cache, inner, subject, from); });
}

std::optional<size_t> LazyRegex::in_line_with(LazyCache& cache, const Places& inner, std::string_view subject, size_t from) {
    constexpr size_t enough = 64, least = 100; // characters that are passed on average, of so many times
    auto since = from;
    for (size_t tries = 0; from < subject.size();) {
        auto place = inner.find(subject.data(), subject.size(), from);
        if (place >= subject.size()) break;
        auto begin = line_begin(subject, place, from);
        auto end   = std::min(subject.find('\n', place), subject.size());
        if (auto found = cache.first_end(subject.substr(0, end), begin)) return found;
        from = end + 1;
        if (++tries % enough != 0) continue;
        if (from - since < least * enough) {
            inner_pays_.store(Pays::No, std::memory_order_relaxed);
            return from < subject.size() ? cache.first_end(subject, from) : std::nullopt;
        }
        since = from;
    }
    return {};
}

/// Null if there are none, or these do not pay, or a better way skips characters.
const Grams* LazyRegex::grams() {
    auto pay = grams_pay_.load(std::memory_order_acquire);
    if (pay != Pays::Unknown) return pay == Pays::Yes ? &*grams_ : nullptr;
    bool pays  = !skips() && grams_;
    grams_pay_ = pays ? Pays::Yes : Pays::No;
    return pays ? &*grams_ : nullptr;
}

/// A match that begins where a gram says that one may. If there is none, `from` becomes the end of the subject, or
/// where grams turned out to be too many.
std::optional<LazyRegex::Span> LazyRegex::attempt(const Grams& grams, std::string_view subject, size_t& from) {
    constexpr size_t enough = 256, least = 12; // characters that are passed on average, of so many attempts
    return caches(Prefix).with([&](LazyCache& cache) -> std::optional<Span> {
        auto since = from;
        for (size_t tries = 1;; ++tries) {
            auto place = grams.find(subject, from);
            if (place == Grams::nowhere) break;
            if (auto end = cache.end(subject, place)) return Span{place, *end};
            from = place + 1;
            if (tries % enough != 0) continue;
            if (from - since < least * enough) {
                grams_pay_.store(Pays::No, std::memory_order_relaxed);
                return {};
            }
            since = from;
        }
        from = subject.size();
        return {};
    });
}

std::optional<size_t> LazyRegex::somewhere(std::string_view subject, size_t from) {
    return caches(Somewhere).with([&](LazyCache& cache) { return somewhere(cache, subject, from); });
}

std::optional<size_t> LazyRegex::somewhere(LazyCache& cache, std::string_view subject, size_t from) {
    if (auto places = inner()) return in_line_with(cache, *places, subject, from);
    if (auto grams = this->grams()) {
        auto found = attempt(*grams, subject, from);
        if (found) return found->end;
        if (from == subject.size()) return {};
    }
    return cache.first_end(subject, from);
}

size_t LazyRegex::in_lines(std::string_view subject, size_t from, std::span<Line> lines) {
    return caches(Somewhere).with([&](LazyCache& cache) {
        size_t count = 0;
        for (auto& line : lines) {
            auto place = somewhere(cache, subject, from);
            if (!place) break;
            auto newline = subject.find('\n', *place);
            bool is_last = newline == subject.npos;
            line         = {*place, is_last ? subject.size() : newline + 1};
            ++count;
            if (is_last) break;
            from = line.end;
        }
        return count;
    });
}

} // namespace mim::plug::regex
