// SPDX-License-Identifier: MIT
// Recursive types: of pure values, through functions (streams, machines); in memory, through pointers (lists, trees, types that refer to each other).
#include "gen.h"

namespace agree {

using std::string;
using std::to_string;

namespace {

/// The forms of recursive types of pure values. The size of the type selects one.
enum Form : uint64_t { Stream, Machine, Step, Mutual, Lazy, num_forms };

} // namespace

/// A recursive type S of this program. `S_from x` makes a value; `S_hash v` looks at it and at the next one.
Type Gen::recursive() {
    if (in_rec_) return scalar();
    use("recursive types");
    if (!recs_.empty() && (recs_.size() >= 2 || coin())) return random_.pick(recs_);
    in_rec_    = true;
    auto name  = helper("S");
    auto seed  = scalar();
    auto t     = coin() ? scalar() : tuple({scalar(), scalar()});
    auto form  = random_.below(num_forms);
    auto other = name + "_other";
    auto x = fresh("x"), i = fresh("i");
    Scope inner{{x, seed}}, deeper{{x, seed}, {i, i64()}};
    auto T     = text(t);
    auto value = expr(t, 2, inner);
    auto next  = Tree{name, "_from ", expr(seed, 2, form == Stream || form == Lazy || form == Mutual ? inner : deeper)};
    Tree type, made, hashed;
    auto mixed = [&](Tree a, Tree b) { return Tree{"mix (", std::move(a), ", ", std::move(b), ")"}; };
    auto h     = [&](const string& v) { return hash(Tree(v), t); };
    switch (form) {
        case Stream:
            type   = Tree("[" + T + ", [] → " + name + "]");
            made   = Tree{"(", std::move(value), ", λ () @ff: ", name, " = ", std::move(next), ")"};
            hashed = mixed(h("v#0_2"), h("((v#1_2 ())#0_2)"));
            break;
        case Machine:
            type   = Tree("[" + T + ", I64 → " + name + "]");
            made   = Tree{"(", std::move(value), ", λ (", i, ": I64) @ff: ", name, " = ", std::move(next), ")"};
            hashed = mixed(h("v#0_2"), h("((v#1_2 77I64)#0_2)"));
            break;
        case Step:
            type   = Tree("I64 → [" + T + ", " + name + "]");
            made   = Tree{"λ (", i, ": I64) @ff: [", T, ", ", name, "] = (", std::move(value), ", ", std::move(next), ")"};
            hashed = mixed(h("((v 7I64)#0_2)"), h("(((v 8I64)#1_2 9I64)#0_2)"));
            break;
        case Mutual:
            type   = Tree("[" + T + ", [] → " + other + "] and " + other + " = [Nat, I64 → " + name + "]");
            made   = Tree{"(", std::move(value), ", λ () @ff: ", other, " = (7, λ (",
                        i,   ": I64) @ff: ",   name,           " = ", std::move(next),
                        "))"};
            hashed = mixed(h("v#0_2"), h("(((v#1_2 ())#1_2 5I64)#0_2)"));
            break;
        default: { // a list that ends
            auto cell = "[" + T + ", [] → " + name + "]";
            type      = Tree("[] ∪ " + cell);
            made      = Tree{"(() inj ([] ∪ ", cell, "), (", std::move(value), ", λ () @ff: ", name, " = ", std::move(next),
                        ") inj ([] ∪ ",   cell, "))#",  truth(1, inner)};
            hashed    = Tree{"match v with | _: [] => 5I64 | (a: ", T, ", f: ([] → ", name, ")) => ", h("a")};
        }
    }
    decls_.push_back(Tree{"rec ", name, ": * = ", std::move(type), ";\n"});
    decls_.push_back(Tree{"lam ", name, "_from(", x, ": ", text(seed), ") @ff: ", name, " =\n    ", std::move(made), ";\n"});
    decls_.push_back(Tree{"lam ", name, "_hash(v: ", name, ") @ff: I64 = ", std::move(hashed), ";\n"});
    in_rec_ = false;
    recs_.push_back({Type::Rec, form, {t, seed}, name});
    return recs_.back();
}

/// The content of a value of a recursive type, and the next value.
Tree Gen::unfolded(const Type& t, unsigned depth, const Scope& s) {
    auto rec = recursive();
    if (rec.kind != Type::Rec) return {};
    auto v = fresh("w"), a = fresh("a"), b = fresh("w");
    auto value = expr(rec, depth, s);
    auto inner = s;
    inner.push_back({a, rec.elems[0]});
    if (rec.size == Lazy) {
        auto next = inner;
        next.push_back({b, rec});
        auto none = expr(t, half(depth), s);
        auto some = expr(t, half(depth), next);
        return Tree{"(match ",
                    std::move(value),
                    " with | _: [] => ",
                    std::move(none),
                    " | (",
                    a,
                    ": ",
                    text(rec.elems[0]),
                    ", ",
                    v,
                    ": ([] → ",
                    rec.name,
                    ")) => { let ",
                    b,
                    " = ",
                    v,
                    " (); ",
                    std::move(some),
                    " })"};
    }
    inner.push_back({b, rec});
    auto arg  = rec.size == Stream || rec.size == Mutual ? Tree("()") : expr(i64(), half(depth), s);
    auto body = expr(t, depth, inner);
    Tree open{"{ let ", v, " = ", std::move(value), "; "};
    if (rec.size == Step) open = Tree{std::move(open), "let (", a, ", ", b, ") = ", v, " ", std::move(arg), "; "};
    else if (rec.size == Mutual)
        open = Tree{std::move(open), "let ", a, " = ", v, "#0_2; let ", b, " = ((", v, "#1_2 ", std::move(arg), ")#1_2 3I64); "};
    else open = Tree{std::move(open), "let ", a, " = ", v, "#0_2; let ", b, " = ", v, "#1_2 ", std::move(arg), "; "};
    return Tree{std::move(open), std::move(body), " }"};
}

/// A list is built by one function and walked by another one.
Tree Gen::linked_list(Scope& s) {
    if (helpers_ >= 6) return {};
    use("recursive types");
    auto L = helper("L"), build = helper("build"), walk = helper("walk");
    auto n = fresh("n"), x = fresh("x"), acc = fresh("a"), v = fresh("v"), e = fresh("e");
    auto t = type(1), seed = scalar(), sum = scalar();
    if (t.has_function() && !has("closurelist")) t = scalar();
    if (t.has_function()) use("closures in memory");
    auto T = text(t), ptr = "%mem.Ptr " + L, cell = "[" + T + ", " + ptr + "]", list = "([] ∪ " + cell + ")";
    auto depth = options_.depth / 2;
    Scope inner{{n, nat()}, {x, seed}};
    auto elem = expr(t, depth, inner);
    decls_.push_back(Tree("rec " + L + ": * = [] ∪ " + cell + ";\n"));
    auto params = "(mem: %mem.M, " + n + ": Nat, " + x + ": " + text(seed) + ")";
    decls_.push_back(Tree{"fun " + build + params + ": [%mem.M, " + ptr + "] = {\n    let (mem, p) = %mem.alloc " + L
                              + " mem;\n    con done (mem: %mem.M) = return (%mem.store (mem, p, () inj " + list
                              + "), p);\n    con more (mem: %mem.M) = {\n    ret (mem, q) = " + build + " $ (mem, %core.nat.sub ("
                              + n + ", 1), ",
                          expr(seed, depth, inner), ");\n    return (%mem.store (mem, p, (", std::move(elem),
                          ", q) inj " + list + "), p) };\n    (more, done)#(%core.ncmp.e (" + n + ", 0)) mem };\n"});
    auto step = expr(sum, depth, {{acc, sum}, {e, t}});
    decls_.push_back(Tree{"fun " + walk + "(mem: %mem.M, p: " + ptr + ", " + acc + ": " + text(sum) + "): [%mem.M, " + text(sum)
                              + "] = {\n    let (mem, l) = %mem.load (mem, p);\n    match l with | _: [] => return (mem, " + acc
                              + ") | (" + e + ": " + T + ", q: " + ptr + ") => " + walk + " ((mem, q, ",
                          std::move(step), "), return) };\n"});
    auto p     = fresh("ptr");
    auto times = count(1, s);
    auto first = expr(seed, depth, s);
    auto init  = expr(sum, depth, s);
    s.push_back({v, sum});
    return Tree{"ret (mem, ",
                p,
                ") = ",
                build,
                " $ (mem, ",
                std::move(times),
                ", ",
                std::move(first),
                ");\n    ret (mem, ",
                v,
                ") = ",
                walk,
                " $ (mem, ",
                p,
                ", ",
                std::move(init),
                ");\n    "};
}

/// A tree in direct style; its fields are reached one by one.
Tree Gen::linked_tree(Scope& s) {
    if (helpers_ >= 6) return {};
    use("recursive types");
    auto R = helper("R"), build = helper("build"), walk = helper("walk");
    auto n = fresh("n"), e = fresh("e"), a = fresh("a"), b = fresh("a"), v = fresh("v");
    auto t = type(1), sum = scalar();
    if (t.has_function() && !has("closurelist")) t = scalar();
    if (t.has_function()) use("closures in memory");
    auto T = text(t), ptr = "%mem.Ptr " + R, node = "[" + ptr + ", " + T + ", " + ptr + "]", both = "([] ∪ " + node + ")";
    auto depth = options_.depth / 2;
    decls_.push_back(Tree("rec " + R + ": * = [] ∪ " + node + ";\n"));
    auto taken = "mem: %mem.M, " + n + ": Nat";
    auto elem  = expr(t, depth, {{n, nat()}});
    decls_.push_back(Tree{"fun " + build + "(" + taken + "): [%mem.M, " + ptr + "] = {\n    let (mem, p) = %mem.alloc " + R
                              + " mem;\n    con leaf (mem: %mem.M) = return (%mem.store (mem, p, () inj " + both
                              + "), p);\n    con node (mem: %mem.M) = {\n    ret (mem, l) = " + build + " $ (mem, %core.nat.sub ("
                              + n + ", 1));\n    ret (mem, r) = " + build + " $ (mem, %core.nat.sub (" + n
                              + ", 2));\n    return (%mem.store (mem, p, (l, ",
                          std::move(elem),
                          ", r) inj " + both + "), p) };\n    (node, leaf)#(%core.ncmp.e (" + n + ", 0)) mem };\n"});
    auto empty = expr(sum, 1, {});
    auto join  = expr(sum, depth, {{a, sum}, {b, sum}, {e, t}});
    decls_.push_back(Tree{"fun " + walk + "(mem: %mem.M, p: " + ptr + "): [%mem.M, " + text(sum)
                              + "] = {\n    let (mem, l) = %mem.load (mem, p);\n    match l with | _: [] => return (mem, ",
                          std::move(empty),
                          ") | (q: " + ptr + ", " + e + ": " + T + ", r: " + ptr + ") => { ret (mem, " + a + ") = " + walk
                              + " $ (mem, q); ret (mem, " + b + ") = " + walk + " $ (mem, r); return (mem, ",
                          std::move(join), ") } };\n"});
    auto p     = fresh("ptr");
    auto times = Tree{"%core.bitcast Nat (%core.idx 5 0 ", natural(1, s), ")"};
    s.push_back({v, sum});
    return Tree{"ret (mem, ", p,    ") = ",      build, " $ (mem, ", std::move(times), ");\n    ret (mem, ", v,
                ") = ",       walk, " $ (mem, ", p,     ");\n    "};
}

/// `rec A = [T, %mem.Ptr B] and B = [U, %mem.Ptr A]`: two that refer to each other, walked a number of times round.
Tree Gen::linked_pair(Scope& s) {
    if (helpers_ >= 6) return {};
    use("recursive types");
    auto A = helper("A"), walk = helper("walk"), B = A + "_other";
    auto n = fresh("n"), acc = fresh("a"), x = fresh("x"), y = fresh("y"), v = fresh("v"), a = fresh("ptr"), b = fresh("ptr");
    auto t = type(1), u = type(1), sum = scalar();
    if (!has("closurelist") && t.has_function()) t = scalar();
    if (!has("closurelist") && u.has_function()) u = scalar();
    if (t.has_function() || u.has_function()) use("closures in memory");
    auto depth = options_.depth / 2;
    decls_.push_back(Tree("rec " + A + ": * = [" + text(t) + ", %mem.Ptr " + B + "] and " + B + ": * = [" + text(u)
                          + ", %mem.Ptr " + A + "];\n"));
    auto step = expr(sum, depth, {{n, nat()}, {acc, sum}, {x, t}, {y, u}});
    decls_.push_back(Tree{"fun " + walk + "(mem: %mem.M, " + n + ": Nat, p: %mem.Ptr " + A + ", " + acc + ": " + text(sum)
                              + "): [%mem.M, " + text(sum) + "] = {\n    con done (mem: %mem.M) = return (mem, " + acc
                              + ");\n    con more (mem: %mem.M) = {\n    let (mem, (" + x
                              + ", q)) = %mem.load (mem, p);\n    let (mem, (" + y + ", p)) = %mem.load (mem, q);\n    " + walk
                              + " ((mem, %core.nat.sub (" + n + ", 1), p, ",
                          std::move(step), "), return) };\n    (more, done)#(%core.ncmp.e (" + n + ", 0)) mem };\n"});
    auto times = count(1, s);
    auto first = expr(t, depth, s);
    auto next  = expr(u, depth, s);
    auto init  = expr(sum, depth, s);
    s.push_back({v, sum});
    return Tree{"let (mem, " + a + ") = %mem.alloc " + A + " mem;\n    let (mem, " + b + ") = %mem.alloc " + B
                    + " mem;\n    let mem = %mem.store (mem, " + a + ", (",
                std::move(first),
                ", " + b + "));\n    let mem = %mem.store (mem, " + b + ", (",
                std::move(next),
                ", " + a + "));\n    ret (mem, " + v + ") = " + walk + " $ (mem, ",
                std::move(times),
                ", " + a + ", ",
                std::move(init),
                ");\n    "};
}

} // namespace agree
