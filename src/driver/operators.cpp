// SPDX-License-Identifier: MIT
#include "driver/operators.h"

#include <algorithm>
#include <span>
#include <string>

namespace mim {

template<class Note>
static bool is_without_call(const Note& note) {
    bool is_of_operator = note.id == Diag::no_operators || note.id == Diag::operator_call;
    return is_of_operator && note.args.size() >= 2 && note.args[1].empty();
}

/// The call with texts in place of its words `s` and `n`.
static std::string filled(std::string_view call, std::span<const std::string> values) {
    std::string text;
    auto is_word = [&](size_t i) {
        bool is_start = i == 0 || call[i - 1] == ' ';
        return is_start && (i + 1 == call.size() || call[i + 1] == ' ');
    };
    for (size_t i = 0; i < call.size(); ++i) {
        if (call[i] == 's' && is_word(i)) text += values[0];
        else if (call[i] == 'n' && is_word(i)) text += values[1];
        else text += call[i];
    }
    return text;
}

bool lacks_call(const Diagnostic& d) {
    return std::ranges::any_of(d.notes, [](auto& note) { return is_without_call(note); });
}

void name_calls(Diagnostic& d, const Manifests& manifests) {
    for (auto& note : d.notes) {
        if (!is_without_call(note)) continue;
        auto call = manifests.call_for(note.args.size() > 2 ? note.args[2] : note.args[0]);
        if (note.args.size() == 5) call = filled(call, std::span(note.args).subspan(3));
        if (!call.empty()) note.args[1] = ", as in `" + call + "`";
    }
}

} // namespace mim
