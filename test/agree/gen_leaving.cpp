// SPDX-License-Identifier: MIT
// Programs of calls in direct style that may leave, while several tokens are in use. A
// statement opens a token, makes an effect on one, closes one, or calls a function that may leave through a
// continuation around it; statements follow each other in direct style or by `ret`. The values of such calls are
// asked for in functions, arms, and sizes in types, early or late. A call that may leave gets some of the tokens,
// captures others, and now and then forgets one: the checker refuses most of these programs. Where it does not, all
// ways must agree, and each token that was opened must be closed once.
#include <algorithm>

#include "gen.h"

namespace agree {

using std::string;
using std::to_string;

namespace {

using Names = std::vector<string>;

/// The names that a body may mention. The first token is the one that the function returns; the others are closed
/// before.
struct InScope {
    Names numbers, tokens, gone;
    Names pure;   ///< functions of numbers
    Names makers; ///< functions that take a token, and return one and a number
    unsigned depth = 2;
};

class Leaving {
public:
    Leaving(uint64_t seed, string name)
        : random_(seed * 0x2545f4914f6cdd1dull + 98765)
        , name_(std::move(name)) {}

    Program make() {
        Program p;
        p.name = name_;
        p.tree.add(head);
        p.tree.add("fun tried (mem: M, _n: I64): R =\n");
        InScope a;
        a.numbers = {"_n"};
        a.tokens  = {"mem"};
        p.tree.add(body(a, 2 + random_.below(6)));
        p.tree.add(";\nfun extern " + name_
                   + "(mem: M, x0 x1 x2 x3: I64): R =\n    ret (mem, _a) = tried $ (mem, x0);\n"
                     "    ret (mem, _b) = tried $ (mem, x0 + 1I64);\n    return (mem, _a * 7I64 + _b);\n");
        for (uint64_t n : {1, 0, 2, 4, 6}) p.inputs.push_back({n, 0, 0, 0});
        return p;
    }

private:
    static constexpr const char* head = R"(plugin core;
plugin mem;
plugin direct;
let M = %mem.M;
let R = [M, I64];
cfun agree_next [mem: M, v: I64]: R;
cfun agree_note [mem: M, v: I64]: R;
cfun agree_open [v: I64]: R;
cfun agree_close [mem: M, v: I64]: I64;
lam next (mem: M, v: I64): R = %direct.cps2ds agree_next (mem, v);
lam note (mem: M, v: I64): R = %direct.cps2ds agree_note (mem, v);
lam open (v: I64): R = %direct.cps2ds agree_open v;
lam close (mem: M, v: I64): I64 = %direct.cps2ds agree_close (mem, v);
)";

    string fresh(const char* stem) { return "_" + (stem + to_string(counter_++)); }
    bool chance(unsigned percent) { return random_.chance(percent); }
    static Tree statement(Tree t) {
        t.optional = true;
        return t;
    }

    // numbers

    static Tree number_of(Tree t) {
        t.kind  = "I64";
        t.least = "1I64";
        return t;
    }
    /// The last ones are the likelier ones: they are what calls have just made.
    const string& some(const InScope& a) {
        auto n = a.numbers.size();
        return a.numbers[chance(50) ? n - 1 - random_.below(std::min<size_t>(n, 2)) : random_.below(n)];
    }
    Tree number(const InScope& a) {
        switch (random_.below(a.pure.empty() ? 6 : 7)) {
            case 0: return number_of(Tree("(" + some(a) + " + " + some(a) + ")"));
            case 1: return number_of(Tree(to_string(random_.below(6)) + "I64"));
            case 2: return number_of(Tree("(" + some(a) + ", " + some(a) + ")#" + truth(a)));
            case 6: return number_of(Tree("(" + random_.pick(a.pure) + " " + some(a) + ")"));
            default: return number_of(Tree(some(a)));
        }
    }
    /// Equal calls are one call.
    Tree unlike(const InScope& a) { return Tree{number(a), " + " + to_string(++num_effects_ * 6) + "I64"}; }
    string truth(const InScope& a) { return "(" + some(a) + " == " + to_string(random_.below(4)) + "I64)"; }

