// SPDX-License-Identifier: MIT
// `mim fmt FILE…`: each file in the canonical layout. Files with errors are left alone; standard input comes out on standard
// output; --check only tells, for CI. Files of another language are laid out by the plugin that reads them.
#include "base/blame.h"
#include "base/crash.h"
#include "diag/fault_text.h"
#include "driver/commands.h"
#include "driver/crash.h"
#include "driver/installed.h"
#include "driver/manifests.h"
#include "driver/output.h"
#include "driver/rewritten.h"
#include "driver/search.h"
#include "driver/session.h"
#include "syntax/format.h"

namespace mim {

namespace {

class Formatting {
public:
    Formatting(SourceManager& sources, Diagnostics& diags, const Options& o)
        : sources_(sources)
        , diags_(diags)
        , o_(o) {}

    /// False if the file has errors, cannot be read or written, or (--check) is not formatted.
    bool file(const std::string& path) {
        std::string text, error;
        if (!read_file(path, text, error)) return diags_.report(Diag::cannot_read, {}, {path, error}), false;
        auto written = text;
        if (o_.fix && other_extension_of(path).empty()) {
            auto fixed = with_operators(o_, path, text);
            if (!fixed) return false;
            written = std::move(*fixed);
        }
        auto file   = sources_.add(path == "-" ? "<stdin>" : path, written);
        auto result = lay_out(path, file);
        if (!result) return false;
        if (o_.check) {
            if (*result == text) return true;
            diags_.report(Diag::not_formatted, {}, {sources_.path(file)});
            return false;
        }
        if (path != "-" && *result == text) return true;
        if (!write_output(path, *result, error)) return diags_.report(Diag::cannot_write, {}, {path, error}), false;
        return true;
    }

private:
    /// Nothing after a report.
    std::optional<std::string> lay_out(const std::string& path, FileId file) {
        auto extension = other_extension_of(path);
        if (extension.empty()) return format(file, sources_, diags_);
        if (!manifests_) manifests_.emplace(SearchPath(o_.plugin_dirs).dirs());
        auto plugins = manifests_->with_extension(extension);
        if (plugins.empty()) return format(file, sources_, diags_);
        if (plugins.size() > 1) {
            auto by = [&](size_t i) { return "the plugin `" + plugins[i]->plugin + "`"; };
            diags_.report(Diag::registered_twice, {}, {"the formatter for `." + extension + "`", by(0), by(1)});
            return {};
        }
        return lay_out_by(*plugins[0], path, extension, file);
    }

    std::optional<std::string> lay_out_by(const Manifest& plugin, const std::string& path, const std::string& extension,
                                          FileId file) {
        std::string problem;
        auto description = describe_plugin(library_beside(plugin.path, plugin.plugin), problem);
        if (!description) return diags_.report(Diag::plugin_library, {}, {plugin.plugin, problem}), std::nullopt;
        for (auto& fault : description->faults) diags_.report(Diag::plugin_fault, {}, {plugin.plugin, fault});
        if (!description->faults.empty()) return {};
        auto formatter = description->formatters.find(extension);
        if (formatter == description->formatters.end())
            return diags_.report(Diag::no_formatter, {}, {extension, plugin.plugin}), std::nullopt;
        auto once  = run(formatter->second, plugin.plugin, path, extension, file);
        auto twice = once ? run(formatter->second, plugin.plugin, path, extension, sources_.add(path, *once)) : std::nullopt;
        if (!once) return {};
        auto broken = [&](const std::string& what) {
            diags_.report(Diag::plugin_fault, {file, 0, 0}, {plugin.plugin, "the formatter for `." + extension + "` " + what});
            return std::nullopt;
        };
        if (!twice || *once != *twice) return broken("does not leave as it is what it has laid out");
        std::string text(sources_.text(file));
        if (is_blank(*once) && !is_blank(text)) return broken("leaves nothing of the file");
        if (*once == text) return once;
        auto why = reading_problem(text, *once, path);
        if (!why.empty()) return broken("makes of the file what its front end does not read: " + why);
        return once;
    }

    static bool is_blank(const std::string& text) { return text.find_first_not_of(" \t\r\n") == text.npos; }

    /// Why the front end does not read what became of a text that it reads; empty if it does.
    std::string reading_problem(const std::string& before, const std::string& after, const std::string& path) {
        Session session(o_.plugin_dirs);
        session.diags.max_errors = 0;
        if (!session.can_read(before, path) || session.can_read(after, path)) return {};
        auto& first = session.diags.all().front();
        return message(first.id, first.args);
    }

    std::optional<std::string> run(const Formatter& formatter, const std::string& plugin, const std::string& path,
                                   const std::string& extension, FileId file) {
        auto errors = diags_.num_errors();
        auto failed = [&](const std::string& why) {
            diags_.report(Diag::plugin_fault, {file, 0, 0}, {plugin, "the formatter for `." + extension + "` " + why});
            return std::nullopt;
        };
        FormatContext context{diags_, file, path, extension, sources_.text(file)};
        std::optional<std::string> result;
        auto call = [&] {
            Blame blame(plugin, "the formatter for", extension);
            result = formatter(context);
        };
        auto report_exit = [&](const Culprit&, std::string_view how) {
            failed(std::string(how));
            print_diagnostics(diags_, o_);
        };
        ExitReporter reporter(report_exit);
        try {
            if (auto crash = guarded(call)) return failed("crashed with signal " + std::to_string(crash->signal));
            bool is_nothing = !result && diags_.num_errors() == 0; // whose errors they are, a formatter need not ask
            if (is_nothing) return failed("failed");
            return diags_.num_errors() == errors ? result : std::nullopt;
        } catch (...) {
            return failed("failed: " + fault_text(&diags_));
        }
    }

    SourceManager& sources_;
    Diagnostics& diags_;
    const Options& o_;
    std::optional<Manifests> manifests_;
};

} // namespace

int cmd_fmt(const Options& o) {
    SourceManager sources;
    Diagnostics diags(sources);
    return with_diagnostics(diags, o, [&] {
        Formatting formatting(sources, diags, o);
        bool ok = true;
        for (auto& path : o.files) ok &= formatting.file(path);
        return ok;
    });
}

} // namespace mim
