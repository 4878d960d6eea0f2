// SPDX-License-Identifier: MIT
#include "mutant.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>

namespace agree {

using std::string;

namespace {

/// A word of the program: a name, a number, an annex, or one other character.
struct Word {
    string* piece;
    size_t begin, size;
    string text() const { return piece->substr(begin, size); }
    void become(const string& other) const { piece->replace(begin, size, other); }
};

bool is_word_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '%'; }

class Mutator {
public:
    Mutator(Tree& program, Random& random, const GenOptions& options)
        : program_(program)
        , random_(random)
        , options_(options) {}

    string mutate() {
        static const std::vector<Change> changes = {
            {"another variable", &Mutator::variable},
            {"two variables exchanged", &Mutator::exchange_variables},
            {"another size", &Mutator::size},
            {"another filter", &Mutator::filter},
            {"a token renamed", &Mutator::token},
            {"a token hidden", &Mutator::hide_token},
            {"a value hidden", &Mutator::hide_value},
            {"a statement left out", &Mutator::leave_out},
            {"a statement twice", &Mutator::twice},
            {"another type", &Mutator::type},
            {"two parts exchanged", &Mutator::exchange},
            {"another part", &Mutator::part},
            {"another annex", &Mutator::annex},
            {"another number", &Mutator::number},
        };
        auto& change = random_.pick(changes);
        return (this->*change.make)() ? change.name : "";
    }

private:
    struct Change {
        const char* name;
        bool (Mutator::*make)();
    };

    // text

    std::vector<Word> words(const std::function<bool(const string&)>& wanted) {
        std::vector<Word> found;
        program_.visit_text([&](string& piece) {
            for (size_t i = 0; i != piece.size();) {
                auto begin = i;
                while (i != piece.size() && is_word_char(piece[i])) ++i;
                if (i == begin) {
                    ++i;
                    continue;
                }
                if (wanted(piece.substr(begin, i - begin))) found.push_back({&piece, begin, i - begin});
            }
        });
        return found;
    }

    static bool is_variable(const string& w) { return w[0] == '_' && w.size() > 1; }
    static bool is_number(const string& w) { return std::isdigit(static_cast<unsigned char>(w[0])) != 0; }
    static bool is_size(const string& w) { return is_number(w) && w.find_first_not_of("0123456789") == string::npos; }
    /// An annex but `%core.pe.known`, whose value differs between modes on purpose.
    static bool is_annex(const string& w) { return w[0] == '%' && w.find('.') != string::npos && w != "%core.pe.known"; }
    static bool is_filter(const string& w) { return w == "ff" || w == "tt"; }
    static bool is_token(const string& w) { return w == "mem"; }

    /// One word of these becomes what another one is: one nearby, mostly, which is more likely to be in scope and to fit.
    bool replace_one(bool (*wanted)(const string&)) {
        auto all = words(wanted);
        if (all.empty()) return false;
        auto at    = random_.below(all.size());
        auto other = nearby(all, at).text();
        if (all[at].text() == other) return false;
        return all[at].become(other), true;
    }

    const Word& nearby(const std::vector<Word>& all, size_t at) {
        constexpr size_t reach = 8;
        if (random_.chance(20)) return random_.pick(all);
        auto begin = at < reach ? 0 : at - reach;
        auto end   = std::min(all.size(), at + reach);
        return all[begin + random_.below(end - begin)];
    }

    bool variable() { return replace_one(is_variable); }
    bool annex() { return replace_one(is_annex); }
    bool number() { return replace_one(is_number); }
    bool filter() { return replace_one(is_filter); }

    bool exchange_variables() {
        auto all = words(is_variable);
        if (all.size() < 2) return false;
        auto at = random_.below(all.size());
        auto a = all[at], b = nearby(all, at);
        auto x = a.text(), y = b.text();
        if (x == y) return false;
        if (a.piece == b.piece && a.begin < b.begin) std::swap(a, b), std::swap(x, y);
        return a.become(y), b.become(x), true; // the later one first: places before it stay
    }

