// SPDX-License-Identifier: MIT
// Functions that compute types, and functions of several groups.
#include "gen.h"

namespace agree {

using std::string;
using std::to_string;

/// `lam F (b: Bool): * = (A, B)#b` and a function over F b, called where b is known; or, `F n` is `Idx n`, where n need not be.
Tree Gen::chosen_type(const Type& t, unsigned depth, const Scope& s) {
    if (helpers_ >= 7 || t.has_var()) return {};
    use("types");
    auto F = helper("F"), f = helper("t"), b = fresh("b"), x = fresh("x");
    auto other = type(1);
    if (has("size") && coin()) {
        use("sizes");
        auto n = fresh("n"), i = fresh("i");
        decls_.push_back(Tree("lam " + F + "(n: Nat): * = Idx n;\n"));
        decls_.push_back(Tree{"lam ", f, "(", n, ": Nat, ", i, ": ", F, " ", n, ", ", x, ": ", text(other),
                              coin() ? ") @ff: " : "): ", text(t), " =\n    ", expr(t, depth, {{n, nat()}, {x, other}}), ";\n"});
        auto m      = fresh("n");
        auto count  = size(half(depth), s);
        auto inside = s;
        inside.push_back({m, nat()});
        auto at  = expr(place(m), half(depth), inside);
        auto arg = expr(other, half(depth), inside);
        return Tree{"((λ (",        m,     ": Nat) @ff: ",   text(t), " = ", f, " (", m, ", ", std::move(at), ", ",
                    std::move(arg), ")) ", std::move(count), ")"};
    }
    bool at = coin(); // t is (other, t)#tt or (t, other)#ff
    auto a = at ? other : t, c = at ? t : other;
    decls_.push_back(Tree("lam " + F + "(b: Bool): * = (" + text(a) + ", " + text(c) + ")#b;\n"));
    decls_.push_back(Tree("lam " + f + "(" + b + ": Bool) (" + x + ": " + F + " " + b + ")" + (coin() ? " @ff: " : ": ") + F + " "
                          + b + " = " + x + ";\n"));
    return Tree{"(", f, at ? " tt " : " ff ", expr(t, depth, s), ")"};
}

/// A function of three groups, some of which it gets at once.
Tree Gen::curried(const Type& t, unsigned depth, const Scope& s) {
    if (helpers_ >= 8 || t.has_var()) return {};
    auto f    = helper("c");
    auto vars = fresh_params(3, 1);
    auto body = expr(t, depth, Scope(vars.begin(), vars.end()));
    Tree decl{"lam ", f};
    for (auto& v : vars) decl.add(" (" + v.name + ": " + text(v.type) + ")");
    decl.add(random_.chance(70) ? " @ff: " : ": ");
    decls_.push_back(Tree{std::move(decl), text(t), " =\n    ", std::move(body), ";\n"});
    auto g = fresh("g"), h = fresh("g");
    auto a = expr(vars[0].type, half(depth), s);
    auto b = expr(vars[1].type, half(depth), s);
    auto c = expr(vars[1].type, half(depth), s);
    auto z = expr(vars[2].type, half(depth), s);
    switch (random_.below(3)) {
        case 0: return Tree{"(", f, " ", std::move(a), " ", std::move(b), " ", std::move(z), ")"};
        case 1: return Tree{"{ let ", g, " = ", f, " ", std::move(a), " ", std::move(b), "; ", g, " ", std::move(z), " }"};
        default: break;
    }
    use("functions as values");
    return Tree{"{ let ", g,
                " = ",    f,
                " ",      std::move(a),
                "; let ", h,
                " = (",   g,
                " ",      std::move(b),
                ", ",     g,
                " ",      std::move(c),
                ")#",     truth(half(depth), s),
                "; ",     h,
                " ",      std::move(z),
                " }"};
}

/// The ways to make a T that are about types.
Tree Gen::wide(const Type& t, unsigned depth, const Scope& s) {
    switch (random_.below(10)) {
        case 0: return has("size") ? opened(t, depth, s) : Tree{};
        case 1: return has("size") ? sized_call(t, depth, s) : Tree{};
        case 2: return has("size") && has("sizecall") ? size_by_call(t, depth, s) : Tree{};
        case 3: return has("package") ? package(t, depth, s) : Tree{};
        case 4: return has("stream") ? unfolded(t, depth, s) : Tree{};
        case 5: return has("types") ? chosen_type(t, depth, s) : Tree{};
        case 6: return has("curry") ? curried(t, depth, s) : Tree{};
        case 7: return has("long") ? long_arrays(t, depth, s) : Tree{};
        case 8: return has("open") ? open_arrays(t, depth, s) : Tree{};
        default: break;
    }
    for (auto& v : s) // a function that is at hand
        if (v.type.kind == Type::Fun && v.type.elems[1] == t && coin())
            return Tree{"(", v.name, " ", expr(v.type.elems[0], half(depth), s), ")"};
    return {};
}

} // namespace agree