    // bodies

    /// Statements and the end, which returns.
    Tree body(InScope a, unsigned length) {
        Tree t;
        while (length-- != 0) {
            if (a.depth && chance(12)) {
                t.add(chance(50) ? in_continuation(a, length) : branch(a, length));
                return t;
            }
            t.add(any_statement(a));
        }
        t.add(end(a));
        return t;
    }

    Tree any_statement(InScope& a) {
        switch (random_.below(18)) {
            case 0:
            case 1: return open(a);
            case 2: return a.tokens.size() > 1 ? close(a, 1 + random_.below(a.tokens.size() - 1)) : open(a);
            case 3: return pure(a);
            case 4: return maker(a);
            case 5: return perhaps(a);
            case 6: return sized(a);
            case 7:
            case 8:
            case 9: return leave(a);
            case 10: return by_need(a);
            case 11: return chosen(a);
            default: return effect(a);
        }
    }

    /// Closes what is open.
    Tree end(InScope& a) {
        Tree t;
        bool forgets = chance(2);
        while (a.tokens.size() > 1 && !forgets) t.add(close(a, 1));
        t.add(Tree{"    return (" + a.tokens[0] + ", ", number(a), ")"});
        return t;
    }

    Tree in_continuation(InScope& a, unsigned length) {
        auto name = fresh("k"), mem = fresh("m"), x = fresh("x");
        auto arg    = number(a);
        auto passed = a.tokens[0];
        auto inside = a;
        --inside.depth;
        inside.tokens[0] = mem;
        inside.numbers.push_back(x);
        return Tree{"    con " + name + " (" + mem + ": M, " + x + ": I64) =\n", body(inside, length),
                    ";\n    " + name + " (" + passed + ", ", std::move(arg), ")"};
    }

    Tree branch(InScope& a, unsigned length) {
        auto first = fresh("k"), second = fresh("k");
        auto inside = a;
        --inside.depth;
        Tree t{"    con " + first + " () =\n", body(inside, length), ";\n    con " + second + " () =\n"};
        t.add(body(inside, length / 2));
        t.add(";\n    (" + first + ", " + second + ")#" + truth(a) + " ()");
        return t;
    }

    // statements

    /// `let (tokens, value) = f arg`, in direct style or not.
    Tree call(const string& results, const string& direct, const string& function, Tree arg) {
        auto is_direct = chance(60);
        Tree t{"    " + string(is_direct ? "let " : "ret ") + results + " = " + (is_direct ? direct : function + " $") + " (",
               std::move(arg), ");\n"};
        return statement(std::move(t));
    }

    string& some_token(InScope& a) { return a.tokens[random_.below(a.tokens.size())]; }
    /// Now and then one that is gone.
    string token_for_use(const InScope& a, const string& token) {
        return chance(2) && !a.gone.empty() ? random_.pick(a.gone) : token;
    }
    void replace(InScope& a, string& token, const string& next) {
        a.gone.push_back(token);
        token = next;
    }

    Tree open(InScope& a) {
        if (a.tokens.size() > 2) return effect(a);
        auto token = fresh("b"), x = fresh("x");
        auto res = call("(" + token + ", " + x + ")", "open", "agree_open",
                        Tree{"_n * 100I64 + ", unlike(a)}); // each call of `tried` opens tokens of its own
        a.tokens.push_back(token);
        a.numbers.push_back(x);
        return res;
    }

    Tree close(InScope& a, size_t i) {
        auto x   = fresh("x");
        auto res = call(x, "close", "agree_close", Tree{token_for_use(a, a.tokens[i]), ", ", unlike(a)});
        a.gone.push_back(a.tokens[i]);
        a.tokens.erase(a.tokens.begin() + static_cast<ptrdiff_t>(i));
        a.numbers.push_back(x);
        return res;
    }

