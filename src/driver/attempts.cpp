// SPDX-License-Identifier: MIT
// `-g` and `--checked` keep what the pipeline would remove otherwise, and there are programs that become code only once that is gone. So
// a program that did not become code is compiled anew and keeps less, at last nothing. What the options keep can thus never
// decide whether a program compiles.
#include <algorithm>
#include <memory>
#include <system_error>

#include "base/crash.h"
#include "diag/family.h"
#include "diag/fault_text.h"
#include "driver/commands.h"
#include "driver/compilation.h"
#include "driver/crash.h"
#include "driver/output.h"
#include "driver/search.h"

namespace mim {

namespace {

using Body = std::function<int(Compilation&)>;

struct End {
    int status;
    bool too_many_errors;
    bool is_crash = false; ///< the graph may be broken
};

/// What is tried, one after the other.
std::vector<Kept> attempts(const Options& o) {
    bool keeps_functions = o.debug_info && o.opt_level == 0;
    std::vector<Kept> result{{keeps_functions, o.debug_info, o.checked}};
    if (o.eval) return result; // no code is made
    if (keeps_functions) result.push_back({false, o.debug_info, o.checked});
    if (o.debug_info || o.checked) result.push_back({false, false, false});
    return result;
}

/// A file that cannot be read twice is read here; nothing where reading fails, which is reported by those who read again.
std::optional<std::string> text_of(const std::string& file) {
    std::string text, error;
    if (file != "-" || !read_file(file, text, error)) return {};
    return text;
}

void list_idle_rules(Session& session) {
    for (auto& rule : session.world.rules.all())
        if (rule->fired == 0 && !rule->on_request) session.diags.report(Diag::rule_never_fired, rule->span, {rule->name.str()});
}

void show_statistics(const Session& session, const Options& o) {
    if (o.time || o.stats) print_error(session.profile.table());
    if (!o.stats) return;
    auto& s = session.world.stats();
    print_error("nodes " + std::to_string(s.nodes) + ", bytes " + std::to_string(s.bytes) + ", reductions "
                + std::to_string(s.betas) + ", requests " + std::to_string(s.requests) + "\n");
}

void write_trace(Session& session, const Options& o) {
    std::string error;
    if (!o.trace.empty() && !write_result(o.trace, session.profile.trace(), session.inputs(), error))
        session.diags.report(Diag::cannot_write, {}, {o.trace, error});
}

std::string hook_of(const Culprit& who) { return std::string(who.kind) + " `" + std::string(who.name) + "` "; }

/// The user's line: that of the operation whose hook it is or, while the text is read, of what is being built. A front
/// end that does not say how far it has come has a file.
Span place_of(const Session& session, const Culprit& who) {
    auto& world       = session.world;
    auto named        = who.at ? world.notes.span(who.at) : Span();
    auto at           = named ? named : world.here;
    bool is_elsewhere = session.reading && at.file != session.reading.file;
    return is_elsewhere ? session.reading : at;
}

/// Says whose code crashed.
End crashed(Compilation& c, const Crash& crash) {
    auto& who   = crash.culprit;
    auto& diags = c.session.diags;
    auto at     = place_of(c.session, who);
    if (crash.is_overflow) {
        auto& d = diags.report(Diag::too_deep, at);
        if (who) d.note(Diag::code_of, {}, {who.text()});
        return {kInputError, false, true};
    }
    auto how = "crashed with signal " + std::to_string(crash.signal);
    if (who.plugin.empty()) c.is_broken = true;
    else diags.report(Diag::plugin_fault, at, {std::string(who.plugin), hook_of(who) + how});
    return {kInternal, false, true};
}

/// Says who threw what nobody expected; throws it again if it was Mim itself.
End unexpected(Compilation& c) {
    auto place = [&](const Culprit& who) { return place_of(c.session, who); };
    if (!report_thrown(c.session.diags, place)) throw;
    return {kInternal, false};
}

/// Runs `body`. What went wrong is in the diagnostics.
End run(Compilation& c, const Body& body) {
    try {
        int status = kInternal;
        auto crash = guarded([&] { status = body(c); }, Guards::Overflows);
        if (crash) return crashed(c, *crash);
        if (c.session.diags.num_errors() == 0) c.session.report_unread_settings();
        if (c.options.verbose) list_idle_rules(c.session);
        write_trace(c.session, c.options);
        return {status, false};
    } catch (const TooManyErrors&) {
        return is_full(c.session.diags) ? End{kInternal, true} : unexpected(c);
    } catch (const Error& e) {
        // Errors that no stage placed: evaluation that ran away outside of any declaration, or a fault.
        bool users = is_of_program(e.id);
        auto who   = Blame::thrower();
        Blame blame(who.plugin, who.kind, who.name); // whoever it is, is named where the error has no place
        c.session.report(e);
        return {users ? kInputError : kInternal, false};
    } catch (const std::system_error&) { // the machine's fault, such as a full disk
        throw;
    } catch (...) {
        return unexpected(c);
    }
}

/// An evaluation that has no end: it has none either where less is kept.
bool is_endless(const Diagnostic& d) {
    bool ran_out = d.id == Diag::out_of_budget || d.id == Diag::out_of_memory || d.id == Diag::too_deep;
    bool calls   = std::ranges::any_of(d.notes, [](auto& note) { return note.id == Diag::evaluating; });
    return d.id == Diag::endless_rule || (ran_out && calls);
}

/// The error because of which a checked program did not become code, if that is what happened and may depend on what was kept.
const Diagnostic* why_no_code(const Compilation& c) {
    auto& diags = c.session.diags;
    if (!c.is_checked() || has_fault(diags)) return nullptr;
    if (std::ranges::any_of(diags.all(), is_endless)) return nullptr;
    auto found = std::ranges::find_if(diags.all(),
                                      [](auto& d) { return is_of_program(d.id) && info(d.id).severity == Severity::Error; });
    return found == diags.all().end() ? nullptr : &*found;
}

std::string options_text(const Options& o) {
    if (!o.debug_info) return "--checked";
    return o.checked ? "-g --checked" : "-g";
}

/// Shows everything that there is to show; the exit status.
int conclude(Compilation& c, const End& end) {
    auto& o     = c.options;
    auto& diags = c.session.diags;
    c.show_diagnostics();
    if (end.too_many_errors && !o.json)
        print_error("mim: stopped after " + std::to_string(o.max_errors) + " errors; --max-errors 0 shows all\n");
    point_to_pages(diags, o);
    show_statistics(c.session, o);
    if (c.is_broken) print_error(kInternalFault);
    if (has_fault(diags)) return kInternal;
    if (end.too_many_errors) return kInputError;
    return end.status == kDone && diags.num_errors() != 0 ? kInputError : end.status;
}

} // namespace

int compile(const Options& o, const std::string& file, const Body& body, std::optional<std::string> input) {
    auto tries   = attempts(o);
    auto text    = input || tries.size() == 1 ? std::move(input) : text_of(file);
    bool is_last = &file == &o.files.back();
    std::string why;
    for (auto& kept : tries) {
        auto c = std::make_unique<Compilation>(o, file, kept, text);
        if (o.verbose && !why.empty()) c->session.diags.report(Diag::kept_less, {}, {options_text(o), why});
        auto report_exit = [&](const Culprit& who, std::string_view how) {
            auto at = place_of(c->session, who);
            c->session.diags.report(Diag::plugin_fault, at, {std::string(who.plugin), hook_of(who) + std::string(how)});
            conclude(*c, {kInternal, false});
        };
        ExitReporter reporter(report_exit);
        auto end   = run(*c, body);
        auto error = &kept == &tries.back() || end.is_crash ? nullptr : why_no_code(*c);
        if (!error) {
            int status = conclude(*c, end);
            // The process ends here: the system takes its memory back faster than a walk through the graph.
            if (is_last || end.is_crash) static_cast<void>(c.release());
            return status;
        }
        why = message(error->id, error->args);
    }
    return kInternal; // never: the last attempt concludes
}

} // namespace mim
