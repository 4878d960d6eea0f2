// SPDX-License-Identifier: MIT
// Values of the reference evaluator. A Value is a small handle: numbers are held in place, all else is a reference-counted
// object of the Machine's heap. Evaluation is by need, so a Value may be a *thunk*: Machine::force makes it a value. Numbers carry no
// type: a Nat, an `Idx n`, and a plugin's 64-bit literal (a float's bits) are all just a number; the code that uses one knows
// its type. The size 2^64 is its own kind, because it is no operand of arithmetic.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/axiom.h"
#include "ir/def.h"

namespace mim::eval {

class Machine;
class Heap;
struct Frame;

enum class Kind : uint8_t {
    None,    ///< nothing yet (internal)
    Num,     ///< a Nat, an Idx, a raw literal
    Size64,  ///< the Nat 2^64
    Token,   ///< a %mem.M or another linear value without content
    Poison,  ///< an uninitialised part of memory: undefined behaviour as soon as it is forced, not when it is copied
    Tuple,   ///< elements, each maybe a thunk; also arrays
    Pack,    ///< an array too large to be written out: ‹i: n; e›
    Closure, ///< a λ with its environment
    Axiom,   ///< an axiom applied to fewer groups than it takes
    Host,    ///< a function of the evaluator's caller (the continuation that main returns to)
    Type,    ///< a type with its environment
    Ptr,     ///< an allocation and an offset; the null pointer has no object
    Inj,     ///< a member of a union with the type it has there
    Thunk,   ///< an expression with its environment, not evaluated yet
    Dual,    ///< a number, and how it changes in some direction
};

/// What lives on the Machine's heap.
struct Object {
    explicit Object(Heap& h);
    virtual ~Object();
    virtual void clear()             = 0; ///< drops what it refers to
    Object(const Object&)            = delete;
    Object& operator=(const Object&) = delete;

    Heap& heap;
    Object *prev, *next; ///< all objects of the heap, so that cycles are freed with it
    uint32_t refs    = 0;
    uint64_t charged = 0; ///< bytes that the heap counts for it
};
void release(Object*);

struct TupleObj;
struct PackObj;
struct ClosureObj;
struct AxiomObj;
struct HostObj;
struct TypeObj;
struct PtrObj;
struct InjObj;
struct DualObj;
struct ThunkObj;

struct Value {
    Kind kind = Kind::None;
    union {
        uint64_t bits = 0;
        const Def* left; ///< Poison: what left it so
        Object* obj;
    };

    Value() = default;
    Value(Kind k, Object* o)
        : kind(k)
        , obj(o) {
        if (o) ++o->refs;
    }
    Value(const Value& v)
        : kind(v.kind)
        , bits(v.bits) {
        if (auto o = object()) ++o->refs;
    }
    Value(Value&& v) noexcept
        : kind(v.kind)
        , bits(v.bits) {
        v.kind = Kind::None;
        v.bits = 0;
    }
    Value& operator=(Value v) noexcept {
        std::swap(kind, v.kind);
        std::swap(bits, v.bits);
        return *this;
    }
    ~Value() {
        if (auto o = object()) release(o);
    }

    static Value num(uint64_t n) {
        Value v;
        v.kind = Kind::Num, v.bits = n;
        return v;
    }
    static Value of(Kind k) {
        Value v;
        v.kind = k;
        return v;
    }
    static Value size64() { return of(Kind::Size64); }
    static Value token() { return of(Kind::Token); }
    /// Left uninitialised by `origin`.
    static Value poison(const Def* origin) {
        auto v = of(Kind::Poison);
        v.left = origin;
        return v;
    }
    static Value null_ptr() { return of(Kind::Ptr); }

    bool is(Kind k) const { return kind == k; }
    explicit operator bool() const { return kind != Kind::None; }
    Object* object() const { return kind >= Kind::Tuple ? obj : nullptr; }

    TupleObj& tuple() const;
    PackObj& pack() const;
    ClosureObj& closure() const;
    AxiomObj& axiom() const;
    HostObj& host() const;
    TypeObj& type() const;
    PtrObj& ptr() const;
    InjObj& inj() const;
    DualObj& dual() const;
    ThunkObj& thunk() const;
};

using Values = std::vector<Value>;
using HostFn = std::function<Value(Machine&, Value arg)>;

/// A counted reference to a heap object.
template<class T>
class Ref {
public:
    Ref() = default;
    Ref(T* p)
        : p_(p) {
        if (p_) ++p_->refs;
    }
    Ref(const Ref& r)
        : Ref(r.p_) {}
    Ref(Ref&& r) noexcept
        : p_(std::exchange(r.p_, nullptr)) {}
    Ref& operator=(Ref r) noexcept {
        std::swap(p_, r.p_);
        return *this;
    }
    ~Ref() {
        if (p_) release(p_);
    }
    T* get() const { return p_; }
    T* operator->() const { return p_; }
    T& operator*() const { return *p_; }
    explicit operator bool() const { return p_; }
    bool operator==(const Ref&) const = default;

private:
    T* p_ = nullptr;
};
using Env = Ref<Frame>;

struct TupleObj : Object {
    using Object::Object;
    void clear() override { elems.clear(); }
    Values elems;
    bool is_deep = false, is_known = false; ///< see Machine::deep and by_value
};

/// ‹i: n; e› of a length that is not worth writing out; elements are computed when asked for.
struct PackObj : Object {
    using Object::Object;
    void clear() override { env = {}, changed.clear(); }
    uint64_t arity  = 0; ///< 0 for 2^64
    const Pack* def = nullptr;
    Env env;
    std::vector<std::pair<uint64_t, Value>> changed; ///< what `ins` put in
};

struct ClosureObj : Object {
    using Object::Object;
    void clear() override { env = {}; }
    const Lam* lam = nullptr;
    Env env;
};

/// Of the values of a type, in bytes.
struct Layout {
    uint64_t size = 0, align = 0; ///< align 0: not known yet
};

struct AxiomObj : Object {
    using Object::Object;
    void clear() override { groups.clear(); }
    const Axm* axm = nullptr;
    Values groups;
    Layout layout; ///< of a type, once somebody asked
};

struct HostObj : Object {
    using Object::Object;
    void clear() override { fn = nullptr, returns.clear(); }
    HostFn fn;
    std::vector<Env> returns; ///< activations that end when it is called
};

/// A type as it was written; Types::view reduces it.
struct TypeObj : Object {
    using Object::Object;
    void clear() override { env = {}; }
    const Def* def = nullptr;
    Env env;
    Layout layout; ///< once somebody asked
};

enum class ByteState : uint8_t { Unset, Number, Object };

struct Page {
    static constexpr uint64_t size = 256;
    uint8_t bytes[size]            = {};
    ByteState state[size]          = {};
};

/// One allocation: bytes, see bytes.cpp.
struct Allocation : Object {
    using Object::Object;
    enum Home : uint8_t { Slot, Heap, Outside };
    enum Life : uint8_t { Live, Freed, Returned };
    void clear() override { objects.clear(), pages.clear(); }
    void end(Life l) { life = l, objects.clear(), pages.clear(); }

