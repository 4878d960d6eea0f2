// SPDX-License-Identifier: MIT
#include "regex/host/regex_set.h"

#include "base/stack.h"
#include "regex/host/engine.h"
#include "regex/host/fault.h"
#include "regex/host/lazy_set.h"
#include "regex/host/parse.h"
#include "regex/host/pool.h"

namespace mim {

using namespace plug::regex;

struct RegexSet::Impl {
    Words words;
    size_t size;
    Pool<LazySet> caches;

    /// The patterns that match in the subject; `is_enough`: one that does.
    Hits search(std::string_view subject, bool is_enough) {
        Hits hits(size);
        auto cache = caches.take([&] { return std::make_unique<LazySet>(words.graph()); });
        cache->search({subject.data(), subject.size()}, hits, is_enough);
        caches.give(std::move(cache));
        return hits;
    }
};

namespace {

/// The trees of the texts. Throws Error; `number` is the one that is wrong.
std::vector<const Pattern*> parse_all(Trees& trees, std::span<const std::string_view> texts, bool ignore_case, size_t& number) {
    std::vector<const Pattern*> patterns;
    auto prefix = std::string(ignore_case ? no_case : "");
    for (number = 0; number != texts.size(); ++number)
        patterns.push_back(&parse_text(trees, prefix + std::string(texts[number]), LazyRegex::max_parts));
    return patterns;
}

} // namespace

RegexSet::RegexSet(std::unique_ptr<Impl> impl)
    : impl_(std::move(impl)) {}
RegexSet::~RegexSet() = default;

std::unique_ptr<RegexSet> RegexSet::compile(std::span<const std::string_view> patterns, Fault& fault) {
    return compile(patterns, fault, {});
}

std::unique_ptr<RegexSet> RegexSet::compile(std::span<const std::string_view> texts, Fault& fault, const Options& o) {
    fault = {};
    std::optional<Threads> threads;
    run_on_big_stack([&] {
        Trees trees;
        try {
            auto patterns = parse_all(trees, texts, o.ignore_case, fault.pattern);
            auto nfa      = make_set_nfa(patterns, LazyRegex::most);
            if (nfa) threads = make_threads(*nfa);
            if (!threads) too_large("its parts", LazyRegex::most);
        } catch (const Error& e) {
            fault.fault = fault_of(e, o.ignore_case ? no_case.size() : 0);
        }
    });
    if (!threads) return nullptr;
    auto impl   = std::make_unique<Impl>();
    impl->words = words(*threads);
    impl->size  = texts.size();
    return std::unique_ptr<RegexSet>(new RegexSet(std::move(impl)));
}

size_t RegexSet::size() const { return impl_->size; }

std::vector<size_t> RegexSet::matches(std::string_view subject) const { return impl_->search(subject, false).numbers(); }

bool RegexSet::is_match(std::string_view subject) const { return !impl_->search(subject, true).is_empty(); }

} // namespace mim
