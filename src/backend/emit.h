// SPDX-License-Identifier: MIT
// What an emitter of a plugin sees of a back end: a builder of straight-line code in the block that is being filled, behind
// opaque handles. No type of LLVM occurs here, so plugins never link it.
//
//     Value emit_wrap_add(Emit& e, const Def* app) {
//         auto [a, b] = e.elems<2>(arg_of(app));
//         return e.bin(Bin::Add, a, b, NUW);
//     }
//
// Representation of values.
// - Types without information (`[]`, `Idx 0`, `Idx 1`, erased and linear types such as `%mem.M`, all types and universes, and Σs
//   and arrays of only such) have no run-time value: their Value and Type are empty (`!v`).
// - Of a Σ only the elements with a run-time value remain: none → empty; one → that element itself; more → a struct of them.
//   So an effect of type `[%mem.M, T]` returns just T's Value, one of type `%mem.M` returns `{}`, and one of type
//   `[%mem.M, T, U]` returns aggregate({T's, U's}). The back end finds `e#i` in it by itself.
// - `Idx n` is the smallest of i1, i8, i16, i32, i64 that holds n-1; `Idx n` of unknown n and `Nat` are i64. A value is always
//   reduced: an emitter that computes in `Idx n` where n is no power of two or no full width must return a value below n.
// - Arrays of constant length, of at most 16 parts, are array values; unions are {i32 tag, payload bytes}; functions are pointers.
// - A larger one, or one of run-time length, is a pointer to its elements, dense and row-major, in memory that nobody changes. Behind other
//   pointers are the elements themselves; what may hold an array gets there by write(), and is read by read() (doc/adr/0026).
#pragma once
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <string_view>

#include "ir/world.h"

namespace mim::backend {

/// A type of the target; empty for types without run-time value. Cheap to copy; equal handles are equal types.
class Type {
public:
    Type() = default;
    explicit Type(void* ptr)
        : ptr_(ptr) {}
    void* get() const { return ptr_; }
    explicit operator bool() const { return ptr_; }
    bool operator==(const Type&) const = default;

private:
    void* ptr_ = nullptr;
};

/// A value of the target, available in the current block; empty if it has no run-time representation.
class Value {
public:
    Value() = default;
    explicit Value(void* ptr)
        : ptr_(ptr) {}
    void* get() const { return ptr_; }
    explicit operator bool() const { return ptr_; }
    bool operator==(const Value&) const = default;

private:
    void* ptr_ = nullptr;
};

/// A basic block, for the few emitters that need control flow inside of one operation.
class Block {
public:
    Block() = default;
    explicit Block(void* ptr)
        : ptr_(ptr) {}
    void* get() const { return ptr_; }

private:
    void* ptr_ = nullptr;
};

using Values = std::span<const Value>;
using Types  = std::span<const Type>;

enum class Bin : uint8_t {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    FAdd,
    FSub,
    FMul,
    FDiv,
    FRem,
};
enum class Cmp : uint8_t { Eq, Ne, ULt, ULe, UGt, UGe, SLt, SLe, SGt, SGe };
/// In LLVM's numbering: bit 0 equal, bit 1 greater, bit 2 less, bit 3 unordered.
enum class FCmp : uint8_t { F, OEq, OGt, OGe, OLt, OLe, ONe, Ord, Uno, UEq, UGt, UGe, ULt, ULe, UNe, T };
enum class Cast : uint8_t { ZExt, SExt, Trunc, PtrToInt, IntToPtr, Bit, FPTrunc, FPExt, SIToFP, UIToFP, FPToSI, FPToUI };

/// Flags of an operation, combined with |. Bits 8… are fast-math flags: `mode << 8` with %math's mode bits.
enum OpFlag : uint32_t {
    NoFlags   = 0,
    NUW       = 1,
    NSW       = 2,
    Exact     = 4,
    NoEffect  = 8,  ///< a call of a C function that only computes: may be merged, moved and dropped
    AsWritten = 16, ///< a call that is neither evaluated at compile time nor replaced by another one, whatever it is known to do
    OwnMemory = 32, ///< a call that touches no memory of the program but what its result points to
    FastMathShift = 8,
};

/// Where a closure lives: in the function's activation, one for each place in the program or one for each evaluation; or on the heap,
/// until nobody refers to it if the program has closures (Axiom::Closures), else for ever.
enum class Storage : uint8_t { Slot, Stack, Heap };

enum class Float : uint8_t { F16, BF16, F32, F64 };

/// Options of a load or store. `align` 0 means the natural alignment of the type, but no more than any allocation has: 16 bytes.
struct Access {
    uint32_t align   = 0;
    bool is_volatile = false;
    /// Loads only: the memory never changes while it can be read (LLVM's !invariant.load).
    bool invariant = false;
    /// Both: no hint to keep it in the cache (LLVM's !nontemporal).
    bool nontemporal = false;
};

/// The builder facade. Everything works on the block that is being filled; operands come first, in the order of evaluation.
/// Where values are vectors, arithmetic, comparisons, casts and intrinsics work by element.
class Emit {
public:
    virtual ~Emit() = default;

