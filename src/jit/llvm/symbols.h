// SPDX-License-Identifier: MIT
// Which functions compiled code can be asked for.
#pragma once
#include <set>
#include <string>

#include "diag/diag.h"
#include "ir/world.h"

namespace mim::backend::llvm {

/// The names of the functions that a program shows outside, as they are now.
class Symbols {
public:
    explicit Symbols(const World& world)
        : shown_(world.externals.names()) {
        for (auto& e : world.externals) names_.insert(e.name.str());
    }

    /// False, and reported, if there is no function of this name.
    bool check(Diagnostics& diags, const std::string& name) const {
        if (names_.contains(name)) return true;
        diags.report(Diag::unknown_external, {}, {name, shown_});
        return false;
    }

private:
    std::set<std::string> names_;
    std::string shown_;
};

} // namespace mim::backend::llvm
