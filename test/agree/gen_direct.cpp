// SPDX-License-Identifier: MIT
// Programs of effects in direct style. Their functions declare functions within functions: some take the token, some
// hold one from around them, some are pure. These call themselves and each other, choose, match, and mention what effects
// around them gave. Now and then a token is used that is gone: the checker refuses most of these programs. Where it
// does not, as nobody needs the effect, all ways must agree as well.
#include <algorithm>

#include "gen.h"

namespace agree {

using std::string;
using std::to_string;

namespace {

using Names = std::vector<string>;

constexpr unsigned max_depth  = 3;  ///< of functions and choices within each other
constexpr unsigned max_bodies = 24; ///< of a program, about

/// The names that an expression may mention.
struct Around {
    Names numbers, unions;
    Names pure;    ///< functions of numbers
    Names takers;  ///< functions that take a token
    Names holders; ///< functions that consume the token that is in scope
    Names gone;    ///< tokens that effects have consumed
    unsigned depth = max_depth;

    Around inside() const {
        auto copy  = *this;
        copy.depth = depth ? depth - 1 : 0;
        return copy;
    }
    Around with(const string& number) const {
        auto copy = *this;
        copy.numbers.push_back(number);
        return copy;
    }
    /// Where an effect gave this number.
    Around after(const string& number) const {
        auto copy = with(number);
        copy.holders.clear();
        copy.depth = std::max(depth, 1u);
        return copy;
    }
};

class DirectStyle {
public:
    DirectStyle(uint64_t seed, string name, const GenOptions& options)
        : random_(seed * 0x2545f4914f6cdd1dull + 54321)
        , name_(std::move(name))
        , may_be_equal_(!options.without.contains("equal")) {}

    Program make() {
        Program p;
        p.name = name_;
        p.tree.add(head);
        Tree calls;
        string token = "mem", sum = "0I64";
        for (uint64_t i = 0, n = 1 + random_.below(2); i != n; ++i) {
            p.tree.add(function("f" + to_string(i)));
            auto next = fresh("m"), value = fresh("x");
            auto call = call_of("f" + to_string(i), token, "x0 + " + to_string(i) + "I64");
            calls.add(Tree{"let (", next, ", ", value, ") = ", std::move(call), ";\n    "});
            token = next;
            sum += " + " + value;
        }
        p.tree.add("fun extern " + name_ + "(mem: M, x0 x1 x2 x3: I64): R =\n    ");
        p.tree.add(std::move(calls));
        p.tree.add("return (" + token + ", " + sum + ");\n");
        for (uint64_t n : {1, 0, 2, 3, 6}) p.inputs.push_back({n, 0, 0, 0});
        return p;
    }

private:
    static constexpr const char* head = R"(plugin core;
plugin mem;
plugin direct;
let M = %mem.M;
let R = [M, I64];
cfun agree_next [mem: M, v: I64]: R;
lam put (mem: M, v: I64): R = %direct.cps2ds agree_next (mem, v);
)";

    string fresh(const char* stem) { return "_" + (stem + to_string(counter_++)); }
    bool chance(unsigned percent) { return random_.chance(percent); }

    // what stands for a number, or for a token and a number

    static Tree number_of(Tree t) {
        t.kind  = "I64";
        t.least = "1I64";
        return t;
    }
    static Tree result_of(Tree t, const string& token) {
        t.kind  = "R";
        t.least = "(" + token + ", 1I64)";
        return t;
    }
    /// Mim has no block without declarations.
    static Tree block(Tree declarations, Tree last) {
        if (declarations.kids.empty()) return last;
        return Tree{"{ ", std::move(declarations), std::move(last), " }"};
    }
    static Tree statement(Tree t) {
        t.optional = true;
        return t;
    }
    Tree call_of(const string& callee, const string& token, Tree number) {
        return result_of(Tree{callee, " (", token, ", ", std::move(number), ")"}, token);
    }
    Tree call_of(const string& callee, const string& token, const string& number) {
        return call_of(callee, token, number_of(Tree(number)));
    }

    /// Calls of `put` differ from each other, unless effects of two arms may be equal.
    Tree put(const string& token, const Around& a) {
        if (may_be_equal_) return call_of("put", token, number(a));
        return call_of("put", token, Tree{number(a), " + " + to_string(++num_effects_) + "0I64"});
    }

