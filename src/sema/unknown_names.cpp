// SPDX-License-Identifier: MIT
#include "sema/unknown_names.h"

#include <algorithm>
#include <cctype>
#include <ranges>

#include "base/nearest.h"
#include "sema/shared.h"
#include "syntax/foreign_words.h"

namespace mim {

UnknownNames::UnknownNames(Elaborator::Shared& shared, Errors& errors, const Enclosing& enclosing)
    : world_(shared.world)
    , annexes_(shared.annexes)
    , views_(shared.views)
    , labelled_(shared.labelled)
    , host_(shared.host)
    , errors_(errors)
    , names_(errors.names())
    , enclosing_(enclosing) {}

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

/// The last part of the name of an annex that other languages call so.
static std::string_view float_like(std::string_view name) {
    static constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
        {"float", "F32"}, {"Float", "F64"}, {"double", "F64"}, {"Double", "F64"},
        {"f32", "F32"},   {"f64", "F64"},   {"real", "F64"}};
    auto found = std::ranges::find(kTypes, name, &std::pair<std::string_view, std::string_view>::first);
    return found == std::end(kTypes) ? std::string_view() : found->second;
}

/// The word that the declaration begins with whose names the text ends in, if only names, commas and brackets, of which
/// one is square, stand between them.
static std::string_view declares_in_brackets(std::string_view text) {
    static constexpr std::string_view kWords[] = {"let", "ret", "lam", "con", "fun"};
    constexpr size_t max_length                = 200;
    constexpr std::string_view punctuation     = " \t\n,([";
    auto is_word                               = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    bool has_square                            = false;
    text                                       = text.substr(text.size() - std::min(text.size(), max_length));
    while (!text.empty()) {
        if (punctuation.find(text.back()) != punctuation.npos) {
            has_square |= text.back() == '[';
            text.remove_suffix(1);
            continue;
        }
        size_t length = 0;
        while (length < text.size() && is_word(text[text.size() - length - 1])) ++length;
        auto word  = text.substr(text.size() - length);
        auto found = std::ranges::find(kWords, word);
        if (found != std::end(kWords)) return has_square ? *found : std::string_view();
        if (length == 0) return {};
        text.remove_suffix(length);
    }
    return {};
}

/// `let [x, y] = e`: square brackets hold types.
static bool hint_brackets(Diagnostic& d, const SourceManager& sources) {
    auto before = sources.text({d.span.file, 0, d.span.begin});
    auto word   = declares_in_brackets(before);
    if (word.empty()) return false;
    bool is_let  = word == "let" || word == "ret";
    auto form    = is_let ? std::string(word) + " [x, y] = e" : "[x, y]";
    auto instead = is_let ? "`[ ]` holds types, `" + std::string(word) + " (x, y) = e` takes a tuple apart"
                          : "`[ ]` holds types, and each parameter has one: `(x: A, y: B)`";
    d.note(Diag::no_such_word, {}, {form, instead});
    return true;
}

/// A note at a name that is not there; false if nothing is known about it.
bool UnknownNames::hint_name(Diagnostic& d, Symbol sym) {
    if (errors_.diags().sources().is_foreign(d.span.file)) return false; // the words of Mim are none of its language
    auto name = sym.view();
    auto note = [&](Diag id, DiagArgs args) {
        d.note(id, {}, std::move(args));
        return true;
    };
    if (sym == names_.return_sym()) return note(Diag::only_fun_returns, {});
    if (hint_brackets(d, errors_.diags().sources())) return true;
    if (auto text = instead_of(name); !text.empty()) return note(Diag::no_such_word, {sym.str(), std::string(text)});
    if (auto type = integer_like(name); !type.empty()) return note(Diag::did_you_mean, {type});
    if (auto type = keyword_like(name); !type.empty()) return note(Diag::did_you_mean, {std::string(type)});
    bool is_type_variable = name.size() == 1 && name[0] >= 'A' && name[0] <= 'Z';
    if (!is_type_variable) return false;
    return note(Diag::no_such_word, {sym.str(), "a type parameter is declared first, as in `{" + sym.str() + ": *}`"});
}

/// `F64` for `%math.F64`; false if nothing is known about the name.
bool UnknownNames::hint_annex(Diagnostic& d, Symbol sym) {
    auto like  = float_like(sym.view());
    auto annex = annexes_.find_by_last(like.empty() ? sym : world_.sym(like));
    if (!annex) return false;
    d.note(Diag::did_you_mean, annex->second.span, {annex->first.str()});
    return true;
}

