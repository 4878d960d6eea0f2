// SPDX-License-Identifier: MIT
// The machine of the reference evaluator, and the interface against which plugins write the meanings of their axioms.
//
// A meaning is called when an axiom has got all the argument groups its type takes. It reads its groups by position, from the
// axiom outwards and *with the implicit ones*: for `%core.wrap.add: {s: Nat} [m: Nat] [«2; Idx s»] → Idx s` group 0 is s,
// group 1 is m, group 2 the pair. It never looks at the operands of `app`, which may be a call of a variable; `app` is only
// the place to blame. Groups are lazy: what a meaning does not force is not evaluated.
//
//     eval::Value eval_add(eval::Machine& m, const Def* app) {                   // %core.wrap.add
//         uint64_t s = m.size(m.group(0));                                       // 0 stands for 2^64
//         auto [a, b] = m.nums<2>(m.group(2));                                   // forced
//         if (overflows…) m.undefined("signed overflow", app); // never returns
//         return eval::Value::num(eval::mod_add(a, b, s));
//     }
//     eval::Value eval_load(eval::Machine& m, const Def* app) {                  // {T: *} [M, Ptr T] → [M, T]
//         auto [mem, ptr] = m.elems<2>(m.group(1));
//         m.token(mem);                                                          // first all earlier effects
//         return m.tuple({eval::Value::token(), m.memory().load(ptr, m.group(0), app)});
//     }
//
// The sub of an axiom (add, sub, …) is `m.sub()`. A meaning may be absent: then such an application is a value as it
// stands if its type is a type (`%mem.Ptr T`), and an evaluation error otherwise.
//
// The machine evaluates. Each of its parts has a subject of its own: memory, types, their layouts, activations of
// functions, C functions, the nodes of the graph, the heap of values, and the steps that are left.
#pragma once
#include <array>
#include <memory>
#include <string_view>
#include <unordered_set>

#include "eval/activations.h"
#include "eval/budget.h"
#include "eval/ending.h"
#include "eval/fixed_parts.h"
#include "eval/heap.h"
#include "eval/hosts.h"
#include "eval/layouts.h"
#include "eval/memory.h"
#include "eval/nodes.h"
#include "eval/types.h"
#include "eval/value.h"
#include "ir/world.h"

namespace mim::eval {

class NeededArguments;

struct Limits {
    uint64_t steps  = 500'000'000; ///< evaluations of a node
    uint64_t memory = 4ull << 30;  ///< bytes of values
    uint64_t output = 64ull << 20; ///< bytes of text
};

class Machine {
public:
    explicit Machine(World&, const Limits& = {});
    ~Machine();

    /// @name the axiom being evaluated
    ///@{
    const Value& group(size_t i) const { return groups_[i]; }
    size_t num_groups() const { return num_groups_; }
    const Axiom& axiom() const { return axm_->axiom(); }
    uint16_t sub() const { return axiom().id.sub; }
    const Env& env() const { return env_; } ///< where it is evaluated
    ///@}

    /// @name forcing values
    ///@{
    /// v itself, evaluated until its outermost form is known; poison is undefined behaviour.
    Value force(const Value& v, const Def* where = nullptr);
    /// The same of what is only handed on: a copy of poison is poison.
    Value copy(const Value& v);
    /// Everything in v evaluated: what is stored or printed. Poison inside stays.
    Value deep(const Value& v, const Def* where = nullptr);
    /// The same of what is passed by value, where nobody may look at what is undefined: that traps with --checked, else stays as it is.
    Value by_value(const Value& v, const Def* where = nullptr);
    uint64_t num(const Value& v); ///< a Nat, an Idx, a raw literal
    bool flag(const Value& v) { return num(v) != 0; }
    uint64_t size(const Value& v);           ///< a Nat used as a size: 2^64 is 0
    void token(const Value& v) { force(v); } ///< all effects that produced this token have happened afterwards
    /// The i-th of `arity` elements, maybe lazy. An aggregate of arity 1 is its element.
    Value elem(const Value& v, uint64_t i, uint64_t arity = 2);
    template<size_t N>
    std::array<Value, N> elems(const Value& v) {
        std::array<Value, N> r;
        for (size_t i = 0; i != N; ++i) r[i] = elem(v, i, N);
        return r;
    }
    template<size_t N>
    std::array<uint64_t, N> nums(const Value& v) {
        std::array<uint64_t, N> r;
        for (size_t i = 0; i != N; ++i) r[i] = num(elem(v, i, N));
        return r;
    }
    /// An element of an aggregate that is forced already, maybe lazy.
    Value extract(const Value& v, uint64_t i, const Def* where);
    Value tuple(Values elems);                           ///< of one element: that element
    Value member(const Value& value, const Value& type); ///< of a union, which has this type there
    /// A direct-style call; the result is evaluated, maybe poison.
    Value call(const Value& fn, const Value& arg);
    ///@}

    /// @name failing
    ///@{
    /// `what` happened in the operation `where`, whose name is added.
    [[noreturn]] void undefined(std::string_view what, const Def* where);
    [[noreturn]] void fail(std::string_view what, const Def* where);
    ///@}

    World& world() { return world_; }

    /// @name its parts
    ///@{
    Types& types() { return types_; }
    Layouts& layouts() { return layouts_; }
    Memory& memory() { return memory_; }
    Activations& activations() { return activations_; } ///< they have slots
    Hosts& hosts() { return hosts_; }                   ///< C functions
    Budget& budget() { return budget_; }
    ///@}

