// SPDX-License-Identifier: MIT
// Where things stand in the text, and how the text calls them: side tables of the graph, for messages, printing and debuggers. Nothing that
// a program computes depends on them.
#pragma once
#include <functional>
#include <unordered_set>
#include <vector>

#include "ir/id_table.h"
#include "ir/place.h"
#include "ir/places.h"

namespace mim {

class Notes {
public:
    explicit Notes(World& world)
        : world_(world) {}

    /// @name names and places of nodes
    ///@{
    void set_name(const Def*, Symbol);
    Symbol name(const Def*) const; ///< of a λ, a variable or a type's binder; may be empty
    void set_span(const Def* def, Span span) { set_place(def, {span}); }
    Span span(const Def* def) const { return place(def).span; }
    /// Where a binder's name, or an expression that becomes code, is.
    Place place(const Def*) const;
    void set_place(const Def*, Place);
    static bool has_place(const Def*); ///< a place is kept for it
    /// `to` is what a rewrite made of `from`: place and name are those of `from`, unless it has its own.
    void copy_place(const Def* from, const Def* to);
    const Inlined& inlined(uint32_t id) const; ///< of a place; not 0
    /// Where the result of a function is.
    void set_end(const Lam*, Span);
    Span end(const Lam*) const;
    ///@}

    /// @name names of values
    ///@{
    /// With `debug`: the names that the text of a function gives to values. local() finds computed values; locals()
    /// finds those that cost nothing (parameters, projections, tuples, literals), and further names of one value.
    void add_local(const Lam*, const Local&);
    /// Takes the names of a local's elements.
    const FieldNames* add_fields(FieldNames);
    const Local* local(const Def*) const;
    const std::vector<Local>* locals(const Lam*) const;
    /// Of a copy of a function; `known` says what a value has become, or null.
    void copy_locals(const Lam* from, const Lam* to, const std::function<const Def*(const Def*)>& known);
    ///@}

    /// @name binders
    ///@{
    /// Field names of a binder's variable, by element; a view kept for printing.
    void set_fields(const Def*, std::vector<Symbol>);
    const std::vector<Symbol>* fields(const Def*) const;
    /// New mutables made from `from` by a rewrite keep its name, span and fields.
    void copy_info(const Def* from, const Def* to);
    ///@}

private:
    friend class Subst;
    void copy_name(const Def* from, const Def* to);

    struct FieldsHash {
        size_t operator()(const std::vector<Symbol>& fields) const;
    };

    World& world_;
    IdTable<Symbol> names_;
    Places places_;
    std::unordered_set<std::vector<Symbol>, FieldsHash> field_lists_;
    IdTable<const std::vector<Symbol>*> fields_;
};

} // namespace mim
