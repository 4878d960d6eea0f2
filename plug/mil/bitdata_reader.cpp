// SPDX-License-Identifier: MIT
// Declarations of `bitdata`, in LC and MIL.
#include <algorithm>

#include "front/chars.h"
#include "front/literal.h"
#include "front/scanner.h"
#include "mil/diagnostics.h"
#include "reader.h"

namespace mim::plug::mil {

std::optional<BitLiteral> bit_literal(std::string_view word) {
    unsigned each = word[0] == 'B' ? 1 : word[0] == 'O' ? 3 : word[0] == 'X' ? 4 : 0;
    bool is_short = each == 0 || word.size() < 2 || word[1] == '_';
    if (is_short) return {};
    BitLiteral result;
    for (auto c : word.substr(1)) {
        if (c == '_') continue;
        auto digit = front::digit_value(c);
        if (digit >> each != 0) return {};
        result.value = result.value << each | Row(digit);
        result.width += each;
        result.is_large |= result.width > kMostBits;
        if (result.is_large) result.width = kMostBits;
    }
    return result;
}

std::optional<BitLiteral> Reader::bits() {
    auto literal = at(front::Name) ? bit_literal(cursor_.word()) : std::nullopt;
    if (!literal) return {};
    if (literal->is_large) diags_.report(diag::misfit("Bit", too_many_bits()), here());
    next();
    return literal;
}

/// The number in an Atom or an Expr.
uint64_t Reader::number_of(const BitLiteral& b) { return b.width > 64 ? source_.program.row(b.value) : low_bits(b.value); }

/// `12`, `0xff`, `0o17`, `0b01`, and with `K`, `M`, `G` or `T` behind it so many times 2^10, 2^20, 2^30 or 2^40.
NumberLiteral number(std::string_view text) {
    constexpr std::string_view kSuffixes = "KMGT";
    auto letter                          = text.size() > 2 && text[0] == '0' ? text[1] | 0x20 : 0;
    unsigned base                        = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 10;
    if (base != 10) text.remove_prefix(2);
    auto suffix = kSuffixes.find(text.back());
    if (suffix != kSuffixes.npos) text.remove_suffix(1);
    auto is_digit = [&](char c) { return front::digit_value(c) < base; };
    if (text.empty() || !std::ranges::all_of(text, is_digit)) return {0, false, true};
    NumberLiteral result;
    auto digits  = front::read_digits(text, base);
    result.fits  = digits.has_value();
    auto factor  = suffix == kSuffixes.npos ? 1 : uint64_t(1) << 10 * (suffix + 1);
    bool is_more = __builtin_mul_overflow(digits.value_or(0), factor, &result.number);
    result.fits &= !is_more;
    return result;
}

/// `/w` behind the name of a type.
void Reader::width(DataType& type) {
    bool has_width = at(front::Operator) && cursor_.word() == "/";
    if (!has_width) return;
    next();
    type.width_at = here();
    if (!at(front::Integer)) return expected("how many bits it has");
    auto bits = integer();
    if (bits > kMostBits) diags_.report(diag::misfit(type.name, too_many_bits()), type.width_at);
    type.width = static_cast<uint32_t>(std::min<uint64_t>(bits, kMostBits));
}

void Reader::bitdata() {
    reading = "a `bitdata` declaration";
    next();
    auto name = con_name();
    if (!name) return skip_item();
    DataType type{name->text, name->at, {}, {}};
    type.form = DataType::Bitdata;
    width(type);
    auto data = add_type(*name, std::move(type));
    if (!data) return skip_item();
    source_.program.order.push_back({Program::DataKind, *data});
    if (!accept(Equals)) return expected("`=`");
    do bit_constructor(*data);
    while (accept(Bar));
}

void Reader::bit_constructor(uint32_t data) {
    auto name = con_name();
    if (!name) return;
    std::vector<Region> regions;
    if (accept(LBracket)) bracketed(Bar, RBracket, [&] { region(*name, regions); });
    auto outer = add_con(*name, data, {});
    if (!outer) return;
    auto& p        = source_.program;
    auto& con      = p.cons[*outer];
    con.regions    = regions;
    bool has_field = std::ranges::any_of(regions, &Region::is_field);
    if (!has_field) return;
    Word inside{p.datas[data].name + "." + name->text, name->at};
    con.fields = {source_.type_expr({TypeExpr::Con, name->at, inside.text})};
    DataType layout{inside.text, name->at, {}, {}};
    layout.form    = DataType::Layout;
    layout.outside = *outer;
    auto type      = add_type(inside, std::move(layout));
    if (!type) return;
    std::vector<TypeExpr*> fields;
    for (auto& r : regions)
        if (r.is_field()) fields.push_back(r.text);
    if (auto inner = add_con(inside, *type, std::move(fields))) p.cons[*outer].layout = *inner;
}

/// A tag, padding, or fields of one type.
void Reader::region(const Word& con, std::vector<Region>& all) {
    Region r;
    r.at = here();
    if (auto tag = bits()) {
        r.fix(tag->value);
        r.width = tag->width;
        return all.push_back(r);
    }
    if (at(front::Integer)) {
        r.fix(integer());
        return all.push_back(r);
    }
    auto first = all.size();
    do {
        auto name = variable("a field, a tag or a number");
        if (!name) return;
        for (auto& other : all)
            if (other.name == name->text) report_twice(diags_, name->text, name->at, other.at);
        all.push_back({name->text, name->at});
        if (accept(Equals)) all.back().initial = initial_value(name->text + "'" + con.text);
    } while (accept(Comma));
    if (!expect(Colons)) return;
    auto t = type();
    for (auto i = first; i != all.size(); ++i) {
        all[i].text = t;
        if (all[i].initial) all[i].initial->signature = t;
    }
}

} // namespace mim::plug::mil
