// SPDX-License-Identifier: MIT
// Sizes that are values, and types that mention them: `Idx n` in parameters, results and pairs, arrays of length n behind pointers. The size
// is a literal, computed, chosen, or what a call gives; it is never 0.
#include "gen.h"

namespace agree {

using std::string;
using std::to_string;

Tree Gen::size(unsigned depth, const Scope& s) {
    use("sizes");
    switch (random_.below(has("sizecall") ? 4 : 2)) {
        case 0: return Tree(to_string(1 + random_.below(20)));
        case 1: return Tree{"(%core.nat.add (1, (nmod ", natural(depth, s), ")))"};
        case 2: use("calls in types"); return Tree{"(size_by_call ", natural(depth, s), ")"};
        default: {
            auto n = to_string(1 + random_.below(9));
            auto a = Tree{"(%core.nat.add (1, (nmod ", natural(half(depth), s), ")))"};
            return Tree{"((", n, ", ", std::move(a), ")#", truth(half(depth), s), ")"};
        }
    }
}

/// An index into n elements.
Tree Gen::index(const Type& t, unsigned depth, const Scope& s) {
    auto e    = [&] { return expr(t, depth, s); };
    auto pair = [&] {
        auto a = e();
        return Tree{"(", std::move(a), ", ", e(), ")"};
    };
    switch (random_.below(7)) {
        case 0: return Tree{"(%core.wrap.", random_.pick(std::array<string, 3>{"add", "sub", "mul"}), " 0 ", pair(), ")"};
        case 1: return Tree{"(%core.extrema.", coin() ? "umin " : "umax ", pair(), ")"};
        case 2: return Tree{"(%core.minus 0 ", e(), ")"};
        case 3: return Tree{"(%core.conv.u ", t.name, " ", expr(idx(idx_size()), depth, s), ")"};
        case 4: return Tree{"((", e(), ", ", e(), ")#", truth(half(depth), s), ")"};
        default: return Tree{"(%core.idx ", t.name, " 0 ", natural(depth, s), ")"};
    }
}

/// `let (n, i) = …` of a pair whose size only the run knows.
Tree Gen::opened(const Type& t, unsigned depth, const Scope& s) {
    use("sizes");
    auto q = fresh("q"), n = fresh("n"), i = fresh("i");
    auto value = expr(size_and_index(), depth, s);
    auto inner = s;
    inner.push_back({n, nat()});
    inner.push_back({i, place(n)});
    auto body = expr(t, depth, inner);
    Tree open{"{ let ", n, " = ", q, "#0_2; let ", i, " = ", q, "#1_2; ", std::move(body), " }"};
    if (has("sizecall") && coin())
        return use("calls in types"), Tree{"{ let ", q, " = ", std::move(value), "; ", std::move(open), " }"};
    return Tree{"((λ (", q, ": Sized) @ff: ", text(t), " = ", std::move(open), ") ", std::move(value), ")"};
}

/// A call of a function over a size, an index or two, and something else; it returns a T or, where T is a number, an index. A pair comes from a call that
/// stays, since tuples are not ascribed: where it is chosen it would have another type.
Tree Gen::sized_call(const Type& t, unsigned depth, const Scope& s) {
    if (helpers_ >= 8 || t.has_var()) return {};
    use("sizes");
    auto f = helper("s"), n = fresh("n"), i = fresh("i"), j = fresh("j"), x = fresh("p");
    auto u         = type(1);
    bool is_place  = t.is_scalar() && coin();
    bool is_pair   = t.kind == Type::Pair;
    bool is_curry  = coin();
    bool is_hidden = is_curry && coin();
    Scope inner{{n, nat()}, {i, place(n)}, {j, place(n)}, {x, u}};
    auto result = is_place ? "Idx " + n : is_pair ? "[m: Nat, Idx m]" : text(t);
    auto body   = is_place            ? expr(place(n), depth, inner)
                  : is_pair && coin() ? Tree{"(", n, ", ", expr(place(n), depth, inner), ")"}
                                      : expr(t, depth, inner);
    auto first  = n + ": Nat";
    auto rest   = i + " " + j + ": Idx " + n + ", " + x + ": " + text(u);
    auto groups = is_hidden  ? "{" + first + "} (" + rest + ")"
                  : is_curry ? "(" + first + ") (" + rest + ")"
                             : "(" + first + ", " + rest + ")";
    auto how    = is_pair || random_.chance(60) ? string(" @ff") : coin() ? "" : " @(%core.pe.known " + n + ")";
    Tree decl{"lam ", f, groups, how, ": ", result, " =\n    ", std::move(body), ";\n"};
    decls_.push_back(std::move(decl));

    Type at       = nat();
    auto lit      = 1 + random_.below(12);
    auto m        = fresh("n");
    bool fix      = coin();
    auto how_many = fix ? Tree(to_string(lit)) : size(half(depth), s);
    auto inside   = s;
    if (!fix) inside.push_back({m, nat()});
    at          = fix ? idx(lit) : place(m);
    auto a      = expr(at, half(depth), inside);
    auto b      = expr(at, half(depth), inside);
    auto c      = expr(u, half(depth), inside);
    auto actual = Tree{std::move(a), ", ", std::move(b), ", ", std::move(c)};
    auto count  = fix ? to_string(lit) : m;
    Tree call{"(", f,
              is_hidden  ? " @" + count + " ("
              : is_curry ? " " + count + " ("
                         : " (" + count + ", ",
              std::move(actual), "))"};
    if (is_place && t.kind == Type::Nat) call = Tree{"(%core.bitcast Nat ", std::move(call), ")"};
    else if (is_place) call = Tree{"(%core.conv.u ", size_text(t.size), " ", std::move(call), ")"};
    if (fix) return call;
    if (has("sizecall") && coin()) return Tree{"{ let ", m, " = ", std::move(how_many), "; ", std::move(call), " }"};
    return Tree{"((λ (", m, ": Nat) @ff: ", text(t), " = ", std::move(call), ") ", std::move(how_many), ")"};
}

/// A function whose type calls another one.
Tree Gen::size_by_call(const Type& t, unsigned depth, const Scope& s) {
    if (helpers_ >= 8 || t.has_var()) return {};
    use("sizes"), use("calls in types");
    auto f = helper("y"), k = fresh("k"), i = fresh("i"), x = fresh("p");
    auto at = place("(size_by_call " + k + ")");
    auto u  = scalar();
    Scope inner{{k, nat()}, {i, at}, {x, u}};
    bool same   = t.is_scalar() && coin();
    auto result = same ? text(at) : text(t);
    decls_.push_back(Tree{"lam ", f, "(", k, ": Nat, ", i, ": ", text(at), ", ", x, ": ", text(u),
                          coin() ? ") @ff: " : "): ", result, " =\n    ", expr(same ? at : t, depth, inner), ";\n"});
    auto m      = fresh("k");
    auto n      = expr(nat(), half(depth), s);
    auto inside = s;
    inside.push_back({m, nat()});
    auto a = expr(place("(size_by_call " + m + ")"), half(depth), inside);
    auto b = expr(u, half(depth), inside);
    Tree call{"(", f, " (", m, ", ", std::move(a), ", ", std::move(b), "))"};
    if (same && t.kind == Type::Nat) call = Tree{"(%core.bitcast Nat ", std::move(call), ")"};
    else if (same) call = Tree{"(%core.conv.u ", size_text(t.size), " ", std::move(call), ")"};
    return Tree{"{ let ", m, " = ", std::move(n), "; ", std::move(call), " }"};
}

/// `[n: Nat, %mem.Ptr «n; T»]` from a function, maybe by way of memory: an element is written and read.
Tree Gen::sized_array(Scope& s) {
    if (helpers_ >= 8) return {};
    use("sizes");
    auto f = helper("v"), k = fresh("k"), a = fresh("ptr"), n = fresh("n"), p = fresh("ptr"), q = fresh("ptr"), v = fresh("v");
    auto t    = type(1);
    auto pair = "[n: Nat, %mem.Ptr «n; " + text(t) + "»]";
    if (t.has_function()) use("closures in memory");
    decls_.push_back(Tree("lam " + f + "(mem: %mem.M, " + k + ": Nat) @ff: [%mem.M, " + pair + "] = {\n    let (mem, " + a
                          + ") = %mem.alloc «" + k + "; " + text(t) + "» mem;\n    (mem, (" + k + ", " + a + ")) };\n"));
    auto count = size(1, s);
    Tree made{"let (mem, ", q, ") = ", f, " (mem, ", std::move(count), ");\n    "};
    if (coin()) {
        auto kept = fresh("ptr");
        made      = Tree{std::move(made), "let (mem, " + kept + ") = %mem.slot " + pair + " (mem, " + to_string(counter_++)
                                         + ");\n    let mem = %mem.store (mem, " + kept + ", " + q + ");\n    let (mem, " + q
                                         + ") = %mem.load (mem, " + kept + ");\n    "};
    }
    auto inner = s;
    inner.push_back({n, nat()});
    auto i     = has("sizecall") ? expr(place(n), 1, inner) : Tree{"(%core.idx " + n + " 0 ", natural(1, s), ")"};
    auto value = expr(t, options_.depth / 2, s);
    s.push_back({v, t});
    return Tree{std::move(made),  "let " + n + " = " + q + "#0_2;\n    let " + p + " = %mem.lea (" + q + "#1_2, ",
                std::move(i),     ");\n    let mem = %mem.store (mem, " + p + ", ",
                std::move(value), ");\n    let (mem, " + v + ") = %mem.load (mem, " + p + ");\n    "};
}

} // namespace agree
