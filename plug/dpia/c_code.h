// SPDX-License-Identifier: MIT
// Commands to C.
#pragma once
#include <array>

#include "c_statement.h"
#include "c_terms.h"
#include "rooms.h"

namespace mim::plug::dpia {

struct CPlace;
using CPlaceRef = std::shared_ptr<const CPlace>;
/// Places that can be written, shaped as values are. A vector has one for each lane, and one if it lies in memory as a whole.
struct CPlace {
    CRef lvalue;
    CPlaceRef first = {}, second = {};
    std::function<CPlaceRef(const Polynomial& index)> element = {};
};

/// An array of C, or a variable.
struct CLeaf {
    std::string name;
    const Def* cell;
    Polynomial count;
    bool is_array;
};

/// A buffer of the heap: null, or to be freed at the end.
struct CBuffer {
    std::string type, name, allocation; ///< none: it is allocated where it is needed
};

/// The buffers of the function, or of a thread.
struct CHeap {
    size_t first_local           = 0; ///< sizes that are known later are known where they are needed
    std::vector<CBuffer> buffers = {};
    bool may_fail                = false; ///< what is inside of it can lack memory
};

enum class Target : uint8_t { C, OpenMP };

class CCode : public CTerms {
public:
    CCode(World& w, Sizes& sizes, CText& text, Target target,
          std::shared_ptr<VectorText> vectors = std::make_shared<VectorText>())
        : CTerms(w, sizes, std::move(vectors))
        , text_(text)
        , target_(target) {}

    virtual void command(const Def*);
    void bind_place(const Def* acc, CPlaceRef place) { places_[acc] = std::move(place); }
    CPlaceRef place(const Def* acc);
    /// All names from here on are of commands.
    void begin() { heap_.first_local = sizes_.num_vars(); }
    const CHeap& heap() const { return heap_; }
    /// Arrays of literals, which stand in front of the function.
    const std::string& tables() const { return tables_text_; }
    CValueRef table(const Def* term) override;
    static void declare_buffers(CText&, const CHeap&);
    static void free_buffers(CText&, const CHeap&);

    /// @name memory
    ///@{
    /// Each number that is in it has an array of its own.
    std::vector<CLeaf> leaves(const Def* type, const std::string& name) const;
    CValueRef load(const Def* type, const std::string& name);
    CPlaceRef store(const Def* type, const std::string& name);
    /// In memory of the caller, where a pair in an array is a struct.
    CValueRef load_outside(const Def* type, const std::string& name);
    CPlaceRef store_outside(const Def* type, const std::string& name);
    ///@}

protected:
    template<class Ref>
    using Element = std::function<Ref(const Polynomial&)>;
    struct Walk {
        std::string name;
        std::optional<Polynomial> index;
        bool is_outside;
        std::string path                = {}; ///< in a struct
        std::vector<Polynomial> indices = {}; ///< one for each array that it is in
    };
    void add_leaves(std::vector<CLeaf>&, const Def* type, const std::string& name, const Polynomial& count, bool is_array) const;
    virtual CRef cell(const Def* type, const Walk&);
    virtual CRef vector_cell(const CScalar&, const Walk&, VectorUse);
    virtual CRef lane_cell(const CScalar&, const Walk&, const Polynomial& lane);
    CPlaceRef place_of_lanes(const CScalar&, const Element<CPlaceRef>& lane);
    Walk part(const Walk&, bool is_first);
    Walk at(const Walk&, const Def* count, const Polynomial& i);
    CValueRef load(const Def* type, const Walk&);
    CPlaceRef store(const Def* type, const Walk&);

    /// Each cell of memory that the program names is told once.
    virtual void note_cell(CRef, const Walk&) {}
    /// The operands that a statement reads.
    virtual void note_reads(const std::vector<CRef>&) {}
    virtual void note_write(CRef) {}
    virtual void note_memory(const Def* /*of `new`*/, const Def* /*type*/, const std::string& /*name*/) {}
    virtual void assign(const Def* command);
    void collect(const CPlaceRef&, const CValueRef&, const Def* type, std::vector<std::pair<CRef, CRef>>&);
    virtual void new_memory(const Def* command);
    virtual void declare(const Def* space, const CLeaf&, const Def* where);
    virtual void variable(const CLeaf&);
    virtual void private_array(const CLeaf&, uint64_t count);
    virtual void allocate(const CLeaf&);
    virtual void loop(const Def* n, std::string_view name, const std::function<void(const Polynomial& i)>& body);
    virtual void for_loop(const Def* command);
    virtual void par_loop(const Def* command);
    void lanes(const Def* n, const std::function<void(const Polynomial& i)>& turn);
    virtual void threads(const Def* n, const std::function<void(const Polynomial& i)>& turn);
    /// Whether a `mapPar` here is one for threads: the outermost one is.
    virtual bool begins_threads() const { return target_ == Target::OpenMP && !thread_; }
    void leave_if_null(const std::string& buffer);
    using Commands = std::function<void()>;
    virtual void branch(const Def* command);
    std::optional<Sizes::Var> size_that_is_none(const Def* condition);
    virtual void choose(const std::string& condition, const Commands& holds, const Commands& otherwise);
    virtual void run(const Def* command);
    virtual void iterate(const Def* command);
    /// Memory is made where it is used; if not, it is made whatever steps there are.
    virtual bool allocates_in_place() const { return true; }
    /// The turns of a loop in which buffers change places: for each, the two, the source and the target.
    virtual void swap_loop(const std::vector<std::array<std::string, 4>>& buffers, const std::string& turn, bool is_run,
                           const Commands& loop);
    virtual std::string pointer_to(const std::string& type) const { return type + "* "; }
    void step(const Def* f, const Polynomial& l, const CValueRef& from, const CPlaceRef& to);
    void steps_between(const Def* command, const Polynomial& first, const std::string& source, const std::string& other);
    std::string memory_for(const Def* type, const Polynomial& count, const char* name);
    CPlaceRef inverse(const Def* acc);
    CPlaceRef places(Element<CPlaceRef> element) {
        return std::make_shared<const CPlace>(CPlace{nullptr, {}, {}, std::move(element)});
    }
    CPlaceRef place_pair(CPlaceRef a, CPlaceRef b) {
        return std::make_shared<const CPlace>(CPlace{nullptr, std::move(a), std::move(b)});
    }
    std::string expression(const Polynomial&);
    std::vector<std::pair<CRef, CRef>> collected(const Def* assignment);

    CText& text_;
    void add_literals(const Def* type, const CValueRef&, const std::string& name, std::map<std::string, std::string>&);
    virtual std::string table_start() const { return "static const "; }

    std::map<const Def*, CPlaceRef> places_;
    std::map<const Def*, std::string> tables_;
    std::string tables_text_;
    std::string table_name_ = "table";
    Rooms rooms_; ///< commands of loops and arms are levels of their own
    bool shares_memory_ = true;
    CHeap heap_;
    CHeap* thread_ = nullptr;    ///< that of the threads that the commands are in
    std::string next_turn_;      ///< the label at the end of a turn of a thread
    std::string has_memory_;     ///< the variable of a thread
    bool is_late_ = false;       ///< memory is allocated here, and not at the beginning
    std::string late_condition_; ///< and only then
    Target target_;
    uint64_t stack_bytes_ = 0;
};

} // namespace mim::plug::dpia
