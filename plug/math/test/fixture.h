// SPDX-License-Identifier: MIT
// A World with the axioms of %math, their normalizers and their meanings. Built by hand, so that the laws are tested without the front
// end; what math.mim declares is tested by the programs next to this file.
#pragma once
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "eval/eval.h"
#include "format.h"
#include "ir/world.h"
#include "math/annexes.h"

namespace mim::plug::math::test {

inline constexpr const Format* formats[] = {&binary16, &bfloat16, &binary32, &binary64};

struct Math {
    Math();

    World w;

    const Def* nat(uint64_t n) { return w.lit_nat(n); }
    const Def* pe(const Format& f) { return w.tuple({nat(f.p), nat(f.e)}); }
    const Def* type(const Format& f) { return w.app(w.annex(F(0)), pe(f)); }
    const Def* lit(const Format& f, uint64_t bits) { return w.raw_lit(type(f), bits); }

    /// The axiom applied to all its groups, normalized or (with World::Frozen) not.
    template<class Enum>
    const Def* app(Enum e, std::vector<const Def*> groups) {
        auto def = w.annex(e);
        for (auto g : groups) def = w.app(def, g);
        return def;
    }
    template<class Enum>
    const Def* frozen(Enum e, std::vector<const Def*> groups) {
        World::Frozen frozen(w);
        return app(e, std::move(groups));
    }

private:
    template<class Enum>
    void add(Enum, const char* name, uint16_t first_sub, uint16_t num_subs, const Def* type, unsigned curry, Normalizer, Meaning);
    template<class Enum>
    void add(Enum e, const char* name, uint16_t num_subs, const Def* type, Normalizer n, Meaning m) {
        add(e, name, 0, num_subs, type, 3, n, m);
    }
    const Def* float_of(const Def* pe) { return w.app(w.annex(F(0)), pe); }
    void add_operations();
    void add_conversions();
    std::vector<std::unique_ptr<Axiom>> axioms_;
};

/// The number that the evaluator gives a closed expression; none if that is undefined.
std::optional<uint64_t> evaluate(eval::Machine&, const Def*);
void on_machine(Math&, const std::function<void(eval::Machine&)>&);

/// Equal bits, or two NaNs.
inline bool same(const Format& f, uint64_t a, uint64_t b) { return a == b || (f.is_nan(a) && f.is_nan(b)); }

/// Values at all edges of a format.
std::vector<uint64_t> edges(const Format&);

/// Random values: uniform bits, and such that lie close to edges, to integers and to each other.
class Values {
public:
    explicit Values(uint64_t seed)
        : random_(seed) {}
    uint64_t operator()(const Format&);
    uint64_t near(const Format&, uint64_t other); ///< about as large as `other`
    uint64_t bits() { return random_(); }

private:
    std::mt19937_64 random_;
};

} // namespace mim::plug::math::test
