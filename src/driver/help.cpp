// SPDX-License-Identifier: MIT
// --help and the page of commands and options, from the tables.
#include "diag/diag.h"
#include "diag/utf8.h"
#include "driver/manifests.h"
#include "driver/options.h"

namespace mim {

namespace {

constexpr std::string_view kStatus = "exit status: 0 done · 1 the input has errors · 2 wrong usage · 70 a fault of mim's own\n"
                                     "FILE may be - for standard input.\n";
std::string padded(std::string_view text, size_t width) {
    std::string out(text);
    auto n = utf8::count(text);
    return out + std::string(n < width ? width - n : 1, ' ');
}

/// Of an option of Mim or of a plugin's command.
template<class Option>
std::string spelling(const Option& o) {
    std::string out = o.short_name.empty() ? "    " : std::string(o.short_name) + ", ";
    out += o.name;
    if (!o.value.empty()) (out += ' ') += o.value;
    return out;
}

/// Of a command of Mim or of a plugin.
template<class Command>
std::string usage(const Command& c) {
    std::string out = "mim " + std::string(c.name);
    if (!c.operands.empty()) (out += ' ') += c.operands;
    return out;
}

template<class Option>
std::string option_line(const Option& o) {
    return "  " + padded(spelling(o), 28) + std::string(o.summary) + "\n";
}

template<class Command>
std::string command_line(const Command& c) {
    return "  " + padded(usage(c), 28) + std::string(c.summary) + "\n";
}

std::string all_commands() {
    std::string out = "usage: mim COMMAND [OPTION…] …\n\n";
    for (auto& c : commands()) out += command_line(c);
    out += "\n  mim COMMAND --help          the options of a command\n"
           "  mim --version               version\n"
           "  mim --print-plugin-dir      where the plugins of this installation are\n\n";
    return out + std::string(kStatus);
}

} // namespace

std::string help_text(Command id) {
    if (id == Command::Help) return all_commands();
    auto& c  = info(id);
    auto out = "usage: " + usage(c) + "\n" + std::string(c.summary) + "\n\n";
    for (auto& o : options())
        if (o.is_of(id)) out += option_line(o);
    if (id == Command::Build) {
        out += "\nkinds of --emit:\n";
        for (auto& e : emits())
            out += "  " + padded(e.name, 10) + padded("FILE" + std::string(e.suffix), 16) + std::string(e.summary) + "\n";
    }
    return out + "\n" + std::string(kStatus);
}

std::string help_text(const CommandSpec& c) {
    auto out = "usage: " + usage(c) + "\n" + c.summary + "\n\n";
    for (auto& o : c.options) out += option_line(o);
    for (auto& o : options())
        if (o.is_of(Command::OfPlugin)) out += option_line(o);
    return out + "\n" + (c.status.empty() ? std::string(kStatus) : c.status + "\n");
}

std::string help_text(const Manifests& manifests) {
    std::string out;
    for (auto& m : manifests.all())
        for (auto& c : m.commands) out += command_line(c);
    for (auto& bad : manifests.bad()) out += "  " + message(Diag::bad_manifest, {bad.path, bad.plugin, bad.problem}) + "\n";
    return out.empty() ? out : "\ncommands of plugins:\n" + out;
}

/// The lines of one kind below their heading; nothing without lines.
static std::string section(std::string_view heading, const std::string& lines) {
    return lines.empty() ? lines : "\n" + std::string(heading) + "\n" + lines;
}

std::string help_text(const Manifest& m) {
    std::string commands, options, extensions, outputs, libraries, points;
    for (auto& c : m.commands) commands += command_line(c);
    for (auto& o : m.options) {
        auto name = "--set " + m.plugin + "." + o.key + "=" + o.value;
        options += "  " + padded(name, 40) + o.summary + " (" + o.kind + ")\n";
    }
    for (auto& e : m.extensions) extensions += "  FILE." + e + "\n";
    for (auto& o : m.outputs) outputs += "  " + padded(o.name, 10) + padded("FILE" + o.suffix, 16) + o.summary + "\n";
    for (auto& p : m.extension_points) points += "  " + padded(p.name, 20) + p.summary + "\n";
    for (auto& l : m.libraries) libraries += "  " + l.name + "\n";
    auto out = section("commands:", commands) + section("options, with their defaults:", options)
               + section("files that it reads:", extensions) + section("kinds of --emit:", outputs)
               + section("libraries of compiled programs:", libraries) + section("extension points of its pipelines:", points);
    return "the plugin " + m.plugin + "\n" + (out.empty() ? "adds nothing to the command line\n" : out);
}

std::string help_markdown() {
    std::string out = "# Commands and options\n\nMade by `mim help --markdown`.\n\n| command | what it does |\n| --- | --- |\n";
    for (auto& c : commands()) out += "| `" + usage(c) + "` | " + std::string(c.summary) + " |\n";
    out += "\n| option | meaning | commands |\n| --- | --- | --- |\n";
    for (auto& o : options()) {
        std::string of;
        for (auto& c : commands())
            if (o.is_of(c.id)) of += (of.empty() ? "" : " ") + std::string(c.name);
        auto name = spelling(o);
        name.erase(0, name.find_first_not_of(' '));
        for (size_t i = name.find('|'); i != name.npos; i = name.find('|', i + 2)) name.insert(i, "\\");
        out += "| `" + name + "` | " + std::string(o.summary) + " | " + of + " |\n";
    }
    out += "\n| `--emit` | file | |\n| --- | --- | --- |\n";
    for (auto& e : emits())
        out += "| `" + std::string(e.name) + "` | `FILE" + std::string(e.suffix) + "` | " + std::string(e.summary) + " |\n";
    return out + "\n" + std::string(kStatus);
}

} // namespace mim
