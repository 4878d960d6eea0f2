// SPDX-License-Identifier: MIT
// Functions in continuation-passing style, with and without a token: branches that meet again, loops, dispatch on numbers and
// unions, functions inside of functions, recursion. And the program itself.
#include "gen.h"

namespace agree {

using std::string;
using std::to_string;

namespace {

/// Parameters of a continuation that gets the token, if there is one, and maybe a value.
string con_params(bool mem, const string& x = {}, const Type* type = nullptr) {
    string s = mem ? "mem: %mem.M" : "";
    if (type) s += (mem ? ", " : "") + x + ": " + text(*type);
    return "(" + s + ")";
}

/// Arguments of such a continuation.
Tree con_args(bool mem, Tree value) { return mem ? Tree{"(mem, ", std::move(value), ")"} : value; }
string con_token(bool mem) { return mem ? "mem" : "()"; }

Tree optional(Tree t) {
    t.optional = true;
    return t;
}

} // namespace

Tree Gen::returns(const Body& b, Tree value) { return Tree{"return ", con_args(b.mem, std::move(value))}; }

Tree Gen::block(std::vector<Tree> statements, Tree last) {
    if (statements.empty()) return last;
    Tree t("{ ");
    for (auto& s : statements) t.add(optional(std::move(s)));
    t.add(std::move(last));
    t.add(" }");
    return t;
}

std::vector<Tree> Gen::statements(uint64_t n, bool mem, Scope& s) {
    std::vector<Tree> all;
    for (; n != 0 && budget_ > 0; --n) {
        --budget_;
        Tree t;
        if (random_.chance(mem ? 15 : 50)) t = !mem && has("exit") && random_.chance(10) ? exit(false, s) : fun_call(mem, s);
        else if (mem) t = effect(true, s);
        else {
            auto x    = fresh("v");
            auto type = this->type(1);
            t         = Tree{"let ", x, " = ", expr(type, options_.depth / 2, s), ";\n    "};
            s.push_back({x, type});
        }
        if (!t.text().empty()) all.push_back(std::move(t));
    }
    return all;
}

/// The body of a function: some statements, then a way to go on.
Tree Gen::body(const Body& b, unsigned steps, Scope s) {
    if (random_.chance(12) && steps > 1 && budget_ > 10) return with_inner_fun(b, steps, std::move(s));
    auto first = statements(b.mem ? 1 + random_.below(steps + 2) : random_.below(steps + 1), b.mem, s);
    auto r     = steps < 2 || budget_ <= 0 ? 9 : random_.below(5);
    if (r == 0) return block(std::move(first), diamond(b, steps, s));
    if (r == 1 && has("affine") && coin()) return block(std::move(first), counted_loop(b, steps, s));
    if (r == 1 && has("loop")) return block(std::move(first), loop(b, steps, s));
    if (r == 2) return block(std::move(first), dispatch(b, steps, s));
    return block(std::move(first), returns(b, expr(b.result, options_.depth / 2, s)));
}

/// `con NAME (…) = { …; TARGET (mem, value) };` after some statements of its own.
Tree Gen::arm(const string& head, const Body& b, uint64_t n, const Scope& s, const string& target, const Type& t) {
    auto inner    = s;
    auto pointers = pointers_;
    auto base     = arm_base_;
    arm_base_     = pointers_.size();
    auto own      = statements(n, b.mem, inner);
    auto value    = expr(t, options_.depth / 2, inner);
    pointers_     = pointers;
    arm_base_     = base;
    return Tree{"    con ", head, " = ", block(std::move(own), Tree{target, " ", con_args(b.mem, std::move(value))}), ";\n"};
}

/// Two ways that meet again with a value.
Tree Gen::diamond(const Body& b, unsigned steps, Scope s) {
    auto no = fresh("F"), yes = fresh("T"), next = fresh("N"), x = fresh("phi");
    auto t    = type(1);
    auto cond = truth(options_.depth / 2, s);
    Tree d{"(", no, ", ", yes, ")#", std::move(cond), " ", con_token(b.mem), " where\n"};
    for (auto& name : {no, yes}) d.add(arm(name + con_params(b.mem), b, random_.below(3), s, next, t));
    s.push_back({x, t});
    d.add("    con " + next + con_params(b.mem, x, &t) + " = ");
    d.add(body(b, steps / 2, s));
    d.add(";\n    end");
    return d;
}

Tree Gen::loop(const Body& b, unsigned steps, Scope s) {
    auto head = fresh("loop"), i = fresh("k"), a = fresh("a"), go = fresh("body"), exit = fresh("exit");
    auto t     = type(1);
    auto depth = options_.depth / 2;
    auto times = count(depth, s);
    auto init  = expr(t, depth, s);
    Tree l{head,
           " (",
           b.mem ? "mem, " : "",
           std::move(times),
           ", ",
           std::move(init),
           ") where\n    con ",
           head,
           "(",
           b.mem ? "mem: %mem.M, " : "",
           i,
           ": Nat, ",
           a,
           ": ",
           text(t),
           ") = (",
           go,
           ", ",
           exit,
           ")#(%core.ncmp.e (",
           i,
           ", 0)) ",
           con_token(b.mem),
           " where\n"};
    s.push_back({i, nat()});
    s.push_back({a, t});
    auto inner    = s;
    auto pointers = pointers_;
    auto base     = arm_base_;
    arm_base_     = pointers_.size();
    auto own      = statements(random_.below(3), b.mem, inner);
    Tree again{head, " (", b.mem ? "mem, " : "", "%core.nat.sub (", i, ", 1), ", expr(t, depth, inner), ")"};
    pointers_ = pointers;
    arm_base_ = base;
    l.add("    con " + go + con_params(b.mem) + " = ");
    l.add(block(std::move(own), std::move(again)));
    l.add(";\n    con " + exit + con_params(b.mem) + " = ");
    l.add(body(b, steps / 2, s));
    l.add(";\n    end;\n    end");
    return l;
}

/// To one of several continuations, by a number or by the member of a union; they return.
Tree Gen::dispatch(const Body& b, unsigned steps, const Scope& s) {
    auto depth    = options_.depth / 2;
    auto by_union = has("union") && coin();
    auto u        = by_union ? union_of(1) : Type{Type::Nat};
    auto n        = by_union ? u.elems.size() : 2 + random_.below(3);
    std::vector<string> names;
    for (size_t i = 0; i != n; ++i) names.push_back(fresh("K"));
    Tree d;
    if (by_union) {
        d = Tree{"(match ", expr(u, depth, s), " with"};
        for (size_t i = 0; i != n; ++i) {
            auto x = fresh("x");
            d.add(" | " + x + ": " + text(u.elems[i]) + " => " + names[i] + " ");
            d.add(con_args(b.mem, Tree(x)));
        }
        d.add(") where\n");
    } else {
        d = Tree("(");
        for (size_t i = 0; i != n; ++i) d.add((i ? ", " : "") + names[i]);
        d = Tree{std::move(d), ")#", expr(idx(n), depth, s), " ", con_token(b.mem), " where\n"};
    }
    for (size_t i = 0; i != n; ++i) {
        auto x     = fresh("x");
        auto inner = s;
        if (by_union) inner.push_back({x, u.elems[i]});
        auto pointers = pointers_;
        auto base     = arm_base_;
        arm_base_     = pointers_.size();
        d.add("    con " + names[i] + con_params(b.mem, x, by_union ? &u.elems[i] : nullptr) + " = ");
        d.add(body(b, steps / 3, inner));
        d.add(";\n");
        pointers_ = pointers;
        arm_base_ = base;
    }
    d.add("    end");
    return d;
}

/// A function that sees the variables around it.
Tree Gen::with_inner_fun(const Body& b, unsigned steps, Scope s) {
    Fun f{fresh("fn"), fresh_params(1 + random_.below(2), 1), {type(1), b.mem}};
    auto inner = s;
    for (auto& p : f.params) inner.push_back(p);
    auto pointers = pointers_;
    auto base     = arm_base_;
    arm_base_     = pointers_.size();
    auto decl     = fun_decl(f, body(f.body, steps / 2, inner));
    pointers_     = pointers;
    arm_base_     = base;
    funs_.push_back(f);
    auto rest = body(b, steps / 2, std::move(s));
    for (size_t i = funs_.size(); i-- != 0;)
        if (funs_[i].name == f.name) funs_.erase(funs_.begin() + static_cast<long>(i));
    return Tree{std::move(rest), " where\n    ", optional(std::move(decl)), "    end"};
}

Tree Gen::fun_decl(const Fun& f, Tree body) {
    auto all = f.params;
    string s = f.body.mem ? "mem: %mem.M" : "";
    for (auto& p : f.params) s += (s.empty() ? "" : ", ") + p.name + ": " + text(p.type);
    auto result = f.body.mem ? "[%mem.M, " + text(f.body.result) + "]" : text(f.body.result);
    auto how    = f.name.find("_rec") == string::npos && random_.chance(15) ? ") @tt: " : "): ";
    return Tree{"fun ", f.name, "(", s, how, result, " =\n    ", std::move(body), ";\n"};
}

/// `ret x = f $ (…);` for a known function or a new one.
Tree Gen::fun_call(bool mem, Scope& s) {
    std::vector<size_t> found;
    for (size_t i = 0; i != funs_.size(); ++i)
        if (funs_[i].body.mem == mem || !funs_[i].body.mem) found.push_back(i);
    if ((found.empty() || random_.chance(30)) && helpers_ >= 8) return {};
    auto f            = found.empty() || random_.chance(30) ? new_fun(mem && coin()) : funs_[random_.pick(found)];
    auto x            = fresh("r");
    bool is_recursive = f.name.find("_rec") != string::npos;
    Tree call{"ret ", f.body.mem ? "(mem, " + x + ")" : x, " = ", f.name, " $ (", f.body.mem ? "mem" : ""};
    for (size_t i = 0; i != f.params.size(); ++i) {
        if (i || f.body.mem) call.add(", ");
        call.add(is_recursive && i == 0 ? count(1, s) : expr(f.params[i].type, options_.depth / 2, s));
    }
    call.add(");\n    ");
    s.push_back({x, f.body.result});
    return call;
}

const Gen::Fun& Gen::new_fun(bool mem) {
    bool rec = has("rec") && random_.chance(40);
    Fun f{helper(rec ? "rec" : "g"), fresh_params(1 + random_.below(2), 1), {type(1), mem}};
    if (rec) f.params.insert(f.params.begin(), Var{fresh("n"), nat()});
    auto pointers = std::move(pointers_);
    auto funs     = std::move(funs_); // no cycles
    auto base     = arm_base_;
    pointers_.clear(), funs_.clear(), arm_base_ = 0;
    Scope s(f.params.begin(), f.params.end());
    auto decl = fun_decl(f, rec ? recursive_body(f) : body(f.body, 2, s));
    decls_.push_back(optional(std::move(decl)));
    pointers_ = std::move(pointers), funs_ = std::move(funs), arm_base_ = base;
    funs_.push_back(f);
    return funs_.back();
}

/// Counts its first parameter down: by a tail call, or by one whose result is used.
Tree Gen::recursive_body(const Fun& f) {
    auto& b = f.body;
    Scope s(f.params.begin(), f.params.end());
    auto done = fresh("done"), more = fresh("more");
    auto depth = options_.depth / 2;
    Tree t{"(",
           more,
           ", ",
           done,
           ")#(%core.ncmp.e (",
           f.params[0].name,
           ", 0)) ",
           con_token(b.mem),
           " where\n    con ",
           done,
           con_params(b.mem),
           " = ",
           returns(b, expr(b.result, depth, s)),
           ";\n    con ",
           more,
           con_params(b.mem),
           " = "};
    auto own = statements(b.mem ? 1 + random_.below(3) : 0, b.mem, s);
    Tree next{b.mem ? "(mem, " : "(", "%core.nat.sub (", f.params[0].name, ", 1)"};
    for (size_t i = 1; i != f.params.size(); ++i) {
        next.add(", ");
        next.add(expr(f.params[i].type, depth, s));
    }
    next.add(")");
    Tree last;
    if (coin()) {
        last = Tree{f.name, " (", std::move(next), ", return)"};
    } else {
        auto x = fresh("r");
        own.push_back(Tree{"ret ", b.mem ? "(mem, " + x + ")" : x, " = ", f.name, " $ ", std::move(next), ";\n    "});
        s.push_back({x, b.result});
        auto after = statements(b.mem ? random_.below(3) : 0, b.mem, s);
        for (auto& a : after) own.push_back(std::move(a));
        last = returns(b, expr(b.result, depth, s));
    }
    t.add(block(std::move(own), std::move(last)));
    t.add(";\n    end");
    return t;
}

/// The external function: makes values of all types from its words, calls the function that is tested, and hashes what comes back.
Program Gen::make() {
    if (has("carried") && random_.chance(options_.carried)) return finish(carried_arrays());
    auto f = prefix_ + "_main";
    std::vector<Var> vars;
    Tree actual;
    for (uint64_t i = 0, n = 1 + random_.below(4); i != n; ++i) {
        vars.push_back({fresh("a"), coin() ? scalar() : type(1)});
        if (i) actual.add(", ");
        Tree value  = from_input("x" + to_string(random_.below(4)), vars.back().type);
        value.kind  = text(vars.back().type);
        value.least = least(vars.back().type);
        actual.add(random_.chance(10) ? leaf(vars.back().type, {}) : std::move(value));
    }
    Scope s(vars.begin(), vars.end());
    Fun fun{f, vars, {type(2), false}};
    Tree run;
    auto& result = fun.body.result;
    auto depth   = 2 + static_cast<unsigned>(random_.below(options_.depth - 1));
    if (random_.chance(40)) {
        auto how = random_.chance(60) ? string(" @ff") : filter(vars);
        auto e   = expr(result, depth, s);
        decls_.push_back(Tree{"lam ", f, params(vars), how, ": ", text(result), " =\n    ", std::move(e), ";\n"});
        run = Tree{"{ let r = ", f, " (", std::move(actual), "); return (mem, ", hash(Tree("r"), result), ") }"};
    } else {
        fun.body.mem = has("mem") && random_.chance(60);
        auto steps   = 1 + static_cast<unsigned>(random_.below(5));
        decls_.push_back(fun_decl(fun, body(fun.body, steps, s)));
        run = Tree{
            "{ ret ",           fun.body.mem ? "(mem, r)" : "r", " = ", f, " $ (", fun.body.mem ? "mem, " : "", std::move(actual),
            "); return (mem, ", hash(Tree("r"), result),         ") }"};
    }
    return finish(std::move(run));
}

/// The program whose external function is this.
Program Gen::finish(Tree run) {
    Program p;
    p.name = prefix_;
    p.uses = uses_;
    for (auto& d : decls_) p.tree.add(std::move(d));
    p.tree.add("fun extern " + p.name + "(mem: %mem.M, x0 x1 x2 x3: I64): [%mem.M, I64] =\n    ");
    p.tree.add(std::move(run));
    p.tree.add(";\n");
    for (int i = 0; i != 5; ++i) {
        Input in;
        for (auto& x : in) {
            static const uint64_t edges[] = {
                0, 1, 2, 3, 255, 256, 1ull << 31, 1ull << 32, 1ull << 63, (1ull << 63) - 1, ~0ull, ~0ull - 1};
            x = random_.chance(25) ? random_.pick(edges) : random_.next() >> random_.below(64);
        }
        p.inputs.push_back(in);
    }
    return p;
}

Program generate(Random random, const string& name, const GenOptions& options) { return Gen(random, name, options).make(); }
Program generate(uint64_t seed, const string& name, const GenOptions& options) {
    return generate(Random(seed * 0x2545f4914f6cdd1dull + 12345), name, options);
}

const char* const prelude = R"(plugin core;
plugin mem;
plugin affine;
plugin vec;
cfun agree_trace [mem: %mem.M, v: I64]: %mem.M;
cfun agree_pure [v: I64]: I64;
lam nmod(n: Nat): Nat = %core.bitcast Nat (%core.idx 1000 0 n);
fun plus_one(x: I64): I64 = return (%core.wrap.add 0 (x, 1I64));
fun times_three(x: I64): I64 = return (%core.wrap.mul 0 (x, 3I64));
lam mix(h v: I64): I64 = %core.wrap.add 0 (%core.wrap.mul 0 (h, 31I64), v);
let Sized = [n: Nat, Idx n];
lam size_and_index(k: Nat, x: I64) @ff: Sized = (%core.nat.add (1, k), %core.conv.u (%core.nat.add (1, k)) x);
lam size_by_steps(k: Nat) @ff: Nat = (%core.nat.add (1, size_by_steps (%core.nat.sub (k, 50))), %core.nat.add (1, k))#(%core.ncmp.l (k, 50));
lam size_by_call(k: Nat) @ff: Nat = size_by_steps (nmod k);
lam hash_pair(p: Sized): I64 = mix (%core.bitcast I64 (p#0_2), %core.conv.u i64 (p#1_2));
lam hide {T: *} (x: T) @ff: [S: *, S] = (T, x);
lam first {T: *} (x y: T) @ff: T = x;
lam second {T: *} (x y: T) @ff: T = y;
lam keep {T: *} (x: T) @ff: [] → T = λ () @ff: T = x;
lam poly_first {T U: *} (x: T, y: U): T = x;
lam poly_twice {T: *} (f: T → T) (x: T): T = f (f x);
lam poly_at {n: Nat} {T: *} (a: «n; T», i: Idx n): T = a#i;
lam compose {A B C: *} (f: A → B, g: B → C) (x: A): C = g (f x);
lam map {n: Nat} {T U: *} (f: T → U) (x: «n; T»): «n; U» = ‹i: n; f (x#i)›;
lam fold {n: Nat} {T A: *} (f: [A, T] → A) (a: A, x: «n; T»): A = go (a, n) where
    lam go(a: A, i: Nat) @(%core.pe.known i): A =
        (go (f (a, x#(%core.bitcast (Idx n) (%core.nat.sub (i, 1)))), %core.nat.sub (i, 1)), a)#(%core.ncmp.e (i, 0));
    end;

)";

} // namespace agree
