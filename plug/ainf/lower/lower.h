// SPDX-License-Identifier: MIT
// Lists become operations on tensors.
#pragma once
#include "ainf/list/list.h"
#include "lower/code.h"
#include "math/annexes.h"

namespace mim::plug::ainf {

/// The values that the bindings of a list have, as code. Throws std::runtime_error where there is no code for a list.
class Instance {
public:
    Instance(World&, Coder&, const List&);

    /// The result.
    CodeRef run();

private:
    /// Values of what frames bind, the innermost one first.
    struct Scope {
        uint32_t index;
        CodeRef value;
        std::shared_ptr<const Scope> outer;
    };
    using ScopeRef = std::shared_ptr<const Scope>;
    using Branch   = std::function<CodeRef()>;
    using Key      = std::pair<uint32_t, std::vector<CodeRef>>;

    static ScopeRef bound(uint32_t index, CodeRef value, const ScopeRef& outer) {
        return std::make_shared<const Scope>(Scope{index, std::move(value), outer});
    }
    CodeRef lookup(uint32_t index, const ScopeRef&) const;
    CodeRef operand(const Operand&, const ScopeRef&);
    CodeRef computed(const Binding&, const ScopeRef&);
    const Def* type_of(const Operand&, const Binding& user) const;
    CodeRef primitive(const Binding&, const ScopeRef&);

    void keep_elements();
    bool is_kept_by(const Binding& element, const Binding& array) const;
    bool is_stored(const Binding&) const;
    CodeRef table(const Binding&, const ScopeRef&);
    CodeRef function(const Binding&, const ScopeRef&);
    CodeRef sum(const Primitive&, const CodeRef& array, const Def* type);
    /// One turn of a fold, where the state is the one after it as well.
    CodeRef turn(const Binding&, const ScopeRef&, const CodeRef& state, const Def* index);
    CodeRef fold(const Binding&, const ScopeRef&);
    CodeRef scan(const Binding&, const ScopeRef&);
    const Def* folded(const Def* turn, const Def* step, const Def* start);
    CodeRef choice(const Binding&, const ScopeRef&);
    CodeRef choose(const Def* type, const Def* condition, const Branch& holds, const Branch& fails);
    const Def* literal(const Primitive&);
    const Def* unary(const Primitive&, const Def*);
    const Def* binary(const Primitive&, const Def*, const Def*);
    const Def* compared(const Primitive&, const Def*, const Def*);
    const Def* difference(const Def*, const Def*);
    const Def* flt(math::arith, uint64_t mode, const Def*, const Def*);
    const Def* norm_cdf(uint64_t mode, const Def*);

    World& w;
    Coder& coder_;
    const List& list_;
    std::map<uint32_t, size_t> positions_;
    std::vector<std::vector<const Binding*>> uses_; ///< null: it is the result
    /// Elements that several loops ask for, and the arrays that have them.
    std::map<uint32_t, const Binding*> kept_;
    std::map<Key, CodeRef> known_;
};

} // namespace mim::plug::ainf
