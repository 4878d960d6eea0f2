// SPDX-License-Identifier: MIT
// Random Mim programs, well typed and defined by construction: for each type there are ways to make an expression of it, from
// variables in scope and smaller expressions. A program is many small tests; `main` prints one line for each. A test depends
// only on the seed, its number and the size, so that a driver shrinks it by asking for smaller sizes.
//
//     agree-gen --seed N [--tests K] [--only I] [--size S] [--known] [--without FEATURE]…
//
// Inputs are unknown to the compiler (made from argc) unless --known. Features: union mem poly rec loop fn array big div.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace {

using std::string;
using std::to_string;

struct Random {
    uint64_t state;
    uint64_t next() { // splitmix64
        uint64_t z = (state += 0x9e3779b97f4a7c15ull);
        z          = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z          = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }
    uint64_t below(uint64_t n) { return next() % n; }
    bool chance(unsigned percent) { return below(100) < percent; }
    template<class T>
    const T& pick(const std::vector<T>& v) {
        return v[below(v.size())];
    }
};

/// Nat values of programs stay below 1000, so that nothing overflows. Idx 2^64 has size 0 here.
struct Type {
    enum Kind { Nat, Idx, Tuple, Array, Union } kind;
    uint64_t size           = 0; ///< Idx, Array
    std::vector<Type> elems = {};
    bool operator==(const Type& o) const { return kind == o.kind && size == o.size && elems == o.elems; }
};

Type nat() { return {Type::Nat}; }
Type idx(uint64_t n) { return {Type::Idx, n}; }
Type boolean() { return idx(2); }

string size_text(uint64_t n) { return n == 0 ? "i64" : to_string(n); }

string text(const Type& t) {
    switch (t.kind) {
        case Type::Nat: return "Nat";
        case Type::Idx: return t.size == 2 ? "Bool" : "(Idx " + size_text(t.size) + ")";
        case Type::Array: return "«" + to_string(t.size) + "; " + text(t.elems[0]) + "»";
        case Type::Union: return "(" + text(t.elems[0]) + " ∪ " + text(t.elems[1]) + ")";
        case Type::Tuple: break;
    }
    string s = "[";
    for (auto& e : t.elems) s += (s.size() > 1 ? ", " : "") + text(e);
    return s + "]";
}

struct Var {
    string name;
    Type type;
};
using Scope = std::vector<Var>;

class Gen {
public:
    Gen(uint64_t seed, unsigned test, unsigned size, const std::set<string>& without)
        : rnd_{seed * 1000003 + test * 7919 + 12345}
        , prefix_("t" + to_string(test))
        , size_(size)
        , without_(without) {
        for (int i = 0; i != 4; ++i) rnd_.next();
    }

    /// Declarations of one test, and how `main` runs it in the block where `m` is the token: a line `ret …;`.
    struct Test {
        string decls, run;
    };
    Test make();
    bool known = false;

private:
    bool has(const char* feature) const { return !without_.count(feature); }
    string fresh(const char* stem) { return "_" + (stem + to_string(counter_++)); }
    uint64_t idx_size() {
        static const std::vector<uint64_t> small = {2, 2, 3, 5, 7, 8, 10, 16, 23, 100, 255, 256, 256, 257, 1000};
        static const std::vector<uint64_t> big   = {65536,
                                                    65537,
                                                    1000003,
                                                    1ull << 31,
                                                    1ull << 32,
                                                    1ull << 32,
                                                    (1ull << 32) + 1,
                                                    1000000007ull * 1000003,
                                                    1ull << 63,
                                                    (1ull << 63) + 5,
                                                    ~uint64_t(0),
                                                    0,
                                                    0};
        return has("big") && rnd_.chance(50) ? rnd_.pick(big) : rnd_.pick(small);
    }
    Type scalar() { return rnd_.chance(20) ? nat() : idx(idx_size()); }
    Type type(unsigned depth) {
        auto r = rnd_.below(10);
        if (depth == 0 || r < 6) return scalar();
        if (r < 8 || !has("array")) {
            Type t{Type::Tuple};
            for (uint64_t i = 0, n = 2 + rnd_.below(2); i != n; ++i) t.elems.push_back(type(depth - 1));
            return t;
        }
        if (r < 9 || !has("union")) return {Type::Array, 2 + rnd_.below(4), {type(depth - 1)}};
        Type a = scalar(), b = type(depth - 1);
        if (a == b || b.kind == Type::Union) b = a.kind == Type::Nat ? boolean() : nat();
        return {Type::Union, 0, {a, b}};
    }

