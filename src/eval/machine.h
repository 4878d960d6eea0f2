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
//         return m.tuple({eval::Value::token(), m.load(ptr, m.group(0), app)});
//     }
//
// The sub of an axiom (add, sub, …) is `m.sub()`. A meaning may be absent: then such an application is a value as it
// stands if its type is a type (`%mem.Ptr T`), and an evaluation error otherwise.
#pragma once
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/blame.h"
#include "eval/type_pairs.h"
#include "eval/value.h"
#include "ir/world.h"

namespace mim::eval {

struct Limits {
    uint64_t steps  = 500'000'000; ///< evaluations of a node
    uint64_t memory = 4ull << 30;  ///< bytes of values
    uint64_t output = 64ull << 20; ///< bytes of text
};

struct Result {
    enum Status { Done, Undefined, Failed };
    Status status = Done;
    int exit_code = 0;          ///< low 8 bits of what main returned
    std::string output;         ///< what C functions printed, also on failure
    std::string message;        ///< what was undefined or went wrong
    const Def* where = nullptr; ///< the expression to blame, maybe null
    uint64_t steps   = 0;
};

/// Undefined behaviour; ends the run.
struct UndefinedBehaviour : Passing {
    UndefinedBehaviour(std::string message, const Def* where)
        : message(std::move(message))
        , where(where) {}
    std::string message;
    const Def* where;
};
/// A limit was reached, or something the evaluator cannot do; ends the run.
struct Failure : Passing {
    Failure(std::string message, const Def* where)
        : message(std::move(message))
        , where(where) {}
    std::string message;
    const Def* where;
};

class Heap {
public:
    explicit Heap(uint64_t limit)
        : limit_(limit) {}
    ~Heap();
    template<class T>
    T* make() {
        charge(sizeof(T));
        auto o     = new T(*this);
        o->charged = sizeof(T);
        return o;
    }
    /// Counts bytes that an object holds beside itself; throws Failure at the limit.
    void charge(Object& o, uint64_t bytes) {
        charge(bytes);
        o.charged += bytes;
    }

private:
    void charge(uint64_t bytes);
    friend struct mim::eval::Object;
    friend void release(Object*);
    Object* all_ = nullptr;
    std::vector<Object*> dead_;
    bool freeing_ = false, closing_ = false;
    uint64_t used_ = 0, live_ = 0, limit_;
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
    Value tuple(Values elems); ///< of one element: that element
    /// A direct-style call; the result is evaluated, maybe poison.
    Value call(const Value& fn, const Value& arg);
    ///@}

    /// @name failing
    ///@{
    /// `what` happened in the operation `where`, whose name is added.
    [[noreturn]] void undefined(std::string_view what, const Def* where);
    [[noreturn]] void fail(std::string_view what, const Def* where);
    ///@}

    /// @name types as values
    ///@{
    /// How a type looks outside, with the operands as values: enough to compute with types.
    struct TypeView {
        enum Form { Nat, Idx, Pi, Sigma, Arr, Union, Axiom, Sort, Bot, Top, Sing, Other } form;
        Value type;                  ///< the reduced type
        uint64_t size           = 0; ///< Idx: its n (0: 2^64; is_empty tells 0 apart); Arr: arity; Sigma, Union: number
        bool is_empty           = false;
        const mim::Axiom* axiom = nullptr; ///< Axiom: the head…
        Values groups;                     ///< … and its arguments
    };
    TypeView view(const Value& type);
    Value sole_member(const Def* union_type, const Env& env);
    Values members(const TypeObj& union_type);
    Values in_order(Values types);
    bool is_reifiable(const Value& v);
    /// The i-th element type of a Sigma or Arr for the aggregate `agg` (may be None if nothing depends on it); i-th member of a Union.
    Value elem_type(const Value& type, uint64_t i, const Value& agg = {});
    Value elem_shape(const Value& shape, uint64_t i);
    bool same_type(const Value& a, const Value& b);
    /// Bytes and alignment by the World's data layout; fails for what has no layout.
    uint64_t size_of(const Value& type, const Def* where);
    uint64_t align_of(const Value& type, const Def* where);
    ///@}

