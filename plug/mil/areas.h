// SPDX-License-Identifier: MIT
// The sizes of values and areas in memory.
#pragma once
#include <optional>

#include "tree.h"

namespace mim::plug::mil {

/// The bits of a value; nothing if its type has no size in bits.
std::optional<uint64_t> bit_size(Source&, Type*);

struct AreaLayout {
    uint64_t bytes, align;
};
/// Nothing if it has no size.
std::optional<AreaLayout> area_layout(Source&, Type*);

/// The type is about a number that is not known.
bool has_open_number(const Program&, Types&, Type*);

} // namespace mim::plug::mil
