// SPDX-License-Identifier: MIT
// The tables of commands and options, and the reader of command lines.
#include "driver/options.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/nearest.h"
#include "diag/diag.h"
#include "driver/manifests.h"
#include "driver/search.h"

namespace mim {

namespace {

constexpr uint8_t kAny = 255;

constexpr std::array kCommands = {
    CommandInfo{Command::Run, "run", "FILE [ARG…]", "compile in memory and run main", 1, 1},
    CommandInfo{Command::Build, "build", "FILE", "compile to a file", 1, 1},
    CommandInfo{Command::Check, "check", "FILE…", "diagnostics only", 1, kAny},
    CommandInfo{Command::Fmt, "fmt", "FILE…", "rewrite files in the canonical layout; - is a filter", 1, kAny},
    CommandInfo{Command::Doc, "doc", "FILE", "Markdown from /// comments", 1, 1},
    CommandInfo{Command::Bootstrap, "bootstrap", "FILE",
                "the C++ header of a plugin's annexes, from NAME.mim; its manifest, from libmim_NAME.so", 1, 1},
    CommandInfo{Command::NewPlugin, "new-plugin", "NAME", "a folder with a plugin that builds and passes its test", 1, 1},
    CommandInfo{Command::Doctor, "doctor", "", "what mim found on this machine, and what is missing", 0, 0},
    CommandInfo{Command::Explain, "explain", "[CODE…]",
                "what a diagnostic means, and its remedy; for a plugin's name, or none, a list", 0, kAny},
    CommandInfo{Command::Help, "help", "[COMMAND|PLUGIN]", "this text, or that of a command; what a plugin adds", 0, 1},
};

constexpr std::array kEmits = {
    EmitInfo{Emit::Exe, "exe", "", "executable"},
    EmitInfo{Emit::Obj, "obj", ".o", "object file"},
    EmitInfo{Emit::Shared, "shared", ".so", "shared library"},
    EmitInfo{Emit::Asm, "asm", ".s", "assembly"},
    EmitInfo{Emit::Bc, "bc", ".bc", "LLVM bitcode"},
    EmitInfo{Emit::Ll, "ll", ".ll", "LLVM text"},
    EmitInfo{Emit::Mim, "mim", ".out.mim", "the program after the pipeline, as Mim"},
    EmitInfo{Emit::Dot, "dot", ".dot", "the graph after the pipeline, for Graphviz"},
    EmitInfo{Emit::Header, "header", ".h", "C header of the extern functions"},
};

// --- values -------------------------------------------------------------------------------------------------------------------

using Wrong = std::optional<std::string>;

template<class T>
Wrong number(std::string_view text, T& out, T min = 0) {
    T value{};
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < min)
        return "a number" + (min > 0 ? " from " + std::to_string(min) : std::string());
    out = value;
    return {};
}

template<std::string Options::* Field>
Wrong text(Options& o, std::string_view value) {
    if (value.empty()) return "a value that is not empty";
    o.*Field = value;
    return {};
}

template<std::vector<std::string> Options::* Field>
Wrong push(Options& o, std::string_view value) {
    if (value.empty()) return "a value that is not empty";
    (o.*Field).emplace_back(value);
    return {};
}

template<bool Options::* Field>
Wrong flag(Options& o, std::string_view) {
    o.*Field = true;
    return {};
}

/// A name that is not Mim's own is one that a plugin knows; which do is known once the program is read.
Wrong set_emit(Options& o, std::string_view value) {
    while (true) {
        auto comma = value.find(',');
        auto one   = value.substr(0, comma);
        auto add   = [](auto& list, auto entry) {
            if (std::ranges::find(list, entry) == list.end()) list.push_back(entry);
        };
        auto is_name_char = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-'; };
        if (auto it = std::ranges::find(kEmits, one, &EmitInfo::name); it != kEmits.end()) add(o.emit, it->id);
        else if (!one.empty() && std::ranges::all_of(one, is_name_char)) add(o.plugin_emit, std::string(one));
        else {
            std::string names;
            for (auto& e : kEmits) names += (names.empty() ? "" : ", ") + std::string(e.name);
            return "some of " + names + ", or what a plugin makes";
        }
        if (comma == value.npos) return {};
        value.remove_prefix(comma + 1);
    }
}

Wrong set_level(Options& o, std::string_view value) {
    if (value.size() != 1 || value[0] < '0' || value[0] > '3') return "a level from 0 to 3";
    o.opt_level = value[0] - '0';
    return {};
}

Wrong set_color(Options& o, std::string_view value) {
    if (value == "auto") o.color = Color::Auto;
    else if (value == "always") o.color = Color::Always;
    else if (value == "never") o.color = Color::Never;
    else return "auto, always or never";
    return {};
}

Wrong set_names(Options& o, std::string_view value) {
    if (value != "graph" && value != "source") return "graph or source";
    o.names = value == "source" ? NamesOf::Source : NamesOf::Graph;
    return {};
}

Wrong set_diagnostics(Options& o, std::string_view value) {
    if (value != "text" && value != "json") return "text or json";
    o.json = value == "json";
    return {};
}

/// `PLUGIN.KEY` alone is `PLUGIN.KEY=true`. Which options there are is known once plugins are found.
Wrong add_setting(Options& o, std::string_view value) {
    auto equals = value.find('=');
    auto name   = value.substr(0, equals);
    auto dot    = name.find('.');
    bool is_one = dot != name.npos && dot != 0 && dot + 1 != name.size();
    if (!is_one) return "PLUGIN.KEY=VALUE";
    for (auto& setting : o.settings)
        if (setting.name == name) return "each PLUGIN.KEY once";
    o.settings.push_back({std::string(name), std::string(equals == value.npos ? "true" : value.substr(equals + 1))});
    return {};
}

// --- options ------------------------------------------------------------------------------------------------------------------

constexpr uint32_t on(std::initializer_list<Command> list) {
    uint32_t mask = 0;
    for (auto c : list) mask |= 1u << static_cast<unsigned>(c);
    return mask;
}
constexpr uint32_t kCode    = on({Command::Run, Command::Build});
constexpr uint32_t kCompile = kCode | on({Command::Check});
constexpr uint32_t kReads   = kCompile | on({Command::Fmt, Command::Doc, Command::Bootstrap});
constexpr uint32_t kPlugin  = on({Command::OfPlugin});
constexpr uint32_t kWrites  = on({Command::Build, Command::Doc, Command::Bootstrap, Command::NewPlugin});

using O = Options;

constexpr std::array kOptions = {
    OptionInfo{"--output", "-o", "OUT", "write there instead of the default place; - is standard output", kWrites,
               text<&O::output>},
    OptionInfo{"--emit", "", "KIND[,…]", "what to make: exe obj shared asm bc ll mim dot header, or what a plugin makes",
               on({Command::Build}), set_emit},
    OptionInfo{"--opt-level", "-O", "LEVEL", "how much LLVM optimizes, 0 to 3; default 2", kCode, set_level},
    OptionInfo{"--target", "", "T", "triple of the machine to compile for", on({Command::Build}), text<&O::target>},
    OptionInfo{"--cpu", "", "C", "processor to compile for; default: this one, or the generic one of --target", kCode,
               text<&O::cpu>},
    OptionInfo{"--debug-info", "-g", "", "debug information", kCode, flag<&O::debug_info>},
    OptionInfo{"--checked", "", "", "trap where behaviour is undefined", kCode, flag<&O::checked>},
    OptionInfo{"--eval", "", "",
               "run by the reference evaluator instead of compiling; phases only with --pipeline or --stop-after",
               on({Command::Run}), flag<&O::eval>},
    OptionInfo{"--no-normalizers", "", "", "with --eval: evaluate the program as it was before plugins' normalizers changed it",
               on({Command::Run}), flag<&O::no_normalizers>},
    OptionInfo{"--jobs", "-j", "N", "threads that emit code; default 1", kCode,
               [](O& o, std::string_view v) { return number(v, o.jobs, 1u); }},
    OptionInfo{"--plugin", "-p", "PLUGIN", "load a plugin that the program does not name", kCompile, push<&O::plugins>},
    OptionInfo{"--plugin-dir", "-P", "DIR", "look for plugins there first",
               kCompile | kPlugin | on({Command::Fmt, Command::Doc, Command::Doctor, Command::Explain, Command::Help}),
               push<&O::plugin_dirs>},
    OptionInfo{"--set", "", "PLUGIN.KEY=VALUE", "an option of a plugin; `mim help PLUGIN` lists them", kCompile, add_setting},
    OptionInfo{"--pipeline", "", "EXPR", "the phases to run, as a Mim expression", kCompile, text<&O::pipeline>},
    OptionInfo{"--print-after", "", "PHASE|all", "print the program after a phase, or after each that changed it", kCompile,
               text<&O::print_after>},
    OptionInfo{"--names", "", "OF",
               "names in printed programs: those of the graph (the default) or, as far as known, of the source", kCompile,
               set_names},
    OptionInfo{"--start-at", "", "PHASE", "leave out the phases before this one", kCompile, text<&O::start_at>},
    OptionInfo{"--stop-after", "", "PHASE", "leave out the phases after this one", kCompile, text<&O::stop_after>},
    OptionInfo{"--verify-each", "", "", "check all invariants of the graph after each phase", kCompile, flag<&O::verify_each>},
    OptionInfo{"--time", "", "", "print the time that each phase took", kCompile, flag<&O::time>},
    OptionInfo{"--stats", "", "", "print the numbers of nodes after each phase", kCompile, flag<&O::stats>},
    OptionInfo{"--trace", "", "FILE", "write times in the format of Chrome's trace viewer", kCompile, text<&O::trace>},
    OptionInfo{"--budget", "", "N", "steps that partial evaluation may take", kCompile,
               [](O& o, std::string_view v) { return number<uint64_t>(v, o.budget, 1); }},
    OptionInfo{"--max-stack", "", "N", "MiB of stack that partial evaluation may take; default 192", kCompile,
               [](O& o, std::string_view v) { return number<uint64_t>(v, o.max_stack, 1); }},
    OptionInfo{"--max-memory", "", "N", "MiB that the graph may take", kCompile,
               [](O& o, std::string_view v) { return number<uint64_t>(v, o.max_memory, 1); }},
    OptionInfo{"--max-errors", "", "N", "stop after so many errors; default 20, 0 is no limit", kReads,
               [](O& o, std::string_view v) { return number<size_t>(v, o.max_errors); }},
    OptionInfo{"--werror", "", "", "warnings are errors", kReads, flag<&O::werror>},
    OptionInfo{"--diagnostics", "", "FORM", "text or json (one object a line)", kReads, set_diagnostics},
    OptionInfo{"--color", "", "WHEN", "auto, always or never; auto is never where NO_COLOR is set",
               kReads | kPlugin | on({Command::Doctor}), set_color},
    OptionInfo{"--verbose", "-v", "",
               "say more: how patterns are matched, arrays that are copied, rules that never fired, commands that were run",
               kCompile | on({Command::Doctor}), flag<&O::verbose>},
    OptionInfo{"--check", "", "", "change nothing; exit with 1 if a file is not in the canonical layout", on({Command::Fmt}),
               flag<&O::check>},
    OptionInfo{"--fix", "", "", "write calls as operators where these mean the same", on({Command::Fmt}), flag<&O::fix>},
    OptionInfo{"--markdown", "", "", "all commands and options, or all diagnostics, as a page",
               on({Command::Help, Command::Explain}), flag<&O::markdown>},
};

template<class Names>
std::string did_you_mean(const Names& names, std::string_view name) {
    Nearest nearest(name);
    for (auto& candidate : names) nearest.offer(candidate);
    return nearest.best.empty() ? "" : "; did you mean " + ticked(nearest.best) + "?";
}

/// Reads one command line from left to right.
class OptionReader {
public:
    OptionReader(int argc, const char* const* argv) {
        for (int i = 1; i < argc; ++i) words_.emplace_back(argv[i]);
    }

