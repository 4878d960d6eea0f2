// SPDX-License-Identifier: MIT
// The values in scope, by node: those of a path in the dominator tree.
#pragma once
#include <unordered_map>
#include <vector>

#include "backend/llvm/types.h"

namespace mim::backend::llvm {

class Scope {
public:
    explicit Scope(TypeLowering& types)
        : types_(types) {}

    bool contains(const Def* def) const { return values_.contains(def); }
    /// Null if it has none yet.
    const Value* find(const Def* def) const;
    /// The first value that is set stays. A parameter of a singleton type is the value that the type names: nothing
    /// is passed, and nothing is known by that.
    void set(const Def* def, Value v);

    /// To leave() the scope that is entered now.
    size_t mark() const { return trail_.size(); }
    /// Forgets what was set since then.
    void leave(size_t mark);
    void clear();

private:
    TypeLowering& types_;
    std::unordered_map<const Def*, Value> values_;
    std::vector<const Def*> trail_; ///< in the order in which they were set
};

} // namespace mim::backend::llvm
