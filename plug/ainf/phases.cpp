// SPDX-License-Identifier: MIT
// Passes as phases: the functions of a program that are lists get better ones.
#include <stdexcept>

#include "ainf.h"
#include "ainf/annexes.h"
#include "ainf/diagnostics.h"
#include "ainf/list/programs.h"
#include "kit/match.h"

namespace mim::plug::ainf {

/// Equal operations are one before what they stand under differs, and again after it is the same.
List improve(List list) { return remove_dead(simplify(move_out(simplify(std::move(list))))); }

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
