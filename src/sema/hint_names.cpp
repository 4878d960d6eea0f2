// SPDX-License-Identifier: MIT
// Notes at names that are not there: words of other languages, another case, an annex without its plugin, a declaration further down. They are
// looked for only after something was reported; none of this decides what is accepted.
#include <algorithm>

#include "sema/elab.h"

namespace mim {

/// Words of other languages.
static std::string_view instead_of(std::string_view word) {
    static constexpr std::pair<std::string_view, std::string_view> kWords[] = {
        {"if", "`(no, yes)#c` chooses by the `Bool` c"},
        {"while", "a loop is a function that calls itself"},
        {"for", "a loop is a function that calls itself"},
        {"int", "integers have the types `I8`, `I16`, `I32` and `I64`"},
        {"char", "the type of bytes is `I8`"},
        {"string", "a string is an array of bytes, of type `«n; I8»`"},
        {"true", "the values of `Bool` are `ff` and `tt`"},
        {"false", "the values of `Bool` are `ff` and `tt`"},
        {"void", "the type without information is `[]`"},
    };
    for (auto& [w, text] : kWords)
        if (w == word) return text;
    return {};
}

/// A keyword that differs from the name only by case.
static std::string_view keyword_like(std::string_view name) {
    static constexpr std::string_view kTypes[] = {"Nat", "Idx", "Bool", "I1", "I8", "I16", "I32", "I64", "Sort"};
    auto lower                                 = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    for (auto t : kTypes)
        if (std::ranges::equal(t, name, {}, lower, lower)) return t;
    return {};
}

/// `Int32`, `i32` and `uint32_t` are `I32`.
static std::string integer_like(std::string_view name) {
    auto first = name.find_first_of("0123456789");
    if (first == name.npos) return {};
    auto word = name.substr(0, first), bits = name.substr(first);
    if (bits.ends_with("_t")) bits.remove_suffix(2);
    static constexpr std::string_view kWords[] = {"i", "u", "int", "uint", "Int", "UInt", "U"};
    static constexpr std::string_view kBits[]  = {"8", "16", "32", "64"};
    bool is = std::ranges::find(kWords, word) != std::end(kWords) && std::ranges::find(kBits, bits) != std::end(kBits);
    return is ? "I" + std::string(bits) : std::string();
}

/// A note at a name that is not there; false if nothing is known about it.
bool Elab::hint_name(Diagnostic& d, Symbol sym) {
    auto name = sym.view();
    if (sym == return_sym()) return d.note(Diag::only_fun_returns, {}), true;
    if (auto text = instead_of(name); !text.empty()) return d.note(Diag::no_such_word, {}, {sym.str(), std::string(text)}), true;
    if (auto type = integer_like(name); !type.empty()) return d.note(Diag::did_you_mean, {}, {type}), true;
    if (auto type = keyword_like(name); !type.empty()) return d.note(Diag::did_you_mean, {}, {std::string(type)}), true;
    if (name.size() == 1 && name[0] >= 'A' && name[0] <= 'Z')
        return d.note(Diag::no_such_word, {}, {sym.str(), "a type parameter is declared first, as in `{" + sym.str() + ": *}`"}),
               true;
    return false;
}

/// `F64` for `%math.F64`: what only one annex that is loaded is called at its end.
bool Elab::hint_annex(Diagnostic& d, Symbol sym) {
    auto end   = "." + sym.str();
    auto found = s_.annexes.end();
    for (auto it = s_.annexes.begin(); it != s_.annexes.end(); ++it) {
        if (!it->first.view().ends_with(end)) continue;
        if (found != s_.annexes.end()) return false;
        found = it;
    }
    if (found == s_.annexes.end()) return false;
    d.note(Diag::did_you_mean, found->second.span, {found->first.str()});
    return true;
}

static Span binder_span(const ast::Pattern* p, Symbol sym) {
    if (auto n = ast::isa<ast::NamePattern>(p)) return n->name.name == sym ? n->name.span : Span();
    if (auto a = ast::isa<ast::AsPattern>(p)) return a->name.name == sym ? a->name.span : binder_span(a->pattern, sym);
    if (auto t = ast::isa<ast::TuplePattern>(p))
        for (auto e : t->elems)
            if (auto span = binder_span(e, sym)) return span;
    return {};
}

/// Where a block that is being elaborated declares the name that is not there: further down.
Span Elab::declared_later(Symbol sym, Diag& note) const {
    for (auto decls : blocks_)
        for (uint32_t i = 0; i < decls.size(); ++i) {
            if (consumed_ && consumed_->is_done(decls, i)) continue;
            auto d = decls[i];
            note   = Diag::declared_later;
            if (auto fun = ast::isa<ast::Fun>(d); fun && fun->name.name == sym) return fun->name.span;
            note     = Diag::declared_below;
            auto let = ast::isa<ast::Let>(d);
            if (auto span = let ? binder_span(let->pattern, sym) : Span()) return span;
        }
    return {};
}

/// The subtags of an axiom, or what a plugin (`%p`) declares, each once and in the order of their declaration; empty if there are none.
std::string Elab::subtags_of(std::string_view axiom) const {
    const size_t max = axiom.find('.') == axiom.npos ? 32 : 16;
    std::vector<std::pair<uint32_t, std::string_view>> found;
    for (auto& [name, annex] : s_.annexes)
        if (name.view().size() > axiom.size() + 1 && name.view().starts_with(axiom) && name.view()[axiom.size()] == '.') {
            auto tag = name.view().substr(axiom.size() + 1);
            found.emplace_back(annex.span.begin, tag.substr(0, tag.find('.')));
        }
    std::sort(found.begin(), found.end());
    std::vector<std::string_view> names;
    for (auto& [_, name] : found)
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    std::string text;
    for (size_t i = 0; i < names.size(); ++i) {
        if (i == max) return text + ", …";
        text += (i ? ", `" : "`") + std::string(names[i]) + "`";
    }
    return text;
}

} // namespace mim
