// SPDX-License-Identifier: MIT
// Calls in direct style: no path leads from them to the rest of their λ. See direct.cpp for the judgement.
#pragma once
#include <deque>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/def_set.h"
#include "ir/world.h"
#include "linear/fn.h"

namespace mim::linear {

class Behind;
class Check;

class DirectCalls {
public:
    /// `nodes`: all that the program is made of, operands first, once they are known.
    DirectCalls(Check& check, const std::vector<const Def*>& nodes)
        : check_(check)
        , nodes_(nodes) {}

    /// Finds, for each λ, the calls that it makes (Fn::direct_calls): the effects that it evaluates, and the other calls that it mentions. None
    /// in programs where all of them come back exactly once.
    void find();
    /// Where control goes if the call leaves: the λs that it enters (`callees`) or may enter (`passed`), and continuations (`params`).
    const End& end(const Def* call);
    /// Whether what is called may call a continuation that it gets, except to come back.
    bool may_call_passed(const End&);
    /// Adds the types of those functions in direct style that are used as values and may leave: λs, and what axioms make of functions.
    void add_leaving_types(const std::deque<Fn>&, DefSet& types);
    /// Whether the function is used otherwise than by calls of it.
    bool is_value(const Def* function);
    /// Finds the functions in direct style that may do so; returns whether there are more of them than before.
    bool find_takers(const std::deque<Fn>&);
    /// Whether it may also leave somewhere that nobody knows.
    bool leaves_elsewhere(const End&);
    /// Reports a call of the λ that may leave, or come back again, while a token waits for it.
    void check(const Fn&);
    /// Whether the call takes no token, and leads to a known way out: code in direct style is evaluated by need, and
    /// rewritten, so nobody says whether it leaves.
    bool leaves_without_token(const Def* call);
    /// Functions that axioms made, whose calls will be such calls, with a λ that mentions each.
    std::vector<std::pair<const Lam*, const Def*>> values_without_token();

private:
    bool is_call(const Def*);
    bool is_source(const Def*);
    using IsSuchNode = std::function<bool(const Def*)>;
    DefSet find_way_from(const IsSuchNode& is_start);
    void find_calls(Fn&);
    void find_made_values();
    void add(const Def* call, std::vector<Fn*>& around);
    bool is_effect(const Def* call);
    void add_effects();
    void keep_first_makers(const Def* call, std::vector<Fn*>& around);
    const LamSet& entered_early(const Fn&);
    template<class See>
    bool each_target(const Def* callee, std::vector<const Lam*>& lams, See see);
    void resolve(const Def* callee, End&);
    bool add_makers(const Def* callee, size_t depth, std::vector<const Lam*>& makers);
    bool add_results(const Def* call, std::vector<const Def*>& results, size_t depth = MaxGroups);
    void add_functions_of(const Def* axiom_value, End&);
    void add_passed(const Def* value, End&);
    bool may_hold_exit(const Def* type);
    bool may_leave(const Def* call);
    bool leads_out(const End&);
    bool makes_leaving(const App* value);
    std::optional<Diag> fault(const Def* call);
    void leaves(const Def* token, std::vector<const Def*>& res);
    bool is_open_token(const Def*);
    std::vector<const Def*> own_tokens(const Fn&);
    std::vector<const Def*> all_tokens(const Fn&);
    const Def* token_beside(const Fn&, const std::vector<const Def*>& tokens, const Def* call);
    bool is_bad(const Def*);
    std::vector<const Def*> bad_calls_in(const Def* value);
    bool takes_from_behind(const App*, Behind&);
    bool is_called_behind(const Def* call, const Fn& caller, const Lam*);
    bool is_older(const Def* call, const Fn&);
    bool has_happened(const Def* call, const Fn&);
    void report(const Fn&, const Def* token, const Def* call);
    bool leaves_by_older(const Fn&, const Def* call, size_t depth);
    bool report_beside(const Fn&, const std::vector<const Def*>& tokens, const Def* call);
    void check_older(const Fn&);
    const Def* token_inside(const Lam*);
    const Def* token_beside_inside(const Lam*, const Def* got, const Def* call);
    void check_arguments(const Fn&);
    bool always_makes(const Fn&, const Def* value, const Def* call);
    bool is_passed_behind(const Fn&, const App*, const Def* call);
    bool report_inside(const Fn&, const App*, const Lam*, const Def* got, const Def* call);

    static constexpr size_t MaxGroups = 8;  ///< of arguments of a function whose result is looked for
    static constexpr size_t MaxAsked  = 16; ///< of the λs that mention one call, so that all of it stays linear

    Check& check_;
    const std::vector<const Def*>& nodes_;
    std::optional<DefSet> values_;     ///< functions that are used as values, once somebody asks
    DefSet on_the_way_;                ///< the calls, and what is made from one
    std::optional<DefSet> behind_bad_; ///< what is made from bad calls, once somebody asks
    std::unordered_map<const Lam*, const Def*> tokens_inside_;
    std::unordered_map<const Def*, std::vector<Fn*>> around_; ///< the λs that mention a call, and those that it belongs to
    std::unordered_map<const Fn*, LamSet> entered_early_;     ///< the λs inside that run before a λ ends, once somebody asks
    std::vector<const Def*> made_values_;                     ///< functions that axioms make of functions, as values
    DefSet adding_;                                           ///< what was passed to the call whose end is found
    LamSet takers_;                                           ///< call a continuation that they get
    DefSet taker_types_;                                      ///< of those that are values
    std::unordered_map<const Def*, End> ends_;
    std::unordered_map<const Def*, std::optional<Diag>> faults_;
};

} // namespace mim::linear