    ParsedCommandLine read() {
        for (auto& w : words_) out_.options.command_line += (out_.options.command_line.empty() ? "mim " : " ") + std::string(w);
        while (at_ < words_.size() && out_.error.empty() && !out_.help && !out_.version && !out_.print_plugin_dir) word();
        if (out_.error.empty() && !out_.help && !out_.version && !out_.print_plugin_dir) finish();
        return std::move(out_);
    }

private:
    Command command() const { return out_.options.command; }

    void word() {
        auto w = words_[at_++];
        if (!only_operands_ && w == "--") {
            only_operands_ = true;
        } else if (only_operands_ || w == "-" || !w.starts_with('-')) {
            operand(w);
        } else if (w == "--help" || (w == "-h" && !has_own_h())) {
            out_.help = true;
        } else if (w == "--version") {
            out_.version = true;
        } else if (w == "--print-plugin-dir") {
            out_.print_plugin_dir = true;
        } else {
            option(w);
        }
    }

    void operand(std::string_view w) {
        if (!has_command_) {
            auto it      = std::ranges::find(kCommands, w, &CommandInfo::name);
            bool is_own  = it != kCommands.end();
            has_command_ = is_own || find_command_of_plugin(w);
            if (is_own) out_.options.command = it->id;
            return;
        }
        out_.options.files.emplace_back(w);
        if (command() != Command::Run) return;
        // Whatever follows the file is the program's.
        for (; at_ < words_.size(); ++at_) out_.options.args.emplace_back(words_[at_]);
    }

