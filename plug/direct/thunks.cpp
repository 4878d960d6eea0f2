// SPDX-License-Identifier: MIT
// An expression that several contexts may need becomes a local continuation around them, a thunk. See converter.h.
#include "converter.h"
#include "direct/diagnostics.h"

namespace mim::plug::direct {

/// Suspends an expression that several paths need, but not all, if one path may ask twice; else a continuation
/// evaluates it. Whoever first asks for the token of a suspended effect, or for its values, makes it happen. A value
/// that holds types cannot be stored.
void Converter::define_thunk(uint32_t i) {
    auto def   = (*uses_)[i].def;
    auto type  = rewrite(def->type());
    auto thunk = new_lam(world_.cn(world_.cn(type)));
    thunks_[i] = thunk;
    context(i, thunk, def, thunk->var());
    bool is_effect = facts_.is_effect(def);
    if (level(world_, type) != 0) {
        if (is_effect && uses_->is_repeated(i)) fail_on_types(def);
        return;
    }
    bool is_once = is_effect ? uses_->is_once(i) : !uses_->is_repeated(i);
    if (is_once) return;
    bool is_stack = uses_->has_delays();
    cells_[def]   = is_effect ? make_once(world_, is_stack ? once::stack : once::slot, thunk)
                              : make_delay(world_, is_stack ? delay::stack : delay::slot, thunk);
    bind(def, make_force(world_, cells_[def]));
}

void Converter::fail_on_types(const Def* effect) {
    auto span   = world_.notes.span(effect);
    world_.here = span ? span : here_.span;
    throw Error(diag::effect_of_types());
}

} // namespace mim::plug::direct
