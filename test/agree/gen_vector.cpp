// SPDX-License-Identifier: MIT
// Vectors of a few lanes: made of scalars, computed with by operations of %vec, and taken apart again. Lanes are integers of any size.
// No `concat`: one mode checks programs without normalizers, and there 1 + 2 lanes are not 3.
#include "gen.h"

namespace agree {

using std::string;
using std::to_string;

namespace {

const std::vector<string> pairs   = {"wrap.add",  "wrap.sub",  "wrap.mul",  "wrap.shl",
                                     "bit2.and_", "bit2.xor_", "bit2.niff", "bit2.nor"};
const std::vector<string> plain   = {"shr.a", "shr.l", "extrema.umin", "extrema.smax"};
const std::vector<string> compare = {"icmp.e", "icmp.ul", "icmp.sle", "icmp.xYGle", "icmp.ug"};
const std::vector<string> reduces = {"add", "mul", "and_", "or_", "xor_", "umin", "umax", "smin", "smax"};

string parameters(uint64_t n, const Type& t) { return "@(" + to_string(n) + ", " + text(t) + ")"; }
string vector_text(uint64_t n, const Type& t) { return "(%vec.V (" + to_string(n) + ", " + text(t) + "))"; }

} // namespace

Tree Gen::vector(uint64_t n, const Type& t, unsigned depth, const Scope& s) {
    auto v  = vector_of(n, t, depth == 0 ? 0 : depth - 1, s);
    v.kind  = vector_text(n, t);
    v.least = "(%vec.from " + parameters(n, t) + " ‹" + to_string(n) + "; " + least(t) + "›)";
    return v;
}

Tree Gen::vector_of(uint64_t n, const Type& t, unsigned depth, const Scope& s) {
    auto lanes = [&](const Type& elem) { return vector(n, elem, depth, s); };
    auto two   = [&](const string& op, const Type& elem) {
        auto a = lanes(elem);
        return Tree{"(%vec." + op + " (", std::move(a), ", ", lanes(elem), "))"};
    };
    switch (depth == 0 || budget_ <= 0 ? 0 : (--budget_, random_.below(12))) {
        case 1:
        case 2: {
            auto op = random_.pick(pairs);
            return two(op + " " + (op[0] == 'w' ? mode() : "0"), t);
        }
        case 3: return two(random_.pick(plain), t);
        case 4:
            if (t.size == 2) return two(random_.pick(compare), idx(idx_size()));
            return Tree{"(%vec.bit1.neg 0 ", lanes(t), ")"};
        case 5: return Tree{"(%vec.conv.", coin() ? "u " : "s ", size_text(t.size), " ", lanes(idx(idx_size())), ")"};
        case 6: {
            auto m = lanes(boolean()), yes = lanes(t);
            return Tree{"(%vec.select (", std::move(m), ", ", std::move(yes), ", ", lanes(t), "))"};
        }
        case 7: { // any table
            auto k     = 1 + random_.below(20);
            auto table = vector(k, t, depth, s);
            return Tree{"(%vec.permute (", std::move(table), ", ", lanes(idx(k)), "))"};
        }
        case 8: {
            auto v = lanes(t), i = expr(idx(n), half(depth), s);
            return Tree{"(%vec.set (", std::move(v), ", ", std::move(i), ", ", expr(t, half(depth), s), "))"};
        }
        case 9:
            if (t.size != 2) break;
            return Tree{"(%vec.mask " + to_string(n) + " ", expr(idx(idx_size()), half(depth), s), ")"};
        case 10:
            if (t.size != 2) break;
            return Tree{"(%vec.prefix " + to_string(n) + " (%core.bitcast Nat ", expr(idx(idx_size()), half(depth), s), "))"};
        default: break;
    }
    if (n == 1 || random_.chance(30))
        return Tree{"(%vec.from " + parameters(n, t) + " ‹" + to_string(n) + "; ", expr(t, half(depth), s), "›)"};
    std::vector<Tree> elems;
    for (uint64_t i = 0; i != n; ++i) elems.push_back(expr(t, i < 2 ? half(depth) : 0, s));
    Tree v("(%vec.from " + parameters(n, t) + " (");
    v.list(std::move(elems), ", ");
    v.add("))");
    return v;
}

/// An integer from a vector.
Tree Gen::from_vector(const Type& t, unsigned depth, const Scope& s) {
    auto n = 1 + random_.below(coin() ? 4 : 17);
    switch (random_.below(4)) {
        case 0: return Tree{"(%vec.bits ", size_text(t.size), " ", vector(n, boolean(), depth, s), ")"};
        case 1: {
            auto v = vector(n, t, depth, s);
            return Tree{"(%vec.get (", std::move(v), ", ", expr(idx(n), half(depth), s), "))"};
        }
        case 2:
            if (t.size != 2) break;
            return Tree{coin() ? "(%vec.any " : "(%vec.all ", vector(n, boolean(), depth, s), ")"};
        default: break;
    }
    return Tree{"(%vec.reduce." + random_.pick(reduces) + " ", vector(n, t, depth, s), ")"};
}

} // namespace agree
