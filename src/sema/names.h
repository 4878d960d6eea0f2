// SPDX-License-Identifier: MIT
// The names in scope of one file, with their values: `Scopes`, whose bindings are made when they are used. An element
// is extracted from its parent then, and a binder of a type becomes a mutable of the graph: [Nat, Nat] → Nat costs
// three look-ups.
#pragma once
#include <string>
#include <vector>

#include "diag/diag.h"
#include "ir/world.h"
#include "sema/plan.h"
#include "sema/scope.h"
#include "syntax/ast.h"

namespace mim {

/// A binder of a type whose mutable is only made when its variable is used.
struct LazyBinder {
    Node node; ///< Pi or Sigma
    bool implicit                = false;
    const Def* dom               = nullptr; ///< Pi
    size_t num_ops               = 0;       ///< Sigma
    std::vector<const Def*>* ops = nullptr; ///< Sigma: the types so far
    Def* mut                     = nullptr;
    bool poison                  = false;
};

/// The number of values that the pattern takes apart.
size_t num_elems(const ast::TuplePattern*);

class Names : public Scopes {
public:
    Names(World& world, Diagnostics& diags, const Plans& plans)
        : world_(world)
        , diags_(diags)
        , plans_(plans) {}

    /// @name bringing names into scope
    ///@{
    /// A value without a name, for patterns to take apart.
    uint32_t bind_root(const Def* def, const View* view) { return push({.def = def, .view = view}); }
    /// Brings the names of the pattern into scope. Elements of poison are poison.
    void bind(const ast::Pattern*, Source, const View*, Binding::Kind = Binding::Param);
    void bind_name(const ast::Binder&, Source, const View*, Binding::Kind);
    /// The name at this place is bound by the same pattern before.
    bool is_ambiguous(Span name) const { return plans_.is_ambiguous(name); }
    Symbol return_sym() { return return_ ? return_ : return_ = world_.sym("return"); }
    ///@}

    /// @name binders of types, innermost last; they stay where they are until they are popped
    ///@{
    size_t num_binders() const { return binders_.size(); }
    /// A binding without a name that stands for the variable.
    uint32_t push_binder(LazyBinder*);
    void pop_binders(size_t num);
    /// Makes the mutables of all binders: a placeholder may mention every variable in scope, so all of them must be
    /// there before it is made.
    void force_binders();
    ///@}

    /// The value of a binding, made if need be; null if it is poison or not there yet.
    const Def* force(uint32_t binding);

    /// The extent of what is in scope at some time.
    struct State {
        size_t bindings, binders, forced;
    };
    State state() const { return {mark(), binders_.size(), forced_}; }
    /// Goes back to a state that holds no more than the present one.
    void reset(const State&);

    /// @name names of values, for messages
    ///@{
    /// The name of a variable or an element here; empty if it has none.
    std::string name_of(const Def*);
    /// The first name of a parameter, or of an element of one, that is in scope here; null if it has none.
    const Binding* first_binding(const Def*);
    ///@}

    /// When it ends, the names and binders that were added since it began are out of scope.
    class Block {
    public:
        explicit Block(Names& names)
            : names_(names)
            , mark_(names.mark())
            , num_binders_(names.num_binders()) {}
        ~Block() {
            names_.pop(mark_);
            names_.pop_binders(num_binders_);
        }
        Block(const Block&)            = delete;
        Block& operator=(const Block&) = delete;

    private:
        Names& names_;
        size_t mark_, num_binders_;
    };

private:
    const Def* force(LazyBinder&);
    const Def* extract(const Def* parent, const Binding&);
    bool is_bound_by(uint32_t binding, const Def*);
    std::string pattern_text(uint32_t binding);

    World& world_;
    Diagnostics& diags_;
    const Plans& plans_;
    std::vector<LazyBinder*> binders_;
    size_t forced_ = 0; ///< binders before this one are made
    Symbol return_;
};

} // namespace mim
