// SPDX-License-Identifier: MIT
// Derivatives for the evaluator: values and how they change. Shared by meaning.cpp, where functions take and return
// values without memory, and meaning_memory.cpp.
#pragma once
#include <functional>

#include "autodiff.h"
#include "eval/machine.h"

namespace mim::plug::autodiff {

using eval::Kind;
using eval::Machine;
using eval::TypeView;
using eval::Value;

bool is_number(const TypeView&);

/// Of a number, which is not there in an arm that a union does not have.
using OnNumber = std::function<Value(const TypeView&, const Value& number)>;
/// A tangent of `value`, which has this type, with one number for each of its numbers, in order.
Value tangent_with(Machine&, const Value& type, const Value& value, const OnNumber&);
/// One in the k-th number, zero in all others.
Value unit_tangent(Machine&, const Value& type, const Value& value, uint64_t k);
/// The sum of those that are there.
Value sum(Machine&, const TypeView& type, const Value& a, const Value& b);

Value with_change(Machine&, const Value& type, const Value& value, const Value& tangent, uint64_t direction);
/// The change of a value along a tangent: a number that does not change adds nothing, whatever its part is. None:
/// it does not change.
Value along(Machine&, const Value& type, const Value& value, const Value& tangent, uint64_t direction, const TypeView& to);

/// A function between values.
struct Function {
    Value from, to, code;
    bool is_cps = false; ///< it returns through a continuation
};
/// f (x), on numbers that change.
Value run(Machine&, const Function&, const Value& x, const Value& tangent, uint64_t direction);

} // namespace mim::plug::autodiff
