// SPDX-License-Identifier: MIT
// What is wrong with a graph, as data: the front end reports it at the user's line, the phase manager as a fault of a phase.
#pragma once
#include <string>
#include <vector>

#include "ir/error.h"

namespace mim {

class Lam;
class World;

struct Violation {
    Diag id;
    std::vector<Error::Arg> args;
    const Lam* lam  = nullptr; ///< in whose body, or null
    const Def* node = nullptr; ///< the place to blame; Notes::span of it or, if that is empty, of `lam`
    struct Note {
        Diag id;
        const Def* node; ///< null: the note has no place
        std::vector<Error::Arg> args = {};
    };
    std::vector<Note> notes;
};

/// The message with its arguments put in, expressions as raw dumps: for tests, faults of phases and debugging.
std::string to_string(World&, const Violation&);

} // namespace mim
