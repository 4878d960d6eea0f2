// SPDX-License-Identifier: MIT
// A World with the axioms of %math, and values to test them with.
#pragma once
#include <random>
#include <vector>

#include "format.h"
#include "math/annexes.h"
#include "unit/plugin_world.h"

namespace mim::plug::math::test {

using unit::evaluate;

inline constexpr const Format* formats[] = {&binary16, &bfloat16, &binary32, &binary64};

struct Math : unit::PluginWorld {
    Math();

    const Def* pe(const Format& f) { return w.tuple({nat(f.p), nat(f.e)}); }
    const Def* type(const Format& f) { return w.app(w.annex(F(0)), pe(f)); }
    const Def* lit(const Format& f, uint64_t bits) { return w.raw_lit(type(f), bits); }

private:
    const Def* float_of(const Def* pe) { return w.app(w.annex(F(0)), pe); }
    void add_operations();
    void add_conversions();
};

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