    void option(std::string_view w) {
        if (!has_command_) {
            out_.error = "a command must come before the option " + ticked(w);
            return;
        }
        if (command() == Command::OfPlugin && own_option(w)) return;
        std::string_view name   = w, value;
        bool has_value          = false;
        const OptionInfo* found = nullptr;
        if (w.starts_with("--")) {
            if (auto eq = w.find('='); eq != w.npos) name = w.substr(0, eq), value = w.substr(eq + 1), has_value = true;
            if (auto it = std::ranges::find(kOptions, name, &OptionInfo::name); it != kOptions.end()) found = &*it;
        } else {
            name    = w.substr(0, 2);
            auto is = [&](const OptionInfo& o) { return o.short_name == name && o.is_of(command()); };
            if (auto it = std::ranges::find_if(kOptions, is); it != kOptions.end()) found = &*it;
            if (found && found->value.empty() && w.size() > 2) { // flags of one letter may be joined
                apply(*found, name, {}, false);
                return out_.error.empty() ? option("-" + std::string(w.substr(2))) : void();
            }
            if (w.size() > 2) value = w.substr(2), has_value = true;
        }
        if (!found || !found->is_of(command())) {
            out_.error = ticked("mim " + command_name()) + " has no option " + ticked(name) + nearest_option(name);
            return;
        }
        apply(*found, name, value, has_value);
    }

