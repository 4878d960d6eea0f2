// SPDX-License-Identifier: MIT
// The LLVM back end's emitter: the facade over an LLVMBuilder (builder.cpp, types.cpp), the expressions of the calculus (values.cpp)
// and functions of blocks (function.cpp). Uses LLVM's C interface: it compiles fast and changes little between versions.
//
// Every function has an internal form with the calling convention `tailcc`, which guarantees tail calls at every level; C sees
// wrappers (abi.cpp). Results of more than three scalars are written through a pointer that comes as the first parameter, since
// LLVM would do the same in a way that forbids tail calls.
#pragma once
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "analysis/c_types.h"
#include "analysis/program.h"
#include "backend/emit.h"
#include "backend/llvm/debug.h"
#include "backend/llvm/large.h"
#include "diag/diag.h"

namespace mim::backend::llvm {

/// Thrown after a diagnostic was reported; ends the function that is being emitted.
struct Failed {};

inline LLVMValueRef unwrap(Value v) { return static_cast<LLVMValueRef>(v.get()); }
inline LLVMTypeRef unwrap(Type t) { return static_cast<LLVMTypeRef>(t.get()); }

/// The internal form of a function.
struct Signature {
    LLVMTypeRef type   = nullptr;
    LLVMTypeRef result = nullptr; ///< null: nothing
    bool by_memory     = false;   ///< the result is stored through parameter 0
};

/// A call directly before its return, which becomes a tail call unless it may receive a pointer into the caller's slots.
struct TailCall {
    LLVMValueRef call, ret;
    bool is_self;
};

/// How one argument or result travels in C.
struct CScalar {
    uint64_t offset;
    LLVMTypeRef type;
};
struct CArg {
    enum Kind : uint8_t { Direct, Coerced, Memory };
    Kind kind        = Direct;
    LLVMTypeRef type = nullptr;     ///< null: void
    std::vector<LLVMTypeRef> parts; ///< Coerced: the registers' types
};
struct CSig {
    std::vector<CArg> args;
    std::vector<unsigned> groups; ///< for each parameter of the internal form: 0, or how many arguments its elements are
    CArg result;
    LLVMTypeRef type = nullptr;
    bool returns     = true;
};

struct Settings {
    LLVMTargetDataRef data = nullptr;
    bool checked           = false;
    std::string triple;
    bool debug    = false; ///< -g
    bool optimize = false;
    bool memory   = false; ///< --checked, and the program will have the library that knows of memory
    std::function<std::string(World&, const Def*)> show = {};
    std::set<std::string, std::less<>> features         = {}; ///< of the processor
};

class Emitter final : public Emit {
public:
    Emitter(World&, Diagnostics&, LLVMContextRef, LLVMModuleRef, const Settings&);
    ~Emitter() override;

    /// Emits all externals and whatever they need; false if errors were reported.
    bool run();

