// SPDX-License-Identifier: MIT
// Types are compared coinductively: two recursive types are equal if no step into them shows a difference. So a pair that is being compared is
// assumed to be equal, and so is one that was found equal under such assumptions, until one of them turns out wrong.
#pragma once
#include <array>
#include <set>
#include <utility>
#include <vector>

#include "eval/value.h"

namespace mim::eval {

class TypePairs {
public:
    /// False if that is assumed already. Both are of Kind::Type.
    bool assume(const Value& a, const Value& b) {
        if (!keys_.insert(key(a, b)).second) return false;
        pairs_.emplace_back(a, b);
        return true;
    }
    size_t mark() const { return pairs_.size(); }
    /// Forgets what was assumed since then.
    void retract(size_t mark) {
        for (; pairs_.size() > mark; pairs_.pop_back()) keys_.erase(key(pairs_.back().first, pairs_.back().second));
    }

private:
    /// Of a type: the expression, and the innermost activation that it depends on.
    using Key = std::array<const void*, 4>;
    static Key key(const Value& a, const Value& b) {
        auto &s = a.type(), &t = b.type();
        return {s.def, s.env.get(), t.def, t.env.get()};
    }

    std::set<Key> keys_;
    std::vector<std::pair<Value, Value>> pairs_; ///< in order; they keep what the keys refer to alive
};

} // namespace mim::eval
