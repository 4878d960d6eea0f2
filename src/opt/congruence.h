// SPDX-License-Identifier: MIT
// Which parameters of a function get the same value from all calls that can happen (value numbering after Alpern,
// Wegman and Zadeck), such as two counters of a loop that begin and step alike. `constants` asks while it finds out
// which calls those are.
#pragma once
#include <algorithm>
#include <unordered_map>
#include <vector>

#include "ir/token_types.h"
#include "opt/signature.h"

namespace mim::opt {

class CongruentParams {
public:
    CongruentParams(World& world, TokenTypes& tokens)
        : world_(world)
        , tokens_(tokens) {}

    /// A call of lam can happen. Functions that have no two parameters that may be equal are not remembered.
    void note(const App* site, const Lam* lam) {
        if (may_have_equals(lam)) sites_[lam].push_back(site);
    }

    /// Whether parameter i is a candidate for being equal to parameter j. Tokens are never equal, and continuations are
    /// left to other phases.
    bool may_equal(const Lam* lam, Defs params, size_t i, size_t j) {
        auto type = params[i]->type();
        return type == params[j]->type() && !is_cn_type(type) && !tokens_.is_token(params[i]) && sites_.contains(lam);
    }

    /// Whether no call that is known passes different values for them; `value` is what is known of an argument, null if
    /// it is nothing.
    template<class Value>
    bool get_the_same(const Lam* lam, size_t n, size_t i, size_t j, Value&& value) {
        return std::ranges::all_of(sites_[lam], [&](auto site) {
            auto a = value(part_of(world_, site->arg(), n, i));
            auto b = value(part_of(world_, site->arg(), n, j));
            return !a || !b || a == b;
        });
    }

private:
    static constexpr size_t MaxParams = 64; ///< they are compared in pairs

    bool may_have_equals(const Lam* lam) {
        auto dom = lam->dom();
        auto n   = num_parts(world_, lam->pi());
        if (n < 2 || n > MaxParams || dom->is_mut()) return false;
        if (dom->isa<Arr>()) return true;
        for (size_t i = 0; i < dom->num_ops(); ++i)
            if (!is_cn_type(dom->op(i)) && std::ranges::find(dom->ops().first(i), dom->op(i)) != dom->ops().begin() + i)
                return true;
        return false;
    }

    World& world_;
    TokenTypes& tokens_;
    std::unordered_map<const Lam*, std::vector<const App*>> sites_;
};

} // namespace mim::opt