    string literal(const Type&);
    string leaf(const Type&, const Scope&);
    string expr(const Type&, unsigned depth, const Scope&);
    string number(const Type&, unsigned depth, const Scope&);
    string truth(unsigned depth, const Scope&);
    string natural(unsigned depth, const Scope&);
    string aggregate(const Type&, unsigned depth, const Scope&);
    string compound(const Type&, unsigned depth, const Scope&);
    string call(const Type&, unsigned depth, const Scope&);
    string recursion(const Type&, unsigned depth, const Scope&);
    string match(const Type&, unsigned depth, const Scope&);
    string hash(const string& value, const Type&);
    string count(unsigned depth, const Scope& s) { return "(%core.bitcast Nat (%core.idx 8 0 " + natural(depth, s) + "))"; }
    string args(const std::vector<Type>&, unsigned depth, const Scope&);
    string body_cps(unsigned depth, Scope);
    string body_mem(unsigned steps, string mem, Scope);
    string statement(string& mem, Scope&);

    struct Pointer {
        string name;
        Type type;
    };
    Random rnd_;
    string prefix_;
    unsigned size_;
    const std::set<string>& without_;
    unsigned counter_ = 0, helpers_ = 0;
    string decls_;
    std::vector<Pointer> pointers_;
};

string Gen::literal(const Type& t) {
    if (t.kind == Type::Nat) return to_string(rnd_.below(rnd_.chance(50) ? 4 : 1000));
    uint64_t v = 0, n = t.size;
    switch (rnd_.below(5)) {
        case 0: v = 0; break;
        case 1: v = 1; break;
        case 2: v = n - 1; break;
        case 3: v = n / 2 - rnd_.below(2); break;
        default: v = rnd_.next();
    }
    if (n == 2) return v & 1 ? "tt" : "ff";
    if (n != 0) v %= n;
    return "(" + to_string(v) + ":(Idx " + size_text(n) + "))";
}

/// A variable of this type (or an element of one), if there is one and luck has it; else a literal.
string Gen::leaf(const Type& t, const Scope& scope) {
    std::vector<string> found;
    for (auto& v : scope) {
        if (v.type == t) found.push_back(v.name);
        if (v.type.kind != Type::Tuple) continue;
        for (size_t i = 0; i != v.type.elems.size(); ++i)
            if (v.type.elems[i] == t)
                found.push_back("(" + v.name + "#(" + to_string(i) + ":(Idx " + to_string(v.type.elems.size()) + ")))");
    }
    if (!found.empty() && rnd_.chance(80)) return rnd_.pick(found);
    switch (t.kind) {
        case Type::Nat:
        case Type::Idx: return literal(t);
        case Type::Union: {
            auto& m = t.elems[rnd_.below(2)];
            return "(" + leaf(m, scope) + " inj " + text(t) + ")";
        }
        case Type::Array: return "‹" + to_string(t.size) + "; " + leaf(t.elems[0], scope) + "›";
        case Type::Tuple: break;
    }
    string s = "(";
    for (auto& e : t.elems) s += (s.size() > 1 ? ", " : "") + leaf(e, scope);
    return s + ")";
}

string Gen::expr(const Type& t, unsigned depth, const Scope& scope) {
    if (depth == 0) return leaf(t, scope);
    if (rnd_.chance(25)) return compound(t, depth - 1, scope);
    switch (t.kind) {
        case Type::Nat: return natural(depth - 1, scope);
        case Type::Idx: return t.size == 2 && rnd_.chance(70) ? truth(depth - 1, scope) : number(t, depth - 1, scope);
        case Type::Union: {
            auto& m = t.elems[rnd_.below(2)];
            return "(" + expr(m, depth - 1, scope) + " inj " + text(t) + ")";
        }
        default: return aggregate(t, depth - 1, scope);
    }
}

string Gen::args(const std::vector<Type>& types, unsigned depth, const Scope& scope) {
    string s = "(";
    for (auto& t : types) s += (s.size() > 1 ? ", " : "") + expr(t, depth, scope);
    return s + ")";
}

