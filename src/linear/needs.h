// SPDX-License-Identifier: MIT
// Which parts of an expression its evaluation evaluates: code in direct style is evaluated by need (doc/language.md, "By need, and by value").
// The answers err towards Sometimes.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "ir/world.h"

namespace mim::linear {

enum class Need : uint8_t { Never, Sometimes, Always };

class Needs {
public:
    explicit Needs(World& world)
        : world_(world) {}

    /// Whether the call in direct style evaluates element i of its argument. A function that the program does not name gets all by value.
    Need argument(const App* call, size_t i);
    /// Whether evaluating `from` evaluates `what`, which is not closed.
    Need of(const Def* from, const Def* what);

private:
    class Walk;
    struct Parameter {
        const Lam* lam;
        std::optional<size_t> elem; ///< none: the parameter as a whole
        auto operator<=>(const Parameter&) const = default;
    };
    Need element(const App* call, std::optional<size_t> i);
    Need parameter(const Parameter&);

    World& world_;
    std::map<Parameter, Need> parameters_;                          ///< Sometimes for those that are asked now
    std::map<std::pair<const Def*, const Def*>, Need> expressions_; ///< by `from` and `what`
    unsigned depth_                    = 0;                         ///< of functions that ask those that they call
    static constexpr unsigned MaxDepth = 256;
};

} // namespace mim::linear
