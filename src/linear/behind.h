// SPDX-License-Identifier: MIT
// Tokens that are only there once a call in direct style has come back, or once it is
// known that it never happens. Code in direct style is evaluated by need, so the text says nothing about that. The
// judgement, for a token t, a call c, and the λ in which both are:
//
//     evaluating t always evaluates c                           ⟹  c is before t
//     evaluating t always evaluates d, and d decides about c    ⟹  c is before t
//     the λ ends in a choice of functions, of which some lead to c, and others to t: there is never both
//
// where d decides about c if all that leads to c in the λ leads to d, and nothing that d leaves unevaluated leads to
// c. So in
//
//     lam a () = (c, 1);  lam b () = (m, 2);  let (t, x) = (a, b)#i ();
//
// c happens before there is a t, or never. Evaluating a node evaluates the operands and alternatives that `Consumed`
// names, what it always evaluates of its argument, and what all functions that it may enter evaluate.
#pragma once
#include "linear/consumed.h"
#include "linear/fn.h"

namespace mim::linear {

class Behind {
public:
    Behind(Check& check, Consumed& consumed, const Fn& f, const Def* call)
        : check_(check)
        , consumed_(consumed)
        , fn_(f)
        , call_(call) {}

    /// Whether the token is only there behind the call.
    bool contains(const Def* token);

private:
    using Answers = std::unordered_map<const Def*, bool>;

    std::vector<const Def*> bodies_of(const Def* node);
    std::vector<const Def*> needed_by(const Def* node);
    template<class F>
    void visit(const Def* from, Answers&, F answer);
    bool leads(const Def* node);
    bool answer_leads(const Def* node);
    bool decides(const Def* node);
    bool answer_decides(const Def* node);
    std::vector<const Def*> operands_of(const Def* node);
    void find_nodes();
    void find_deciders();
    DefSet reaching(const Def* node);
    bool are_alternatives(const Def* token);

    Check& check_;
    Consumed& consumed_;
    const Fn& fn_;
    const Def* call_;
    Answers leads_;   ///< evaluating the node always evaluates the call, or a decider
    Answers decides_; ///< what the node leaves unevaluated does not lead to the call
    bool is_found_ = false;
    std::vector<const Def*> nodes_;            ///< of the λ and those inside of it, users before operands but for cycles
    std::vector<std::vector<uint32_t>> users_; ///< of these
    std::unordered_map<const Def*, uint32_t> number_;
    DefSet reaching_; ///< those that lead to the call
    DefSet deciders_;
};

} // namespace mim::linear
