// SPDX-License-Identifier: MIT
// Which functions an expression calls, in both modes: a function, one of several, or one of the elements of a tuple,
// which only the chosen one is evaluated of.
#pragma once
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "autodiff.h"
#include "kit/build.h"

namespace mim::plug::autodiff {

struct Call {
    std::vector<const Lam*> targets;
    const Def* index; ///< chooses the target; null: there is one, or `arg` is a union whose members each have one
    const Def* arg;
    const Def* turns = nullptr; ///< how often a loop calls the target, with an index and what it has become of `arg`

    /// Only known at run time: which target.
    bool is_choice() const { return targets.size() != 1; }
    bool is_match() const { return is_choice() && !index; }
};

/// The elements of a tuple, or of an array that is written as one expression for all; none if there are too many, or
/// it is not known how many.
std::optional<DefVec> elements(World&, const Def*);
/// In the text of this plugin, which a user has not written.
bool is_own(World&, Span place);
/// An operation whose functions refer to nothing that is differentiated (lift.cpp).
bool is_lifted(const Def*);
/// An error about an expression of the program, at its place.
[[noreturn]] void fail(World&, Error, const Def* at);

/// Why an operation has no derivative of its own.
inline constexpr auto takes_active_function =
    "it takes functions that are differentiated, so it needs `norm …: %autodiff.unfold (…) => …`, which writes it with others";

class Calls {
public:
    /// In reverse mode, functions have no cotangents: one that takes some is unfolded where it is called.
    explicit Calls(World& world, bool is_reverse = false)
        : world_(world)
        , is_reverse_(is_reverse) {}

    /// Null: it is no call of functions that are known, and no choice of something that must only be evaluated if it
    /// is chosen.
    const Call* find(const Def*);
    /// A value that is a function, as a λ; null if it is not known which one.
    const Lam* function(const Def*);

private:
    std::optional<Call> call_of(const Def*);
    std::optional<Call> choice(const Extract*);
    std::optional<Call> call_of_made(const Extract*, const Def* arg);
    std::optional<Call> made_by_match(const Call&, const Extract* made, const Def* arg);
    std::optional<Call> match(const Match*, const Def* type, const Def* arg);
    template<class F>
    std::optional<Call> distributed(const Call& made, const Def* type, F rest);
    std::optional<Call> call_of_result(const App*);
    std::optional<Call> match_of_made(const Match*, const Def* type, const Def* arg);
    const Lam* delayed(const Def* element);
    template<class F>
    const Lam* arm(const Def* member, const Def* type, F value);

    World& world_;
    const bool is_reverse_;
    std::unordered_map<const Def*, std::optional<Call>> calls_;
    std::unordered_map<const Def*, const Lam*> functions_;
};

} // namespace mim::plug::autodiff
