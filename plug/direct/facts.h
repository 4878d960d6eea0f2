// SPDX-License-Identifier: MIT
// What is known of the expressions of a program in direct style, and how calls pass arguments to functions that are known.
#pragma once
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analysis/program.h"
#include "analysis/tables.h"
#include "ir/token_types.h"

namespace mim::plug::direct {

/// A part of what a direct-style function takes that is evaluated on its own: tuples are taken apart.
struct Leaf {
    const Lam* lam           = nullptr;
    const Def* def           = nullptr; ///< the part of the function's variable
    std::vector<size_t> path = {};      ///< where it is in an argument
    bool is_fixed            = false;   ///< by value in any case: a token, a type, or what types mention
    bool is_needed           = true;    ///< on every path through the function
    bool is_used             = false;   ///< on some path
    bool is_unsafe           = false;   ///< some call passes what may not end or may trap
    /// By need: evaluated by the function if at all, not by its caller.
    bool is_lazy() const { return !is_fixed && !is_needed && is_unsafe; }
};

/// A choice among elements of which only the chosen one is evaluated.
struct Selection {
    const Def* index              = nullptr;
    std::vector<const Def*> elems = {};
    explicit operator bool() const { return index; }
};

/// Whether def is the call of a function in direct style, or of one that may be called so, for a value.
bool is_direct_call(const Def* def);

/// Whether values of this type have parts.
bool has_elements(const Def* type);
/// Whether there are packages, tuples whose elements have types that mention each other, among the parts of a value of this type.
bool holds_package(const Def* type);

/// Facts that hold in every function.
class Facts {
public:
    explicit Facts(World& world)
        : world_(world)
        , tokens_(world) {}
    World& world() { return world_; }

    /// @name kinds of expressions
    ///@{
    /// Whether the expression becomes control flow: a call in direct style, a selection that must not evaluate all its elements, a `match` of a value,
    /// and the choice of a package: a continuation that takes a package takes each of them, and knows the types in it where it is copied.
    bool is_control(const Def* def);
    bool is_call(const Def* def) { return is_direct_call(def); }
    /// A selection by an unknown index from elements that are written down, or that are leaves, or of functions, which are called.
    const Selection& selection(const Def* def);
    /// A tuple of constants that may be evaluated at any time: choosing one is an operation like others, however many there are.
    bool is_table(const Def* def);
    bool is_match(const Def* def) { return def->isa<Match>() && !def->type()->isa<Bot>(); }
    /// Takes note of the arms of a match.
    void add_match(const Match* match);
    /// The body of an arm is evaluated in place, under the variable of the arm. A λ that is an arm of several matches is called
    /// instead: what its body needs would belong to all of them.
    const Lam* isa_inner_arm(const Def* arm) {
        auto lam = arm->isa<Lam>();
        return lam && !shared_arms_.contains(lam) ? lam : nullptr;
    }
    /// Whether evaluating def costs nothing but time on a path that does not need it.
    bool is_speculatable(const Def* def);
    /// The same, if it holds of the operands.
    bool is_cheap(const Def* def);
    /// Whether evaluating def takes longer than a branch around it, if nothing else needs its parts.
    bool is_costly(const Def* def);
    /// Of which a token is made: it happens wherever the token goes.
    bool is_effect(const Def* def) { return tokens_.is_token(def); }
    /// Whether evaluating def ends, does not trap and branches on nothing that may be undefined. What makes tokens happens anyway, and
    /// functions that only compute end.
    bool is_safe(const Def* def);
    /// Whether def, evaluated on a path that may not need it, is certainly defined.
    bool is_settled(const Def* def);
    /// Whether functions of this type only pass types on to a function: they are left as they are.
    static bool is_type_abstraction(const Pi* pi) { return pi->codom()->isa<Pi>() && !pi->is_cn() && binds_types(pi->dom()); }
    /// Of functions that compute values: they become those of continuations.
    static bool is_function(const Pi* pi);
    /// Whether a type, or what a type is made of, mentions functions that compute values, or their types.
    bool mentions_function(const Def* root);
    /// The elements of `ins (x, i, v)` where x is a variable, or part of one, that has several leaves: so the element that is
    /// overwritten is not needed, as where the elements are passed one by one. Otherwise there are none.
    std::vector<const Def*> updated_elements(const Def*);
    /// What evaluating def needs: its operands at run time, and what is evaluated for the types among its operands.
    void operands(const Def* def, std::vector<const Def*>& out);
    /// Whether evaluating it evaluates control.
    bool has_control(const Def* root);
    /// A pack whose elements contain control or functions that change, so that code must fill an array.
    bool is_filled(const Def* def);
    bool is_closed(const Def* def) { return mim::is_closed(world_, def); }
    /// A λ that computes a value, no type.
    bool is_run_time(const Lam* lam) { return lam->is_set() && is_term(lam->body()); }
    ///@}

    /// @name leaves
    ///@{
    /// Takes the parameter of a direct-style function apart.
    void add_function(const Lam* lam);
    /// The leaves of the function that a call certainly calls, else null.
    std::vector<Leaf>* callee_leaves(const Def* call);
    std::vector<Leaf>* leaves(const Lam* lam) {
        auto i = leaves_.find(lam);
        return i == leaves_.end() ? nullptr : &i->second;
    }
    /// Whether some parameter is passed by need, so that the function has a type of its own for known calls.
    bool has_lazy(const Lam* lam);
    /// The leaves that make up def, a part of a function's variable; empty if it is none.
    std::vector<Leaf*> leaves_in(const Def* def);
    /// The leaf that def is, else null.
    Leaf* isa_leaf(const Def* def);
    /// The part of an argument that is passed as this leaf.
    const Def* part(const Def* arg, const Leaf& leaf);
    /// While calls are looked at, each leaf may be by need; afterwards those that are.
    void decided() { deciding_ = false, total_.clear(), forget(); }
    void forget() { speculatable_.clear(), safe_.clear(), settled_.clear(), selections_.clear(), filled_.clear(); }
    ///@}

private:
    void add_leaves(const Def* def, std::vector<size_t>& path, size_t& more, std::vector<Leaf>& out);
    bool evaluate(const Def* root, bool safe);
    bool is_total(const Lam* lam);
    bool settles(const Def* def);
    bool branches_safely(const Def* def);
    Selection find_selection(const Def* def);
    const Def* argument_of(const Def* function, const Def* arg, const Def* index, size_t k);
    /// Whether evaluating `root` mentions a function that refers to something around it: it must be there by then.
    bool has_local_function(const Def* root);
    /// A function that captures something becomes another one: it computes a value, or contains control.
    bool has_changed_function(const Def* root);

    World& world_;
    TokenTypes tokens_;
    Tables constants_;
    bool deciding_ = true;
    std::unordered_map<const Def*, bool> speculatable_, safe_, settled_;
    std::unordered_map<const Lam*, bool> total_;
    std::unordered_map<const Lam*, const Match*> match_of_arm_;
    std::unordered_set<const Lam*> shared_arms_;
    std::unordered_map<const Def*, bool> filled_, tables_, mentions_;
    std::unordered_map<const Def*, Selection> selections_;
    std::unordered_map<const Lam*, std::vector<Leaf>> leaves_;
    std::unordered_map<const Def*, std::pair<const Lam*, size_t>> leaf_of_;
};

} // namespace mim::plug::direct