string Gen::number(const Type& t, unsigned depth, const Scope& s) {
    auto e    = [&] { return expr(t, depth, s); };
    auto pair = [&] {
        auto a = e();
        return "(" + a + ", " + (rnd_.chance(10) ? a : e()) + ")";
    };
    static const std::vector<string> wrap = {"add", "sub", "mul", "shl"},
                                     bit2 = {"f",    "nor",  "nciff", "nfst", "niff", "nsnd", "xor_", "nand",
                                             "and_", "nxor", "snd",   "iff",  "fst",  "ciff", "or_",  "t"},
                                     ext  = {"umin", "umax", "smin", "smax"};
    switch (rnd_.below(9)) {
        case 0:
        case 1:
        case 2: return "(%core.wrap." + rnd_.pick(wrap) + " 0 " + pair() + ")";
        case 3: return "(%core.bit2." + rnd_.pick(bit2) + " 0 " + pair() + ")";
        case 4: return string("(%core.bit1.") + rnd_.pick(std::vector<string>{"f", "neg", "id", "t"}) + " 0 " + e() + ")";
        case 5: return string("(%core.shr.") + (rnd_.chance(50) ? "a " : "l ") + pair() + ")";
        case 6: return "(%core.extrema." + rnd_.pick(ext) + " " + pair() + ")";
        case 7: {
            auto from = idx(idx_size());
            return string("(%core.conv.") + (rnd_.chance(50) ? "s " : "u ") + size_text(t.size) + " " + expr(from, depth, s)
                   + ")";
        }
        default:
            if (rnd_.chance(40)) return "(%core.idx " + size_text(t.size) + " 0 " + natural(depth, s) + ")";
            return "(%core.minus 0 " + e() + ")";
    }
}

string Gen::truth(unsigned depth, const Scope& s) {
    static const std::vector<string> icmp = {"xygle", "xyglE", "xygLe", "xygLE", "xyGle", "xyGlE", "xyGLe", "xyGLE",
                                             "xYgle", "xYglE", "xYgLe", "xYgLE", "xYGle", "xYGlE", "xYGLe", "xYGLE",
                                             "Xygle", "XyglE", "XygLe", "XygLE", "XyGle", "XyGlE", "XyGLe", "XyGLE",
                                             "XYgle", "XYglE", "XYgLe", "XYgLE", "XYGle", "XYGlE", "XYGLe", "XYGLE",
                                             "e",     "ne",    "ul",    "ule",   "sl",    "sle"},
                                     ncmp = {"gle", "glE", "gLe", "gLE", "Gle", "GlE", "GLe", "GLE"};
    if (rnd_.chance(30)) return "(%core.ncmp." + rnd_.pick(ncmp) + " (" + natural(depth, s) + ", " + natural(depth, s) + "))";
    auto t = idx(idx_size());
    return "(%core.icmp." + rnd_.pick(icmp) + " (" + expr(t, depth, s) + ", " + expr(t, depth, s) + "))";
}

string Gen::natural(unsigned depth, const Scope& s) {
    if (depth == 0) return leaf(nat(), s);
    auto e = [&] { return expr(nat(), depth - 1, s); };
    switch (rnd_.below(6)) {
        case 0: return "(nmod (%core.nat.add (" + e() + ", " + e() + ")))";
        case 1: return "(nmod (%core.nat.mul (" + e() + ", " + e() + ")))";
        case 2: return "(%core.nat.sub (" + e() + ", " + e() + "))";
        case 3: return "(nmod (%core.nat.add (%core.nat.mul (" + e() + ", " + e() + "), " + e() + ")))";
        case 4: {
            auto n = 2 + rnd_.below(998);
            return "(%core.bitcast Nat " + expr(idx(n), depth - 1, s) + ")";
        }
        default: return leaf(nat(), s);
    }
}

