// SPDX-License-Identifier: MIT
// See rooms.h.
#include "rooms.h"

#include <algorithm>

#include "ir/questions.h"

namespace mim::plug::dpia {

static bool mentions(World& w, const Def* def, const Lam* scope) {
    return std::ranges::any_of(free_vars(w, def), [&](auto var) { return var == scope->var(); });
}

/// The scope of the last buffer of a room is inside of those of the others, and mentions none of them. So it is enough
/// to ask for the last one.
std::optional<std::string> Rooms::find(World& w, const Def* space, const Def* type, const Lam* body) {
    auto is_needed = [&](const Buffer& b) {
        bool comes_later = !b.is_written, is_past = b.followed == level_.followed;
        return mentions(w, body, b.scope) || !(comes_later || is_past);
    };
    for (auto& room : level_.rooms) {
        if (room.space != space || room.type != type) continue;
        if (!room.buffers.empty() && is_needed(room.buffers.back())) continue;
        room.buffers.push_back({body, level_.followed});
        return room.name;
    }
    return {};
}

void Rooms::add(const Def* space, const Def* type, const std::string& name, const Lam* body) {
    level_.rooms.push_back({space, type, name, {{body, level_.followed}}});
}

void Rooms::release(const Lam* body) {
    auto is_last = [&](const Room& room) { return !room.buffers.empty() && room.buffers.back().scope == body; };
    auto room    = std::ranges::find_if(level_.rooms, is_last);
    if (room != level_.rooms.end()) room->buffers.pop_back();
}

void Rooms::note(World& w, const Def* command) {
    for (auto& room : level_.rooms) {
        if (room.buffers.empty()) continue;
        auto& last = room.buffers.back();
        last.is_written |= mentions(w, command, last.scope);
    }
}

} // namespace mim::plug::dpia
