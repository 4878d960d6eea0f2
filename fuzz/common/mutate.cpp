// SPDX-License-Identifier: MIT
#include "common/mutate.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <utility>
#include <vector>

#include <unistd.h>

#include "syntax/lex.h"

namespace fuzz {

namespace {

using std::string;
using std::string_view;

/// A range of tokens: [begin, end).
struct Range {
    size_t begin, end;
};

class Rng {
public:
    explicit Rng(uint64_t seed)
        : state_(seed * 0x9e3779b97f4a7c15ull + 1) {}
    size_t below(size_t n) {
        state_ ^= state_ << 13, state_ ^= state_ >> 7, state_ ^= state_ << 17;
        return static_cast<size_t>(state_ % n);
    }

private:
    uint64_t state_;
};

/// Text as the lexer sees it, with what brackets and semicolons group.
class Tokens {
public:
    explicit Tokens(string_view text)
        : text_(text)
        , tokens_(mim::lex(text).tokens) {
        std::vector<size_t> open;
        size_t statement = 0;
        for (size_t i = 0; i != size(); ++i) {
            auto t = tokens_[i].tok;
            if (is_opener(t)) open.push_back(i);
            if (is_closer(t) && !open.empty()) {
                groups_.push_back({open.back(), i + 1});
                if (open.back() + 1 < i) groups_.push_back({open.back() + 1, i});
                open.pop_back();
            }
            if (t != mim::Tok::Semicolon) continue;
            groups_.push_back({statement, i + 1});
            statement = i + 1;
        }
    }

    size_t size() const { return tokens_.size() - 1; } // without the end of the file
    string_view at(size_t i) const { return text_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin); }
    mim::Tok kind(size_t i) const { return tokens_[i].tok; }
    string_view before(const Range& r) const { return r.begin < size() ? text_.substr(0, tokens_[r.begin].begin) : text_; }
    string_view after(const Range& r) const { return r.end ? text_.substr(tokens_[r.end - 1].end) : text_; }
    string_view in(const Range& r) const {
        return r.begin >= r.end ? string_view()
                                : text_.substr(tokens_[r.begin].begin, tokens_[r.end - 1].end - tokens_[r.begin].begin);
    }
    /// A group, some tokens or one token.
    Range pick(Rng& rng) const {
        if (!groups_.empty() && rng.below(3)) return groups_[rng.below(groups_.size())];
        auto i = rng.below(size());
        return {i, std::min(size(), i + 1 + (rng.below(3) ? 0 : rng.below(5)))};
    }

private:
    static bool is_opener(mim::Tok t) {
        using enum mim::Tok;
        return t == LParen || t == LSquare || t == LBrace || t == LArray || t == LPack || t == LSingle || t == K_where;
    }
    static bool is_closer(mim::Tok t) {
        using enum mim::Tok;
        return t == RParen || t == RSquare || t == RBrace || t == RArray || t == RPack || t == RSingle || t == K_end;
    }

