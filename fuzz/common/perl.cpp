// SPDX-License-Identifier: MIT
#include "common/perl.h"

#include <algorithm>
#include <cctype>

namespace fuzz {

namespace {

constexpr uint64_t unbounded  = ~uint64_t(0);
constexpr uint32_t last_point = 0x10ffff;

/// Thrown: the text is no pattern.
struct NoPattern {};

/// A character in UTF-8, and its length; of length 0 if there is none.
std::pair<uint32_t, size_t> decode(std::string_view s) {
    auto byte = [&](size_t i) { return i < s.size() ? uint32_t(uint8_t(s[i])) : 0u; };
    auto rest = [&](size_t i) { return (byte(i) & 0xc0) == 0x80; };
    auto one  = byte(0);
    if (one < 0x80) return {one, s.empty() ? 0 : 1};
    if (one >= 0xc2 && one <= 0xdf && rest(1)) return {(one & 31) << 6 | (byte(1) & 63), 2};
    if ((one & 0xf0) == 0xe0 && rest(1) && rest(2)) {
        auto c = (one & 15) << 12 | (byte(1) & 63) << 6 | (byte(2) & 63);
        if (c >= 0x800 && (c < 0xd800 || c > 0xdfff)) return {c, 3};
    }
    if ((one & 0xf8) == 0xf0 && rest(1) && rest(2) && rest(3)) {
        auto c = (one & 7) << 18 | (byte(1) & 63) << 12 | (byte(2) & 63) << 6 | (byte(3) & 63);
        if (c >= 0x10000 && c <= last_point) return {c, 4};
    }
    return {0, 0};
}

void add(CharSet& set, uint32_t lo, uint32_t hi) {
    for (auto c = lo; c <= std::min(hi, 127u); ++c) set.ascii.set(c);
    if (hi > 127) set.wide.push_back({std::max(lo, 128u), hi});
}

bool has_wide(const CharSet& set, uint32_t c) {
    return std::ranges::any_of(set.wide, [&](auto& range) { return range.first <= c && c <= range.second; });
}

CharSet negate(CharSet set) {
    set.ascii = ~set.ascii;
    if (set.wide.empty()) return set.high = !set.high, set;
    std::vector<std::pair<uint32_t, uint32_t>> gaps;
    std::ranges::sort(set.wide);
    uint32_t from = 128;
    for (auto [lo, hi] : set.wide) {
        if (from < lo) gaps.push_back({from, lo - 1});
        from = std::max(from, hi + 1);
    }
    if (from <= last_point) gaps.push_back({from, last_point});
    return {set.ascii, false, gaps};
}

class Parser {
public:
    explicit Parser(std::string_view text)
        : text_(text) {}

    Perl run() {
        auto root = ways();
        if (!text_.empty()) throw NoPattern();
        return {root, groups_};
    }

private:
    struct Flags {
        bool i = false, m = false, s = false, u = false;
    };

    bool at(std::string_view s) const { return text_.starts_with(s); }
    bool eat(std::string_view s) {
        if (!at(s)) return false;
        text_.remove_prefix(s.size());
        return true;
    }
    void need(bool ok) {
        if (!ok) throw NoPattern();
    }
    char next() {
        need(!text_.empty());
        auto c = text_[0];
        text_.remove_prefix(1);
        return c;
    }

    PerlNode ways() {
        need(++depth_ < 200);
        auto around = flags_;
        PerlNode node{PerlNode::Ways};
        do node.kids.push_back(sequence());
        while (eat("|"));
        flags_ = around;
        --depth_;
        return node;
    }

    PerlNode sequence() {
        PerlNode node{PerlNode::Sequence};
        while (!text_.empty() && !at("|") && !at(")")) {
            if (comment() || setting()) continue;
            node.kids.push_back(quantified(atom()));
        }
        return node;
    }

    bool comment() {
        if (!eat("(?#")) return false;
        auto stop = text_.find(')');
        need(stop != text_.npos);
        text_.remove_prefix(stop + 1);
        return true;
    }