    virtual World& world()                  = 0;
    virtual std::string_view target() const = 0; ///< "llvm", …
    /// Whether the processor that code is made for has this feature, by LLVM's name: "avx2", "neon", …
    virtual bool has(std::string_view feature) const = 0;
    virtual bool checked() const                     = 0; ///< --checked: trap on undefined behaviour
    /// A size that is known at run time only may be 2^64, which is 0 there. Nearly no program has such sizes.
    virtual bool may_be_2_64(const Def* size) = 0;
    /// With --checked, where the program has what knows of its memory (src/runtime/memory.h), which code alone does not.
    virtual bool checks_memory() const = 0;

    /// @name expressions
    ///@{
    /// The value of an expression. Operands of a scheduled operation are available.
    virtual Value emit(const Def* def) = 0;
    /// The value of the i-th element of `def`, without building the aggregate: for the arguments of an axiom.
    virtual Value elem(const Def* def, size_t i) = 0;
    /// The first N, to be taken apart: auto [a, b] = e.elems<2>(arg).
    template<size_t N>
    std::array<Value, N> elems(const Def* def) {
        std::array<Value, N> result;
        for (size_t i = 0; i != N; ++i) result[i] = elem(def, i);
        return result;
    }
    /// The type by which values of the Mim type `type` are represented. Throws (a diagnostic) if its layout depends on a run-time value.
    virtual Type type(const Def* type) = 0;
    /// `value` of the Mim type `from` in the layout of the Mim type `to` (an `Idx 4` where `Idx n` is expected).
    virtual Value convert(Value value, const Def* from, const Def* to) = 0;
    /// The expression as the user would write it, for messages.
    virtual std::string show(const Def*) = 0;
    /// Reports a diagnostic at the operation's line and goes on.
    virtual void error(const Def* at, Diag id, std::vector<std::string> args) = 0;
    template<class... Args>
    void error(const Def* at, const DiagWith<Args...>& d) {
        auto text = [&]<class T>(const T& arg) {
            if constexpr (std::is_convertible_v<T, const Def*>) return show(arg);
            else return diag_text(arg);
        };
        error(at, d.id, std::apply([&](const Args&... args) { return std::vector<std::string>{text(args)...}; }, d.args));
    }
    ///@}

    /// @name types
    ///@{
    virtual Type int_type(unsigned bits)                = 0; ///< 1…128
    virtual Type float_type(Float)                      = 0;
    virtual Type ptr_type(unsigned addrspace = 0)       = 0;
    virtual Type array_type(Type elem, uint64_t n)      = 0;
    virtual Type vector_type(Type elem, unsigned lanes) = 0;
    virtual Type struct_type(Types elems)               = 0; ///< with padding as in C
    Type struct_type(std::initializer_list<Type> elems) { return struct_type(Types(elems.begin(), elems.size())); }
    virtual Type type_of(Value)     = 0;
    virtual bool is_int(Type)       = 0;
    virtual bool is_float(Type)     = 0;
    virtual bool is_ptr(Type)       = 0;
    virtual unsigned bits(Type)     = 0; ///< width of an integer or float (of the element of a vector); pointers: of an address
    virtual uint64_t size_of(Type)  = 0; ///< bytes, with tail padding; 0 for an empty type
    virtual uint64_t align_of(Type) = 0; ///< 1 for an empty type
    ///@}

    /// @name constants
    ///@{
    virtual Value int_const(Type, uint64_t) = 0; ///< truncated to the type; a splat for vectors
    Value i1(bool b) { return int_const(int_type(1), b); }
    Value i64(uint64_t n) { return int_const(int_type(64), n); }
    /// The float with this bit pattern (in the low bits).
    virtual Value float_bits(Type, uint64_t bits) = 0;
    virtual Value zero(Type)                      = 0; ///< all bits zero; null
    virtual Value undef(Type)                     = 0; ///< unspecified, for what is never read
    /// A pointer to a constant global with these bytes (merged with equal ones).
    virtual Value bytes(std::string_view data, unsigned align = 1) = 0;
    ///@}

