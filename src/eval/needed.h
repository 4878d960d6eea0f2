// SPDX-License-Identifier: MIT
// Arguments by need that a function always needs: they are evaluated before the call, as compiled code does it
// (doc/language.md, "By need, and by value").
#pragma once
#include "eval/value.h"
#include "linear/needs.h"

namespace mim::eval {

class Machine;

class NeededArguments {
public:
    NeededArguments(Machine& machine, World& world)
        : machine_(machine)
        , needs_(world) {}

    /// Evaluates what is left for later of the argument, and of those of earlier groups, once the last group is there.
    void evaluate(const ClosureObj& fn, const Value& arg);

private:
    void evaluate(const Lam*, const Value& arg);

    Machine& machine_;
    linear::Needs needs_;
};

} // namespace mim::eval
