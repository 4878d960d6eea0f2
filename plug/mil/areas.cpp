// SPDX-License-Identifier: MIT
#include "areas.h"

#include <algorithm>
#include <string_view>

#include "bit_sets.h"

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
    if (source.types.is_apply(t, "Ref", arguments)) return AreaLayout{8, 8};
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
    bool repeats = types.is_apply(t, "Array", arguments) || types.is_apply(t, "Pad", arguments);
    if (!repeats) return {};
    auto n = types.number_of(arguments[0]);
    auto a = area_layout(source, arguments[1]);
    if (!n || !a) return {};
    constexpr uint64_t kMostBytes = uint64_t(1) << 40;
    bool is_large                 = a->bytes != 0 && *n > kMostBytes / a->bytes;
    return is_large ? std::nullopt : std::optional(AreaLayout{*n * a->bytes, a->align});
}

bool has_open_number(const Program& p, Types& types, Type* t) {
    std::vector<Type*> arguments;
    auto head = types.resolve(t);
    for (; head->kind == Type::Apply; head = types.resolve(head->first)) arguments.insert(arguments.begin(), head->second);
    auto data = head->kind == Type::Con ? data_of(p, types, head) : nullptr;
    for (size_t i = 0; i != arguments.size(); ++i) {
        bool is_number = data && i < data->kinds.size() && data->kinds[i] == Kind::Number;
        bool is_open   = is_number && !types.number_of(arguments[i]);
        if (is_open || has_open_number(p, types, arguments[i])) return true;
    }
    return false;
}

} // namespace mim::plug::mil
