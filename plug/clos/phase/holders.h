// SPDX-License-Identifier: MIT
// Which functions have to take what they return to as a value, since machine code returns to the caller alone. Such a *holder* returns, or is
// left, by a call that may take several frames off the stack:
//
// - its return is stored or passed as a value, or is called by a function that is no block of it;
// - it calls a continuation that is not known, or a function that is not known and may do so;
// - it mentions a holder.
//
// Any other function calls no holder, so that it returns to its caller as before.
#pragma once
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analysis/program.h"
#include "analysis/snapshot.h"

namespace mim::plug::clos {

/// Some parameter holds a function.
bool takes_functions(const CnView&);

class Holders {
public:
    Holders(World&, Program&, const Snapshot&);

    bool contains(const Lam* lam) const { return holders_.contains(lam); }
    /// It takes its return from its caller, and keeps doing so.
    bool is_plain(const Lam* lam) { return !contains(lam) && has_return(lam); }
    /// Takes its last argument for where it returns to, and is no continuation itself.
    bool has_return(const Lam* lam) { return lam->is_cn() && !program_.is_cont(lam) && program_.view(lam).has_ret(); }
    /// The return of some function is used where machine code has none.
    bool leaves() const { return leaves_; }

private:
    bool is_entry(const Lam*);
    void find_homes(const std::vector<const Lam*>&);
    void find_home(const Lam* entry);
    void scan(const Lam*);
    bool is_only_called(const Def* tuple);
    void scan_call(const Lam* caller, const App*);
    void scan_callee(const Lam* caller, const App*, const Def* callee);
    void scan_argument(const App*, const Def* callee);
    void scan_value(const Def*);
    bool is_return_at(const Def* callee, size_t i);
    bool has_unsuitable_type(const Lam*);
    bool is_arm(const Lam*);
    bool has_known_callers(const Lam*);
    void add(const Def*);

    World& world_;
    Program& program_;
    const Snapshot& snapshot_;
    std::unordered_map<const Lam*, const Lam*> homes_; ///< of a block: the function that it is part of; null: of several
    std::unordered_set<const Def*> holders_;           ///< and all that mentions one
    std::unordered_map<const Def*, bool> only_called_;
    bool leaves_ = false;
};

} // namespace mim::plug::clos
