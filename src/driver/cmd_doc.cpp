// SPDX-License-Identifier: MIT
// `mim doc FILE`: Markdown from /// comments. Each declaration that has a comment gets a heading, its head (without the body) in the
// canonical layout, and its text; the comment that opens the file is the introduction. Syntax alone: nothing is elaborated.
#include <algorithm>

#include "driver/commands.h"
#include "driver/output.h"
#include "driver/search.h"
#include "syntax/parse.h"
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
        case ast::DeclKind::Plugin: return "plugin " + ast::as<ast::Plugin>(decl)->name.name.str();
        default: return {};
    }
}

const ast::Expr* body_of(const ast::Decl* decl) {
    if (auto let = ast::isa<ast::Let>(decl)) return let->value;
    if (auto fun = ast::isa<ast::Fun>(decl)) return fun->fun.body;
    return nullptr;
}

/// The declaration up to the `=` before its body; types and rules are shown whole.
std::string head_of(const ast::Decl* decl, const SourceManager& sources) {
    auto body = body_of(decl);
    if (!body || body->span.file != decl->span.file) return print(decl);
    auto text = sources.text({decl->span.file, decl->span.begin, body->span.begin});
    auto end  = text.rfind('=');
    text      = text.substr(0, end == text.npos ? text.size() : end);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\n')) text.remove_suffix(1);
    return std::string(text);
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

std::string page(const ast::Module& module, const std::string& title, const SourceManager& sources) {
    auto out = "# " + title + "\n";
    if (!module.doc.empty()) out += "\n" + paragraph(module.doc);
    for (auto decl : module.decls) {
        auto name = name_of(decl);
        if (decl->doc.empty() || name.empty()) continue;
        out += "\n## `" + name + "`\n\n```mim\n" + head_of(decl, sources) + "\n```\n\n" + paragraph(decl->doc);
    }
    return out;
}

} // namespace

int cmd_doc(const Options& o) {
    SourceManager sources;
    Diagnostics diags(sources);
    SymbolTable symbols;
    return with_diagnostics(diags, o, [&] {
        auto& path = o.files.front();
        std::string text, error;
        if (!read_file(path, text, error)) return diags.report(Diag::cannot_read, {}, {path, error}), false;
        auto file   = sources.add(path == "-" ? "<stdin>" : path, std::move(text));
        auto module = parse(file, sources, symbols, diags);
        if (diags.num_errors() != 0) return false;
        auto output = o.output.empty() ? std::string("-") : o.output;
        auto title  = path == "-" ? std::string("Standard input") : stem_of(path);
        if (!write_output(output, page(module, title, sources), error))
            return diags.report(Diag::cannot_write, {}, {output, error}), false;
        return true;
    });
}

} // namespace mim
