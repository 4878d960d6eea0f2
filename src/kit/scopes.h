// SPDX-License-Identifier: MIT
// Values of variables, the innermost one first, for what evaluates or translates terms. Functions keep the scope that
// they were made in.
#pragma once
#include <memory>
#include <unordered_map>

#include "ir/world.h"

namespace mim {

template<class Value>
class Scopes {
public:
    struct Scope {
        const Def* var;
        Value value;
        std::shared_ptr<const Scope> outer;
        uint32_t depth;    ///< of scopes, with this one
        const Scope* jump; ///< a scope further out: any one is reached in a logarithmic number of steps
    };
    using Ref = std::shared_ptr<const Scope>;

    /// A scope jumps as far as the next two jumps together if these are equally long, else to the next scope.
    Ref bound(const Def* var, Value value, const Ref& outer) {
        auto depth  = [](const Scope* s) { return s ? s->depth : 0; };
        auto first  = outer ? outer->jump : nullptr;
        auto second = first ? first->jump : nullptr;
        bool is_far = outer && depth(outer.get()) - depth(first) == depth(first) - depth(second);
        auto jump   = is_far ? second : outer.get();
        auto result = std::make_shared<const Scope>(Scope{var, std::move(value), outer, depth(outer.get()) + 1, jump});
        depths_.insert_or_assign(var, result->depth);
        return result;
    }
    /// Null if it has none. The depth where the variable was bound last is most often that of its scope here, too.
    const Value* find(const Def* var, const Ref& scope) const {
        auto known = depths_.find(var);
        if (known == depths_.end()) return nullptr;
        auto s = scope.get();
        while (s && s->depth > known->second) s = s->jump && s->jump->depth >= known->second ? s->jump : s->outer.get();
        if (s && s->var == var) return &s->value;
        for (s = scope.get(); s; s = s->outer.get())
            if (s->var == var) return &s->value;
        return nullptr;
    }

private:
    std::unordered_map<const Def*, uint32_t> depths_; ///< of the scopes that bind variables, where they did so last
};

} // namespace mim
