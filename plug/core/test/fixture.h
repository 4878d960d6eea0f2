// SPDX-License-Identifier: MIT
// A World with the axioms of %core, their normalizers and their meanings. Built by hand, so that the laws are tested without the front
// end; what core.mim declares is tested by the programs next to this file.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "core/annexes.h"
#include "eval/eval.h"
#include "ir/world.h"

namespace mim::plug::core::test {

struct Core {
    Core();

    World w;
    const Def* mem; ///< the type %mem.M

    /// The axiom applied to all its groups, normalized or (with World::Frozen) not.
    template<class Enum>
    const Def* app(Enum e, std::vector<const Def*> groups) {
        auto def = w.annex(e);
        for (auto g : groups) def = w.app(def, g);
        return def;
    }
    /// The same, but the outermost application as it stands.
    template<class Enum>
    const Def* frozen(Enum e, std::vector<const Def*> groups) {
        World::Frozen frozen(w);
        return app(e, std::move(groups));
    }
    const Def* size(unsigned __int128 n) { return n >> 64 ? w.lit_2_64() : w.lit_nat(static_cast<uint64_t>(n)); }
    const Def* nat(uint64_t n) { return w.lit_nat(n); }

private:
    const Def* arrows(std::vector<const Def*> doms, const Def* codom);
    template<class Enum>
    void add(Enum, const char* name, uint16_t num_subs, const Def* type, unsigned curry, Normalizer, Meaning,
             uint8_t properties = 0);
    void add_integers();
    std::vector<std::unique_ptr<Axiom>> axioms_;
};

/// The number that the evaluator gives a closed expression; none if that is undefined.
std::optional<uint64_t> evaluate(eval::Machine&, const Def*);

} // namespace mim::plug::core::test
