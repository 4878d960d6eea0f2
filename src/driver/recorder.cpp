// SPDX-License-Identifier: MIT
#include "driver/recorder.h"

#include <algorithm>

#include "driver/options.h"
#include "driver/pipeline.h"

namespace mim {

namespace {

constexpr auto kNoFunction = " has no function";

bool is_word_char(char c) {
    bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    bool is_digit  = c >= '0' && c <= '9';
    return is_letter || is_digit || c == '_' || c == '-';
}

/// Letters, digits, `_` and `-`, and no option.
bool is_word(std::string_view text) { return !text.empty() && text[0] != '-' && std::ranges::all_of(text, is_word_char); }

/// Words with dots between them.
bool is_dotted(std::string_view name) {
    for (auto dot = name.find('.'); dot != name.npos; dot = name.find('.')) {
        if (!is_word(name.substr(0, dot))) return false;
        name.remove_prefix(dot + 1);
    }
    return is_word(name);
}

bool is_text(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) >= ' '; });
}

/// Also one of other languages, and `literal`, which stands for a literal beside an operator.
bool is_operator(std::string_view text) {
    constexpr std::string_view signs = "!#$%&*+-/<=>?@^|~";
    return text == "literal" || text.find_first_not_of(signs) == text.npos;
}

template<class List, class Name, class Key>
bool has(const List& list, const Name& name, Key key) {
    return std::ranges::find(list, name, key) != list.end();
}

bool is_long_option(std::string_view name) { return name.starts_with("--") && is_word(name.substr(2)); }
bool is_short_option(std::string_view name) {
    return name.empty() || (name.size() == 2 && name[0] == '-' && name[1] != '-' && is_word(name.substr(1)));
}

/// Options that each command of a plugin has.
bool is_common(std::string_view name) {
    if (name == "--help") return true;
    for (auto& option : options()) {
        bool is_of_plugins = option.commands >> static_cast<unsigned>(Command::OfPlugin) & 1;
        if (is_of_plugins && !name.empty() && (option.name == name || option.short_name == name)) return true;
    }
    return false;
}

} // namespace

bool Recorder::are_texts(const std::string& hook, std::initializer_list<std::string_view> texts) {
    bool ok = std::ranges::all_of(texts, is_text);
    if (!ok) fault(hook + " has a text with a control character");
    return ok;
}

void Recorder::phase(std::string_view name, std::string_view summary, bool has_function) {
    auto hook   = "the phase " + ticked(name);
    auto prefix = manifest.plugin + ".";
    bool is_own = name.starts_with(prefix) && is_dotted(name.substr(prefix.size()));
    phases_.emplace_back(name);
    if (!is_own) return fault(hook + " has no name such as " + ticked(prefix + "lower"));
    if (!has_function) return fault(hook + kNoFunction);
    are_texts(hook, {summary});
}

void Recorder::front_end(std::string_view extension, bool has_function) {
    auto hook = "the front end for " + ticked("." + std::string(extension));
    if (!is_word(extension)) return fault(hook + " has no name of letters, digits, `_` and `-`");
    if (extension == "mim") return fault(hook + " is Mim's own");
    if (has(manifest.extensions, extension, std::identity())) return fault(hook + " is registered twice");
    if (!has_function) return fault(hook + kNoFunction);
    manifest.extensions.emplace_back(extension);
}

void Recorder::formatter(std::string_view extension, bool has_function) {
    auto hook = "the formatter for " + ticked("." + std::string(extension));
    if (!has(manifest.extensions, extension, std::identity()))
        return fault(hook + " comes before its front end, or there is none");
    if (has(manifest.formatters, extension, std::identity())) return fault(hook + " is registered twice");
    if (!has_function) return fault(hook + kNoFunction);
    manifest.formatters.emplace_back(extension);
}

void Recorder::back_end(std::string_view name, std::string_view suffix, std::string_view summary, bool has_function) {
    auto hook = "the output " + ticked(name);
    if (!is_word(name)) return fault(hook + " has no name of letters, digits, `_` and `-`");
    if (has(emits(), name, &EmitInfo::name)) return fault(hook + " is Mim's own");
    if (has(manifest.outputs, name, &Manifest::Output::name)) return fault(hook + " is registered twice");
    if (!has_function) return fault(hook + kNoFunction);
    if (suffix.find('/') != suffix.npos)
        return fault(hook + " has the suffix " + ticked(suffix) + ", which names another folder");
    if (are_texts(hook, {suffix, summary}))
        manifest.outputs.push_back({std::string(name), std::string(suffix), std::string(summary)});
}

void Recorder::operator_call(std::string_view op, std::string_view call) {
    auto hook = "the call for the operator " + ticked(op);
    if (op.empty() || call.empty()) return fault(hook + " is empty");
    if (!is_operator(op)) return fault(hook + " is for no operator");
    if (has(manifest.operators, op, &Manifest::Operator::text)) return fault(hook + " is registered twice");
    if (are_texts(hook, {op, call})) manifest.operators.push_back({std::string(op), std::string(call)});
}

