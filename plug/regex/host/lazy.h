// SPDX-License-Identifier: MIT
// The automata of runtime/lazy.h, for the compiler. A cache is for one thread: `LazyCaches` lends one to each call, and
// has as many as there were calls at once.
#pragma once
#include <atomic>
#include <memory>
#include <optional>
#include <string_view>

#include "regex/host/pool.h"
#include "regex/host/threads.h"
#include "regex/runtime/lazy.h"

namespace mim::plug::regex {

class LazyCache {
public:
    /// These must live as long.
    explicit LazyCache(const Words& words, const LazyLimits& limits = {}, const Places* places = nullptr)
        : lazy_(words.graph(), limits, places) {}

    std::optional<size_t> end(std::string_view s, size_t pos, bool after_empty = false) {
        return place(lazy_.end({s.data(), s.size()}, pos, after_empty));
    }
    std::optional<size_t> first_end(std::string_view s, size_t pos) { return place(lazy_.first_end({s.data(), s.size()}, pos)); }
    size_t begin(std::string_view s, size_t from, size_t to) { return lazy_.begin({s.data(), s.size()}, from, to); }

    /// Places are looked for, as long as that pays.
    bool skips() const { return lazy_.skips(); }
    /// Most characters are passed in states that they do not leave.
    bool passes() const { return lazy_.passes(); }
    size_t bytes() const { return lazy_.bytes(); }
    size_t states() const { return lazy_.states(); }
    size_t clears() const { return lazy_.clears; }

private:
    static std::optional<size_t> place(size_t pos) { return pos == Lazy::nowhere ? std::nullopt : std::optional(pos); }

    Lazy lazy_;
};

/// The caches of an automaton, for many threads.
class LazyCaches {
public:
    explicit LazyCaches(Words words, const LazyLimits& limits = {}, std::optional<Places> places = {})
        : words_(std::move(words))
        , limits_(limits)
        , places_(places)
        , skips_(places.has_value()) {}
    /// No cache has found that looking for places does not pay.
    bool skips() const { return skips_.load(std::memory_order_relaxed); }
    /// The cache that was lent last passes most characters.
    bool passes() const { return passes_.load(std::memory_order_relaxed); }
    /// Lends a cache to the function.
    template<class F>
    auto with(F f) {
        auto make   = [this] { return std::make_unique<LazyCache>(words_, limits_, skips() ? &*places_ : nullptr); };
        auto cache  = caches_.take(make);
        auto result = f(*cache);
        if (!cache->skips()) skips_.store(false, std::memory_order_relaxed);
        passes_.store(cache->passes(), std::memory_order_relaxed);
        caches_.give(std::move(cache));
        return result;
    }

private:
    Words words_;
    LazyLimits limits_;
    std::optional<Places> places_;
    std::atomic<bool> skips_, passes_ = false;
    Pool<LazyCache> caches_;
};

} // namespace mim::plug::regex
