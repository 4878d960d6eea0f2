// SPDX-License-Identifier: MIT
// Which functions inside of a λ may know its return, so that a call of them may call that once more: see repeats.h for the rules.
//
// A function gets what its calls pass. If all of these are seen, its parameters stand for the functions that are passed there, and
// nobody else gets those. It is open if others may call it: it was stored, passed to what is not known, returned, or is a return.
// So says the verifier between phases: once calls were inlined, a function may be passed to itself. In a program as it was written, who
// is passed a function is anybody.
#pragma once
#include <set>
#include <unordered_map>
#include <vector>

#include "linear/check.h"

namespace mim::linear {

class Repeats;

class Knowing {
public:
    Knowing(Check& check, Repeats& repeats, const Lam* f);

    /// Whether something that may know the last parameter of `f` is passed to it, or whoever gets it may call it again.
    bool run();

private:
    struct Call {
        const App* app;
        Elems elems;                       ///< of its argument
        size_t num_values = 0;             ///< how many of them are not its return
        std::vector<const Lam*> lams{};    ///< that it calls
        std::vector<const Def*> others{};  ///< that it may call, no λs
        std::vector<const Lam*> returns{}; ///< the λs that are its return
        const Def* ret       = nullptr;    ///< the last element of the argument, if that is its return
        bool returns_unknown = false;      ///< it is something else than these λs, which takes functions
    };
    enum class By : uint8_t {
        Return,  ///< the code behind `ret` gets a function: it knows no other return of `f`
        Anybody, ///< who may know `ret`
    };

    bool calls_back_directly(const Lam*);
    void collect();
    void collect(const Def*);
    void collect(const App*);
    void collect_argument(Call&);
    bool in_scope(const Def*) const;
    void use(const Def* op, const Def* user);
    void flow(const Def* from, const Def* to);

    void open(const Def*, By);
    void value(const Def* d) { open(d, By::Anybody); }
    bool is_new(const Def*, By);
    bool is_traced(const Def* param) const;
    bool find_functions(const Def* param, std::vector<const Lam*>& functions);
    void hand_over(const Call&);
    void hand_over(const Call&, const Lam* callee);
    void pass(const Def* elem, const Def* param);

    void knows(const Def*);
    void params_know(const Lam*);
    void loads_know();
    bool is_known(const Def*) const;
    void propagate();
    void propagate(const Def* source);
    void visit(const Call&);
    bool may_call(const Def* callee);
    bool holds(const Def*) const;

    Check& check_;
    Repeats& repeats_;
    World& world_;
    const Lam* f_;
    const Def* ret_;
    bool exit_; ///< `ret` takes no functions
    bool repeated_  = false;
    size_t changes_ = 0; ///< grows when more is known

    DefSet binders_, seen_;
    std::unordered_map<const Def*, std::vector<const Def*>> users_;
    std::unordered_map<const Def*, std::vector<const Def*>> flows_; ///< arguments to parameters
    std::vector<Call> calls_;
    std::vector<const Def*> loads_; ///< values with functions that may have been read from memory

    DefSet open_;                                   ///< functions that others call, parameters that stand for others, too
    DefSet given_;                                  ///< those of them that anybody may get
    std::unordered_map<const Def*, DefSet> passed_; ///< functions and parameters, to a parameter of a λ
    std::set<std::pair<const App*, const Lam*>> handed_over_; ///< the arguments of these calls, to these λs

    DefSet sources_; ///< parameters, and `loads_`, that may know it
    DefSet known_;   ///< and all in which these occur free
    std::vector<const Def*> walk_, todo_;
};

} // namespace mim::linear