    Tree effect(InScope& a) {
        auto& token = some_token(a);
        auto next = fresh("m"), x = fresh("x");
        auto direct = "note", function = "agree_note";
        if (&token == &a.tokens[0]) direct = "next", function = "agree_next";
        Tree arg{token_for_use(a, token), ", ", unlike(a)};
        auto results = "(" + next + ", " + x + ")";
        bool is_made = !a.makers.empty() && chance(40);
        auto res = is_made ? statement(Tree{"    let " + results + " = " + random_.pick(a.makers) + " (", std::move(arg), ");\n"})
                           : call(results, direct, function, std::move(arg));
        replace(a, token, next);
        a.numbers.push_back(x);
        return res;
    }

    Tree pure(InScope& a) {
        auto name = fresh("p"), k = fresh("n");
        auto inside = a;
        inside.numbers.push_back(k);
        auto value = number(inside);
        a.pure.push_back(name);
        return statement(
            Tree{"    lam " + name + " (" + k + ": I64)" + filter() + ": I64 = ", std::move(value), " + " + k + ";\n"});
    }

    Tree maker(InScope& a) {
        auto name = fresh("t"), k = fresh("n");
        auto inside = a;
        inside.numbers.push_back(k);
        auto does = chance(60) ? Tree{"note (m, ", number(inside), " + " + k + ")"}
                               : Tree{"((m, " + k + "), note (m, ", number(inside), " + " + k + "))#" + truth(inside)};
        a.makers.push_back(name);
        return statement(Tree{"    lam " + name + " (m: M, " + k + ": I64)" + filter() + ": R = ", std::move(does), ";\n"});
    }
    const char* filter() { return chance(60) ? " @ff" : ""; }

    /// An effect that may not happen.
    Tree perhaps(InScope& a) {
        auto& token = some_token(a);
        auto next = fresh("m"), x = fresh("x");
        auto used = token_for_use(a, token);
        Tree t{"    let (" + next + ", " + x + ") = ((" + used + ", ", number(a), "), note (" + used + ", ", unlike(a),
               "))#" + truth(a) + ";\n"};
        replace(a, token, next);
        a.numbers.push_back(x);
        return statement(std::move(t));
    }

    /// A type asks for a number.
    Tree sized(InScope& a) {
        auto s = fresh("s"), x = fresh("x"), f = fresh("q");
        Tree t{"    let " + s + " = %core.nat.add (1, %core.bitcast Nat (%core.bit2.and_ 0 (", number(a), ", 3I64)));\n"};
        auto value = number(a);
        switch (random_.below(4)) {
            case 0: t.add(Tree{"    let " + x + " = ‹" + s + "; ", std::move(value), "›#(%core.idx " + s + " 0 0);\n"}); break;
            case 1:
                t.add(Tree{"    lam " + f + " (v: «" + s + "; I64»)" + filter() + ": I64 = ", number(a), ";\n"});
                t.add(Tree{"    let " + x + " = " + f + " ‹" + s + "; ", std::move(value), "›;\n"});
                break;
            case 2: { // nothing else asks for it
                auto g = fresh("g");
                t.add(Tree{"    lam " + g + " (_i: Idx " + s + ")" + filter() + ": I64 = ", std::move(value), ";\n"});
                t.add(Tree{"    lam " + f + " (v: Idx " + s + " → I64)" + filter() + ": I64 = ", number(a), ";\n"});
                t.add(Tree{"    let " + x + " = (" + some(a) + ", " + f + " " + g + ")#" + truth(a) + ";\n"});
                break;
            }
            default:
                t.add(Tree{"    lam " + f + " (v: Idx " + s + ")" + filter() + ": I64 = ", number(a), ";\n"});
                t.add(Tree{"    let " + x + " = " + f + " (%core.idx " + s + " 0 0);\n"});
        }
        a.numbers.push_back(x);
        return statement(std::move(t));
    }

