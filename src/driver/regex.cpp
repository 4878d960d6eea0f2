// SPDX-License-Identifier: MIT
#include "driver/regex.h"

#include "backend/backend.h"
#include "base/stack.h"
#include "driver/pipeline.h"
#include "driver/session.h"

namespace mim {

namespace {

constexpr std::string_view no_case = "(?i)";

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
        Session session(o.plugin_dirs);
        auto first = std::string(o.ignore_case ? no_case : "");
        bool ok    = false;
        try {
            ok = backend::set_target(session.world, session.diags, {}) && session.load_plugin("regex")
                 && session.load_text(first + std::string(pattern) + "\n", file_name(o)) && make(session);
        } catch (const TooManyErrors&) { // what they are, is asked below
        } catch (const Error& e) {
            session.report(e);
        }
        if (!ok) fault = first_error(session.diags, file_name(o), first.size());
    });
    return fault;
}

std::unique_ptr<backend::Code> compile_program(Session& session, const Regex::Options& o) {
    if (!session.check_tokens() || run_pipeline(session, {}) != Outcome::Done) return nullptr;
    backend::EmitOptions options;
    options.opt = o.opt_level;
    return backend::compile_in_memory(session.world, session.diags, options);
}

} // namespace

struct Regex::Impl {
    std::unique_ptr<backend::Code> code;
    bool (*full)(uint64_t, const char*);
    bool (*prefix)(uint64_t, const char*, uint64_t*);
    bool (*next)(uint64_t, const char*, uint64_t, bool, uint64_t*);
    uint64_t (*count)(uint64_t, const char*);
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
    auto fault = with_program(pattern, o, [](Session&) { return true; });
    return fault.message.empty() ? std::nullopt : std::optional(std::move(fault));
}

std::unique_ptr<Regex> Regex::compile(std::string_view pattern, Fault& fault, const Options& o) {
    auto impl = std::make_unique<Impl>();
    fault     = with_program(pattern, o, [&](Session& session) {
        auto find = [&](auto& function, const char* symbol) {
            function = reinterpret_cast<std::decay_t<decltype(function)>>(impl->code->address(session.diags, symbol));
            return function != nullptr;
        };
        impl->code = compile_program(session, o);
        return impl->code && find(impl->full, "regex_full_match") && find(impl->prefix, "regex_prefix_match")
               && find(impl->next, "regex_next") && find(impl->count, "regex_count");
    });
    return fault.message.empty() ? std::unique_ptr<Regex>(new Regex(std::move(impl))) : nullptr;
}

bool Regex::full_match(std::string_view subject) const { return impl_->full(subject.size(), subject.data()); }

std::optional<size_t> Regex::prefix_match(std::string_view subject) const {
    uint64_t to;
    return impl_->prefix(subject.size(), subject.data(), &to) ? std::optional(to) : std::nullopt;
}

std::optional<Regex::Span> Regex::next(std::string_view subject, size_t from, bool after_empty) const {
    uint64_t span[2];
    bool found = impl_->next(subject.size(), subject.data(), from, after_empty, span);
    return found ? std::optional(Span{span[0], span[1]}) : std::nullopt;
}

std::vector<Regex::Span> Regex::find_all(std::string_view subject) const {
    std::vector<Span> all;
    for (auto found = find(subject); found; found = next(subject, found->end, found->begin == found->end)) all.push_back(*found);
    return all;
}

size_t Regex::count(std::string_view subject) const { return impl_->count(subject.size(), subject.data()); }

} // namespace mim
