// SPDX-License-Identifier: MIT
// Where in the text an expression comes from. Reducing a call copies the callee's body into the caller; a copy keeps its line in the
// callee, and says through which call it got where it is. What machines call inlining happens here as well, long before them.
#pragma once
#include <cstdint>
#include <vector>

#include "base/span.h"
#include "base/symbol.h"

namespace mim {

class Def;

struct Place {
    Span span;
    uint32_t inlined = 0; ///< the call that was reduced (Notes::inlined); 0: it stands where it was written
    explicit operator bool() const { return bool(span); }
    bool operator==(const Place&) const = default;
};

/// A call of a function that was reduced.
struct Inlined {
    Symbol name; ///< of the function
    Span callee; ///< where its name is
    Place call;
    uint32_t depth = 0; ///< calls around it, itself included
};

/// The names that the text gives to the elements of a value, and to theirs.
struct FieldNames {
    std::vector<Symbol> names; ///< some may be empty; none at all: an empty list
    std::vector<const FieldNames*> elems;
    const FieldNames* each = nullptr; ///< of every element of an array

    Symbol name(size_t i) const { return i < names.size() ? names[i] : Symbol(); }
    const FieldNames* elem(size_t i) const { return i < elems.size() ? elems[i] : each; }
};

/// A name that the text gives to a value.
struct Local {
    Symbol name;
    Place place; ///< of the name
    const Def* value;
    bool is_param            = false;
    const FieldNames* fields = nullptr;
};

} // namespace mim
