// SPDX-License-Identifier: MIT
// Existential packages: a type, a value of it and what can be done with it. What lies behind a pointer may be chosen at run time.
#include "gen.h"

namespace agree {

using std::string;
using std::to_string;

/// `[S: *, S, S → T]`, passed to a function that opens it.
Tree Gen::package(const Type& t, unsigned depth, const Scope& s) {
    if (helpers_ >= 8 || t.has_var()) return {};
    use("existentials");
    auto f = helper("x"), p = fresh("p");
    auto u      = type(1);
    bool two    = coin(); // S → S as well
    auto type   = "[S: *, S, " + string(two ? "S → S, " : "") + "S → " + text(t) + "]";
    auto opened = two ? p + "#3_4 (" + p + "#2_4 " + p + "#1_4)" : p + "#2_3 " + p + "#1_3";
    decls_.push_back(Tree("lam " + f + "(" + p + ": " + type + ")" + (has("packagecall") && coin() ? " @ff" : "") + ": " + text(t)
                          + " = " + opened + ";\n"));
    auto value = expr(u, half(depth), s);
    Tree made{"(", f, " (", text(u), ", ", std::move(value), ", "};
    if (two) made = Tree{std::move(made), lambda(u, u, half(depth), s), ", "};
    return Tree{std::move(made), lambda(u, t, half(depth), s), "))"};
}

/// Two objects with a method each, of different types that the package hides; one is chosen and called.
Tree Gen::object(Scope& s) {
    if (helpers_ >= 7) return {};
    use("existentials");
    auto result = type(1);
    auto type   = "[S: *, %mem.Ptr S, [%mem.M, %mem.Ptr S] → [%mem.M, " + text(result) + "]]";
    Tree made("");
    string packed[2];
    for (auto& pack : packed) {
        auto get = helper("get"), x = fresh("x"), p = fresh("ptr");
        pack        = helper("pack");
        auto member = this->type(1);
        decls_.push_back(Tree{"lam ", get, "(mem: %mem.M, ", p, ": %mem.Ptr ", text(member), ") @ff: [%mem.M, ", text(result),
                              "] = {\n    let (mem, ", x, ") = %mem.load (mem, ", p, ");\n    (mem, ",
                              expr(result, options_.depth / 2, {{x, member}}), ") };\n"});
        decls_.push_back(Tree("lam " + pack + "(" + p + ": %mem.Ptr " + text(member) + ")" + " @ff: " + type + " = ("
                              + text(member) + ", " + p + ", " + get + ");\n"));
        auto a = fresh("ptr");
        made   = Tree{
            std::move(made),
            "let (mem, " + a + ") = %mem."
                + (coin() ? "alloc " + text(member) + " mem" : "slot " + text(member) + " (mem, " + to_string(counter_++) + ")")
                + ";\n    let mem = %mem.store (mem, " + a + ", ",
            expr(member, options_.depth / 2, s), ");\n    "};
        pack += " " + a;
    }
    auto o = fresh("o"), v = fresh("v");
    made = Tree{std::move(made), "let " + o + " = (" + packed[0] + ", " + packed[1] + ")#", truth(1, s), ";\n    "};
    s.push_back({v, result});
    return Tree{std::move(made), "let (mem, " + v + ") = " + o + "#2_3 (mem, " + o + "#1_3);\n    "};
}

} // namespace agree
