// SPDX-License-Identifier: MIT
// mim::Regex: counting, the first match, and which lines match as a whole. It begins without machine code, which it
// makes when enough was read for that; what is measured includes all states that are made.
#include <cstring>

#include "regex/host/regex.h"
#include "search.h"

using mim::Regex;

static std::unique_ptr<Regex> compile(const Search& s, Regex::Matcher matcher) {
    std::string error;
    auto regex = Regex::compile(s.pattern, error, {.first = matcher, .wait = true});
    if (!regex) std::fprintf(stderr, "mim: %s\n", error.c_str());
    return regex;
}

static const Searcher host([](Search& s) {
    s.measure("compile", [&](const char*, size_t) { return compile(s, Regex::Matcher::Count) != nullptr; });
    if (auto regex = compile(s, Regex::Matcher::Count))
        s.measure("mim", [&](const char* text, size_t n) { return regex->count({text, n}); });
    if (auto regex = compile(s, Regex::Matcher::Next))
        s.measure("first", [&](const char* text, size_t n) {
            auto found = regex->find({text, n});
            return found ? found->begin : n;
        });
    if (auto regex = compile(s, Regex::Matcher::Full))
        s.measure("full", [&](const char* text, size_t n) {
            uint64_t count = 0;
            for (auto end = text + n; text < end;) {
                auto stop = static_cast<const char*>(std::memchr(text, '\n', size_t(end - text)));
                if (!stop) stop = end;
                count += regex->full_match({text, size_t(stop - text)});
                text = stop + 1;
            }
            return count;
        });
});