    /// @name memory
    /// `where` is to blame: null, dangling and foreign pointers, double frees, uninitialised loads are undefined behaviour.
    ///@{
    Value alloc(const Value& type, const Def* where);
    Value malloc(uint64_t bytes);
    /// The allocation `id` of this activation of the function around `app`; the same one when asked again.
    Value slot(const Value& type, uint64_t id, const Def* where);
    void free(const Value& ptr, const Def* where);
    Value load(const Value& ptr, const Value& type, const Def* where);
    void store(const Value& ptr, const Value& type, const Value& value, const Def* where);
    /// A pointer to the i-th of `arity` elements of these types (a tuple or pack, maybe lazy).
    Value lea(const Value& ptr, const Value& arity, const Value& types, uint64_t i, const Def* where);
    uint64_t ptr_to_num(const Value& ptr, const Def* where);
    Value num_to_ptr(uint64_t address);
    bool same_ptr(const Value& a, const Value& b);
    /// A value of one type as the value of another that has the same bytes.
    Value reinterpret(const Value& value, const Value& from, const Value& to, const Def* where);
    uint64_t load_byte(const Value& ptr, uint64_t i); ///< ptr[i] of a C string
    /// What is there before the program starts.
    Value c_string(std::string_view);
    Value c_array(const Values& pointers);
    ///@}

    /// @name C functions
    ///@{
    /// What a C function does: takes the group of its domain, returns its result (with the token if it takes one).
    void host(std::string name, HostFn fn) { hosts_[std::move(name)] = std::move(fn); }
    void print(std::string_view text);
    /// Ends the program.
    [[noreturn]] void exit(int code);
    ///@}

    World& world() { return world_; }

    /// @name running
    ///@{
    /// def under env, forced.
    Value eval(const Def* def, Env env);
    Value eval(const Def* closed) { return eval(closed, root_); }
    /// def under env, evaluated as `copy` does a value.
    Value copy(const Def* def, Env env);
    /// The same, by need.
    Value thunk(const Def* def, const Env& env);
    /// Calls a function in continuation-passing style with (arg, return), or only with a return; what it returns. If it leaves by a
    /// continuation around the call, this call and those around it are over, up to the one that gets a result so.
    Value call_cps(const Value& fn, const Value* arg);
    /// For a meaning or a HostFn of type ⊥, which ends by calling a continuation: `return m.go_on(k, v)`. The call happens once
    /// the meaning has returned, so that a loop takes no stack.
    Value go_on(Value fn, Value arg);
    Value host_fn(HostFn);
    uint64_t steps() const { return steps_; }
    /// From now on at most so many steps.
    void limit_steps(uint64_t more) { limits_.steps = steps_ + more; }
    /// If set: the axioms whose meanings were asked for.
    std::unordered_set<const mim::Axiom*>* used = nullptr;
    /// Phases split aggregates, whose unwritten parts may be copied: then scalars that were loaded may be, too.
    bool loads_unwritten = false;
    const std::string& output() const { return output_; }
    /// v as text: numbers, tuples, and the kind of anything else.
    std::string show(const Value& v);
    ///@}

private:
    /// What is known of a node, by its id.
    struct NodeInfo {
        const Def* home = nullptr; ///< the innermost binder whose variable is free in it; null: closed
        uint32_t slot   = 0;       ///< of its value in the memo of its home's frames
        bool known      = false;
        uint8_t linear  = 2; ///< of a type: whether values of it are tokens; 2: not known yet
        uint8_t aborted = 0; ///< speculations that were given up
    };
    struct Exit : Passing {
        explicit Exit(int code)
            : code(code) {}
        int code;
    };
    struct Abandon : Passing {}; ///< a speculation went too far
    struct Waiting;
    struct Left;
    class Returned;

