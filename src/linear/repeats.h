// SPDX-License-Identifier: MIT
// Which functions may call their return more than once. A continuation that captures a token is only passed as the return of functions
// that do not.
//
// Calling a continuation is the last thing that happens. So control comes to a return a second time only through something that *knows*
// it, and that whoever got control could reach: a function among the arguments of the first call, or one that lies in memory. A function
// knows what occurs free in it, and what its variables may stand for.
//
// Whether f may call its return `ret` twice; k knows `ret`, and so do the parameters of λs in f that somebody gets whose code is not
// seen, see knowing.h:
//
//     f uses `ret` as a value, and `ret` takes functions                       ⟹  yes
//     what knows `ret` is called with a function that does                     ⟹  yes: it may be `ret`
//     g (k, r), and r, which knows `ret`, is a parameter that takes functions  ⟹  yes, unless g returns only closed functions
//     g (k, λ), and the λ takes functions      ⟹  its parameters know `ret`, unless g returns only closed functions
//     g (a, r), r knows `ret`, and g may call r twice                          ⟹  yes
//     g gets k and may store it (storing.h), and `ret` takes no function, or r does and knows `ret`  ⟹  yes
//     somebody gets k                          ⟹  functions that are read from memory in f know `ret`
//
// A function knows, too, what is called where it computes data. Answers hold for the whole program: what is not known at a call may be any
// function of the same type. They are a least fixed point; functions are taken for harmless until one is not, and then their users are
// looked at again.
#pragma once
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "linear/storing.h"

namespace mim::linear {

class Check;

class Repeats {
public:
    /// `lams`: all functions of the program; `nodes`: all that they are made of.
    Repeats(Check& check, const std::vector<const Lam*>& lams, const std::vector<const Def*>& nodes)
        : check_(check)
        , lams_(lams)
        , nodes_(nodes)
        , storing_(check, lams, nodes) {}

    /// Whether the call may call the continuation that it gets last more than once.
    bool call(const App*);

    /// Whether some call of the function may do so.
    bool function(const Lam*);
    /// Whether a call in direct style may come back more than once.
    bool direct_call(const Def*);

    /// Takes all functions for unknown again: the calls in direct style are found now.
    void forget();

    /// What is known so far of this; `asker` is looked at again when that changes.
    bool ask(const App*, const Lam* asker);
    /// The same of a call in direct style.
    bool ask_direct(const Def* call, const Lam* asker);
    /// Whether a function that is not closed may be stored in memory, or hidden, before the call comes back.
    bool stores_in(const App* app) { return storing_.happens_in(app, Storing::Stores); }
    /// Whether an axiom or C does so by itself, also with functions that it got earlier.
    bool keeps(const App* app) { return storing_.happens_by_itself(app); }
    /// Whether the code of this λ makes a value whose type does not show that it holds one, or a token of no other one.
    bool hides_in(const Lam* lam) { return storing_.reaches(lam, Storing::Hides); }

private:
    bool ask(const Lam* callee, const Lam* asker);
    bool ask_unknown(const Def* callee, const Lam* asker);
    bool ask_callee(const Def* callee, const Lam* asker);
    bool ask_each(const std::vector<const Lam*>& lams, const std::vector<const Def*>& others, const Lam* asker);
    bool ask_axiom(const Axiom&, const Lam* asker);
    bool ask_functions(std::vector<const Def*> functions, const Lam* asker);
    bool is_harmless(const Def* axiom_value, const Lam* asker);
    void ask_all();
    bool find_axiom_values();
    void look_at(const Lam*);
    void solve();

    Check& check_;
    const std::vector<const Lam*>& lams_;
    const std::vector<const Def*>& nodes_;
    Storing storing_;
    LamSet known_, repeats_;
    std::unordered_set<const Lam*> queued_;
    std::vector<const Lam*> queue_;
    std::unordered_map<const Lam*, LamSet> askers_;
    LamSet askers_of_unknown_;
    DefSet types_;                         ///< of functions that repeat
    std::vector<const Def*> axiom_values_; ///< axioms that got functions, and are functions themselves
    bool all_asked_ = false;               ///< all functions were looked at

    /// Axioms with their arguments, by who asked: a chain of calls asks each one for all that are inside of it.
    std::unordered_map<const Lam*, DefSet> harmless_;
    size_t harmless_before_ = 0; ///< holds as long as so many functions and types are known to repeat
};

} // namespace mim::linear
