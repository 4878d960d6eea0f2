// SPDX-License-Identifier: MIT
// Packs that copy an array element by element. Inference makes them, and programs write them; each is the array that it copies.
#pragma once
#include "ir/world.h"

namespace mim {

/// The e of `‹i: n; e#i›`, where i does not occur in e; null for any other expression.
inline const Def* isa_expanded(World& world, const Def* def) {
    auto pack = def->isa<Pack>();
    auto elem = pack && pack->is_mut() ? pack->body()->isa<Extract>() : nullptr;
    if (!elem || elem->index() != pack->var()) return nullptr;
    return is_free_in(world, pack->var(), elem->tuple()) ? nullptr : elem->tuple();
}

} // namespace mim
