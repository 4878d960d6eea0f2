// SPDX-License-Identifier: MIT
// The texts of Perl's patterns, as patterns. What is matched first is what Perl tries first, so alternatives and what repeats become ordered
// patterns, unless their parts are so simple that the longest match is the first one anyway. Groups get numbers in the order in which they begin.
//
//     alternatives ::= sequence ('|' sequence)*
//     sequence     ::= (atom quantifier?)*
//     quantifier   ::= ('*' | '+' | '?' | '{' n (',' m?)? '}') '?'?
//     atom         ::= character | '.' | '[' … ']' | '\' … | '^' | '$' | '(' ('?' flags? ':')? alternatives ')'
#include "regex/host/parse.h"

#include <algorithm>
#include <cctype>

#include "diag/utf8.h"
#include "front/chars.h"
#include "front/nesting.h"
#include "regex/diagnostics.h"
#include "regex/host/classes.h"

namespace mim::plug::regex {

namespace {

/// Facts about a part: its only length, if it has only one, whether it has an order already, and at least how many
/// parts it has itself.
struct Piece {
    const Pattern* tree;
    int64_t length = -1;
    bool ordered   = false;
    uint64_t size  = 1;
    bool groups    = false; ///< it has some with numbers
};

/// The characters of a pattern without quantifiers.
uint64_t count_chars(const Pattern* p) {
    if (p->op == Pattern::Chars) return 1;
    uint64_t size = 0;
    for (auto kid : p->kids) size += count_chars(kid);
    return size;
}

class Parser {
public:
    Parser(Trees& trees, std::string text, uint64_t max_parts)
        : trees_(trees)
        , text_(std::move(text))
        , max_parts_(max_parts) {}

    const Pattern& run() {
        auto piece = alternatives();
        if (pos_ != text_.size()) fail(diag::unclosed("(", ")"), pos_);
        return *piece.tree;
    }

private:
    static constexpr unsigned max_depth  = 250;
    static constexpr uint64_t max_repeat = 65535;

    struct Flags {
        bool nocase = false, lines = false, dotall = false, utf8 = false;
    };

    [[noreturn]] void fail(Error, size_t at);
    /// The characters from a place to this one are wrong.
    [[noreturn]] void fail(Error, size_t at, size_t end);
    [[noreturn]] void nothing_to_repeat(size_t at) { fail(diag::no_repeat(), at); }
    /// The characters from a place to this one are what begins it.
    [[noreturn]] void unsupported(std::string what, std::string why, size_t at) {
        fail(diag::unsupported(std::move(what), std::move(why)), at, pos_);
    }
    [[noreturn]] void no_back_references(size_t at) { unsupported("back-references", "no automaton finds them", at); }
    std::string between(size_t begin, size_t end) const;
    bool digit(size_t at) const { return at < text_.size() && front::is_digit(text_[at]); }
    bool more() const { return pos_ < text_.size(); }
    bool at(std::string_view s) const { return std::string_view(text_).substr(pos_).starts_with(s); }
    bool eat(std::string_view s) { return at(s) && (pos_ += s.size(), true); }

    /// With an order, so that what it is a part of has one.
    Piece in_order(Piece p) {
        return p.ordered ? p : Piece{trees_.nary(Pattern::Alt, {p.tree}), p.length, true, p.size, p.groups};
    }
    /// The piece that begins here, if it is not too large.
    Piece bounded(Piece p, size_t begin) {
        if (p.size > max_parts_) fail(diag::too_large("its parts are at most " + std::to_string(max_parts_)), begin, pos_);
        return p;
    }
    Piece place(regex::at sub) { return {trees_.place(sub), 0}; }
    Piece one_of(CodePoints);
    Piece one(uint32_t);

    Piece alternatives();
    Piece sequence();
    Piece quantified(Piece);
    bool bounds(uint64_t& min, uint64_t& max);
    Piece times(const Piece&, uint64_t min, uint64_t max, bool lazy);
    Piece atom();
    Piece group();
    bool flags();
    Piece escape();
    CodePoints set();
    bool class_item(CodePoints&, uint32_t&);
    bool class_escape(CodePoints&);
    uint32_t chr();
    uint32_t escaped_char();