    // Emit
    World& world() override { return world_; }
    std::string_view target() const override { return "llvm"; }
    bool has(std::string_view feature) const override { return settings_.features.contains(feature); }
    bool checked() const override { return settings_.checked; }
    bool checks_memory() const override { return settings_.memory; }
    bool may_be_2_64(const Def* size) override;
    Value emit(const Def*) override;
    Value elem(const Def*, size_t) override;
    Type type(const Def*) override;
    Value convert(Value, const Def* from, const Def* to) override;
    void error(const Def* at, Diag, std::vector<std::string> args) override;
    std::string show(const Def* def) override { return settings_.show ? settings_.show(world_, def) : name_of(def); }
    Type int_type(unsigned bits) override;
    Type float_type(Float) override;
    Type ptr_type(unsigned addrspace) override;
    Type array_type(Type, uint64_t) override;
    Type vector_type(Type, unsigned) override;
    Type struct_type(Types) override;
    Type type_of(Value) override;
    bool is_int(Type) override;
    bool is_float(Type) override;
    bool is_ptr(Type) override;
    unsigned bits(Type) override;
    uint64_t size_of(Type) override;
    uint64_t align_of(Type) override;
    Value int_const(Type, uint64_t) override;
    Value float_bits(Type, uint64_t) override;
    Value zero(Type) override;
    Value undef(Type) override;
    Value bytes(std::string_view, unsigned align) override;
    Value bin(Bin, Value, Value, uint32_t flags) override;
    Value cmp(Cmp, Value, Value) override;
    Value fcmp(FCmp, Value, Value, uint32_t flags) override;
    Value cast(Cast, Value, Type) override;
    Value select(Value, Value, Value) override;
    Value fneg(Value, uint32_t flags) override;
    Value resize(Value, Type) override;
    Value exact(Value index, Value wide) override;
    Value intrinsic(std::string_view, Types, Values, uint32_t flags) override;
    Value call(std::string_view, Type, Values, uint32_t flags) override;
    Value aggregate(Values) override;
    Value extract_value(Value, unsigned) override;
    Value insert_value(Value, Value, unsigned) override;
    Value extract_lane(Value, Value) override;
    Value insert_lane(Value, Value, Value) override;
    Value lanes(Values) override;
    Value splat(Value, unsigned) override;
    Value shuffle(Value, Value, std::span<const int>) override;
    Value alloca_(Type) override;
    Value activation_memory(const Def* type) override;
    Value load(Type, Value, Access) override;
    void store(Value, Value, Access) override;
    Value gep(Type, Value, Value) override;
    Value byte_gep(Value, Value) override;
    Value field_ptr(Type, Value, unsigned) override;
    Value lea(const Def*, Value, const Def*) override;
    Value masked_load(Type, Value, Value, Value, Access) override;
    void masked_store(Value, Value, Value, Access) override;
    Value emit_inside(const Def*, const Def* type) override;
    Value call_function(const Def* fn, const Def* arg) override;
    Value closure(const Def*, Type, Storage) override;
    Value call_closure(Value, const Def*, Values) override;
    Value escaping(const Def* code, const Def* env) override;
    Value heap(const Def* type, Value bytes) override;
    void free_heap(Value) override;
    void keep_closures(const Def* type, Value, Value at) override;
    void reinterpreted(const Def* from, const Def* to, Value) override;
    void trap_if(Value, const Def*, std::string_view what) override;
    void trap() override;
    void unreachable() override;
    backend::Block new_block(std::string_view) override;
    backend::Block current() override;
    void enter(backend::Block) override;
    void jump(backend::Block) override;
    void branch(Value, backend::Block, backend::Block) override;
    Value phi(Type, std::span<const std::pair<Value, backend::Block>>) override;

private:
    [[noreturn]] void fail(const Def* at, Diag, std::vector<std::string> args);
    /// Of something that leaves through the return of a function around it: a note says how to write it instead.
    void error_at_return(const Def* at, Diag, std::vector<std::string> args);
    /// The return continuation of `owner` is used as a value.
    [[noreturn]] void return_as_value(const Def* ret, const Lam* owner);
    void direct_style_left(const Def* def, const Def* at);
    void mark_call(LLVMValueRef call, std::string_view attribute, uint64_t value = 0);
    Value aligned_intrinsic(std::string_view, std::vector<Type>, std::vector<Value> args, unsigned ptr, uint32_t align);
    void keep_frames();
    Span span_of(const Def*);
    std::string name_of(const Def*);

    // types.cpp
    LLVMTypeRef lower(const Def* type);
    LLVMTypeRef lower_app(const Def* type);
    LLVMTypeRef lower_union(const Def* type);
    LLVMTypeRef lower_extract(const Def* type);
    LLVMTypeRef lower_array(const Def* type);
    LLVMTypeRef struct_of(const std::vector<LLVMTypeRef>& elems);
    [[noreturn]] void run_time_layout(const Def* type);
    bool is_vector(LLVMTypeRef);
    LLVMValueRef load_from(LLVMBuilderRef, LLVMTypeRef, LLVMValueRef ptr);
    void store_to(LLVMValueRef, LLVMValueRef ptr);
    Signature signature(const CnView&, const std::vector<const Def*>& captures);
    /// Bytes that every allocation is aligned to at least; no access by default asks for more.
    static constexpr unsigned max_align = 16;
    unsigned natural_align(LLVMTypeRef t) { return std::min(LLVMABIAlignmentOfType(settings_.data, t), max_align); }
    unsigned leaves(LLVMTypeRef t, unsigned limit = 100) { return num_scalars(settings_.data, t, limit); }

    // limits.cpp
    void check_size(const Def* type, LLVMTypeRef);
    void check_parts(const Def* type);
    [[noreturn]] void too_large(const Def* type, uint64_t limit);
    void check_parts(const Def* type, unsigned limit);
    Value check_value(const Def* type, Value v);
    bool store_constant(LLVMValueRef value, LLVMValueRef ptr, const Access&);
    bool store_loaded(LLVMValueRef value, LLVMValueRef ptr, const Access&);

