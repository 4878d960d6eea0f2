// SPDX-License-Identifier: MIT
// Reverse mode (doc/adr/0030-reverse-mode.md). A function becomes one that returns its value and a pullback: from the
// cotangent of the value to those of the argument and of what it captures, which are values of the functions around
// it. All of them are known where it is called, so nobody has to carry them around.
//
// A function that is only called last belongs to the *region* of its caller, as a block. It gets the pullback of what
// comes before it as a continuation `k`, and so takes no stack: `block (x, k) = (y, λ s = k (cotangents of x and of
// its captures))`.
#pragma once
#include <map>
#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "calls.h"
#include "copies.h"
#include "dependence.h"
#include "ir/rewrite.h"

namespace mim::plug::autodiff {

/// The cotangent of a value as far as it is known: that of the whole, and those of some elements.
struct Sum {
    const Def* whole = nullptr; ///< null: zero
    std::map<uint64_t, Sum> parts;
};

/// The operands whose cotangents are not in a shadow.
DefVec operands_of_memory(World&, const App*);

/// The elements of a tuple that has a token in it, without those that have no tangents; else the value itself.
DefVec captured_parts(World&, const Def*);

class Reverse : public Rewriter {
public:
    explicit Reverse(World& world, Applied applied = Applied::Often);

    /// f' of f.
    const Def* derivative(const Def* f);
    /// λ (x, s, acc) = acc plus the cotangent of x.
    const Def* accumulating(const Def* f, const Def* start);

private:
    /// A function that is differentiated, on its own or as a block.
    struct Function {
        const Lam* old    = nullptr;
        Lam* entry        = nullptr; ///< [x] → [y, pullback]
        Lam* block        = nullptr; ///< [x, k] → [y, pullback]; null: nobody jumps to it
        const Def* k      = nullptr; ///< of the block; null: the pullback returns
        Function* around  = nullptr; ///< the innermost one that it refers to
        Function* region  = nullptr; ///< whose pullback it makes; null: it was not made yet
        size_t depth      = 0;
        bool has_captures = false;
        DefVec captures;
        std::unordered_set<const Def*> values; ///< with tangents, that its body computes wherever it is called
        bool has_operations = false;
        std::unordered_set<const Def*> operations; ///< with tokens, that it does itself
        std::unordered_set<const Lam*> blocks;     ///< of a region: those that are only called last
        const Def* cotangents = nullptr;           ///< of a region: the type of what its pullback returns
    };
    using Sums = std::unordered_map<const Def*, Sum>;
    using Seed = std::function<void(Sums&, const Def*)>;

    bool needs(const Def*) override;
    const Def* rewrite_imm(const Def*) override;
    const Def* rewrite_mut(const Def* def) override { return copies_.of(def); }

    // functions
    Function& function(const Lam*);
    Function* around(const Lam*);
    Function& on_its_own(const Lam*);
    Function& block(const Lam*, Function& region);
    void find_blocks(Function& region);
    Lam* new_function(const Def* pi, const Lam* like, bool is_inlined);
    const Def* pair_type(const Function&, const Def* cotangents);
    void make_body(Function&, Lam* into, const Def* x);
    const Def* value_body(Function&, const Def* value);
    const Def* jump_body(Function&, const Call&);
    const Def* jump(Function& from, const Call&, const Lam* target, const DefVec& caught, const Def* k);
    const Def* widened(const Call&, Function&, const Def* z, const DefVec& caught);
    const Def* chosen(const Call&, const DefVec& callees);
    const Def* called(const Call&);
    const Def* pair(const Def* call);
    const Def* recorded_value(const Def* app);
    const Def* typed(const Def* type) { return augmented(world(), rewrite(type)); }
    const Def* tangents(const Def* type) { return tangent(world(), rewrite(type)); }

    // memory
    /// A pointer, and the one to the cotangents of what it points to; null: these are nobody's.
    struct Pointer {
        const Def* value;
        const Def* shadow;
    };
    Pointer pointer(const Def*);
    const Def* rewrite_memory(const App*);
    const Def* fresh(const App*);
    const Def* rewrite_lea(const Def* lea);
    const Def* rewrite_pointers(const Def*);
    const Def* with_shadows(const Def* value, const Def* at);
    void back_memory(const App*, const Def* s, Sums&);

    // captures
    bool depends(const Def* def) { return dependence_.of(def); }
    bool is_outside(Function&, const Def*);
    bool does(Function&, const Def* operation);
    bool is_within(const Function&, const Lam*);
    const Def* whole_with_token(const Def*);
    const DefVec& captures(Function&);
    DefVec captures_of(Function&);
    DefVec captures_of(const Call&);
    const Def* cotangent_types(const Def* arg, const DefVec& captures);

    // values of a body
    DefVec values_of(Function&, const Def* root);
    std::unordered_set<const Def*> values_of_arm(const Lam*);
    DefVec common_values(const Call&);
    DefVec in_order(const Function&, const Def* root);
    DefVec children(const Def*);
    bool refers_by_function(const Def*);
    void check(const Def*);
    bool is_active(const Def*);

    // the way back
    const Def* backwards(Function&, const Def* dom, const DefVec& order, bool is_inlined, const Seed&);
    void back(const Def* value, const Def* s, Sums&);
    void back_extract(const Extract*, const Def* s, Sums&);
    void back_insert(const Insert*, const Def* s, Sums&);
    void back_call(const Def*, const Def* s, Sums&);
    void add(Sums&, const Def* value, const Def* s);
    Sum& place(Sums&, const Def* value);
    const Def* take(Sums&, const Def* value);
    bool accumulates(const Def* app);
    const Def* accumulated(const Def* app, const Def* s, Sums&);
    void verify_kept(Function&, const Sums&);
    const Def* finish(Function&, Sums&);

    const Applied applied_;
    Calls calls_;
    std::unordered_map<const Lam*, std::unique_ptr<Function>> functions_;
    std::unordered_map<const Def*, Function*> binders_; ///< of variables
    Dependence dependence_;
    Copies copies_;
    std::unordered_set<const Def*> active_;
    std::unordered_map<const Def*, const Def*> pairs_, derivatives_;
    std::unordered_map<const Def*, bool> accumulates_;
    Function* current_ = nullptr; ///< whose way back is being made
    const Lam* seeded_ = nullptr; ///< the cotangent of its argument starts with seed_
    const Def* seed_   = nullptr;
    std::vector<Lam*> made_;
};

} // namespace mim::plug::autodiff
