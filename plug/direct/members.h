// SPDX-License-Identifier: MIT
// Members of unions that functions keep apart by their style only: `(T → U) ∪ (Fn T → U)`. When functions are continuations, both are one
// type, so each member T of such a union becomes `[⦃label⦄, T]`, which takes no room. The label says which of the member's functions are in
// direct style.
#pragma once
#include "facts.h"

namespace mim::plug::direct {

class Members {
public:
    explicit Members(World& world)
        : world_(world) {}

    /// The union whose members get labels, if the type of a value is one, else null.
    const Union* isa_labelled(const Def* type);
    /// What is a member of two unions needs a label in both or in neither if values pass from one to the other: so the unions that are widened
    /// get labels where the wider ones do. To be called once, before anything is converted.
    void label_parts(std::span<const Inj* const> widened);
    /// `type`, the new form of `member`, with its label.
    const Def* label(const Def* member, const Def* type);
    /// `value` of the new form of `member`, with its label.
    const Def* inject(const Def* member, const Def* value);
    /// The value without its label.
    const Def* value_of(const Def* labelled) { return world_.extract(labelled, uint64_t(1)); }

private:
    static constexpr unsigned max_depth = 16;
    static constexpr size_t max_parts   = 32;
    static constexpr uint64_t none      = 1; ///< no function
    bool may_merge(const Def* a, const Def* b, unsigned depth = 0);
    static uint64_t kinds(const Def* member);

    World& world_;
    std::unordered_map<const Def*, bool> labelled_;
};

} // namespace mim::plug::direct
