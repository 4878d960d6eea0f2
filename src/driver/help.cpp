// SPDX-License-Identifier: MIT
// --help and the page of commands and options, from the tables.
#include "diag/utf8.h"
#include "driver/options.h"

namespace mim {

namespace {

constexpr std::string_view kStatus = "exit status: 0 done · 1 the input has errors · 2 wrong usage · 70 a fault of mim's own\n"
                                     "FILE may be - for standard input.\n";
constexpr std::string_view kGrepStatus = "exit status: 0 there are such lines · 1 there are none · 2 something went wrong\n"
                                         "FILE may be - for standard input, which is also read without one.\n";

std::string padded(std::string_view text, size_t width) {
    std::string out(text);
    auto n = utf8::count(text);
    return out + std::string(n < width ? width - n : 1, ' ');
}

std::string spelling(const OptionInfo& o) {
    std::string out = o.short_name.empty() ? "    " : std::string(o.short_name) + ", ";
    out += o.name;
    if (!o.value.empty()) (out += ' ') += o.value;
    return out;
}

std::string usage(const CommandInfo& c) {
    std::string out = "mim " + std::string(c.name);
    if (!c.operands.empty()) (out += ' ') += c.operands;
    return out;
}

bool has(const OptionInfo& o, Command c) { return o.commands >> static_cast<unsigned>(c) & 1; }

std::string all_commands() {
    std::string out = "usage: mim COMMAND [OPTION…] …\n\n";
    for (auto& c : commands()) out += "  " + padded(usage(c), 26) + std::string(c.summary) + "\n";
    out += "\n  mim COMMAND --help        the options of a command\n"
           "  mim --version             version\n"
           "  mim --print-plugin-dir    where the plugins of this installation are\n\n";
    return out + std::string(kStatus);
}

} // namespace

std::string help_text(Command id) {
    if (id == Command::Help) return all_commands();
    auto& c  = info(id);
    auto out = "usage: " + usage(c) + "\n" + std::string(c.summary) + "\n\n";
    for (auto& o : options())
        if (has(o, id)) out += "  " + padded(spelling(o), 28) + std::string(o.summary) + "\n";
    if (id == Command::Build) {
        out += "\nkinds of --emit:\n";
        for (auto& e : emits())
            out += "  " + padded(e.name, 10) + padded("FILE" + std::string(e.suffix), 16) + std::string(e.summary) + "\n";
    }
    return out + "\n" + std::string(id == Command::Grep ? kGrepStatus : kStatus);
}

std::string help_markdown() {
    std::string out = "# Commands and options\n\nMade by `mim help --markdown`.\n\n| command | what it does |\n| --- | --- |\n";
    for (auto& c : commands()) out += "| `" + usage(c) + "` | " + std::string(c.summary) + " |\n";
    out += "\n| option | meaning | commands |\n| --- | --- | --- |\n";
    for (auto& o : options()) {
        std::string of;
        for (auto& c : commands())
            if (has(o, c.id)) of += (of.empty() ? "" : " ") + std::string(c.name);
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
