// SPDX-License-Identifier: MIT
#include "driver/main.h"

#include <exception>
#include <new>

#include <unistd.h>

#include "base/stack.h"
#include "driver/commands.h"
#include "driver/crash.h"
#include "driver/plugin.h"
#include "driver/search.h"

namespace mim {

namespace {

void write_to(int fd, std::string_view text) {
    while (!text.empty()) {
        auto n = ::write(fd, text.data(), text.size());
        if (n <= 0) return;
        text.remove_prefix(static_cast<size_t>(n));
    }
}

int cmd_help(const Options& o) {
    if (o.markdown) return write_to(1, help_markdown()), kDone;
    if (o.files.empty()) return write_to(1, help_text(Command::Help)), kDone;
    for (auto& c : commands())
        if (c.name == o.files.front()) return write_to(1, help_text(c.id)), kDone;
    print_error("mim: unknown command `" + o.files.front() + "`\n");
    return kUsageError;
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
        case Command::Grep: return cmd_grep(o);
        case Command::Help: return cmd_help(o);
    }
    return kUsageError;
}

int run(const Options& o) {
    int status = kInternal;
    try {
        run_on_big_stack([&] {
            SignalStack signals;
            status = dispatch(o);
        });
    } catch (const std::bad_alloc&) {
        print_error("mim: error: out of memory\n");
        return kInputError;
    } catch (const std::exception& e) {
        print_error("mim: internal fault: " + std::string(e.what()) + "\n");
        return kInternal;
    }
    return status;
}

} // namespace

void print_error(std::string_view text) { write_to(2, text); }
void print_text(std::string_view text) { write_to(1, text); }

void configure(Diagnostics& diags, const Options& o) {
    diags.max_errors = o.max_errors;
    diags.werror     = o.werror;
    diags.verbose    = o.verbose;
}

void print_diagnostics(const Diagnostics& diags, const Options& o, size_t first) {
    bool color = o.color == Color::Always || (o.color == Color::Auto && ::isatty(2));
    std::string out;
    for (size_t i = first; i < diags.all().size(); ++i) {
        auto& d = diags.all()[i];
        out += o.json ? render_json(diags.sources(), d) : render_text(diags.sources(), d, color);
    }
    print_error(out);
}

int with_diagnostics(Diagnostics& diags, const Options& o, const std::function<bool()>& body) {
    configure(diags, o);
    bool ok    = false;
    bool ended = false;
    try {
        ok = body();
    } catch (const TooManyErrors&) {
        ended = true;
    }
    print_diagnostics(diags, o);
    if (ended && !o.json)
        print_error("mim: stopped after " + std::to_string(o.max_errors) + " errors; --max-errors 0 shows all\n");
    point_to_pages(diags, o);
    return ok && diags.num_errors() == 0 ? kDone : kInputError;
}

int main(int argc, char** argv) {
    auto line = parse_command_line(argc, argv);
    if (!line.error.empty()) {
        print_error("mim: " + line.error + "\nmim: `mim help` shows the commands, `mim COMMAND --help` the options of one\n");
        return kUsageError;
    }
    if (line.version) return write_to(1, "mim " MIM_VERSION "\n"), kDone;
    if (line.print_plugin_dir) return write_to(1, installed_plugin_dir() + "\n"), kDone;
    if (line.help) return write_to(1, help_text(line.options.command)), kDone;
    install_crash_handlers();
    return run(line.options);
}

} // namespace mim
