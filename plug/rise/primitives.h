// SPDX-License-Identifier: MIT
// The primitives: each has its type in RISE, and the axiom that it stands for. A type is read when it is first used.
#pragma once
#include <string_view>

#include "ir/world.h"
#include "tree.h"

namespace mim::plug::rise {

/// The types that may come first.
enum class Optional : uint8_t { None, Dimension, Space };
/// The class of the first type that it takes.
enum class Class : uint8_t { Any, Number, Float, Whole, Comparable, Truth, Lane };
/// Of vectors it is another axiom, whose truth values are lanes, too.
enum class Lifted : uint8_t { None, Compare, Logic, Select, Cast };

struct Primitive {
    std::string_view name, type;
    const mim::Def* (*axiom)(World&);
    Optional optional = Optional::None;
    Class of          = Class::Any;
    Lifted lifted     = Lifted::None;
};

const Primitive* find_primitive(std::string_view name);
/// The axiom for vectors of a primitive that has another one for numbers.
const mim::Def* lifted_axiom(World&, const Primitive&);
/// Null: the axiom stands for none.
const Primitive* primitive_of(World&, const mim::Def* axiom);
constexpr uint64_t kMostLanes = 64;
/// 2, 4, … 64.
bool is_width(uint64_t);
std::string_view text(Class);
bool is_in(Class, Scalar);

std::string_view text(Scalar);
std::string_view text(Space);

} // namespace mim::plug::rise
