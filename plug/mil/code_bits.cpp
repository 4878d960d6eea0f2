// SPDX-License-Identifier: MIT
// Values of `bitdata` are their rows of bits. Fields are moved by shifts and masks.
#include "code_maker.h"

namespace mim::plug::mil {

namespace {

uint64_t ones_below(uint32_t width) { return width >= 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1; }

} // namespace

/// To the left, or to the right if `places` is less than 0.
const mim::Def* CodeMaker::shifted(const mim::Def* value, int places) {
    if (places == 0) return value;
    if (places > 0) return wrap(core::wrap::shl, value, number(static_cast<uint64_t>(places)));
    return w.call(core::shr::l, {value, number(static_cast<uint64_t>(-places))});
}

/// A constructor that has fields is its layout.
const mim::Def* CodeMaker::row(const Tail& t) {
    auto& con      = p_.cons[t.target];
    auto& data     = p_.datas[con.data];
    bool is_inside = data.form == DataType::Layout;
    if (!is_inside && !t.args.empty()) return atom(t.args[0]);
    uint64_t fixed = 0;
    size_t next    = 0;
    Values parts;
    for (auto& r : is_inside ? p_.cons[data.outside].regions : con.regions) {
        auto value = r.is_field() ? atom(t.args[next++]) : nullptr;
        if (r.width == 0) continue;
        if (!value) fixed |= r.number << r.offset;
        // A `Bool` is 1 or 3: only its second bit changes.
        else if (r.content == Region::Truth) parts.push_back(shifted(shifted(value, -1), static_cast<int>(r.offset)));
        else parts.push_back(shifted(value, static_cast<int>(r.offset)));
    }
    auto result = number(fixed);
    for (auto part : parts) result = bits(core::bit2::or_, result, part);
    return result;
}

const mim::Def* CodeMaker::field_of(const Tail& t) {
    auto value = atom(t.args[0]);
    auto& data = data_of(p_, t.target);
    if (data.form != DataType::Layout) return value;
    auto index = t.index;
    for (auto& r : p_.cons[data.outside].regions) {
        if (!r.is_field() || index-- != 0) continue;
        if (r.content == Region::Nothing) return number(1);
        if (r.width == 0) return number(0);
        auto moved = bits(core::bit2::and_, shifted(value, -static_cast<int>(r.offset)), number(ones_below(r.width)));
        return r.content == Region::Truth ? bits(core::bit2::or_, shifted(moved, 1), number(1)) : moved;
    }
    return number(0);
}

/// Among rows that some constructor makes, a mask is enough.
const mim::Def* CodeMaker::is_row_of(const Con& con, const mim::Def* value) {
    if (p_.datas[con.data].has_junk) {
        auto test = holds(con, value, 0);
        return test ? test : w.lit_idx(2, 1);
    }
    if (con.mask.none()) return w.lit_idx(2, 1);
    auto masked = bits(core::bit2::and_, value, number(low_bits(con.mask)));
    return w.call(con.is_other ? core::icmp::ne : core::icmp::e, {masked, number(low_bits(con.bits))});
}

/// Null: always.
const mim::Def* CodeMaker::holds(const Con& con, const mim::Def* value, uint32_t place) {
    uint64_t mask = 0, fixed = 0;
    for (auto& r : con.regions) {
        if (r.content != Region::Fixed || r.width == 0) continue;
        mask |= ones_below(r.width) << (place + r.offset);
        fixed |= r.number << (place + r.offset);
    }
    const mim::Def* result = nullptr;
    if (mask != 0) result = w.call(core::icmp::e, {bits(core::bit2::and_, value, number(mask)), number(fixed)});
    for (auto& r : con.regions) result = all_of(result, holds(r, value, place + r.offset));
    return result;
}

const mim::Def* CodeMaker::holds(const Region& r, const mim::Def* value, uint32_t place) {
    auto own = [&] { return bits(core::bit2::and_, shifted(value, -static_cast<int>(place)), number(ones_below(r.width))); };
    switch (r.content) {
        case Region::Below: {
            bool is_all = r.width == 0 || (r.width < 64 && r.limit >> r.width != 0);
            return is_all ? nullptr : w.call(core::icmp::ul, {own(), number(r.limit)});
        }
        case Region::NonZero: return w.call(core::icmp::ne, {own(), number(0)});
        case Region::Of: break;
        default: return nullptr;
    }
    auto& data = p_.datas[r.number];
    if (data.form == DataType::Layout) return holds(p_.cons[data.outside], value, place);
    const mim::Def* any = nullptr;
    for (auto c : data.cons) {
        auto one = holds(p_.cons[c], value, place);
        if (!one) return nullptr;
        any = any ? bits(core::bit2::or_, any, one) : one;
    }
    return any;
}

/// The word of a row that fits 64 bits, or the row with another word there. Wider rows are objects (wide.cpp).
const mim::Def* CodeMaker::part_of_row(const Tail& t, const Values& args) {
    auto place = static_cast<int>(t.args[2].number * p_.word_bits);
    bool puts  = args.size() == 4;
    if (!puts) return masked(shifted(args[0], -place));
    auto others = ~(p_.mask() << place);
    return bits(core::bit2::or_, bits(core::bit2::and_, args[0], number(others)), shifted(args[3], place));
}

} // namespace mim::plug::mil
