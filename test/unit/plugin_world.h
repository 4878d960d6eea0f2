// SPDX-License-Identifier: MIT
// A World with the axioms of a plugin, their normalizers and their meanings, for unit tests of the plugin. Built by hand, so that the
// laws are tested without the front end; what the plugin's .mim file declares is tested by the programs next to the unit tests.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "eval/eval.h"
#include "eval/machine.h"
#include "ir/world.h"

namespace mim::unit {

class PluginWorld {
public:
    World w;

    const Def* nat(uint64_t n) { return w.lit_nat(n); }
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

protected:
    /// An axiom of no plugin, such as the type of tokens.
    const Def* add(const char* name, const Def* type, uint8_t properties) {
        auto& a      = make(name);
        a.properties = properties;
        return w.axm(&a, type);
    }
    /// The subtags of an axiom from `first` on; the normalizer fires after `curry` groups.
    template<class Enum>
    Axiom& add(Enum, const char* name, std::pair<uint16_t, uint16_t> first_and_end, const Def* type, unsigned curry, Normalizer n,
               Meaning m, uint8_t properties = 0) {
        for (auto sub = first_and_end.first; sub < first_and_end.second; ++sub) {
            auto& a      = make(name);
            a.id         = {AnnexTraits<Enum>::plugin, AnnexTraits<Enum>::tag, sub};
            a.curry      = static_cast<uint8_t>(curry);
            a.normalizer = n;
            a.meaning    = m;
            a.properties = properties;
            w.annexes.define(a.id, a.name, w.axm(&a, type));
        }
        return *axioms_.back();
    }

private:
    Axiom& make(const char* name) {
        axioms_.push_back(std::make_unique<Axiom>());
        axioms_.back()->name = w.sym(name);
        return *axioms_.back();
    }

    std::vector<std::unique_ptr<Axiom>> axioms_;
};

/// The number that the evaluator gives a closed expression; none if that is undefined.
inline std::optional<uint64_t> evaluate(eval::Machine& m, const Def* def) {
    try {
        return m.num(m.eval(def));
    } catch (const eval::UndefinedBehaviour&) {
        return {};
    }
}

} // namespace mim::unit
