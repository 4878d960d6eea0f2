// SPDX-License-Identifier: MIT
// Arrays whose length nobody knows: passed, updated, accumulated by recursions, chosen, with rows.
#include "gen.h"

namespace agree {

using std::string;
using std::to_string;

/// An index of the array of `n` elements.
Tree Gen::open_index(unsigned depth, const Scope& s) { return Tree{"(%core.idx n 0 ", natural(half(depth), s), ")"}; }

/// A pack whose elements mention the variables, their own place and, at that, the elements of `arrays`.
Tree Gen::open_pack(const Type& elem, unsigned depth, Scope s, const std::vector<string>& arrays) {
    auto k = fresh("k");
    s.push_back({"(%core.bitcast Nat " + k + ")", nat()});
    for (auto& a : arrays) s.push_back({"(" + a + "#" + k + ")", elem});
    return Tree{"‹", k, ": n; ", expr(elem, depth, s), "›"};
}

/// An array that is made of `a` and `b`.
Tree Gen::open_array(const Type& elem, unsigned depth, const Scope& s) {
    const std::vector<string> arrays{"a", "b"};
    if (depth == 0 || random_.chance(20)) return Tree(coin() ? "a" : "b");
    switch (random_.below(4)) {
        case 0: return open_pack(elem, half(depth), s, arrays);
        case 1:
            return Tree{
                "(", open_array(elem, half(depth), s), ", ", open_array(elem, half(depth), s), ")#", truth(half(depth), s)};
        default: break;
    }
    auto inner = s; // an update, which may look at other elements
    for (auto& array : arrays)
        if (coin()) inner.push_back({array + "#(%core.idx n 0 " + to_string(random_.below(9)) + ")", elem});
    return Tree{"(ins (", open_array(elem, half(depth), s), ", ", open_index(depth, s),
                ", ",     expr(elem, half(depth), inner),   "))"};
}

/// An element of what functions make of such arrays. The call of the last function decides the length.
Tree Gen::open_arrays(const Type& t, unsigned depth, const Scope& s) {
    if (helpers_ >= 7 || t.has_var() || t.kind == Type::Fun) return {};
    auto f = helper("open"), g = helper("open"), h = helper("open"), x = fresh("x");
    auto u           = type(1);
    const auto array = "«n; " + text(t) + "»";
    Scope inner      = {{x, u}};
    decls_.push_back(Tree{"lam ", f, " (n: Nat) (a b: ", array, ", ", x, ": ", text(u),
                          random_.chance(75) ? ") @ff: " : "): ", array, " =\n    ", open_array(t, depth, inner), ";\n"});
    auto counted = inner;
    counted.push_back({"m", nat()});
    decls_.push_back(Tree{"lam ",
                          g,
                          " (n: Nat) (m: Nat, a b: ",
                          array,
                          ", ",
                          x,
                          ": ",
                          text(u),
                          ") @ff: ",
                          array,
                          " =\n    (",
                          coin() ? "a" : "b",
                          ", ",
                          g,
                          " n (m - 1, ",
                          open_array(t, depth, counted),
                          ", ",
                          open_array(t, depth, counted),
                          ", ",
                          x,
                          "))#(0 < m);\n"});
    auto pack = [&] { return open_pack(t, half(depth), inner, {}); };
    auto made = Tree{"(", f, " n (", pack(), ", ", pack(), ", ", x, "))"};
    if (random_.chance(70))
        made = Tree{"(", g, " n (", to_string(random_.below(6)), ", ", std::move(made), ", ", pack(), ", ", x, "))"};
    decls_.push_back(Tree{"lam ", h, " (n: Nat, ", x, ": ", text(u), ") @ff: ", text(t), " =\n    ", std::move(made), "#",
                          open_index(depth, inner), ";\n"});
    return Tree{"(", h, " (", natural(half(depth), s), " % 9 + 1, ", expr(u, half(depth), s), "))"};
}

} // namespace agree
