// SPDX-License-Identifier: MIT
// Functions in direct style: calls of new ones under all filters, recursion that ends, polymorphism, functions that take functions,
// dependent parameters, and the knobs of partial evaluation.
#include "gen.h"

namespace agree {

using std::string;
using std::to_string;

/// What a call of a function with these parameters is evaluated under.
string Gen::filter(const std::vector<Var>& params) {
    switch (random_.below(6)) {
        case 0: return "";
        case 1: return " @tt";
        case 2: return " @(%core.pe.known " + params[random_.below(params.size())].name + ")";
        default: return " @ff";
    }
}

Tree Gen::params(const std::vector<Var>& params) {
    Tree t("(");
    for (size_t i = 0; i != params.size(); ++i) t.add((i ? ", " : "") + params[i].name + ": " + text(params[i].type));
    t.add(")");
    return t;
}

std::vector<Var> Gen::fresh_params(size_t n, unsigned depth) {
    std::vector<Var> vars;
    for (size_t i = 0; i != n; ++i) vars.push_back({fresh("p"), type(depth)});
    return vars;
}

static std::vector<Type> types_of(const std::vector<Var>& vars) {
    std::vector<Type> types;
    for (auto& v : vars) types.push_back(v.type);
    return types;
}

static Tree declaration(Tree t) {
    t.optional = true;
    return t;
}

Tree Gen::lambda(const Type& dom, const Type& codom, unsigned depth, const Scope& s) {
    auto x     = fresh("x");
    auto inner = s;
    inner.push_back({x, dom});
    return Tree{"(λ (", x, ": ", text(dom), "): ", text(codom), " = ", expr(codom, depth, inner), ")"};
}

/// A call of a new closed function: of one, of one of two that are chosen at run time, or in two groups.
Tree Gen::call(const Type& t, unsigned depth, const Scope& s) {
    if (helpers_ >= 8 || t.has_var()) return leaf(t, s);
    if (random_.chance(15) && has("rec")) return mutual(t, depth, s);
    auto f    = helper("f");
    auto vars = fresh_params(1 + random_.below(3), 1);
    if (random_.chance(15)) {
        auto more  = fresh_params(1, 1);
        auto inner = vars;
        inner.push_back(more[0]);
        decls_.push_back(declaration(Tree{"lam ", f, params(vars), " ", params(more), filter(more), ": ", text(t), " =\n    ",
                                          expr(t, depth, inner), ";\n"}));
        auto first = args(types_of(vars), depth, s);
        return Tree{"(", f, " ", std::move(first), " ", args(types_of(more), depth, s), ")"};
    }
    auto body = expr(t, depth, vars);
    if (has("fn") && random_.chance(25)) {
        auto g = f + "b";
        decls_.push_back(Tree{"lam ", f, params(vars), " @ff: ", text(t), " =\n    ", std::move(body), ";\n"});
        decls_.push_back(Tree{"lam ", g, params(vars), " @ff: ", text(t), " =\n    ", expr(t, depth, vars), ";\n"});
        auto which = truth(depth, s);
        return Tree{"(((", f, ", ", g, ")#", std::move(which), ") ", args(types_of(vars), depth, s), ")"};
    }
    decls_.push_back(declaration(Tree{"lam ", f, params(vars), filter(vars), ": ", text(t), " =\n    ", std::move(body), ";\n"}));
    return Tree{"(", f, " ", args(types_of(vars), depth, s), ")"};
}

/// A recursive function over a small counter: with an accumulator, or building the result on the way back.
Tree Gen::recursion(const Type& t, unsigned depth, const Scope& s) {
    if (helpers_ >= 8 || t.has_var()) return leaf(t, s);
    auto f = helper("r");
    auto n = fresh("n"), acc = fresh("a");
    Scope inner{{n, nat()}, {acc, t}};
    auto less = "(%core.nat.sub (" + n + ", 1))";
    Tree step;
    if (coin()) {
        step = Tree{f, " (", less, ", ", expr(t, depth, inner), ")"};
    } else {
        auto back = fresh("b");
        auto with = inner;
        with.push_back({back, t});
        auto next = coin() ? Tree(acc) : expr(t, half(depth), inner);
        step      = Tree{"{ let ", back, " = ", f, " (", less, ", ", std::move(next), "); ", expr(t, depth, with), " }"};
    }
    auto how = random_.chance(60) ? " @ff" : " @(%core.pe.known " + n + ")";
    decls_.push_back(declaration(Tree{"lam ", f, "(", n, ": Nat, ", acc, ": ", text(t), ")", how, ": ", text(t), " =\n    (",
                                      std::move(step), ", ", acc, ")#(%core.ncmp.e (", n, ", 0));\n"}));
    auto times = count(depth, s);
    return Tree{"(", f, " (", std::move(times), ", ", expr(t, depth, s), "))"};
}

/// Two functions that call each other.
Tree Gen::mutual(const Type& t, unsigned depth, const Scope& s) {
    string f[] = {helper("e"), helper("o")};
    auto known = coin();
    std::vector<Tree> both; // what they need stands before them, not between
    for (int i = 0; i != 2; ++i) {
        auto n = fresh("n"), acc = fresh("a");
        Scope inner{{n, nat()}, {acc, t}};
        auto step = Tree{f[1 - i], " (%core.nat.sub (", n, ", 1), ", expr(t, half(depth), inner), ")"};
        both.push_back(Tree{"lam ", f[i], "(", n, ": Nat, ", acc, ": ", text(t), ")",
                            known ? " @(%core.pe.known " + n + ")" : " @ff", ": ", text(t), " =\n    (", std::move(step), ", ",
                            expr(t, half(depth), inner), ")#(%core.ncmp.e (", n, ", 0));\n"});
    }
    for (auto& decl : both) decls_.push_back(std::move(decl));
    auto times = count(depth, s);
    return Tree{"(", f[random_.below(2)], " (", std::move(times), ", ", expr(t, depth, s), "))"};
}

/// Functions with implicit arguments: those of the prelude and new ones.
Tree Gen::polymorphic(const Type& t, unsigned depth, const Scope& s) {
    switch (random_.below(6)) {
        case 0: {
            auto a = expr(t, depth, s);
            return Tree{"(poly_first (", std::move(a), ", ", expr(type(1), depth, s), "))"};
        }
        case 1: {
            auto f = lambda(t, t, half(depth), s);
            return Tree{"(poly_twice ", std::move(f), " ", expr(t, depth, s), ")"};
        }
        case 2: {
            auto n     = 1 + random_.below(4);
            auto elems = n == 1 ? expr(t, depth, s) : expr(array(n, t), depth, s);
            return Tree{"(poly_at @", to_string(n), " (", std::move(elems), ", ", n == 1 ? Tree("0_1") : expr(idx(n), depth, s),
                        "))"};
        }
        default: return t.has_var() ? leaf(t, s) : own_polymorphic(t, depth, s);
    }
}

/// A new function over types T and U and a length; its body can only pass on what it gets.
Tree Gen::own_polymorphic(const Type& t, unsigned depth, const Scope& s) {
    if (helpers_ >= 8) return leaf(t, s);
    auto f = helper("p");
    auto T = type_var("T"), U = type_var("U");
    auto x = fresh("x"), y = fresh("y"), z = fresh("z"), a = fresh("a"), i = fresh("i");
    auto u = type(1);
    auto n = 2 + random_.below(3);
    Scope inner{{x, T}, {y, T}, {z, U}};
    bool array_too = coin();
    auto body      = expr(T, depth, inner);
    Tree decl{"lam ",   f, " {T U: *}", array_too ? " {n: Nat}" : "",
              " (",     x, " ",         y,
              ": T, ",  z, ": U",       array_too ? ", " + a + ": «n; T», " + i + ": Idx n" : "",
              "): T = "};
    if (array_too) decl = Tree{std::move(decl), "ins(", a, ", ", i, ", ", std::move(body), ")#", i, ";\n"};
    else decl = Tree{std::move(decl), std::move(body), ";\n"};
    decls_.push_back(declaration(std::move(decl)));
    auto first  = expr(t, depth, s);
    auto second = expr(t, depth, s);
    Tree call{"(", f, " (", std::move(first), ", ", std::move(second), ", ", expr(u, half(depth), s)};
    if (array_too) {
        call = Tree{std::move(call), ", ", expr(array(n, t), half(depth), s)};
        call = Tree{std::move(call), ", ", expr(idx(n), half(depth), s)};
    }
    return Tree{std::move(call), "))"};
}

/// Functions as arguments and results, which partial evaluation removes.
Tree Gen::higher_order(const Type& t, unsigned depth, const Scope& s) {
    auto u = type(1);
    switch (random_.below(5)) {
        case 0: {
            auto v = type(1);
            auto f = lambda(u, v, half(depth), s);
            auto g = lambda(v, t, half(depth), s);
            return Tree{"(compose (", std::move(f), ", ", std::move(g), ") ", expr(u, depth, s), ")"};
        }
        case 1: {
            auto n = 2 + random_.below(3);
            auto a = fresh("a"), x = fresh("x");
            auto inner = s;
            inner.push_back({a, t});
            inner.push_back({x, u});
            auto f = Tree{"(λ (", a, ": ", text(t), ", ", x, ": ", text(u), "): ", text(t), " = ", expr(t, half(depth), inner),
                          ")"};
            auto z = expr(t, half(depth), s);
            return Tree{"(fold ", std::move(f), " (", std::move(z), ", ", expr(array(n, u), depth, s), "))"};
        }
        case 2: {
            auto n     = 2 + random_.below(3);
            auto f     = lambda(u, t, half(depth), s);
            auto elems = expr(array(n, u), half(depth), s);
            return Tree{"((map ", std::move(f), " ", std::move(elems), ")#", expr(idx(n), half(depth), s), ")"};
        }
        case 3: { // a function chosen by what is known only at run time
            auto which = truth(half(depth), s);
            auto f     = lambda(u, t, half(depth), s);
            auto g     = lambda(u, t, half(depth), s);
            return Tree{"(((", std::move(f), ", ", std::move(g), ")#", std::move(which), ") ", expr(u, half(depth), s), ")"};
        }
        default: { // a function that is used twice
            auto f     = fresh("f");
            auto x     = fresh("x");
            auto inner = s;
            inner.push_back({x, u});
            auto body = expr(t, half(depth), inner);
            auto a    = expr(u, half(depth), s);
            auto b    = expr(u, half(depth), s);
            return Tree{"{ let ",
                        f,
                        " = λ (",
                        x,
                        ": ",
                        text(u),
                        ")",
                        coin() ? " @ff: " : ": ",
                        text(t),
                        " = ",
                        std::move(body),
                        "; ((",
                        f,
                        " ",
                        std::move(a),
                        ", ",
                        f,
                        " ",
                        std::move(b),
                        ")#",
                        truth(half(depth), s),
                        ") }"};
        }
    }
}

/// Parameters whose types depend on earlier ones.
Tree Gen::dependent(const Type& t, unsigned depth, const Scope& s) {
    auto p = fresh("d");
    if (coin()) { // a length and an array of it
        auto n    = 2 + random_.below(4);
        auto elem = expr(array(n, t), depth, s);
        return Tree{"((λ (",
                    p,
                    ": [n: Nat, «n; ",
                    text(t),
                    "»]): ",
                    text(t),
                    " = ",
                    p,
                    "#1_2#(%core.idx (",
                    p,
                    "#0_2) 0 ",
                    natural(half(depth), s),
                    ")) (",
                    to_string(n),
                    ", ",
                    std::move(elem),
                    "))"};
    }
    auto u = type(1); // a type, a value of it, and what can be done with it
    auto v = expr(u, depth, s);
    return Tree{"((λ (",
                p,
                ": [S: *, x: S, f: S → ",
                text(t),
                "]): ",
                text(t),
                " = ",
                p,
                "#2_3 (",
                p,
                "#1_3)) (",
                text(u),
                ", ",
                std::move(v),
                ", ",
                lambda(u, t, half(depth), s),
                "))"};
}

/// %core.pe.run evaluates a call whatever its filter says; %core.pe.hlt a function never.
Tree Gen::evaluation(const Type& t, unsigned depth, const Scope& s) {
    if (helpers_ >= 8 || t.has_var()) return leaf(t, s);
    auto f    = helper("q");
    auto vars = fresh_params(2, 0);
    auto body = expr(t, depth, vars);
    bool run  = coin();
    decls_.push_back(
        declaration(Tree{"lam ", f, params(vars), run ? " @ff: " : ": ", text(t), " =\n    ", std::move(body), ";\n"}));
    auto operands = args(types_of(vars), depth, s);
    if (run) return Tree{"(%core.pe.run (", f, " ", std::move(operands), "))"};
    return Tree{"((%core.pe.hlt ", f, ") ", std::move(operands), ")"};
}

} // namespace agree