void Recorder::option(std::string_view key, const SettingValue& value, std::string_view summary) {
    auto hook = "the option " + ticked(key);
    if (!is_word(key)) return fault(hook + " has no name of letters, digits, `_` and `-`");
    if (has(manifest.options, key, &Manifest::Option::key)) return fault(hook + " is registered twice");
    if (are_texts(hook, {summary, value.to_string()}))
        manifest.options.push_back({std::string(key), std::string(value.kind()), value.to_string(), std::string(summary)});
}

void Recorder::command_option(const CommandSpec& spec, const CommandOption& option) {
    auto hook = "the option " + ticked(option.name) + " of the command " + ticked(spec.name);
    if (!is_long_option(option.name)) return fault(hook + " has no name such as `--all`");
    if (!is_short_option(option.short_name)) return fault(hook + " has no short name such as `-a`: " + ticked(option.short_name));
    if (is_common(option.name) || is_common(option.short_name)) return fault(hook + " is one that each command has");
    are_texts(hook, {option.value, option.summary});
    auto& all       = spec.options;
    bool is_twice   = std::ranges::count(all, option.name, &CommandOption::name) > 1;
    bool is_letter2 = !option.short_name.empty() && std::ranges::count(all, option.short_name, &CommandOption::short_name) > 1;
    if (is_twice || is_letter2) fault(hook + " is registered twice");
}

void Recorder::command(const CommandSpec& spec, bool has_function) {
    auto hook = "the command " + ticked(spec.name);
    if (!is_word(spec.name)) return fault(hook + " has no name of letters, digits, `_` and `-`");
    if (has(commands(), spec.name, &CommandInfo::name)) return fault(hook + " is Mim's own");
    if (has(manifest.commands, spec.name, &CommandSpec::name)) return fault(hook + " is registered twice");
    if (!has_function) return fault(hook + kNoFunction);
    if (spec.min_operands > spec.max_operands) return fault(hook + " needs more operands than it takes");
    if (spec.failure != 1 && spec.failure != 2) return fault(hook + " has another status of failure than 1 or 2");
    if (!are_texts(hook, {spec.operands, spec.summary, spec.status})) return;
    for (auto& option : spec.options) command_option(spec, option);
    manifest.commands.push_back(spec);
}

void Recorder::library(const RuntimeLibrary& library) {
    auto hook = "the library " + ticked(library.name);
    if (!is_word(library.name)) return fault(hook + " has no name of letters, digits, `_` and `-`");
    if (has(manifest.libraries, library.name, &RuntimeLibrary::name)) return fault(hook + " is registered twice");
    for (auto& system : library.system_libraries)
        if (!is_word(system)) return fault(hook + " needs " + ticked(system) + ", which cannot be the name of a library");
    if (are_texts(hook, {library.advice})) manifest.libraries.push_back(library);
}

void Recorder::extension_point(std::string_view name, std::string_view summary) {
    auto hook     = "the extension point " + ticked(name);
    auto prefix   = manifest.plugin + ".";
    bool is_plain = is_word(name) && manifest.plugin == default_pipeline_plugin();
    bool is_own   = name.starts_with(prefix) && is_word(name.substr(prefix.size()));
    if (!is_plain && !is_own) return fault(hook + " has no name such as " + ticked(prefix + "middle"));
    if (has(manifest.extension_points, name, &Manifest::ExtensionPoint::name)) return fault(hook + " is registered twice");
    if (are_texts(hook, {summary})) manifest.extension_points.push_back({std::string(name), std::string(summary)});
}

Join& Recorder::join(std::string_view point, std::string_view phase) {
    return joins.emplace_back(Join{std::string(point), std::string(phase), manifest.plugin, {}, {}, {}});
}

static std::string hook_of(const Join& join) {
    return "the phase " + ticked(join.phase) + " at the extension point " + ticked(join.point);
}

void Recorder::check_order(const Join& join, const char* relation, const std::vector<std::string>& phases) {
    auto is_to_run = hook_of(join) + " is to run " + relation + " ";
    for (auto& phase : phases) {
        if (phase == join.phase) fault(is_to_run + "itself");
        else if (!is_dotted(phase)) fault(is_to_run + ticked(phase) + ", which no phase can be called");
    }
}

/// Phases of others may come later.
void Recorder::check_joins() {
    for (auto& join : joins) {
        auto hook       = hook_of(join);
        bool is_own     = join.phase.starts_with(manifest.plugin + ".");
        bool is_missing = is_own && !has(phases_, join.phase, std::identity());
        if (!is_dotted(join.phase)) fault(hook + " has no name such as " + ticked(manifest.plugin + ".lower"));
        else if (is_missing) fault(hook + " is not registered");
        if (!is_dotted(join.point)) fault(hook + " joins what no extension point can be called");
        auto is_same  = [&](const Join& other) { return other.point == join.point && other.phase == join.phase; };
        bool is_twice = std::ranges::count_if(joins, is_same) > 1 && &join != &*std::ranges::find_if(joins, is_same);
        if (is_twice) fault(hook + " is registered twice");
        check_order(join, "before", join.before);
        check_order(join, "after", join.after);
    }
}

} // namespace mim
