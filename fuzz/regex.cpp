// SPDX-License-Identifier: MIT
// libFuzzer target for the plugin `regex`: the input is the text of a pattern and, behind bytes 31, subjects. Reading it ends with a pattern or
// an error that names a place in the text; all automata of a pattern find in each subject what a matcher finds that shares nothing with
// them (common/perl.h). What is run as compiled code is plug/regex/test/agree.py's.
#include <cstdio>
#include <cstdlib>

#include "base/stack.h"
#include "common/perl.h"
#include "regex/diagnostics.h"
#include "regex/host/engine.h"
#include "test/fixture.h"

using namespace mim;
using namespace mim::plug::regex;

namespace {

constexpr size_t max_text = 120, max_subject = 40;
constexpr uint64_t max_size = 600; ///< of patterns that are matched

struct Input {
    std::string pattern;
    std::vector<std::string> subjects;
};

[[noreturn]] void fault(const std::string& what, const std::string& pattern, const std::string& subject = {}) {
    std::fprintf(stderr, "%s\npattern `%s`\nsubject `%s`\n", what.c_str(), pattern.c_str(), subject.c_str());
    std::abort();
}

class Check {
public:
    explicit Check(const Input& input)
        : in_(input) {}

    void run() {
        auto perl = fuzz::parse_perl(in_.pattern);
        auto def  = parse(perl.has_value());
        if (!def) return;
        if (!perl) fault("this is no pattern, but is accepted", in_.pattern);
        try {
            auto automaton = r_.automaton(def);
            if (!automaton || perl->root.size() > max_size) return;
            for (auto& s : in_.subjects) matches(*perl, def, *automaton, s);
        } catch (const Error& e) {
            if (e.id != diag::too_large) fault(e.what(), in_.pattern);
        } catch (const fuzz::PerlMatch::TooLong&) {}
    }

private:
    using Span = test::Regex::Span;

    const Def* parse(bool is_pattern) {
        try {
            return r_.parsed(in_.pattern);
        } catch (const Error& e) {
            if (!e.part && e.id != diag::too_large) fault("an error without a place", in_.pattern);
            if (e.part && (e.part->begin > e.part->end || e.part->end > in_.pattern.size())) fault("no such place", in_.pattern);
            if (is_pattern && e.id != diag::too_large) fault(e.what(), in_.pattern);
            return nullptr;
        }
    }

    static int64_t to_number(std::optional<size_t> end) { return end ? int64_t(*end) : -1; }

    void same(const char* how, int64_t found, std::optional<size_t> expected, const std::string& subject) const {
        auto end = expected ? int64_t(*expected) : -1;
        if (found != end)
            fault(std::string(how) + ": " + std::to_string(found) + ", not " + std::to_string(end), in_.pattern, subject);
    }

    void matches(const fuzz::Perl& perl, const Def* def, const Dfa& automaton, const std::string& s) {
        auto full    = r_.of(conj(0), {def, r_.w.annex(at::stop)});
        auto whole   = r_.automaton(full);
        auto threads = r_.threads(def), whole_threads = r_.threads(full);
        for (size_t pos = 0; pos <= s.size(); ++pos) {
            fuzz::PerlMatch match(perl, s);
            auto end = match.match(pos, [](size_t) { return true; });
            same("automaton", test::Regex::run(automaton, s, pos), end, s);
            same("threads", test::Regex::run(threads, s, pos), end, s);
            if (pos == 0) same("lazy", to_number(lazy(s).prefix_match(s)), end, s);
            if (pos == 0 && end && perl.groups != 0) groups(def, match, s, *end);
            end = fuzz::PerlMatch(perl, s).match(pos, [&](size_t to) { return to == s.size(); });
            if (whole) same("full", test::Regex::run(*whole, s, pos), end, s);
            same("full, threads", test::Regex::run(whole_threads, s, pos), end, s);
        }
        search(perl, def, s);
    }

    void groups(const Def* def, const fuzz::PerlMatch& match, const std::string& s, size_t end) {
        auto plan  = make_group_plan(r_.w, def, match.groups.size() / 2);
        auto found = test::Regex::groups(plan, s, int64_t(end), match.groups.size() / 2);
        if (found == match.groups) return;
        std::string text;
        for (size_t i = 0; i != found.size(); ++i) text += " " + std::to_string(found[i]) + "/" + std::to_string(match.groups[i]);
        fault("groups:" + text, in_.pattern, s);
    }

    static std::optional<Span> leftmost(const fuzz::Perl& perl, const std::string& s, size_t from, bool after_empty) {
        for (auto begin = from; begin <= s.size(); ++begin) {
            auto accept = [&](size_t end) { return !after_empty || begin != from || end != from; };
            if (auto end = fuzz::PerlMatch(perl, s).match(begin, accept)) return Span(begin, *end);
        }
        return {};
    }

    /// Automata that are made while they run, with caches of one state to ten, which are given up now and then.
    LazyRegex lazy(const std::string& s) const {
        LazyLimits limits;
        limits.states = 1 + s.size() % 10;
        limits.least  = s.size() % 3;
        limits.pause  = s.size() % 7;
        return LazyRegex(in_.pattern, false, limits);
    }

    void search(const fuzz::Perl& perl, const Def* def, const std::string& s) {
        auto made        = lazy(s);
        auto by_automata = make_search(r_.w, def);
        auto on_ways     = make_search(r_.w, def, true);
        auto by_threads  = r_.search_threads(def);
        auto automata    = std::get_if<Search>(&by_automata);
        size_t pos       = 0;
        for (bool after_empty = false;;) {
            auto expected = leftmost(perl, s, pos, after_empty);
            if (automata) found("automata", test::Regex::next(*automata, s, pos, after_empty), expected, s);
            found("threads", test::Regex::next(by_threads, s, pos, after_empty), expected, s);
            auto by_lazy = made.next(s, pos, after_empty);
            found("lazy", by_lazy ? std::optional(Span(by_lazy->begin, by_lazy->end)) : std::nullopt, expected, s);
            if (auto eager = std::get_if<Search>(&on_ways))
                same("search on ways", test::Regex::end_on_ways(*eager, s, pos, after_empty),
                     expected ? std::optional(expected->second) : std::nullopt, s);
            if (!expected) return;
            after_empty = expected->first == expected->second, pos = expected->second;
        }
    }

    void found(const char* how, std::optional<Span> found, std::optional<Span> expected, const std::string& s) const {
        auto text = [](std::optional<Span> span) {
            return span ? std::to_string(span->first) + " to " + std::to_string(span->second) : std::string("nothing");
        };
        if (found != expected)
            fault(std::string("search by ") + how + ": " + text(found) + ", not " + text(expected), in_.pattern, s);
    }

    const Input& in_;
    test::Regex r_;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    std::string_view text(reinterpret_cast<const char*>(data), size);
    auto part = [&] {
        auto end = std::min(text.find('\x1f'), text.size());
        std::string result(text.substr(0, end));
        text.remove_prefix(std::min(text.size(), end + 1));
        return result;
    };
    Input input{part(), {""}};
    if (input.pattern.size() > max_text) return 0;
    while (!text.empty() && input.subjects.size() != 4) input.subjects.push_back(part().substr(0, max_subject));
    run_on_big_stack([&] { Check(input).run(); });
    return 0;
}
