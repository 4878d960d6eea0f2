// SPDX-License-Identifier: MIT
#include "regex/host/regex.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <stdexcept>

#include "backend/backend.h"
#include "base/stack.h"
#include "driver/pipeline.h"
#include "regex/host/engine.h"
#include "regex/host/fault.h"
#include "regex/host/session.h"

namespace mim {

namespace {

constexpr size_t much      = 8 << 20;   ///< characters, for which machine code is worth its time
constexpr size_t very_much = 256 << 20; ///< the same where most are skipped anyway

using plug::regex::fault_of;
using plug::regex::LazyRegex;
using plug::regex::no_case;

bool is_search(Regex::Matcher matcher) { return matcher == Regex::Matcher::Next || matcher == Regex::Matcher::Count; }
bool is_whole(Regex::Matcher matcher) { return matcher == Regex::Matcher::Full || matcher == Regex::Matcher::FullMany; }

std::string whole_text(std::string_view pattern, const Regex::Options& o) {
    return std::string(o.ignore_case ? no_case : "") + std::string(pattern);
}

/// The engine that matches without machine code, or null and the mistake.
std::unique_ptr<LazyRegex> make_lazy(std::string_view pattern, const Regex::Options& o, Regex::Fault& fault) {
    try {
        return std::make_unique<LazyRegex>(whole_text(pattern, o), o.lines);
    } catch (const Error& e) {
        fault = fault_of(e, o.ignore_case ? no_case.size() : 0);
        return nullptr;
    }
}

/// The first error, and its place if that is in the file of the pattern, of which the first characters are not the user's.
Regex::Fault first_error(const Diagnostics& diags, std::string_view file, size_t added) {
    for (auto& d : diags.all()) {
        if (d.severity != Severity::Error) continue;
        Regex::Fault fault{message(d.id, d.args) + " [" + std::string(info(d.id).code) + "]"};
        if (d.span && diags.sources().path(d.span.file) == file)
            fault.part = {std::max<size_t>(d.span.begin, added) - added, std::max<size_t>(d.span.end, added) - added};
        return fault;
    }
    return {"this pattern cannot be compiled"};
}

const char* file_name(const Regex::Options& o) { return o.lines ? "pattern.regex_lines" : "pattern.regex"; }

/// The program that a pattern is, of which the first characters are not the user's, with what `make` makes of it.
template<class F>
Regex::Fault with_program(std::string_view pattern, const Regex::Options& o, F make) {
    Regex::Fault fault;
    run_on_big_stack([&] {
        RegexSession session(o.plugin_dirs);
        bool ok = false;
        try {
            ok = session.is_ready() && session->load_text(whole_text(pattern, o) + "\n", file_name(o)) && make(*session);
        } catch (const TooManyErrors&) { // what they are, is asked below
        } catch (const Error& e) {
            session->report(e);
        }
        if (ok) session.done();
        else fault = first_error(session->diags, file_name(o), o.ignore_case ? no_case.size() : 0);
    });
    return fault;
}

constexpr std::array symbols{"regex_full_match", "regex_full_matches", "regex_prefix_match", "regex_next",
                             "regex_count"}; // by Matcher

/// Of the functions of the program, only this one.
std::unique_ptr<backend::Code> compile_program(Session& session, std::string_view symbol, const Regex::Options& o) {
    auto all = session.world.externals;
    for (auto& external : all)
        if (external.name.view() != symbol) session.world.externals.remove(external.name);
    // what the plugin makes of a pattern handles its memory well: tests check that, and it is the same for all patterns
    if (run_pipeline(session, {}) != Outcome::Done) return nullptr;
    backend::EmitOptions options;
    options.opt   = o.opt_level;
    options.quick = o.opt_level == 1;
    return backend::compile_in_memory(session.world, session.diags, options);
}

} // namespace

struct Regex::Impl {
    Impl(std::string_view pattern, const Options& options, std::unique_ptr<LazyRegex> lazy)
        : lazy(std::move(lazy))
        , pattern(pattern)
        , options(options) {}

