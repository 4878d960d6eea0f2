// SPDX-License-Identifier: MIT
// References are counted, so that memory comes back while a program runs (doc/adr/0036). Parameters and results are
// owned: who gets a reference uses it up. A cell whose last reference goes is what the next allocation of its size
// takes.
#pragma once
#include <vector>

#include "stages.h"

namespace mim::plug::mil {

/// The ways in which values of a type are held.
enum class Held : uint8_t {
    Plain,  ///< a word, or one of constructors without fields
    Object, ///< the address of an object
    Mixed,  ///< an object, or an odd number: a constructor without fields
};

/// A program that says where references begin and end, and how each of its variables is held.
struct CountedProgram {
    Program program;
    std::vector<Held> variables, tops;
    Held result     = Held::Plain; ///< of what `main` returns
    bool is_counted = false;       ///< else objects stay to the end
};

/// Of a program in which each definition has one type. `Func` and `Proc` are gone.
CountedProgram count_references(Program, Types&, const ProgramTypes&);
/// Objects are not counted.
CountedProgram without_counts(Program);
/// Each result of a statement is a variable, and no field is taken at the end: counting needs the types of these.
void name_results(Program&);

/// The slots of an object with so many values: behind more than 16 there are bits that say which of them are counted.
inline size_t slots_for(size_t values) { return values <= 16 ? values : values + (values + 63) / 64; }

} // namespace mim::plug::mil