    string_view text_;
    std::vector<mim::Token> tokens_;
    std::vector<Range> groups_;
};

constexpr std::array words = {"let x = ",
                              "lam f (x: Nat): Nat = ",
                              "con k () = ",
                              "fun g (x: I32): I32 = return ",
                              "rec R = ",
                              "and S = ",
                              "extern",
                              "axm %fuzz.a: ",
                              "norm r x: Nat: ",
                              "rule r x: Nat: ",
                              "when",
                              "where",
                              "end",
                              "match",
                              "with | x: Nat => ",
                              "inj",
                              "ins(",
                              "as",
                              "Cn ",
                              "Fn ",
                              "cn ",
                              "fn ",
                              "Sort 1",
                              "Nat",
                              "Idx ",
                              "Bool",
                              "I8",
                              "I64",
                              "i64",
                              "tt",
                              "ff",
                              "return",
                              "ret x = f $ ",
                              "(",
                              ")",
                              "[",
                              "]",
                              "{",
                              "}",
                              "«",
                              "»",
                              "‹",
                              "›",
                              "⦃",
                              "⦄",
                              "→",
                              "=>",
                              "λ (x: Nat) = ",
                              "⊥",
                              "⊤",
                              "*",
                              "□",
                              "∪",
                              "=",
                              ",",
                              ";",
                              ":",
                              "#",
                              "@",
                              "@ff",
                              "@tt",
                              "$",
                              "|",
                              "_",
                              "%core.nat.add",
                              "%core.wrap.add 0",
                              "%core.icmp.ul",
                              "%core.bitcast",
                              "%core.conv.u",
                              "%core.pe.known",
                              "%core.zip",
                              "%mem.M",
                              "%mem.Ptr Nat",
                              "%mem.load",
                              "%mem.store",
                              "%mem.slot Nat",
                              "%mem.lea",
                              "plugin core;",
                              "plugin mem;",
                              "{T: *}",
                              "{n: Nat}",
                              "«n; T»",
                              "‹i: 3; i›",
                              "#0_2"};

constexpr std::array numbers = {"0",
                                "1",
                                "2",
                                "3",
                                "255",
                                "256",
                                "1024",
                                "1025",
                                "4294967296",
                                "9223372036854775808",
                                "18446744073709551615",
                                "18446744073709551616",
                                "0xff",
                                "0b1",
                                "1.5",
                                "0_1",
                                "1_2",
                                "3_4",
                                "42I32",
                                "300I8",
                                "i64",
                                "00",
                                "1e400"};

string replaced(const Tokens& t, const Range& r, string_view by) {
    string out(t.before(r));
    out += ' ';
    out += by;
    out += ' ';
    out += t.after(r);
    return out;
}

/// Something of the same kind: a number for a number, a word for a word.
string other_token(const Tokens& t, size_t i, Rng& rng) {
    auto kind = t.kind(i);
    if (kind == mim::Tok::Nat || kind == mim::Tok::Idx) return numbers[rng.below(numbers.size())];
    if (kind == mim::Tok::Ident || kind == mim::Tok::Annex)
        for (int tries = 0; tries != 8; ++tries)
            if (auto j = rng.below(t.size()); t.kind(j) == kind) return string(t.at(j));
    return words[rng.below(words.size())];
}

string change(string_view text, Rng& rng) {
    Tokens t(text);
    if (t.size() == 0) return words[rng.below(words.size())];
    auto r = t.pick(rng);
    switch (rng.below(9)) {
        case 0: return replaced(t, r, "");
        case 1: return replaced(t, r, string(t.in(r)) + " " + string(t.in(r)));
        case 2: { // two pieces change places
            auto s = t.pick(rng);
            if (s.begin < r.begin) std::swap(r, s);
            if (r.end > s.begin) return replaced(t, r, t.in(s));
            Tokens whole(text);
            string out(whole.before(r));
            out += ' ';
            out += whole.in(s);
            out += ' ';
            out += text.substr(whole.before(r).size() + whole.in(r).size(),
                               whole.before(s).size() - whole.before(r).size() - whole.in(r).size());
            out += ' ';
            out += whole.in(r);
            out += whole.after(s);
            return out;
        }
        case 3: return replaced(t, r, t.in(t.pick(rng)));
        case 4: return replaced(t, r, words[rng.below(words.size())]);
        case 5: return replaced(t, {r.begin, r.begin}, words[rng.below(words.size())]);
        case 6: return replaced(t, r, "(" + string(t.in(r)) + ")");
        case 7: return replaced(t, {r.begin, r.begin}, t.in(t.pick(rng)));
        default: {
            auto i = rng.below(t.size());
            return replaced(t, {i, i + 1}, other_token(t, i, rng));
        }
    }
}

string limited(string text, size_t max) {
    if (text.size() > max) text.resize(max);
    return text;
}

} // namespace

string mutate(string_view text, size_t max, uint64_t seed) {
    Rng rng(seed);
    string out(text);
    for (size_t n = 1 + rng.below(3); n != 0; --n) out = limited(change(out, rng), max);
    return out;
}

string cross(string_view text, string_view other, size_t max, uint64_t seed) {
    Rng rng(seed);
    Tokens a(text), b(other);
    if (a.size() == 0 || b.size() == 0) return limited(string(b.size() ? other : text), max);
    auto at = a.pick(rng);
    return limited(replaced(a, rng.below(2) ? at : Range{at.begin, at.begin}, b.in(b.pick(rng))), max);
}

void test_text(const uint8_t* data, size_t size, void (*test)(const string&)) {
    constexpr size_t max = 4096;
    if (size > max) return;
    string text(reinterpret_cast<const char*>(data), size);
    test(text);
    static const auto count = std::getenv("FUZZ_MUTANTS");
    static const auto file  = std::getenv("FUZZ_MUTANT");
    for (auto i = count ? std::strtoul(count, nullptr, 10) : 0; i != 0; --i) {
        auto mutant = mutate(text, max, i);
        if (file) std::ofstream(file, std::ios::binary) << mutant;
        test(mutant);
        if (file) ::unlink(file);
    }
}

} // namespace fuzz