    bool letters(char stop) {
        bool on = true;
        auto to = flags_;
        for (size_t i = 0; i < text_.size(); ++i) {
            auto c = text_[i];
            if (c == stop) return flags_ = to, text_.remove_prefix(i + 1), true;
            if (c == '-') on = false;
            else if (c == 'i') to.i = on;
            else if (c == 'm') to.m = on;
            else if (c == 's') to.s = on;
            else if (c == 'u') to.u = on;
            else break;
        }
        return false;
    }

    bool setting() {
        auto before = text_;
        return eat("(?") && (letters(')') || (text_ = before, false));
    }

    static bool number(std::string_view& text, uint64_t& n) {
        if (text.empty() || !std::isdigit(uint8_t(text[0]))) return false;
        for (n = 0; !text.empty() && std::isdigit(uint8_t(text[0])); text.remove_prefix(1)) {
            n = n * 10 + uint64_t(text[0] - '0');
            if (n > 65535) throw NoPattern();
        }
        return true;
    }

    bool bounds(uint64_t& min, uint64_t& max) {
        auto rest = text_;
        rest.remove_prefix(1);
        if (!number(rest, min)) return false;
        max = min;
        if (rest.starts_with(',')) {
            rest.remove_prefix(1);
            if (!number(rest, max)) max = unbounded;
        }
        if (!rest.starts_with('}')) return false;
        need(min <= max);
        text_ = rest.substr(1);
        return true;
    }

    bool quantifier(uint64_t& min, uint64_t& max) {
        min = 0, max = unbounded;
        if (eat("*")) return true;
        if (eat("+")) return min = 1, true;
        if (eat("?")) return max = 1, true;
        return at("{") && bounds(min, max);
    }

    PerlNode quantified(PerlNode what) {
        PerlNode node{PerlNode::Repeat};
        if (!quantifier(node.min, node.max)) return what;
        need(!at("+"));
        node.lazy = eat("?");
        node.kids.push_back(std::move(what));
        uint64_t min, max;
        need(!quantifier(min, max));
        return node;
    }

    PerlNode place(char c) { return {.op = PerlNode::Place, .place = c}; }
    PerlNode chars(CharSet set) {
        if (flags_.i)
            for (unsigned c = 'a'; c <= 'z'; ++c) set.ascii[c] = set.ascii[c - 32] = set.ascii[c] || set.ascii[c - 32];
        if (flags_.u && set.high && set.wide.empty()) set.high = false, set.wide = {{128, last_point}};
        return {.op = PerlNode::Chars, .chars = std::move(set)};
    }
    static CharSet all_but_newline() {
        CharSet set;
        add(set, '\n', '\n');
        return negate(set);
    }

    PerlNode atom() {
        switch (text_[0]) {
            case '(': return group();
            case '[': return next(), chars(set());
            case '^': return next(), place(flags_.m ? '^' : 'A');
            case '$': return next(), place(flags_.m ? '$' : 'z');
            case '*':
            case '+':
            case '?': throw NoPattern();
            case '{': {
                uint64_t min, max;
                need(!bounds(min, max));
                break;
            }
            case '.': return next(), chars(flags_.s ? negate({}) : all_but_newline());
            case '\\':
                for (auto c : {'A', 'z', 'b', 'B'})
                    if (text_.size() > 1 && text_[1] == c) return next(), next(), place(c);
                if (CharSet set; named(set)) return chars(set);
                break;
            default: break;
        }
        CharSet set;
        auto c = character();
        add(set, c, c);
        return chars(set);
    }

    PerlNode group() {
        auto around = flags_;
        PerlNode node{PerlNode::Group};
        next();
        if (eat("?<!\\w)")) return place('<');
        if (eat("?!\\w)")) return place('>');
        need(!at("*"));
        for (auto begin : {"?<", "?P<", "?'"}) {
            if (!eat(begin)) continue;
            need(!at("=") && !at("!"));
            auto stop = text_.find(std::string_view(begin).back() == '<' ? '>' : '\'');
            need(stop != text_.npos);
            text_.remove_prefix(stop + 1);
            node.number = ++groups_;
        }
        if (node.number == 0 && !eat("?")) node.number = ++groups_;
        else if (node.number == 0) need(letters(':'));
        node.kids.push_back(ways());
        flags_ = around;
        need(eat(")"));
        return node;
    }

