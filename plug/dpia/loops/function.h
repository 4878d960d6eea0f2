// SPDX-License-Identifier: MIT
// The function that is written: blocks, the one that is written now and its token, and the values that are known in it.
// Its turns may become a function of their own, which takes what it needs from the one around.
#pragma once
#include <array>
#include <map>
#include <span>

#include "dpia/c_values.h"
#include "kit/build.h"
#include "rise/terms/code.h"

namespace mim::plug::dpia {

/// Memory behind a pointer, as an array unless it is one number or one vector. In arrays, vectors are their lanes. In
/// words, each number is an I64.
struct LoopMemory {
    const Def* pointer;
    const Def* cell; ///< a type of RISE
    const Def* count = nullptr;
    rise::Form form  = rise::Form::Inside;
};

/// The token behind these buffers, which are freed.
const Def* freed(World&, const Def* mem, std::span<const Def* const> buffers);
/// The type of the number, or of a lane of the vector.
const Def* number_type(World&, const Def* type);
/// The type of a pointer into the memory of the host.
const Def* pointer_type(World&, const Def* type);

class LoopFunction {
public:
    /// `around`: the function that this one is a part of; null: there is none.
    LoopFunction(World& world, rise::Coder& coder, Functions& functions, LoopFunction* around = nullptr)
        : world_(&world)
        , coder_of_types_(&coder)
        , blocks_(&functions)
        , around_(around) {}

protected:
    /// From here on, a function of this domain is written, whose first parameter is the token. Returns the block behind
    /// its entry.
    Lam* begin_function(const Def* domain, std::string_view name);
    void end_function(Lam* start);
    const Def* next_parameter() { return world_->extract(parameters_, next_++); }

    // ---- blocks
    const Def* memory_type();
    const Def* effect(const Def* pair);
    void go(const Def* body) { world_->set_body(here_, body); }
    void choose_block(const Def* condition, Lam* holds, Lam* fails);
    /// Frees these and returns the status.
    const Def* returned(const Def* mem, const DefVec& buffers, uint64_t status);
    /// Frees the buffer before `next`.
    Lam* leave_behind(const Def* buffer, Lam* next);
    /// The blocks that go on with memory, and without it.
    std::array<Lam*, 2> leave_without(Lam* block, const Def* memory);

    // ---- values
    const Def* array_of(const Def* pointer, const Def* cell, const Def* count, rise::Form);
    const Def* cell_type(const Def* cell, rise::Form);
    /// Also of the function around.
    const LoopMemory& memory(const std::string& name);
    /// Also of the function around. Null: the node is none.
    const Def* atom(CRef);
    /// A value of the function around, which its caller puts into a record.
    const Def* taken(const Def* outer);
    /// The values that are in the record, in the order of its fields.
    DefVec all_taken() const { return taken_; }
    void take_from(const Def* record) { record_ = record; }
    /// Values that do not depend on the function, for the one around, which has the same nodes.
    void give_literals();

    Lam* made_            = nullptr;
    Lam* entry_           = nullptr; ///< the last block of the entry
    Lam* here_            = nullptr; ///< the block that is written
    const Def* mem_       = nullptr; ///< its token
    const Def* entry_mem_ = nullptr; ///< behind what is made at the entry
    std::map<std::string, LoopMemory> memories_;
    std::map<CRef, const Def*> atoms_;
    std::vector<const Def*> entry_buffers_, buffers_; ///< of the heap: for the function, and where they are needed
    std::vector<Lam*> entry_leaving_, leaving_;       ///< leave the function where memory lacks: first those without a buffer

private:
    World* world_;
    rise::Coder* coder_of_types_;
    Functions* blocks_;
    LoopFunction* around_;
    const Def* parameters_ = nullptr;
    size_t next_           = 0;
    const Def* record_     = nullptr;
    DefVec taken_;
    std::map<const Def*, const Def*> in_record_; ///< the same, where they were read
};

} // namespace mim::plug::dpia
