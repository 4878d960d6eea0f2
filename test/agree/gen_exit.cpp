// SPDX-License-Identifier: MIT
// Continuations that are passed down a recursion and leave it at once, and slots of loops: a slot is one allocation for each activation of the function
// that it is written in.
#include "gen.h"

namespace agree {

using std::string;
using std::to_string;

/// `ret x = g $ (…)`, where g calls a recursive function that returns, or goes to a continuation of g's.
Tree Gen::exit(bool mem, Scope& s) {
    if (helpers_ >= 7) return {};
    use("exits");
    auto f = helper("try"), g = helper("catch"), n = fresh("n"), x = fresh("x"), r = fresh("r"), e = fresh("e"), v = fresh("v");
    auto passed_type = [&] {
        auto t = type(1);
        return t.has_function() && !has("exitfunction") ? scalar() : t;
    };
    auto arg = type(1), result = passed_type(), error = passed_type();
    auto depth  = options_.depth / 2;
    auto first  = mem ? string("mem: %mem.M, ") : "";
    auto now    = mem ? string("mem, ") : "";
    auto token  = mem ? string("mem") : "()";
    auto taken  = mem ? string("(mem: %mem.M)") : "()";
    auto given  = [&](const Type& t) { return mem ? "[%mem.M, " + text(t) + "]" : text(t); };
    auto named  = [&](const string& name) { return mem ? "(mem, " + name + ")" : name; };
    auto values = [&](Tree t) { return Tree{"(", now, std::move(t), ")"}; };
    Scope inner{{n, nat()}, {x, arg}};
    auto bad   = expr(error, depth, inner);
    auto good  = expr(result, depth, inner);
    auto which = truth(1, inner);
    auto next  = expr(arg, depth, inner);
    auto with  = inner;
    with.push_back({r, result});
    auto call = f + " $ (" + now + "%core.nat.sub (" + n + ", 1), ";
    auto more =
        random_.chance(75)
            ? Tree{"{ ret ", named(r), " = ", call, std::move(next), ", fail); return ", values(expr(result, depth, with)), " }"}
            : Tree{f, " ((", now, "%core.nat.sub (", n, ", 1), ", std::move(next), ", fail), return)"};
    decls_.push_back(Tree{"fun " + f + "(" + first + n + ": Nat, " + x + ": " + text(arg) + ", fail: Cn " + given(error)
                              + "): " + given(result) + " = (more, stop)#(%core.ncmp.e (" + n + ", 0)) " + token
                              + " where\n    con stop " + taken + " = (bad, good)#",
                          std::move(which), " " + token + ";\n    con bad " + taken + " = fail ", values(std::move(bad)),
                          ";\n    con good " + taken + " = return ", values(std::move(good)), ";\n    con more " + taken + " = ",
                          std::move(more), ";\n    end;\n"});
    auto caught = expr(result, depth, {{x, arg}, {e, error}});
    auto passed = expr(result, depth, {{x, arg}, {r, result}});
    decls_.push_back(Tree{"fun " + g + "(" + first + n + ": Nat, " + x + ": " + text(arg) + "): " + given(result)
                              + " = {\n    con caught (" + first + e + ": " + text(error) + ") = return ",
                          values(std::move(caught)),
                          ";\n    ret " + named(r) + " = " + f + " $ (" + now + n + ", " + x + ", caught);\n    return ",
                          values(std::move(passed)), " };\n"});
    auto times = count(1, s);
    auto start = expr(arg, depth, s);
    s.push_back({v, result});
    return Tree{"ret " + named(v) + " = " + g + " $ (" + now, std::move(times), ", ", std::move(start), ");\n    "};
}

/// A loop that may be unrolled; each turn looks at the slot of the turn before.
Tree Gen::slots_in_loop(Scope& s) {
    if (helpers_ >= 8) return {};
    use("slots in loops");
    auto f = helper("slots"), i = fresh("i"), x = fresh("x"), v = fresh("v"), start = fresh("i");
    auto t     = type(1);
    auto T     = text(t);
    auto depth = options_.depth / 2;
    auto slot  = [&](const string& name) {
        return "let (mem, " + name + ") = %mem.slot " + T + " (mem, " + to_string(counter_++) + ");\n    ";
    };
    auto init  = expr(t, depth, {{x, t}});
    auto each  = expr(t, depth, {{x, t}, {i, nat()}});
    auto known = coin() ? " @(%core.pe.known " + i + ")" : "";
    bool fixed = coin();
    decls_.push_back(Tree{"fun " + f + "(mem: %mem.M, " + start + ": Nat, " + x + ": " + T + "): [%mem.M, " + T + "] = {\n    "
                              + slot("z") + "let mem = %mem.store (mem, z, ",
                          std::move(init),
                          ");\n    con loop (mem: %mem.M, " + i + ": Nat, prev: %mem.Ptr " + T + ")" + known + " = {\n    "
                              + slot("p") + "let mem = %mem.store (mem, p, ",
                          std::move(each),
                          ");\n    con more (mem: %mem.M) = loop (mem, %core.nat.add (" + i
                              + ", 1), p);\n    con done (mem: %mem.M) = { let (mem, x) = %mem.load (mem, prev); return (mem, x) "
                                "};\n    (more, done)#(%core.ncmp.e ("
                              + i + ", 3)) mem };\n    loop (mem, " + (fixed ? to_string(random_.below(4)) : start)
                              + ", z) };\n"});
    auto from = Tree{"%core.bitcast Nat (%core.idx 4 0 ", natural(1, s), ")"};
    auto arg  = expr(t, depth, s);
    s.push_back({v, t});
    return Tree{"ret (mem, " + v + ") = " + f + " $ (mem, ", std::move(from), ", ", std::move(arg), ");\n    "};
}

} // namespace agree
