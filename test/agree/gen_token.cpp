// SPDX-License-Identifier: MIT
// Tokens in aggregates: nested in tuples, between groups of parameters, behind type variables, in the payloads of unions, chosen.
#include "gen.h"

namespace agree {

using std::string;
using std::to_string;

/// `let ((mem, x), y) = f ((mem, a), b);`, where f keeps a in a slot of its own.
Tree Gen::nested_token(Scope& s) {
    auto f = helper("n"), a = fresh("a"), b = fresh("b"), p = fresh("ptr"), x = fresh("x"), y = fresh("y");
    auto t = type(1), u = type(1);
    auto T = text(t), U = text(u);
    auto depth = options_.depth / 2;
    Scope inner{{a, t}, {b, u}};
    auto value = expr(u, depth, inner);
    auto back  = expr(t, depth, inner);
    decls_.push_back(Tree{"lam " + f + "(q: [%mem.M, " + T + "], " + b + ": " + U + ")" + (coin() ? " @ff" : "") + ": [[%mem.M, "
                              + U + "], " + T + "] = {\n    let (mem, " + a + ") = q;\n    let (mem, " + p + ") = %mem.slot " + T
                              + " (mem, " + to_string(counter_++) + ");\n    let mem = %mem.store (mem, " + p + ", " + a
                              + ");\n    let (mem, " + a + ") = %mem.load (mem, " + p + ");\n    ((mem, ",
                          std::move(value), "), ", std::move(back), ") };\n"});
    auto first  = expr(t, depth, s);
    auto second = expr(u, depth, s);
    s.push_back({x, u});
    s.push_back({y, t});
    return Tree{"let ((mem, " + x + "), " + y + ") = " + f + " ((mem, ", std::move(first), "), ", std::move(second), ");\n    "};
}

/// The token in a group of its own, before or behind the others.
Tree Gen::curried_token(Scope& s) {
    auto f = helper("k"), a = fresh("a"), g = fresh("g"), x = fresh("x");
    auto t = type(1), u = type(1);
    auto depth = options_.depth / 2;
    bool first = coin();
    auto taken = "(" + a + ": " + text(t) + ")";
    auto value = expr(u, depth, {{a, t}});
    auto how   = coin() ? " @ff: [" : ": [";
    decls_.push_back(
        Tree{"lam " + f + (first ? " (mem: %mem.M) " + taken : " " + taken + " (mem: %mem.M)") + how + text(u) + ", %mem.M] = (",
             std::move(value), ", mem);\n"});
    auto arg = expr(t, depth, s);
    s.push_back({x, u});
    if (first) return Tree{"let (" + x + ", mem) = " + f + " mem ", std::move(arg), ";\n    "};
    return Tree{"let " + g + " = " + f + " ", std::move(arg), ";\n    let (" + x + ", mem) = " + g + " mem;\n    "};
}

/// Functions over types that turn out to have a token.
Tree Gen::polymorphic_token(Scope& s) {
    auto f = helper("z"), x = fresh("x");
    auto t     = type(1);
    auto T     = text(t);
    auto how   = coin() ? string(" @ff") : "";
    auto value = expr(t, options_.depth / 2, s);
    switch (random_.below(3)) {
        case 0:
            decls_.push_back(Tree("lam " + f + " {A B: *} (a: A, b: B)" + how + ": [B, A] = (b, a);\n"));
            s.push_back({x, t});
            return Tree{"let (" + x + ", mem) = " + f + " (mem, ", std::move(value), ");\n    "};
        case 1:
            decls_.push_back(Tree("lam " + f + " {A: *} (a: A)" + how + ": A = a;\n"));
            s.push_back({x, t});
            return Tree{"let (mem, " + x + ") = " + f + " @[%mem.M, " + T + "] (mem, ", std::move(value), ");\n    "};
        default: break;
    }
    auto u = type(1);
    auto a = fresh("a");
    decls_.push_back(Tree("lam " + f + " {A B: *} (f: A → B) (a: A)" + how + ": B = f a;\n"));
    auto inner = s;
    inner.push_back({a, t});
    auto body = expr(u, options_.depth / 2, inner);
    s.push_back({x, u});
    return Tree{"let (mem, " + x + ") = " + f + " @([%mem.M, " + T + "], [%mem.M, " + text(u) + "]) (λ (mem: %mem.M, " + a + ": "
                    + T + ") @ff: [%mem.M, " + text(u) + "] = (mem, ",
                std::move(body), ")) (mem, ", std::move(value), ");\n    "};
}

/// A function that returns the token with a value, or without; the members are told apart by tags.
Tree Gen::token_in_union(Scope& s) {
    use("unions");
    auto f = helper("w"), a = fresh("a"), x = fresh("x"), y = fresh("y");
    auto t = type(1), u = type(1), v = type(1);
    auto depth = options_.depth / 2;
    auto full  = "[⦃1_2⦄, %mem.M, " + text(u) + "]";
    auto both  = "([⦃0_2⦄, %mem.M] ∪ " + full + ")";
    Scope inner{{a, t}};
    auto value = expr(u, depth, inner);
    auto how   = coin() ? " @ff: " : ": ";
    decls_.push_back(Tree{"lam " + f + "(mem: %mem.M, " + a + ": " + text(t) + ")" + how + both + " =\n    ((0_2, mem) inj "
                              + both + ", (1_2, mem, ",
                          std::move(value), ") inj " + both + ")#", truth(depth, inner), ";\n"});
    auto arg  = expr(t, depth, s);
    auto none = expr(v, depth, s);
    auto with = s;
    with.push_back({y, u});
    auto some = expr(v, depth, with);
    s.push_back({x, v});
    return Tree{"let (mem, " + x + ") = match " + f + " (mem, ",
                std::move(arg),
                ") with | (_: ⦃0_2⦄, mem: %mem.M) => (mem, ",
                std::move(none),
                ") | (_: ⦃1_2⦄, mem: %mem.M, " + y + ": " + text(u) + ") => (mem, ",
                std::move(some),
                ");\n    "};
}

/// The token, or that of an effect, by an index.
Tree Gen::chosen_token(Scope& s) {
    auto found = pointer();
    if (!found) return {};
    auto p     = *found;
    auto value = expr(p.type, options_.depth / 2, s);
    return Tree{"let mem = (mem, %mem.store (mem, " + p.name + ", ", std::move(value), "))#", truth(1, s), ";\n    "};
}

Tree Gen::token_statement(Scope& s) {
    if (helpers_ >= 8) return {};
    use("tokens in aggregates");
    switch (random_.below(5)) {
        case 0: return nested_token(s);
        case 1: return curried_token(s);
        case 2: return polymorphic_token(s);
        case 3: return has("tags") ? token_in_union(s) : Tree{};
        default: return chosen_token(s);
    }
}

/// The statements with tokens that are about types and escaping values.
Tree Gen::wide_effect(bool cps, Scope& s) {
    switch (random_.below(cps ? 10 : 4)) {
        case 0:
        case 1: return has("token") ? token_statement(s) : Tree{};
        case 2: return has("size") ? sized_array(s) : Tree{};
        case 3: return has("object") ? object(s) : Tree{};
        case 4: return has("list") ? linked_list(s) : Tree{};
        case 5: return has("list") ? linked_tree(s) : Tree{};
        case 6: return has("list") ? linked_pair(s) : Tree{};
        case 7: return has("slots") ? slots_in_loop(s) : Tree{};
        default: return has("exit") ? exit(true, s) : Tree{};
    }
}

} // namespace agree
