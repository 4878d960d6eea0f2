// SPDX-License-Identifier: MIT
// Statements with an effect: memory, division, C functions. What is stored comes before what is loaded, and what is freed is not
// used again, unless the program may be undefined.
#include "gen.h"

#include <algorithm>

namespace agree {

using std::string;
using std::to_string;

Tree Gen::effect(bool cps, Scope& s) {
    if (random_.chance(20))
        if (auto e = wide_effect(cps, s); !e.text().empty()) return e;
    auto r = random_.below(25);
    if (pointers_.empty() && r < 15) r = 0;
    if (r < 3) return allocate(s);
    if (r < 6) return load(s);
    if (r < 9) return store(s);
    if (r < 12) return element(s);
    if (r < 13) return has("bytes") ? pun(s) : Tree{};
    if (r < 14) return has("ptr") ? cast_pointer() : Tree{};
    if (r < 15) return has("ptr") ? stored_pointer() : Tree{};
    if (r < 17) return release();
    if (r < 18) return cps || has("lengths") ? run_time_array(cps, s) : Tree{};
    if (r < 19) return cps ? memory_function(s) : Tree{};
    if (r < 20) return cps && has("fn") ? stored_function(s) : Tree{};
    if (r < 22) return has("div") ? divide(s) : Tree{};
    return cps && has("trace") ? trace(s) : Tree{};
}

/// A pointer that may be used; null if there is none.
const Gen::Pointer* Gen::pointer() {
    std::vector<size_t> live;
    for (size_t i = 0; i != pointers_.size(); ++i)
        if (!pointers_[i].freed || risky()) live.push_back(i);
    return live.empty() ? nullptr : &pointers_[random_.pick(live)];
}

Tree Gen::allocate(Scope& s) {
    auto t    = type(2);
    auto name = fresh("ptr");
    bool heap = random_.chance(40);
    if (t.has_function()) use("closures in memory");
    Tree how;
    if (!heap) how = Tree("slot " + text(t) + " (mem, " + to_string(counter_++) + ")");
    else if (t.has_function() || coin()) how = Tree("alloc " + text(t) + " mem");
    else how = Tree("malloc " + text(t) + " (mem, %core.trait.size " + text(t) + ")");
    Tree made{"let (mem, ", name, ") = %mem.", std::move(how), ";\n    "};
    bool stored = !risky();
    if (stored)
        made = Tree{std::move(made), "let mem = %mem.store (mem, ", name, ", ", expr(t, options_.depth / 2, s), ");\n    "};
    pointers_.push_back({name, t, counter_++, heap, false});
    return made;
}

/// An array whose length only the run knows: an element of it is written and read.
Tree Gen::run_time_array(bool cps, Scope& s) {
    auto t = type(1);
    auto n = fresh("n"), p = fresh("ptr"), q = fresh("ptr"), x = fresh("v");
    Tree made;
    if (cps && !has("lengths")) { // the type does not compute
        auto word = expr(i64(), 1, s);
        made      = Tree{"ret " + n + " = agree_pure $ ", std::move(word),
                    ";\n    let " + n + " = %core.bitcast Nat (%core.conv.u 8 " + n + ")"};
    } else {
        made = Tree{"let " + n + " = ", count(1, s)};
    }
    auto index = natural(1, s);
    auto value = expr(t, options_.depth / 2, s);
    s.push_back({x, t});
    made = Tree{std::move(made),
                ";\n    let " + n + " = %core.nat.add (2, " + n + ");\n    let (mem, " + p + ") = %mem.alloc «" + n + "; "
                    + text(t) + "» mem;\n    let " + q + " = %mem.lea (" + p + ", %core.idx " + n + " 0 ",
                std::move(index),
                ");\n    let mem = %mem.store (mem, " + q + ", ",
                std::move(value),
                ");\n    let (mem, " + x + ") = %mem.load (mem, " + q + ");\n    "};
    if (coin()) return Tree{std::move(made), "let mem = %mem.free (mem, " + p + ");\n    "};
    pointers_.push_back({q, t, counter_++, false, false});
    return made;
}

Tree Gen::load(Scope& s) {
    auto p = pointer();
    if (!p) return {};
    auto x = fresh("v");
    s.push_back({x, p->type});
    return Tree{"let (mem, ", x, ") = %mem.load (mem, ", p->name, ");\n    "};
}

Tree Gen::store(Scope& s) {
    auto p = pointer();
    if (!p) return {};
    auto name = p->name;
    return Tree{"let mem = %mem.store (mem, ", name, ", ", expr(Type(p->type), options_.depth / 2, s), ");\n    "};
}

Tree Gen::element(Scope& s) {
    auto found = pointer();
    if (!found || !found->type.is_aggregate()) return {};
    auto p     = *found;
    auto q     = fresh("ptr");
    auto n     = p.type.arity();
    auto i     = random_.below(n);
    auto known = p.type.kind == Type::Tuple || random_.chance(30);
    auto index = known ? Tree(index_text(i, n)) : expr(idx(n), options_.depth / 2, s);
    pointers_.push_back({q, p.type.elem(i), p.root, false, p.freed});
    return Tree{"let ", q, " = %mem.lea (", p.name, ", ", std::move(index), ");\n    "};
}

/// Frees what this arm itself allocated.
Tree Gen::release() {
    for (size_t i = arm_base_; i < pointers_.size(); ++i) {
        auto& p = pointers_[i];
        if (!p.heap || (p.freed && !risky())) continue;
        auto root = p.root;
        for (auto& q : pointers_) q.freed |= q.root == root;
        return Tree("let mem = %mem.free (mem, " + p.name + ");\n    ");
    }
    return {};
}

/// To a number and back again.
Tree Gen::cast_pointer() {
    auto found = pointer();
    if (!found) return {};
    auto p = *found;
    auto q = fresh("ptr");
    pointers_.push_back({q, p.type, p.root, false, p.freed});
    auto number = coin() ? "Nat" : "I64";
    return Tree{"let ", q, " = %core.bitcast (%mem.Ptr ", text(p.type), ") (%core.bitcast ", number, " ", p.name, ");\n    "};
}

/// To memory and back again.
Tree Gen::stored_pointer() {
    auto found = pointer();
    if (!found) return {};
    auto p = *found;
    auto a = fresh("ptr"), q = fresh("ptr");
    auto type = "(%mem.Ptr " + text(p.type) + ")";
    pointers_.push_back({q, p.type, p.root, false, p.freed});
    return Tree{"let (mem, ",
                a,
                ") = %mem.slot ",
                type,
                " (mem, ",
                to_string(counter_++),
                ");\n    let mem = %mem.store (mem, ",
                a,
                ", ",
                p.name,
                ");\n    let (mem, ",
                q,
                ") = %mem.load (mem, ",
                a,
                ");\n    "};
}

/// All that a value consists of are numbers.
static bool is_plain(const Type& t) {
    if (t.kind == Type::Pair || t.kind == Type::Fun || t.kind == Type::Rec || t.kind == Type::Tag) return false;
    return std::all_of(t.elems.begin(), t.elems.end(), is_plain);
}

/// Another type for the same bytes: some of them are read, and maybe others written.
Tree Gen::pun(Scope& s) {
    auto found = pointer();
    if (!found || !is_plain(found->type)) return {};
    auto p = *found;
    auto q = fresh("ptr"), x = fresh("v");
    auto t       = idx(random_.pick(std::array<uint64_t, 6>{256, 65536, 1ull << 32, 0, 255, 2}));
    auto n       = 2 + random_.below(3);
    bool several = coin();
    auto type    = several ? array(n, t) : t;
    Tree pun{"let ", q, " = %core.bitcast (%mem.Ptr ", text(type), ") ", p.name, ";\n    "};
    if (several) pun = Tree{std::move(pun), "let ", q, " = %mem.lea (", q, ", ", index_text(random_.below(n), n), ");\n    "};
    if (risky()) pun = Tree{std::move(pun), "let mem = %mem.store (mem, ", q, ", ", expr(t, options_.depth / 2, s), ");\n    "};
    s.push_back({x, t});
    return Tree{std::move(pun), "let (mem, ", x, ") = %mem.load (mem, ", q, ");\n    "};
}

/// A function that is chosen, stored, loaded and called.
Tree Gen::stored_function(Scope& s) {
    auto f = fresh("ptr"), x = fresh("r");
    use("closures in memory");
    auto stored = has("escape") && coin() ? stored_closure(s) : Tree{"(plus_one, times_three)#", truth(1, s)};
    auto arg    = expr(i64(), options_.depth / 2, s);
    s.push_back({x, i64()});
    return Tree{"let (mem, ",
                f,
                ") = %mem.slot (Fn I64 → I64) (mem, ",
                to_string(counter_++),
                ");\n    let mem = %mem.store (mem, ",
                f,
                ", ",
                std::move(stored),
                ");\n    let (mem, ",
                f,
                ") = %mem.load (mem, ",
                f,
                ");\n    ret ",
                x,
                " = ",
                f,
                " $ ",
                std::move(arg),
                ";\n    "};
}

Tree Gen::divide(Scope& s) {
    auto t    = idx(idx_size());
    bool safe = !risky();
    if (safe && t.size != 0 && t.size < 4) return {};
    auto x     = fresh("q");
    auto depth = options_.depth / 2;
    auto a     = expr(t, depth, s);
    if (random_.chance(20)) {
        auto operand = safe ? Tree{"%core.extrema.smax (", std::move(a), ", ", index_text(1, t.size), ")"} : std::move(a);
        s.push_back({x, t});
        return Tree{"let (mem, ", x, ") = %core.abs (mem, ", std::move(operand), ");\n    "};
    }
    bool sign = coin();
    auto b    = expr(t, depth, s);
    auto by   = safe ? Tree{"%core.extrema.", sign ? "smax" : "umax", " (", std::move(b), ", ", index_text(1, t.size), ")"}
                     : std::move(b);
    s.push_back({x, t});
    return Tree{"let (mem, ", x,    ") = %core.div.", sign ? "s" : "u", coin() ? "div" : "rem", " (mem, (",
                std::move(a), ", ", std::move(by),    "));\n    "};
}

/// C functions: one whose calls are counted, one that is pure.
Tree Gen::trace(Scope& s) {
    auto t = scalar();
    auto v = hash(expr(t, options_.depth / 2, s), t);
    if (random_.chance(70)) return Tree{"ret mem = agree_trace $ (mem, ", std::move(v), ");\n    "};
    auto x = fresh("r");
    s.push_back({x, i64()});
    return Tree{"ret ", x, " = agree_pure $ ", std::move(v), ";\n    "};
}

/// A function in direct style that takes and returns the token, and maybe a pointer.
Tree Gen::memory_function(Scope& s) {
    if (helpers_ >= 8) return {};
    auto f      = helper("m");
    auto vars   = fresh_params(1, 1);
    auto result = type(1);
    auto passed = pointer();
    Pointer p   = passed && has("ptr") ? *passed : Pointer{"", nat(), 0, false, false};
    auto saved  = std::move(pointers_);
    auto base   = arm_base_;
    arm_base_   = 0;
    pointers_.clear();
    auto inner_name = fresh("ptr");
    if (!p.name.empty()) pointers_.push_back({inner_name, p.type, 0, false, false});
    Scope inner(vars.begin(), vars.end());
    std::vector<Tree> own;
    for (uint64_t n = 1 + random_.below(3); n != 0; --n)
        if (auto e = effect(false, inner); !e.text().empty()) own.push_back(std::move(e));
    auto last = Tree{"(mem, ", expr(result, options_.depth / 2, inner), ")"};
    Tree decl{"lam ",
              f,
              "(mem: %mem.M, ",
              p.name.empty() ? "" : inner_name + ": %mem.Ptr " + text(p.type) + ", ",
              vars[0].name,
              ": ",
              text(vars[0].type),
              random_.chance(60) ? ") @ff: " : "): ",
              "[%mem.M, ",
              text(result),
              "] =\n    ",
              block(std::move(own), std::move(last)),
              ";\n"};
    decl.optional = true;
    decls_.push_back(std::move(decl));
    pointers_ = std::move(saved);
    arm_base_ = base;
    auto x    = fresh("r");
    Tree call{
        "let (mem, ", x, ") = ", f, " (mem, ", p.name.empty() ? "" : p.name + ", ", expr(vars[0].type, options_.depth / 2, s),
        ");\n    "};
    s.push_back({x, result});
    return call;
}

} // namespace agree
