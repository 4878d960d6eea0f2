// SPDX-License-Identifier: MIT
// Rewrite rules. The left side is elaborated as it is written; that it can fire at all is asked at once.
#pragma once
#include <optional>
#include <string>

#include "sema/apply.h"
#include "sema/closed.h"
#include "sema/pattern.h"
#include "sema/sigma_scope.h"

namespace mim {

class Rules : SemaBase {
public:
    Rules(const Context& context, Terms& terms, Patterns& patterns, Applications& applications, ClosedAnnexes& closed)
        : SemaBase(context)
        , terms_(terms)
        , patterns_(patterns)
        , applications_(applications)
        , closed_(closed) {}

    void rule(const ast::Rule*);

private:
    Ty domain(const ast::Rule*, std::vector<ast::Binder>& names);
    bool check_groups(const ast::Rule*, RewriteRule&);
    bool add_leaves(const ast::Pattern*, SigmaScope&);
    const Def* left_side(const ast::Rule*, size_t holes);
    bool is_closed(const ast::Rule*, const RewriteRule&, const Lam* binder);
    void place_variables(const Lam* binder, std::span<const ast::Binder> names);
    /// A rule that cannot fire, for a warning.
    struct Dead {
        Span place;
        std::string why;
    };
    std::optional<Dead> why_dead(const ast::Rule*, const RewriteRule&);
    std::optional<Dead> why_dead_at_numbers(const ast::Rule*, const RewriteRule&);
    const Def* left_side_at(const RewriteRule&, size_t index, const Def* number);
    void report_bad(const ast::Rule*, const RewriteRule&, Error);
    bool check_tokens(const ast::Rule*, const RewriteRule&, std::span<const ast::Binder> names);

    Terms& terms_;
    Patterns& patterns_;
    Applications& applications_;
    ClosedAnnexes& closed_;
};

} // namespace mim