string Gen::aggregate(const Type& t, unsigned depth, const Scope& s) {
    if (t.kind == Type::Tuple) {
        if (rnd_.chance(20)) {
            auto i = rnd_.below(t.elems.size());
            return "ins(" + expr(t, depth, s) + ", (" + to_string(i) + ":(Idx " + to_string(t.elems.size()) + ")), "
                   + expr(t.elems[i], depth, s) + ")";
        }
        return args(t.elems, depth, s);
    }
    auto n = to_string(t.size);
    switch (rnd_.below(4)) {
        case 0: return "ins(" + expr(t, depth, s) + ", " + expr(idx(t.size), depth, s) + ", " + expr(t.elems[0], depth, s) + ")";
        case 1: {
            auto i     = fresh("k");
            auto inner = s;
            inner.push_back({i, idx(t.size)});
            return "‹" + i + ": " + n + "; " + expr(t.elems[0], depth, inner) + "›";
        }
        case 2: return "‹" + n + "; " + expr(t.elems[0], depth, s) + "›";
        default: return args(std::vector<Type>(t.size, t.elems[0]), depth, s);
    }
}

/// The forms that make an expression of any type.
string Gen::compound(const Type& t, unsigned depth, const Scope& s) {
    switch (rnd_.below(11)) {
        case 0:
        case 1: return "((" + expr(t, depth, s) + ", " + expr(t, depth, s) + ")#" + truth(depth, s) + ")";
        case 2: {
            auto u     = type(1);
            bool first = rnd_.chance(50);
            return "((" + (first ? expr(t, depth, s) + ", " + expr(u, depth, s) : expr(u, depth, s) + ", " + expr(t, depth, s))
                   + ")#(" + (first ? "0" : "1") + ":(Idx 2)))";
        }
        case 3: {
            if (!has("array")) return leaf(t, s);
            auto n = 2 + rnd_.below(4);
            return "(" + expr({Type::Array, n, {t}}, depth, s) + "#" + expr(idx(n), depth, s) + ")";
        }
        case 4: {
            auto x     = fresh("x");
            auto u     = type(1);
            auto inner = s;
            inner.push_back({x, u});
            return "{ let " + x + " = " + expr(u, depth, s) + "; " + expr(t, depth, inner) + " }";
        }
        case 5: {
            auto x     = fresh("x");
            auto u     = type(1);
            auto inner = s;
            inner.push_back({x, u});
            return "((λ (" + x + ": " + text(u) + "): " + text(t) + " = " + expr(t, depth, inner) + ") " + expr(u, depth, s)
                   + ")";
        }
        case 6: return match(t, depth, s);
        case 7:
            if (!has("poly")) return leaf(t, s);
            switch (rnd_.below(4)) {
                case 0: return "(%core.select (" + truth(depth, s) + ", " + expr(t, depth, s) + ", " + expr(t, depth, s) + "))";
                case 1: return "(poly_first (" + expr(t, depth, s) + ", " + expr(type(1), depth, s) + "))";
                case 2: {
                    auto x     = fresh("x");
                    auto inner = s;
                    inner.push_back({x, t});
                    return "(poly_twice (λ (" + x + ": " + text(t) + "): " + text(t) + " = " + expr(t, depth / 2, inner) + ") "
                           + expr(t, depth, s) + ")";
                }
                default: {
                    auto n       = 1 + rnd_.below(4);
                    string elems = n == 1 ? expr(t, depth, s) : args(std::vector<Type>(n, t), depth, s);
                    auto i       = n == 1 ? string("(0:(Idx 1))") : expr(idx(n), depth, s);
                    return "(poly_at @" + to_string(n) + " (" + elems + ", " + i + "))";
                }
            }
        case 8: return recursion(t, depth, s);
        default: return call(t, depth, s);
    }
}

string Gen::match(const Type& t, unsigned depth, const Scope& s) {
    if (!has("union")) return leaf(t, s);
    Type a = scalar(), b = type(1);
    if (a == b || b.kind == Type::Union) b = a.kind == Type::Nat ? boolean() : nat();
    Type u{Type::Union, 0, {a, b}};
    auto arm = [&](const Type& m) {
        auto x     = fresh("x");
        auto inner = s;
        inner.push_back({x, m});
        return " | " + x + ": " + text(m) + " => " + expr(t, depth, inner);
    };
    string value = rnd_.chance(50) ? expr(u, depth, s)
                                   : "((" + expr(a, depth, s) + " inj " + text(u) + ", " + expr(b, depth, s) + " inj " + text(u)
                                         + ")#" + truth(depth, s) + ")";
    return "(match " + value + " with" + arm(a) + arm(b) + ")";
}