    /// Takes the next word as the value of an option that needs one and has none. False after an error. `wanted`: empty
    /// for a flag.
    bool check_value(std::string_view name, std::string_view wanted, std::string_view& value, bool has_value) {
        bool needs_value = !wanted.empty();
        if (needs_value == has_value) return true;
        if (has_value) return out_.error = "the option " + ticked(name) + " takes no value", false;
        if (at_ == words_.size())
            return out_.error = "the option " + ticked(name) + " needs a value: " + std::string(wanted), false;
        value = words_[at_++];
        return true;
    }

    void apply(const OptionInfo& option, std::string_view name, std::string_view value, bool has_value) {
        if (!check_value(name, option.value, value, has_value)) return;
        if (auto wrong = option.set(out_.options, value))
            out_.error = "the option " + ticked(name) + " needs " + *wrong + ", got " + ticked(value);
    }

    void finish() {
        if (!has_command_) {
            out_.error = "no command given";
            return;
        }
        if (command() == Command::OfPlugin) {
            auto& c = out_.options.plugin_command->spec;
            return check_operands(c.operands, c.min_operands, c.max_operands);
        }
        auto& c = info(command());
        check_operands(c.operands, c.min_operands, c.max_operands);
        if (out_.error.empty()) check_together();
    }

    void check_operands(std::string_view operands, unsigned min, unsigned max) {
        auto n    = out_.options.files.size();
        auto name = ticked("mim " + command_name());
        if (n < min) out_.error = name + " needs " + std::string(operands);
        else if (max != kAny && n > max) out_.error = name + " takes no " + ticked(out_.options.files[max]);
    }

    std::string command_name() const {
        auto& of_plugin = out_.options.plugin_command;
        return of_plugin ? of_plugin->spec.name : std::string(info(command()).name);
    }

    std::string nearest_option(std::string_view name) const {
        std::vector<std::string_view> names;
        for (auto& o : kOptions)
            if (o.is_of(command())) names.push_back(o.name);
        if (auto& of_plugin = out_.options.plugin_command)
            for (auto& o : of_plugin->spec.options) names.push_back(o.name);
        return did_you_mean(names, name);
    }

    // --- commands of plugins
    // --------------------------------------------------------------------------------------------------