    Trees& trees_;
    std::string text_;
    uint64_t max_parts_;
    size_t pos_      = 0;
    uint64_t groups_ = 0; ///< that have a number
    Flags flags_;
    front::Nesting nesting_{max_depth};
};

constexpr const char* kinds = "`(…)`, `(?:…)`, `(?<name>…)`, and the flags `i`, `m`, `s` and `u` as in `(?i)` and `(?i:…)`";
constexpr const char* classes =
    "`[:alnum:]`, `alpha`, `ascii`, `blank`, `cntrl`, `digit`, `graph`, `lower`, `print`, `punct`, `space`, "
    "`upper`, `word` and `xdigit`";

/// A piece of the text as it may be shown.
std::string shown(std::string_view s) {
    std::string out;
    for (unsigned char c : s) {
        if (c >= ' ' && c != 127) out += char(c);
        else out += "\\x", out += "0123456789abcdef"[c / 16], out += "0123456789abcdef"[c % 16];
    }
    return out;
}

std::string Parser::between(size_t begin, size_t end) const { return shown(std::string_view(text_).substr(begin, end - begin)); }

void Parser::fail(Error error, size_t at) { fail(std::move(error), at, at + 1); }

void Parser::fail(Error e, size_t at, size_t stop) {
    auto is_start = [&](size_t i) { return i >= text_.size() || (uint8_t(text_[i]) & 0xc0) != 0x80; };
    auto begin = at > 16 ? at - 16 : 0, end = std::min(at + 16, text_.size());
    while (begin < at && !is_start(begin)) ++begin;
    while (end > at && !is_start(end)) --end;
    auto where = at == 0 ? "the start of the text, before `"
                         : "character " + std::to_string(at) + " of the text, between `" + between(begin, at) + "` and `";
    while (!is_start(stop)) ++stop;
    e.part = {at, std::min(stop, text_.size()), where + between(at, end) + "`"};
    throw e;
}

Piece Parser::one_of(CodePoints set) {
    if (flags_.nocase) set.fold();
    if (flags_.utf8) set.widen();
    auto tree = set.pattern(trees_);
    return {tree, set.is_bytes() ? 1 : -1, false, set.is_bytes() ? 1 : count_chars(tree)};
}

/// A character, and its other case if there is none.
Piece Parser::one(uint32_t c) {
    if (c < 128 && !flags_.nocase) return {trees_.character(uint8_t(c)), 1};
    return one_of(CodePoints::of(c, c));
}

Piece Parser::alternatives() {
    front::Nesting::Level nest(nesting_);
    if (nesting_.is_too_deep()) fail(diag::too_large("groups, one in the other, are at most " + std::to_string(max_depth)), pos_);
    auto around = flags_;
    auto begin  = pos_;
    std::vector<Piece> ways{sequence()};
    while (eat("|")) ways.push_back(sequence());
    flags_ = around;
    if (ways.size() == 1) return ways[0];
    // if all have the same length, it makes no difference which one it was
    bool groups = std::ranges::any_of(ways, &Piece::groups);
    auto same   = !groups && std::ranges::all_of(ways, [&](auto& p) { return p.length >= 0 && p.length == ways[0].length; });
    std::vector<const Pattern*> kids;
    uint64_t size = 1;
    for (auto& p : ways) kids.push_back(p.tree), size += p.size;
    if (same) return bounded({trees_.nary(Pattern::Disj, std::move(kids)), ways[0].length, false, size}, begin);
    return bounded({trees_.nary(Pattern::Alt, std::move(kids)), -1, true, size, groups}, begin);
}

Piece Parser::sequence() {
    std::vector<Piece> parts;
    auto begin = pos_;
    while (more() && !at("|") && !at(")")) {
        if (at("(?") && flags()) continue;
        parts.push_back(quantified(atom()));
    }
    auto varies = std::ranges::count_if(parts, [](auto& p) { return p.length < 0; });
    Piece all{nullptr, 0, std::ranges::any_of(parts, &Piece::ordered), 0, std::ranges::any_of(parts, &Piece::groups)};
    if (varies > 1 && !all.ordered) parts[0] = in_order(parts[0]), all.ordered = true;
    std::vector<const Pattern*> kids;
    for (auto& p : parts) {
        kids.push_back(p.tree);
        all.length = all.length < 0 || p.length < 0 ? -1 : all.length + p.length;
        all.size += p.size;
    }
    all.tree = trees_.nary(Pattern::Conj, std::move(kids));
    return bounded(all, begin);
}

/// `{n}`, `{n,}` or `{n,m}`; anything else behind a `{` is text.
bool Parser::bounds(uint64_t& min, uint64_t& max) {
    auto begin  = pos_;
    auto number = [&](uint64_t& n) {
        auto first = pos_;
        for (n = 0; digit(pos_); ++pos_) {
            n = n * 10 + uint64_t(text_[pos_] - '0');
            if (n > max_repeat) fail(diag::too_large("repetitions are at most " + std::to_string(max_repeat)), first);
        }
        return pos_ != first;
    };
    if (eat("{") && number(min)) {
        max = min;
        if (eat(",") && !number(max)) max = ~uint64_t(0);
        if (eat("}")) {
            if (min > max) fail(diag::order(std::to_string(min), std::to_string(max) + " times"), begin, pos_);
            return true;
        }
    }
    pos_ = begin;
    return false;
}

Piece Parser::quantified(Piece p) {
    for (bool first = true; more(); first = false) {
        auto begin   = pos_;
        uint64_t min = 0, max = ~uint64_t(0);
        if (eat("?")) max = 1;
        else if (eat("+")) min = 1;
        else if (!eat("*") && !bounds(min, max)) break;
        if (!first) nothing_to_repeat(begin);
        if (eat("+")) unsupported("possessive quantifiers", "matching never goes back, so `+` is all they could change", begin);
        p = bounded(times(p, min, max, eat("?")), begin);
    }
    return p;
}

Piece Parser::times(const Piece& piece, uint64_t min, uint64_t max, bool is_lazy) {
    auto p    = piece;
    bool loop = max == ~uint64_t(0);
    if (min == max) is_lazy = false;
    // what is repeated as Perl does it need not be the longest of all
    if ((max > 1 || is_lazy) && p.length < 0) p = in_order(p);
    auto some = [&](bool none, bool many) {
        return trees_.make({.op = Pattern::Quant, .none = none, .many = many, .lazy = is_lazy, .kids = {p.tree}});
    };
    using Kids = std::vector<const Pattern*>;
    auto many  = [&](uint64_t n, const Pattern* one) { return trees_.nary(Pattern::Conj, Kids(n, one)); };
    Kids kids;
    if (loop && min <= 1) kids.push_back(some(min == 0, true));
    else {
        kids.push_back(many(loop ? min - 1 : min, p.tree));
        if (loop) kids.push_back(some(false, true));
        else if (min != max) kids.push_back(many(max - min, some(true, false)));
    }
    auto length = min == max && p.length >= 0 ? int64_t(min) * p.length : -1;
    auto size   = loop ? std::max(min, uint64_t(1)) * p.size + 1 : min * p.size + (max - min) * (p.size + 1);
    return {trees_.nary(Pattern::Conj, std::move(kids)), length, p.ordered || is_lazy, size, p.groups};
}

Piece Parser::atom() {
    auto begin = pos_;
    switch (text_[pos_]) {
        case '(': return group();
        case '[': return one_of(set());
        case '\\': return escape();
        case '.': return ++pos_, one_of(flags_.dotall ? CodePoints::bytes(0, 255) : CodePoints::bytes('\n', '\n').complement());
        case '^': return ++pos_, place(flags_.lines ? at::line_start : at::start);
        case '$': return ++pos_, place(flags_.lines ? at::line_stop : at::stop);
        case '*':
        case '+':
        case '?': nothing_to_repeat(begin);
        case '{':
            if (uint64_t min, max; bounds(min, max)) nothing_to_repeat(begin);
            break;
        default: break;
    }
    return one(chr());
}

/// `(?i)` and its like, of `i`, `m`, `s` and `u`, which hold to the end of the group.
bool Parser::flags() {
    auto begin = pos_;
    auto set   = flags_;
    bool on    = true;
    for (pos_ += 2; more(); ++pos_) {
        if (eat(")")) return flags_ = set, true;
        switch (text_[pos_]) {
            case 'i': set.nocase = on; break;
            case 'm': set.lines = on; break;
            case 's': set.dotall = on; break;
            case 'u': set.utf8 = on; break;
            case '-': on = false; break;
            case '#':
                if (pos_ != begin + 2) return pos_ = begin, false;
                pos_ = text_.find(')', pos_);
                if (pos_ == std::string::npos) fail(diag::unclosed(")", "("), begin);
                return ++pos_, true;
            default: return pos_ = begin, false;
        }
    }
    fail(diag::unclosed(")", "("), begin);
}

Piece Parser::group() {
    auto begin      = pos_++;
    auto around     = flags_;
    uint64_t number = 0;
    if (eat("?<!\\w)")) return place(at::no_word_before);
    if (eat("?!\\w)")) return place(at::no_word_after);
    if (eat("?<=") || eat("?<!") || eat("?=") || eat("?!"))
        unsupported("looking ahead and behind", "only `^`, `$`, `\\b`, `(?<!\\w)`, `(?!\\w)` and their like look around", begin);
    if (eat("?>")) unsupported("atomic groups", "matching never goes back", begin);
    if (eat("?P=")) no_back_references(begin);
    if (eat("?R") || eat("?&") || eat("?P>") || (at("?") && digit(pos_ + 1) && eat("?")))
        unsupported("recursion", "no automaton knows how deep it is", begin);
    if (eat("?(")) unsupported("conditions", "write each case as an alternative", begin);
    if (eat("?P<") || eat("?<") || eat("?'")) {
        auto quote = text_[pos_ - 1] == '<' ? '>' : '\'';
        auto stop  = text_.find(quote, pos_);
        if (stop == std::string::npos) fail(diag::unclosed(std::string{quote}, std::string{text_[pos_ - 1]}), pos_ - 1);
        pos_   = stop + 1;
        number = ++groups_;
    } else if (eat("?")) {
        for (bool on = true; more() && !eat(":"); ++pos_) {
            auto c = text_[pos_];
            if (c == '-') on = false;
            else if (c == 'i') flags_.nocase = on;
            else if (c == 'm') flags_.lines = on;
            else if (c == 's') flags_.dotall = on;
            else if (c == 'u') flags_.utf8 = on;
            else fail(diag::no_such("group `" + between(begin, pos_ + 1) + "`", kinds), begin, pos_ + 1);
        }
    } else if (eat("*")) {
        unsupported("verbs", "matching never goes back", begin);
    } else {
        number = ++groups_;
    }
    auto inner = alternatives();
    flags_     = around;
    if (!eat(")")) fail(diag::unclosed(")", "("), begin);
    if (number == 0) return inner;
    inner.tree   = trees_.make({.op = Pattern::Group, .number = number, .kids = {inner.tree}});
    inner.groups = true;
    return inner;
}

Piece Parser::escape() {
    auto begin = pos_;
    if (eat("\\b")) return place(at::word);
    if (eat("\\B")) return place(at::inside);
    if (eat("\\A")) return place(at::start);
    if (eat("\\z")) return place(at::stop);
    CodePoints set;
    ++pos_;
    if (class_escape(set)) return one_of(set);
    auto c = more() ? text_[pos_] : '\0';
    ++pos_;
    if ((c >= '1' && c <= '9') || c == 'g' || c == 'k') no_back_references(begin);
    pos_ = begin;
    return one(chr());
}

/// A class behind a `\`: `d`, `w`, `s`, `h`, `v`, `N` and, in capitals, their complements.
bool Parser::class_escape(CodePoints& set) {
    if (!more()) return false;
    auto c     = text_[pos_];
    auto lower = char(c | 32);
    if (c == 'N') set = CodePoints::bytes('\n', '\n').complement();
    else if (!CodePoints::named(lower, set)) return false;
    else if (c != lower) set = set.complement();
    return ++pos_, true;
}

/// A character as it is written, maybe of several bytes or behind a `\`.
uint32_t Parser::chr() {
    auto begin = pos_;
    if (eat("\\")) return escaped_char();
    auto rest = std::string_view(text_).substr(pos_);
    auto size = mim::utf8::size(rest);
    if (size == 0) fail(diag::character("the text is no UTF-8 here"), begin, begin + 1);
    pos_ += size;
    return mim::utf8::next(rest);
}

uint32_t Parser::escaped_char() {
    auto begin = pos_ - 1;
    if (!more()) fail(diag::character("nothing follows the `\\`"), begin);
    auto c = text_[pos_++];
    if (uint8_t(c) >= 0x80) return --pos_, chr();
    auto hex = [&](size_t at_most) {
        uint32_t value = 0;
        for (size_t i = 0; i != at_most && more() && front::digit_value(text_[pos_]) < 16; ++i, ++pos_)
            value = value * 16 + front::digit_value(text_[pos_]);
        return value;
    };
    static constexpr std::string_view names = "aefnrt", values("\a\x1b\f\n\r\t", 6);
    if (auto i = names.find(c); i != names.npos) return uint8_t(values[i]);
    if (c == 'x' && eat("{")) {
        auto value = hex(7);
        if (!eat("}") || value > 0x10ffff) fail(diag::character("there are `\\x{0}` to `\\x{10ffff}`"), begin, pos_);
        return value;
    }
    if (c == 'x') return hex(2);
    if (c == '0') { // and up to two more octal digits
        uint32_t value = 0;
        for (int i = 0; i != 2 && more() && text_[pos_] >= '0' && text_[pos_] <= '7'; ++i)
            value = value * 8 + uint32_t(text_[pos_++] - '0');
        return value;
    }
    if (c == 'p' || c == 'P')
        unsupported("properties of Unicode", "write ranges of characters, as in `[\\x{370}-\\x{3ff}]`", begin);
    if (std::isalnum(uint8_t(c))) fail(diag::character(std::string("there is no `\\") + c + "`"), begin, pos_);
    return uint8_t(c);
}

/// One element of a set: true if it is a single character, which may begin a range.
bool Parser::class_item(CodePoints& set, uint32_t& c) {
    auto begin = pos_;
    if (eat("[:")) {
        auto stop = text_.find(":]", pos_), end = std::min(text_.size(), std::max(stop, stop + 2));
        auto name = text_.substr(pos_, stop == std::string::npos ? 0 : stop - pos_);
        bool no   = name.starts_with('^');
        CodePoints named;
        if (!CodePoints::posix(name.substr(no), named))
            fail(diag::no_such("class `" + between(begin, end) + "`", classes), begin, end);
        set |= no ? named.complement() : named;
        return pos_ = stop + 2, false;
    }
    if (eat("\\")) {
        CodePoints named;
        if (class_escape(named)) return set |= named, false;
        if (eat("b")) return c = '\b', true;
        --pos_;
    }
    return c = chr(), true;
}

CodePoints Parser::set() {
    auto begin = pos_++;
    bool no    = eat("^");
    CodePoints set;
    for (bool first = true; first || !at("]"); first = false) {
        if (!more()) fail(diag::unclosed("]", "["), begin);
        auto item = pos_, dash = pos_;
        uint32_t lo = 0, hi = 0;
        if (!class_item(set, lo)) {
            if (eat("-")) set |= CodePoints::of('-', '-'); // which begins no range behind a class
            continue;
        }
        hi = lo;
        if (at("-") && !at("-]") && pos_ + 1 < text_.size()) {
            dash = pos_++;
            if (!class_item(set, hi)) set |= CodePoints::of('-', '-'), hi = lo;
        }
        if (hi < lo) fail(diag::order("`" + between(item, dash) + "`", "`" + between(dash + 1, pos_) + "`"), item, pos_);
        set |= CodePoints::of(lo, hi);
    }
    ++pos_;
    if (flags_.nocase) set.fold();
    return no ? set.complement() : set;
}

} // namespace

const Pattern& parse_text(Trees& trees, std::string text, uint64_t max_parts) {
    return Parser(trees, std::move(text), max_parts).run();
}

} // namespace mim::plug::regex