    NodeInfo& info(const Def* def);
    Env home(const Def* def, const Env& env);
    void tick(const Def* where);
    void no_speculation() const {
        if (speculation_ != ~uint64_t(0)) throw Abandon{};
    }
    bool find_memo(const Def* def, const Env& env, Env& frame, Value& value);
    bool enter(Value fn, Value arg, const Def* where, const Env& at, const Def*& def, Env& env, Value& result);
    Value run_axiom(const Axm*, const Value* groups, size_t n, const Def* where, const Env& at);
    bool goes_on(Value& fn, Value& arg);
    Value eval_axiom_app(const Axm*, const Def* app, const Env& env);
    void call_c(const mim::Axiom&, const Def* type, Value& fn, Value& arg, const Def* where);
    Value argument(const Def* arg, const Env& env, bool speculate);
    Value settle(const Def* def, const Env& env);
    Value eval_tuple(const Tuple*, const Env& env, bool speculate);
    bool is_linear(const Def* type);
    Value extract(const Value& tuple, uint64_t i, const Def* where);
    bool step_extract(const Extract*, const Def*& def, const Env& env, Value& result);
    Value eval_insert(const Insert*, const Env& env);
    Value eval_pack(const Pack*, const Env& env);
    Value pack_elem(PackObj&, uint64_t i);
    Value eval_inj(const Inj*, const Env& env);
    Value select_arm(const Match*, const Env& env, Value& arg);
    Value type_value(const Def* def, const Env& env);
    Env bind(const Def* binder, const Value& arg, const Env& env);
    bool is_one(const Def* idx_type, const Env& env);
    bool same(const Value& a, const Value& b);
    bool same_values(const Values& a, const Values& b);
    bool same_value(const Value& a, const Value& b);
    bool same_form(const Value& a, const Value& b);
    bool same_function(const TypeObj& a, const TypeObj& b);
    bool same_aggregate(const TypeView& a, const TypeView& b);
    bool covers(const TypeView& a, const TypeView& b);
    Value rigid(const Value& type, unsigned depth);
    Layout layout(const Value& type, const Def* where);
    Layout compute_layout(const TypeView&, const Def* where);
    Layout axiom_layout(const TypeView& type, const Def* where);
    const Def* reify(const Value& v, const Def* where);
    uint64_t payload_offset(const TypeView& union_type, const Def* where);
    uint64_t member_of(const TypeView& union_type, const Value& value, const Def* where);

    Value allocate(Allocation::Home, uint64_t size);
    PtrObj& access(const Value& ptr, uint64_t bytes, const Def* where);
    Value uniform(const Value& types);
    Value offset_ptr(PtrObj& base, uint64_t offset);
    void break_objects(Allocation&, uint64_t offset, uint64_t n, bool keep, const Def* where);
    void write_object(Allocation&, uint64_t offset, const Value&, const Def* where);
    Value read_number(Allocation&, uint64_t offset, uint64_t n, const Def* where);
    Value read_object(Allocation&, uint64_t offset, bool is_pointer, const Def* where);
    void write_value(Allocation&, uint64_t offset, const Value& type, const Value& shape, const Value& value, const Def* where);
    Value read_value(Allocation&, uint64_t offset, const Value& type, const Value& shape, const Def* where);
    Value read_elems(Allocation&, const TypeView&, const Value& shape, const Def* where,
                     const std::function<uint64_t(uint64_t, const Value&)>& place);

    void note_blocks(const Def* call);
    void begin_activation(const Env& function);
    void end_activation(Frame&);
    void end_activations(const ClosureObj& continuation);

    World& world_;
    Heap heap_;
    Env root_;
    std::vector<NodeInfo> infos_;
    std::unordered_set<const Lam*> blocks_; ///< λs that look like functions, and may be blocks
    std::unordered_map<const Def*, uint32_t> num_slots_;
    std::unordered_map<std::string, HostFn> hosts_;
    TypePairs same_;                              ///< assumed to be equal
    std::map<uint64_t, Ref<Allocation>> exposed_; ///< allocations whose address was seen, by that
    const Value* groups_ = nullptr;
    size_t num_groups_   = 0;
    const Axm* axm_      = nullptr;
    Env env_;                           ///< where the axiom being evaluated is
    Value next_, next_arg_;             ///< see go_on
    std::shared_ptr<Waiting> returned_; ///< the call that got its result last; see call_cps
    std::vector<Env> open_;             ///< functions in direct style that have slots, innermost last
    uint32_t depth_ = 0;                ///< of nested evaluations
    std::string output_;
    uint64_t steps_ = 0, speculation_ = ~uint64_t(0), next_address_ = 0x10000;
    Limits limits_;

    friend Result run(World&, const std::function<int(Machine&)>&, const Limits&);
};

constexpr uint64_t round_up(uint64_t n, uint64_t align) { return (n + align - 1) / align * align; }
/// Bytes of the tag of a union with so many members.
constexpr uint64_t tag_size(uint64_t members) { return members <= 0x100 ? 1 : members <= 0x10000 ? 2 : 4; }

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