/// A call of a new closed top-level function.
string Gen::call(const Type& t, unsigned depth, const Scope& s) {
    if (helpers_ >= 2 + size_) return leaf(t, s);
    auto f = prefix_ + "_f" + to_string(helpers_++);
    std::vector<Type> types;
    Scope inner;
    string params;
    for (uint64_t i = 0, n = 1 + rnd_.below(3); i != n; ++i) {
        auto p = fresh("p");
        types.push_back(type(1));
        inner.push_back({p, types.back()});
        params += (i ? ", " : "") + p + ": " + text(types.back());
    }
    static const std::vector<string> filters = {" @ff", " @ff", " @ff", "", " @(%core.pe.known "};
    auto filter                              = rnd_.pick(filters);
    if (filter.size() > 5) filter += inner[0].name + ")";
    auto decl = "lam " + f + "(" + params + ")" + filter + ": " + text(t) + " =\n    " + expr(t, depth, inner) + ";\n";
    if (has("fn") && rnd_.chance(25)) { // one of two functions, chosen at run time
        auto g    = f + "b";
        auto more = "lam " + g + "(" + params + ") @ff: " + text(t) + " =\n    " + expr(t, depth, inner) + ";\n";
        decls_ += decl + more;
        return "(((" + f + ", " + g + ")#" + truth(depth, s) + ") " + args(types, depth, s) + ")";
    }
    decls_ += decl;
    return "(" + f + " " + args(types, depth, s) + ")";
}

/// A recursive function over a small counter, in direct style: with an accumulator, or building the result on the way back.
string Gen::recursion(const Type& t, unsigned depth, const Scope& s) {
    if (!has("rec") || helpers_ >= 2 + size_) return leaf(t, s);
    auto f = prefix_ + "_r" + to_string(helpers_++);
    auto n = fresh("n"), acc = fresh("a");
    Scope inner{{n, nat()}, {acc, t}};
    bool tail = rnd_.chance(50);
    auto less = "%core.nat.sub (" + n + ", 1)";
    auto step = tail ? f + " (" + less + ", " + expr(t, depth, inner) + ")" : "";
    if (!tail) {
        auto back = fresh("b");
        auto with = inner;
        with.push_back({back, t});
        step = "{ let " + back + " = " + f + " (" + less + ", " + acc + "); " + expr(t, depth, with) + " }";
    }
    auto filter = rnd_.chance(70) ? string("@ff") : "@(%core.pe.known " + n + ")";
    decls_ += "lam " + f + "(" + n + ": Nat, " + acc + ": " + text(t) + ") " + filter + ": " + text(t) + " =\n    (" + step + ", "
              + acc + ")#(%core.ncmp.e (" + n + ", 0));\n";
    return "(" + f + " (" + count(depth, s) + ", " + expr(t, depth, s) + "))";
}

/// A value as 64 bits.
string Gen::hash(const string& v, const Type& t) {
    switch (t.kind) {
        case Type::Nat: return "(%core.bitcast I64 " + v + ")";
        case Type::Idx: return t.size == 0 ? v : "(%core.conv.u i64 " + v + ")";
        case Type::Union: {
            auto x = fresh("h"), y = fresh("h");
            return "(match " + v + " with | " + x + ": " + text(t.elems[0]) + " => (%core.wrap.add 0 (" + hash(x, t.elems[0])
                   + ", 7777I64)) | " + y + ": " + text(t.elems[1]) + " => " + hash(y, t.elems[1]) + ")";
        }
        default: break;
    }
    auto x   = fresh("h");
    auto n   = t.kind == Type::Array ? t.size : t.elems.size();
    string s = "5381I64";
    for (size_t i = 0; i != n; ++i)
        s = "(mix (" + s + ", "
            + hash("(" + x + "#(" + to_string(i) + ":(Idx " + to_string(n) + ")))",
                   t.kind == Type::Array ? t.elems[0] : t.elems[i])
            + "))";
    return "{ let " + x + " = " + v + "; " + s + " }";
}