    /// @name operations
    ///@{
    virtual Value bin(Bin, Value, Value, uint32_t flags = 0)        = 0;
    virtual Value cmp(Cmp, Value, Value)                            = 0; ///< also of pointers
    virtual Value fcmp(FCmp, Value, Value, uint32_t flags = 0)      = 0;
    virtual Value cast(Cast, Value, Type to)                        = 0; ///< the value itself if it already has the type
    virtual Value select(Value cond, Value on_true, Value on_false) = 0;
    virtual Value fneg(Value, uint32_t flags = 0)                   = 0;
    Value neg(Value v) { return bin(Bin::Sub, zero(type_of(v)), v); }
    Value not_(Value v) { return bin(Bin::Xor, v, int_const(type_of(v), ~uint64_t(0))); }
    /// Zero-extends or truncates an integer, or goes between integer and pointer.
    virtual Value resize(Value, Type to) = 0;
    /// `index`, which is the number `wide` wherever an element at it is accessed: addresses are computed from that.
    virtual Value exact(Value index, Value wide) = 0;
    /// That number, if exact() told it; else the index itself.
    virtual Value number_of(Value index) = 0;
    Value umin(Value a, Value b) { return intrinsic("llvm.umin", {type_of(a)}, {a, b}); }
    Value umax(Value a, Value b) { return intrinsic("llvm.umax", {type_of(a)}, {a, b}); }
    Value smin(Value a, Value b) { return intrinsic("llvm.smin", {type_of(a)}, {a, b}); }
    Value smax(Value a, Value b) { return intrinsic("llvm.smax", {type_of(a)}, {a, b}); }
    Value abs(Value a) { return intrinsic("llvm.abs", {type_of(a)}, {a, i1(false)}); }
    /// An intrinsic of the target by its base name ("llvm.sadd.with.overflow"), overloaded on `types`.
    virtual Value intrinsic(std::string_view name, Types types, Values args, uint32_t flags = 0) = 0;
    Value intrinsic(std::string_view name, std::initializer_list<Type> types, std::initializer_list<Value> args,
                    uint32_t flags = 0) {
        return intrinsic(name, Types(types.begin(), types.size()), Values(args.begin(), args.size()), flags);
    }
    /// Calls the C function `name`, declared on first use with the types of the arguments; an empty `result` is void.
    virtual Value call(std::string_view name, Type result, Values args, uint32_t flags = 0) = 0;
    Value call(std::string_view name, Type result, std::initializer_list<Value> args, uint32_t flags = 0) {
        return call(name, result, Values(args.begin(), args.size()), flags);
    }
    ///@}

    /// @name aggregates and vectors
    ///@{
    /// A Σ's value from those of its elements: empty ones vanish, see above.
    virtual Value aggregate(Values elems) = 0;
    Value aggregate(std::initializer_list<Value> elems) { return aggregate(Values(elems.begin(), elems.size())); }
    /// Of structs and arrays of the target (after empty elements vanished).
    virtual Value extract_value(Value agg, unsigned i)                 = 0;
    virtual Value insert_value(Value agg, Value elem, unsigned i)      = 0;
    virtual Value extract_lane(Value vec, Value i)                     = 0;
    virtual Value insert_lane(Value vec, Value elem, Value i)          = 0;
    virtual Value lanes(Values elems)                                  = 0; ///< a vector of these, at least one
    virtual Value splat(Value elem, unsigned lanes)                    = 0;
    virtual Value shuffle(Value a, Value b, std::span<const int> mask) = 0; ///< -1: any
    ///@}

    /// @name memory
    ///@{
    /// Stack memory, allocated once per activation of the function (in its entry block), with its natural alignment.
    virtual Value alloca_(Type) = 0;
    /// The same for a value of the Mim type, an empty one included, whose address the program has. If checks_memory, it is watched until the
    /// function returns. A function that never returns, since its calls are jumps, has no stack memory that lasts: it gets a record of the
    /// collector's. `op` is the operation that makes it: it belongs to the activation of the function around that.
    virtual Value activation_memory(const Def* type, const Def* op) = 0;
    virtual Value load(Type, Value ptr, Access = {})                = 0; ///< empty type: nothing happens, empty value
    virtual void store(Value value, Value ptr, Access = {})         = 0; ///< empty value: nothing happens
    /// ptr + i * size_of(elem); i is any unsigned integer (zero-extended) and in bounds.
    virtual Value gep(Type elem, Value ptr, Value i)                     = 0;
    virtual Value byte_gep(Value ptr, Value bytes)                       = 0;
    virtual Value field_ptr(Type struct_type, Value ptr, unsigned field) = 0;
    /// The value of the Mim type `type` that lies at ptr: a copy, if it is an array that is a pointer.
    virtual Value read(const Def* type, Value ptr, Access = {}) = 0;
    /// Whether the array that this load reads may stay where it is: nobody changes that memory while the array is looked at.
    virtual bool is_view(const Def* load) = 0;
    /// The array, a pointer, of the Mim type `type` whose elements lie at ptr, and stay there.
    virtual Value view(const Def* type, Value ptr) = 0;
    /// Whether the array that this operation stores may be there already, and has to be brought there by end_array().
    virtual bool is_sink(const Def* store)                          = 0;
    virtual void end_array(const Def* type, Value array, Value ptr) = 0;
    /// Puts it there.
    virtual void write(const Def* type, Value value, Value ptr, Access = {}) = 0;
    /// The array of the Mim type `type` with these elements; `element` gets its index, an i64, and is called in a loop.
    virtual Value fill_array(const Def* type, const std::function<Value(Value)>& element) = 0;
    /// A value of the Mim type `type` that nobody has put anything into; an array that is a pointer has memory of its
    /// own.
    virtual Value unwritten(const Def* type) = 0;
    /// The bytes of a value of the Mim type `type`. Arrays, also those of arrays, may have lengths that are known at
    /// run time only, if these do not depend on an index.
    virtual Value bytes_of(const Def* type) = 0;
    /// Address of element `index` of the Mim type `pointee` behind ptr: all of %mem.lea, with erased elements, unknown indices
    /// into Σs, and arrays of run-time length, also of arrays.
    virtual Value lea(const Def* pointee, Value ptr, const Def* index)                       = 0;
    virtual Value masked_load(Type vec, Value ptr, Value mask, Value otherwise, Access = {}) = 0;
    virtual void masked_store(Value vec, Value ptr, Value mask, Access = {})                 = 0;
    /// Until the function returns, the memory behind ptr is accessed through ptr alone: of use if ptr is a parameter.
    virtual void unaliased(Value ptr) = 0;
    ///@}

