// SPDX-License-Identifier: MIT
// Loops that carry several arrays whose length nobody knows, of one or two dimensions: updated, made anew, chosen,
// exchanged, passed on, loaded and stored, where some of the memory overlaps. For such programs the compiler decides
// which updates happen in place, which arrays it copies, and where arrays lie in memory.
#include "gen.h"

namespace agree {

using std::string;
using std::to_string;

string index_at(const string& n, const string& index, unsigned offset) {
    auto sum = offset == 0 ? index : "%core.nat.add (" + index + ", " + to_string(offset) + ")";
    return "(%core.idx " + n + " 0 (" + sum + "))";
}

namespace {

/// The place that lies as far from the end as `index` from the beginning.
string mirrored(const string& n, const string& index) {
    return index_at(n, "%core.nat.sub (%core.nat.sub (" + n + ", 1), " + index + ")");
}

string joined(const std::vector<string>& parts) {
    string result;
    for (auto& part : parts) result += (result.empty() ? "" : ", ") + part;
    return result;
}

} // namespace

string Gen::Carried::type() const { return "«" + (rank == 2 ? "n, " + width : "n") + "; " + text(elem) + "»"; }

/// An index into an array that has `rank` dimensions.
string Gen::carried_index(const Carried& c, unsigned rank) {
    auto n = c.extent(rank);
    if (c.indices.empty() || random_.chance(40)) return index_at(n, to_string(random_.below(3)));
    auto& index = random_.pick(c.indices);
    if (random_.chance(30)) return mirrored(n, index);
    return index_at(n, index, unsigned(random_.below(2)));
}

/// A part of an array that has `rank` dimensions: an array, a row, or an element.
string Gen::carried_part(const Carried& c, unsigned rank) {
    auto part = random_.pick(c.arrays);
    for (auto left = c.rank; left != rank; --left) part = "(" + part + "#" + carried_index(c, left) + ")";
    return part;
}

/// Whether elements are numbers that can be added.
static bool has_numbers(const Type& elem) {
    return elem.kind == Type::Idx && (elem.size == 0 || (elem.size > 16 && is_power_of_two(elem)));
}

/// Mostly what depends on the arrays, so that little is known before the program runs.
Tree Gen::carried_element(const Carried& c, unsigned depth) {
    if (c.arrays.empty() || random_.chance(5)) return expr(c.elem, depth, c.scalars);
    if (depth == 0 || random_.chance(40) || !has_numbers(c.elem)) return Tree(carried_part(c, 0));
    if (random_.chance(15)) {
        auto scope = c.scalars;
        for (auto n = 1 + random_.below(3); n != 0; --n) scope.push_back({carried_part(c, 0), c.elem});
        return expr(c.elem, depth, scope);
    }
    auto how = random_.pick(std::array{"add", "sub", "mul"});
    auto a = carried_element(c, depth - 1), b = carried_element(c, depth - 1);
    return Tree{"(%core.wrap.", how, " 0 (", std::move(a), ", ", std::move(b), "))"};
}

Tree Gen::carried_truth(const Carried& c) {
    if (!has_numbers(c.elem) || coin()) return Tree("(%core.idx 2 0 (i))");
    auto how = random_.pick(std::array{"e", "ne", "ul"});
    auto a = carried_part(c, 0), b = carried_part(c, 0);
    return Tree("(%core.icmp." + string(how) + " (" + a + ", " + b + "))");
}

/// An array, a row or an element, made of what is there.
Tree Gen::carried_value(const Carried& c, unsigned rank, unsigned depth) {
    if (rank == 0) return carried_element(c, depth);
    if (depth == 0 || random_.chance(20)) return Tree(carried_part(c, rank));
    auto less = depth - 1;
    if (random_.chance(15)) {
        auto one = carried_value(c, rank, less), other = carried_value(c, rank, less);
        return Tree{"((", std::move(one), ", ", std::move(other), ")#", carried_truth(c), ")"};
    }
    if (random_.chance(50)) {
        auto whole = carried_value(c, rank, less);
        return Tree{"(ins (", std::move(whole), ", ", carried_index(c, rank), ", ", carried_value(c, rank - 1, less), "))"};
    }
    if (random_.chance(10)) return Tree{"‹", c.extent(rank), "; ", carried_value(c, rank - 1, less), "›"};
    auto inner = c;
    auto k     = fresh("k");
    inner.indices.push_back("(%core.bitcast Nat " + k + ")");
    return Tree{"‹", k, ": ", c.extent(rank), "; ", carried_value(inner, rank - 1, less), "›"};
}

Tree Gen::carried_statement(Carried& c) {
    auto v   = fresh("v");
    auto way = random_.below(c.pointers.empty() ? 5 : 9);
    Tree made;
    if (way == 0) made = Tree{"ret ", v, " = ", c.keep, " $ (n, ", carried_part(c, c.rank), ");\n    "};
    else if (way < 5) made = Tree{"let ", v, " = ", carried_value(c, c.rank, 2), ";\n    "};
    else if (way < 7) made = Tree{"let (mem, ", v, ") = %mem.load (mem, ", random_.pick(c.pointers), ");\n    "};
    if (way >= 7) {
        auto value = coin() ? Tree(carried_part(c, c.rank)) : carried_value(c, c.rank, 2);
        return Tree{"let mem = %mem.store (mem, ", random_.pick(c.pointers), ", ", std::move(value), ");\n    "};
    }
    c.arrays.push_back(v);
    return made;
}

/// Some statements, and then a jump to `target` with the next counter, a scalar and arrays.
Tree Gen::carried_block(Carried c, const string& target, size_t num_arrays) {
    std::vector<Tree> own;
    for (auto n = random_.below(4); n != 0; --n) own.push_back(carried_statement(c));
    Tree jump{target, " (", c.pointers.empty() ? "" : "mem, ", target == c.loop ? "%core.nat.add (i, 1)" : "i", ", "};
    jump.add(carried_element(c, 2));
    for (size_t i = 0; i != num_arrays; ++i) {
        jump.add(", ");
        jump.add(random_.chance(65) ? Tree(carried_part(c, c.rank)) : carried_value(c, c.rank, 2));
    }
    jump.add(")");
    return block(std::move(own), std::move(jump));
}

/// Leaves the loop with a sum of elements of the arrays that some statements made, and of those in memory.
Tree Gen::carried_end(Carried c) {
    std::vector<Tree> own;
    for (auto n = random_.below(3); n != 0; --n) own.push_back(carried_statement(c));
    for (auto& pointer : c.pointers) {
        auto v = fresh("v");
        own.push_back(Tree("let (mem, " + v + ") = %mem.load (mem, " + pointer + ");\n    "));
        c.arrays.push_back(v);
    }
    Tree sum = carried_element(c, 2);
    for (auto n = has_numbers(c.elem) ? 5 : 0; n != 0; --n)
        sum = Tree{
            "(%core.wrap.add 0 (", std::move(sum), ", %core.wrap.mul 0 (", index_text(uint64_t(2 * n + 1), c.elem.size), ", ",
            carried_part(c, 0),    ")))"};
    auto last = Tree{"return (", c.pointers.empty() ? "" : "mem, ", std::move(sum), ")"};
    return block(std::move(own), std::move(last));
}

/// An element of an array before the loop; `places` are its indices, as Nat.
Tree Gen::carried_first(const Carried& c, const std::vector<string>& places) {
    auto scope = c.scalars;
    for (auto& index : places) scope.push_back({index, nat()});
    if (!has_numbers(c.elem) || places.empty()) return expr(c.elem, 2, scope);
    Tree sum(c.scalars[0].name);
    for (auto& index : places)
        sum = Tree{"(%core.wrap.add 0 (",
                   std::move(sum),
                   ", %core.wrap.mul 0 (",
                   index_text(1 + random_.below(9), c.elem.size),
                   ", %core.idx ",
                   size_text(c.elem.size),
                   " 0 (",
                   index,
                   "))))"};
    return sum;
}

/// An array that mentions no other.
Tree Gen::carried_pack(const Carried& c) {
    auto k = fresh("k"), l = fresh("k");
    auto i = "(%core.bitcast Nat " + k + ")", j = "(%core.bitcast Nat " + l + ")";
    if (c.rank == 1) return Tree{"‹", k, ": n; ", carried_first(c, {i}), "›"};
    return Tree{"‹", k, ": n; ‹", l, ": ", c.width, "; ", carried_first(c, {i, j}), "››"};
}

/// Memory for such arrays: `p` and `o` overlap where elements have a size of their own, `q` is apart.
Tree Gen::carried_memory(const Carried& c) {
    auto elem  = text(c.elem);
    auto array = c.type();
    auto room  = c.rank == 2 ? "%core.nat.mul (n, " + c.width + ")" : "n";
    Tree made{"let m = %core.nat.add (2, ", room, ");\n    let (mem, b) = %mem.alloc «m; ", elem,
              "» mem;\n    let mem = %mem.store (mem, b, ‹k: m; "};
    made.add(carried_first(c, {"(%core.bitcast Nat k)"}));
    made.add("›);\n    ");
    for (auto pointer : {"p", "o"})
        made.add(string("let ") + pointer + " = %core.bitcast (%mem.Ptr " + array + ") (%mem.lea (b, %core.idx m 0 "
                 + to_string(random_.below(3)) + "));\n    ");
    made.add("let (mem, q) = %mem.alloc " + array + " mem;\n    let mem = %mem.store (mem, q, ");
    made.add(carried_pack(c));
    made.add(");\n    ");
    return made;
}

/// The arrays that the loop begins with: some of them are one and the same.
Tree Gen::carried_start(const Carried& c, size_t num_arrays) {
    std::vector<string> made;
    Tree all;
    for (size_t i = 0; i != num_arrays; ++i) {
        auto name  = fresh("v");
        bool loads = !c.pointers.empty() && random_.chance(30);
        if (loads) all.add("let (mem, " + name + ") = %mem.load (mem, " + random_.pick(c.pointers) + ");\n    ");
        else all.add(Tree{"let ", name, " = ", carried_pack(c), ";\n    "});
        made.push_back(name);
    }
    std::vector<string> args;
    for (auto& one : made) args.push_back(random_.chance(75) ? one : random_.pick(made));
    all.add(c.loop + " (" + (c.pointers.empty() ? "" : "mem, ") + "0, " + c.scalars[0].name + ", " + joined(args) + ")");
    return all;
}

/// A function that gives back its array after some updates of it.
Tree Gen::carried_keep(const Carried& c) {
    auto array = c.type();
    auto turn  = "turn (%core.nat.add (i, 1), ins (a, " + index_at("n", "i") + ", a#" + mirrored("n", "i") + "))";
    return Tree("fun " + c.keep + " (n: Nat, a: " + array + (coin() ? ") @ff: " : "): ") + array
                + " = {\n    con turn (i: Nat, a: " + array
                + ") @ff = (done, more)#(%core.ncmp.l (i, 1)) () where\n    con done () = return a;\n    con more () = " + turn
                + ";\n    end;\n    turn (0, a) };\n");
}

/// A function with such a loop.
Tree Gen::carried_function(const string& f, const Carried& c) {
    bool mem    = !c.pointers.empty();
    auto x      = c.scalars[0].name;
    auto array  = c.type();
    auto token  = mem ? string("mem: %mem.M, ") : "";
    auto params = [&](const std::vector<string>& names) {
        auto list = token + "i: Nat, " + x + ": " + text(c.elem);
        for (auto& name : names) list += ", " + name + ": " + array;
        return "(" + list + ") @ff = ";
    };
    std::vector<string> carried, joins;
    for (auto n = 1 + random_.below(3); n != 0; --n) carried.push_back(fresh("a"));
    for (auto n = 1 + random_.below(3); n != 0; --n) joins.push_back(fresh("b"));
    auto inside = c;
    inside.scalars.push_back({"i", nat()});
    inside.indices = {"i"};
    inside.arrays  = carried;
    auto behind    = inside;
    behind.arrays  = joins;
    if (coin()) behind.arrays.insert(behind.arrays.end(), carried.begin(), carried.end());
    auto outside = inside;
    outside.indices.clear();
    auto join  = fresh("join");
    auto unit  = mem ? "(mem)" : "()";
    auto taken = mem ? " (mem: %mem.M) = " : " () = ";
    auto again = [&](const Carried& from) { return carried_block(from, c.loop, carried.size()); };
    auto on    = [&] { return carried_block(inside, join, joins.size()); };

    Tree decl{"fun ", f, " (", token, "n: Nat, ", x, ": ", text(c.elem), ") @ff: "};
    decl.add(mem ? "[%mem.M, " + text(c.elem) + "] = {\n    " : text(c.elem) + " = {\n    ");
    if (mem) decl.add(carried_memory(c));
    auto turns = coin() ? string("n") : to_string(1 + random_.below(3));
    decl.add("con " + c.loop + " " + params(carried) + "(done, more)#(%core.ncmp.l (i, " + turns + ")) " + unit
             + " where\n    con done" + taken);
    decl.add(carried_end(outside));
    decl.add(string(";\n    con more") + taken);
    if (random_.chance(60)) {
        decl.add(
            Tree{"(one, other)#", carried_truth(inside), " ", unit, ";\n    con one", taken, on(), ";\n    con other", taken});
        decl.add(coin() ? on() : again(inside));
        decl.add(";\n    con " + join + " " + params(joins));
        decl.add(again(behind));
    } else {
        decl.add(again(inside));
    }
    decl.add(";\n    end;\n    ");
    decl.add(carried_start(c, carried.size()));
    decl.add(" };\n");
    return decl;
}

/// Calls a function with such a loop, and hashes what comes back.
Tree Gen::carried_arrays() {
    if (has("mem") && has("between") && coin()) return effects_between_loops();
    use("arrays in loops");
    Carried c;
    auto number = idx(random_.pick(std::array<uint64_t, 3>{256, 1ull << 32, 0}));
    c.elem      = random_.chance(80) ? number : type(1);
    if (c.elem.has_function() || c.elem.has_var()) c.elem = i64();
    auto f    = helper("carried");
    c.keep    = helper("keep");
    c.loop    = fresh("loop");
    c.rank    = random_.chance(40) ? 2 : 1;
    c.width   = coin() ? "n" : to_string(2 + random_.below(12));
    c.scalars = {{fresh("x"), c.elem}, {"n", nat()}};
    bool mem  = has("mem") && random_.chance(75);
    if (mem) c.pointers = {"p", "q", "o"};
    decls_.push_back(carried_keep(c));
    decls_.push_back(carried_function(f, c));
    auto token = mem ? string("mem, ") : "";
    return Tree{mem ? "{ ret (mem, r) = " : "{ ret r = ",
                f,
                " $ (",
                token,
                length_from_input,
                ", ",
                from_input("x1", c.elem),
                "); return (mem, ",
                hash(Tree("r"), c.elem),
                ") }"};
}

} // namespace agree