    /// `\d` and its like.
    bool named(CharSet& set) {
        if (text_.size() < 2 || text_[0] != '\\') return false;
        auto c = text_[1];
        if (c == 'N') set = all_but_newline();
        else {
            if (!std::isalpha(uint8_t(c))) return false;
            std::string_view members;
            switch (std::tolower(uint8_t(c))) {
                case 'd': members = "0123456789"; break;
                case 'w': members = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"; break;
                case 's': members = " \t\n\v\f\r"; break;
                case 'h': members = " \t"; break;
                case 'v': members = "\n\v\f\r"; break;
                default: return false;
            }
            set = {};
            for (auto member : members) set.ascii.set(size_t(member));
            if (std::isupper(uint8_t(c))) set = negate(set);
        }
        text_.remove_prefix(2);
        return true;
    }

    uint32_t digits(size_t most) {
        uint32_t value = 0;
        for (; most != 0 && !text_.empty() && std::isxdigit(uint8_t(text_[0])); --most)
            value = value * 16 + uint32_t(std::string_view("0123456789abcdef").find(char(std::tolower(uint8_t(next())))));
        return value;
    }

    uint32_t character() {
        if (!eat("\\")) {
            auto [c, length] = decode(text_);
            need(length != 0);
            text_.remove_prefix(length);
            return c;
        }
        auto c = next();
        switch (c) {
            case 'a': return 7;
            case 'e': return 27;
            case 'f': return 12;
            case 'n': return 10;
            case 'r': return 13;
            case 't': return 9;
            case '0': {
                uint32_t value = 0;
                for (int i = 0; i != 2 && !text_.empty() && text_[0] >= '0' && text_[0] <= '7'; ++i)
                    value = value * 8 + uint32_t(next() - '0');
                return value;
            }
            case 'x':
                if (eat("{")) {
                    auto value = digits(7);
                    need(eat("}") && value <= last_point);
                    return value;
                }
                return digits(2);
            default: break;
        }
        need(!std::isalnum(uint8_t(c)));
        if (uint8_t(c) < 128) return uint8_t(c);
        text_ = {text_.data() - 1, text_.size() + 1};
        return character();
    }

    static bool posix(std::string_view name, CharSet& set) {
        int (*is)(int)                                          = nullptr;
        const std::pair<std::string_view, int (*)(int)> known[] = {
            {"alnum", std::isalnum},          {"alpha", std::isalpha},
            {"blank", std::isblank},          {"cntrl", std::iscntrl},
            {"digit", std::isdigit},          {"graph", std::isgraph},
            {"lower", std::islower},          {"print", std::isprint},
            {"punct", std::ispunct},          {"space", std::isspace},
            {"upper", std::isupper},          {"xdigit", std::isxdigit},
            {"ascii", [](int) { return 1; }}, {"word", [](int c) { return int(std::isalnum(c) || c == '_'); }},
        };
        for (auto& [other, f] : known)
            if (other == name) is = f;
        for (int c = 0; is && c != 128; ++c) set.ascii[size_t(c)] = is(c) != 0;
        return is != nullptr;
    }

    static void join(CharSet& set, const CharSet& more) {
        set.ascii |= more.ascii, set.high |= more.high;
        set.wide.insert(set.wide.end(), more.wide.begin(), more.wide.end());
    }

    /// A class, or a character, which may begin a range.
    bool item(CharSet& set, uint32_t& c) {
        CharSet some;
        if (eat("[:")) {
            bool no   = eat("^");
            auto stop = text_.find(":]");
            need(stop != text_.npos && posix(text_.substr(0, stop), some));
            text_.remove_prefix(stop + 2);
            return join(set, no ? negate(some) : some), false;
        }
        if (named(some)) return join(set, some), false;
        c = eat("\\b") ? 8 : character();
        return true;
    }

    CharSet set() {
        bool no = eat("^");
        CharSet set;
        for (bool first = true; first || !at("]"); first = false) {
            need(!text_.empty());
            uint32_t lo = 0, hi = 0;
            if (!item(set, lo)) {
                if (eat("-")) add(set, '-', '-');
                continue;
            }
            hi = lo;
            if (at("-") && text_.size() > 1 && text_[1] != ']') {
                next();
                if (!item(set, hi)) add(set, '-', '-'), hi = lo;
            }
            need(lo <= hi);
            add(set, lo, hi);
        }
        next();
        if (set.high && !set.wide.empty()) set.high = false, set.wide = {{128, last_point}};
        return no ? negate(chars(set).chars) : set;
    }

