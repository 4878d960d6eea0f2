// SPDX-License-Identifier: MIT
// LC to MIL. An expression becomes statements of the block that is being made. Where control splits, the rest is a
// join block.
#pragma once
#include <map>
#include <unordered_map>

#include "lower.h"
#include "stages.h"

namespace mim::plug::mil {

class Lowering {
public:
    explicit Lowering(Source& source)
        : source_(source)
        , p_(source.program)
        , b_(p_)
        , first_(static_cast<std::ptrdiff_t>(p_.order.size())) {
        for (auto& top : p_.tops) pins_ |= top.external != kNone && !top.typing.scheme.variables.empty();
    }

    void file(File&);
    void use(const ForeignUse&);
    void finish();

private:
    /// The place that the value of an expression goes to.
    struct Goal {
        uint32_t join = kNone; ///< this block takes it; none: it is returned
        bool runs     = false; ///< what the expression, a `Proc`, returns when it is run
    };

    void declare(Bind*);
    void define(Bind*);
    void claim(Bind*);
    Tail pinned(Expr*, const Scheme&, bool runs);
    void top_value(Bind*);
    void body(uint32_t block, Expr*, bool runs);
    void groups(const std::vector<std::vector<Bind*>>&);
    std::vector<uint32_t> parameters(const Expr* lambda);
    Tail thunk(const std::string& base, uint32_t runs, const std::vector<uint32_t>& params, Span);

    Atom value(Expr*);
    Atom value(Expr* e, const std::string& name);
    Tail compute(Expr*);
    Tail run(Expr*);
    Tail name(Expr*);
    Tail spine(Expr*, bool runs);
    Tail first(Expr* head);
    /// A call that enters no closure.
    struct Known {
        Tail call;
        size_t used;  ///< how many of the arguments are its own
        bool was_run; ///< it is what the `Proc` returns
    };
    std::optional<Known> known_call(Expr* head, const std::vector<Expr*>& arguments, bool runs);
    Tail primitive(uint32_t primitive, Atoms, Span);
    Tail enter(Atom f, Expr* argument, Span);
    Tail run_value(Atom procedure, Span);
    uint32_t area_primitive() const;
    uint32_t wrapper(uint32_t index, bool is_con, Span);
    Tail lambda(Expr*);
    Tail procedure(Expr*);
    Tail record(Expr*);
    Tail field(Expr*);
    Tail update(Expr*);
    Tail initializer(Expr*);
    uint32_t reference(uint32_t data, uint32_t part);
    Tail make(const Expr*, Atoms fields);
    Atom layout(Expr*);

    void into(Expr*, Goal);
    void finish(Tail, Goal);
    void choice(Expr* condition, Expr* yes, Expr* no, Goal);
    void constant(uint32_t con, Goal, Span);
    void cases(Expr*, Goal);
    uint32_t alternative(Alternative&, Atom subject, Goal);
    void fatbar(Expr*, Goal);
    void steps(Expr*, Goal);
    Atom joined(Expr*, bool runs);
    bool splits(const Expr*) const;

    /// Of the names of parts of a definition; an operator makes no such name.
    std::string part(const std::string& what) const { return (front::is_letter(base_[0]) ? base_ : "op") + what; }
    uint32_t block(const std::string& what, Span at) { return b_.block(part(what), {}, at); }
    uint32_t variable_of(Bind* b) { return b->variable = p_.variable(b->name); }

    Source& source_;
    Program& p_;
    CodeBuilder b_;
    std::ptrdiff_t first_;   ///< of the definitions that are made here
    std::string base_;       ///< of the names of blocks: the definition around
    uint32_t abort_ = kNone; ///< goes on where a match fails
    std::unordered_map<uint32_t, uint32_t> primitive_tops_, con_tops_;
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> references_;
    bool pins_ = false; ///< generators need the numbers that types in the text have
};

} // namespace mim::plug::mil
