// SPDX-License-Identifier: MIT
// The instructions of the facade (emit.h). They are appended to the block that is being filled; memory of an
// activation goes to the entry block of its function.
#pragma once
#include <functional>

#include "backend/llvm/module_builder.h"

namespace mim::backend::llvm {

class CodeBuilder : public ModuleBuilder {
public:
    CodeBuilder(World&, LLVMModuleRef, Settings);
    ~CodeBuilder() override;
    CodeBuilder(const CodeBuilder&)            = delete;
    CodeBuilder& operator=(const CodeBuilder&) = delete;

    /// LLVM's builder, in the block that is being filled.
    LLVMBuilderRef ref() const { return builder_; }
    /// The function of that block.
    LLVMValueRef function() const;

    // operations
    using Emit::call;
    using Emit::intrinsic;
    Value bin(Bin, Value, Value, uint32_t flags = 0) final;
    Value cmp(Cmp, Value, Value) final;
    Value fcmp(FCmp, Value, Value, uint32_t flags = 0) final;
    Value cast(Cast, Value, Type) final;
    Value select(Value, Value, Value) final;
    Value fneg(Value, uint32_t flags = 0) final;
    Value resize(Value, Type) final;
    Value intrinsic(std::string_view, Types, Values, uint32_t flags = 0) final;
    Value call(std::string_view, Type, Values, uint32_t flags = 0) final;
    /// With --checked: C may read, write, allocate and free what it can reach.
    void others_at_work();

    // aggregates and vectors
    using Emit::aggregate;
    Value aggregate(Values) final;
    Value extract_value(Value, unsigned) final;
    Value insert_value(Value, Value, unsigned) final;
    Value extract_lane(Value, Value) final;
    Value insert_lane(Value, Value, Value) final;
    Value lanes(Values) final;
    Value splat(Value, unsigned) final;
    Value shuffle(Value, Value, std::span<const int>) final;
    /// A struct, array or vector of these elements.
    Value fill(LLVMTypeRef, std::vector<LLVMValueRef> elems);

    // memory
    Value alloca_(Type) final;
    /// Other stack memory each time that control comes here.
    Value alloca_here(Type);
    Value load(Type, Value, Access = {}) final;
    void store(Value, Value, Access = {}) final;
    Value gep(Type, Value, Value) final;
    Value byte_gep(Value, Value) final;
    Value field_ptr(Type, Value, unsigned) final;
    Value masked_load(Type, Value, Value, Value, Access = {}) final;
    void masked_store(Value, Value, Value, Access = {}) final;
    void unaliased(Value) final;
    /// From memory that is aligned as every allocation is, by any builder.
    LLVMValueRef load_from(LLVMBuilderRef, LLVMTypeRef, LLVMValueRef ptr);
    /// To such memory, whatever the value is.
    void store_to(LLVMValueRef, LLVMValueRef ptr);
    /// Memory that holds the value, since it was just loaded from there; none: that is not known.
    Value place_of(Value);
    /// Memory through which a callee gives a result or gets an argument. No callee keeps its address, so it is in no
    /// way of a tail call.
    Value passing_slot(Type);
    const std::vector<LLVMValueRef>& passing_slots() const { return passing_slots_; }

    // control flow
    backend::Block new_block(std::string_view) final;
    backend::Block current() final;
    void enter(backend::Block) final;
    void jump(backend::Block) final;
    void branch(Value, backend::Block, backend::Block) final;
    Value phi(Type, std::span<const std::pair<Value, backend::Block>>) final;
    void trap() final;
    void unreachable() final;

    /// Emits code that runs once for each activation of the function.
    Value at_entry(const std::function<Value()>& emit);
    /// Emits code at the start of `block`, which is of the same function.
    Value at_start_of(LLVMBasicBlockRef block, const std::function<Value()>& emit);

    /// Emits code before each return of the function that begins with the block `entry`, and before calls that take
    /// its place.
    void before_returns(LLVMBasicBlockRef entry, const std::function<void()>& emit);

    /// Where code is being made.
    struct Position {
        LLVMBasicBlockRef here = nullptr, entry = nullptr;
        LLVMMetadataRef location = nullptr;
        std::vector<LLVMValueRef> passing_slots;
    };
    /// From now on code goes to another function, whose entry block this is; gives back where it went before.
    Position begin(LLVMBasicBlockRef entry);
    /// Goes back there.
    void resume(Position);
    /// Ends the entry block.
    void end_entry(LLVMBasicBlockRef body);

private:
    Value aligned_intrinsic(std::string_view, std::vector<Type>, std::vector<Value> args, unsigned ptr, uint32_t align);
    bool store_constant(LLVMValueRef value, LLVMValueRef ptr, const Access&);
    bool is_loaded_now(LLVMValueRef value);
    bool store_loaded(LLVMValueRef value, LLVMValueRef ptr, const Access&);

    LLVMBuilderRef builder_, alloca_builder_;
    std::vector<LLVMValueRef> passing_slots_; ///< of the function that is being filled
};

} // namespace mim::backend::llvm