    std::string_view text_;
    Flags flags_;
    unsigned groups_ = 0, depth_ = 0;
};

} // namespace

uint64_t PerlNode::size() const {
    uint64_t all = 1;
    for (auto& kid : kids) all += kid.size();
    return op != Repeat ? all : all * std::max<uint64_t>(1, max == unbounded ? min : max);
}

std::optional<Perl> parse_perl(std::string_view text) {
    try {
        return Parser(text).run();
    } catch (const NoPattern&) {
        return {};
    }
}

std::optional<size_t> PerlMatch::match(size_t pos, const Next& accept) {
    std::optional<size_t> found;
    groups.assign(2 * pattern_.groups, -1);
    go(pattern_.root, pos, [&](size_t end) { return accept(end) && (found = end, true); });
    return found;
}

bool PerlMatch::go(const PerlNode& n, size_t pos, const Next& next) {
    struct Depth {
        unsigned& depth;
        ~Depth() { --depth; }
    } here{++depth_};
    if (++steps_ > 200'000 || depth_ > 4000) throw TooLong();
    switch (n.op) {
        case PerlNode::Chars: {
            auto size = length(n.chars, pos);
            return size != 0 && next(pos + size);
        }
        case PerlNode::Place: return is_place(n.place, pos) && next(pos);
        case PerlNode::Sequence: return sequence(n, 0, pos, next);
        case PerlNode::Ways: return std::ranges::any_of(n.kids, [&](auto& kid) { return go(kid, pos, next); });
        case PerlNode::Repeat: return repeat(n, n.min, n.max, pos, next);
        case PerlNode::Group: break;
    }
    return go(n.kids[0], pos, [&](size_t end) {
        if (n.number == 0) return next(end);
        auto before              = groups;
        groups[2 * n.number - 2] = int64_t(pos);
        groups[2 * n.number - 1] = int64_t(end);
        return next(end) || (groups = before, false);
    });
}

bool PerlMatch::sequence(const PerlNode& n, size_t kid, size_t pos, const Next& next) {
    if (kid == n.kids.size()) return next(pos);
    return go(n.kids[kid], pos, [&](size_t end) { return sequence(n, kid + 1, end, next); });
}

/// Without a bound, a round that matches nothing is the last one.
bool PerlMatch::repeat(const PerlNode& n, uint64_t min, uint64_t max, size_t pos, const Next& next) {
    auto more = [&] {
        return max != 0 && go(n.kids[0], pos, [&](size_t end) {
                   if (end == pos && max == unbounded && min <= 1) return next(end);
                   return repeat(n, min == 0 ? 0 : min - 1, max == unbounded ? max : max - 1, end, next);
               });
    };
    if (min != 0) return more();
    return n.lazy ? next(pos) || more() : more() || next(pos);
}

bool PerlMatch::is_place(char place, size_t pos) const {
    auto newline = [&](size_t i) { return subject_[i] == '\n'; };
    auto word    = [&](size_t i) { return i < subject_.size() && (std::isalnum(uint8_t(subject_[i])) || subject_[i] == '_'); };
    bool edge    = (pos != 0 && word(pos - 1)) != word(pos);
    switch (place) {
        case 'A': return pos == 0;
        case 'z': return pos == subject_.size();
        case '^': return pos == 0 || newline(pos - 1);
        case '$': return pos == subject_.size() || newline(pos);
        case 'b': return edge;
        case '<': return pos == 0 || !word(pos - 1);
        case '>': return !word(pos);
        default: return !edge;
    }
}

/// Of a character at a position; 0: there is none of the set.
size_t PerlMatch::length(const CharSet& set, size_t pos) const {
    if (pos == subject_.size()) return 0;
    auto c = uint8_t(subject_[pos]);
    if (c < 128) return set.ascii[c];
    if (set.wide.empty()) return set.high;
    auto [wide, size] = decode(subject_.substr(pos));
    return size != 0 && has_wide(set, wide) ? size : 0;
}

} // namespace fuzz
