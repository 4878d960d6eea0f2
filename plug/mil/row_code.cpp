// SPDX-License-Identifier: MIT
#include "row_code.h"

namespace mim::plug::mil {

RowCode::RowCode(Source& source, CodeBuilder& b)
    : RowWords(source, b)
    , just_(*find_con(*source.generators, "Just"))
    , nothing_(*find_con(*source.generators, "Nothing")) {}

// ---- rows
// -----------------------------------------------------------------------------------------------------------------------

RowCode::Parts RowCode::constant(uint64_t n, uint64_t width) const {
    Parts result;
    for (uint64_t place = 0; place < width; place += bits()) result.push_back(number(place < 64 ? n >> place : 0));
    return result;
}

RowCode::Parts RowCode::sum(const Parts& x, const Parts& y) {
    Parts result;
    auto carry = number(0);
    for (size_t i = 0; i != x.size(); ++i) {
        auto s = word(Op::Add, x[i], y[i]);
        auto t = word(Op::Add, s, carry);
        auto c = truth(Op::Ult, s, x[i]);
        carry  = word(Op::Or, c, truth(Op::Ult, t, s));
        result.push_back(t);
    }
    return result;
}

RowCode::Parts RowCode::difference(const Parts& x, const Parts& y, Atom& borrow) {
    Parts result;
    borrow = number(0);
    for (size_t i = 0; i != x.size(); ++i) {
        auto d = word(Op::Sub, x[i], y[i]);
        result.push_back(word(Op::Sub, d, borrow));
        auto b = truth(Op::Ult, x[i], y[i]);
        borrow = word(Op::Or, b, truth(Op::Ult, d, borrow));
    }
    return result;
}

/// Bits of x where the mask has ones, else those of y.
RowCode::Parts RowCode::chosen(Atom mask, const Parts& x, const Parts& y) {
    Parts result;
    for (size_t i = 0; i != x.size(); ++i) {
        auto other = word(Op::And, word(Op::Xor, x[i], y[i]), mask);
        result.push_back(word(Op::Xor, y[i], other));
    }
    return result;
}

/// By whole words, 2^k of them where the amount has that bit, and then by less than a word.
RowCode::Parts RowCode::shifted(const Parts& x, Atom amount, bool is_left) {
    auto result = x;
    for (uint64_t by = 1; by < x.size(); by *= 2) {
        auto place = bits() * by;
        auto bit   = word(Op::And, amount, number(place));
        auto mask  = word(Op::Neg, truth(Op::Neq, bit, number(0)));
        result     = chosen(mask, shifted(result, is_left ? place : 0, is_left ? 0 : place), result);
    }
    auto less  = word(Op::And, amount, number(bits() - 1));
    auto rest  = word(Op::Sub, number(bits()), less);
    auto first = result;
    for (size_t i = 0; i != x.size(); ++i) {
        auto next     = is_left ? i - 1 : i + 1;
        auto neighbor = next < x.size() ? first[next] : number(0);
        auto own      = word(is_left ? Op::Shl : Op::Lshr, first[i], less);
        result[i]     = word(Op::Or, own, word(is_left ? Op::Lshr : Op::Shl, neighbor, rest));
    }
    return result;
}

/// A shift by a word or more gives 0, so the bit is in one of the words.
RowCode::Parts RowCode::bit(Atom place, uint64_t width) {
    Parts result;
    for (uint64_t i = 0; i != count(width); ++i)
        result.push_back(word(Op::Shl, number(1), word(Op::Sub, place, number(i * bits()))));
    return result;
}

Atom RowCode::less(const Parts& x, const Parts& y) {
    Atom borrow;
    difference(x, y, borrow);
    return borrow;
}

/// `Lt`, or `SLt` with a sign.
Atom RowCode::compared(std::string_view how, Parts x, Parts y, uint64_t width) {
    if (how == "Eq" || how == "Ne") {
        auto differs = any(each(Op::Xor, x, y));
        return how == "Ne" ? differs : word(Op::Xor, differs, number(1));
    }
    if (how[0] == 'S') {
        auto sign = number(uint64_t(1) << (width - 1) % bits());
        x.back()  = word(Op::Xor, x.back(), sign);
        y.back()  = word(Op::Xor, y.back(), sign);
        how.remove_prefix(1);
    }
    bool is_mirrored = how == "Gt" || how == "Le";
    auto result      = is_mirrored ? less(y, x) : less(x, y);
    return how == "Le" || how == "Ge" ? word(Op::Xor, result, number(1)) : result;
}

// ---- loops
// ----------------------------------------------------------------------------------------------------------------------

RowCode::Loop RowCode::loop(const std::vector<size_t>& sizes) {
    auto& p = b_.program;
    Loop result;
    std::vector<uint32_t> params;
    auto parameter = [&](const char* name) {
        params.push_back(p.variable(name));
        return variable(params.back());
    };
    for (auto size : sizes) {
        auto& row = result.rows.emplace_back();
        for (size_t i = 0; i != size; ++i) row.push_back(parameter("w"));
    }
    result.count = parameter("n");
    result.block = b_.block("rows", std::move(params), at_);
    return result;
}

Tail RowCode::enter(const Loop& l, const std::vector<Parts>& rows, Atom count) {
    Atoms args;
    for (auto& row : rows) args.insert(args.end(), row.begin(), row.end());
    args.push_back(count);
    return tail(Tail::Block, l.block, std::move(args), at_);
}

void RowCode::leave_at_zero(const Loop& l, const Parts& words, const Use& use) {
    auto done = b_.block("done", {}, at_);
    auto step = b_.block("step", {}, at_);
    b_.at     = l.block;
    branch(word(Op::Eq, l.count, number(0)), {done, {}, at_}, {step, {}, at_});
    b_.at = done;
    b_.finish(result(use, words));
    b_.at = step;
}

/// The higher word of the product, by products of halves.
Atom RowCode::high_product(Atom a, Atom b) {
    auto half = number(bits() / 2);
    auto mask = number((uint64_t(1) << bits() / 2) - 1);
    auto low  = [&](Atom w) { return word(Op::And, w, mask); };
    auto high = [&](Atom w) { return word(Op::Lshr, w, half); };
    auto al = low(a), ah = high(a), bl = low(b), bh = high(b);
    auto t = high(word(Op::Mul, al, bl));
    auto u = word(Op::Add, word(Op::Mul, ah, bl), t);
    auto r = low(u);
    auto v = word(Op::Add, word(Op::Mul, al, bh), r);
    auto q = high(u);
    auto h = word(Op::Add, word(Op::Mul, ah, bh), q);
    return word(Op::Add, h, high(v));
}

/// Modulo the width: with each word of y, its highest first.
Tail RowCode::product(const Parts& x, const Parts& y, const Use& use) {
    auto size = x.size();
    auto from = b_.at;
    auto l    = loop({size, size, size});
    leave_at_zero(l, l.rows[0], use);
    auto moved = shifted(l.rows[0], bits(), 0);
    Parts low, high{number(0)};
    auto by = l.rows[2].back();
    for (size_t i = 0; i != size; ++i) low.push_back(word(Op::Mul, l.rows[1][i], by));
    for (size_t i = 0; i + 1 != size; ++i) high.push_back(high_product(l.rows[1][i], by));
    auto next = sum(sum(moved, low), high);
    auto rest = shifted(l.rows[2], bits(), 0);
    b_.finish(enter(l, {next, l.rows[1], rest}, word(Op::Sub, l.count, number(1))));
    b_.at = from;
    return enter(l, {Parts(size, number(0)), x, y}, number(size));
}

/// Bit for bit: x gives its highest one to the remainder, and gets one of the quotient.
Tail RowCode::quotient(const Parts& x, const Parts& y, uint64_t width, bool is_remainder, const Use& use) {
    auto size = x.size();
    auto from = b_.at;
    auto l    = loop({size, size, size});
    leave_at_zero(l, is_remainder ? l.rows[1] : l.rows[0], use);
    auto top  = word(Op::Lshr, l.rows[0].back(), number((width - 1) % bits()));
    auto out  = word(Op::Lshr, l.rows[1].back(), number(bits() - 1));
    auto more = shifted(l.rows[1], 1, 0);
    more[0]   = word(Op::Or, more[0], top);
    Atom borrow;
    auto less  = difference(more, l.rows[2], borrow);
    auto fits  = word(Op::Or, out, word(Op::Xor, borrow, number(1)));
    auto kept  = chosen(word(Op::Neg, fits), less, more);
    auto moved = cut(shifted(l.rows[0], 1, 0), width);
    moved[0]   = word(Op::Or, moved[0], fits);
    b_.finish(enter(l, {moved, kept, l.rows[2]}, word(Op::Sub, l.count, number(1))));
    b_.at = from;
    return enter(l, {x, Parts(size, number(0)), y}, number(width));
}

// ---- generators
// -----------------------------------------------------------------------------------------------------------------

/// `Just` of what is not 0.
Tail RowCode::nonzero(const Use& use) {
    auto from = b_.at;
    auto some = b_.block("some", {}, at_);
    auto none = b_.block("none", {}, at_);
    b_.at     = none;
    b_.finish(tail(Tail::Build, nothing_, {}, at_));
    b_.at     = some;
    auto& o   = use.operands[0];
    auto type = source_.types.apply(source_.types.con("NZBit"), source_.types.number(o.width));
    auto x    = b_.emit(same(o.value, o.type, type), "x");
    b_.finish(tail(Tail::Build, just_, {x}, at_));
    b_.at       = b_.block("choose", {}, at_);
    auto choice = b_.at;
    branch(word(Op::Neq, any(operand(use, 0)), number(0)), {some, {}, at_}, {none, {}, at_});
    b_.at = from;
    return tail(Tail::Block, choice, {}, at_);
}

/// Of one or two rows of the same width.
Tail RowCode::of_bits(std::string_view how, const Use& use) {
    auto width = use.operands[0].width;
    auto x     = operand(use, 0);
    auto y     = use.operands.size() > 1 ? operand(use, 1) : x;
    Atom borrow;
    if (how == "And") return result(use, each(Op::And, x, y));
    if (how == "Or") return result(use, each(Op::Or, x, y));
    if (how == "Xor") return result(use, each(Op::Xor, x, y));
    if (how == "Not") return result(use, each(Op::Xor, x, Parts(x.size(), number(~uint64_t(0)))));
    if (how == "Plus") return result(use, sum(x, y));
    if (how == "Minus") return result(use, difference(x, y, borrow));
    if (how == "Negate") return result(use, difference(Parts(x.size(), number(0)), x, borrow));
    if (how == "Times") return product(x, y, use);
    if (how == "Div" || how == "Rem") return quotient(x, y, width, how == "Rem", use);
    return tail(Tail::Return, kNone, {compared(how, x, y, width)}, at_);
}

/// Of places in a row, the last operand.
Tail RowCode::of_places(std::string_view how, const Use& use) {
    auto width = use.numbers[0];
    auto place = word(Op::As, use.operands.back().value);
    if (how == "Bit") return result(use, bit(place, width));
    auto x = operand(use, 0);
    if (how == "ShiftL") return result(use, shifted(x, place, true));
    if (how == "ShiftRu") return result(use, shifted(x, place, false));
    auto b = bit(place, width);
    if (how == "SetBit") return result(use, each(Op::Or, x, b));
    if (how == "FlipBit") return result(use, each(Op::Xor, x, b));
    auto has = each(Op::And, x, b);
    if (how == "ClearBit") return result(use, each(Op::Xor, x, has));
    return tail(Tail::Return, kNone, {any(has)}, at_); // TestBit
}

Tail RowCode::operator()(const Use& use) {
    at_      = use.at;
    auto& n  = use.numbers;
    auto how = use.generator;
    auto is  = [&](auto... names) { return ((how == names) || ...); };
    auto of  = [&](size_t i) { return operand(use, i); };
    if (is("primBitFromLiteral", "primNZBitFromLiteral")) return result(use, constant(n[0], use.width));
    if (is("primBitToWord")) return tail(Tail::Return, kNone, {fitted(of(0), 1)[0]}, at_);
    if (is("primWordToBit", "primIxToBit", "primBitsLo")) return result(use, of(0));
    if (is("primBitsConcat")) {
        auto size = count(use.width);
        auto high = shifted(fitted(of(0), size), n[1], 0);
        return result(use, each(Op::Or, high, fitted(of(1), size)));
    }
    if (is("primBitSelect")) return result(use, shifted(of(0), 0, n[1]));
    if (is("primBitsHi")) return result(use, shifted(of(0), 0, n[0] - n[1]));
    if (is("primBitBitSize")) return tail_of(Op::As, {number(n[0] - 1)});
    if (is("primNZBitForget", "primBitdataToBit", "primBitToBitdata"))
        return same(use.operands[0].value, use.operands[0].type, use.type);
    if (is("primNZBitNonZero")) return nonzero(use);
    if (is("primModIx")) {
        auto x = of(0);
        return quotient(x, fitted(constant(n[1], 64), x.size()), n[0], true, use);
    }
    for (std::string_view prefix : {"primBitdata", "primNZBit", "primBit"}) {
        if (!how.starts_with(prefix)) continue;
        how.remove_prefix(prefix.size());
        break;
    }
    return is("SetBit", "ClearBit", "FlipBit", "TestBit", "Bit", "ShiftL", "ShiftRu") ? of_places(how, use) : of_bits(how, use);
}

} // namespace mim::plug::mil
