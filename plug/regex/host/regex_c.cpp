// SPDX-License-Identifier: MIT
#include "regex/host/regex_c.h"

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "regex/host/regex.h"

struct mim_regex {
    std::unique_ptr<mim::Regex> regex;
};

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
    if (room != 0) error[what.copy(error, room - 1)] = 0;
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