    /// Compiles a matcher unless that was done before.
    Fault make(Matcher matcher) {
        std::lock_guard lock(mutex);
        auto& made = matchers[size_t(matcher)];
        if (made.address.load()) return {};
        return with_program(pattern, options, [&](Session& session) {
            auto symbol = symbols[size_t(matcher)];
            made.code   = compile_program(session, symbol, options);
            if (made.code) made.address = made.code->address(session.diags, symbol);
            return made.address.load() != nullptr;
        });
    }
    template<class Function>
    Function get(Matcher matcher) {
        auto& address = matchers[size_t(matcher)].address;
        if (!address.load(std::memory_order_acquire))
            if (auto fault = make(matcher); !fault.message.empty()) throw std::runtime_error(fault.text(pattern));
        return reinterpret_cast<Function>(address.load(std::memory_order_acquire));
    }
    /// Null if there is no code, and it would run an automaton that is better made while it runs, or it is too early
    /// for code. It is compiled as soon as much was read.
    template<class Function>
    Function code(Matcher matcher) {
        auto& made = matchers[size_t(matcher)];
        if (made.address.load(std::memory_order_acquire)) return get<Function>(matcher);
        if (made.never.load(std::memory_order_relaxed)) return nullptr;
        if (is_search(matcher) && lazy->attempts()) return nullptr;
        if (options.wait && made.read.load(std::memory_order_relaxed) < (lazy->skips() ? very_much : much)) return nullptr;
        if (is_small(matcher) && (!options.wait || make(matcher).message.empty())) return get<Function>(matcher);
        made.never = true;
        return nullptr;
    }
    bool is_small(Matcher matcher) {
        try {
            return lazy->is_small(is_whole(matcher));
        } catch (const Error& e) {
            throw std::runtime_error(fault_of(e, 0).text(pattern));
        }
    }
    void has_read(Matcher matcher, size_t size) {
        if (options.wait) matchers[size_t(matcher)].read.fetch_add(size, std::memory_order_relaxed);
    }

