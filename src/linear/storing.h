// SPDX-License-Identifier: MIT
// Which calls may put a function that is not closed into memory, or hide it in a value whose type does not show one. What knows a return
// can only be called later, by somebody who got data, if code stored it that ran in between. The judgement, a least fixed point over the
// code of the program:
//
//     an axiom with effects, or C, gets a function                    ⟹  the call stores
//     an axiom for data of any type, or C, gets a function            ⟹  the call hides, and stores
//     C makes a token of no other one                                 ⟹  the call hides
//     the code of d mentions code that stores                         ⟹  so does d
//     f gets functions; f may be a λ, and that λ stores               ⟹  so does the call f a
//     f gets functions; nobody knows f; a function of its type stores ⟹  so does the call f a
//
// A function that nobody knows and that gets no functions may store others, but none that the caller made.
#pragma once
#include <unordered_map>
#include <vector>

#include "ir/def_set.h"
#include "ir/world.h"

namespace mim::linear {

class Check;

class Storing {
public:
    enum Kind : uint8_t { None = 0, Stores = 1, Hides = 2 };

    /// `lams`: all functions of the program; `nodes`: all that they are made of.
    Storing(Check& check, const std::vector<const Lam*>& lams, const std::vector<const Def*>& nodes)
        : check_(check)
        , lams_(lams)
        , nodes_(nodes) {}

    /// Whether code that this node consists of does so.
    bool reaches(const Def* code, Kind);
    /// Whether the call does so before it comes back through the last element of its argument, or, between phases, through another way
    /// out that it gets: also what it calls, and what that gets.
    bool happens_in(const App*, Kind);
    /// Whether the axiom or C function that is called does so itself, also with functions that it got earlier.
    bool happens_by_itself(const App* app) { return kinds_of(app) != None; }
    bool anywhere(Kind);

private:
    /// A call of a function that is only known by its type.
    struct Unknown {
        const Def* type;
        uint32_t place;
    };

    bool makes_token(const App*);
    bool stores(const App*);
    bool hides(const App*);
    bool gets_function(Defs elems);
    uint8_t kinds_of(const App*);

    void find();
    bool is_effect_as_value(const Def* user, const Def* op) const;
    void link(const Def* user);
    void link_call(const App*);
    void link_callee(const Def* callee, uint32_t place);
    void link_arms(const Match*);
    void note_value(const Def*);
    void follow();
    void add(uint32_t place, uint8_t kinds);
    void add_type(const Def* type, uint8_t kinds);
    uint32_t place(const Def*);

    Check& check_;
    const std::vector<const Lam*>& lams_;
    const std::vector<const Def*>& nodes_;
    bool found_       = false;
    uint8_t anywhere_ = None;
    std::vector<uint8_t> kinds_;                     ///< by place: a component of the graph, or a call by itself
    std::vector<std::vector<uint32_t>> users_;       ///< by place
    std::vector<std::vector<const Lam*>> lams_at_;   ///< by component
    std::unordered_map<const App*, uint32_t> calls_; ///< the places of calls by themselves
    std::vector<Unknown> unknown_;
    std::unordered_map<const Def*, uint8_t> types_; ///< of functions that do so
    std::vector<uint32_t> todo_;                    ///< places of which their users do not know all yet
};

} // namespace mim::linear