    // values.cpp
    void set(const Def* def, Value v);
    Value as(const Def* def, const Def* type);
    Value emit_new(const Def*);
    Value emit_node(const Def*);
    Value emit_lit(const Def*);
    Value emit_var(const Def*);
    Value emit_tuple(const Def*);
    Value fill(LLVMTypeRef, std::vector<LLVMValueRef> elems);
    Value emit_pack(const Def*);
    Value emit_pack_loop(const Def* pack, uint64_t n);
    Value emit_extract(const Extract*);
    Value in_range(const Def* index);
    LLVMValueRef table(LLVMValueRef constant);
    Value emit_dynamic(const Extract*);
    Value emit_insert(const Insert*);
    Value emit_app(const Def*);
    Value project(Value agg, const Def* type, uint64_t i);
    int field_of(const Def* type, uint64_t i);
    size_t num_fields(const Def* type);
    Value spill(Value v);
    Value unspill(Type, Value mem);

    // unions.cpp
    Value emit_inj(const Inj*);
    Value payload_ptr(const Def* union_type, Value ptr);
    bool is_other_union(const Def* from, const Def* to);
    std::vector<size_t> partners(const Def* from, const Def* to);
    Value convert_union(Value, const Def* from, const Def* to);
    Value convert_union(Value, const Def* from, const Def* to, std::span<const size_t> numbers);
    Value widen_union(const Inj*);

    // memory.cpp
    void check_memory(const Def* from, const Def* to);

    // function.cpp
    LLVMValueRef function(const Lam*);
    LLVMValueRef declare(const Lam*, std::string_view name);
    void define(const Lam*);
    void emit_blocks(Function&);
    void start_block(BasicBlock&);
    void bind_entry();
    void emit_block(BasicBlock&);
    void end_block(BasicBlock&);
    void end_jump(BasicBlock&);
    void end_call(BasicBlock&);
    void end_c_call(BasicBlock&);
    void end_branch(BasicBlock&);
    void end_match(BasicBlock&);
    void end_effect(BasicBlock&);
    void finish_call(BasicBlock&, LLVMValueRef call, Value result, const Def* type, bool may_tail, bool is_self);
    void continue_with(const Cont&, Value result, const Def* type);
    void add_args(BasicBlock& target, const Def* arg, const Def* place);
    void add_value(BasicBlock& target, Value v, const Def* type);
    void add_incoming(BasicBlock& target, std::vector<LLVMValueRef> values);
    void return_(const Def* arg, Value v, const Def* type);
    std::vector<LLVMValueRef> call_args(const CnView&, const Def* arg, const std::vector<const Def*>& captures);
    void add_captures(const std::vector<const Def*>& captures, std::vector<LLVMValueRef>& args);
    std::vector<const Def*> captured(const Def* capture);
    LLVMValueRef pointer_to(const Lam*);

    // by_need.cpp
    std::vector<LLVMValueRef> args_before_return(const CnView&, const Def* arg);

    // closure.cpp
    LLVMTypeRef closure_struct(const Lam*, Type header);
    LLVMValueRef closure_code(const Lam*, Type header, LLVMTypeRef record);
    Value allocate(LLVMTypeRef, Storage);
    using Passed = std::function<void(LLVMBuilderRef, LLVMValueRef closure, std::vector<LLVMValueRef>& args)>;
    LLVMTypeRef with_closure(const Signature&);
    LLVMValueRef closure_code(const Signature&, LLVMTypeRef type, LLVMValueRef callee, const Passed&);
    LLVMValueRef code_of(LLVMValueRef closure, std::vector<LLVMValueRef>& args);

    // escaping.cpp
    Value collected(LLVMTypeRef, bool plain = false);
    LLVMValueRef functions_at(LLVMBuilderRef, LLVMValueRef record, unsigned n, const Def* type);
    LLVMValueRef escaping_code(const Lam* code, const Lam* fn, unsigned place, unsigned n, LLVMTypeRef record);
    LLVMValueRef as_value(LLVMValueRef fn, const Signature&);
    std::pair<LLVMValueRef, LLVMTypeRef> callee_of(LLVMValueRef value, const Signature&, std::vector<LLVMValueRef>& args);
    bool is_closure_type(const Def*);
    bool may_hold_closures(const Def* type);
    std::string_view heap_function(std::string_view c_name) const;
    void enter_from_c();

    // keep.cpp
    LLVMValueRef call_keep(Value, Value at);
    void end_keeping();

    // names.cpp: what -g adds
    void begin_debug(const Lam*, LLVMValueRef fn, bool artificial);
    void at(const Def*);
    Place end_of(const BasicBlock&);
    void at_end(const BasicBlock&);
    void stop_here();
    void name_block(const BasicBlock&);
    void name_captures();
    void name_value(const Def*);
    bool name(const Local&, unsigned param = 0);
    unsigned param_in_call(const Local&);
    bool is_of_block(const Local&, const Lam*);
    LLVMValueRef& name_slot(const Local&);
    const Def* missing(const Def*);

