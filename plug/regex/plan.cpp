// SPDX-License-Identifier: MIT
// The automaton of a pattern, and the way in which it is best run.
#include "plan.h"

#include "regex.h"

namespace mim::plug::regex {

static by choose(const Dfa& dfa, const Wish& wish) {
    bool shifts = dfa.states <= 10 && dfa.is_whole(), shuffles = fits_shuffles(dfa);
    if (wish.scheme >= 0) {
        bool fits = by(wish.scheme) == by::shifts ? shifts : by(wish.scheme) != by::shuffles || shuffles;
        return fits ? by(wish.scheme) : by::table;
    }
    if (dfa.is_chain()) return by::branches; // a processor foresees them
    return shuffles ? by::shuffles : shifts ? by::shifts : by::table;
}

Plan make_plan(World& w, const Def* pattern) {
    Patterns patterns(w);
    auto& tree = patterns.read(pattern);
    auto large = make_dfa(make_nfa(tree, tree.ordered && !tree.is_whole()));
    if (!large) fail("the automaton of this pattern has too many states: match its parts one after the other");
    auto dfa    = minimize(*large);
    auto scheme = choose(dfa, patterns.wish);
    return {std::move(dfa), scheme};
}

/// The scheme, as a subtag of %regex.by, the states and the classes.
const Def* normalize_shape(World& w, const Def*, const Def*, const Def* arg) {
    if (arg->is_unstable() || !w.is_closed(arg)) return nullptr;
    auto plan = make_plan(w, arg);
    return w.tuple({w.lit_nat(uint64_t(plan.scheme)), w.lit_nat(plan.dfa.states), w.lit_nat(plan.dfa.classes)});
}

} // namespace mim::plug::regex
