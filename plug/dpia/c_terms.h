// SPDX-License-Identifier: MIT
// Terms of RISE without effects to expressions of C. An element of a view is an element of its operand: nothing of views is
// left but arithmetic on indices.
#pragma once
#include "c_values.h"
#include "kit/scopes.h"
#include "vector_text.h"

namespace mim::plug::dpia {

class CTerms : public Phrases {
public:
    virtual ~CTerms() = default;
    CTerms(World& w, Sizes& sizes, std::shared_ptr<VectorText> vectors)
        : Phrases(w)
        , sizes_(sizes)
        , vectors_(std::move(vectors))
        , masks_(sizes, vectors_) {}

    CScalar scalar(const Def* type);
    /// Its code may have floats of 16 bits, which C compilers add.
    void use_extensions() { has_extensions_ = true; }
    /// The declarations of the vectors that were asked for.
    std::string vector_types() const { return vectors_->declarations(); }
    CValueRef value(const Def* term) { return value(term, nullptr); }
    Polynomial size(const Def* nat) { return size(nat, nullptr); }
    /// A variable of the program, or an element of a tuple that it is.
    void bind(const Def* var, CValueRef v) {
        known_.clear();
        bound_[var] = std::move(v);
    }
    /// What is bound in `host`, which lives longer, is known here, too.
    void bind_beside(const CTerms& host) { host_ = &host; }
    CValueRef number(Polynomial);
    CValueRef of_scalar(CRef node) { return std::make_shared<const CValue>(CValue{.scalar = node}); }
    CValueRef pair(CValueRef a, CValueRef b);
    /// An element that is asked for twice is made once.
    CValueRef array(std::function<CValueRef(const Polynomial&)> element);
    /// The function of C for a number of this type.
    virtual CValueRef table(const Def* term);
    virtual std::string function(const char* name, const CScalar& t) {
        auto single = std::string(name) + "f";
        return t.bits == 64 ? name : t.bits == 32 ? single : "(_Float16)" + single;
    }
    using Phrases::array;
    using Phrases::pair;

protected:
    using ScopeRef = Scopes<CValueRef>::Ref;
    /// Element i of a view is this one.
    Polynomial place_by(const Def* f, const Polynomial& i, const ScopeRef& s) { return *apply(f, number(i), s)->size; }
    /// @name vectors
    ///@{
    /// A vector of these; one in memory if they lie there one behind the other.
    CRef vector(const CScalar& t, const std::vector<CRef>& lanes, bool is_aligned = false);
    CRef lane(const CScalar& t, CRef vector, uint64_t i);
    virtual CRef lane_at(const CScalar& t, CRef vector, const Polynomial& i);
    /// One lane: it is that of all.
    virtual CRef made_vector(const CScalar& t, const std::vector<CRef>& lanes);
    enum class VectorUse : uint8_t { Load, AlignedLoad, Store };
    virtual CRef vector_at(const CScalar& t, VectorUse, const std::string& name, const Polynomial& index);
    /// A vector in memory, whose lanes are these cells.
    virtual void note_vector(CRef, unsigned /*num_lanes*/, const std::function<CRef(unsigned)>& /*lane*/) {}
    virtual CRef any_number(const Def* type);
    /// The place in memory at which the lanes lie one behind the other. Null: they do not.
    CRef vector_in_memory(const CScalar& t, const std::vector<CRef>& lanes, VectorUse);
    ///@}
    Sizes& sizes_;
    std::shared_ptr<VectorText> vectors_;
    LaneMasks masks_;
    struct MemoryCell {
        std::string name;
        Polynomial index;
    };
    std::map<CRef, MemoryCell> memory_cells_;

    CValueRef value(const Def*, const ScopeRef&);
    /// A number, or a vector; null: it is something else.
    virtual CValueRef scalar_term(const Def*, const ScopeRef&);
    virtual CValueRef literal(const Def* type, uint64_t bits);
    CRef truth(bool b) { return sizes_.atom(b ? "1" : "0", "uint8_t"); }

private:
    CValueRef made(const Def*, const ScopeRef&);
    CValueRef structured(const Def*, const ScopeRef&);
    CValueRef view(const Def*, const ScopeRef&);
    CValueRef padded(const Def*, const ScopeRef&);
    CValueRef apply(const Def* f, const CValueRef&, const ScopeRef&);
    CValueRef choose(const Def* type, CRef c, const CValueRef& a, const CValueRef& b);
    CScalar vector_type(const rise::ArrayType&, const Def* type);
    CValueRef vector_term(const Def*, const ScopeRef&);
    CRef vector_number(const Def*, const CScalar&, CRef a, CRef b);
    CRef vector_unary(const Def*, const CScalar&, CRef x);
    CRef vector_extremum(rise::number op, const CScalar&, bool is_float, CRef a, CRef b);
    CRef vector_function(rise::unary op, const CScalar&, CRef x);
    CRef vector_cast(const Def*, const CScalar& from, const CScalar& to, CRef x);
    CValueRef vector_view(const Def*, const ScopeRef&);
    /// The results of `f` for the lanes with one number.
    CRef each_lane(const CScalar& result, const std::vector<std::pair<CScalar, CRef>>& args,
                   const std::function<CRef(const std::vector<CRef>&)>& f);
    CValueRef any_value(const Def* type);
    CRef number_operation(rise::number op, const CScalar& t, CRef a, CRef b);
    std::string unary_name(rise::unary op, const CScalar& t);
    CRef unary_operation(rise::unary op, const CScalar& t, CRef x);
    CRef fused(const CScalar& t, const std::vector<CRef>& args);
    CRef as_number(CRef x);
    CRef half_of(CRef x);
    CRef converted(const CScalar& to, CRef x);
    CValueRef binary(const Def*, const ScopeRef&);
    CValueRef size_operation(rise::number op, const CValueRef& a, const CValueRef& b);
    CRef less_or_first(const char* text, const CScalar&, CRef a, CRef b);
    CValueRef unary(const Def*, const ScopeRef&);
    CValueRef compare(const Def*, const ScopeRef&);
    CValueRef cast(const Def*, const ScopeRef&);
    CRef wrapped(const CScalar&, const std::string& op, CRef a, CRef b);
    CRef less(const Polynomial& a, const Polynomial& b);
    Polynomial size(const Def*, const ScopeRef&);
    CRef node(const Def* term, const ScopeRef& s) { return value(term, s)->scalar; }

    bool has_extensions_ = false;
    const CTerms* host_  = nullptr;
    std::unordered_map<const Def*, CValueRef> bound_;
    Scopes<CValueRef> scopes_;
    std::map<std::pair<const Def*, ScopeRef>, CValueRef> known_;
};

} // namespace mim::plug::dpia