/// The body of a `fun` that returns I64 without memory: a loop of continuations, a diamond, or just an expression.
string Gen::body_cps(unsigned depth, Scope s) {
    auto r = rnd_.below(3);
    auto t = type(1);
    if (r == 0 && has("loop")) {
        auto loop = fresh("loop"), i = fresh("k"), a = fresh("a"), body = fresh("body"), exit = fresh("exit");
        auto start = count(depth / 2, s);
        auto init  = expr(t, depth, s);
        s.push_back({i, nat()});
        s.push_back({a, t});
        return loop + " (" + start + ", " + init + ") where\n    con " + loop + "(" + i + ": Nat, " + a + ": " + text(t)
               + ") =\n        (" + body + ", " + exit + ")#(%core.ncmp.e (" + i + ", 0)) () where\n            con " + body
               + "() = " + loop + " (%core.nat.sub (" + i + ", 1), " + expr(t, depth, s) + ");\n            con " + exit
               + "() = " + (rnd_.chance(30) && depth > 1 ? body_cps(depth / 2, s) : "return " + hash(expr(t, depth / 2, s), t))
               + ";\n        end;\n    end";
    }
    if (r == 1) {
        auto f = fresh("F"), g = fresh("T"), n = fresh("N"), x = fresh("phi");
        auto cond = truth(depth, s);
        auto left = expr(t, depth, s), right = expr(t, depth, s);
        auto after = s;
        after.push_back({x, t});
        return "(" + f + ", " + g + ")#" + cond + " () where\n    con " + f + "() = " + n + " " + left + ";\n    con " + g
               + "() = " + n + " " + right + ";\n    con " + n + "(" + x + ": " + text(t) + ") = "
               + (rnd_.chance(40) && depth > 1 ? body_cps(depth / 2, after) : "return " + hash(expr(t, depth / 2, after), t))
               + ";\n    end";
    }
    return "return " + hash(expr(t, depth, s), t);
}

/// One effect: extends the scope, and the token is renamed.
string Gen::statement(string& mem, Scope& s) {
    auto m   = fresh("m");
    auto old = mem;
    switch (rnd_.below(pointers_.empty() ? 2 : 9)) {
        case 0:
        case 1: {
            auto t = type(1), p = t;
            auto name  = fresh("ptr");
            bool heap  = rnd_.chance(30);
            auto value = expr(t, size_ / 2, s);
            auto m2    = fresh("m");
            mem        = m2;
            pointers_.push_back({name, t});
            return "let (" + m + ", " + name + ") = "
                   + (heap ? "%mem.alloc " + text(t) + " " + old
                           : "%mem.slot " + text(t) + " (" + old + ", " + to_string(counter_++) + ")")
                   + ";\n    let " + m2 + " = %mem.store (" + m + ", " + name + ", " + value + ");\n    ";
        }
        case 2:
        case 3: {
            auto& p = rnd_.pick(pointers_);
            auto x  = fresh("v");
            mem     = m;
            s.push_back({x, p.type});
            return "let (" + m + ", " + x + ") = %mem.load (" + old + ", " + p.name + ");\n    ";
        }
        case 4:
        case 5: {
            auto& p = rnd_.pick(pointers_);
            mem     = m;
            return "let " + m + " = %mem.store (" + old + ", " + p.name + ", " + expr(p.type, size_ / 2, s) + ");\n    ";
        }
        case 6:
        case 7: {
            auto p = rnd_.pick(pointers_);
            if (p.type.kind != Type::Tuple && p.type.kind != Type::Array) return "";
            auto q     = fresh("ptr");
            bool array = p.type.kind == Type::Array;
            auto n     = array ? p.type.size : p.type.elems.size();
            auto i     = rnd_.below(n);
            auto index = array && rnd_.chance(70) ? expr(idx(n), size_ / 2, s)
                                                  : "(" + to_string(i) + ":(Idx " + to_string(n) + "))";
            pointers_.push_back({q, array ? p.type.elems[0] : p.type.elems[i]});
            return "let " + q + " = %mem.lea (" + p.name + ", " + index + ");\n    ";
        }
        default: {
            if (!has("div")) return "";
            auto t = idx(idx_size());
            if (t.size != 0 && t.size < 4) return "";
            auto x    = fresh("q");
            mem       = m;
            bool sign = rnd_.chance(50);
            auto one  = "(1:(Idx " + size_text(t.size) + "))";
            auto a = expr(t, size_ / 2, s), b = expr(t, size_ / 2, s);
            s.push_back({x, t});
            return "let (" + m + ", " + x + ") = %core.div." + (sign ? "s" : "u") + (rnd_.chance(50) ? "div" : "rem") + " (" + old
                   + ", (" + a + ", %core.extrema." + (sign ? "smax" : "umax") + " (" + b + ", " + one + ")));\n    ";
        }
    }
}

