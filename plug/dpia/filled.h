// SPDX-License-Identifier: MIT
// The places of `toMem` terms that were written, each in the scope of its place.
#pragma once
#include <unordered_map>

#include "ir/world.h"

namespace mim::plug::dpia {

class Filled {
public:
    /// Null: it has none here.
    const Def* find(const Def* to_mem) const {
        auto known = places_.find(to_mem);
        return known == places_.end() ? nullptr : known->second;
    }
    /// The term must have none.
    void add(const Def* to_mem, const Def* place) {
        places_.emplace(to_mem, place);
        order_.push_back(to_mem);
    }
    /// At its end, the places are gone that were added in it.
    class Scope {
    public:
        explicit Scope(Filled& filled)
            : filled_(filled)
            , begin_(filled.order_.size()) {}
        ~Scope() {
            for (; filled_.order_.size() > begin_; filled_.order_.pop_back()) filled_.places_.erase(filled_.order_.back());
        }
        Scope(const Scope&)            = delete;
        Scope& operator=(const Scope&) = delete;

    private:
        Filled& filled_;
        size_t begin_;
    };

private:
    std::unordered_map<const Def*, const Def*> places_;
    DefVec order_;
};

} // namespace mim::plug::dpia
