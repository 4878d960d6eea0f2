// SPDX-License-Identifier: MIT
// Which function types C sees: those that occur in the type of an extern function or of a C function, in its parameters, its result, or
// behind a pointer in them. A value of such a type is a pointer that C may call, and that may come from C, wherever it is used; values
// of all other function types keep the internal calling convention. The type alone decides, so a pointer needs no conversion.
#pragma once
#include <unordered_map>
#include <vector>

#include "analysis/program.h"

namespace mim {

class CTypes {
public:
    explicit CTypes(Program& program);

    /// Whether C may see values of this type of functions.
    bool contains(const Def* pi);

private:
    void signature(const Pi* pi);
    void add(const Def* type);

    World& world_;
    std::vector<const Def*> types_;
    std::unordered_set<const Def*> seen_;
    std::unordered_map<const Def*, bool> known_;
};

} // namespace mim