    Tree number(const Around& a) {
        auto& some = random_.pick(a.numbers);
        switch (random_.below(a.pure.empty() ? 4 : 5)) {
            case 0: return number_of(Tree(some));
            case 1: return number_of(Tree("(" + some + " + " + random_.pick(a.numbers) + ")"));
            case 2: return number_of(Tree("(" + some + " * 3I64)"));
            case 3: return number_of(Tree(to_string(random_.below(10)) + "I64"));
            default: return number_of(Tree("(" + random_.pick(a.pure) + " " + some + ")"));
        }
    }
    /// A number that says how often a function calls itself.
    Tree small_number(const Around& a) { return Tree{"%core.bit2.and_ 0 (", number(a), ", 3I64)"}; }
    Tree truth(const Around& a) { return Tree{"(", number(a), " == " + to_string(random_.below(5)) + "I64)"}; }

    // functions

    Tree function(const string& name) {
        Around a;
        a.numbers = {"_n"};
        return Tree{"lam " + name + " (mem: M, _n: I64) @ff: R = ", body("mem", a), ";\n"};
    }

    /// Consumes the token.
    Tree body(string token, Around a) {
        auto whole = token;
        if (++num_bodies_ > max_bodies) a.depth = 0;
        Tree t;
        for (auto n = random_.below(4); n != 0; --n) t.add(a.depth && chance(60) ? declaration(token, a) : effect(token, a));
        return result_of(block(std::move(t), end(token, a)), whole);
    }

    Tree declaration(const string& token, Around& a) {
        switch (random_.below(9)) {
            case 0:
            case 1: return pure(a);
            case 2:
            case 3: return taker(a);
            case 4: return two_holders(token, a);
            default: return holder(token, a);
        }
    }

    Tree pure(Around& a) {
        auto name = fresh("p"), k = fresh("k");
        auto value = number(a.with(k));
        a.pure.push_back(name);
        return statement(Tree{"lam " + name + " (" + k + ": I64) @ff: I64 = ", std::move(value), " + " + k + "; "});
    }

    Tree taker(Around& a) {
        auto name = fresh("t"), k = fresh("k"), own = fresh("m");
        auto inside = a.inside().with(k);
        inside.holders.clear();
        auto again = [&](const string& token) { return name + " (" + token + ", " + k + " - 1I64)"; };
        auto text  = recursive(own, inside, k, again);
        a.takers.push_back(name);
        return statement(Tree{"lam " + name + " (" + own + ": M, " + k + ": I64) @ff: R = ", std::move(text), "; "});
    }

    Tree holder(const string& token, Around& a) {
        auto name = fresh("h");
        auto text = holder_that_calls(name, name, token, a);
        a.holders.push_back(name);
        return text;
    }

    Tree two_holders(const string& token, Around& a) {
        auto first = fresh("h"), second = fresh("h");
        Tree both{holder_that_calls(first, second, token, a), holder_that_calls(second, first, token, a)};
        a.holders.push_back(first);
        a.holders.push_back(second);
        return statement(std::move(both));
    }

    Tree holder_that_calls(const string& name, const string& called, const string& token, const Around& a) {
        auto k     = fresh("k");
        auto again = [&](const string&) { return called + " (" + k + " - 1I64)"; };
        auto text  = recursive(token, a.inside().with(k), k, again);
        return statement(Tree{"lam " + name + " (" + k + ": I64) @ff: R = ", std::move(text), "; "});
    }

    /// A body that may call a function again, as often as `k` says.
    template<class Again>
    Tree recursive(string token, Around a, const string& k, Again again) {
        if (chance(30)) return body(token, a);
        auto whole = token;
        Tree t;
        if (chance(70)) t.add(effect(token, a));
        auto next = fresh("m"), value = fresh("x");
        auto call = result_of(Tree(again(token)), token);
        Tree go{"{ let (" + next + ", " + value + ") = ", std::move(call), "; ", body(next, a.after(value)), " }"};
        auto stop    = body(token, a);
        auto repeats = Tree("(" + k + " > 0I64 && " + k + " < 5I64)");
        auto last    = chosen(std::move(stop), result_of(std::move(go), token), std::move(repeats));
        return result_of(block(std::move(t), std::move(last)), whole);
    }

    // choices

