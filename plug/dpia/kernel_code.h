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

/// Work items of a group and of all groups, and groups, in each dimension.
struct LaunchSizes {
    std::array<Polynomial, 3> items, all, groups;
};

/// Memory of the host, which a kernel reads or writes.
struct HostMemory {
    const Def *value, *place; ///< the phrases that are bound to it
    const Def* type;
    std::string name;
    bool is_outside;
};

class KernelCode : public CCode {
public:
    static constexpr unsigned kDims = 3;

    KernelCode(World& w, Sizes& sizes, CText& text, std::shared_ptr<VectorText> vectors)
        : CCode(w, sizes, text, Target::C, std::move(vectors))
        , current_(&program_) {
        program_.kind = Phase::Sequence;
    }

    /// The sizes that the outermost parallel loops ask for are found before.
    void find_sizes(const Def* command);
    void command(const Def*) override;
    void add_output(const std::string& name) { outputs_.insert(name); }
    void add_input(const std::string& name) { inputs_.insert(name); }
    /// The sizes of the launch are those of the program.
    void set_sizes(LaunchSizes sizes) { given_ = std::move(sizes); }
    /// A number that the kernel writes is behind a pointer.
    void bind_memory(const HostMemory&, bool is_written);
    void set_table_name(std::string name) { table_name_ = std::move(name); }
    /// The kernel writes these, and does not own them.
    const std::set<std::string>& written() const { return written_; }
    /// Barriers stand where they must; the others vanish.
    void finish();

    /// The largest number of work items of a group in this dimension, and the number of turns that are asked for.
    uint64_t most_items() const;
    const std::optional<Polynomial>& turns(dpia::par_for how, unsigned dim) const { return asked_.at(size_t(how)).at(dim); }
    /// The same in each launch.
    std::optional<uint64_t> local_size(unsigned dim) const;
    /// At most so many are in a group; none: nobody knows.
    std::optional<uint64_t> most_of_group() const;
    const std::vector<KernelMemory>& memory() const { return memory_; }
    std::string function(const char* name, const CScalar&) override { return name; }

protected:
    void note_cell(CRef, const Walk&) override;
    void note_vector(CRef, unsigned num_lanes, const std::function<CRef(unsigned)>& lane) override;
    void note_reads(const std::vector<CRef>&) override;
    void note_write(CRef) override;
    void assign(const Def*) override;
    void new_memory(const Def*) override;
    void for_loop(const Def*) override;
    void par_loop(const Def*) override;
    void choose(const std::string& condition, const Commands& holds, const Commands& otherwise) override;
    void swap_loop(const std::vector<std::array<std::string, 4>>& buffers, const std::string& turn, bool is_run,
                   const Commands& loop) override;
    std::string pointer_to(const std::string& type) const override { return "__global " + type + "* "; }
    std::string table_start() const override { return "__constant "; }
    void declare(const Def* space, const CLeaf&, const Def* where) override;
    void allocate(const CLeaf&) override;
    bool allocates_in_place() const override { return false; }

private:
    struct Cell {
        std::string storage;
        std::vector<Polynomial> indices;
    };
    struct Storage {
        bool is_global, is_own;
        size_t num_groups; ///< dimensions of the groups around its allocation
        size_t num_levels; ///< parallel loops around it
        std::string family        = {};
        Polynomial::Var swap_loop = ~Polynomial::Var(0);
    };
    CValueRef pointed(const Def* type, const std::string& name, bool is_outside);
    CPlaceRef pointed_place(const Def* type, const std::string& name, bool is_outside);
    bool is_uniform(CRef) const;
    bool has_many_items(unsigned dim) const;
    bool has_many_groups(unsigned dim) const;
    bool is_in_loop(dpia::par_for how, unsigned dim) const {
        return std::ranges::any_of(levels_, [&](auto& l) { return l.how == how && l.dim == dim; });
    }
    Phase* add(Phase::Kind);
    void turns_in_order(const Def* n, std::string_view name, const std::function<void(const Polynomial&)>& turn);
    void vector_loop(const Def*);
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
    /// That of a lane, if it is a vector in memory.
    const Cell* cell_of(CRef) const;

    std::map<CRef, Cell> cells_;
    std::map<CRef, std::vector<CRef>> lanes_; ///< of vectors in memory
    std::map<std::string, Storage> storages_;
    std::set<const Def*> private_;
    std::set<std::string> outputs_, inputs_, written_;
    std::set<std::string> items_; ///< names that are not the same for all work items of a group
    std::optional<LaunchSizes> given_;
    bool is_guarded_ = false; ///< one item alone does what is done
    std::vector<KernelMemory> memory_;
    Phase program_;
    Phase* current_;
    bool is_apart_            = false; ///< not all items are here together
    size_t gaps_              = 0;
    const Def* first_command_ = nullptr;
};

/// @name parts of the text of kernels
///@{
/// The text in front of the kernels. `used` is all that follows.
std::string kernel_prelude(const std::string& used, std::string structs);
/// The function, whose memory is in front of its body, or in parameters that follow the others: those are told.
std::string kernel_function(KernelCode&, Sizes&, const std::string& name, const std::string& parameters, const std::string& body,
                            std::vector<KernelMemory>& passed);
///@}

} // namespace mim::plug::dpia
