// SPDX-License-Identifier: MIT
// A first-order CPS program as functions of basic blocks: what a back end for a conventional machine needs to know of the graph.
//
// A λ without free variables is a function. A λ with free variables is a block of the function that surrounds it if it is only
// called or passed as a return continuation; if it has a return continuation of its own (a last parameter that it does not call as a
// function itself), then only when all its calls return to the same place (contification after Fluet and Weeks, "Contification Using
// Dominators"); else it becomes a function that takes its free variables, and the values of effects around it, as further parameters;
// so does what a closed λ in direct style returns, the code of closures. What is left (a continuation with free variables that is
// stored, passed as a plain argument, or left through by another function) needs a closure and is an error here.
#pragma once
#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analysis/cps.h"
#include "analysis/nesting.h"
#include "analysis/snapshot.h"
#include "base/domtree.h"
#include "ir/def_set.h"

namespace mim {

struct BasicBlock;

/// Where control goes with a result.
struct Cont {
    enum Kind : uint8_t {
        None,   ///< the call never returns
        Return, ///< the function returns
        To,     ///< a block
        Value,  ///< a run-time continuation that never returns
    };
    Kind kind         = None;
    BasicBlock* block = nullptr;
    const Def* value  = nullptr;
};

/// Where a new array of run-time length lies: see array_memory.h.
struct ArrayMemory {
    uint32_t line   = 0;           ///< the arrays of a line are not needed at the same time, and may have one memory
    const Def* sink = nullptr;     ///< the operation that copies the array to where it may be made at once
    std::vector<const Def*> apart; ///< arrays that must not overlap that place
    bool is_update = false;        ///< what it is a copy of lies there already
};

struct BasicBlock {
    enum Kind : uint8_t {
        Jump,        ///< to next with arg: a known continuation of this function
        Call,        ///< callee with arg, then next
        Branch,      ///< to targets[index]; those that bind a variable get arg
        Match,       ///< to conts[tag of scrutinee], which get the payload
        Effect,      ///< an axiom that never returns
        Unreachable, ///< a value of type ⊥ or an empty choice
    };
    uint32_t number   = 0;       ///< reverse post-order
    const Lam* lam    = nullptr; ///< null: an arm of a branch
    bool is_cont      = false;   ///< lam's whole domain are parameters
    Kind kind         = Unreachable;
    const Def* callee = nullptr; ///< Call, Effect
    const Def* arg    = nullptr; ///< Jump, Call, Branch; may be null (Branch)
    const Def* index  = nullptr; ///< Branch: the index; Match: the scrutinee
    const Def* place  = nullptr; ///< the λ whose span is the user's line
    const Def* end    = nullptr; ///< the expression that says where control goes
    Cont next;
    std::vector<Cont> conts; ///< Match
    std::vector<BasicBlock*> targets;
    std::vector<BasicBlock*> succs, preds; ///< each once

    /// Filled by schedule(): the operations to evaluate, operands first.
    std::vector<const Def*> nodes;
    /// Likewise: effects that happened in the blocks before, and whose values meet here.
    std::vector<const Def*> merges;
    /// Filled by find_updates_in_place(): the parameters of the next blocks for which arrays of run-time length are copied.
    DefSet copied;
    /// Likewise: where new arrays lie that the parameters of the next blocks are.
    std::unordered_map<const Def*, ArrayMemory> array_memory;
};

struct Function {
    const Lam* lam = nullptr;
    CnView view;
    std::vector<const Def*> captures;                ///< what it takes from around it, as further parameters
    std::vector<std::unique_ptr<BasicBlock>> blocks; ///< reverse post-order; 0 is the entry
    std::unique_ptr<DomTree> doms;
    std::vector<uint32_t> loop_depth;
    std::vector<uint32_t> loop_header; ///< of the innermost loop around each block; outside of loops, the number of blocks
    std::vector<bool> hands_on;        ///< by block: a loop around it may hand suspended evaluations on from turn to turn
    std::unordered_map<const Lam*, BasicBlock*> block_of;
    /// Filled by find_updates_in_place(): the updates of arrays that overwrite the old array.
    DefSet in_place;
    /// Likewise: the loads of arrays that need no copy.
    DefSet views;
    /// Likewise: rows of a literal length that are never needed as values: their elements are read where they lie.
    DefSet row_views;
    /// Likewise: where operations make arrays. Of others nothing is known.
    std::unordered_map<const Def*, ArrayMemory> array_memory;
    /// Likewise: operations that find the array, maybe, where they are to copy it.
    DefSet sinks;
};

/// Something that needs a phase that has not run.
struct ProgramError : Passing {
    enum Kind : uint8_t {
        NonLocal, ///< `what` (a return continuation) is left through by another function
        Direct,   ///< a call of a direct-style function is left
    };
    ProgramError(Kind kind, const Def* what, const Def* at)
        : kind(kind)
        , what(what)
        , at(at) {}
    Kind kind;
    const Def* what; ///< the λ or variable
    const Def* at;   ///< the λ in whose body it happens
};

/// Facts on all λs that can be reached from the externals.
class Program {
public:
    explicit Program(World& world);

