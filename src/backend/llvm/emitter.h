// SPDX-License-Identifier: MIT
// The LLVM back end's emitter: the facade (emit.h) of a module that is being made. It puts the parts together, each
// of which has a header of its own, and hands on to them what is no plain instruction. A part knows those that its
// constructor takes; plugins' emitters get the whole.
#pragma once
#include "backend/llvm/arrays.h"
#include "backend/llvm/bodies.h"
#include "backend/llvm/checks.h"
#include "backend/llvm/closures.h"
#include "backend/llvm/escaping.h"
#include "backend/llvm/keep.h"

namespace mim::backend::llvm {

class Emitter final : public CodeBuilder {
public:
    /// All outlive the emitter. The module is empty.
    Emitter(World&, Diagnostics&, LLVMModuleRef, const Settings&);

    /// Emits all externals and whatever they need; false if errors were reported, and the module is of no use. To be
    /// called once.
    bool run();

    using Emit::error;
    Value emit(const Def* def) override { return values_.emit(def); }
    Value elem(const Def* def, size_t i) override { return values_.elem(def, i); }
    Value emit_inside(const Def* def, const Def* type) override { return values_.emit_inside(def, type); }
    Type type(const Def* def) override { return types_.type(def); }
    Value convert(Value v, const Def* from, const Def* to) override { return conversions_.convert(v, from, to); }
    std::string show(const Def* def) override { return reports_.show(def); }
    void error(const Def* at, Diag id, std::vector<std::string> args) override { reports_.error(at, id, std::move(args)); }
    bool may_be_2_64(const Def* size) override { return checks_.may_be_2_64(size); }
    using Emit::trap_if;
    void trap_if(Value cond, const Def* at, std::string_view what, Values numbers) override {
        checks_.trap_if(cond, at, what, numbers);
    }
    Value exact(Value index, Value wide) override { return addresses_.exact(index, wide); }
    Value number_of(Value index) override { return addresses_.number_of(index); }
    Value read(const Def* type, Value ptr, Access access) override { return arrays_.read(type, ptr, access); }
    bool is_view(const Def* load) override { return arrays_.is_view(load); }
    Value view(const Def* type, Value ptr) override { return arrays_.view(type, ptr); }
    bool is_sink(const Def* store) override { return arrays_.is_sink(store); }
    void end_array(const Def* type, Value array, Value ptr) override { arrays_.end(type, array, ptr); }
    void write(const Def* type, Value value, Value ptr, Access access) override { arrays_.write(type, value, ptr, access); }
    Value fill_array(const Def* type, const std::function<Value(Value)>& element) override { return arrays_.fill(type, element); }
    Value unwritten(const Def* type) override { return arrays_.unwritten(type); }
    Value bytes_of(const Def* type) override { return addresses_.bytes_of(type); }
    Value lea(const Def* pointee, Value ptr, const Def* index) override { return addresses_.lea(pointee, ptr, index); }
    Value activation_memory(const Def* type, const Def* op) override { return slots_.make(type, op); }
    Value call_function(const Def* fn, const Def* arg) override { return calls_.call_function(fn, arg); }
    Value call_function(const Def* fn, Values args) override { return calls_.call_function(fn, args); }
    Value closure(const Def* lam, Type header, Storage s) override { return closures_.closure(lam, header, s); }
    Value call_closure(Value f, const Def* pi, Values args) override { return closures_.call_closure(f, pi, args); }
    Value escaping(const Def* code, const Def* env) override { return escaping_.escaping(code, env); }
    Value heap(const Def* type, Value bytes) override { return heap_.heap(type, bytes); }
    void free_heap(Value ptr) override { heap_.free_heap(ptr); }
    Value collected(Value bytes, bool is_plain) override { return heap_.collected(bytes, is_plain); }
    void keep_closures(const Def* type, Value v, Value at) override { keeper_.keep_closures(type, v, at); }
    void reinterpreted(const Def* from, const Def* to, Value v) override { keeper_.reinterpreted(from, to, v); }

    const Program& program() const { return program_; }

private:
    void emit_externals();
    void keep_frames();

    // the program and how far it is
    Frame frame_;
    Reports reports_;
    Program program_;
    CTypes c_types_;
    Context ctx_;
    // types and memory
    TypeLowering types_;
    Signatures signatures_;
    Scope scope_;
    Spills spills_;
    Heap heap_;
    ClosureKeeper keeper_;
    Slots slots_;
    ActivationMemory activation_memory_;
    Checks checks_;
    // expressions: these know each other
    Addresses addresses_;
    Arrays arrays_;
    Unions unions_;
    Conversions conversions_;
    Expressions values_;
    // functions
    DebugNames names_;
    Functions functions_;
    CSignatures c_signatures_;
    CCalls c_calls_;
    CEntries entries_;
    ValueCalls value_calls_;
    FunctionValues function_values_;
    Closures closures_;
    EscapingClosures escaping_;
    Calls calls_;
    BlockEnds ends_;
    Bodies bodies_;
};

} // namespace mim::backend::llvm