    // tail.cpp
    void finish_tail_calls();
    void keep_recursion();

    // checks.cpp
    LLVMValueRef undefined_function();
    void others_at_work();
    Value watched_slot(const Def* type);
    Value at_entry(const std::function<Value()>& emit);
    Value at_first_block(const std::function<Value()>& emit);
    void leave_slots();
    void define_undefined();

    // abi.cpp
    CSig c_signature(const CnView&, const Def* at, std::string_view name);
    CArg c_arg(LLVMTypeRef, bool is_result, unsigned& ints, unsigned& floats);
    bool c_scalars(LLVMTypeRef, uint64_t offset, std::vector<CScalar>& out);
    LLVMValueRef c_function(std::string_view name, const CSig&, const Def* at);
    void c_attributes(const CSig&, LLVMValueRef fn_or_call, bool is_call);
    std::vector<LLVMValueRef> ungroup(const CSig&, const std::vector<LLVMValueRef>& internal);
    std::vector<LLVMValueRef> group(const CSig&, const std::vector<LLVMValueRef>& args, std::span<const LLVMTypeRef> types);
    Value c_call(LLVMValueRef callee, const CSig&, const std::vector<LLVMValueRef>& internal);
    LLVMValueRef c_body(LLVMValueRef wrapper, const CSig&, const Lam*);
    void wrap_external(Symbol name, const Lam*);
    LLVMValueRef c_callback(const Lam*);
    LLVMValueRef c_thunk(const Axm*);
    Value c_pointer(const Axm*);
    void check_main(const Lam*, const CSig&);

    World& world_;
    Diagnostics& diags_;
    LLVMContextRef ctx_;
    LLVMModuleRef module_;
    Settings settings_;
    std::optional<bool> passes_2_64_; ///< 2^64 is among the values of the program
    LLVMBuilderRef builder_, alloca_builder_;
    Program* program_ = nullptr;
    CTypes* c_types_  = nullptr;
    bool failed_      = false;
    std::optional<DebugInfo> debug_; ///< with -g

    std::unordered_map<const Def*, LLVMTypeRef> types_;
    std::unordered_map<std::string, LLVMValueRef> bytes_;
    std::unordered_map<LLVMValueRef, LLVMValueRef> tables_; ///< by what is in them
    std::unordered_map<const Lam*, LLVMValueRef> functions_;
    LLVMValueRef undefined_ = nullptr; ///< with --checked: reports what is undefined
    std::unordered_map<const Axm*, LLVMValueRef> thunks_;
    std::unordered_map<const Lam*, LLVMValueRef> callbacks_;
    std::map<std::pair<const Lam*, void*>, LLVMValueRef> closures_; ///< code, by header type
    std::unordered_map<LLVMValueRef, LLVMValueRef> static_closures_;
    std::vector<LLVMValueRef> keep_calls_; ///< before stores of closures
    bool has_unknown_memory_ = false;      ///< for closures
    std::vector<const Lam*> todo_;

    /// Values in scope, with a trail to leave scopes.
    std::unordered_map<const Def*, Value> env_;
    std::vector<const Def*> trail_;

    struct State {
        Function* fn      = nullptr;
        LLVMValueRef llvm = nullptr;
        Signature sig;
        LLVMBasicBlockRef entry = nullptr;
        std::vector<LLVMBasicBlockRef> blocks;
        std::vector<std::vector<LLVMValueRef>> phis; ///< by block; of the entry: its loop header
        std::vector<TailCall> tail_calls;
        struct Slot {
            LLVMValueRef memory, bytes;
            const char* leave; ///< what the function calls when it returns
        };
        std::vector<Slot> watched;        ///< with --checked
        std::vector<LLVMValueRef> hidden; ///< allocas that no callee keeps: places of results
        Places places;                    ///< for large values
        const Def* place = nullptr;
        bool in_loop     = false;                            ///< the block being filled is in a loop of this function
        std::unordered_map<LLVMValueRef, LLVMValueRef> wide; ///< indices as the numbers that they came from, see exact()
        std::unordered_map<const Def*, std::vector<std::pair<Local, unsigned>>> waiting; ///< names, by what must be there first
        struct NameSlot {
            DebugInfo::Scope scope;
            LLVMValueRef slot;
        };
        std::map<std::tuple<uint32_t, std::string_view, uint32_t, const Def*>, std::vector<NameSlot>>
            slots; ///< by place and type
    } state_;

    /// Emits another function meanwhile.
    class Detour;
};

} // namespace mim::backend::llvm
