// SPDX-License-Identifier: MIT
// Functions of several loops, one after the other, with effects between them: a counter goes up, arrays are loaded and
// stored, and loops fill, add and update them. For such programs the compiler decides in front of, inside and behind
// which loop an effect happens. The memory is that of gen_carried.cpp, where some of it overlaps.
#include "gen.h"

namespace agree {

using std::string;
using std::to_string;

/// `total` adds the elements, or those of the diagonal, each with a weight.
Tree Gen::between_total(const Between& b) {
    auto elem    = text(b.c.elem);
    auto column  = b.c.rank == 2 ? "#" + index_at(b.c.width, "i") : "";
    auto element = "(a#" + index_at("n", "i") + column + ")";
    auto tripled = "%core.wrap.mul 0 (s, " + index_text(3, b.c.elem.size) + ")";
    return Tree("fun " + b.total + " (n: Nat, a: " + b.c.type() + ")" + (coin() ? " @ff" : "") + ": " + elem
                + " = {\n    con turn (i: Nat, s: " + elem
                + ") @ff = (done, more)#(%core.ncmp.l (i, n)) () where\n    con done () = return s;\n    con more () = turn "
                  "(%core.nat.add (i, 1), "
                + "%core.wrap.add 0 (" + tripled + ", " + element + "));\n    end;\n    turn (0, " + index_text(1, b.c.elem.size)
                + ") };\n");
}

/// `fill` stores an array into the memory, which it reads element by element, from the end to the beginning.
Tree Gen::between_fill(const Between& b) {
    auto part = "(a#(%core.idx n 0 (%core.nat.sub (%core.nat.sub (n, 1), i))))";
    return Tree("fun " + b.fill + " (mem: %mem.M, n: Nat, p: %mem.Ptr " + b.c.type() + ", a: " + b.c.type() + ")"
                + (coin() ? " @ff" : "")
                + ": %mem.M = {\n    con turn (mem: %mem.M, i: Nat) @ff = (done, more)#(%core.ncmp.l (i, n)) mem where\n"
                  "    con done (mem: %mem.M) = return mem;\n    con more (mem: %mem.M) = {\n"
                  "    let mem = %mem.store (mem, %mem.lea (p, %core.idx n 0 i), "
                + part + ");\n    turn (mem, %core.nat.add (i, 1)) };\n    end;\n    turn (mem, 0) };\n");
}

/// `v`, as it is in memory.
Tree Gen::between_load(const Between& b, const string& v) {
    return Tree("let (mem, " + v + ") = %mem.load (mem, " + random_.pick(b.c.pointers) + ");\n    ");
}

/// The counter goes up, maybe by what a loop found.
Tree Gen::between_count(const Between& b) {
    auto v       = fresh("v");
    auto& last   = b.c.scalars.back();
    auto counted = coin() ? hash(Tree(last.name), last.type) : Tree("1I64");
    if (has("trace") && coin()) return Tree{"ret mem = agree_trace $ (mem, ", std::move(counted), ");\n    "};
    return Tree{"let (mem, ",
                v,
                ") = %mem.load (mem, count);\n    let mem = %mem.store (mem, count, %core.wrap.add 0 (",
                v,
                ", ",
                std::move(counted),
                "));\n    "};
}

/// A loop over what is in memory: only the elements are read, one in each turn.
Tree Gen::between_sum(Between& b) {
    auto v = fresh("v"), s = fresh("s");
    Tree made{between_load(b, v), "ret ", s, " = ", b.total, " $ (n, ", v, ");\n    "};
    b.c.scalars.push_back({s, b.c.elem});
    return made;
}

/// A loop that takes no part in effects: the array is stored behind it.
Tree Gen::between_update(Between& b) {
    auto v = fresh("v"), w = fresh("v");
    Tree made{between_load(b, v), "ret ", w, " = ", b.c.keep, " $ (n, ", v, ");\n    let mem = %mem.store (mem, "};
    made.add(random_.pick(b.c.pointers) + ", " + w + ");\n    ");
    b.c.arrays.push_back(w);
    return made;
}

Tree Gen::between_statement(Between& b) {
    auto& c  = b.c;
    auto way = random_.below(7);
    if (way < 2) return between_count(b);
    if (way == 2) return between_sum(b);
    if (way == 3 || c.arrays.empty()) return between_update(b);
    if (way == 4)
        return Tree("ret mem = " + b.fill + " $ (mem, n, " + random_.pick(c.pointers) + ", " + carried_part(c, c.rank)
                    + ");\n    ");
    return carried_statement(c);
}

/// The result is a sum of all that was made, and the counter, which is read last.
Tree Gen::between_end(Between& b) {
    auto& c = b.c;
    auto v  = fresh("v");
    Tree made;
    Tree sum(index_text(0, c.elem.size));
    if (!c.arrays.empty() && coin()) sum = carried_element(c, 1);
    auto add = [&](Tree other) { sum = Tree{"(%core.wrap.add 0 (", std::move(sum), ", ", std::move(other), "))"}; };
    for (auto n = random_.below(4); n != 0; --n) made.add(between_sum(b));
    for (auto& scalar : c.scalars) add(Tree(scalar.name));
    made.add("let (mem, " + v + ") = %mem.load (mem, count);\n    return (mem, ");
    made.add(std::move(sum));
    made.add(", " + v + ")");
    return made;
}

Tree Gen::between_function(const string& f, Between b) {
    auto x = b.c.scalars[0].name;
    Tree decl("fun " + f + " (mem: %mem.M, n: Nat, count: %mem.Ptr I64, " + x + ": " + text(b.c.elem) + ") @ff: [%mem.M, "
              + text(b.c.elem) + ", I64] = {\n    let i = n;\n    "); // truths of gen_carried.cpp ask for a counter
    decl.add(carried_memory(b.c));
    for (auto n = 2 + random_.below(9); n != 0; --n) decl.add(between_statement(b));
    decl.add(between_end(b));
    decl.add(" };\n");
    return decl;
}

/// Calls such a function, and hashes what comes back.
Tree Gen::effects_between_loops() {
    use("effects between loops");
    Between b;
    auto& c = b.c;
    c.elem  = idx(random_.pick(std::array<uint64_t, 3>{256, 1ull << 32, 0}));
    auto f  = helper("between");
    c.keep = helper("keep"), b.total = helper("total"), b.fill = helper("fill");
    c.rank     = random_.chance(40) ? 2 : 1;
    c.width    = coin() ? "n" : to_string(2 + random_.below(12));
    c.scalars  = {{fresh("x"), c.elem}};
    c.pointers = {"p", "q", "o"};
    decls_.push_back(carried_keep(c));
    decls_.push_back(between_total(b));
    decls_.push_back(between_fill(b));
    decls_.push_back(between_function(f, b));
    return Tree{"{ let (mem, cell) = %mem.alloc I64 mem; let mem = %mem.store (mem, cell, 0I64); ret (mem, r, count) = ",
                f,
                " $ (mem, ",
                length_from_input,
                ", cell, ",
                from_input("x1", c.elem),
                "); return (mem, %core.wrap.add 0 (count, %core.wrap.mul 0 (16I64, ",
                hash(Tree("r"), c.elem),
                "))) }"};
}

} // namespace agree
