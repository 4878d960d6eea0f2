// SPDX-License-Identifier: MIT
// A block with functions while its plan is made (plan.cpp): its `and` chains, what its declarations mention, and the steps so far.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sema/hoist.h"
#include "sema/plan.h"

namespace mim {

/// Whether it declares a function or a `rec`.
inline bool is_function(const ast::Decl* d) { return d->kind == ast::DeclKind::Fun || d->kind == ast::DeclKind::Rec; }
/// The name of such a declaration.
inline const ast::Binder& binder(const ast::Decl* d) {
    return d->kind == ast::DeclKind::Fun ? ast::as<ast::Fun>(d)->name : ast::as<ast::Rec>(d)->name;
}

/// A block with functions while it is walked.
struct PlanLevel {
    static constexpr uint32_t None = ~0u;

    uint32_t serial; ///< names know their block by it, also when it is left already
    Decls decls;
    std::vector<uint32_t> code = {0};                 ///< see Plans
    uint32_t current           = None;                ///< the declaration being walked, unless it is a `let` or `ret`
    uint32_t lo = 0, hi = 0;                          ///< the segment being walked
    std::vector<std::pair<uint32_t, uint32_t>> edges; ///< ordered by their source, since that is how they are found
    std::vector<uint32_t> chain;                      ///< per declaration: number of its `and` chain, or None
    struct Chain {
        uint32_t first, last; ///< declarations
        std::vector<uint32_t> members;
    };
    std::vector<Chain> chains;

    std::optional<Hoist> hoist;    ///< of a block `d… e where d'… end`
    std::vector<size_t> starts;    ///< of such a block: where the names of each declaration begin that was walked
    std::vector<bool> is_declared; ///< of such a block: the functions whose names are in scope

    void plan(PlanStep::Kind kind, std::span<const uint32_t> members) {
        ++code[0];
        code.push_back(kind);
        code.push_back(static_cast<uint32_t>(members.size()));
        code.insert(code.end(), members.begin(), members.end());
    }
    /// Gives the members of the steps so far the numbers that `order` has for them.
    void number(const std::vector<uint32_t>& order) {
        for (size_t at = 1; at < code.size();) {
            auto end = at + 2 + code[at + 1];
            for (at += 2; at < end; ++at) code[at] = order[code[at]];
        }
    }
    /// Finds the declarations that `and` joins.
    void find_chains() {
        chain.assign(decls.size(), None);
        uint32_t last = None;  // the function before
        bool barrier  = false; // something between them ends a segment
        for (uint32_t i = 0; i < decls.size(); ++i) {
            auto d   = decls[i];
            auto rec = d->kind == ast::DeclKind::Rec;
            if (is_function(d)) {
                if (d->is_and && last != None && (barrier || rec || chain[last] != None)) join(last, i);
                else if (rec) join(i, i);
                last = i;
            }
            barrier = is_function(d) ? rec : barrier || is_barrier(d);
        }
    }

private:
    void join(uint32_t first, uint32_t i) {
        auto& its_chain = chain[first];
        if (its_chain == None) {
            its_chain = static_cast<uint32_t>(chains.size());
            chains.push_back({first, first, {}});
        }
        chains[its_chain].last = i;
        chain[i]               = its_chain;
    }
};

/// The uses between the declarations of a segment, counted from its first one.
class PlanUses {
public:
    explicit PlanUses(const PlanLevel& level)
        : begin_(level.hi - level.lo + 1, 0) {
        for (auto& [from, to] : level.edges) {
            ++begin_[from - level.lo + 1];
            targets_.push_back(to - level.lo);
        }
        for (size_t i = 1; i != begin_.size(); ++i) begin_[i] += begin_[i - 1];
    }

    size_t size() const { return begin_.size() - 1; }
    std::span<const uint32_t> operator()(uint32_t i) const {
        return std::span(targets_).subspan(begin_[i], begin_[i + 1] - begin_[i]);
    }
    bool uses_itself(uint32_t i) const { return std::ranges::find((*this)(i), i) != (*this)(i).end(); }

private:
    std::vector<uint32_t> begin_, targets_;
};

} // namespace mim
