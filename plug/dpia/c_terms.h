// SPDX-License-Identifier: MIT
// Terms of RISE without effects to expressions of C. An element of a view is an element of its operand: nothing of views is
// left but arithmetic on indices.
#pragma once
#include "c_values.h"

namespace mim::plug::dpia {

struct CScalar {
    enum Kind : uint8_t { Bool, Signed, Unsigned, Float, Size } kind;
    unsigned bits;
    std::string name; ///< of the type in C
};

class CTerms : public Phrases {
public:
    virtual ~CTerms() = default;
    CTerms(World& w, Sizes& sizes)
        : Phrases(w)
        , sizes_(sizes) {}

    CScalar scalar(const Def* type);
    CValueRef value(const Def* term) { return value(term, nullptr); }
    Polynomial size(const Def* nat) { return size(nat, nullptr); }
    /// A variable of the program, or an element of a tuple that it is.
    void bind(const Def* var, CValueRef v) {
        known_.clear();
        bound_[var] = std::move(v);
    }
    CValueRef number(Polynomial);
    CValueRef of_scalar(CRef node) { return std::make_shared<const CValue>(CValue{.scalar = node}); }
    CValueRef pair(CValueRef a, CValueRef b);
    /// An element that is asked for twice is made once.
    CValueRef array(std::function<CValueRef(const Polynomial&)> element);
    /// The function of C for a number of this type.
    virtual std::string function(const char* name, const CScalar& t) { return t.bits == 32 ? std::string(name) + "f" : name; }
    using Phrases::array;
    using Phrases::pair;

protected:
    Sizes& sizes_;

private:
    struct Scope;
    using ScopeRef = std::shared_ptr<const Scope>;
    struct Scope {
        const Def* var;
        CValueRef value;
        ScopeRef outer;
    };
    CValueRef value(const Def*, const ScopeRef&);
    CValueRef made(const Def*, const ScopeRef&);
    CValueRef scalar_term(const Def*, const ScopeRef&);
    CValueRef structured(const Def*, const ScopeRef&);
    CValueRef view(const Def*, const ScopeRef&);
    CValueRef padded(const Def*, const ScopeRef&);
    CValueRef apply(const Def* f, const CValueRef&, const ScopeRef&);
    CValueRef choose(const Def* type, CRef c, const CValueRef& a, const CValueRef& b);
    CValueRef literal(const Def* type, uint64_t bits);
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
    CRef truth(bool b) { return sizes_.atom(b ? "1" : "0", "uint8_t"); }

    std::map<const Def*, CValueRef> bound_;
    std::map<std::pair<const Def*, ScopeRef>, CValueRef> known_;
};

} // namespace mim::plug::dpia
