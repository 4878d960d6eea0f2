// SPDX-License-Identifier: MIT
// `mim explain CODE`: what a diagnostic means, a program that causes it and one that does not. With the name of a plugin: its diagnostics,
// one line each; without anything: all of them. On the terminal the pages lose the marks of Markdown.
#include <algorithm>

#include <unistd.h>

#include "driver/commands.h"
#include "driver/explain.h"
#include "driver/installed.h"
#include "driver/search.h"

namespace mim {

std::string outline(const DiagInfo& d) {
    std::string out;
    for (size_t i = 0; i < d.message.size(); ++i) {
        bool hole = d.message[i] == '{' && i + 2 < d.message.size() && d.message[i + 2] == '}';
        if (hole) out += "…", i += 2;
        else out += d.message[i];
    }
    return out;
}

namespace {

/// A diagnostic of Mim or of a plugin.
struct Explained {
    DiagInfo info;
    std::string_view page, former;
};

bool is_before(const Explained& a, const Explained& b) {
    auto key = [](const Explained& e) { return std::pair(-static_cast<int>(e.info.severity), e.info.code); };
    return key(a) < key(b);
}

/// Mim's own by their codes: errors, warnings, notes.
std::vector<Explained> own() {
    std::vector<Explained> all;
    for (auto& d : all_diagnostics()) {
        auto page = std::ranges::find(error_pages(), d.code, &ErrorPage::code);
        all.push_back({d, page == error_pages().end() ? std::string_view() : page->text, {}});
    }
    std::ranges::sort(all, is_before);
    return all;
}

/// Likewise, those of a plugin.
std::vector<Explained> of_plugin(const InstalledPlugin& plugin) {
    std::vector<Explained> all;
    for (auto& d : diagnostics_of(plugin)) all.push_back({d.info, d.page, d.former});
    std::ranges::sort(all, is_before);
    return all;
}

std::string lines(const std::vector<Explained>& all) {
    std::string out;
    for (auto& e : all) out += std::string(e.info.code) + "  " + outline(e.info) + "\n";
    return out;
}

std::string list(const std::vector<InstalledPlugin>& plugins) {
    auto out = lines(own());
    for (auto& plugin : plugins) out += lines(of_plugin(plugin));
    return out + "\n`mim explain CODE` shows an example and its remedy\n";
}

std::string_view family(std::string_view code) {
    if (code[0] == 'W') return "Warnings";
    if (code[0] == 'N') return "Notes";
    switch (code[1]) {
        case '0': return "Text and syntax";
        case '1': return "Names";
        case '2': return "Types";
        case '3': return "Tokens and effects";
        case '4': return "Plugins, files, phases";
        default: return "Evaluation and code generation";
    }
}

std::string row(const Explained& e) {
    auto code = std::string(e.info.code), text = outline(e.info);
    for (size_t i = text.find('|'); i != text.npos; i = text.find('|', i + 2)) text.insert(i, "\\");
    return "| [" + code + "](" + code + ".md) | " + text + " |\n";
}

constexpr const char* kColumns = "\n| code | message |\n| --- | --- |\n";

/// doc/errors/index.md
std::string index() {
    std::string out = "# Diagnostics\n\nMade by `mim explain --markdown`. `mim explain CODE` shows a page in the terminal; those "
                      "of a plugin are "
                      "listed by\n`mim explain PLUGIN`.\n";
    std::string_view last;
    for (auto& e : own()) {
        if (auto f = family(e.info.code); f != last) out += "\n## " + std::string(last = f) + "\n" + kColumns;
        out += row(e);
    }
    return out;
}

/// plug/NAME/doc/errors/index.md
std::string index(const InstalledPlugin& plugin) {
    auto out = "# Diagnostics of the plugin `" + plugin.name + "`\n\nMade by `mim explain --markdown " + plugin.name + "`.\n"
               + kColumns;
    for (auto& e : of_plugin(plugin)) out += row(e);
    return out;
}

/// The line above a program, by the words behind the fence: those of one that is wrong name its diagnostic.
std::string_view label_of(std::string_view fence) {
    static constexpr std::string_view kMim = "```mim";
    if (!fence.starts_with(kMim) || fence.find(" file=") != fence.npos) return {};
    auto words    = fence.substr(kMim.size());
    auto is_wrong = words.find(" rejected") != words.npos;
    for (size_t i = 0; i + 2 < words.size() && !is_wrong; ++i) {
        bool is_code = words[i] == ' ' && std::string_view("EWN").find(words[i + 1]) != words.npos;
        is_wrong     = is_code && (words[i + 2] == '-' || (words[i + 2] >= '0' && words[i + 2] <= '9'));
    }
    return is_wrong ? "wrong:\n" : "right:\n";
}

/// Links become their text, blocks of code are indented and say whether they are right, headings are plain.
std::string plain(std::string_view markdown) {
    std::string out;
    bool code = false;
    while (!markdown.empty()) {
        auto line = markdown.substr(0, markdown.find('\n'));
        markdown.remove_prefix(std::min(markdown.size(), line.size() + 1));
        if (line.starts_with("```")) {
            code = !code;
            if (code) out += label_of(line);
            continue;
        }
        if (code) {
            out += line.empty() ? "\n" : "    " + std::string(line) + "\n";
            continue;
        }
        if (line.starts_with("# ")) line.remove_prefix(2);
        std::string text(line);
        for (size_t i; (i = text.find("](")) != text.npos;) {
            auto open = text.rfind('[', i), close = text.find(')', i);
            if (open == text.npos || close == text.npos) break;
            text.erase(i, close + 1 - i).erase(open, 1);
        }
        out += text + "\n";
    }
    return out;
}

/// Whether both are one code; codes may be written small.
bool is_code(std::string_view a, std::string_view b) {
    auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    return std::ranges::equal(a, b, {}, small, small);
}

/// The page of this code, or of the diagnostic that had it before; empty if there is none.
std::string page_of(const std::vector<Explained>& all, std::string_view code) {
    for (auto& e : all) {
        if (is_code(e.info.code, code)) return plain(e.page);
        if (!e.former.empty() && is_code(e.former, code))
            return std::string(e.former) + " is " + std::string(e.info.code) + " now\n\n" + plain(e.page);
    }
    return {};
}

/// Why nobody knows the diagnostics of a plugin; empty if they are known.
std::string problem_of(const InstalledPlugin& plugin) {
    auto problem = library_problem(plugin);
    return problem.empty() ? manifest_problem(plugin) : problem;
}

/// A page, or all diagnostics of a plugin; empty if the word is neither a code nor a plugin's name. There is Markdown of the latter only.
std::string explain(const std::string& word, const std::vector<InstalledPlugin>& plugins, bool markdown) {
    auto plugin = std::ranges::find(plugins, word, &InstalledPlugin::name);
    if (plugin != plugins.end()) {
        auto all = markdown ? index(*plugin) : lines(of_plugin(*plugin));
        if (all.empty() && !problem_of(*plugin).empty()) return {};
        return all.empty() ? "the plugin `" + word + "` has no diagnostics of its own\n" : all;
    }
    if (markdown) return {};
    if (auto page = page_of(own(), word); !page.empty()) return page;
    for (auto& p : plugins)
        if (auto page = page_of(of_plugin(p), word); !page.empty()) return page;
    return {};
}

/// Says why there is no page: a code that no library has, or one of a plugin whose library cannot be used.
std::string no_page(const std::string& word, const std::vector<InstalledPlugin>& plugins, bool markdown) {
    for (auto& p : plugins) {
        bool is_named = p.name == word || word.find("-" + p.name + "-") == 1;
        auto problem  = is_named ? problem_of(p) : std::string();
        if (!problem.empty()) return "the library of the plugin `" + p.name + "` cannot be used: " + problem;
    }
    if (markdown) return "the page of `--markdown` is of all, or of a plugin, so it takes no `" + word + "`";
    return "no diagnostic has the code `" + word + "`; `mim explain` lists them";
}

} // namespace

int cmd_explain(const Options& o) {
    auto plugins = installed_plugins(SearchPath(o.plugin_dirs).dirs());
    std::string out;
    if (o.files.empty()) out = o.markdown ? index() : list(plugins);
    for (auto& word : o.files) {
        auto page = explain(word, plugins, o.markdown);
        if (page.empty()) {
            print_error("mim: " + no_page(word, plugins, o.markdown) + "\n");
            return kUsageError;
        }
        out += (out.empty() ? "" : "\n") + page;
    }
    print_text(out);
    return kDone;
}

void point_to_pages(const Diagnostics& diags, const Options& o) {
    static constexpr size_t MaxCodes = 4;
    if (o.json || !::isatty(2)) return;
    std::vector<std::string_view> codes;
    for (auto& d : diags.all())
        if (codes.size() < MaxCodes && std::ranges::find(codes, info(d.id).code) == codes.end()) codes.push_back(info(d.id).code);
    if (codes.empty()) return;
    std::string text = "for more: mim explain";
    for (auto c : codes) text += " " + std::string(c);
    print_error(text + "\n");
}

} // namespace mim
