// SPDX-License-Identifier: MIT
// Types, literals, expressions.
#include "gen.h"

namespace agree {

using std::string;
using std::to_string;

Gen::Gen(Random random, string prefix, const GenOptions& options)
    : random_(random)
    , prefix_(std::move(prefix))
    , options_(options) {
    if (has("risk") && random_.chance(40)) risk_ = 3 + static_cast<unsigned>(random_.below(20));
    budget_ = 8 + static_cast<long>(random_.below(options.budget));
}

uint64_t Gen::idx_size() {
    auto r = has("big") ? random_.below(10) : 9;
    if (r < 3) return (uint64_t(2) << random_.below(64)); // every width; 2^64 is 0
    if (r < 4) return random_.pick(std::array<uint64_t, 7>{256, 65536, 1ull << 32, 0, 0, 0, 1ull << 63});
    if (r < 6) return (uint64_t(2) << (1 + random_.below(63))) + (random_.below(2) ? random_.below(7) : -random_.below(2)) + 0;
    if (r < 7) return 2 + (random_.next() >> random_.below(63)) / 2;
    return random_.pick(std::array<uint64_t, 14>{2, 2, 2, 3, 5, 7, 8, 10, 16, 23, 100, 255, 257, 1000});
}

Type Gen::scalar() {
    if (random_.chance(20)) return nat();
    auto n = idx_size();
    return idx(n == 1 && random_.chance(80) ? 2 : n);
}

Type Gen::type(unsigned depth) {
    auto r = random_.below(20);
    if (depth == 0 || r < 11) return scalar();
    if (r < 15 || !has("array")) {
        Type t{Type::Tuple};
        for (uint64_t i = 0, n = 2 + random_.below(3); i != n; ++i) t.elems.push_back(type(depth - 1));
        bool equal = true;
        for (auto& e : t.elems) equal &= e == t.elems[0];
        return equal ? array(t.elems.size(), t.elems[0]) : t; // the two are one type
    }
    if (r < 16 && has("closure")) return use("functions as values"), function(type(depth - 1), type(depth - 1));
    if (r < 17 && has("size") && coin()) return use("sizes"), size_and_index();
    if (r < 17 && has("stream") && coin()) return recursive();
    if (r < 18 || !has("union")) return array(random_.chance(2) ? 5 + random_.below(60) : 2 + random_.below(4), type(depth - 1));
    return union_of(depth - 1);
}

string Gen::literal(const Type& t) {
    if (t.kind == Type::Nat) return to_string(random_.below(coin() ? 4 : 1000));
    uint64_t v = 0, n = t.size;
    switch (random_.below(6)) {
        case 0: v = 0; break;
        case 1: v = 1; break;
        case 2: v = n - 1; break;
        case 3: v = n / 2 - random_.below(2); break;
        case 4: v = random_.below(70); break;
        default: v = random_.next();
    }
    if (n == 2) return v & 1 ? "tt" : "ff";
    return index_text(n ? v % n : v, n);
}

/// A variable of this type (or an element of one), if there is one and luck has it; else a literal.
Tree Gen::leaf(const Type& t, const Scope& scope) {
    if (t.kind == Type::Tag) return Tree(least(t));
    std::vector<string> found;
    for (auto& v : scope) {
        if (v.type == t) found.push_back(v.name);
        if (v.type.kind == Type::Array && v.type.elems[0] == t)
            found.push_back("(" + v.name + "#" + index_text(random_.below(v.type.size), v.type.size) + ")");
        if (v.type.kind == Type::Pair && t.kind == Type::Nat) found.push_back("(" + v.name + "#0_2)");
        if (v.type.kind != Type::Tuple) continue;
        for (size_t i = 0; i != v.type.elems.size(); ++i)
            if (v.type.elems[i] == t) found.push_back("(" + v.name + "#" + index_text(i, v.type.elems.size()) + ")");
    }
    if (!found.empty() && (t.has_var() || random_.chance(80))) return Tree(random_.pick(found));
    switch (t.kind) {
        case Type::Nat:
        case Type::Idx: return Tree(literal(t));
        case Type::Union: return Tree{"(", leaf(t.elems[random_.below(t.elems.size())], scope), " inj ", text(t), ")"};
        case Type::Array: return Tree{"‹", to_string(t.size), "; ", leaf(t.elems[0], scope), "›"};
        case Type::Fun: return lambda(t.elems[0], t.elems[1], 0, scope);
        case Type::Pair: return Tree{"(size_and_index (", leaf(nat(), scope), ", ", leaf(i64(), scope), "))"};
        case Type::Place: return Tree("(%core.idx " + t.name + " 0 " + literal(nat()) + ")");
        case Type::Rec: return Tree{"(", t.name, "_from ", leaf(t.elems[1], scope), ")"};
        case Type::Tag:
        case Type::Var: break; // scopes with type parameters have a variable for each
        case Type::Tuple: break;
    }
    return args(t.elems, 0, scope);
}

Tree Gen::expr(const Type& t, unsigned depth, const Scope& scope) {
    bool done = depth == 0 || budget_ <= 0 || t.kind == Type::Tag; // what has the type ⦃e⦄ is e
    Tree e    = done ? leaf(t, scope) : (--budget_, expr_of(t, depth - 1, scope));
    e.kind    = text(t);
    e.least   = least(t);
    return e;
}

Tree Gen::expr_of(const Type& t, unsigned depth, const Scope& scope) {
    if (t.is_tagged())
        return args(t.elems, depth, scope); // tuples are not ascribed: where it is chosen, the tag would be a number
    if (random_.chance(35)) return compound(t, depth, scope);
    switch (t.kind) {
        case Type::Nat: return natural(depth, scope);
        case Type::Idx: return t.size == 2 && random_.chance(70) ? truth(depth, scope) : number(t, depth, scope);
        case Type::Union: {
            auto& m = t.elems[random_.below(t.elems.size())];
            return Tree{"(", expr(m, depth, scope), " inj ", text(t), ")"};
        }
        case Type::Fun: return lambda(t.elems[0], t.elems[1], depth, scope);
        case Type::Place: return index(t, depth, scope);
        case Type::Pair: {
            auto n = expr(nat(), depth, scope);
            return Tree{"(size_and_index (", std::move(n), ", ", expr(i64(), depth, scope), "))"};
        }
        case Type::Rec: return Tree{"(", t.name, "_from ", expr(t.elems[1], depth, scope), ")"};
        case Type::Tag:
        case Type::Var: return leaf(t, scope);
        default: return aggregate(t, depth, scope);
    }
}

Tree Gen::args(const std::vector<Type>& types, unsigned depth, const Scope& scope) {
    Tree t("(");
    std::vector<Tree> elems;
    for (auto& type : types) elems.push_back(expr(type, depth, scope));
    t.list(std::move(elems), ", ");
    t.add(")");
    return t;
}

Tree Gen::aggregate(const Type& t, unsigned depth, const Scope& s) {
    auto n = t.arity();
    if (random_.chance(25)) {
        auto i      = random_.below(n);
        bool is_dyn = t.kind == Type::Array && random_.chance(60);
        auto whole  = expr(t, depth, s);
        auto index  = is_dyn ? expr(idx(n), depth, s) : Tree(index_text(i, n));
        return Tree{"ins(", std::move(whole), ", ", std::move(index), ", ", expr(t.elem(i), depth, s), ")"};
    }
    if (t.kind == Type::Tuple) return args(t.elems, depth, s);
    if (has("bytes") && t == array(4, idx(256)) && coin())
        return Tree{"(%core.bitcast ", text(t), " ", expr(idx(1ull << 32), depth, s), ")"};
    if (n > 6 || random_.chance(40)) {
        auto i     = fresh("k");
        auto inner = s;
        inner.push_back({i, idx(n)});
        return coin() ? Tree{"‹", i, ": ", to_string(n), "; ", expr(t.elems[0], depth, inner), "›"}
                      : Tree{"‹", to_string(n), "; ", expr(t.elems[0], depth, s), "›"};
    }
    if (has("zip") && random_.chance(20)) return zip(t, depth, s);
    return args(std::vector<Type>(n, t.elems[0]), depth, s);
}

/// `%core.zip` of one or two arrays of the length of t.
Tree Gen::zip(const Type& t, unsigned depth, const Scope& s) {
    auto n = t.size;
    auto a = scalar();
    auto b = type(1);
    auto x = fresh("x"), y = fresh("y");
    bool two   = coin();
    auto inner = s;
    inner.push_back({x, a});
    if (two) inner.push_back({y, b});
    Tree head{"(%core.zip (1, ", to_string(n), ") ("};
    if (two)
        head.add("2, (" + text(a) + ", " + text(b) + "), 1, " + text(t.elems[0]) + ", λ (" + x + ": " + text(a) + ", " + y + ": "
                 + text(b));
    else head.add("1, " + text(a) + ", 1, " + text(t.elems[0]) + ", λ (" + x + ": " + text(a));
    head.add("): " + text(t.elems[0]) + " = ");
    head.add(expr(t.elems[0], half(depth), inner));
    head.add(") ");
    if (!two) {
        head.add(expr(array(n, a), half(depth), s));
        head.add(")");
        return head;
    }
    head.add("(");
    head.add(expr(array(n, a), half(depth), s));
    head.add(", ");
    head.add(expr(array(n, b), half(depth), s));
    head.add("))");
    return head;
}

/// The forms that make an expression of any type.
Tree Gen::compound(const Type& t, unsigned depth, const Scope& s) {
    if (random_.chance(20))
        if (auto e = wide(t, depth, s); !e.text().empty()) return e;
    switch (random_.below(13)) {
        case 0:
        case 1:
        case 2: return choice(t, depth, s);
        case 3:
        case 4: return binding(t, depth, s);
        case 5:
        case 6: return has("union") ? match(t, depth, s) : leaf(t, s);
        case 7: return has("poly") ? polymorphic(t, depth, s) : leaf(t, s);
        case 8:
            if (has("affine") && !t.has_var() && random_.chance(40)) return fold(t, depth, s);
            return has("rec") ? recursion(t, depth, s) : leaf(t, s);
        case 9:
            if (has("escape") && random_.chance(30)) return escaping(t, depth, s);
            return has("higher") ? higher_order(t, depth, s) : leaf(t, s);
        case 10: return has("dep") ? dependent(t, depth, s) : leaf(t, s);
        case 11: return has("pe") ? evaluation(t, depth, s) : leaf(t, s);
        default: return call(t, depth, s);
    }
}

/// One of several expressions, by an index that is known or not.
Tree Gen::choice(const Type& t, unsigned depth, const Scope& s) {
    switch (random_.below(5)) {
        case 0: {
            auto no = expr(t, depth, s), yes = expr(t, depth, s);
            return Tree{"((", std::move(no), ", ", std::move(yes), ")#", truth(depth, s), ")"};
        }
        case 1: {
            auto c   = truth(depth, s);
            auto yes = expr(t, depth, s);
            return Tree{"(%core.select (", std::move(c), ", ", std::move(yes), ", ", expr(t, depth, s), "))"};
        }
        case 2: {
            auto u     = type(1);
            bool first = coin();
            auto a     = expr(first ? t : u, depth, s);
            return Tree{"((", std::move(a), ", ", expr(first ? u : t, depth, s), ")#", index_text(first ? 0 : 1, 2), ")"};
        }
        default: break;
    }
    if (!has("array")) return leaf(t, s);
    if (random_.chance(3)) { // so long that its binder stays
        auto n     = 1025 + random_.below(5000);
        auto k     = fresh("k");
        auto inner = s;
        inner.push_back({k, idx(n)});
        auto elem = expr(t, depth, inner);
        return Tree{"(‹", k, ": ", to_string(n), "; ", std::move(elem), "›#", expr(idx(n), depth, s), ")"};
    }
    auto n = 2 + random_.below(5);
    auto a = array(n, t);
    if (random_.chance(15)) { // «m, n; T»
        auto m     = 2 + random_.below(2);
        auto outer = expr(array(m, a), depth, s);
        auto i     = expr(idx(m), depth, s);
        return Tree{"(", std::move(outer), "#", std::move(i), "#", expr(idx(n), depth, s), ")"};
    }
    auto whole = expr(a, depth, s);
    return Tree{"(", std::move(whole), "#", expr(idx(n), depth, s), ")"};
}

/// A `let`, in its many forms, or a λ that is called at once.
Tree Gen::binding(const Type& t, unsigned depth, const Scope& s) {
    auto x     = fresh("x");
    auto u     = type(1);
    auto inner = s;
    inner.push_back({x, u});
    if (has("sing") && u.is_scalar() && random_.chance(10)) { // what has the type ⦃e⦄ is e
        auto lit = literal(u);
        auto y   = fresh("x");
        inner.push_back({y, u});
        auto body = expr(t, depth, inner);
        return Tree{
            "((λ (",           x,   ": ⦃", lit, "⦄, ", y, ": ", text(u), "): ", text(t), " = ", std::move(body), ") (", lit, ", ",
            expr(u, depth, s), "))"};
    }
    auto value = expr(u, depth, s);
    auto body  = expr(t, depth, inner);
    switch (random_.below(5)) {
        case 0: return Tree{"(", std::move(body), " where let ", x, " = ", std::move(value), "; end)"};
        case 1:
            return Tree{"((λ (",          x,  ": ", text(u), ")", coin() ? " @ff: " : ": ", text(t), " = ", std::move(body), ") ",
                        std::move(value), ")"};
        default: return Tree{"{ let ", x, " = ", std::move(value), "; ", std::move(body), " }"};
    }
}

/// A value as 64 bits.
Tree Gen::hash(Tree v, const Type& t) {
    auto h  = hash_of(std::move(v), t);
    h.kind  = text(i64());
    h.least = "0I64";
    return h;
}

Tree Gen::hash_of(Tree v, const Type& t) {
    switch (t.kind) {
        case Type::Nat: return Tree{"(%core.bitcast I64 ", std::move(v), ")"};
        case Type::Idx: return t.size == 0 ? std::move(v) : Tree{"(%core.conv.u i64 ", std::move(v), ")"};
        case Type::Union: {
            Tree m{"(match ", std::move(v), " with"};
            for (size_t i = 0; i != t.elems.size(); ++i) {
                auto x = fresh("h");
                m.add(" | " + x + ": " + text(t.elems[i]) + " => (mix (" + to_string(7777 + i) + "I64, ");
                m.add(hash(Tree(x), t.elems[i]));
                m.add("))");
            }
            m.add(")");
            return m;
        }
        case Type::Tag: return Tree(t.name + "I64");
        case Type::Fun: return hash(Tree{"(", std::move(v), " ", leaf(t.elems[0], {}), ")"}, t.elems[1]);
        case Type::Place: return Tree{"(%core.conv.u i64 ", std::move(v), ")"};
        case Type::Pair: return Tree{"(hash_pair ", std::move(v), ")"};
        case Type::Rec: return Tree{"(", t.name, "_hash ", std::move(v), ")"};
        default: break;
    }
    auto x = fresh("h");
    auto n = t.arity();
    if (n > 6) { // three of many
        auto at = [&](uint64_t i) { return hash(Tree("(" + x + "#" + index_text(i, n) + ")"), t.elems[0]); };
        auto a = at(0), b = at(n / 2);
        return Tree{"{ let ",     x,    " = ",     std::move(v), "; (mix (", std::move(a), ", (mix (",
                    std::move(b), ", ", at(n - 1), ")))) }"};
    }
    Tree h("5381I64");
    for (uint64_t i = 0; i != n; ++i)
        h = Tree{"(mix (", std::move(h), ", ", hash(Tree("(" + x + "#" + index_text(i, n) + ")"), t.elem(i)), "))"};
    return Tree{"{ let ", x, " = ", std::move(v), "; ", std::move(h), " }"};
}

/// A value of any type made from one word of the input.
Tree Gen::from_input(const string& word, const Type& t) {
    switch (t.kind) {
        case Type::Nat: return Tree("(nmod (%core.bitcast Nat " + word + "))");
        case Type::Idx: return Tree(t.size == 0 ? word : "(%core.conv.u " + size_text(t.size) + " " + word + ")");
        case Type::Union: {
            Tree u("((");
            for (size_t i = 0; i != t.elems.size(); ++i) {
                if (i) u.add(", ");
                u.add(from_input(word, t.elems[i]));
                u.add(" inj " + text(t));
            }
            u.add(")#(%core.conv.u " + to_string(t.elems.size()) + " " + word + "))");
            return u;
        }
        case Type::Tag: return Tree(least(t));
        case Type::Pair: return Tree("(size_and_index (nmod (%core.bitcast Nat " + word + "), " + word + "))");
        case Type::Rec: return Tree{"(", t.name, "_from ", from_input(word, t.elems[1]), ")"};
        case Type::Fun: {
            auto x    = fresh("x");
            auto seed = Tree{"(mix (", word, ", ", hash(Tree(x), t.elems[0]), "))"}.text();
            auto body = t.elems[1].is_scalar() ? from_input(seed, t.elems[1]) : from_input(word, t.elems[1]);
            return Tree{"(λ (",          x,  ": ", text(t.elems[0]), coin() ? ") @ff: " : "): ", text(t.elems[1]), " = ",
                        std::move(body), ")"};
        }
        default: break;
    }
    auto next = [&](const string& i) { return "(mix (" + word + ", " + i + "))"; };
    if (t.kind == Type::Array) {
        auto i = fresh("k");
        return Tree{"‹", i, ": ", to_string(t.size), "; ", from_input(next("%core.conv.u i64 " + i), t.elems[0]), "›"};
    }
    Tree tuple("(");
    for (size_t i = 0; i != t.elems.size(); ++i) {
        if (i) tuple.add(", ");
        tuple.add(from_input(next(to_string(i) + "I64"), t.elems[i]));
    }
    tuple.add(")");
    return tuple;
}

} // namespace agree
