// SPDX-License-Identifier: MIT
#include "driver/main.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <system_error>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#if __has_include(<malloc.h>)
#    include <malloc.h>
#endif

#include "base/stack.h"
#include "diag/fault_text.h"
#include "driver/commands.h"
#include "driver/crash.h"
#include "driver/manifests.h"
#include "driver/operators.h"
#include "driver/plugin.h"
#include "driver/search.h"

namespace mim {

namespace {

/// A file that is opened must never get the number of a standard stream that the caller closed: what is printed would end in it.
/// Reading from such a stream and writing to it fail with EBADF, as they would without this.
void reserve_standard_streams() {
    for (int fd : {0, 1, 2}) {
        bool is_closed = ::fcntl(fd, F_GETFD) == -1 && errno == EBADF;
        if (is_closed) ::open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
    }
}

/// If addresses are limited, the allocator takes them in small pieces, for all threads: without it, each thread reserves 64 MiB, and
/// asks the system for each block where it gets none.
void share_addresses() {
#if defined(M_ARENA_MAX)
    rlimit limit;
    bool is_limited = ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    if (is_limited) ::mallopt(M_ARENA_MAX, 1);
#endif
}

/// The status of an end that is neither the input's fault nor ours, such as a full disk. A command of a plugin has its
/// own.
int failure_of(const Options& o) { return o.plugin_command ? o.plugin_command->spec.failure : static_cast<int>(kInputError); }

/// A command of Mim, one of a plugin, or a plugin.
int help_on(const std::string& word, const std::vector<std::string>& plugin_dirs) {
    for (auto& c : commands())
        if (c.name == word) return print_text(help_text(c.id)), kDone;
    Manifests manifests(SearchPath(plugin_dirs).dirs());
    if (auto found = manifests.with_command(word); !found.empty()) return print_text(help_text(*found[0]->command(word))), kDone;
    if (auto plugin = manifests.plugin(word)) return print_text(help_text(*plugin)), kDone;
    print_error("mim: neither a command nor a plugin with a library is called `" + word + "`\n");
    return kUsageError;
}

int cmd_help(const Options& o) {
    if (o.markdown) return print_text(help_markdown()), kDone;
    if (!o.files.empty()) return help_on(o.files.front(), o.plugin_dirs);
    print_text(help_text(Command::Help) + help_text(Manifests(SearchPath(o.plugin_dirs).dirs())));
    return kDone;
}

/// --help
int show_help(const Options& o) {
    if (o.command == Command::Help) return cmd_help(o);
    print_text(o.plugin_command ? help_text(o.plugin_command->spec) : help_text(o.command));
    return kDone;
}

int dispatch(const Options& o) {
    switch (o.command) {
        case Command::Run: return cmd_run(o);
        case Command::Build: return cmd_build(o);
        case Command::Check: return cmd_check(o);
        case Command::Fmt: return cmd_fmt(o);
        case Command::Doc: return cmd_doc(o);
        case Command::Bootstrap: return cmd_bootstrap(o);
        case Command::NewPlugin: return cmd_new_plugin(o);
        case Command::Doctor: return cmd_doctor(o);
        case Command::Explain: return cmd_explain(o);
        case Command::Help: return cmd_help(o);
        case Command::OfPlugin: return cmd_plugin(o);
    }
    return kUsageError;
}

/// Without memory, no handlers run at exit: they and those who unload libraries may want some, or wait for each other.
[[noreturn]] void leave(int status) {
    std::fflush(nullptr);
    ::_exit(status);
}

int run(const Options& o) {
    install_crash_handlers(failure_of(o));
    int status = kInternal;
    run_on_big_stack([&] { status = dispatch(o); });
    return status;
}

int run(const ParsedCommandLine& line) {
    try {
        if (line.version) return print_text("mim " MIM_VERSION "\n"), kDone;
        if (line.print_plugin_dir) return print_text(installed_plugin_dir() + "\n"), kDone;
        if (line.help) return show_help(line.options);
        return run(line.options);
    } catch (const std::bad_alloc&) {
        print_error("mim: error: out of memory\n");
        leave(failure_of(line.options));
    } catch (const std::system_error& e) {
        print_error("mim: error: " + std::string(e.what()) + "\n");
    } catch (const std::exception& e) {
        print_error("mim: internal fault: " + std::string(e.what()) + "\n");
        return kInternal;
    } catch (...) {
        print_error(kInternalFault);
        return kInternal;
    }
    return failure_of(line.options);
}

} // namespace

void print_error(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

void print_text(std::string_view text) {
    while (!text.empty()) {
        auto n = ::write(1, text.data(), text.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) throw std::system_error(errno, std::generic_category(), "cannot write to standard output");
        text.remove_prefix(static_cast<size_t>(n));
    }
}

bool is_colored(Color color, int fd) {
    if (color != Color::Auto) return color == Color::Always;
    auto no_color = std::getenv("NO_COLOR"); // no-color.org: empty is as good as not there
    return ::isatty(fd) && !(no_color && *no_color);
}

void configure(Diagnostics& diags, const Options& o) {
    diags.max_errors = o.max_errors;
    diags.werror     = o.werror;
    diags.verbose    = o.verbose;
}

void print_diagnostics(const Diagnostics& diags, const Options& o, size_t first) {
    bool color = is_colored(o.color, 2);
    std::string out;
    for (size_t i = first; i < diags.all().size(); ++i) {
        auto d = diags.all()[i];
        if (lacks_call(d)) name_calls(d, Manifests(SearchPath(o.plugin_dirs).dirs()));
        out += o.json ? render_json(diags.sources(), d) : render_text(diags.sources(), d, color);
    }
    print_error(out);
}

bool has_fault(const Diagnostics& diags) {
    return std::ranges::any_of(diags.all(), [](auto& d) {
        return d.id == Diag::phase_broke || d.id == Diag::emitter_broke || d.id == Diag::normalizer_broke
               || d.id == Diag::normalizer_threw || d.id == Diag::plugin_fault;
    });
}

bool report_thrown(Diagnostics& diags, const std::function<Span(const Culprit&)>& place_of) {
    auto who = Blame::thrower();
    if (who.plugin.empty()) return false;
    auto hook = std::string(who.kind) + " `" + std::string(who.name) + "` failed: " + fault_text(&diags);
    diags.report(Diag::plugin_fault, place_of(who), {std::string(who.plugin), hook});
    return true;
}

int with_diagnostics(Diagnostics& diags, const Options& o, const std::function<bool()>& body) {
    configure(diags, o);
    bool ok    = false;
    bool ended = false;
    try {
        ok = body();
    } catch (const Passing&) {
        ended = is_full(diags);
        if (!ended && !report_thrown(diags, [](auto&) { return Span(); })) throw;
    }
    print_diagnostics(diags, o);
    if (ended && !o.json)
        print_error("mim: stopped after " + std::to_string(o.max_errors) + " errors; --max-errors 0 shows all\n");
    point_to_pages(diags, o);
    if (has_fault(diags)) return kInternal;
    return ok && diags.num_errors() == 0 ? kDone : kInputError;
}

int main(int argc, char** argv) {
    reserve_standard_streams();
    share_addresses();
    auto line = parse_command_line(argc, argv);
    if (!line.error.empty()) {
        print_error("mim: " + line.error + "\nmim: `mim help` shows the commands, `mim COMMAND --help` the options of one\n");
        return kUsageError;
    }
    int status = run(line);
    // Diagnostics that got lost show in nothing but the status. That of `mim run` is the program's.
    bool is_ours = line.options.command != Command::Run;
    return status == kDone && is_ours && std::ferror(stderr) ? failure_of(line.options) : status;
}

} // namespace mim
