// SPDX-License-Identifier: MIT
// `mim doc FILE`: Markdown from /// comments, or from what documents declarations in the language of a plugin. The comment that opens the file, also right above its `plugin` lines, is the
// introduction, followed by a table of what is declared. Each declaration that has a comment gets a heading, its text in the source (of a function, the head) and the comment;
// those that follow it without a blank line and without a comment of their own belong to it. Comments that a blank line follows stand
// between the declarations, for headings. Syntax alone: nothing is elaborated.
#include <algorithm>

#include "driver/commands.h"
#include "driver/output.h"
#include "driver/search.h"
#include "driver/session.h"
#include "syntax/print.h"

namespace mim {

namespace {

/// What a declaration introduces, for the heading; empty if it has no name of its own.
std::string name_of(const ast::Decl* decl) {
    switch (decl->kind) {
        case ast::DeclKind::Let: return print(ast::as<ast::Let>(decl)->pattern);
        case ast::DeclKind::Rec: return ast::as<ast::Rec>(decl)->name.name.str();
        case ast::DeclKind::Fun: return ast::as<ast::Fun>(decl)->name.name.str();
        case ast::DeclKind::Axm: return ast::as<ast::Axm>(decl)->name.name.str();
        case ast::DeclKind::CDecl: return ast::as<ast::CDecl>(decl)->name.name.str();
        case ast::DeclKind::Rule: return ast::as<ast::Rule>(decl)->name.name.str();
        case ast::DeclKind::Op: return "op " + ast::as<ast::Op>(decl)->op.name.str();
        case ast::DeclKind::Plugin: return "plugin " + ast::as<ast::Plugin>(decl)->name.name.str();
        default: return {};
    }
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.back() == ' ' || text.back() == '\n')) text.remove_suffix(1);
    return text;
}

/// The text of a declaration: of a function up to the `=` before its body, of any other whole, with the rest of its last line.
std::string text_of(const ast::Decl* decl, const SourceManager& sources) {
    auto [file, begin, end] = decl->span;
    if (auto fun = ast::isa<ast::Fun>(decl); fun && fun->fun.body->span.file == file) {
        auto text = sources.text({file, begin, fun->fun.body->span.begin});
        return std::string(trimmed(text.substr(0, text.rfind('='))));
    }
    auto text = sources.text(file);
    auto line = std::min(text.find('\n', end), text.size());
    return std::string(trimmed(text.substr(begin, line - begin)));
}

/// Lines without the blank that follows the slashes.
std::string paragraph(std::string_view doc) {
    std::string out;
    while (!doc.empty()) {
        auto line = doc.substr(0, doc.find('\n'));
        doc.remove_prefix(std::min(doc.size(), line.size() + 1));
        if (line.starts_with(' ')) line.remove_prefix(1);
        (out += line) += '\n';
    }
    return out;
}

/// What a table says of a declaration: its first sentence.
std::string first_sentence(std::string_view doc) {
    std::string out;
    for (size_t i = 0; i < doc.size(); ++i) {
        bool stop = doc[i] == '.' && (i + 1 == doc.size() || doc[i + 1] == ' ' || doc[i + 1] == '\n');
        if (stop || doc.substr(i, 2) == "\n\n") break;
        if (doc[i] == '|') out += '\\';
        out += doc[i] == '\n' ? ' ' : doc[i];
    }
    while (out.ends_with(' ') || out.ends_with(':')) out.pop_back();
    return out;
}

/// How Markdown addresses the heading of a name.
std::string anchor(std::string_view name) {
    std::string out;
    for (char c : name)
        if (c == ' ') out += '-';
        else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-') out += c;
        else if (c >= 'A' && c <= 'Z') out += static_cast<char>(c + 32);
    return out;
}

struct Entry {
    std::string name, text, doc;
    std::string section; ///< comments in front of it that are not its own
};

/// The `///` comments of a piece of text that a blank line follows.
std::string free_comments(std::string_view text) {
    std::string out, block;
    while (!text.empty()) {
        auto line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        if (line.starts_with("///")) (block += line.substr(3)) += '\n';
        else if (line.empty() && !block.empty()) out += "\n" + paragraph(std::exchange(block, {}));
        else block.clear();
    }
    return out;
}

std::vector<Entry> entries(const ast::Module& module, const SourceManager& sources) {
    std::vector<Entry> all;
    std::string section;
    uint32_t end   = 0;     // of the declaration before
    bool documents = false; // it has an entry
    for (auto decl : module.decls) {
        auto name = name_of(decl);
        auto gap  = sources.text({module.file, end, decl->span.begin});
        if (end) section += free_comments(gap);
        end = decl->span.end;
        if (!decl->doc.empty() && !name.empty() && decl->kind != ast::DeclKind::Plugin) {
            all.push_back({name, text_of(decl, sources), paragraph(decl->doc), std::exchange(section, {})});
            documents = true;
        } else if (documents && !name.empty() && gap.find("\n\n") == std::string_view::npos) {
            all.back().text += "\n" + text_of(decl, sources);
        } else {
            documents = false;
        }
    }
    return all;
}

std::string page(const ast::Module& module, const std::string& title, const std::string& language, const SourceManager& sources) {
    bool leads = module.doc.empty() && !module.decls.empty() && module.decls[0]->kind == ast::DeclKind::Plugin;
    auto intro = paragraph(leads ? module.decls[0]->doc : module.doc);
    auto out   = intro.starts_with("# ") ? intro : "# " + title + "\n" + (intro.empty() ? "" : "\n") + intro;
    auto all   = entries(module, sources);
    if (!all.empty()) out += "\n| declared | |\n| --- | --- |\n";
    for (auto& e : all) out += "| [`" + e.name + "`](#" + anchor(e.name) + ") | " + first_sentence(e.doc) + " |\n";
    bool sections = std::ranges::any_of(all, [](auto& e) { return !e.section.empty(); });
    for (auto& e : all) {
        out += e.section;
        out += std::string("\n") + (sections ? "###" : "##") + " `" + e.name + "`\n\n```" + language + "\n" + e.text + "\n```\n\n"
               + e.doc;
    }
    return out;
}

} // namespace

int cmd_doc(const Options& o) {
    Session session(o.plugin_dirs);
    auto& diags = session.diags;
    return with_diagnostics(diags, o, [&] {
        auto& path  = o.files.front();
        auto module = session.set(o.settings) ? session.read_tree(path) : nullptr;
        if (!module) return false;
        auto title    = path == "-" ? std::string("Standard input") : stem_of(path);
        auto language = extension_of(path);
        bool is_mim   = language.empty() || !session.sources.is_foreign(module->file);
        auto markdown = page(*module, title, is_mim ? "mim part" : language, session.sources);
        auto output   = o.output.empty() ? std::string("-") : o.output;
        std::string error;
        if (write_result(output, markdown, o.files, error)) return true;
        diags.report(Diag::cannot_write, {}, {output, error});
        return false;
    });
}

} // namespace mim
