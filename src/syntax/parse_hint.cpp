// SPDX-License-Identifier: MIT
#include "syntax/parse_hint.h"

#include <algorithm>
#include <charconv>

#include "base/nearest.h"
#include "front/chars.h"
#include "front/literal.h"
#include "syntax/foreign_words.h"

namespace mim {

namespace {

/// Operators of other languages that Mim does not have.
constexpr std::string_view kOperators[] = {"&", "^", "~", "|", "<<", ">>"};

/// A form of other languages, and the one that Mim has in its place.
struct Form {
    std::string_view sign, form, text;
};
constexpr Form kForms[] = {
    {"\\", "\\x -> e", "a function is written `λ (x: T) = e`"},
    {"?", "c ? a : b", "`(b, a)#c` chooses by the `Bool` c"},
    {".", "a.b", "an element or a field is written `a#b`"},
};
/// Declarations of other languages.
constexpr Form kForeignDeclarations[] = {
    {"struct", "struct", "a type with fields is written `let T = [x: A, y: B];`"},
    {"class", "class", "a type with fields is written `let T = [x: A, y: B];`"},
    {"record", "record", "a type with fields is written `let T = [x: A, y: B];`"},
    {"enum", "enum", "a type of several cases is written `rec T: * = | a | b [x: A];`"},
    {"data", "data", "a type of several cases is written `rec T: * = | a | b [x: A];`"},
};

constexpr std::string_view kDeclarations[] = {"let",  "rec",  "and",  "lam",  "con",    "fun",   "axm",
                                              "cfun", "ccon", "rule", "norm", "import", "plugin"};

void note_instead(Diagnostic& d, std::string form, std::string text) {
    d.note(Diag::no_such_word, {}, {std::move(form), std::move(text)});
}

} // namespace

void hint_operator(Diagnostic& d, std::string_view text) {
    auto is_first = [&](std::string_view op) { return text.starts_with(op); };
    auto op       = std::ranges::find_if(kOperators, is_first);
    if (op != std::end(kOperators)) d.note(Diag::no_operators, {}, {std::string(*op), {}}); // the driver knows calls
    auto form = std::ranges::find_if(kForms, is_first, &Form::sign);
    if (form != std::end(kForms)) note_instead(d, std::string(form->form), std::string(form->text));
}

namespace {

/// Something else than `=`.
void hint_assign(Diagnostic& d, const Cursor& cursor, const Lookahead& look, std::string_view context) {
    bool is_arrow   = cursor.at(Tok::Arrow);
    bool is_bracket = cursor.at(Tok::LParen) || cursor.at(Tok::LSquare) || cursor.at(Tok::LBrace);
    if (context == "a λ" && is_arrow) note_instead(d, "λ x → e", "write `λ (x: T) = e`");
    if (context == "a function" && (is_arrow || look.starts_atom())) d.note(Diag::result_after_colon, {});
    if (context == "a function" && cursor.at(Tok::Semicolon))
        note_instead(d, "lam f (x: T): U;", "a function has a body, `= e`, unless it is one of C: that is a `cfun`");
    if (context == "a `let`" && is_bracket) d.note(Diag::let_has_no_parameter, {});
    if (context == "a `let`" && cursor.at(Tok::Ident) && cursor.last() == Tok::Ident)
        note_instead(d, "let mut x", "no name changes its value: `let x = e` may name another one x");
    if (context == "a recursive declaration") note_instead(d, "a and b", "this is written `a && b`");
    if (context == "a function" && cursor.at(Tok::Colon))
        note_instead(d, "con f (x: T): U", "a `con` has no result; a `fun` passes one to `return`");
    if (context == "a function" && cursor.at(Tok::LBrace))
        note_instead(d, "lam f (x: T): U { e }", "an `=` stands in front of the body: `lam f (x: T): U = e`");
}

/// Something else than a declaration.
void hint_declaration(Diagnostic& d, const Cursor& cursor, std::string_view context) {
    bool is_field = cursor.at(Tok::Ident) && cursor.tok(1) == Tok::Colon;
    if (context == "a block" && is_field) return note_instead(d, "{x: A, y: B}", "a type with fields is written `[x: A, y: B]`");
    if (context == "a block" && cursor.at(Tok::K_match))
        return note_instead(d, "{ match … }", "a `match` stands without braces, or in `(…)` where arms of another one follow");
    if (context == "a block") return note_instead(d, "{ e }", "a value without declarations stands without braces");
    if (cursor.at(Tok::K_extern)) d.note(Diag::extern_follows, {});
    bool is_dashes = cursor.at(Tok::Minus) && cursor.tok(1) == Tok::Minus;
    if (cursor.at(Tok::Hash) || is_dashes) d.note(Diag::comment_start, {});
    if (!cursor.at(Tok::Ident)) return;
    auto word    = cursor.word();
    auto foreign = std::ranges::find(kForeignDeclarations, word, &Form::sign);
    if (foreign != std::end(kForeignDeclarations)) return note_instead(d, std::string(foreign->form), std::string(foreign->text));
    if (is_foreign_let(word)) {
        d.note(Diag::did_you_mean, {}, {"let"});
        return;
    }
    if (is_foreign_import(word))
        return note_instead(d, std::string(word), "a plugin is loaded with `plugin name;`, a file with `import \"file.mim\";`");
    if (word == "op") {
        note_instead(d, "op …",
                     "an operator is declared as in `op + (a b: T): T = e`, for `* / % + - == != < <= > >= && ||`, `-` and `!`");
        return;
    }
    if (word == "def" || word == "fn" || word == "function") {
        d.note(Diag::did_you_mean, {}, {"lam"});
        return;
    }
    auto is_like = [&](std::string_view keyword) { return edit_distance(word, keyword, 2) < 2; };
    auto close   = std::ranges::find_if(kDeclarations, is_like);
    if (close != std::end(kDeclarations)) d.note(Diag::did_you_mean, {}, {std::string(*close)});
}

/// Something else than the type of an axiom.
void hint_axiom(Diagnostic& d) {
    note_instead(d, "axm %p.a = e;", "an axiom has a type and no value, `axm %p.a: T;`; a value has a name by `let %p.a = e;`");
}

/// Whether the text up to the next `;` has a `=>`, as the arms of a `match` have.
bool is_arm_ahead(const Cursor& cursor) {
    static constexpr uint32_t MaxLook = 64;
    for (uint32_t i = 1; i < MaxLook; ++i) {
        Tok t = cursor.tok(i);
        if (t == Tok::FatArrow) return true;
        if (t == Tok::Semicolon || t == Tok::Eof || t <= Tok::K_plugin) return false;
    }
    return false;
}

/// A comma where a declaration ends.
void hint_comma(Diagnostic& d, const Cursor& cursor, std::string_view context) {
    if (context == "a `plugin`")
        return note_instead(d, "plugin a, b;", "each plugin has a declaration of its own: `plugin a; plugin b;`");
    if (is_arm_ahead(cursor))
        return note_instead(d, "| p => a, | q => b", "arms stand without commas between them: `| p => a | q => b`");
    if (cursor.tok(1) != Tok::Bar) note_instead(d, "a, b", "a tuple is written `(a, b)`");
}

/// Something else than the `;` behind a declaration or between a length and a type.
void hint_semicolon(Diagnostic& d, const Cursor& cursor, std::string_view context) {
    bool is_value = cursor.at(Tok::Assign) && context == "an `axm`";
    if (is_value) hint_axiom(d);
    else if (cursor.at(Tok::Assign)) d.note(Diag::did_you_mean, {}, {cursor.tok(1) == Tok::LPack ? "<=" : "=="});
    if (cursor.at(Tok::Comma)) hint_comma(d, cursor, context);
    if (cursor.at(Tok::K_as)) note_instead(d, "e as T", "a value has one type: functions of plugins convert it to another one");
    if (cursor.at(Tok::FatArrow))
        note_instead(d, "p => e", "arms are written `match e with | p => a | q => b`, a function `λ (x: T) = e`");
    if (cursor.at(Tok::Bar) || cursor.at(Tok::LArray) || cursor.at(Tok::RArray)) hint_operator(d, cursor.word());
    if (cursor.at(Tok::Colon)) note_instead(d, "a::b", "a field is written `a#b`, what a plugin declares `%plugin.name`");
    if (context == "a pack" && cursor.at(Tok::RPack)) note_instead(d, "‹a, b›", "a pack is written `‹n; e›`, a tuple `(a, b)`");
    if (context == "an array type" && cursor.at(Tok::RArray)) note_instead(d, "«n, T»", "an array type is written `«n; T»`");
}

/// Something else than an expression.
void hint_expression(Diagnostic& d, const Cursor& cursor) {
    bool is_behind_plus = cursor.last() == Tok::Plus || cursor.last() == Tok::Minus;
    if (is_behind_plus && (cursor.at(Tok::Plus) || cursor.at(Tok::Minus) || cursor.at(Tok::Assign)))
        note_instead(d, "i += 1", "no name changes its value: `let i = i + 1` names another one i");
    if (cursor.last() == Tok::LPack && cursor.at(Tok::RPack)) d.note(Diag::did_you_mean, {}, {"!="});
}

bool is_type_word(Tok t) { return t >= Tok::K_Nat && t <= Tok::K_I64; }

/// Something else than the `)` behind parameters or elements.
void hint_round(Diagnostic& d, const Cursor& cursor, std::string_view context) {
    if (cursor.at(Tok::Colon) && context == "a tuple")
        note_instead(d, "(x: T) → e",
                     "a function is written `λ (x: T) = e`, its type `[x: T] → U`, and a type with names `[x: T]`");
    if (cursor.at(Tok::Colon) && context == "an `axm`")
        note_instead(d, "axm %p.f (x: T): U", "an `axm` states a type: `axm %p.f: [x: T] → U`");
    if (context != "a pattern") return;
    bool is_type = is_type_word(cursor.tok()) || cursor.at(Tok::Annex);
    if (cursor.last() == Tok::Ident && is_type) note_instead(d, "x T", "a type stands behind a colon: `x: T`");
    if (cursor.at(Tok::Semicolon)) note_instead(d, "(x: T; y: U)", "a comma stands between parameters: `(x: T, y: U)`");
}

/// Something else than the `=>` of an arm or a rule.
void hint_fat_arrow(Diagnostic& d, const Cursor& cursor, std::string_view context) {
    if (context != "a `match`") return (void)d.note(Diag::did_you_mean, {}, {"=>"});
    if (cursor.at(Tok::Ident) && cursor.last() == Tok::Ident)
        return note_instead(d, "| label a b => e", "a label has one pattern behind it: `| label (a, b) => e`");
    note_instead(d, "| x: T -> e", "an arm is written `| x: T => e`");
}

/// Something else than a pattern. False if nothing is known about it.
bool hint_pattern(Diagnostic& d, const Cursor& cursor, std::string_view context) {
    bool is_match = context == "a `match`";
    bool is_truth = cursor.at(Tok::K_tt) || cursor.at(Tok::K_ff);
    bool is_typed = is_type_word(cursor.tok()) && cursor.tok(1) == Tok::Ident;
    if (is_truth) note_instead(d, "match b with | tt => a | ff => b", "`(b, a)#c` chooses by the `Bool` c");
    else if (is_match && (cursor.at(Tok::Nat) || cursor.at(Tok::Idx) || cursor.at(Tok::Char)))
        note_instead(d, "match n with | 0 => a", "a number is no pattern: `(b, a)#(n == 0)` is a where n is 0, else b");
    else if (is_match && cursor.at(Tok::LBrace))
        note_instead(d, "match e with { … }", "the arms stand without braces: `match e with | p => a | q => b`");
    else if (is_typed)
        note_instead(d, std::string(cursor.word()) + " " + std::string(cursor.word(1)),
                     "a type stands behind the name: `" + std::string(cursor.word(1)) + ": " + std::string(cursor.word()) + "`");
    else return false;
    return true;
}

} // namespace

void hint_expected(Diagnostic& d, const Cursor& cursor, const Lookahead& look, const ParseContext& context,
                   std::string_view what) {
    if (what == describe(Tok::Assign)) return hint_assign(d, cursor, look, context.name);
    if (what == "a declaration") return hint_declaration(d, cursor, context.name);
    if (what == describe(Tok::Semicolon)) hint_semicolon(d, cursor, context.name);
    if (what == "an expression") hint_expression(d, cursor);
    if (what == describe(Tok::Colon) && context.name == "an `axm`") hint_axiom(d);
    if (what == describe(Tok::RParen)) hint_round(d, cursor, context.name);
    if (what == describe(Tok::FatArrow)) hint_fat_arrow(d, cursor, context.name);
    if (what == "a pattern" && hint_pattern(d, cursor, context.name)) return;
    if (what == "a type" && cursor.at(Tok::Assign) && cursor.last() == Tok::Colon) d.note(Diag::did_you_mean, {}, {"="});
    if (what == "a name" && context.name == "a `plugin`" && cursor.at(Tok::String)) {
        auto quoted = cursor.word();
        d.note(Diag::did_you_mean, {}, {"plugin " + std::string(quoted.substr(1, quoted.size() - 2)) + ";"});
    }
    if (what == "a parameter" && cursor.at(Tok::Colon))
        note_instead(d, "fun f: T", "a function has parameters, though it may be none: `fun f (): T`");
    bool is_semicolon = cursor.at(Tok::Semicolon);
    if (what == describe(Tok::RBrace) && is_semicolon) d.note(Diag::value_of_block, {});
    if (what == describe(Tok::RSquare) && is_semicolon) note_instead(d, "[n; T]", "an array type is written `«n; T»`");
    if (what == "a parameter" && cursor.at(Tok::LPack)) note_instead(d, "<T>", "a type parameter is written `{T: *}`");
    if ((what == "a pattern" || what == "a name") && look.is_reserved())
        d.note(Diag::is_keyword, {}, {std::string(cursor.word())});
    bool is_argument = what == "an expression" || what == describe(Tok::RParen) || what == describe(Tok::Semicolon);
    if (is_argument && look.is_bare_block()) d.note(Diag::declarations_in_block, {});
    bool is_value_missing = what == "an expression" && context.statements && cursor.last() == Tok::Semicolon;
    if (is_value_missing) d.note(Diag::part_of_expression, context.statements);
}

/// A number that has a type of integers of another language: as one of the type that Mim has, or of the smallest one that it fits in.
static void hint_integer(Diagnostic& d, const std::string& digits, std::string_view type, std::string_view bits) {
    static constexpr std::string_view kWider[] = {"8", "16", "32", "64"};

    unsigned base = digits.starts_with("0x") || digits.starts_with("0X") ? 16 : 10;
    auto value    = front::read_digits(std::string_view(digits).substr(base == 16 ? 2 : 0), base);
    auto last_of  = [](std::string_view width) { return ~uint64_t(0) >> (64 - std::stoul(std::string(width))); };
    auto fits     = [&](std::string_view width) { return value && *value <= last_of(width); };
    auto mim_type = "I" + std::string(bits);
    if (fits(bits)) return (void)d.note(Diag::literal_of_type, {}, {digits + mim_type});
    auto text  = "`" + mim_type + "` has no sign, and its largest value is " + std::to_string(last_of(bits));
    auto wider = std::ranges::find_if(kWider, fits);
    if (wider != std::end(kWider)) text += "; `" + digits + "I" + std::string(*wider) + "` fits";
    note_instead(d, std::string(type), std::move(text));
}

void hint_suffix(Diagnostic& d, std::string_view number) {
    static constexpr std::string_view kSigns[]    = {"i", "u", "I", "U", "int", "uint", "Int", "UInt"};
    static constexpr std::string_view kBits[]     = {"8", "16", "32", "64"};
    static constexpr std::string_view kIntegers[] = {"l", "L", "u", "U", "ul", "UL", "ll", "LL", "ull", "ULL"};
    static constexpr std::string_view kNats[]     = {"n", "N", "nat", "Nat"};
    static constexpr std::string_view kFloats[]   = {"f", "F", "d", "D", "f16", "f32", "f64", "F16", "F32", "F64"};
    auto is_one_of = [](std::string_view word, auto& words) { return std::ranges::find(words, word) != std::end(words); };
    auto separator = number.find('_');
    if (separator != number.npos && separator + 1 < number.size() && front::is_digit(number[separator + 1])) {
        std::string plain(number);
        std::erase(plain, '_');
        return note_instead(d, "_ between digits", "it states a size, as in `3_8`; did you mean `" + plain + "`?");
    }
    bool is_hex = number.starts_with("0x") || number.starts_with("0X");
    auto split  = is_hex ? number.find_first_not_of("0123456789abcdefABCDEF", 2) : number.find_first_not_of("0123456789.");
    if (split == number.npos || split == 0) return;
    auto digits = std::string(number.substr(0, split));
    auto suffix = number.substr(split);
    if (is_one_of(suffix, kFloats))
        return note_instead(d, std::string(number), "the type of a float stands behind a colon, as in `" + digits + ":T`");
    if (digits.find('.') != digits.npos) return;
    if (is_one_of(suffix, kNats)) return note_instead(d, std::string(suffix), "`" + digits + "` alone is a `Nat`");
    if (is_one_of(suffix, kIntegers)) suffix = "I64";
    if (suffix.ends_with("_t")) suffix.remove_suffix(2);
    auto bits = suffix.substr(std::min(suffix.size(), suffix.find_first_of("0123456789")));
    auto sign = suffix.substr(0, suffix.size() - bits.size());
    if (!is_one_of(sign, kSigns)) return;
    if (is_one_of(bits, kBits)) return hint_integer(d, digits, suffix, bits);
    note_instead(d, std::string(suffix), "integers have the types `I8`, `I16`, `I32` and `I64`, or any `Idx n`");
}

/// Whether the text in front of this place, but for spaces, ends with a name, a number or a closing bracket.
static bool is_behind_operand(std::string_view all, uint32_t place) {
    while (place > 0 && all[place - 1] == ' ') --place;
    if (place == 0) return false;
    char last = all[place - 1];
    if (last == ')' || last == ']') return true;
    auto end = place;
    while (place > 0 && front::is_word(all[place - 1])) --place;
    auto word = all.substr(place, end - place);
    return !word.empty() && keyword(word) >= Tok::K_Nat; // not behind `axm`
}

void hint_remainder(Diagnostic& d, std::string_view all, uint32_t begin, uint32_t end) {
    if (is_behind_operand(all, begin))
        d.note(Diag::remainder_spaced, {}, {"a % " + std::string(all.substr(begin + 1, end - begin - 1))});
}

void hint_negative(Diagnostic& d, std::string_view all, uint32_t begin, uint32_t end) {
    auto text = all.substr(begin, end - begin);
    if (end < all.size() && all.substr(end, 2) == ":%")
        return (void)d.note(Diag::float_has_fraction, {}, {std::string(text) + ".0"});
    auto width = text.find('I');
    if (width == text.npos) return;
    uint64_t value = 0;
    unsigned bits  = 0;
    auto read      = [](std::string_view s, auto& to) {
        auto [stop, failed] = std::from_chars(s.data(), s.data() + s.size(), to);
        return failed == std::errc() && stop == s.data() + s.size();
    };
    if (!read(text.substr(1, width - 1), value) || !read(text.substr(width + 1), bits)) return;
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64) return;
    uint64_t last = ~uint64_t(0) >> (64 - bits);
    if (value > last / 2 + 1) return;
    d.note(Diag::residue, {}, {std::string(text), std::to_string((0 - value) & last) + std::string(text.substr(width))});
}

} // namespace mim
