// SPDX-License-Identifier: MIT
// Parsing in one call, for the tests of this folder.
#pragma once
#include <string>
#include <vector>

#include "diag/diag.h"
#include "syntax/dump.h"
#include "syntax/format.h"
#include "syntax/parse.h"
#include "syntax/print.h"

namespace mim::test {

struct Parsed {
    SourceManager sources;
    SymbolTable symbols;
    Diagnostics diags{sources};
    ast::Module module;

    explicit Parsed(std::string text, ParseOptions options = {}) {
        diags.max_errors = 0;
        module           = parse(sources.add("test.mim", std::move(text)), sources, symbols, diags, options);
    }
    bool ok() const { return diags.num_errors() == 0; }
    /// What the diagnostics say, one a line: `2:5 expected …`.
    std::string errors() const {
        std::string s;
        for (auto& d : diags.all()) {
            auto at = sources.line_col(d.span.file, d.span.begin);
            s += std::to_string(at.line) + ":" + std::to_string(at.col) + " " + message(d.id, d.args) + "\n";
        }
        return s;
    }
    bool has(Diag id) const {
        for (auto& d : diags.all())
            if (d.id == id) return true;
        return false;
    }
    /// The text under the first diagnostic with this id.
    std::string under(Diag id) const {
        for (auto& d : diags.all())
            if (d.id == id) return std::string(sources.text(d.span));
        return "no such diagnostic";
    }
};

inline std::string format_text(const std::string& text) {
    SourceManager sources;
    Diagnostics diags(sources);
    diags.max_errors = 0;
    auto result      = format(sources.add("test.mim", text), sources, diags);
    return result ? *result : "syntax error";
}

/// The canonical text of one expression.
inline std::string canonical(const std::string& expr, bool ascii = false) {
    Parsed p("let _ = " + expr + ";");
    if (!p.ok()) return p.errors();
    PrintOptions options;
    options.ascii = ascii;
    return print(ast::as<ast::Let>(p.module.decls[0])->value, options);
}

/// The tree of one expression.
inline std::string tree(const std::string& expr) {
    Parsed p("let _ = " + expr + ";");
    if (!p.ok()) return p.errors();
    return dump(ast::as<ast::Let>(p.module.decls[0])->value);
}

/// Whether the text parses, and prints in both spellings and formats to text with the same tree; says what went wrong.
inline std::string round_trip(const std::string& text) {
    Parsed first(text);
    if (!first.ok()) return first.errors();
    for (bool ascii : {false, true}) {
        PrintOptions options;
        options.ascii = ascii;
        auto printed  = print(first.module, options);
        Parsed second(printed);
        if (!second.ok()) return printed + second.errors();
        if (!equal(first.module, second.module)) return "another tree: " + printed;
        if (print(second.module, options) != printed) return "not a fixed point: " + printed;
    }
    auto formatted = format_text(text);
    if (!equal(Parsed(formatted).module, first.module)) return "formatted to another tree: " + formatted;
    if (format_text(formatted) != formatted) return "formatting is not idempotent: " + formatted;
    return "";
}

} // namespace mim::test
