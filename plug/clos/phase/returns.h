// SPDX-License-Identifier: MIT
// Returns as values, for the programs that need them; see returns.cpp.
#pragma once
#include <memory>
#include <unordered_set>

#include "holders.h"
#include "phase/phase.h"

namespace mim::plug::clos {

/// Of the program that it is made for: it must not change before `make_values` does so.
class Returns {
public:
    explicit Returns(PhaseContext& context)
        : context_(context) {}

    /// A function leaves through the return of another, past calls that wait, or a return is kept.
    bool need_values();
    /// Makes returns of functions values wherever machine code may not be able to return. False, and nothing happened, if C or an axiom
    /// would have to be left as well.
    bool make_values();
    /// What `make_values` made of functions whose activations own memory. Their calls are jumps now, and none of them may become a block of
    /// another function, where all activations would share the memory.
    const std::unordered_set<const Lam*>& owners() const { return owners_; }

private:
    bool may_leave();
    Program& program();
    Holders& holders();

    PhaseContext& context_;
    std::unique_ptr<Program> program_; ///< made when it is asked for, as `holders_` is
    std::unique_ptr<Holders> holders_;
    std::unordered_set<const Lam*> owners_;
};

} // namespace mim::plug::clos
