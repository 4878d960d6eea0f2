// SPDX-License-Identifier: MIT
// Commands to OpenCL C, with the barriers of work groups.
#pragma once
#include "barriers.h"
#include "c_code.h"

namespace mim::plug::dpia {

/// Memory that the host gives: of a group, or of the device.
struct KernelMemory {
    bool is_local;
    std::string type, name;
    Polynomial count;
    bool per_group, per_item;
};

class KernelCode : public CCode {
public:
    static constexpr unsigned kDims = 3;

    KernelCode(World& w, Sizes& sizes, CText& text)
        : CCode(w, sizes, text, Target::C)
        , current_(&program_) {
        program_.kind = Phase::Sequence;
    }

    /// The sizes that the outermost parallel loops ask for are found before.
    void find_sizes(const Def* command);
    void command(const Def*) override;
    void add_output(const std::string& name) { outputs_.insert(name); }
    /// Barriers stand where they must; the others vanish.
    void finish();

    /// The largest number of work items of a group in this dimension, and the number of turns that are asked for.
    uint64_t most_items() const;
    const std::optional<Polynomial>& turns(dpia::par_for how, unsigned dim) const { return asked_.at(size_t(how)).at(dim); }
    /// The same in each launch.
    std::optional<uint64_t> local_size(unsigned dim) const;
    const std::vector<KernelMemory>& memory() const { return memory_; }
    std::string function(const char* name, const CScalar&) override { return name; }

protected:
    void note_cell(CRef, const Walk&) override;
    void note_reads(const std::vector<CRef>&) override;
    void note_write(CRef) override;
    void assign(const Def*) override;
    void new_memory(const Def*) override;
    void for_loop(const Def*) override;
    void par_loop(const Def*) override;
    [[noreturn]] void iterate(const Def*) override;

private:
    struct Cell {
        std::string storage;
        std::vector<Polynomial> indices;
    };
    struct Storage {
        bool is_global, is_own;
        size_t num_groups; ///< dimensions of the groups around its allocation
    };
    Phase* add(Phase::Kind);
    void add_access(CRef, bool is_write);
    std::string guard(CRef place) const;
    std::string first_item(bool is_global) const;
    void memory_outside(const Def* space, const CLeaf&);
    bool is_used(dpia::par_for how, unsigned dim) const { return asked_[size_t(how)][dim].has_value(); }
    bool is_single(dpia::par_for how, unsigned dim, const Polynomial& count) const;
    std::string linear(bool is_global) const;

    struct Level {
        dpia::par_for how;
        unsigned dim;
        Polynomial::Var turn;
    };
    std::array<std::array<std::optional<Polynomial>, kDims>, 4> asked_;
    std::vector<Level> levels_;
    std::vector<Polynomial::Var> loops_;
    std::map<CRef, Cell> cells_;
    std::map<std::string, Storage> storages_;
    std::set<const Def*> private_;
    std::set<std::string> outputs_;
    std::vector<KernelMemory> memory_;
    Phase program_;
    Phase* current_;
    bool is_apart_            = false; ///< not all items are here together
    size_t gaps_              = 0;
    const Def* first_command_ = nullptr;
};

} // namespace mim::plug::dpia
