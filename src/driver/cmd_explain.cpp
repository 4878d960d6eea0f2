// SPDX-License-Identifier: MIT
// `mim explain CODE`: what a diagnostic means, a program that causes it and one that does not. Without a code: all of them, one line
// each. On the terminal the pages lose the marks of Markdown.
#include <algorithm>

#include <unistd.h>

#include "driver/commands.h"
#include "driver/explain.h"

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

/// All diagnostics by their codes: errors, warnings, notes.
std::vector<const DiagInfo*> sorted() {
    std::vector<const DiagInfo*> all;
    for (size_t i = 0; i < num_diags(); ++i) all.push_back(&info(static_cast<Diag>(i)));
    auto key = [](const DiagInfo* d) { return std::pair(-static_cast<int>(d->severity), d->code); };
    std::ranges::sort(all, {}, key);
    return all;
}

std::string list() {
    std::string out;
    for (auto d : sorted()) out += std::string(d->code) + "  " + outline(*d) + "\n";
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

/// doc/errors/index.md
std::string index() {
    std::string out = "# Diagnostics\n\nMade by `mim explain --markdown`. `mim explain CODE` shows a page in the terminal.\n";
    std::string_view last;
    for (auto d : sorted()) {
        if (auto f = family(d->code); f != last)
            out += "\n## " + std::string(last = f) + "\n\n| code | message |\n| --- | --- |\n";
        auto code = std::string(d->code), text = outline(*d);
        for (size_t i = text.find('|'); i != text.npos; i = text.find('|', i + 2)) text.insert(i, "\\");
        out += "| [" + code + "](" + code + ".md) | " + text + " |\n";
    }
    return out;
}

/// Links become their text, blocks of code are indented, headings are plain.
std::string plain(std::string_view markdown) {
    std::string out;
    bool code = false;
    while (!markdown.empty()) {
        auto line = markdown.substr(0, markdown.find('\n'));
        markdown.remove_prefix(std::min(markdown.size(), line.size() + 1));
        if (line.starts_with("```")) {
            code = !code;
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

/// False if there is no such code.
bool explain(std::string code, std::string& out) {
    for (auto& c : code)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
    auto pages = error_pages();
    auto page  = std::ranges::find(pages, code, &ErrorPage::code);
    if (page == pages.end()) return false;
    out += (out.empty() ? "" : "\n") + plain(page->text);
    return true;
}

} // namespace

int cmd_explain(const Options& o) {
    std::string out = o.markdown ? index() : o.files.empty() ? list() : "";
    for (auto& code : o.files)
        if (!explain(code, out)) {
            print_error("mim: no diagnostic has the code `" + code + "`; `mim explain` lists them\n");
            return kUsageError;
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
