// SPDX-License-Identifier: MIT
// The operations of %core, all of them, at all sizes. Numbers of type Nat stay below 1000 unless something may be undefined.
#include "gen.h"

namespace agree {

using std::string;
using std::to_string;

namespace {

const std::vector<string> wraps  = {"add", "sub", "mul", "shl"};
const std::vector<string> bit1s  = {"f", "neg", "id", "t"};
const std::vector<string> bit2s  = {"f",    "nor",  "nciff", "nfst", "niff", "nsnd", "xor_", "nand",
                                    "and_", "nxor", "snd",   "iff",  "fst",  "ciff", "or_",  "t"};
const std::vector<string> ncmps  = {"gle", "glE", "gLe", "gLE", "Gle", "GlE", "GLe", "GLE", "e", "ne", "l", "ge"};
const std::vector<string> exts   = {"umin", "umax", "smin", "smax", "sm", "SM"};
const std::vector<string> icmps  = {"xygle", "xyglE", "xygLe", "xygLE", "xyGle", "xyGlE", "xyGLe", "xyGLE", "xYgle", "xYglE",
                                    "xYgLe", "xYgLE", "xYGle", "xYGlE", "xYGLe", "xYGLE", "Xygle", "XyglE", "XygLe", "XygLE",
                                    "XyGle", "XyGlE", "XyGLe", "XyGLE", "XYgle", "XYglE", "XYgLe", "XYgLE", "XYGle", "XYGlE",
                                    "XYGLe", "XYGLE", "e",     "ne",    "ul",    "ule",   "ug",    "uge",   "sl",    "sle"};
const std::vector<string> shifts = {"shr.a", "shr.l", "rotate.left", "rotate.right"};
const std::vector<string> counts = {"ones", "leading", "trailing"};
const std::vector<string> modes  = {"1", "2", "3", "%core.mode.nuw", "%core.mode.nsw", "%core.mode.nusw"};

} // namespace

string Gen::mode() { return risky() ? random_.pick(modes) : coin() ? "0" : "%core.mode.us"; }

Tree Gen::number(const Type& t, unsigned depth, const Scope& s) {
    auto e    = [&] { return expr(t, depth, s); };
    auto pair = [&] {
        auto a = e();
        if (random_.chance(10)) return Tree{"(", a, ", ", a, ")"};
        return Tree{"(", std::move(a), ", ", e(), ")"};
    };
    auto op = [&](const string& name, Tree operand) { return Tree{"(%core." + name + " ", std::move(operand), ")"}; };
    if (has("vec") && random_.chance(8)) return from_vector(t, depth, s);
    switch (random_.below(12)) {
        case 0:
        case 1: return op("wrap." + random_.pick(wraps) + " " + mode(), pair());
        case 2: { // shifts by small amounts too
            auto n    = std::min<uint64_t>(bits(t) + 2, t.size ? t.size : 66);
            auto by   = Tree(index_text(random_.below(n ? n : 1), t.size));
            auto name = random_.chance(20) ? "wrap.shl " + mode() : random_.pick(shifts);
            auto a    = e();
            return op(name, Tree{"(", std::move(a), ", ", random_.chance(60) ? std::move(by) : e(), ")"});
        }
        case 3: return op("bit2." + random_.pick(bit2s) + " 0", pair());
        case 4: return op("bit1." + random_.pick(bit1s) + " 0", e());
        case 5: return op(random_.pick(shifts), pair());
        case 6: return op("extrema." + random_.pick(exts), pair());
        case 7: return op(coin() ? "quot.div" : "quot.rem", pair()); // by 0 as well, which is defined
        case 8: return op(coin() ? "reverse.bits" : "reverse.bytes", e());
        case 9:
        case 10: return conversion(t, depth, s);
        default: return op("minus " + mode(), e());
    }
}

/// An integer from one of another type.
Tree Gen::conversion(const Type& t, unsigned depth, const Scope& s) {
    for (auto& v : s)
        if (v.type.kind == Type::Place && coin())
            return Tree{"(%core.conv.u ", size_text(t.size), " ", expr(v.type, depth, s), ")"};
    auto from = idx(idx_size());
    auto size = size_text(t.size);
    if (has("bytes") && t.size != 0 && (t.size == 65536 || t.size == 1ull << 32) && random_.chance(30)) { // the bytes of a tuple
        auto bytes = array(t.size == 65536 ? 2 : 4, idx(256));
        return Tree{"(%core.bitcast ", text(t), " ", expr(bytes, depth, s), ")"};
    }
    switch (random_.below(6)) {
        case 0: return Tree{"(%core.conv.s ", size, " ", expr(from, depth, s), ")"};
        case 1: return Tree{"(%core.conv.u ", size, " ", expr(from, depth, s), ")"};
        case 2: return Tree{"(%core.idx ", size, " ", mode(), " ", natural(depth, s), ")"};
        case 3: { // a Nat below 1000
            if (!is_power_of_two(t) && t.size < 1000 && !risky()) break;
            return Tree{"(%core.bitcast ", text(t), " ", natural(depth, s), ")"};
        }
        default: {
            bool fits = is_power_of_two(t) || (from.size != 0 && (t.size == 0 || from.size <= t.size));
            if (!fits && !risky()) break;
            return Tree{"(%core.bitcast ", text(t), " ", expr(from, depth, s), ")"};
        }
    }
    return Tree{"(%core.conv.", coin() ? "s " : "u ", size, " ", expr(from, depth, s), ")"};
}

Tree Gen::truth(unsigned depth, const Scope& s) {
    Tree t;
    if (random_.chance(30)) {
        auto a = expr(nat(), depth, s);
        t      = Tree{"(%core.ncmp.", random_.pick(ncmps), " (", std::move(a), ", ", expr(nat(), depth, s), "))"};
    } else {
        auto type = idx(idx_size());
        auto a    = expr(type, depth, s);
        t         = Tree{"(%core.icmp.", random_.pick(icmps), " (", std::move(a), ", ", expr(type, depth, s), "))"};
    }
    t.kind = "Bool", t.least = "ff";
    return t;
}

Tree Gen::natural(unsigned depth, const Scope& s) {
    if (depth == 0) return leaf(nat(), s);
    for (auto& v : s)
        if (v.type.kind == Type::Place && random_.chance(20)) return Tree{"(%core.bitcast Nat ", expr(v.type, depth - 1, s), ")"};
    auto e    = [&] { return expr(nat(), depth - 1, s); };
    auto pair = [&](const string& op) {
        auto a = e();
        return Tree{"(%core." + op + " (", std::move(a), ", ", e(), "))"};
    };
    auto below_1000 = [&](Tree t) { return risky() ? t : Tree{"(nmod ", std::move(t), ")"}; };
    if (has("vec") && random_.chance(4))
        return Tree{coin() ? "(%vec.count " : "(%vec.first ", vector(1 + random_.below(20), boolean(), depth, s), ")"};
    if (random_.chance(6)) return Tree{"(%core.count." + random_.pick(counts) + " ", expr(idx(idx_size()), depth - 1, s), ")"};
    switch (random_.below(9)) {
        case 0: return below_1000(pair("nat.add"));
        case 1: return below_1000(pair("nat.mul"));
        case 2: return pair("nat.sub");
        case 3: {
            auto product = pair("nat.mul");
            return below_1000(Tree{"(%core.nat.add (", std::move(product), ", ", e(), "))"});
        }
        case 4: return Tree{"(%core.bitcast Nat ", expr(idx(2 + random_.below(998)), depth - 1, s), ")"};
        case 5: return below_1000(Tree{"(%core.bitcast Nat ", expr(idx(idx_size()), depth - 1, s), ")"});
        case 6: {
            auto t = type(1);
            return Tree{"(%core.trait.", coin() ? "size " : "align ", text(t.has_function() ? nat() : t), ")"};
        }
        case 7: return pair(coin() ? "quot.ndiv" : "quot.nrem"); // by 0 as well, which is defined
        default: return leaf(nat(), s);
    }
}

/// How often to do something: below 8.
Tree Gen::count(unsigned depth, const Scope& s) {
    if (random_.chance(30)) return Tree(to_string(random_.below(6)));
    return Tree{"(%core.bitcast Nat (%core.idx 8 0 ", natural(depth, s), "))"};
}

} // namespace agree
