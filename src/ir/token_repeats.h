// SPDX-License-Identifier: MIT
// Which functions may call their return more than once. A continuation that captures a token is only passed as the return of functions
// that do not.
//
// Calling a continuation is the last thing that happens. So control comes to a return a second time only through something that *knows*
// it, and that whoever got control could reach: a function among the arguments of the first call, or one that lies in memory. A function
// knows what occurs free in it, and what its variables may stand for.
//
// Answers hold for the whole program: what is not known at a call may be any function of the same type. They are a least fixed point;
// functions are taken for harmless until one is not, and then their users are looked at again.
#pragma once
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/def_set.h"
#include "ir/world.h"

namespace mim::tokens {

class Check;

class Repeats {
public:
    /// `lams`: all functions of the program; `nodes`: all that they are made of.
    Repeats(Check& check, const std::vector<const Lam*>& lams, const std::vector<const Def*>& nodes)
        : check_(check)
        , lams_(lams)
        , nodes_(nodes) {}

    /// Whether the call may call the continuation that it gets last more than once.
    bool call(const App*);

    /// What is known so far of this; `asker` is looked at again when that changes.
    bool ask(const App*, const Lam* asker);
    /// Whether a function that is not closed may be stored in memory, or hidden.
    bool stores_functions();
    /// Whether one may be held by a value whose type does not show it.
    bool hides_functions();

private:
    bool ask(const Lam* callee, const Lam* asker);
    bool stores(const App*);
    bool hides(const App*);
    bool gets_function(Defs elems);
    void find_keepers();
    bool ask_unknown(const Def* callee, const Lam* asker);
    void look_at(const Lam*);
    void solve();

    Check& check_;
    const std::vector<const Lam*>& lams_;
    const std::vector<const Def*>& nodes_;
    LamSet known_, repeats_;
    std::unordered_set<const Lam*> queued_;
    std::vector<const Lam*> queue_;
    std::unordered_map<const Lam*, LamSet> askers_;
    LamSet askers_of_unknown_;
    DefSet types_;               ///< of functions that repeat
    bool all_asked_     = false; ///< all functions were looked at
    bool knows_keepers_ = false, stores_ = false, hides_ = false;
};

} // namespace mim::tokens