/// The body of a `fun` that takes and returns a token beside its I64.
string Gen::body_mem(unsigned steps, string mem, Scope s) {
    string text_;
    for (unsigned i = 0, n = 1 + rnd_.below(steps + 1); i != n; ++i) text_ += statement(mem, s);
    string close = text_.empty() ? "" : " }";
    if (!text_.empty()) text_ = "{ " + text_;
    auto r     = steps < 2 ? 9 : rnd_.below(4);
    auto t     = type(1);
    auto d     = size_ / 2;
    auto param = [&](const string& m) { return "(" + m + ": %mem.M)"; };
    if (r == 0) {
        auto f = fresh("F"), g = fresh("T"), n = fresh("N"), x = fresh("phi");
        auto arm = [&](const string& name) {
            auto m    = fresh("m");
            auto head = "    con " + name + param(m) + " = ";
            string lets;
            auto inner = s;
            auto ptrs  = pointers_;
            for (uint64_t i = 0, k = rnd_.below(3); i != k; ++i) lets += statement(m, inner);
            head += (lets.empty() ? "" : "{ " + lets) + n + " (" + m + ", " + expr(t, d, inner) + ")"
                    + (lets.empty() ? ";\n" : " };\n");
            pointers_ = ptrs;
            return head;
        };
        auto m    = fresh("m");
        auto cond = truth(d, s);
        auto res  = text_ + "(" + f + ", " + g + ")#" + cond + " " + mem + " where\n" + arm(f) + arm(g);
        s.push_back({x, t});
        return res + "    con " + n + "(" + m + ": %mem.M, " + x + ": " + text(t) + ") = " + body_mem(steps / 2, m, s)
               + ";\n    end" + close;
    }
    if (r == 1 && has("loop")) {
        auto loop = fresh("loop"), i = fresh("k"), a = fresh("a"), body = fresh("body"), exit = fresh("exit");
        auto ml = fresh("m"), mb = fresh("m"), me = fresh("m");
        auto ml2 = mb;
        auto res = text_ + loop + " (" + mem + ", " + count(d, s) + ", " + expr(t, d, s) + ") where\n    con " + loop + "(" + ml
                   + ": %mem.M, " + i + ": Nat, " + a + ": " + text(t) + ") = (" + body + ", " + exit + ")#(%core.ncmp.e (" + i
                   + ", 0)) " + ml + " where\n";
        s.push_back({i, nat()});
        s.push_back({a, t});
        string lets;
        auto inner = s;
        auto ptrs  = pointers_;
        for (uint64_t k = rnd_.below(3); k != 0; --k) lets += statement(mb, inner);
        res += "        con " + body + param(ml2) + " = " + (lets.empty() ? "" : "{ " + lets) + loop + " (" + mb
               + ", %core.nat.sub (" + i + ", 1), " + expr(t, d, inner) + ")" + (lets.empty() ? ";\n" : " };\n");
        pointers_ = ptrs;
        return res + "        con " + exit + param(me) + " = " + body_mem(steps / 2, me, s) + ";\n        end;\n    end" + close;
    }
    return text_ + "return (" + mem + ", " + hash(expr(t, d, s), t) + ")" + close;
}

