// SPDX-License-Identifier: MIT
// The order in which the declarations of each block are elaborated: functions by strongly connected component, callees first;
// everything else where it is written. One walk over the tree resolves names lexically and collects who mentions whom; it builds
// nothing and reports nothing but misplaced duplicates, which elaboration would not see.
//
// Functions between two `let`s (a segment) see each other. `and` joins a function to the one before it across a `let`: the
// members of such a chain are one component, whose bodies are elaborated at the place of its last member.
#pragma once
#include <compare>
#include <functional>
#include <span>
#include <unordered_set>
#include <vector>

#include "diag/diag.h"
#include "syntax/ast.h"

namespace mim {

using Decls = ast::List<const ast::Decl*>;

/// One step of elaborating a block.
struct PlanStep {
    enum Kind : uint8_t {
        Names,  ///< the functions `members` come into scope
        One,    ///< the declaration members[0]; a function among them is not recursive
        Stubs,  ///< functions whose bodies come later: their types
        Bodies, ///< the bodies of a component; those without a Stubs step get their types first
    };
    Kind kind;
    std::span<const uint32_t> members; ///< indices of declarations
};
using Plan = std::vector<PlanStep>;

class Plans {
public:
    using Intern = std::function<Symbol(std::string_view)>;
    /// Plans every block of the module that declares a function or a `rec`.
    Plans(const ast::Module&, Diagnostics&, const Intern&);
    /// No steps: in the order written. They live as long as this.
    Plan find(Decls) const;

    /// The local `let` that binds the name at this place is never mentioned.
    bool is_unused(Span name) const { return !unused_.empty() && unused_.contains(key(name)); }
    /// The same for a name in a pattern of several, which deserves no warning unless something is lost with it.
    bool is_unused_part(Span name) const { return !unused_parts_.empty() && unused_parts_.contains(key(name)); }

    /// The `lam` with the name at this place has no filter, and is on a cycle of such functions of its block.
    bool is_recursive(Span name) const { return !recursive_.empty() && recursive_.contains(key(name)); }

    /// The name at this place is bound by the same pattern before: nobody knows which one is meant.
    bool is_ambiguous(Span name) const { return !ambiguous_.empty() && ambiguous_.contains(key(name)); }

    static constexpr size_t MaxWarnings = 100; ///< of unused names; more say nothing new

private:
    friend class Planner;
    static uint64_t key(Span s) { return static_cast<uint64_t>(s.file) << 32 | s.begin; }
    struct Block {
        const ast::Decl* const* decls;
        uint32_t code;
        auto operator<=>(const Block&) const = default;
    };
    std::vector<Block> blocks_;  ///< in order
    std::vector<uint32_t> code_; ///< of each block: the number of its steps; of each step: kind, number of members, members
    std::unordered_set<uint64_t> unused_, unused_parts_, ambiguous_, recursive_;
};

} // namespace mim