    /// The second one if the condition holds: of two functions, or of two values.
    Tree chosen(Tree first, Tree second, Tree condition) {
        if (chance(30)) return Tree{"(", std::move(first), ", ", std::move(second), ")#", std::move(condition)};
        auto f = fresh("a"), g = fresh("b");
        return Tree{"{ lam " + f + " ()" + filter() + ": R = ",
                    std::move(first),
                    "; lam " + g + " ()" + filter() + ": R = ",
                    std::move(second),
                    "; (" + f + ", " + g + ")#",
                    std::move(condition),
                    " () }"};
    }
    const char* filter() { return chance(30) ? " @ff" : ""; }

    Tree choice(const string& token, const Around& a) {
        auto first  = body(token, a.inside());
        auto second = body(token, a.inside());
        return chosen(std::move(first), std::move(second), truth(a));
    }

    /// Now and then of a value that is matched around it, too.
    Tree match(const string& token, Around a) {
        Tree made_here;
        if (a.unions.empty() || chance(50)) {
            auto made  = fresh("u");
            auto value = number(a);
            auto other = truth(a);
            made_here.add(Tree{"let " + made + " = (", std::move(value), " inj I64 ∪ Bool, ", std::move(other),
                               " inj I64 ∪ Bool)#", truth(a), "; "});
            a.unions.push_back(made);
        }
        auto value = fresh("v");
        auto first = body(token, a.inside().with(value));
        Tree matched{"(match " + random_.pick(a.unions) + " with | " + value + ": I64 => ", std::move(first), " | _: Bool => ",
                     body(token, a.inside()), ")"};
        return block(std::move(made_here), std::move(matched));
    }

    // effects: statements after which the token is another one

    Tree effect(string& token, Around& a) {
        if (chance(2) && !a.gone.empty()) token = random_.pick(a.gone);
        if (chance(12)) return perhaps(token, a);
        if (chance(8) && a.depth) return stated(token, a, choice(token, a));
        if (a.takers.empty() || coin()) return stated(token, a, put(token, a));
        return stated(token, a, call_of(random_.pick(a.takers), token, number(a)));
    }
    bool coin() { return chance(50); }

    Tree stated(string& token, Around& a, Tree result) {
        auto next = fresh("m"), value = fresh("x");
        Tree t{"let (" + next + ", " + value + ") = ", result_of(std::move(result), token), "; "};
        a.numbers.push_back(value);
        a.gone.push_back(token);
        a.holders.clear(); // they hold a token that is gone
        token = next;
        return t;
    }

    /// An effect, and a choice of whether it happens.
    Tree perhaps(string& token, Around& a) {
        auto before  = token;
        auto made    = a; // the effect's number is known only where the effect is
        auto first   = stated(token, made, put(token, a));
        auto given   = made.numbers.back();
        auto happens = truth(a).text();
        auto asked   = chance(90) ? happens : truth(a).text();
        auto value   = coin() ? random_.pick(a.numbers) : "(" + random_.pick(a.numbers) + ", " + given + ")#" + asked;
        auto both    = Tree("((" + before + ", " + token + ")#" + happens + ", " + value + ")");
        return Tree{std::move(first), stated(token, a, std::move(both))};
    }

    // the end of a body

    Tree end(const string& token, const Around& a) {
        if (a.depth && chance(35)) return chance(25) ? match(token, a) : choice(token, a);
        if (!a.holders.empty() && chance(75)) return call_of_holder(token, a);
        return result_of(Tree{"(" + token + ", ", number(a), ")"}, token);
    }

    Tree call_of_holder(const string& token, const Around& a) {
        auto callee = random_.pick(a.holders);
        if (chance(20)) {
            auto& other  = random_.pick(a.holders);
            auto& number = random_.pick(a.numbers);
            callee       = "(" + callee + ", " + other + ")#(" + number + " == 2I64)";
        }
        auto call = result_of(Tree{callee + " (", small_number(a), ")"}, token);
        if (coin()) return call;
        auto next = fresh("m"), value = fresh("x");
        return Tree{"{ let (" + next + ", " + value + ") = ", std::move(call), "; ", body(next, a.after(value)), " }"};
    }

    Random random_;
    string name_;
    bool may_be_equal_;
    unsigned counter_     = 0;
    unsigned num_bodies_  = 0;
    unsigned num_effects_ = 0;
};

} // namespace

Program generate_direct_style(uint64_t seed, const string& name, const GenOptions& options) {
    return DirectStyle(seed, name, options).make();
}

} // namespace agree