Gen::Test Gen::make() {
    Test test;
    Scope s;
    string params, actual;
    for (uint64_t i = 0, n = 2 + rnd_.below(3); i != n; ++i) {
        auto p = fresh("a");
        auto t = scalar();
        s.push_back({p, t});
        params += ", " + p + ": " + text(t);
        auto lit = literal(t);
        auto off = t.kind == Type::Nat ? "%core.bitcast Nat (%core.idx 1000 0 (%core.nat.add (" + lit + ", %core.bitcast Nat z)))"
                                       : "%core.wrap.add 0 (" + lit + ", %core.conv.u " + size_text(t.size) + " z)";
        bool folds = rnd_.chance(15);
        actual += ", " + (known || folds ? lit : off);
    }
    auto f = prefix_ + "_main";
    switch (rnd_.below(has("mem") ? 3 : 2)) {
        case 0: {
            auto t = type(2);
            decls_ += "lam " + f + "(" + params.substr(2) + ")" + (rnd_.chance(70) ? " @ff" : "") + ": I64 =\n    "
                      + hash(expr(t, size_, s), t) + ";\n";
            test.run = "ret m = print_line $ (m, " + f + " (" + actual.substr(2) + "));\n";
            break;
        }
        case 1: {
            auto body = body_cps(size_, s);
            decls_ += "fun " + f + "(" + params.substr(2) + "): I64 =\n    " + body + ";\n";
            test.run = "ret r = " + f + " $ (" + actual.substr(2) + ");\n    ret m = print_line $ (m, r);\n";
            break;
        }
        default: {
            auto body = body_mem(size_, "mem", s);
            decls_ += "fun " + f + "(mem: %mem.M" + params + "): [%mem.M, I64] =\n    " + body + ";\n";
            test.run = "ret (m, r) = " + f + " $ (m" + actual + ");\n    ret m = print_line $ (m, r);\n";
        }
    }
    test.decls = decls_;
    return test;
}

const char* prelude = R"(plugin core;
plugin mem;
cfun putchar [mem: %mem.M, c: I32]: [%mem.M, I32];

lam nmod(n: Nat): Nat = %core.bitcast Nat (%core.idx 1000 0 n);
lam mix(h: I64, v: I64): I64 = %core.wrap.add 0 (%core.wrap.mul 0 (h, 31I64), v);
lam poly_first {T U: *} (x: T, y: U): T = x;
lam poly_twice {T: *} (f: T → T) (x: T): T = f (f x);
lam poly_at {n: Nat} {T: *} (a: «n; T», i: Idx n): T = a#i;

fun print_line(mem: %mem.M, value: I64): %mem.M =
    loop (mem, value, 16) where
        con loop(mem: %mem.M, v: I64, i: Nat) = (digit, newline)#(%core.ncmp.e (i, 0)) mem where
            con digit(mem: %mem.M) = {
                let d = %core.conv.u 0x100000000 (%core.shr.l (v, 60I64));
                let c = (%core.wrap.add 0 (d, 87I32), %core.wrap.add 0 (d, 48I32))#(%core.icmp.ul (d, 10I32));
                ret (mem, _) = putchar $ (mem, c);
                loop (mem, %core.wrap.shl 0 (v, 4I64), %core.nat.sub (i, 1))
            };
            con newline(mem: %mem.M) = ret (mem, _) = putchar $ (mem, 10I32); return mem;
        end;
    end;

)";

} // namespace

int main(int argc, char** argv) {
    uint64_t seed  = 1;
    unsigned tests = 20, size = 4;
    long only  = -1;
    bool known = false;
    std::set<string> without;
    for (int i = 1; i < argc; ++i) {
        auto value = [&] { return i + 1 < argc ? argv[++i] : "0"; };
        if (!strcmp(argv[i], "--seed")) seed = strtoull(value(), nullptr, 10);
        else if (!strcmp(argv[i], "--tests")) tests = static_cast<unsigned>(atoi(value()));
        else if (!strcmp(argv[i], "--only")) only = atol(value());
        else if (!strcmp(argv[i], "--size")) size = static_cast<unsigned>(atoi(value()));
        else if (!strcmp(argv[i], "--known")) known = true;
        else if (!strcmp(argv[i], "--without")) without.insert(value());
        else
            return fprintf(stderr,
                           "usage: agree-gen --seed N [--tests K] [--only I] [--size S] [--known] [--without FEATURE]…\n"),
                   2;
    }
    string decls, runs;
    for (unsigned i = 0; i != tests; ++i) {
        if (only >= 0 && i != static_cast<unsigned>(only)) continue;
        Gen gen(seed, i, size, without);
        gen.known = known;
        auto test = gen.make();
        decls += test.decls + "\n";
        runs += "    " + test.run;
    }
    printf("// agree-gen --seed %llu --size %u\n%s%s", static_cast<unsigned long long>(seed), size, prelude, decls.c_str());
    printf("fun extern main(m: %%mem.M, argc: I32, argv: %%mem.Ptr (%%mem.Ptr I8)): [%%mem.M, I32] = {\n"
           "    let z = %%core.conv.u i64 (%%core.wrap.sub 0 (argc, 1I32));\n%s    return (m, 0I32)\n};\n",
           runs.c_str());
}
