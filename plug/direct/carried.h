// SPDX-License-Identifier: MIT
// Finds the effects that selections must carry (carry.h). Private to direct.ds2cps.
#pragma once
#include "ir/def_set.h"
#include "uses.h"

namespace mim::plug::direct {

/// An effect, where its token goes, and what else it makes.
class Effect {
public:
    Effect(Facts& facts, Uses& uses, const Uses::Users& users, uint32_t effect);

    const Def* def() const { return uses_[effect_].def; }
    uint32_t vertex() const { return effect_; }
    /// Indices of the elements that are no tokens.
    const std::vector<uint64_t>& values() const { return values_; }
    /// Of the selection or match that evaluating `top` needs in any case and that the token goes through first: finds it, if there is one.
    /// `needed`: what evaluating `top` makes happen.
    uint32_t find_first(uint32_t top, const std::vector<bool>& needed);
    /// That selection; 0 if there is none.
    uint32_t first() const { return first_; }
    /// Whether anything outside of that selection looks at a value that it made. If nothing does, nothing has to be
    /// carried.
    bool is_looked_at_outside() const;
    /// Whether the token comes to this arm of the first selection, or of one inside of it.
    bool comes_to(uint32_t arm);
    /// Whether evaluating this arm, of the first selection or inside of it, makes it happen in any case.
    bool is_strict(uint32_t arm);
    /// The selection in an arm of the first one that evaluating the arm needs in any case and that the token goes through first.
    uint32_t selection_in(uint32_t arm) { return selection(arm, uses_.strict(arm)); }
    /// Finds what depends on the effect in the arms of the first selection. `order`: of vertices; operands have the same place or an earlier one.
    void find_dependent(const std::vector<uint32_t>& order);
    const DefSet& dependent() const { return dependent_; }

private:
    /// Whether this user of an effect is a value that the effect made.
    bool is_value(uint32_t user) const;
    template<class F>
    void spread(F go);
    uint32_t selection(uint32_t from, const std::vector<bool>& needed);

    Facts& facts_;
    Uses& uses_;
    const Uses::Users& users_; ///< by vertex
    uint32_t effect_, first_ = 0;
    std::vector<uint64_t> values_;
    std::unordered_set<uint32_t> token_; ///< what the token goes through, up to the arms of the first selection
    DefSet dependent_;
    std::unordered_map<uint32_t, bool> makes_; ///< vertices: whether evaluating them makes it happen in any case
};

/// Effects that are below several selections, none of which decides alone whether they happen. One can be carried as if the others were not:
/// what depends on one in the arms of its selection is neither another one nor the selection of that.
std::vector<Effect> find_carried(Facts& facts, Uses& uses, const Uses::Users& users);

} // namespace mim::plug::direct
