// SPDX-License-Identifier: MIT
#include "driver/bootstrap.h"

#include <algorithm>
#include <array>

#include "driver/annexes.h"
#include "syntax/print.h"

namespace mim {

namespace {

// Sorted; alternative tokens included.
constexpr std::array kKeywords = std::to_array<std::string_view>({
    "alignas",     "alignof",  "and",        "and_eq",    "asm",       "auto",         "bitand",
    "bitor",       "bool",     "break",      "case",      "catch",     "char",         "char16_t",
    "char32_t",    "char8_t",  "class",      "co_await",  "co_return", "co_yield",     "compl",
    "concept",     "const",    "const_cast", "consteval", "constexpr", "constinit",    "continue",
    "decltype",    "default",  "delete",     "do",        "double",    "dynamic_cast", "else",
    "enum",        "explicit", "export",     "extern",    "false",     "float",        "for",
    "friend",      "goto",     "if",         "inline",    "int",       "long",         "mutable",
    "namespace",   "new",      "noexcept",   "not",       "not_eq",    "nullptr",      "operator",
    "or",          "or_eq",    "private",    "protected", "public",    "register",     "reinterpret_cast",
    "requires",    "return",   "short",      "signed",    "sizeof",    "static",       "static_assert",
    "static_cast", "struct",   "switch",     "template",  "this",      "thread_local", "throw",
    "true",        "try",      "typedef",    "typeid",    "typename",  "union",        "unsigned",
    "using",       "virtual",  "void",       "volatile",  "wchar_t",   "while",        "xor",
    "xor_eq",
});
static_assert(std::ranges::is_sorted(kKeywords));

std::string enumerators(const AnnexTag& tag) {
    std::string out;
    for (size_t i = 0; i < tag.subs.size(); ++i) {
        auto& names = tag.subs[i].names;
        if (names.front().empty()) continue;
        auto first = cpp_name(names.front());
        out += "    " + first + " = " + std::to_string(i) + ",\n";
        for (size_t j = 1; j < names.size(); ++j) out += "    " + cpp_name(names[j]) + " = " + first + ",\n";
    }
    return out.empty() ? "{};\n" : "{\n" + out + "};\n";
}

} // namespace

std::string cpp_name(std::string_view name) {
    std::string s(name);
    if (std::ranges::binary_search(kKeywords, name)) s += '_';
    return s;
}

bool is_plugin_name(std::string_view name) { return is_identifier(name); }

void report_plugin_name(Diagnostics& diags, Span at, const std::string& name) {
    auto& d = diags.report(Diag::bad_plugin_name, at, {name});
    if (is_keyword(name)) d.note(Diag::is_keyword, {}, {name});
}

std::string annex_header(const ast::Module& module, std::string_view plugin) {
    AnnexTable table(module);
    auto ns         = "plug::" + cpp_name(plugin);
    auto name       = std::string(plugin);
    std::string out = "// Made by `mim bootstrap " + name + ".mim`; do not edit.\n#pragma once\n#include \"ir/axiom.h\"\n\n";
    out += "namespace mim::" + ns + " {\n\n";
    for (auto& tag : table.tags())
        if (tag.plugin == plugin)
            out += "/// %" + name + "." + std::string(tag.name) + "\nenum class " + cpp_name(tag.name) + " : uint16_t "
                   + enumerators(tag) + "\n";
    out += "} // namespace mim::" + ns + "\n\nnamespace mim {\n\n";
    for (auto& tag : table.tags())
        if (tag.plugin == plugin)
            out += "template<>\nstruct AnnexTraits<" + ns + "::" + cpp_name(tag.name)
                   + "> {\n    static constexpr uint64_t plugin   = " + std::to_string(plugin_hash(plugin))
                   + "ull;\n    static constexpr uint16_t tag      = " + std::to_string(tag.number)
                   + ";\n    static constexpr uint16_t num_subs = " + std::to_string(tag.subs.size()) + ";\n};\n\n";
    return out + "} // namespace mim\n";
}

} // namespace mim
