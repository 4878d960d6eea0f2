// SPDX-License-Identifier: MIT
// Passes as phases: the functions of a program that are lists get better ones.
#include <stdexcept>

#include "ainf.h"
#include "ainf/annexes.h"
#include "ainf/diagnostics.h"
#include "ainf/list/programs.h"
#include "kit/match.h"

namespace mim::plug::ainf {

/// The result of a pass, which is a list.
static List verified(const char* phase, List (*pass)(List), List list) {
    auto result = pass(std::move(list));
    try {
        verify(result);
    } catch (const std::runtime_error& e) {
        throw std::runtime_error(std::string(phase) + ": " + e.what());
    }
    return result;
}

/// Equal operations are one before what they stand under differs, and again after it is the same.
List improve(List list) {
    list = verified("ainf.simplify", simplify, std::move(list));
    list = verified("ainf.licm", move_out, std::move(list));
    list = verified("ainf.simplify", simplify, std::move(list));
    return verified("ainf.dce", remove_dead, std::move(list));
}

void run_pass(PhaseContext& c, List (*pass)(List)) {
    auto& w = c.world;
    replace_by_lists(c, [&](const Def* body, Span place) -> std::optional<List> {
        if (!match<list>(body)) return {};
        try {
            return pass(read(w, body));
        } catch (const std::runtime_error& e) {
            c.diags.report(diag::bad_list(e.what()), place);
            return {};
        }
    });
}

} // namespace mim::plug::ainf
