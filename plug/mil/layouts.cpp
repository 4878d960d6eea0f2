// SPDX-License-Identifier: MIT
#include "layouts.h"

#include "mil/diagnostics.h"
#include "reader.h"
#include "stages.h"

namespace mim::plug::mil {

// ---- widths
// -----------------------------------------------------------------------------------------------------------------

/// A type of numbers from 0 to less than a limit, or of rows of bits.
bool Layouts::numbers(Region& r, const std::string& name, Type* size) {
    auto n = types_.number_of(size);
    if (!n) return false;
    bool is_row = name == "Bit" || name == "NZBit";
    r.content   = name == "NZBit" ? Region::NonZero : name == "Bit" ? Region::Any : Region::Below;
    r.limit     = name == "Inx" ? *n + 1 : *n;
    r.width     = is_row ? static_cast<uint32_t>(std::min<uint64_t>(*n, kMostBits + 1)) : width_below(r.limit);
    return r.width <= kMostBits;
}

/// False if values of the type are no rows of bits.
bool Layouts::classify(Region& r, Type* t) {
    t = types_.resolve(t);
    if (t->kind == Type::Apply) {
        auto head      = types_.resolve(t->first);
        bool is_number = head == types_.con("Bit") || head == types_.con("NZBit") || head == types_.con("Ix")
                         || head == types_.con("Inx");
        return is_number && numbers(r, head->name, t->second);
    }
    if (t == types_.con("Unit")) {
        r.content = Region::Nothing;
        r.width   = 0;
        return true;
    }
    if (t == types_.con("Bool")) {
        r.content = Region::Truth;
        r.width   = 1;
        return true;
    }
    auto data = datas_.find(t);
    if (data == datas_.end() || !is_bits(p_.datas[data->second])) return false;
    auto& inside = p_.datas[data->second];
    auto whole   = inside.form == DataType::Layout ? p_.cons[inside.outside].data : data->second;
    if (!lay_out(whole)) return false;
    r.content = Region::Of;
    r.number  = data->second;
    r.width   = p_.datas[data->second].width;
    return true;
}

bool Layouts::lay_out(uint32_t data) {
    auto state = states_[data];
    if (state != New) return state == Done;
    states_[data] = Open;
    bool is_fine  = find_widths(data);
    states_[data] = is_fine ? Done : Failed;
    if (is_fine) done_.push_back(data);
    return is_fine;
}

bool Layouts::find_widths(uint32_t data) {
    auto cons    = p_.datas[data].cons;
    bool is_fine = true;
    for (auto c : cons) {
        size_t field = 0;
        for (size_t i = 0; i != p_.cons[c].regions.size(); ++i) {
            auto r = p_.cons[c].regions[i];
            if (!r.is_field()) continue;
            auto type = p_.cons[p_.cons[c].layout].types[field++];
            if (types_.is_broken(type)) return false;
            if (!classify(r, type)) {
                diags_.report(diag::no_bits(types_.text(type)), r.text->at);
                is_fine = false;
            }
            p_.cons[c].regions[i] = r;
        }
    }
    if (!is_fine) return false;
    // A constructor whose widths are all known says how wide the others are.
    auto& type = p_.datas[data];
    for (auto c : cons) {
        auto& regions = p_.cons[c].regions;
        bool is_known = type.width == kNone && std::ranges::all_of(regions, [](auto& r) { return r.width != kNone; });
        if (!is_known) continue;
        type.width = 0;
        for (auto& r : regions) type.width = std::min(type.width + r.width, kMostBits + 1);
    }
    if (type.width == kNone) {
        diags_.report(diag::no_width(type.name), type.at);
        return false;
    }
    if (type.width > kMostBits) {
        diags_.report(diag::misfit(type.name, too_many_bits()), type.at);
        return false;
    }
    for (auto c : cons) is_fine = complete(type, p_.cons[c]) && is_fine;
    return is_fine;
}

/// Gives what is left of the width to the region whose width nobody says, and each region its place.
bool Layouts::complete(DataType& type, Con& con) {
    Region* open  = nullptr;
    uint32_t used = 0;
    for (auto& r : con.regions) {
        if (r.width != kNone) used = std::min(used + r.width, kMostBits + 1);
        else if (!open) open = &r;
        else {
            diags_.report(diag::no_width(con.name), r.at);
            return false;
        }
    }
    bool is_fine = open ? used <= type.width : used == type.width;
    if (!is_fine) {
        diags_.report(diag::other_width(con.name, used, type.width), con.at);
        return false;
    }
    if (open) open->width = type.width - used;
    uint32_t place = type.width;
    for (auto& r : con.regions) {
        place -= r.width;
        r.offset = place;
        if (r.content == Region::Fixed) is_fine = fits(con, r) && is_fine;
    }
    if (con.layout != kNone) p_.datas[p_.cons[con.layout].data].width = type.width;
    return is_fine;
}

bool Layouts::fits(const Con& con, const Region& r) {
    if ((r.row >> r.width).none()) return true;
    diags_.report(diag::too_wide(std::to_string(r.number), r.width, con.name), r.at);
    return false;
}

// ---- rows
// -------------------------------------------------------------------------------------------------------------------

BitSets::Set Layouts::rows(const Region& r, uint32_t place) {
    switch (r.content) {
        case Region::Fixed: return sets_.fixed(r.row, r.width, place);
        case Region::Below: return sets_.below(r.limit, r.width, place);
        case Region::NonZero: {
            auto result = BitSets::kNothing;
            for (uint32_t i = 0; i != r.width; ++i) result = sets_.either(result, sets_.bit(place + i, true));
            return result;
        }
        case Region::Of: return rows(p_.datas[r.number], place);
        default: return BitSets::kAll;
    }
}

BitSets::Set Layouts::rows(const Con& con, uint32_t place) {
    auto result = BitSets::kAll;
    for (auto& r : con.regions) result = sets_.both(result, rows(r, place + r.offset));
    return result;
}

BitSets::Set Layouts::rows(const DataType& data, uint32_t place) {
    if (data.form == DataType::Layout) return rows(p_.cons[data.outside], place);
    auto result = BitSets::kNothing;
    for (auto c : data.cons) result = sets_.either(result, rows(p_.cons[c], place));
    return result;
}

bool Layouts::find_mask(Con& con, BitSets::Set own, BitSets::Set others, uint32_t width) {
    for (bool is_other : {false, true}) {
        auto mask     = sets_.common(is_other ? others : own, width);
        bool is_apart = sets_.both(sets_.matching(mask, width), is_other ? own : others) == BitSets::kNothing;
        if (!is_apart) continue;
        con.mask     = mask.mask;
        con.bits     = mask.bits;
        con.is_other = is_other;
        return true;
    }
    return false;
}

/// Reports a row that two constructors can be.
bool Layouts::is_confused(const DataType& type, const Rows& rows) {
    for (size_t i = 0; i != rows.size(); ++i)
        for (size_t j = 0; j != i; ++j) {
            auto shared = sets_.both(rows[i], rows[j]);
            if (shared == BitSets::kNothing) continue;
            auto& con   = p_.cons[type.cons[i]];
            auto& other = p_.cons[type.cons[j]];
            auto row    = row_text(sets_.member(shared), type.width);
            diags_.report(diag::confusion(other.name, con.name, row), con.at).note(diag::other_here, other.at);
            return true;
        }
    return false;
}

void Layouts::tell_apart(DataType& type) {
    Rows all;
    for (auto c : type.cons) all.push_back(rows(p_.cons[c], 0));
    if (is_confused(type, all)) return;
    auto whole = BitSets::kNothing;
    for (size_t i = 0; i != all.size(); ++i) {
        auto& con   = p_.cons[type.cons[i]];
        auto others = BitSets::kNothing;
        for (size_t j = 0; j != all.size(); ++j)
            if (j != i) others = sets_.either(others, all[j]);
        whole = sets_.either(whole, all[i]);
        if (find_mask(con, all[i], others, type.width)) continue;
        diags_.report(diag::no_mask(con.name), con.at);
        return;
    }
    type.has_junk = whole != BitSets::kAll;
    if (type.has_junk) diags_.report(diag::junk(type.name, row_text(sets_.outside(whole), type.width)), type.at);
}

std::optional<Row> Layouts::free_row(const Region& r) {
    auto own = rows(r, 0);
    bool has = r.width != 0 && own != BitSets::kAll;
    return has ? std::optional(sets_.outside(own)) : std::nullopt;
}

void Layouts::add(uint32_t data) {
    states_.resize(p_.datas.size());
    for (auto i = data; i != p_.datas.size(); ++i) datas_[p_.datas[i].type] = i;
    lay_out(data);
}

void lay_out(Diagnostics& diags, Source& source) { Layouts(diags, source.program, source.types).run(); }

} // namespace mim::plug::mil
