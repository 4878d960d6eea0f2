// SPDX-License-Identifier: MIT
// The calls that are being reduced, outermost first. One that is met again while it is reduced needs its own result. They end in
// the reverse of the order in which they began, so the index is a table with linear probing in which the last entry can just be
// cleared. An error on its way out leaves here which calls it came through.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "ir/error.h"
#include "ir/world.h"

namespace mim {

class Subst;

class ActiveCalls {
public:
    bool empty() const { return calls_.empty(); }
    /// False if this call is being reduced already, which is then noted. Nodes that are made from now on have no id below `next_id`.
    bool enter(const Lam* callee, const Def* arg, Span site, uint32_t next_id);
    /// Ends the innermost call. `failed`: by an error.
    void leave(const World&, bool failed);
    /// The innermost call becomes this function, once it is copied: the body of a curried one, which may call itself.
    void returns(const Subst& copies, const Lam* body) { calls_.back().copies = &copies, calls_.back().body = body; }
    /// What this call, which is being reduced, becomes, as far as that is known.
    const Def* result(const Lam* callee, const Def* arg);
    struct Reduced {
        const Lam* callee;
        const Def* arg;
    };
    /// The call that becomes this function, which is not complete yet, if there is one.
    std::optional<Reduced> call_of(const Def* function) const;
    /// The number of the innermost calls, one in the other, that are of one function.
    uint32_t num_repeated() const { return calls_.back().repeated; }
    /// The innermost call was met meanwhile.
    bool is_met() const { return calls_.back().met; }

    /// The calls that an error came through, innermost first, each place once; forgotten by the next call that begins at the outside.
    const std::vector<Error::Call>& trace() const { return trace_; }

private:
    struct Call {
        const Lam* callee;
        const Def* arg;
        Span site;
        bool met;
        uint32_t repeated; ///< calls of this function around it, without others in between
        const Subst* copies = nullptr;
        const Lam* body     = nullptr;
    };
    uint32_t& slot(const Def* callee, const Def* arg);
    void grow();
    void record(const World&, const Call&);

    std::vector<Call> calls_;
    uint32_t first_id_ = 0;       ///< of the nodes that the outermost call makes
    std::vector<uint32_t> index_; ///< into calls_, + 1
    std::vector<Error::Call> trace_;
};

} // namespace mim