    bool size() {
        auto all = words(is_size);
        if (all.empty()) return false;
        auto& at = random_.pick(all);
        auto n   = std::stoull(at.text());
        switch (random_.below(4)) {
            case 0: return at.become(std::to_string(n + 1)), true;
            case 1: return at.become(std::to_string(n ? n - 1 : 1)), true;
            case 2: return at.become("0"), n != 0;
            default: return replace_one(is_size);
        }
    }

    bool token() {
        auto all = words(is_token);
        if (all.empty()) return false;
        return random_.pick(all).become(random_.chance(50) ? "mem0" : "_"), true;
    }

    bool hide_token() {
        auto all = words(is_token);
        if (all.empty()) return false;
        static const std::vector<string> ways = {"((hide mem)#1_2)", "(first (mem, mem))", "(second (mem, mem))",
                                                 "((keep mem) ())"};
        auto& way                             = random_.pick(ways);
        if (&way == &ways.back() && options_.without.contains("keep")) return false;
        return random_.pick(all).become(way), true;
    }

    // parts

    std::vector<Tree*> parts(const std::function<bool(const Tree&)>& wanted) {
        std::vector<Tree*> found;
        auto walk = [&](auto& self, Tree& t) -> void {
            if (wanted(t)) found.push_back(&t);
            for (auto& k : t.kids) self(self, k);
        };
        walk(walk, program_);
        return found;
    }

    Tree* typed() {
        auto all = parts([](const Tree& t) { return !t.kind.empty(); });
        return all.empty() ? nullptr : random_.pick(all);
    }

    /// Two parts, of one type mostly.
    std::pair<Tree*, Tree*> two_typed() {
        auto a = typed();
        if (!a || random_.chance(20)) return {a, typed()};
        auto alike = parts([&](const Tree& t) { return t.kind == a->kind && &t != a; });
        return {a, alike.empty() ? typed() : random_.pick(alike)};
    }

    bool hide_value() {
        auto part = typed();
        if (!part) return false;
        Tree inner(*part);
        Tree hidden{"((hide ", std::move(inner), ")#1_2)"};
        hidden.kind = part->kind, hidden.least = part->least;
        return *part = std::move(hidden), true;
    }

    bool leave_out() {
        auto all = parts([](const Tree& t) { return t.optional && !t.text().empty(); });
        if (all.empty()) return false;
        return *random_.pick(all) = Tree(""), true;
    }

    bool twice() {
        auto all = parts([](const Tree& t) { return t.optional && !t.text().empty(); });
        if (all.empty()) return false;
        auto part = random_.pick(all);
        Tree a(*part), b(*part);
        return *part = Tree{std::move(a), std::move(b)}, true;
    }

    /// A type where it is written becomes another one of the program.
    bool type() {
        auto part = typed(), other = typed();
        if (!part || part->kind == other->kind) return false;
        auto from = part->kind, to = other->kind;
        std::vector<Word> all;
        program_.visit_text([&](string& piece) {
            for (auto at = piece.find(from); at != string::npos; at = piece.find(from, at + 1))
                all.push_back({&piece, at, from.size()});
        });
        if (all.empty()) return false;
        return random_.pick(all).become(to), true;
    }

    bool exchange() {
        auto [a, b] = two_typed();
        if (!a || a == b) return false;
        Tree x(*a), y(*b);
        auto inside = [](const Tree& t, const Tree* p) {
            auto walk = [&](auto& self, const Tree& t) -> bool {
                for (auto& k : t.kids)
                    if (&k == p || self(self, k)) return true;
                return false;
            };
            return walk(walk, t);
        };
        if (inside(*a, b) || inside(*b, a)) return false;
        return *a = std::move(y), *b = std::move(x), true;
    }

    bool part() {
        auto [a, b] = two_typed();
        if (!a || a == b) return false;
        Tree y(*b);
        return *a = std::move(y), true;
    }

    Tree& program_;
    Random& random_;
    const GenOptions& options_;
};

} // namespace

string mutate(Tree& program, Random& random, const GenOptions& options) {
    Mutator mutator(program, random, options);
    return mutator.mutate();
}

} // namespace agree
