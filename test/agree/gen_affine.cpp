// SPDX-License-Identifier: MIT
// Counted loops: those of %affine in continuation-passing style, with and without a token in the accumulator, that go on or leave early;
// and folds in direct style. Bounds and steps are small and maybe known; a step is never 0. Only a loop that has the token is left early:
// where the function is inlined, what it leaves to may capture a token, and then its body must not leave without one (E302).
#include "gen.h"

namespace agree {

using std::string;
using std::to_string;

/// (start, stop, step)
Tree Gen::range(unsigned depth, const Scope& s) {
    Tree step  = random_.chance(60) ? Tree{to_string(1 + random_.below(4))} : Tree{"%core.nat.add (1, ", count(depth, s), ")"};
    Tree start = random_.chance(60) ? Tree{"0"} : count(depth, s);
    return Tree{"(", std::move(start), ", ", count(depth, s), ", ", std::move(step), ")"};
}

Tree Gen::counted_loop(const Body& b, unsigned steps, Scope s) {
    auto turn = fresh("turn"), exit = fresh("exit"), i = fresh("i"), a = fresh("a"), next = fresh("next");
    auto t      = type(1);
    auto depth  = options_.depth / 2;
    auto acc    = b.mem ? "(mem: %mem.M, " + a + ": " + text(t) + ")" : a + ": " + text(t);
    auto pair   = [&](Tree value) { return b.mem ? Tree{"(mem, ", std::move(value), ")"} : value; };
    auto bounds = range(depth, s);
    Tree l{"%affine.For ", std::move(bounds), " ", turn, " (", pair(expr(t, depth, s)), ", ", exit, ") where\n"};
    auto inner = s;
    inner.push_back({i, nat()});
    inner.push_back({a, t});
    auto pointers = pointers_;
    auto base     = arm_base_;
    arm_base_     = pointers_.size();
    auto own      = statements(random_.below(3), b.mem, inner);
    auto early    = b.mem && random_.chance(25);
    Tree target   = early ? Tree{"(", next, ", ", exit, ")#", truth(depth, inner)} : Tree(next);
    auto filter   = random_.chance(15) ? " @tt" : "";
    Tree again{std::move(target), " ", b.mem ? pair(expr(t, depth, inner)) : Tree{"(", expr(t, depth, inner), ")"}};
    pointers_ = pointers;
    arm_base_ = base;
    auto type = b.mem ? "[%mem.M, " + text(t) + "]" : text(t);
    l.add("    con " + turn + " ((" + i + ": Nat, " + acc + "), " + next + ": Cn " + type + ")" + filter + " = ");
    l.add(block(std::move(own), std::move(again)));
    l.add(";\n    con " + exit + (b.mem ? " " + acc : " (" + acc + ")") + " = ");
    s.push_back({a, t});
    l.add(body(b, steps / 2, std::move(s)));
    l.add(";\n    end");
    return l;
}

Tree Gen::fold(const Type& t, unsigned depth, const Scope& s) {
    auto i = fresh("i"), a = fresh("a");
    auto inner = s;
    inner.push_back({i, nat()});
    inner.push_back({a, t});
    auto how = random_.chance(60) ? " @ff" : "";
    return Tree{"(%affine.fold ",
                range(depth, s),
                " (λ (",
                i,
                ": Nat, ",
                a,
                ": ",
                text(t),
                ")",
                how,
                ": ",
                text(t),
                " = ",
                expr(t, half(depth), inner),
                ") ",
                "(",
                expr(t, half(depth), s),
                "))"};
}

} // namespace agree
