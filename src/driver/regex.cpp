// SPDX-License-Identifier: MIT
#include "driver/regex.h"

#include "backend/backend.h"
#include "base/stack.h"
#include "driver/pipeline.h"
#include "driver/session.h"

namespace mim {

namespace {

/// What is wrong, without its place: that is in the text above. What a plugin found to be wrong stands alone.
std::string first_error(const Diagnostics& diags) {
    for (auto& d : diags.all())
        if (d.severity == Severity::Error) return d.id == Diag::check_failed ? d.args.at(0) : message(d.id, d.args);
    return "this pattern cannot be compiled";
}

std::unique_ptr<backend::Code> compile_program(Session& session, const std::string& text, const Regex::Options& o) {
    if (!backend::set_target(session.world, session.diags, {})) return nullptr;
    if (!session.load_plugin("regex")) return nullptr;
    if (!session.load_text(text, o.lines ? "pattern.regex_lines" : "pattern.regex") || !session.check_tokens()) return nullptr;
    if (run_pipeline(session, {}) != Outcome::Done) return nullptr;
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
    auto impl = std::make_unique<Impl>();
    run_on_big_stack([&] {
        Session session(o.plugin_dirs);
        auto find = [&](auto& function, const char* symbol) {
            function = reinterpret_cast<std::decay_t<decltype(function)>>(impl->code->address(session.diags, symbol));
            return function != nullptr;
        };
        try {
            impl->code = compile_program(session, (o.ignore_case ? "(?i)" : "") + std::string(pattern) + "\n", o);
            bool ok    = impl->code && find(impl->full, "regex_full_match") && find(impl->prefix, "regex_prefix_match")
                      && find(impl->next, "regex_next") && find(impl->count, "regex_count");
            error = ok ? "" : first_error(session.diags);
        } catch (const TooManyErrors&) {
            error = first_error(session.diags);
        } catch (const Error& e) {
            session.report(e);
            error = first_error(session.diags);
        }
    });
    return error.empty() ? std::unique_ptr<Regex>(new Regex(std::move(impl))) : nullptr;
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
