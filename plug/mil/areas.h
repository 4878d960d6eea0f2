// SPDX-License-Identifier: MIT
// The sizes of values and areas in memory.
#pragma once
#include <optional>

#include "diag/diag.h"
#include "tree.h"

namespace mim::plug::mil {

/// The bits of a value; nothing if its type has no size in bits.
std::optional<uint64_t> bit_size(Source&, Type*);

struct AreaLayout {
    uint64_t bytes, align;
};
/// Nothing if it has no size.
std::optional<AreaLayout> area_layout(Source&, Type*);
/// Says why that is so.
void report_no_size(Diagnostics&, Source&, Type*, Span);
/// Elements of an array follow each other only if their size is a multiple of their alignment.
inline bool is_even(const AreaLayout& a) { return a.bytes % a.align == 0; }
/// The `struct` that an area is; nothing if it is none.
std::optional<uint32_t> find_struct(const Program&, Types&, Type* area);

/// `Ref a`, `Ptr a`, `Phys a` or `Addr`
bool is_address(Types&, Type*);
/// Where there is memory for it, at an address as the text asks for (0: it does not). Nothing after a report.
std::optional<AreaLayout> placed_area(Diagnostics&, Source&, Type* area, uint64_t asked, Span);

/// Reports a value of the type `is` that is represented otherwise than one of `want`; `word` is a literal.
void check_same(Diagnostics&, Source&, Type* is, Type* want, std::optional<uint64_t> word, Span);
/// Values of both types are represented in the same way: so many words or addresses, or parts for which this holds.
bool has_same_form(Source&, Type*, Type*);

/// The type is about a number, a label or an area that is not known.
bool has_open_part(const Program&, Types&, Type*);

} // namespace mim::plug::mil
