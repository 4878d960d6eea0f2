// SPDX-License-Identifier: MIT
// In which role an expression uses a function: called (also as the return of a call, or as an arm of a branch), or as a value. Only
// values need closures.
#pragma once
#include <vector>

#include "analysis/program.h"
#include "analysis/snapshot.h"

namespace mim::plug::clos {

/// A λ may be used as a value, as far as its neighbours show: says yes in doubt, and costs next to nothing.
bool may_escape(World&, const Snapshot&, const Lam*);

class Roles {
public:
    explicit Roles(Program& program)
        : program_(program)
        , world_(program.world()) {}

    /// Element i of the argument of `callee` is called: as the return of the call, or since an axiom itself asks for a function there.
    bool is_called(const Def* callee, size_t i) const;
    /// The argument as a whole is.
    bool is_called(const Def* callee) const;
    bool is_value(const Lam* lam) const { return program_.is_escaping(lam); }
    /// Where the function around returns to.
    const Lam* isa_ret(const Def* def) const { return program_.isa_ret(def); }

private:
    static constexpr int none = -1, whole = -2;
    int ret_of(const Def* callee) const;

    Program& program_;
    World& world_;
};

} // namespace mim::plug::clos
