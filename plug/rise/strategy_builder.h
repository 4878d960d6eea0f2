// SPDX-License-Identifier: MIT
// Trees of strategies to terms of the plugin `elevate`. What depends only on the sizes and lists that a strategy is called with is decided here.
#pragma once
#include <deque>
#include <functional>
#include <map>

#include "elevate/annexes.h"
#include "kit/build.h"
#include "kit/match.h"
#include "primitives.h"
#include "rise/annexes.h"
#include "strategy.h"

namespace mim::plug::rise {

/// A strategy of the language that takes these: s a strategy, n a size, f a function of strategies, p a primitive, l a list, t a text, e a primitive
/// or a name.
struct StrategyRow {
    std::string_view name, takes;
};
const StrategyRow* find_strategy(std::string_view name);
void for_each_strategy(const std::function<void(std::string_view)>&);
/// The term that a strategy of the language makes of its arguments. Null if it is not one of the plugin `elevate`.
const Def* elevate_strategy(World&, std::string_view name, const DefVec& args);

class StrategyBuilder {
public:
    StrategyBuilder(World& world, Diagnostics& diags, const Program& program, const SizeNames& sizes)
        : w(world)
        , diags_(diags)
        , program_(program)
        , sizes_(sizes) {}

    struct Broken {};
    const Def* strategy(const StrategyTree&);
    /// A strategy of the file with any arguments.
    const Def* sample(const Strategy&);

private:
    using Tree = StrategyTree;
    using Args = std::vector<const Tree*>;
    /// The argument that a parameter stands for.
    struct Value {
        const Def* def                      = nullptr;
        DefVec list                         = {}; ///< of a list, which has no `def`
        bool operator==(const Value&) const = default;
    };
    using Names = std::map<std::string_view, Value>;
    /// A strategy of the file whose body is being built.
    struct Active {
        const Strategy* strategy;
        Names given;
        Lam* itself; ///< made when the body mentions it
    };

    const Def* inside(const Tree& at, const Strategy&, Names);
    const Def* body_of(const Strategy&, const Names&);
    [[noreturn]] void fail(const Tree& at, std::string name, std::string what);
    /// Stops with the mistake in these values of the parameters.
    [[noreturn]] void fail_with(const Tree& at, std::string name, std::string what);
    const Def* applied(const Tree&);
    const Def* known(const Tree& at, const StrategyRow&, const Args&);
    const Def* made(std::string_view name, const DefVec&);
    const Def* declared(const Tree& at, const Strategy&, const Args& given);
    Args with_list(const Strategy&, const Args&);
    const Def* rule(const Tree& at, std::string_view name, const Args&);
    const Def* native(const Tree& at, std::string_view name, const Def* axiom, const Args&);
    const Def* common_part(const Tree& at, const Args&);
    DefVec rule_arguments(const Tree& at, const std::string& name, const DefVec& types, const Args&);
    const Def* argument(const Tree&, char kind);
    const Def* size(const Tree&);
    const Def* combined_size(const Tree&);
    const Def* head(const Tree&);
    DefVec list(const Tree&);
    const Def* space(const Tree&);
    const Def* primitive(const Tree&);
    const Def* expression(const Tree&);
    const Def* function(const Tree&);
    /// Whether a comparison of sizes holds, a list is empty, or code is made for this target. Nothing if it is none of these.
    std::optional<bool> decided(const Tree&);
    bool compared(const Tree&);
    bool is_for(const Tree&);
    const Value* name_of(const Tree&) const;
    const Strategy* find(std::string_view name) const;
    void check_number(const Tree& at, std::string_view name, size_t takes, const Args&);
    std::string nearest(std::string_view name) const;

    const Def* is(const Def* axiom);
    const Def* is_map() { return is(w.annex(map::high)); }
    const Def* seq(const DefVec& steps) { return w.apply<elevate::seq>({w.lit_nat(steps.size())}, {w.tuple(steps)}); }
    const Def* choice(const DefVec& all) { return w.apply<elevate::choice>({w.lit_nat(all.size())}, {w.tuple(all)}); }
    const Def* is_any_map();
    const Def* map_nest(uint64_t depth);
    const Def* text(std::string_view s) {
        return w.tuple(map_defs(s, [&](char c) { return w.lit_idx(256, static_cast<unsigned char>(c)); }));
    }

    World& w;
    Diagnostics& diags_;
    const Program& program_;
    const SizeNames& sizes_;
    Names names_; ///< parameters of the strategy whose body is read
    std::vector<Active> active_;
    const Tree* library_call_ =
        nullptr;             ///< the name in the user's text by which the library was entered: mistakes are shown there
    std::deque<Tree> lists_; ///< that were given without brackets
    bool is_sample_ = false; ///< the values of parameters were made up
};

} // namespace mim::plug::rise