    /// @name running
    ///@{
    /// def under env, forced.
    Value eval(const Def* def, Env env);
    Value eval(const Def* closed) { return eval(closed, root_); }
    /// def under env, evaluated as `copy` does a value.
    Value copy(const Def* def, Env env);
    /// The same, by need.
    Value thunk(const Def* def, const Env& env);
    /// env inside of this binder, whose variable is arg.
    Env bind(const Def* binder, const Value& arg, const Env& env);
    /// Calls a function in continuation-passing style with (arg, return), or only with a return; what it returns. If it leaves by a
    /// continuation around the call, this call and those around it are over, up to the one that gets a result so.
    Value call_cps(const Value& fn, const Value* arg);
    /// For a meaning or a HostFn of type ⊥, which ends by calling a continuation: `return m.go_on(k, v)`. The call happens once
    /// the meaning has returned, so that a loop takes no stack.
    Value go_on(Value fn, Value arg);
    Value host_fn(HostFn);
    /// A number, evaluated, and how it changes in a direction; see DualObj.
    Value dual(const Value& number, const Value& change, uint64_t direction);
    uint64_t new_direction() { return ++directions_; }
    /// The value of an operation whose meaning has taken dual numbers for the numbers in them, as `num` does. Whoever
    /// makes dual numbers sets it.
    using Derive = Value (*)(Machine&, const Axm*, const Values& groups, const Value& result, const Def* where);
    void derive_by(Derive derive) { derive_ = derive; }
    /// If set: the axioms whose meanings were asked for.
    std::unordered_set<const mim::Axiom*>* used = nullptr;
    ///@}

private:
    bool is_shared_effect(const Def* def, const Def* first, const Frame& home, const Frame& at);
    struct Waiting;
    struct Left;
    class Returned;

    bool enter(Value fn, Value arg, const Def* where, const Env& at, const Def*& def, Env& env, Value& result);
    Value run_axiom(const Axm*, const Value* groups, size_t n, const Def* where, const Env& at);
    bool goes_on(Value& fn, Value& arg);
    Value eval_axiom_app(const Axm*, const Def* app, const Env& env);
    Value as_declared(const Value& result, const Def* type, const std::string& name, const Def* where);
    void call_c(const mim::Axiom&, const Def* type, Value& fn, Value& arg, const Def* where);
    Value argument(const Def* arg, const Env& env, bool speculate);
    Value settle(const Def* def, const Env& env);
    void fix_parts(const Lam*, const Value& arg, const Def* where);
    Value eval_tuple(const Tuple*, const Env& env, bool speculate);
    bool step_extract(const Extract*, const Def*& def, const Env& env, Value& result);
    Value eval_insert(const Insert*, const Env& env);
    Value eval_pack(const Pack*, const Env& env);
    Value pack_elem(PackObj&, uint64_t i);
    Value eval_inj(const Inj*, const Env& env);
    Value select_arm(const Match*, const Env& env, Value& arg);
    Value type_value(const Def* def, const Env& env);

    World& world_;
    Budget budget_;
    Heap heap_; ///< outlives all that refers to values
    Types types_{*this, budget_, heap_};
    Layouts layouts_{*this, budget_, types_};
    Memory memory_{*this, budget_, heap_, types_, layouts_};
    Activations activations_{*this, budget_, nodes_, layouts_, memory_};
    Nodes nodes_{world_, activations_};
    FixedParts fixed_parts_{world_};
    std::unique_ptr<NeededArguments> needed_;
    Hosts hosts_;
    Env root_;
    const Value* groups_ = nullptr;
    size_t num_groups_   = 0;
    const Axm* axm_      = nullptr;
    Env env_;                           ///< where the axiom being evaluated is
    Value next_, next_arg_;             ///< see go_on
    std::shared_ptr<Waiting> returned_; ///< the call that got its result last; see call_cps
    uint32_t depth_      = 0;           ///< of nested evaluations
    uint64_t directions_ = 0;           ///< see DualObj
    Derive derive_       = nullptr;
    bool reads_dual_     = false; ///< the meaning that runs has taken a dual number for a number
};

/// @name numbers
/// Arithmetic on `Idx s`, for s = 0 read as 2^64.
///@{
inline uint64_t mod(unsigned __int128 v, uint64_t s) { return s ? uint64_t(v % s) : uint64_t(v); }
inline uint64_t mod_add(uint64_t a, uint64_t b, uint64_t s) { return mod((unsigned __int128)a + b, s); }
inline uint64_t mod_sub(uint64_t a, uint64_t b, uint64_t s) { return s ? (a >= b ? a - b : s - (b - a)) : a - b; }
inline uint64_t mod_mul(uint64_t a, uint64_t b, uint64_t s) { return mod((unsigned __int128)a * b, s); }
/// v if 2v < s, else v - s.
inline __int128 signed_of(uint64_t v, uint64_t s) {
    __int128 size = s ? (__int128)s : (__int128)1 << 64;
    return 2 * (__int128)v < size ? (__int128)v : (__int128)v - size;
}
/// The representative of v in `Idx s`.
inline uint64_t mod_signed(__int128 v, uint64_t s) {
    __int128 size = s ? (__int128)s : (__int128)1 << 64;
    __int128 r    = v % size;
    return uint64_t(r < 0 ? r + size : r);
}
///@}

} // namespace mim::eval
