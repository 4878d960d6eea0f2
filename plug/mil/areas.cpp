// SPDX-License-Identifier: MIT
#include "areas.h"

#include <algorithm>
#include <string_view>

#include "bit_sets.h"
#include "mil/diagnostics.h"

namespace mim::plug::mil {

namespace {

const DataType* data_of(const Program& p, Types& types, Type* t) {
    for (t = types.resolve(t); t->kind == Type::Apply;) t = types.resolve(t->first);
    auto found = std::ranges::find_if(p.datas, [&](auto& d) { return d.type == t; });
    return found == p.datas.end() ? nullptr : &*found;
}

/// Values in memory have 1, 2, 4 or 8 bytes, and stand at multiples of their size.
std::optional<AreaLayout> stored(Source& source, Type* t) {
    std::vector<Type*> arguments;
    bool is_kept = source.types.is_apply(t, "Ref", arguments) || source.types.is_apply(t, "Ptr", arguments);
    if (is_kept) return AreaLayout{8, 8};
    auto bits = bit_size(source, t);
    if (!bits || *bits > 64) return {};
    uint64_t bytes = *bits <= 8 ? 1 : *bits <= 16 ? 2 : *bits <= 32 ? 4 : 8;
    return AreaLayout{bytes, bytes};
}

} // namespace

std::optional<uint64_t> bit_size(Source& source, Type* t) {
    auto& types = source.types;
    std::vector<Type*> arguments;
    for (auto name : {"Bit", "NZBit", "Ix", "Inx"}) {
        if (!types.is_apply(t, name, arguments)) continue;
        auto n = types.number_of(arguments[0]);
        if (!n) return {};
        bool is_row = name[0] == 'B' || name[0] == 'N';
        return is_row ? *n : width_below(std::string_view(name) == "Inx" ? *n + 1 : *n);
    }
    if (types.is_apply(t, "Bool", arguments)) return 1;
    if (types.is_apply(t, "Unit", arguments)) return 0;
    auto data   = data_of(source.program, types, t);
    bool is_row = data && is_bits(*data) && data->width != kNone;
    return is_row ? std::optional<uint64_t>(data->width) : std::nullopt;
}

std::optional<AreaLayout> area_layout(Source& source, Type* t) {
    auto& types = source.types;
    std::vector<Type*> arguments;
    if (types.is_apply(t, "Stored", arguments)) return stored(source, arguments[0]);
    if (auto index = find_struct(source.program, types, t)) {
        auto& data = source.program.datas[*index];
        return data.has_size ? std::optional(AreaLayout{data.bytes, data.align}) : std::nullopt;
    }
    bool is_array = types.is_apply(t, "Array", arguments);
    bool repeats  = is_array || types.is_apply(t, "Pad", arguments);
    if (!repeats) return {};
    auto n = types.number_of(arguments[0]);
    auto a = area_layout(source, arguments[1]);
    if (!n || !a || (is_array && !is_even(*a))) return {};
    constexpr uint64_t kMostBytes = uint64_t(1) << 40;
    bool is_large                 = a->bytes != 0 && *n > kMostBytes / a->bytes;
    return is_large ? std::nullopt : std::optional(AreaLayout{*n * a->bytes, a->align});
}

/// The elements of an array, in the area, that cannot follow each other; null if there are none.
static Type* find_uneven(Source& source, Type* t) {
    std::vector<Type*> arguments;
    bool is_array = source.types.is_apply(t, "Array", arguments);
    bool repeats  = is_array || source.types.is_apply(t, "Pad", arguments);
    if (!repeats) return nullptr;
    auto inside    = arguments[1];
    auto layout    = area_layout(source, inside);
    bool is_uneven = is_array && layout && !is_even(*layout);
    return is_uneven ? inside : find_uneven(source, inside);
}

void report_no_size(Diagnostics& diags, Source& source, Type* t, Span at) {
    auto uneven = find_uneven(source, t);
    if (!uneven) return void(diags.report(diag::no_size(source.types.text(t)), at));
    auto layout = area_layout(source, uneven);
    diags.report(diag::uneven(source.types.text(uneven), layout->bytes, layout->align), at);
}

std::optional<uint32_t> find_struct(const Program& p, Types& types, Type* area) {
    auto data      = data_of(p, types, area);
    bool is_struct = data && data->form == DataType::Struct;
    return is_struct ? std::optional(static_cast<uint32_t>(data - p.datas.data())) : std::nullopt;
}

/// The words of a row of bits, of which a single bit is none; nothing if a value is no row.
static std::optional<uint64_t> row_words(Source& source, Type* t) {
    std::vector<Type*> parts;
    bool is_object = source.types.is_apply(t, "Bool", parts) || source.types.is_apply(t, "Unit", parts);
    auto bits      = is_object ? std::nullopt : bit_size(source, t);
    if (!bits) return {};
    auto word = source.program.word_bits;
    return *bits <= 1 ? *bits : 1 + (*bits + word - 1) / word;
}

bool is_address(Types& types, Type* t) {
    std::vector<Type*> parts;
    auto is_it = [&](const char* name) { return types.is_apply(t, name, parts); };
    return is_it("Ref") || is_it("Ptr") || is_it("Phys") || is_it("Addr");
}

bool has_same_form(Source& source, Type* a, Type* b) {
    auto& types  = source.types;
    a            = types.resolve(a);
    b            = types.resolve(b);
    bool is_open = a->kind == Type::Var || b->kind == Type::Var;
    if (a == b || is_open) return types.unify(a, b) == Agreement::Same;
    auto words = row_words(source, a);
    if (words) return words == row_words(source, b);
    if (is_address(types, a)) return is_address(types, b);
    bool has_parts = a->kind == Type::Apply && b->kind == Type::Apply;
    return has_parts && has_same_form(source, a->first, b->first) && has_same_form(source, a->second, b->second);
}

std::optional<AreaLayout> placed_area(Diagnostics& diags, Source& source, Type* area, uint64_t asked, Span at) {
    auto layout = area_layout(source, area);
    if (!layout) {
        report_no_size(diags, source, area, at);
        return {};
    }
    bool fits = asked == 0 || asked % layout->align == 0;
    if (fits) return AreaLayout{layout->bytes, std::max(asked, layout->align)};
    diags.report(diag::alignment(source.types.text(area), layout->align, asked), at);
    return {};
}

/// A number of so many bits is a value of the type.
static bool is_value(Types& types, Type* t, uint64_t bits, uint64_t number) {
    std::vector<Type*> parts;
    if (types.is_apply(t, "Ix", parts)) return number < types.number_of(parts[0]).value_or(0);
    if (types.is_apply(t, "Inx", parts)) return number <= types.number_of(parts[0]).value_or(0);
    bool is_zero = types.is_apply(t, "NZBit", parts) && number == 0;
    return !is_zero && (bits >= 64 || number >> bits == 0);
}

void check_same(Diagnostics& diags, Source& source, Type* is, Type* want, std::optional<uint64_t> word, Span at) {
    auto& types = source.types;
    if (types.is_broken(is) || types.is_broken(want)) return;
    auto bits     = bit_size(source, want);
    bool is_row   = word && bits;
    bool is_other = !is_row && !has_same_form(source, is, want);
    if (is_other) diags.report(diag::other_form(types.text(is), types.text(want)), at);
    bool fits = !is_row || is_value(types, want, *bits, *word);
    if (!fits) diags.report(diag::misfit(types.text(want), "a number that is one of its values"), at);
}

bool has_open_part(const Program& p, Types& types, Type* t) {
    std::vector<Type*> arguments;
    auto head = types.resolve(t);
    for (; head->kind == Type::Apply; head = types.resolve(head->first)) arguments.insert(arguments.begin(), head->second);
    auto data = head->kind == Type::Con ? data_of(p, types, head) : nullptr;
    for (size_t i = 0; i != arguments.size(); ++i) {
        bool is_size = data && i < data->kinds.size() && data->kinds[i] != Kind::Type;
        auto kind    = types.resolve(arguments[i])->kind;
        bool is_open = is_size && (kind == Type::Var || kind == Type::Rigid);
        if (is_open || has_open_part(p, types, arguments[i])) return true;
    }
    return false;
}

} // namespace mim::plug::mil
