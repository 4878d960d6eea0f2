// SPDX-License-Identifier: MIT
// Which parts of an expression its evaluation evaluates: code in direct style is evaluated by need (doc/language.md, "By need, and by value").
// The answers err towards "not always".
#pragma once
#include <compare>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "ir/def_set.h"
#include "ir/world.h"

namespace mim::linear {

class Check;

class Needs {
public:
    explicit Needs(Check& check)
        : check_(check) {}

    /// Whether the call in direct style always evaluates element i of its argument. A function that nobody names gets all by value.
    bool argument(const App* call, size_t i);
    /// All that evaluating `from` always evaluates, apart from the code of functions, and from what all arms of a choice do.
    const DefSet& evaluated(const Def* from);

    /// A token that evaluating this consumes, though its value is none, nor comes from an effect that hands one on: an effect that happens by
    /// need. Null if there is none.
    const Def* ended_token(const Def* def);
    /// The token that this application, or `match`, consumes itself, or a function that it enters; null if it hands one on.
    const Def* consumed_by(const Def*);

private:
    class Walk;
    /// An element of the parameter of a function; none: the parameter as a whole.
    struct Parameter {
        const Lam* lam;
        std::optional<size_t> elem;
        auto operator<=>(const Parameter&) const = default;
    };
    bool element(const App* call, std::optional<size_t> i);
    bool parameter(const Parameter&);

    Check& check_;
    std::map<Parameter, bool> parameters_; ///< true for those that are asked now: a recursion that ends does not end by itself
    std::vector<Parameter> asked_;         ///< in order: those behind one that is false were found with a wrong assumption
    std::unordered_map<const Def*, DefSet> evaluated_;
    std::unordered_map<const Def*, const Def*> ended_tokens_;
    unsigned depth_                    = 0; ///< of functions that ask those that they call
    static constexpr unsigned MaxDepth = 1024;
};

} // namespace mim::linear
