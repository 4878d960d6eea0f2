// SPDX-License-Identifier: MIT
// Functions that escape: returned by functions that no phase can do away with, referring to what these got and to each other.
#include "gen.h"

namespace agree {

/// `lam h (n: Nat, p: P) @ff: U → T = (…, λ (x: U) @ff: T = e)#(n = 0)`, called with a small number, and what it returns called as well. On the
/// way there it either calls itself with other values, or returns a function that refers to what it would return for n - 1.
Tree Gen::escaping(const Type& t, unsigned depth, const Scope& s) {
    if (helpers_ >= 8 || t.has_var()) return leaf(t, s);
    auto h = helper("h"), n = fresh("n");
    auto u    = type(1);
    auto held = fresh_params(1 + random_.below(2), 1);
    Scope inner{{n, nat()}};
    std::vector<Type> types;
    for (auto& p : held) inner.push_back(p), types.push_back(p.type);

    auto less = "(%core.nat.sub (" + n + ", 1)";
    Tree next{h, " ", less};
    for (auto& type : types) next = Tree{std::move(next), ", ", expr(type, half(depth), inner)};
    next.add(")");
    if (coin()) {
        auto x = fresh("x"), back = fresh("b");
        auto around = inner;
        around.push_back({x, u});
        auto arg = expr(u, half(depth), around);
        around.push_back({back, t});
        next = Tree{"(λ (",      x,
                    ": ",        text(u),
                    ") @ff: ",   text(t),
                    " = { let ", back,
                    " = ",       std::move(next),
                    " ",         std::move(arg),
                    "; ",        expr(t, half(depth), around),
                    " })"};
    }
    auto x = fresh("x");
    inner.push_back({x, u});
    Tree decl{"lam ", h, "(", n, ": Nat"};
    for (auto& p : held) decl.add(", " + p.name + ": " + text(p.type));
    decls_.push_back(Tree{std::move(decl), ") @ff: ", text(u), " → ", text(t), " =\n    (", std::move(next), ", λ (", x, ": ",
                          text(u), ") @ff: ", text(t), " = ", expr(t, depth, inner), ")#(%core.ncmp.e (", n, ", 0));\n"});

    auto times = count(depth, s);
    Tree made{"(", h, " (", std::move(times)};
    for (auto& type : types) made = Tree{std::move(made), ", ", expr(type, half(depth), s)};
    return Tree{std::move(made), ") ", expr(u, half(depth), s), ")"};
}

/// A function for memory that refers to variables around it; one of two.
Tree Gen::stored_closure(const Scope& s) {
    auto one = [&] {
        auto x     = fresh("x");
        auto inner = s;
        inner.push_back({x, i64()});
        return Tree{"fn (", x, ": I64): I64 = return (", expr(i64(), options_.depth / 2, inner), ")"};
    };
    auto a     = one();
    auto b     = one();
    auto which = truth(1, s);
    return Tree{"(", std::move(a), ", ", std::move(b), ")#", std::move(which)};
}

} // namespace agree
