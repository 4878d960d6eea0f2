// SPDX-License-Identifier: MIT
// Passes as phases: the functions of a program that are lists get better ones.
#include <stdexcept>

#include "ainf.h"
#include "ainf/annexes.h"
#include "ainf/diagnostics.h"
#include "kit/match.h"

namespace mim::plug::ainf {

namespace {

/// The same function with another body, which may have its variable.
Lam* with_body(World& w, Lam* lam, const Def* body) {
    auto result = w.mut_lam(lam->pi());
    w.notes.copy_info(lam, result);
    w.set_filter(result, w.ff());
    w.set_body(result, w.subst(body, lam->var(), result->var()));
    w.close(std::span<Lam* const>(&result, 1));
    return result;
}

} // namespace

void run_pass(PhaseContext& c, List (*pass)(List)) {
    auto& w      = c.world;
    auto program = w.externals.all();
    for (auto& external : program) {
        auto body = external.lam->body();
        if (!match<list>(body)) continue;
        try {
            auto better = write(w, pass(read(w, body)));
            w.externals.replace(external.name, with_body(w, external.lam, better));
        } catch (const std::runtime_error& e) {
            c.diags.report(diag::bad_list(std::string(external.name.view()), e.what()), w.notes.span(external.lam));
        }
    }
}

} // namespace mim::plug::ainf