    const std::unique_ptr<LazyRegex> lazy;

private:
    struct Made {
        std::unique_ptr<backend::Code> code;
        std::atomic<void*> address = nullptr;
        std::atomic<bool> never    = false; ///< code is not worth being made
        std::atomic<size_t> read   = 0;     ///< characters, without code
    };
    std::string pattern;
    Options options;
    std::mutex mutex; ///< of those who make
    std::array<Made, symbols.size()> matchers;
};

Regex::Regex(std::unique_ptr<Impl> impl)
    : impl_(std::move(impl)) {}
Regex::~Regex() = default;

std::unique_ptr<Regex> Regex::compile(std::string_view pattern, std::string& error) { return compile(pattern, error, {}); }

std::unique_ptr<Regex> Regex::compile(std::string_view pattern, std::string& error, const Options& o) {
    Fault fault;
    auto regex = compile(pattern, fault, o);
    error      = regex ? "" : fault.text(pattern);
    return regex;
}

std::string Regex::Fault::text(std::string_view pattern) const {
    if (!part) return message;
    auto mark = render_mark(pattern, part->begin, part->end);
    return message + "\n" + mark.substr(0, mark.size() - 1);
}

std::optional<Regex::Fault> Regex::check(std::string_view pattern, const Options& o) {
    Fault fault;
    return make_lazy(pattern, o, fault) ? std::nullopt : std::optional(std::move(fault));
}

std::unique_ptr<Regex> Regex::compile(std::string_view pattern, Fault& fault, const Options& o) {
    fault     = {};
    auto lazy = make_lazy(pattern, o, fault);
    if (!lazy) return nullptr;
    auto impl = std::make_unique<Impl>(pattern, o, std::move(lazy));
    try {
        bool whole     = is_whole(o.first);
        bool is_better = is_search(o.first) && impl->lazy->attempts();
        if (!o.wait && !is_better && impl->lazy->is_small(whole)) fault = impl->make(o.first);
        else impl->lazy->prepare(whole);
    } catch (const Error& e) {
        fault = fault_of(e, 0); // it is about all of the pattern
    }
    return fault.message.empty() ? std::unique_ptr<Regex>(new Regex(std::move(impl))) : nullptr;
}

Regex::FullMatcher Regex::full_matcher() const { return impl_->get<FullMatcher>(Matcher::Full); }

bool Regex::full_match(std::string_view subject) const {
    if (auto match = impl_->code<FullMatcher>(Matcher::Full)) return match(subject.size(), subject.data());
    impl_->has_read(Matcher::Full, subject.size());
    return impl_->lazy->full_match(subject);
}

size_t Regex::full_matches(std::span<const std::string_view> subjects, std::span<bool> found) const {
    constexpr size_t block = 64; // code takes the characters and the sizes apart
    std::array<const char*, block> texts;
    std::array<size_t, block> sizes;
    size_t count = 0;
    for (size_t i = 0; i < subjects.size(); i += block) {
        auto some = subjects.subspan(i, std::min(block, subjects.size() - i));
        for (size_t j = 0; j != some.size(); ++j) texts[j] = some[j].data(), sizes[j] = some[j].size();
        count += full_matches(some.size(), texts.data(), sizes.data(), &found[i]);
    }
    return count;
}

size_t Regex::full_matches(size_t count, const char* const* texts, const size_t* sizes, bool* found) const {
    using Function = uint64_t (*)(uint64_t, const char* const*, const size_t*, bool*);
    if (auto match = impl_->code<Function>(Matcher::FullMany)) return match(count, texts, sizes, found);
    size_t matches = 0;
    for (size_t i = 0; i != count; ++i) {
        impl_->has_read(Matcher::FullMany, sizes[i]);
        matches += found[i] = impl_->lazy->full_match({texts[i], sizes[i]});
    }
    return matches;
}

std::optional<size_t> Regex::prefix_match(std::string_view subject) const {
    auto match = impl_->code<bool (*)(uint64_t, const char*, uint64_t*)>(Matcher::Prefix);
    if (!match) {
        auto end = impl_->lazy->prefix_match(subject);
        impl_->has_read(Matcher::Prefix, end.value_or(0));
        return end;
    }
    uint64_t to;
    return match(subject.size(), subject.data(), &to) ? std::optional(to) : std::nullopt;
}

std::optional<Regex::Span> Regex::next(std::string_view subject, size_t from, bool after_empty) const {
    auto search = impl_->code<bool (*)(uint64_t, const char*, uint64_t, bool, uint64_t*)>(Matcher::Next);
    if (!search) {
        auto found = impl_->lazy->next(subject, from, after_empty);
        impl_->has_read(Matcher::Next, (found ? found->end : subject.size()) - from);
        return found ? std::optional(Span{found->begin, found->end}) : std::nullopt;
    }
    uint64_t span[2];
    bool found = search(subject.size(), subject.data(), from, after_empty, span);
    return found ? std::optional(Span{span[0], span[1]}) : std::nullopt;
}

std::vector<Regex::Span> Regex::find_all(std::string_view subject) const {
    std::vector<Span> all;
    for (auto found = find(subject); found; found = next(subject, found->end, found->begin == found->end)) all.push_back(*found);
    return all;
}

std::optional<size_t> Regex::somewhere(std::string_view subject, size_t from) const {
    Line line;
    return in_lines(subject, from, {&line, 1}) == 0 ? std::nullopt : std::optional(line.place);
}

/// Behind the newline from a position on, or the end of the subject.
static size_t line_end(std::string_view subject, size_t pos) {
    auto newline = subject.find('\n', pos);
    return newline == subject.npos ? subject.size() : newline + 1;
}

/// The last line of a part, whose newline would be behind it.
static bool ends_with(std::string_view part, Regex::Line line) {
    bool has_newline = part.ends_with('\n') && line.place != part.size();
    return line.end == part.size() && !has_newline;
}

size_t Regex::in_lines(std::string_view subject, size_t from, std::span<Line> lines) const {
    // a match is within a line, so that nothing is lost where a line ends; code that is ready by then goes on
    constexpr size_t step = 1 << 20;
    size_t count          = 0;
    while (count != lines.size()) {
        auto code = impl_->code<bool (*)(uint64_t, const char*, uint64_t, bool, uint64_t*)>(Matcher::Next);
        if (code) {
            uint64_t span[2];
            if (!code(subject.size(), subject.data(), from, false, span)) break;
            from           = line_end(subject, span[0]);
            lines[count++] = {span[0], from};
            bool is_last   = from == subject.size() && !subject.ends_with('\n');
            if (is_last) break;
            continue;
        }
        auto stop = subject.size() - from <= step ? subject.npos : subject.find('\n', from + step);
        auto part = subject.substr(0, stop);
        auto some = impl_->lazy->in_lines(part, from, lines.subspan(count));
        count += some;
        if (some != 0 && stop != subject.npos && ends_with(part, lines[count - 1])) lines[count - 1].end = stop + 1;
        bool is_full = count == lines.size();
        auto to      = is_full ? lines[count - 1].end : part.size();
        impl_->has_read(Matcher::Next, to - from);
        if (is_full || stop == subject.npos) break;
        from = stop + 1;
    }
    return count;
}

size_t Regex::count(std::string_view subject) const {
    auto count = impl_->code<uint64_t (*)(uint64_t, const char*)>(Matcher::Count);
    if (count) return count(subject.size(), subject.data());
    impl_->has_read(Matcher::Count, subject.size());
    return impl_->lazy->count(subject);
}

} // namespace mim