    /// @name evaluation by need
    ///@{
    /// def in the layout that `type` has, for the block that is being filled. What is evaluated for it is not remembered: the blocks that
    /// are filled later may be reached without passing through this one.
    virtual Value emit_inside(const Def* def, const Def* type) = 0;
    /// Calls `fn`, which has a return continuation, and yields its result. `fn` may be a λ with free variables.
    virtual Value call_function(const Def* fn, const Def* arg) = 0;
    /// The same with its parameters as they are passed one by one.
    virtual Value call_function(const Def* fn, Values args) = 0;
    ///@}

    /// @name closures
    ///@{
    /// A closure of the continuation `lam`, which has a return and may refer to variables around it: a pointer to {code, header,
    /// captures…}, of which the header (if there is one) is the caller's and not initialised. The code's address is not null.
    virtual Value closure(const Def* lam, Type header, Storage) = 0;
    /// Calls the code of a closure whose continuation has the type `pi`; its parameters as they are passed one by one.
    virtual Value call_closure(Value closure, const Def* pi, Values args) = 0;
    /// The functions `code (env, functions)`, those being themselves: values that may outlive this activation. They share one record on
    /// the heap, {addresses of code…, env}. `code` is a closed λ whose body is a tuple of λs, or one λ. For axioms that are `Closures`.
    virtual Value escaping(const Def* code, const Def* env) = 0;
    ///@}

    /// @name the heap
    ///@{
    /// Memory for a value of the Mim type `type`, until it is freed. What may hold closures is seen by the collector.
    virtual Value heap(const Def* type, Value bytes) = 0;
    virtual void free_heap(Value ptr)                = 0;
    /// Memory that is reclaimed when nobody refers to it. `is_plain`: will refer to no such memory. For axioms that are `Closures`.
    virtual Value collected(Value bytes, bool is_plain) = 0;
    /// `value` of the Mim type `type` is about to be stored at `at`. Closures in it stay, should the collector not look there.
    virtual void keep_closures(const Def* type, Value value, Value at) = 0;
    /// `value` of the Mim type `from` goes on as one of `to`: a pointer to memory that anyone allocated, or a closure as a number.
    virtual void reinterpreted(const Def* from, const Def* to, Value value) = 0;
    ///@}

    /// @name control flow
    ///@{
    /// For --checked: if the i1 is true, the program reports that `what` happened in the operation `at`, and aborts.
    /// Each `{}` in `what` stands for one of the numbers, integers that the program has.
    virtual void trap_if(Value cond, const Def* at, std::string_view what, Values numbers = {}) = 0;
    void trap_if(Value cond, const Def* at, std::string_view what, std::initializer_list<Value> numbers) {
        trap_if(cond, at, what, Values(numbers.begin(), numbers.size()));
    }
    /// Ends the block; what is emitted afterwards is unreachable.
    virtual void trap()                                                        = 0;
    virtual void unreachable()                                                 = 0;
    virtual Block new_block(std::string_view name)                             = 0;
    virtual Block current()                                                    = 0;
    virtual void enter(Block)                                                  = 0; ///< fill this block from now on
    virtual void jump(Block)                                                   = 0;
    virtual void branch(Value cond, Block yes, Block no)                       = 0;
    virtual Value phi(Type, std::span<const std::pair<Value, Block>> incoming) = 0; ///< first in its block
    ///@}
};

} // namespace mim::backend
