// SPDX-License-Identifier: MIT
// See numbers.h.
#include "numbers.h"

#include <cstdlib>
#include <cstring>

#include "front/scanner.h"
#include "kit/build.h"
#include "kit/match.h"
#include "math/annexes.h"
#include "rise/annexes.h"

namespace mim::plug::rise {

const Def* scalar_type(World& w, Scalar s) {
    auto floating = [&](uint64_t p, uint64_t e) { return w.app(w.annex(math::F(0)), {w.lit_nat(p), w.lit_nat(e)}); };
    auto number   = static_cast<unsigned>(s);
    switch (s) {
        case Scalar::Bool: return w.idx(2);
        case Scalar::Nat: return w.nat();
        case Scalar::F16: return floating(10, 5);
        case Scalar::F32: return floating(23, 8);
        case Scalar::F64: return floating(52, 11);
        case Scalar::I64: return w.i64_type();
        default: break;
    }
    auto first = static_cast<unsigned>(s >= Scalar::U8 ? Scalar::U8 : Scalar::I8);
    auto bits  = uint64_t(8) << (number - first);
    return s >= Scalar::U8 ? w.apply<Unsigned>({w.lit_nat(bits)}) : w.idx(uint64_t(1) << bits);
}

const Def* literal(World& w, std::string_view written, const Def* type) {
    auto text = std::string(written);
    text      = text.substr(0, text.starts_with("0x") ? text.npos : text.find_first_of("fiu"));
    auto f    = match<math::F>(type);
    if (f) {
        auto x = std::strtod(text.c_str(), nullptr);
        uint64_t bits;
        std::memcpy(&bits, &x, sizeof bits);
        auto wide = w.raw_lit(scalar_type(w, Scalar::F64), bits);
        if (wide->type() == type) return wide;
        if (mim::value(w, f.arg(), 0) != 23) // of 16 bits
            return w.apply(math::conv::f2f, {w.lit_nat(52), w.lit_nat(11)}, {f.arg()}, {wide});
        auto single = std::strtof(text.c_str(), nullptr);
        uint32_t word;
        std::memcpy(&word, &single, sizeof word);
        return w.raw_lit(type, word);
    }
    auto n = front::integer_value(text).value_or(0);
    if (type == w.nat()) return w.lit_nat(n);
    if (auto u = match<Unsigned>(type)) return w.apply<unsigned_>({u.arg(), w.lit_nat(n)});
    if (auto size = isa_idx(type)) {
        auto s = mim::value(size);
        return w.lit_idx(size, s ? n % *s : n);
    }
    return nullptr;
}

} // namespace mim::plug::rise
