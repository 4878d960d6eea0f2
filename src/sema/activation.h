// SPDX-License-Identifier: MIT
// Memory that belongs to an activation (`%mem.slot`): one allocation each time the function is entered in which it is
// written, however often the program gets there. A `con` or `cn` is a block of that function, so a loop made of them
// may be unrolled while compiling, which copies what it contains. Hence what is written in a block is made at the entry
// of the function, once, and the block mentions its value:
//
//     fun f (mem: %mem.M, x: T): U = … con loop (m, i) = … let (m, p) = %mem.slot A (m, 0); e …
//
// becomes
//
//     fun f (mem: %mem.M, x: T): U = { let (mem, s) = %mem.local A mem; … con loop (m, i) = … e[s/p] … }
//
// Until the text of the function is read, the block has a token of its own behind the slot, so that each is used once:
// `written e` stands for the token that the slot gives back for the token `e`, and goes where the slot goes. What is
// made at the entry starts from such a token as well, for a function that is unfolded in the body may make the same
// from the token that is given: that is another allocation. The function is kept as it is read, with these tokens, for
// the check of tokens.
//
// Only what is written counts: the axiom in the text (`%mem.slot`) normalizes to the operation in the graph
// (`%mem.local`), and a graph that was printed is read as it stands. What cannot move stays in its block: its type
// depends on the block, or the function has no token to begin with.
#pragma once
#include <unordered_set>
#include <utility>
#include <vector>

#include "sema/pending_function.h"
#include "sema/sema_base.h"

namespace mim {

/// A function that is read and owns what `Axiom::Activation` makes in it: a `lam`, `fun` or `fn`, or the outermost
/// `con` where there is none of these.
struct Activation {
    /// A token that the function is given, and the one after what was made at the entry.
    struct Entry {
        const Def* var;             ///< of a parameter group
        std::vector<uint64_t> path; ///< from the variable to the token
        const Def* first;
        /// The token behind what is made here. Until the text is read, what is made starts from a token of its own:
        /// what a function that is unfolded here makes is never the same.
        const Def* last;
        std::vector<const App*> made = {}; ///< in order
    };
    const PendingFunction* fun;
    Activation* around;
    std::vector<Entry> entries                   = {};
    std::unordered_set<const Def*> written_slots = {}; ///< see Activations::written_slot
};

class Activations : SemaBase {
public:
    explicit Activations(const Context& context)
        : SemaBase(context) {}

    /// The innermost one; null: no function is read.
    Activation* innermost() const { return innermost_; }
    /// While it lives, this is the innermost one.
    class Scope {
    public:
        Scope(Activations& activations, Activation& activation)
            : activations_(activations)
            , outer_(std::exchange(activations.innermost_, &activation)) {}
        ~Scope() { activations_.innermost_ = outer_; }
        Scope(const Scope&)            = delete;
        Scope& operator=(const Scope&) = delete;

    private:
        Activations& activations_;
        Activation* outer_;
    };

    /// The value of a call, written at `place`, of `callee`, as that is written: `op`, or what it makes at the entry of
    /// the function.
    const Def* make_at_entry(const Def* callee, const Def* op, Span place);
    /// The body of the function, which was read, with what belongs at its entry made there. May throw what the graph
    /// reports.
    const Def* leave(const Activation&, const Def* body);
    /// Keeps the function as it was read, for the check of tokens.
    void keep_as_read(const PendingFunction&);

private:
    const Def* to_entry(const App* op, Span place);
    Activation::Entry* entry(Activation&, const Def* token_type);
    bool takes_token(const Activation&);
    bool is_known_at_entry(const Activation&, const Def*);
    const Def* written_slot(Activation&, const Def* token_type);

    Activation* innermost_ = nullptr;
};

} // namespace mim