/// `A.b`: a label of A, or a mistake. False if the name has no dot.
bool UnknownNames::qualified(Symbol sym, Span span) {
    auto text = sym.view();
    auto dot  = text.find('.');
    if (dot == text.npos) return false;
    auto type  = world_.sym(text.substr(0, dot));
    auto label = std::string(text.substr(dot + 1));
    auto found = std::ranges::find_if(labelled_ | std::views::reverse, [&](auto& labelled) { return labelled.name == type; });
    if (found == labelled_.rend() || !names_.find(type)) {
        errors_.error(Diag::dotted_name, span, {sym.str(), type.str() + "#" + label});
        return true;
    }
    static constexpr size_t MaxLabels = 8;
    std::string has;
    for (auto& constructor : found->constructors | std::views::take(MaxLabels))
        has += (has.empty() ? "`" : ", `") + constructor.label.str() + "`";
    if (found->constructors.size() > MaxLabels) has += ", …";
    errors_.error(Diag::no_such_label, span, {label, type.str(), has}).note(Diag::declared_here, found->span, {type.str()});
    return true;
}

void UnknownNames::name(Symbol sym, Span span) {
    if (qualified(sym, span)) return;
    static constexpr size_t MaxSearch = 20'000;
    if (errors_.is_reported(Diag::unknown_name, span, {sym.str()})) return;
    Nearest nearest(sym.view());
    for (size_t i = names_.size(), n = 0; i-- > 0 && n < MaxSearch; ++n)
        if (names_[i].sym && !names_.is_hidden(i)) nearest.offer(names_[i].sym.view());
    std::string best(nearest.best);
    if (says_if_ && (sym.view() == "then" || sym.view() == "else")) return; // belongs to an `if` that was reported
    says_if_ |= sym.view() == "if";
    auto& d = errors_.error(Diag::unknown_name, span, {sym.str()});
    Diag note;
    if (auto later = enclosing_.declared_later(sym, note)) {
        d.note(note, later, {sym.str()});
        return;
    }
    if (hint_name(d, sym) || hint_annex(d, sym) || best.empty()) return;
    auto b = names_.find(world_.sym(best));
    d.note(Diag::did_you_mean, b ? b->span : Span{}, {best});
}

void UnknownNames::annex(Symbol sym, Span span) {
    auto text   = sym.view();
    auto plugin = text.substr(1, text.find('.') - 1);
    auto tag    = text.substr(0, text.find('.', plugin.size() + 2)); // without a subtag
    auto subs   = annexes_.subtags_of(tag);
    // of an axiom that is there only the subtag is wrong
    size_t common = subs.empty() || tag == text ? 0 : tag.size() + 1;
    Nearest nearest(text.substr(common));
    bool loaded = false;
    for (auto& [name, annex] : annexes_) {
        if (!common) nearest.offer(name.view());
        else if (name.view().starts_with(text.substr(0, common))) nearest.offer(name.view().substr(common));
        loaded |= name.view().substr(1, name.view().find('.') - 1) == plugin;
    }
    if (host_.is_missing(plugin)) return;
    bool needs_plugin = !loaded && host_.can_load(plugin);
    if (needs_plugin && !needed_plugins_.insert(world_.sym(plugin)).second) return; // one `plugin` is missing
    if (errors_.is_reported(Diag::unknown_annex, span, {"`" + sym.str() + "`"})) return;
    std::string best(nearest.best.empty() ? "" : std::string(text.substr(0, common)) + std::string(nearest.best));
    auto behind = "%" + std::string(text.substr(std::min(text.size(), plugin.size() + 2))); // `%mem.M` of `%core.mem.M`
    if (best.empty() && annexes_.find(world_.sym(behind))) best = behind;
    auto& d = errors_.error(Diag::unknown_annex, span, {"`" + sym.str() + "`"});
    if (!subs.empty() && best.empty()) d.note(Diag::has_subtags, {}, {std::string(tag), subs});
    else if (!subs.empty() && tag == text) d.note(Diag::has_subtags, {}, {std::string(tag), subs});
    else if (!best.empty()) d.note(Diag::did_you_mean, annexes_.find(world_.sym(best))->span, {best});
    else if (needs_plugin) d.note(Diag::needs_plugin, {}, {std::string(plugin)});
    else if (auto has = annexes_.subtags_of(text.substr(0, plugin.size() + 1)); loaded && !has.empty())
        d.note(Diag::no_such_word, {}, {sym.str(), "the plugin `" + std::string(plugin) + "` has " + has});
}

void UnknownNames::field(Res tuple, const ast::Name* field) {
    std::string hint;
    auto last  = views_.last_declared(field->sym);
    auto arity = lit_arity(world_, tuple.def->type());
    if (tuple.view && !tuple.view->names.empty() && !tuple.view->is_hint) {
        for (auto n : tuple.view->names)
            if (n) hint += (hint.empty() ? ": it has `" : "`, `") + n.str();
        if (!hint.empty()) hint += "`";
    } else if (last && static_cast<int64_t>(last->arity) == arity) {
        hint = ": its field names are not known here, write `#" + std::to_string(last->index) + "`";
    } else {
        hint = ": its field names are not known here, write an index, as in `#0`";
    }
    errors_.error(Diag::unknown_field, field->span, {errors_.show(tuple.def->type()), field->sym.str(), hint});
}

} // namespace mim
