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
    auto& d = diags.report(Diag::bad_plugin_name, at, {name, "use letters, digits and `_`"});
    if (is_keyword(name)) d.note(Diag::is_keyword, {}, {name});
}

namespace {

/// The declaration as a comment, below the comment that it has.
std::string commented(const ast::Decl* decl) {
    auto text             = print(decl);
    std::string_view rest = text;
    std::string out;
    while (!rest.empty()) {
        auto line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        if (!line.starts_with("///")) out += "/// ";
        out.append(line).append("\n");
    }
    return out;
}

/// The text of the header for one plugin.
class AnnexHeader {
public:
    AnnexHeader(const ast::Module& module, std::string_view plugin)
        : module_(module)
        , plugin_(plugin)
        , table_(module) {}

    std::string text() const {
        auto ns         = "plug::" + cpp_name(plugin_);
        std::string out = "// Made by `mim bootstrap " + plugin_
                          + ".mim`; do not edit.\n#pragma once\n#include \"ir/axiom.h\"\n\n";
        out += "namespace mim::" + ns + " {\n\n";
        each_tag([&](const AnnexTag& tag) { out += enumeration(tag); });
        out += normalizers() + "} // namespace mim::" + ns + "\n\nnamespace mim {\n\n";
        each_tag([&](const AnnexTag& tag) { out += traits(tag, ns); });
        return out + "} // namespace mim\n";
    }

private:
    template<class F>
    void each_tag(F f) const {
        for (auto& tag : table_.tags())
            if (tag.plugin == plugin_) f(tag);
    }
    template<class F>
    void each_axiom(F f) const {
        for (auto decl : module_.annexes) {
            auto axm = ast::isa<ast::Axm>(decl);
            AnnexName name;
            if (axm && split_annex(axm->name.name.view(), name) && name.plugin == plugin_) f(*axm, name);
        }
    }

    /// The comments of its declarations, and the declarations themselves.
    std::string about(const AnnexTag& tag) const {
        std::string out;
        each_axiom([&](const ast::Axm& axm, const AnnexName& name) {
            if (name.tag == tag.name) out += commented(&axm);
        });
        return out.empty() ? "/// %" + plugin_ + "." + std::string(tag.name) + "\n" : out;
    }

    std::string enumeration(const AnnexTag& tag) const {
        return about(tag) + "enum class " + cpp_name(tag.name) + " : uint16_t " + enumerators(tag) + "\n";
    }

    static std::string traits(const AnnexTag& tag, const std::string& ns) {
        return "template<>\nstruct AnnexTraits<" + ns + "::" + cpp_name(tag.name)
               + "> {\n    static constexpr uint64_t plugin   = " + std::to_string(plugin_hash(tag.plugin))
               + "ull;\n    static constexpr uint16_t tag      = " + std::to_string(tag.number)
               + ";\n    static constexpr uint16_t num_subs = " + std::to_string(tag.subs.size()) + ";\n};\n\n";
    }

    /// Of the plugin's library: it must define each of them.
    std::string normalizers() const {
        std::vector<std::string> names;
        each_axiom([&](const ast::Axm& axm, const AnnexName&) {
            auto name  = axm.normalizer.name.str();
            bool known = std::ranges::find(names, name) != names.end();
            if (!name.empty() && !known) names.push_back(name);
        });
        std::string declared, registered;
        for (auto& name : names) {
            declared += "const Def* " + cpp_name(name) + "(const Redex&);\n";
            registered += "    p.normalizer(\"" + name + "\", " + cpp_name(name) + ");\n";
        }
        if (names.empty()) return {};
        return declared + "\n/// All of them, with the PluginBuilder of the plugin's `init`.\ntemplate<class Builder>\n"
               + "void register_normalizers(Builder& p) {\n" + registered + "}\n\n";
    }

    const ast::Module& module_;
    std::string plugin_;
    AnnexTable table_;
};

} // namespace

std::string annex_header(const ast::Module& module, std::string_view plugin) { return AnnexHeader(module, plugin).text(); }

} // namespace mim
