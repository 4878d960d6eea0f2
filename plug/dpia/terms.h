// SPDX-License-Identifier: MIT
// Questions to terms of RISE, and terms from parts. Phrases of DPIA have the types Exp, Acc and Comm.
#pragma once
#include <functional>
#include <string>
#include <unordered_map>

#include "core/annexes.h"
#include "diag/declared.h"
#include "dpia/annexes.h"
#include "ir/world.h"
#include "kit/build.h"
#include "kit/match.h"
#include "rise/annexes.h"
#include "rise/terms/scalars.h"

namespace mim::plug::dpia {

/// Why a program has no imperative form or no C, and which term is to blame.
struct Refused {
    enum Kind : uint8_t { NotStored, NoCopy, NoChoice, NoCode } kind;
    std::string what, why;
    const Def* where;
    const Def* reader = nullptr;
};

class Phrases {
public:
    explicit Phrases(World& w)
        : w(w) {}

    rise::ArrayType array(const Def* type) const { return rise::isa_array(w, type); }
    rise::PairType pair(const Def* type) const { return rise::isa_pair(w, type); }
    bool has_array(const Def* type) const { return rise::has_array(w, type); }
    /// Something in the term is a loop or needs memory, also below functions.
    bool has_effect(const Def*);
    /// `oclRun` or a command that it is is in the term.
    bool has_kernel(const Def*);
    /// A number, or an array or a pair of literals.
    bool is_literal(const Def*);
    /// A loop, whose result is written: its access is wr.
    static bool is_written(const Def* term);
    /// Its access is that of its parts: views of what is read are read, and views of what is written are written.
    static bool is_polymorphic(const Def* term);
    /// The array in a value that was computed and not stored, but in functions; null if there is none.
    const Def* unstored(const Def* value);
    /// The name that a user has for the primitive of this term.
    static std::string name(const Def* term);

    /// Of an element of what the function is applied to.
    std::string field_name(const Lam*, size_t i);

    /// @name phrases
    ///@{
    const Def* exp_type(const Def* t) { return w.apply<Exp>({t, w.annex(rw::rd)}); }
    const Def* acc_type(const Def* t) { return w.apply<Acc>({t}); }
    const Def* comm() { return w.annex(Comm(0)); }
    const Def* data(const Def* phrase_type) { return elem(w, arg_of(phrase_type), 0); }
    const Def* acc_data(const Def* acc) { return arg_of(acc->type()); }
    const Def* exp(const Def* x) { return w.apply<dpia::exp>({x->type()}, {x}); }
    const Def* get(const Def* e) { return w.apply<dpia::get>({data(e->type())}, {e}); }
    const Def* seq(const Def* a, const Def* b) { return w.apply<dpia::seq>({a, b}); }
    ///@}

    /// @name terms of RISE
    ///@{
    const Def* idx(const Def* i, const Def* x) {
        auto a = array(x->type());
        return w.apply<rise::idx>({a.size, a.elem}, {i}, {x});
    }
    /// The index that is this number.
    const Def* index(const Def* n, const Def* i) { return w.apply<dpia::index>({n}, {i}); }
    const Def* number(const Def* index) { return w.apply<rise::index_as_nat>({arg_of(index->type())}, {index}); }
    const Def* fst(const Def* p) { return w.apply<rise::fst>({arg_of(p->type())}, {p}); }
    const Def* snd(const Def* p) { return w.apply<rise::snd>({arg_of(p->type())}, {p}); }
    const Def* pair(const Def* a, const Def* b) { return w.apply<rise::pair>({a->type(), b->type()}, {a}, {b}); }
    const Def* select(const Def* c, const Def* a, const Def* b) { return w.apply<rise::select>({a->type()}, {c}, {a}, {b}); }
    const Def* less(const Def* a, const Def* b) { return w.apply(rise::compare::lt, {w.nat()}, {a}, {b}); }
    const Def* add(const Def* a, const Def* b) { return w.call(core::nat::add, {a, b}); }
    const Def* sub(const Def* a, const Def* b) { return w.call(core::nat::sub, {a, b}); }
    const Def* mul(const Def* a, const Def* b) { return w.call(core::nat::mul, {a, b}); }
    /// The array of what `element` makes of each index.
    const Def* generate(const Def* n, const Def* elem, const std::function<const Def*(const Def*)>& element);
    ///@}

protected:
    World& w;

private:
    bool is_anywhere(const Def* term, bool (*is_it)(const Def*), std::unordered_map<const Def*, bool>& known);

    std::unordered_map<const Def*, bool> effects_, kernels_;
};

} // namespace mim::plug::dpia
