// SPDX-License-Identifier: MIT
// Commands to loops over memory of the host. Memory and indices are decided as for C: a node of an expression stands for a
// value of the graph, which is made where a command needs it. Continuations are blocks.
#pragma once
#include <unordered_map>

#include "dpia/c_code.h"
#include "dpia/loops/function.h"
#include "kit/build.h"
#include "phase/phase.h"
#include "rise/terms/code.h"

namespace mim::plug::dpia {

class LoopCode : public CCode, private LoopFunction {
public:
    LoopCode(World& w, Sizes& sizes, CText& text)
        : CCode(w, sizes, text, Target::C)
        , LoopFunction(w, coder_, functions_)
        , coder_(w)
        , arithmetic_(w, coder_)
        , functions_(w) {
        use_extensions();
    }

    /// A function from the token, the sizes, the results and the inputs to a token and a status, which is 2 if there is
    /// no memory. Each part of a result is a pointer; so is an input that has arrays. `types` are those of all of them.
    Lam* made(const Lam* commands, const DefVec& types, rise::Form form);

protected:
    CValueRef scalar_term(const Def*, const ScopeRef&) override;
    CValueRef literal(const Def* type, uint64_t bits) override;
    CRef cell(const Def* type, const Walk&) override;
    CRef vector_cell(const CScalar&, const Walk&, VectorUse) override;
    CRef lane_cell(const CScalar&, const Walk&, const Polynomial& lane) override;
    CRef lane_at(const CScalar&, CRef vector, const Polynomial& i) override;
    CRef made_vector(const CScalar&, const std::vector<CRef>& lanes) override;
    CRef vector_at(const CScalar&, VectorUse, const std::string& name, const Polynomial& index) override;
    CRef any_number(const Def* type) override;
    CValueRef table(const Def* term) override;
    void assign(const Def* command) override;
    void new_memory(const Def* command) override;
    void variable(const CLeaf&) override;
    void private_array(const CLeaf&, uint64_t count) override;
    void allocate(const CLeaf&) override;
    void loop(const Def* n, std::string_view name, const std::function<void(const Polynomial&)>& body) override;
    void branch(const Def* command) override;
    void iterate(const Def* command) override;
    void threads(const Def* n, const std::function<void(const Polynomial&)>& turn) override;
    bool begins_threads() const override { return !is_threaded_ && !w.checked; }

private:
    using Maker = std::function<const Def*(const DefVec& args)>;
    struct Cell {
        std::string memory;
        std::optional<Polynomial> index;
        std::string path;
        const Def* type;    ///< of a number
        unsigned lanes = 0; ///< of a vector, whose first lane has the index
    };

    // ---- expressions
    CRef node_of(const Def* prefix, const Def* type, std::vector<CRef> args, Maker);
    CValueRef value_of(const Def* prefix, const Def* type, std::vector<CRef> args, Maker);
    CValueRef operation(const Def*, const ScopeRef&);
    CValueRef vector_operation(const Def*, const ScopeRef&);
    using OfLanes = std::function<const Def*(const Def* type, const DefVec& lanes)>;
    CValueRef of_lanes(const Def* term, const Def* type, std::vector<CRef> args, OfLanes);
    bool is_size(const Def* type) { return scalar(type).kind == CScalar::Size; }

    // ---- values
    const Def* def(CRef);
    const Def* made(CRef);
    const Def* word(const Polynomial&);
    const Def* nat(const Polynomial& p);
    const Def* size_operation(SizeOp, const Def* a, const Def* b);
    const Def* chosen(CRef select);
    /// It reads memory that may be another's where no condition guards it.
    bool is_guarded(CRef);
    const Def* known(CRef);
    const Def* load(const Cell&);
    const Def* load_lanes(const Cell&);
    void store_lanes(const Def* address, const Cell&, const Def* value);
    const Def* address(const Cell&);
    void store(const Def* address, const Cell&, const Def* value);
    void begin_statement() { known_.assign(1, {}); }

    // ---- control
    using Parts = std::vector<std::pair<CRef, CRef>>;
    void write_all(const Parts&, const Def* where);
    void copy(const Def* type, const CPlaceRef& to, const CValueRef& from);
    void either(const Def* condition, const Commands& holds, const Commands& otherwise);
    struct Steps {
        const Def* step;
        const Def* element;
        Polynomial count, part, last; ///< of an array, a step leaves the `part`-th part; `last` elements are left at the end
        CValueRef from;
        CPlaceRef to;
    };
    void buffered(const Steps&);
    std::string steps_between(const Steps&, const Polynomial& first, const std::string& source, const std::string& other);
    /// Memory of the function, which its entry makes.
    void add_local(const std::string& name, const Def* cell, const Def* count);
    void free_from(size_t first);

    // ---- threads
    using Turn = std::function<void(const Polynomial&)>;
    /// A loop from a number of a turn up to another one.
    void turns(const Polynomial& count, std::string_view name, const Def* first, const Def* bound, const Turn&);
    Lam* function_of_turns(const Polynomial& count, const Turn&);
    void run_threads(Lam* turns, const DefVec& values, const Def* count);

    // ---- parameters
    void bind_sizes(const Lam* commands);
    void input(const Def* type, const std::string& name);
    CPlaceRef output(const Def* type, const std::string& name);
    void parameter(const Def* type, const std::string& name, bool is_pointer);

    rise::Coder coder_;
    rise::Arithmetic arithmetic_;
    Functions functions_;
    rise::Form form_ = rise::Form::Inside;
    std::map<CRef, Cell> cells_;
    std::map<std::string, const Def*> numbers_of_tables_;
    std::map<CRef, Maker> makers_;
    std::vector<std::map<CRef, const Def*>> known_ = {{}}; ///< in this branch of a statement, and in those around it
    std::map<const Def*, CValueRef> literals_;
    bool is_threaded_ = false; ///< threads do what is written
};

/// Makes loops of programs whose every choice is made. The others stay as they are.
void lower_to_loops(PhaseContext&);

} // namespace mim::plug::dpia
