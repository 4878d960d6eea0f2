// SPDX-License-Identifier: MIT
// Sets of patterns: milliseconds to compile one, and the least of several searches of a text for the patterns that match
// in it. usage: sets PATTERNS TEXT; a line of the output is ENGINE COMPILE SEARCH FOUND.
#include <hs/hs.h>
#include <re2/set.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "regex/host/regex_set.h"

static double milliseconds(const std::function<void()>& f) {
    auto begin = std::chrono::steady_clock::now();
    f();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

/// The first search, which makes states, is measured alone.
static void report(const char* engine, double compile, const std::function<size_t()>& search) {
    size_t found = 0;
    auto once    = [&] { return milliseconds([&] { found = search(); }); };
    auto first   = once();
    auto least   = once();
    for (int i = 0; i != 5; ++i) least = std::min(least, once());
    std::printf("%s %.2f %.2f %.2f %zu\n", engine, compile, first, least, found);
}

static void mim_set(const std::vector<std::string>& patterns, const std::string& text) {
    std::vector<std::string_view> all(patterns.begin(), patterns.end());
    mim::RegexSet::Fault fault;
    std::unique_ptr<mim::RegexSet> set;
    auto compile = milliseconds([&] { set = mim::RegexSet::compile(all, fault); });
    report("mim", compile, [&] { return set->matches(text).size(); });
}

static void re2_set(const std::vector<std::string>& patterns, const std::string& text) {
    RE2::Options options;
    options.set_encoding(RE2::Options::EncodingLatin1);
    options.set_max_mem(256 << 20); // with less it refuses large sets
    RE2::Set set(options, RE2::UNANCHORED);
    auto compile = milliseconds([&] {
        for (auto& p : patterns) set.Add(p, nullptr);
        set.Compile();
    });
    report("re2", compile, [&] {
        std::vector<int> found;
        set.Match(text, &found);
        return found.size();
    });
}

static int count(unsigned, unsigned long long, unsigned long long, unsigned, void* number) {
    ++*static_cast<size_t*>(number);
    return 0;
}

static void hyperscan_set(const std::vector<std::string>& patterns, const std::string& text) {
    std::vector<const char*> all;
    std::vector<unsigned> ids, flags(patterns.size(), HS_FLAG_SINGLEMATCH);
    for (auto& p : patterns) ids.push_back(unsigned(all.size())), all.push_back(p.c_str());
    hs_database_t* set        = nullptr;
    hs_scratch_t* scratch     = nullptr;
    hs_compile_error_t* fault = nullptr;
    auto compile              = milliseconds([&] {
        hs_compile_multi(all.data(), flags.data(), ids.data(), unsigned(all.size()), HS_MODE_BLOCK, nullptr, &set, &fault);
        if (set) hs_alloc_scratch(set, &scratch);
    });
    if (!set) return void(std::printf("hyperscan: %s\n", fault->message));
    report("hyperscan", compile, [&] {
        size_t found = 0;
        hs_scan(set, text.data(), unsigned(text.size()), 0, scratch, count, &found);
        return found;
    });
}

int main(int, char** argv) {
    std::ifstream lines(argv[1]), file(argv[2]);
    std::vector<std::string> patterns;
    for (std::string line; std::getline(lines, line);) patterns.push_back(line);
    std::string text(std::istreambuf_iterator<char>(file), {});
    mim_set(patterns, text), re2_set(patterns, text), hyperscan_set(patterns, text);
}
