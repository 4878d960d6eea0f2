// SPDX-License-Identifier: MIT
// The conversion of one program, in five parts: functions (ds2cps.cpp), what their calls pass (arguments.cpp), what is evaluated where
// (contexts.cpp, thunks.cpp), expressions (expressions.cpp), and types (types.cpp). Private to direct.ds2cps.
//
// Each function is built again, context by context: the chain of what a context evaluates is a chain of continuations, and `env_` says
// what an old expression has become where we are.
#pragma once
#include <functional>
#include <memory>
#include <span>

#include "ir/rewrite.h"
#include "ir/subst.h"
#include "lazy.h"
#include "members.h"
#include "uses.h"

namespace mim::plug::direct {

class Converter {
public:
    explicit Converter(World& world);
    ~Converter();

    void run();

private:
    using Vertex = Uses::Vertex;

    /// @name functions
    ///@{
    const Def* function(const Lam* lam);
    Lam* worker(const Lam* lam);
    const Def* wrapper(const Lam* lam);
    Lam* stub(const Lam* lam);
    Lam* new_lam(const Def* pi);
    void convert(const Lam* lam);
    void body(uint32_t v, const Lam* lam, Lam* made);
    const Def* known(const Def* value);
    /// Whether the new form of a function takes what it took.
    static bool stays(const Lam* lam) { return lam->is_cn() || Facts::is_type_abstraction(lam->pi()); }
    ///@}

    /// @name what is passed by need
    ///@{
    using PartOf = std::function<const Def*(const Leaf&)>;
    const Def* assemble(const Lam* lam, const PartOf& part, bool is_type = false);
    const Def* assemble(const std::vector<Leaf>& leaves, size_t from, size_t to, size_t depth, const PartOf& part, bool is_type);
    const Def* worker_type(const Lam* lam);
    const Def* done(const Leaf& leaf, const Def* value);
    void bind_leaves(const Lam* lam, const Def* arg);
    bool bind_parts(const Def* def, const Def* var);
    const Def* pass(uint32_t i, const Lam* callee, const Def* arg, delay where);
    const Def* suspend(uint32_t d, delay where);
    bool is_ready(uint32_t d);
    ///@}

    /// @name contexts
    ///@{
    void bind(const Def* from, const Def* to) {
        if (env_.emplace(from, to).second) trail_.push_back(from);
    }
    using Mark = size_t; ///< of `trail_`
    Mark here() const { return trail_.size(); }
    void leave(Mark mark) {
        for (; trail_.size() > mark; trail_.pop_back()) env_.erase(trail_.back());
    }
    /// The result of a choice: the element, or the arm of a match and the value that the arm got.
    struct Chosen {
        size_t element   = 0;
        const Def* value = nullptr;
    };
    void context(uint32_t v, Lam* at, const Def* def, const Def* cont);
    void inner_function(uint32_t v, const Lam* lam, const Def* end);
    const Def* isa_token_choice(uint32_t v);
    std::unordered_set<const Def*> shared_indices(const std::vector<uint32_t>& items);
    std::vector<uint32_t> choices_alike(uint32_t i, std::span<const uint32_t> later);
    bool waits_for(uint32_t v, const std::unordered_set<uint32_t>& others);
    Lam* choose_together(const std::vector<uint32_t>& choices, Lam* at);
    std::vector<Lam*> branch_on(const Def* index, size_t size, Lam* at);
    Lam* declare(const Lam* lam);
    void name_result(const Def* call, const Lam* next);
    void fill(uint32_t i, const Pack* pack);
    void control(uint32_t i, Lam* at, const Def* cont);
    void evaluate(uint32_t i, Lam* at, const Def* cont);
    void select(uint32_t i, const Selection& selection, Lam* at, const Def* cont);
    void branch(uint32_t i, const Match* match, Lam* at, const Def* cont);
    void arm(uint32_t i, const Match* match, Chosen chosen, Lam* at, const Def* cont);
    void define_thunk(uint32_t i);
    [[noreturn]] void fail_on_types(const Def* effect);
    ///@}

    /// @name expressions
    ///@{
    const Def* rewrite(const Def* def);
    const Def* rewrite_new(const Def* def);
    const Def* rewrite_labelled(const Def* def);
    void check_axiom(const App* app, const Def* callee, const Def* arg);
    ///@}

    /// @name types
    ///@{
    class Inside;
    const Def* same_type(const Pi* pi);
    const Def* function_type(const Pi* pi);
    const Def* rewrite_pi(const Pi* pi);
    const Def* substitute(const Def* def);
    /// One of the functions that are equal to a function that types call.
    const Def* shared(const Def* f);
    /// The new form of something closed: the same one whoever asks.
    const Def* closed(const Def* def);
    ///@}

    /// Builds one node over new operands.
    class Rebuilder : public Rewriter {
    public:
        using Rewriter::rebuild;
        using Rewriter::Rewriter;
    };

    World& world_;
    Facts facts_;
    Members members_;
    Rebuilder rebuilder_;
    Uses* uses_ = nullptr;
    Place here_; ///< of what is being evaluated
    std::unordered_set<const Lam*> changed_;
    std::unordered_map<const Lam*, Lam*> functions_;
    std::unordered_map<const Lam*, const Def*> wrappers_;            ///< of closed functions
    std::unordered_map<const Def*, std::vector<const Lam*>> shared_; ///< by type
    std::vector<const Lam*> todo_;
    std::vector<Lam*> made_;
    std::unordered_map<uint32_t, const Def*> thunks_;  ///< the continuation that evaluates a thunk
    std::unordered_map<const Def*, Chosen> chosen_;    ///< by arms around the context, by index or scrutinee
    std::unordered_map<const Def*, const Def*> cells_; ///< the lazy value of an expression
    std::unique_ptr<Inside> closed_;
    std::unordered_map<const Def*, const Def*> env_;
    std::vector<const Def*> trail_;
};

} // namespace mim::plug::direct
