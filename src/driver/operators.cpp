// SPDX-License-Identifier: MIT
#include "driver/operators.h"

#include <algorithm>

namespace mim {

template<class Note>
static bool is_without_call(const Note& note) {
    return note.id == Diag::no_operators && note.args.size() == 2 && note.args[1].empty();
}

bool lacks_call(const Diagnostic& d) {
    return std::ranges::any_of(d.notes, [](auto& note) { return is_without_call(note); });
}

void name_calls(Diagnostic& d, const Manifests& manifests) {
    for (auto& note : d.notes) {
        if (!is_without_call(note)) continue;
        auto call = manifests.call_for(note.args[0]);
        if (!call.empty()) note.args[1] = ", as in `" + call + "`";
    }
}

} // namespace mim
