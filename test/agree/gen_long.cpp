// SPDX-License-Identifier: MIT
// Functions over arrays that are so long that their binders stay: elements are computed where they are asked for.
#include "gen.h"

namespace agree {

using std::string;
using std::to_string;

/// A pack whose elements mention the variables and, at their own place, the elements of `arrays`.
Tree Gen::long_pack(const Type& array, unsigned depth, Scope s, const std::vector<string>& arrays) {
    auto k = fresh("k");
    s.push_back({k, idx(array.size)});
    for (auto& a : arrays) s.push_back({"(" + a + "#" + k + ")", array.elems[0]});
    return Tree{"‹", k, ": ", to_string(array.size), "; ", expr(array.elems[0], depth, s), "›"};
}

/// An array of this type: a pack, or what `f` makes of two such arrays and a value of type `u`.
Tree Gen::long_argument(const Type& array, unsigned calls, const string& f, const Type& u, unsigned depth, const Scope& s) {
    if (calls == 0 || random_.chance(40)) return long_pack(array, half(depth), s, {});
    auto a = long_argument(array, calls - 1, f, u, half(depth), s);
    auto b = long_argument(array, calls - 1, f, u, half(depth), s);
    return Tree{"(", f, " (", std::move(a), ", ", std::move(b), ", ", expr(u, half(depth), s), "))"};
}

/// An element of what a function makes of long arrays.
Tree Gen::long_arrays(const Type& t, unsigned depth, const Scope& s) {
    if (helpers_ >= 7 || t.has_var() || !t.is_scalar()) return {};
    auto array = agree::array(1025 + random_.below(200), t);
    auto f = helper("long"), a = fresh("a"), b = fresh("a"), x = fresh("x");
    auto u      = type(1);
    Scope inner = {{x, u}};
    auto pack   = [&] { return long_pack(array, depth, inner, {a, b}); };
    auto body   = pack();
    if (coin()) body = Tree{"(", std::move(body), ", ", coin() ? pack() : Tree(coin() ? a : b), ")#", truth(half(depth), inner)};
    decls_.push_back(Tree{"lam ", f, " (", a, " ", b, ": ", text(array), ", ", x, ": ", text(u),
                          random_.chance(75) ? ") @ff: " : "): ", text(array), " =\n    ", std::move(body), ";\n"});
    auto made = long_argument(array, 2, f, u, depth, s);
    return Tree{"(", std::move(made), "#", expr(idx(array.size), half(depth), s), ")"};
}

} // namespace agree
