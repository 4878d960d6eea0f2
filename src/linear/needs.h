// SPDX-License-Identifier: MIT
// Which parts of an expression its evaluation evaluates: code in direct style is evaluated by need (doc/language.md,
// "By need, and by value"). The answers err towards "not always".
#pragma once
#include <compare>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "ir/def_set.h"
#include "ir/world.h"

namespace mim::linear {

class Needs {
public:
    explicit Needs(World& world)
        : world_(world) {}

    /// Whether the function in direct style always evaluates this element of its parameter once it has got all groups;
    /// none: some part of the parameter.
    bool always(const Lam* lam, std::optional<size_t> elem) { return parameter({lam, elem}); }

    /// Whether the call in direct style always evaluates element i of its argument. A function that nobody names gets
    /// all by value.
    bool argument(const App* call, size_t i);
    /// The nodes that evaluating `from` always evaluates. Those in functions that it calls are left out, and those that
    /// all arms of a choice evaluate.
    const DefSet& evaluated(const Def* from);

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

    World& world_;
    std::map<Parameter, bool> parameters_; ///< true while a parameter is asked, so that a recursion counts as needing it
    std::vector<Parameter> asked_; ///< those found true, in order: if an outer one is false, those behind it are asked again
    std::unordered_map<const Def*, DefSet> evaluated_;
    unsigned depth_                    = 0; ///< of functions that ask those that they call
    static constexpr unsigned MaxDepth = 1024;
};

} // namespace mim::linear
