// SPDX-License-Identifier: MIT
// Unions of two to six members that are apart in pairs: by a tag, by their heads, by a literal size.
#include "gen.h"

namespace agree {

using std::string;
using std::to_string;

Type Gen::union_of(unsigned depth) {
    use("unions");
    auto n = 2 + random_.below(coin() ? 2 : 5);
    if (has("tags") && coin()) return tagged_union(n, depth);
    Type u{Type::Union};
    auto add = [&](Type t) {
        for (auto& member : u.elems)
            if (!apart(member, t)) return;
        u.elems.push_back(std::move(t));
    };
    add(scalar());
    while (--n != 0) add(type(depth));
    if (u.elems.size() == 1) add(u.elems[0].kind == Type::Nat ? boolean() : nat());
    return u;
}

/// `⦃0_n⦄ ∪ [⦃1_n⦄, T] ∪ [⦃2_n⦄, T, U] ∪ …`: the payloads may be equal.
Type Gen::tagged_union(uint64_t n, unsigned depth) {
    Type u{Type::Union};
    auto shared = type(depth);
    for (uint64_t i = 0; i != n; ++i) {
        Type member{Type::Tuple, 0, {tag(i, n)}};
        for (auto k = random_.below(3); k != 0; --k) member.elems.push_back(random_.chance(40) ? shared : type(depth));
        u.elems.push_back(member.elems.size() == 1 ? member.elems[0] : member);
    }
    return u;
}

/// A pattern that states this type: one name, or one for each element.
Tree Gen::pattern(const Type& member, Scope& s) {
    if (member.kind != Type::Tuple || coin()) {
        auto x = fresh("x");
        s.push_back({x, member});
        return Tree(x + ": " + text(member));
    }
    Tree p("(");
    for (size_t i = 0; i != member.elems.size(); ++i) {
        auto x = fresh("x");
        s.push_back({x, member.elems[i]});
        p.add((i ? ", " : "") + x + ": " + text(member.elems[i]));
    }
    p.add(")");
    return p;
}

Tree Gen::match(const Type& t, unsigned depth, const Scope& s) {
    auto u = union_of(1);
    Tree value;
    if (coin()) {
        value = expr(u, depth, s);
    } else { // the member is known only at run time
        auto a = expr(u.elems[0], half(depth), s), b = expr(u.elems[1], half(depth), s);
        value = Tree{"((", std::move(a), " inj ", text(u), ", ", std::move(b), " inj ", text(u), ")#", truth(depth, s), ")"};
    }
    Tree m{"(match ", std::move(value), " with"};
    for (auto& member : u.elems) {
        auto inner = s;
        auto head  = pattern(member, inner);
        m.add(" | ");
        m.add(std::move(head));
        m.add(" => ");
        m.add(expr(t, depth, inner));
    }
    m.add(")");
    return m;
}

} // namespace agree
