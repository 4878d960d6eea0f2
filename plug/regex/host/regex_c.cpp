// SPDX-License-Identifier: MIT
#include "regex/host/regex_c.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "regex/host/regex.h"
#include "regex/host/regex_set.h"

struct mim_regex {
    std::unique_ptr<mim::Regex> regex;
};

struct mim_regex_set {
    std::unique_ptr<mim::RegexSet> set;
};

static void put(const std::string& text, char* error, size_t room) {
    if (room != 0) error[text.copy(error, room - 1)] = 0;
}

/// What f says; C knows no exceptions.
template<class F>
static auto ask(F f) {
    try {
        return f();
    } catch (const std::exception& e) {
        std::fprintf(stderr, "mim: %s\n", e.what());
        std::abort();
    }
}

mim_regex* mim_regex_compile(const char* pattern, size_t size, char* error, size_t room) {
    std::string what;
    try {
        if (auto regex = mim::Regex::compile({pattern, size}, what)) return new mim_regex{std::move(regex)};
    } catch (const std::exception& e) {
        what = e.what();
    }
    put(what, error, room);
    return nullptr;
}

void mim_regex_free(mim_regex* r) { delete r; }

bool mim_regex_full_match(const mim_regex* r, const char* subject, size_t size) {
    return ask([&] { return r->regex->full_match({subject, size}); });
}

mim_regex_matcher mim_regex_full_matcher(const mim_regex* r) {
    return ask([&] { return r->regex->full_matcher(); });
}

size_t mim_regex_full_matches(const mim_regex* r, size_t count, const char* const* subjects, const size_t* sizes, bool* found) {
    return ask([&] { return r->regex->full_matches(count, subjects, sizes, found); });
}

bool mim_regex_prefix_match(const mim_regex* r, const char* subject, size_t size, size_t* end) {
    auto found = ask([&] { return r->regex->prefix_match({subject, size}); });
    if (found) *end = *found;
    return found.has_value();
}

bool mim_regex_next(const mim_regex* r, const char* subject, size_t size, size_t from, bool after_empty, size_t span[2]) {
    auto found = ask([&] { return r->regex->next({subject, size}, from, after_empty); });
    if (found) span[0] = found->begin, span[1] = found->end;
    return found.has_value();
}

size_t mim_regex_count(const mim_regex* r, const char* subject, size_t size) {
    return ask([&] { return r->regex->count({subject, size}); });
}

mim_regex_set* mim_regex_set_compile(size_t count, const char* const* patterns, const size_t* sizes, size_t* wrong, char* error,
                                     size_t room) {
    mim::RegexSet::Fault fault{.pattern = count, .fault = {}};
    try {
        std::vector<std::string_view> texts;
        for (size_t i = 0; i != count; ++i) texts.emplace_back(patterns[i], sizes[i]);
        if (auto set = mim::RegexSet::compile(texts, fault)) return new mim_regex_set{std::move(set)};
        put(fault.pattern == count ? fault.fault.message : fault.fault.text(texts[fault.pattern]), error, room);
    } catch (const std::exception& e) {
        put(e.what(), error, room);
    }
    *wrong = fault.pattern;
    return nullptr;
}

void mim_regex_set_free(mim_regex_set* s) { delete s; }

size_t mim_regex_set_matches(const mim_regex_set* s, const char* subject, size_t size, bool* found) {
    return ask([&] {
        auto numbers = s->set->matches({subject, size});
        std::fill_n(found, s->set->size(), false);
        for (auto i : numbers) found[i] = true;
        return numbers.size();
    });
}
