// SPDX-License-Identifier: MIT
// Functions that return through continuations as functions in direct style, which both modes know how to differentiate.
// A continuation that a function goes on with is a local function that it calls last, and a call of another function
// is one whose result the continuation gets. So continuations stay inside of their function: none is kept, and none is
// entered by a function inside of it.
#pragma once
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "autodiff.h"
#include "ir/rewrite.h"

namespace mim::plug::autodiff {

class Straight : public Rewriter {
public:
    using Rewriter::Rewriter;

    /// f, which has the type T → U or Fn T → U, as T → U.
    const Def* convert(const Def* f);

private:
    struct Function {
        Lam* made          = nullptr;
        const Def* returns = nullptr; ///< the old continuation that gets its result
        const Def* result  = nullptr; ///< the new type of that
        const Lam* old     = nullptr;
    };
    struct Block {
        Lam* made;
        const Function* owner;
    };

    const Def* rewrite_imm(const Def*) override;
    const Def* rewrite_var(const Def*) override;

    bool is_constant(const Def*);
    bool refers_to_outside_only(const Def*);
    const Def* function(const Def* f);
    const Def* known_function(const Lam*);
    const Def* counted(const Def* operation);
    const Def* unfolded(const Def* operation);
    const Def* value_of(const Def* jump);
    const Def* value_of_call(const App*);
    const Def* go_on(const Def* continuation, const Def* value);
    const Def* continuation(const Def*);
    const Def* block(const Lam*);
    bool leaves(const Lam*);
    const Def* leaving(const Lam*, const Def* continuation);
    const Def* target(const Def* continuation);
    bool returns(const Def* continuation);
    Lam* new_function(const Def* pi, const Lam* like);
    /// The elements of a choice, as f makes them.
    template<class F>
    const Def* choice(const Extract*, F f);

    std::unordered_set<const Def*> outside_; ///< the variables that f refers to
    std::unordered_map<const Lam*, Function> functions_;
    std::unordered_map<const Lam*, Block> blocks_;
    std::unordered_map<const Def*, const Function*> returns_; ///< by the old continuation
    std::unordered_map<const Def*, const Function*> vars_;
    std::unordered_map<const Lam*, bool> leaves_;
    std::unordered_map<const Def*, const Def*> goes_on_; ///< where a function that leaves another one returns to
    const Function* current_ = nullptr;
    std::vector<Lam*> made_;
};

} // namespace mim::plug::autodiff
