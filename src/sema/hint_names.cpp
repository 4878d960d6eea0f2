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

/// A note at a name that is not there; false if nothing is known about it.
bool Elab::hint_name(Diagnostic& d, Symbol sym) {
    auto name = sym.view();
    if (sym == return_sym()) return d.note(Diag::only_fun_returns, {}), true;
    if (auto text = instead_of(name); !text.empty()) return d.note(Diag::no_such_word, {}, {sym.str(), std::string(text)}), true;
    if (auto type = keyword_like(name); !type.empty()) return d.note(Diag::did_you_mean, {}, {std::string(type)}), true;
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

/// The subtags of an axiom, in the order of their declaration; empty if it has none.
std::string Elab::subtags_of(std::string_view axiom) const {
    static constexpr size_t MaxSubtags = 16;
    std::vector<std::pair<uint32_t, std::string_view>> found;
    for (auto& [name, annex] : s_.annexes)
        if (name.view().size() > axiom.size() + 1 && name.view().starts_with(axiom) && name.view()[axiom.size()] == '.')
            found.emplace_back(annex.span.begin, name.view().substr(axiom.size() + 1));
    std::sort(found.begin(), found.end());
    std::string text;
    for (size_t i = 0; i < found.size(); ++i) {
        if (i == MaxSubtags) return text + ", …";
        text += (i ? ", `" : "`") + std::string(found[i].second) + "`";
    }
    return text;
}

} // namespace mim
