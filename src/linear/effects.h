// SPDX-License-Identifier: MIT
// Effects that several alternatives ask for, and to which λ these belong. An effect that depends on no variable of a λ
// is a value of what is around it; but if two alternatives inside need two effects on one token, only one of them
// happens.
#pragma once
#include <map>
#include <utility>
#include <vector>

#include "linear/facts.h"

namespace mim::linear {

struct Fn;
class Summaries;

class SharedEffects {
public:
    SharedEffects(World& world, TokenTypes& types, Facts& facts, const Summaries& summaries)
        : world_(world)
        , types_(types)
        , facts_(facts)
        , summaries_(summaries) {}

    /// Whether effects made both tokens from a third one, or one of them from the other.
    bool have_common(const Def* a, const Def* b);
    /// Finds the effects that a call of f, which asks for both tokens, makes itself (Fn::own).
    void share(Fn&, const Def* a, const Def* b);
    /// Whether a call made it whose function refers to tokens. These are only known when the function has been looked
    /// at.
    bool calls_holder(const Def* made);
    /// Made by effects that only happen in a call of f, or from functions that refer to these.
    bool is_made_inside(Fn&, const Def* made);

private:
    /// Whether calls count as made from the tokens that their functions refer to. Answers that are kept must not depend
    /// on these, since more of them may be found later.
    enum class Through : uint8_t { Nothing, Functions };
    bool is_part_of_variable(const Def*);
    std::vector<std::pair<const Def*, bool>> find(const Def* a, const Def* b, Through);
    std::vector<const Def*> consumed_tokens(const Def*, Through);
    /// The functions, as far as they are known, one of which is called in direct style.
    std::vector<const Fn*> called(const Def*);

    World& world_;
    TokenTypes& types_;
    Facts& facts_;
    const Summaries& summaries_;
    std::map<std::pair<const Def*, const Def*>, bool> common_; ///< tokens → they are made from one
};

} // namespace mim::linear
