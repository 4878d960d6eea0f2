// SPDX-License-Identifier: MIT
// Calls a function for each part of code, one after the other. `Code`, `Tail` and `Jump` may be constant.
#pragma once
#include <type_traits>
#include <unordered_map>

#include "program.h"

namespace mim::plug::mil {

template<class C, class F>
void each_tail(C& code, F&& f) {
    for (auto& s : code.statements) f(s.tail);
    if (code.end == Code::Tailed) f(code.tail);
}

template<class C, class F>
void each_jump(C& code, F&& f) {
    for (auto& arm : code.arms) f(arm.jump);
    if (code.otherwise) f(*code.otherwise);
}

template<class C, class F>
void each_atom(C& code, F&& f) {
    each_tail(code, [&](auto& t) {
        for (auto& a : t.args) f(a);
    });
    each_jump(code, [&](auto& j) {
        for (auto& a : j.args) f(a);
    });
    if (code.end != Code::Tailed) f(code.subject);
}

/// Calls `f` with a kind and an index for each block and closure that a tail refers to.
template<class F>
void each_callee(const Tail& t, F&& f) {
    if (t.op == Tail::Block) f(Program::BlockKind, t.target);
    if (t.op == Tail::Closure) f(Program::ClosureKind, t.target);
}
template<class F>
void each_callee(const Code& c, F&& f) {
    each_tail(c, [&](auto& t) { each_callee(t, f); });
    each_jump(c, [&](auto& j) { f(Program::BlockKind, j.block); });
}

inline Atom variable_atom(uint32_t v) { return {Atom::Var, v}; }

/// Copies of code whose variables are others. A variable that the code binds gets a new name; others stay.
class Renaming {
public:
    explicit Renaming(Program& p)
        : p_(p) {}

    void set(uint32_t v, Atom meaning) { meanings_[v] = meaning; }
    uint32_t bind(uint32_t v) {
        if (v == kNone) return v;
        auto name    = p_.variables[v];
        auto made    = p_.variable(std::move(name));
        meanings_[v] = variable_atom(made);
        return made;
    }
    std::vector<uint32_t> bind(const std::vector<uint32_t>& all) {
        std::vector<uint32_t> result;
        for (auto v : all) result.push_back(bind(v));
        return result;
    }
    Atom operator()(const Atom& a) const {
        if (a.kind != Atom::Var) return a;
        auto found = meanings_.find(static_cast<uint32_t>(a.number));
        return found == meanings_.end() ? a : found->second;
    }
    Atoms operator()(const Atoms& all) const {
        Atoms result;
        for (auto& a : all) result.push_back((*this)(a));
        return result;
    }
    Tail operator()(const Tail& t) const {
        auto result = t;
        result.args = (*this)(t.args);
        return result;
    }
    Jump operator()(const Jump& j) const { return {j.block, (*this)(j.args), j.at}; }
    /// Binds what the statement binds.
    Statement operator()(const Statement& s) {
        auto value = (*this)(s.tail);
        return {bind(s.binds), std::move(value)};
    }
    Code operator()(const Code& c) {
        auto result = c;
        for (auto& s : result.statements) s = (*this)(s);
        if (c.end == Code::Tailed) result.tail = (*this)(c.tail);
        else result.subject = (*this)(c.subject);
        each_jump(result, [&](auto& j) { j = (*this)(j); });
        return result;
    }

private:
    Program& p_;
    std::unordered_map<uint32_t, Atom> meanings_;
};

/// Makes a block of a body that has one result and needs only `variables`; the tail that calls it.
inline Tail call_of_block(Program& p, const std::string& name, const Code& body, const std::vector<uint32_t>& variables) {
    auto at = body.tail.at;
    BlockDef own{name, at, {}, {}, 1, true};
    Renaming renaming(p);
    Atoms args;
    for (auto v : variables) {
        args.push_back(variable_atom(v));
        own.params.push_back(renaming.bind(v));
    }
    own.code  = renaming(body);
    auto made = add(p.blocks, std::move(own));
    p.order.push_back({Program::BlockKind, made});
    return {Tail::Block, made, 0, std::move(args), at};
}

} // namespace mim::plug::mil
