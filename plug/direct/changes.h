// SPDX-License-Identifier: MIT
// Which functions direct.ds2cps must change: those in direct style, those that contain control or values of types that change,
// and whoever mentions one of these.
#pragma once
#include "analysis/snapshot.h"
#include "facts.h"
#include "ir/def_set.h"

namespace mim::plug::direct {

struct Changes {
    explicit Changes(Facts& facts);

    std::unordered_set<const Lam*> changed;
    std::vector<const Lam*> lams;    ///< all functions of the program that compute values
    std::vector<const Def*> calls;   ///< all calls in direct style
    std::vector<const Inj*> widened; ///< what widens a union

private:
    void found(const Lam* lam);
    void find_in_types(const Snapshot& program);
    bool scan(const Lam* lam);

    Facts& facts_;
    LamSet seen_;
    std::unordered_map<const Lam*, std::vector<const Lam*>> users_;
};

} // namespace mim::plug::direct
