// SPDX-License-Identifier: MIT
// Rules 9 to 15: computations of words and flags as terms of the World, which its normalizers and with/core.mim rewrite.
#pragma once
#include <optional>
#include <unordered_map>

#include "program.h"

namespace mim {
class World;
class Def;
} // namespace mim

namespace mim::plug::mil {

class Algebra {
public:
    Algebra(World& world, const Program& p)
        : w(world)
        , p_(p) {}

    /// @name the block that is being rewritten
    ///@{
    void begin();
    /// From here on the variable is what a pure primitive computes.
    void learn(uint32_t variable, const Tail&);
    ///@}

    /// The computation by at most two statements, of which the last one is its result, or by a `return`. Nothing if it
    /// stays as it is. Statements bind new variables.
    std::optional<std::vector<Statement>> simplify(const Tail&, Program&);

private:
    const mim::Def* term(const Atom&, bool is_flag);
    const mim::Def* term(const Tail&);
    std::optional<Atom> atom(const mim::Def*) const;
    std::optional<Tail> operation(const mim::Def*, const Program&, std::vector<const mim::Def*>& operands) const;
    bool is_interesting(const Tail&) const;
    uint32_t primitive(uint32_t op, Program&) const;

    World& w;
    const Program& p_;
    std::unordered_map<uint32_t, Tail> facts_;
    std::unordered_map<uint32_t, const mim::Def*> terms_; ///< of variables
    std::unordered_map<const mim::Def*, Atom> atoms_;     ///< what has a name
    std::unordered_map<uint64_t, uint64_t> leaves_;       ///< numbers of variables and top-level values in terms
    int depth_ = 0;
};

} // namespace mim::plug::mil
