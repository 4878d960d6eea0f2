// SPDX-License-Identifier: MIT
// Programs with kernels: the host does the commands between them. A buffer that a kernel uses has a copy on the device,
// and whoever needs the other side's elements fetches them first.
#pragma once
#include "kernel_code.h"

namespace mim::plug::dpia {

/// The C that is the same in all programs (host_runtime.cpp).
std::string_view host_runtime();

class HostCode : public CCode {
public:
    HostCode(World& w, Sizes& sizes, CText& text, std::string name)
        : CCode(w, sizes, text, Target::C)
        , name_(std::move(name))
        , failed_(text.unique("failed")) {
        shares_memory_ = false; // who wrote a buffer last is kept for each
        for (auto name : {"items", "all", "run"}) text.unique(name);
    }

    /// A parameter or memory of the function, as the C that declares it says.
    struct Variable {
        std::string type, address, bytes;
        bool is_array;
        const Def* cell = nullptr; ///< of memory that the program makes
    };

    /// All of it: a program that has maps of OpenCL and no `oclRun` is one kernel.
    void program(const Def* command);
    void command(const Def*) override;
    void add_variable(const std::string& name, Variable v) { variables_[name] = std::move(v); }
    void add_memory(HostMemory memory) { memories_.push_back(std::move(memory)); }
    /// Before that, transfers are marks in the text.
    std::string with_transfers(const std::string& lines) const;
    /// The copies on the device: their names, by those of the buffers.
    const std::map<std::string, std::string>& copies() const { return copies_; }
    std::string fetch(const std::string& name) const {
        return "if (!mim_to_host(&" + copies_.at(name) + ")) goto " + failed_ + ";";
    }
    const std::string& failed() const { return failed_; }

    /// @name kernels
    ///@{
    bool has_kernels() const { return !kernels_.empty(); }
    const std::string& kernels() const { return kernels_; }
    std::string vectors_of_kernels() const { return kernel_vectors_->declarations(); }
    size_t most_scratch() const { return most_scratch_; }
    ///@}

protected:
    void note_cell(CRef, const Walk&) override;
    void note_vector(CRef, unsigned num_lanes, const std::function<CRef(unsigned)>& lane) override;
    void note_reads(const std::vector<CRef>&) override;
    void note_write(CRef) override;
    void note_memory(const Def* var, const Def* type, const std::string& name) override;
    void declare(const Def* space, const CLeaf&, const Def* where) override;
    void par_loop(const Def*) override;
    void iterate(const Def*) override;
    void run(const Def*) override;

private:
    struct Element {
        const Def *place, *array;
        Polynomial index;
    };
    const std::string* storage(CRef) const;
    void bind_in(KernelCode&, const Def* body);
    void kernel(const Def* body, const std::optional<LaunchSizes>&, const std::string& name, const Def* where);
    LaunchSizes launch_sizes(const Def* run);
    std::string sizes_of_launch(KernelCode&, const std::optional<LaunchSizes>&);
    std::vector<std::string> names_in(const std::string& text) const;
    bool has_levels(const Def* command);
    std::string copy_of(const std::string& name);

    std::string name_, failed_;
    std::shared_ptr<VectorText> kernel_vectors_ = std::make_shared<OpenClVectors>();
    std::map<std::string, Variable> variables_;
    std::map<std::string, std::string> copies_;
    std::map<CRef, std::string> cells_;
    std::vector<HostMemory> memories_;
    std::vector<Element> elements_;
    std::set<std::string> reads_, writes_;
    bool is_step_        = false;
    size_t num_kernels_  = 0;
    size_t most_scratch_ = 0;
    std::string kernels_;
};

} // namespace mim::plug::dpia
