// SPDX-License-Identifier: MIT
// A World with the axioms of %refly. The normalizers are those that the plugin registers.
#pragma once
#include "refly.h"
#include "unit/plugin_world.h"

namespace mim::plug::refly::test {

struct Refly : unit::PluginWorld {
    Refly();

    const Def* code_type(const Def* t) { return w.app(w.annex(Code(0)), t); }
    const Def* quote(const Def* e) { return make_term(w, e); }
    const Def* ask(auto question, const Def* arg) { return w.app(w.annex(question), arg); }

    const Def* term_type;
    const Def* next; ///< an opaque function Nat → Nat

private:
    void add_code();
    void add_terms();
};

} // namespace mim::plug::refly::test