    /// A function that may leave, the way out, and a call. Tokens are passed, or the way out knows them.
    Tree leave(InScope& a) {
        auto out = fresh("o"), name = fresh("l"), stay = fresh("k"), go = fresh("k"), x = fresh("x"), own = fresh("n");
        auto ways   = random_.below(3); // all are passed, some, or none
        auto params = string(), types = string(), args = string(), results = string(), inner = string();
        auto outer = a.tokens;
        for (auto& token : a.tokens) {
            bool is_passed = ways == 0 || (ways == 1 && chance(60));
            if (!is_passed) continue;
            auto param = fresh("m"), next = fresh("m");
            params += param + ": M, ";
            types += "M, ";
            args += token_for_use(a, token) + ", ";
            inner += param + ", ";
            results += next + ", ";
            outer[static_cast<size_t>(&token - a.tokens.data())] = param;
            replace(a, token, next);
        }
        InScope at_exit;
        at_exit.tokens  = outer;
        at_exit.numbers = {own};
        at_exit.gone    = a.gone;
        auto type       = types.empty() ? string("I64") : "[" + types + "I64]";
        auto named      = results.empty() ? x : "(" + results + x + ")";
        Tree t{"    con " + out + " (" + params + own + ": I64) =\n", end(at_exit), ";\n"};
        t.add("    fun " + name + " (" + params + own + ": I64): " + type + " =\n        con " + stay + " () = return (" + inner
              + own + " + 1I64);\n        con " + go + " () = " + out + " (" + inner + own + ");\n        (" + stay + ", " + go
              + ")#(" + own + " == " + to_string(random_.below(6)) + "I64) ();\n");
        auto arg        = Tree{args, unlike_small(a)};
        bool is_perhaps = results.empty() && chance(15);
        if (is_perhaps)
            t.add(statement(
                Tree{"    let " + x + " = (0I64, %direct.cps2ds " + name + " (", std::move(arg), "))#" + truth(a) + ";\n"}));
        else if (chance(85))
            t.add(statement(Tree{"    let " + named + " = %direct.cps2ds " + name + " (", std::move(arg), ");\n"}));
        else t.add(statement(Tree{"    ret " + named + " = " + name + " $ (", std::move(arg), ");\n"}));
        a.numbers.push_back(x);
        return t;
    }
    /// It may be what the function leaves for.
    Tree unlike_small(const InScope& a) { return Tree{"%core.bit2.and_ 0 (", number(a), ", 7I64)"}; }

    /// A function that may need one of its arguments, or both, in any order.
    Tree by_need(InScope& a) {
        auto name = fresh("w"), first = fresh("n"), second = fresh("n"), x = fresh("x");
        auto inside     = a;
        inside.numbers  = {first, second, some(a)};
        auto type       = chance(30) ? " (" + first + ": I64) (" + second + ": I64)" : " (" + first + " " + second + ": I64)";
        bool is_curried = type.find(") (") != string::npos;
        Tree t{"    lam " + name + type + filter() + ": I64 = ", number(inside), " - ", number(inside), ";\n"};
        t.add(statement(Tree{"    let " + x + " = " + name + " (", number(a), is_curried ? ") (" : ", ", number(a), ");\n"}));
        a.numbers.push_back(x);
        return t;
    }

    /// One of three functions, which need this and that.
    Tree chosen(InScope& a) {
        auto x = fresh("x");
        Tree t, names{"("};
        for (auto i = 0; i != 3; ++i) {
            auto name = fresh("t");
            t.add(Tree{"    lam " + name + " ()" + filter() + ": I64 = ", number(a), " + ", number(a), ";\n"});
            names.add((i == 0 ? "" : ", ") + name);
        }
        t.add(
            statement(Tree{"    let " + x + " = ", std::move(names), ")#(%core.conv.u 3 (", bit(a), " + ", bit(a), ")) ();\n"}));
        a.numbers.push_back(x);
        return t;
    }

    Tree bit(const InScope& a) { return Tree{"%core.bit2.and_ 0 (", number(a), ", 1I64)"}; }

    Random random_;
    string name_;
    unsigned counter_     = 0;
    unsigned num_effects_ = 0;
};

} // namespace

Program generate_leaving(uint64_t seed, const string& name) { return Leaving(seed, name).make(); }

} // namespace agree