    World& world() { return world_; }
    bool is_function(const Lam* lam) const { return function_set_.contains(lam); }
    /// Blocks, edges and dominators of a function; nothing is scheduled. If `split`, each arm of a branch is a block of its own, so that an
    /// effect may happen on the way to a block that others come to as well. Throws ProgramError.
    std::unique_ptr<Function> build(const Lam* lam, bool split = false);
    /// λ whose return continuation def is, else null.
    const Lam* isa_ret(const Def* def) const {
        auto i = rets_.find(def);
        return i == rets_.end() ? nullptr : i->second;
    }
    /// The things that a function takes from the functions around it, in the order of its further parameters:
    /// variables, effects (they happen outside, once; only their values are passed), and suspended evaluations (made
    /// outside, once, so that all remember).
    const std::vector<const Def*>& captures(const Lam* lam);
    /// Whether a value of this type may refer to a suspended evaluation that a function made, or one in memory may: then who gets it may
    /// ask later.
    bool may_hold_suspension(const Def* type);
    /// The view of a λ as it is used: continuations have no return.
    CnView view(const Lam* lam);
    bool is_cont(const Lam* lam) const { return conts_.contains(lam); }
    /// Each activation of the function has memory of its own (Axiom::Activation).
    bool owns_memory(const Lam* lam);
    /// `op` makes memory for a function that has become a block, which control may come back to while the memory is used.
    bool makes_memory_anew(const Def* op);
    /// It has function values with an environment (Axiom::Closures).
    bool makes_closures() const { return makes_closures_; }
    /// The collector that reclaims its memory; null if it needs none, or no plugin has one.
    const CollectorRuntime* collector() const { return collector_; }
    /// The libraries that plugins want where it has their axioms, each once.
    const std::vector<const RuntimeLibrary*>& libraries() const { return libraries_; }
    /// λ is used as a value, besides being called.
    bool is_escaping(const Lam* lam) const { return escaping_.contains(lam); }
    /// The C functions that the program mentions.
    const std::vector<const Axm*>& c_functions() const { return c_functions_; }

private:
    friend class FunctionBuilder;
    struct Site {
        const Lam *caller, *callee;
        const Def* cont; ///< null: none
    };
    void collect();
    void scan(const Lam* lam);
    void scan_type(const Lam* lam, const Def* type);
    void scan_call(const Lam* lam, const Def* callee, const Def* arg, std::vector<const Def*>& todo);
    void found(const Lam* lam);
    void use(const Axiom&);
    void use(const RuntimeLibrary&);
    void use_collector();
    void use_application(const App* app, const Axiom& axiom);
    bool stores_suspensions();
    bool needs_collector(const Def* type);
    void found_cont(const Lam* lam);
    bool hands_on_control(const Def* dom, const Def* arg);
    bool is_control(const Def* cont);
    void find_takers();
    void find_blocks();
    void contify();
    bool stays_function(const Lam* lam);
    bool is_recursive(const Lam* lam);
    bool leads_to_itself(const Lam* lam);
    bool leaves_through_others(const Lam* lam);
    void find_owners();
    const Lam* innermost(const Def* def);
    bool is_code(const Lam* lam) const;
    const Snapshot& snapshot();
    bool is_nested(const Def* inner, const Lam* lam);
    bool is_local_code(const Lam* lam);
    bool is_value_of_suspensions(const Def* function);
    const DefSet& kept_suspensions();
    void outer_values(const Lam* lam, std::vector<const Def*>& out);

    World& world_;
    std::vector<const Lam*> lams_;
    std::vector<const Axm*> c_functions_;
    LamSet seen_, function_set_;
    std::unordered_set<const Lam*> conts_;
    std::unordered_set<const Axm*> seen_c_;
    std::unordered_set<const Def*> seen_type_;
    std::unordered_map<const Lam*, const Lam*> escaping_; ///< λ → in whose body
    std::unordered_map<const Def*, const Lam*> rets_;
    std::unordered_map<const Lam*, const Lam*> returns_to_; ///< contified λ → continuation, or function whose return it takes
    std::unordered_map<const Lam*, std::vector<const Def*>> captures_;
    std::vector<Site> sites_;
    std::vector<const Lam*> callers_; ///< λs that call their last parameter as a function, or take it for a value
    std::unordered_set<const Lam*> blocks_;
    LamSet unknown_; ///< those to which it is data; those that are called by their type
    bool is_stale_                     = false;
    bool makes_closures_               = false;
    bool has_local_code_               = false;
    const CollectorRuntime* collector_ = nullptr;
    DefSet suspended_;                           ///< the axioms whose applications are types of suspensions
    std::unordered_set<const Def*> effect_args_; ///< types of what effects take
    std::optional<bool> stores_suspensions_;
    DefSet plain_types_; ///< without arrays of run-time length
    std::vector<const RuntimeLibrary*> libraries_;
    std::optional<DefSet> kept_;
    std::optional<Snapshot> snapshot_; ///< once somebody asks
    std::optional<Nesting> nesting_;   ///< in the snapshot
    /// Of memory that belongs to an activation.
    struct Owners {
        std::unordered_map<const Lam*, std::optional<bool>> is_recursive; ///< by owner; each is asked once
        std::unordered_map<const Def*, const Lam*> by_op;                 ///< by the operation that makes it
    };
    std::optional<Owners> owners_;
};

/// The expressions that `def` refers to at run time: its operands but for types. Callees of axioms are looked through.
void run_time_ops(const Def* def, std::vector<const Def*>& out);
/// Whether `callee` is an axiom or C function that takes something, maybe after other groups, and no function that one gave.
bool is_operation(const Def* callee);
/// The application of an axiom that has an effect.
bool is_effect(const Def* def);
/// A value that remembers what the function that it was made of gave: made twice, that is called twice.
bool is_suspension(const Def* def);
/// Whether def : T : Sort, i.e. def is no type and no universe.
bool is_term(const Def* def);

} // namespace mim