    ByteState state(uint64_t offset) const;
    void set_state(uint64_t offset, uint64_t n, ByteState);
    bool all(uint64_t offset, uint64_t n, ByteState) const;
    void write(uint64_t offset, uint64_t bits, uint64_t n);
    uint64_t read(uint64_t offset, uint64_t n) const;

    uint64_t size    = 0;
    uint64_t address = 0; ///< given when a pointer to it is first seen as a number
    Home home        = Heap;
    Life life        = Live;
    std::unordered_map<uint64_t, std::unique_ptr<Page>> pages;
    std::map<uint64_t, Value> objects; ///< pointers and functions by their offset

private:
    Page& page(uint64_t offset);
    const Page* find(uint64_t offset) const;
};

struct PtrObj : Object {
    using Object::Object;
    void clear() override { alloc = {}; }
    Ref<Allocation> alloc; ///< null: a number that was cast to a pointer
    uint64_t offset = 0;   ///< in bytes; if alloc is null, the number
};

struct InjObj : Object {
    using Object::Object;
    void clear() override { value = {}, type = {}; }
    Value value;
    Value type; ///< the member, a Type
    bool is_deep = false, is_known = false;
};

/// A dual number. Directions are numbered in the order in which somebody has begun to look along them; both parts are
/// numbers, or dual numbers in earlier directions.
struct DualObj : Object {
    using Object::Object;
    void clear() override { number = {}, change = {}; }
    Value number, change;
    uint64_t direction = 0;
};

/// Once evaluated, the value is here and def and env are gone.
struct ThunkObj : Object {
    using Object::Object;
    void clear() override { env = {}, value = {}; }
    const Def* def = nullptr;
    Env env;
    Value value;
};

inline TupleObj& Value::tuple() const { return static_cast<TupleObj&>(*obj); }
inline PackObj& Value::pack() const { return static_cast<PackObj&>(*obj); }
inline ClosureObj& Value::closure() const { return static_cast<ClosureObj&>(*obj); }
inline AxiomObj& Value::axiom() const { return static_cast<AxiomObj&>(*obj); }
inline HostObj& Value::host() const { return static_cast<HostObj&>(*obj); }
inline TypeObj& Value::type() const { return static_cast<TypeObj&>(*obj); }
inline PtrObj& Value::ptr() const { return static_cast<PtrObj&>(*obj); }
inline InjObj& Value::inj() const { return static_cast<InjObj&>(*obj); }
inline DualObj& Value::dual() const { return static_cast<DualObj&>(*obj); }
inline ThunkObj& Value::thunk() const { return static_cast<ThunkObj&>(*obj); }

/// v as text: numbers, tuples, and the kind of anything else.
std::string show(const Value& v);
/// Whether two values of Kind::Ptr point to the same byte.
bool same_ptr(const Value& a, const Value& b);

/// What a frame has to do with slots; few frames have anything.
struct Activation {
    bool has_begun = false;                          ///< it is known where it will end
    std::vector<std::pair<uint64_t, Value>> slots;   ///< of this activation of a function: id → pointer
    std::vector<std::pair<const Lam*, Env>> returns; ///< activations that end when this continuation is called in this frame
};

/// One activation of a binder: the value of its variable and what was evaluated under it (each node once: by need).
struct Frame : Object {
    using Object::Object;
    void clear() override { arg = {}, parent = {}, memo.clear(), activation.reset(); }
    Activation& activation_of() {
        if (!activation) activation = std::make_unique<Activation>();
        return *activation;
    }
    const Def* binder = nullptr; ///< null: the outermost frame
    uint32_t depth    = 0;       ///< of the evaluation that called a function in direct style
    Value arg;
    Env parent;
    Values memo;                            ///< by the node's slot, see NodeInfo
    std::unique_ptr<Activation> activation; ///< see Activations
};

/// The value of a binder in a type, of which nothing is known, or an operation that waits for one.
bool is_unknown(const Value&);

} // namespace mim::eval
