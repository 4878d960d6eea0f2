// SPDX-License-Identifier: MIT
// The terms directly below a term, and how it is built again when some of them change.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "ir/world.h"

namespace mim::plug::elevate {

/// Functions that the way from the root goes through: one that calls itself is not entered again.
using Entered = std::vector<const Lam*>;

class Below {
public:
    Below(World&, const Def* term, const Entered&);

    const Def* term() const { return term_; }
    size_t size() const { return parts_.size(); }
    const Def* at(size_t i) const { return parts_[i].def; }
    bool is_function(size_t i) const { return parts_[i].def->type()->isa<Pi>(); }
    /// The last one that is a function, or that is none; their number if there is none.
    size_t last(bool is_function) const;
    /// The term where those below it are these, in the same order.
    const Def* rebuild(const DefVec& now) const;
    /// The same of an application, where all else that it is made of becomes `other(…)` of that.
    using Other = std::function<const Def*(const Def*)>;
    const Def* rebuild(const DefVec& now, const Other& other) const;
    const Def* replace(size_t i, const Def* now) const;

private:
    struct Part {
        const Def* def;
        size_t group, elem; ///< of an application: which argument; else `elem` is the operand
    };
    static constexpr size_t whole = ~size_t(0);

    void add_elements(const Entered&);
    void add_arguments(const Entered&);
    void add_argument(const Pi*, const Def* arg, size_t group, const Entered&);
    const Def* rebuild_tuple(const Def* tuple, const DefVec& now, size_t group, const Other& other) const;
    const Def* rebuild_app(const DefVec& now, const Other& other) const;
    const Def* rebuild_lam(const Def* body) const;
    const Def* rebuild_pack(const Def* body) const;
    DefVec operands(const DefVec& now) const;

    World& world_;
    const Def* term_;
    std::vector<Part> parts_;
};

/// The language in which messages show terms.
struct Words {
    virtual ~Words() = default;
    virtual std::string term(World&, const Def*) const;
    /// The axiom or the function that a term applies, for ways.
    virtual std::string head(World&, const Def*) const;
    static const Words& of_mim();
};

/// The way from a term to one of those below it, for messages.
struct Step {
    const Def* from;
    size_t child;
};
std::string way_text(World&, const std::vector<Step>&, const Words& = Words::of_mim());
/// A term for messages.
std::string term_text(World&, const Def*, const Words& = Words::of_mim());

} // namespace mim::plug::elevate