    /// The folders of --plugin-dir, as far as they can be told before the command is known, whose options decide what
    /// is a value.
    std::vector<std::string> plugin_dirs_ahead() const {
        std::vector<std::string> dirs;
        for (size_t i = at_; i < words_.size() && words_[i] != "--"; ++i) {
            auto word      = words_[i];
            bool letters   = word.size() > 1 && word[0] == '-' && word[1] != '-'; // flags of one letter may come before the `P`
            auto behind    = letters ? word.find('P') : word.npos;
            bool is_joined = behind != word.npos && behind + 1 != word.size();
            bool is_next   = word == "--plugin-dir" || (behind != word.npos && !is_joined);
            if (is_joined) dirs.emplace_back(word.substr(behind + 1));
            else if (is_next && i + 1 < words_.size()) dirs.emplace_back(words_[i + 1]);
            else if (word.starts_with("--plugin-dir=")) dirs.emplace_back(word.substr(word.find('=') + 1));
        }
        return dirs;
    }

    /// False after an error.
    bool find_command_of_plugin(std::string_view name) {
        Manifests manifests(SearchPath(plugin_dirs_ahead()).dirs());
        auto found = manifests.with_command(name);
        if (found.size() == 1) {
            out_.options.command        = Command::OfPlugin;
            out_.options.plugin_command = PluginCommand{found[0]->plugin, found[0]->path, *found[0]->command(name), {}};
            return true;
        }
        if (found.size() > 1) {
            out_.error = "the command " + ticked(name) + " is that of the plugin " + ticked(found[0]->plugin)
                         + " and of the plugin " + ticked(found[1]->plugin);
            return false;
        }
        std::vector<std::string_view> names;
        for (auto& c : kCommands) names.push_back(c.name);
        for (auto& m : manifests.all())
            for (auto& c : m.commands) names.push_back(c.name);
        out_.error = "unknown command " + ticked(name) + did_you_mean(names, name);
        for (auto& bad : manifests.bad())
            out_.error += "\nmim: " + message(Diag::bad_manifest, {bad.path, bad.plugin, bad.problem});
        return false;
    }

    bool has_own_h() const {
        auto& of_plugin = out_.options.plugin_command;
        return of_plugin
               && std::ranges::find(of_plugin->spec.options, "-h", &CommandOption::short_name) != of_plugin->spec.options.end();
    }

    /// Whether the word is an option of the plugin's command; it is taken then, or there is an error.
    bool own_option(std::string_view w) {
        auto& c      = *out_.options.plugin_command;
        bool is_long = w.starts_with("--");
        auto equals  = is_long ? w.find('=') : w.npos;
        auto name    = is_long ? w.substr(0, equals) : w.substr(0, 2);
        auto key     = is_long ? &CommandOption::name : &CommandOption::short_name;
        auto option  = std::ranges::find(c.spec.options, name, key);
        if (option == c.spec.options.end()) return false;
        bool is_flag   = option->value.empty();
        bool is_joined = !is_long && w.size() > 2;
        if (is_flag && is_joined) { // flags of one letter may be joined
            c.given.push_back({option->name, {}});
            this->option("-" + std::string(w.substr(2)));
            return true;
        }
        bool has_value = is_joined || equals != w.npos;
        auto value     = equals != w.npos ? w.substr(equals + 1) : is_joined ? w.substr(2) : std::string_view();
        if (!check_value(name, option->value, value, has_value)) return true;
        c.given.push_back({option->name, std::string(value)});
        return true;
    }

    /// Options that only make sense without something else, which would be ignored in silence.
    void check_together() {
        auto& o = out_.options;
        if (o.markdown && o.command == Command::Help && !o.files.empty())
            out_.error = "the page of `--markdown` is of all, so it takes no " + ticked(o.files[0]);
        bool evaluates = o.eval && o.pipeline.empty() && o.stop_after.empty();
        if (o.no_normalizers && !evaluates) out_.error = "`--no-normalizers` needs `--eval`, and no phases";
        bool many = o.emit.size() + o.plugin_emit.size() > 1;
        if (many && o.output == "-") out_.error = "only one output can go to standard output: `--emit` names several";
    }

    std::vector<std::string_view> words_;
    size_t at_          = 0;
    bool has_command_   = false;
    bool only_operands_ = false;
    ParsedCommandLine out_;
};

} // namespace

std::span<const CommandInfo> commands() { return kCommands; }
std::span<const EmitInfo> emits() { return kEmits; }
std::span<const OptionInfo> options() { return kOptions; }

const CommandInfo& info(Command c) { return kCommands[static_cast<size_t>(c)]; }

ParsedCommandLine parse_command_line(int argc, const char* const* argv) { return OptionReader(argc, argv).read(); }

} // namespace mim
