// SPDX-License-Identifier: MIT
// The text of LC to trees.
#pragma once
#include <unordered_map>

#include "mil/diagnostics.h"
#include "reader.h"

namespace mim::plug::mil {

/// Operators without a fixity, names in backquotes, `&&` and `||`.
inline constexpr front::Fixity kWeakest{front::Fixity::Right, -1};

class LcParser final : Reader {
public:
    LcParser(Reading& r, File& file, std::string_view text)
        : Reader(r, file, text) {}

    void file();

private:
    using Binds = std::vector<Bind*>;
    /// Those of one block, in the order of the text and by their names.
    struct Definitions {
        Binds& binds;
        bool is_top;
        std::unordered_map<std::string, Bind*> named = {};

        Bind* find(const std::string& name) const {
            auto found = named.find(name);
            return found == named.end() ? nullptr : found->second;
        }
        void add(Bind* b) {
            named.emplace(b->name, b);
            binds.push_back(b);
        }
    };

    void definition(Definitions&);
    void signature(Word first);
    void equation(Definitions&, Word name, Binds params);
    void infix_equation(Definitions&, Word left);
    Binds parameters(front::Kind end);
    Bind* parameter();
    void add_parameter(Binds& all);
    void attach(Definitions&, size_t first_signature);
    Expr* with_where(Expr* body, size_t first_chain);

    /// @name operators: their order follows from the fixities of the scopes around them, which may be declared behind them
    ///@{
    struct Operation {
        front::Infix op;
        Expr* right;
        bool is_bound = false; ///< a scope binds the operator
    };
    struct Chain {
        Expr* whole; ///< gets its content when all scopes around it are known
        Expr* first;
        std::vector<Operation> rest;
    };
    /// The names that a block of definitions binds, and their fixities.
    struct Scope {
        Binds binds;
        Fixities fixities;
        size_t first_chain; ///< in the scope
    };
    Scope definitions(size_t first_chain);
    void close_scope(const Scope&);
    void finish_chains();
    ///@}

    Expr* full();
    Expr* typed();
    Expr* operators();
    Expr* operand();
    Expr* atom();
    Expr* parenthesized();
    Expr* block_expr();
    Expr* lambda();
    Expr* let();
    Expr* choice(bool in_do);
    Expr* branch(bool in_do, bool is_else);
    Expr* cases(bool in_do);
    void alternative(Expr* e, bool in_do);
    bool pattern(Alternative& alt);
    Expr* steps();
    void step(Expr* e);
    void bound_step(Expr* e);
    Expr* run_first(Expr* e, bool has_arrow);

    Expr* simple_atom();
    Expr* proxy();
    Expr* postfix(Expr* e);
    Expr* field(Expr* e);
    Expr* fields(Expr* e);
    Bind* initial_value(const std::string& name) override;
    void area() override;
    Expr* external_meaning() override;
    void add_alias(const Foreign&) override;
    Bind* add_value(const std::string& name, Span, Expr* value);
    void add_area(Word, Expr* initial, TypeExpr*, uint64_t align);

    bool at_atom() const;
    bool at_block() const { return at(Lambda) || at(Let) || at(If) || at(Case) || at(Do); }
    std::optional<front::Infix> operator_ahead();
    Expr* combine(const front::Infix& op, Expr* a, Expr* b);
    Expr* make(Expr::Kind kind, Span place) { return source_.expr({.kind = kind, .at = place}); }
    Expr* name(Span place, std::string_view text);
    Expr* con(Span place, std::string_view text);
    Expr* apply(Expr* f, Expr* a);
    Expr* broken(std::string_view what);
    Span from(uint32_t begin) const { return cursor_.span_from(begin); }

    Definitions top_{file_.order, true};
    std::vector<Chain> chains_;   ///< inner ones first
    std::vector<Scope> in_steps_; ///< of the `do` that is read
};

} // namespace mim::plug::mil
