// SPDX-License-Identifier: MIT
// Operators: their declarations, and which one an operation means. The type of one operand decides (operand_match.h): that of the left
// one, of the right one where the left is a bare literal or, as `nil`, lacks implicit arguments that the right one has, `Nat` where both
// are literals. Of the declarations that take it, the most special counts; of equal ones the innermost.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "sema/expectation.h"
#include "sema/literal.h"
#include "sema/operand_match.h"
#include "sema/sema_base.h"
#include "sema/terms.h"

namespace mim {

/// A literal that does not state its type.
bool is_bare(const ast::Expr*);

class Operators : SemaBase {
public:
    Operators(const Context& context, Terms& terms, Literals& literals, Expectations& expectations)
        : SemaBase(context)
        , terms_(terms)
        , literals_(literals)
        , expectations_(expectations) {}

    /// The declaration is in scope from here on, that of a plugin wherever the plugin is loaded.
    void declare(const ast::Op*);
    /// The same of one that had an error, which was reported: so that its uses are not.
    void poison(const ast::Op*);
    Res operation(const ast::Operation*);
    /// Keeps a call, its function, last argument and value, if an operator would make the same (operator_calls.cpp).
    void keep_call(const ast::App*, const Def* callee, const Def* arg, const Def* value);
    /// The same of an element at an index that chooses between two.
    void keep_choice(const ast::Extract*, const Def* tuple, const Def* index, const Def* value);

private:
    /// An operand and its value, which a bare literal gets from the other one.
    struct Operand {
        const ast::Expr* text = nullptr;
        Res value             = {};
        bool is_bare          = false;
    };
    /// A declaration that is in scope.
    struct Candidate {
        const Def* fun; ///< null: it had an error
        const View* view;
        Span span;
    };
    /// A declaration that takes the operand that decides, and its arguments as far as that tells them.
    struct Match {
        Candidate candidate;
        OperatorType type;
        OperandMatch args;
        bool left_decides;
    };

    /// @name declarations
    ///@{
    Symbol symbol(const ast::Binder& op, bool is_prefix);
    bool is_told(const ast::Op*, const Def* fun);
    void add(const ast::Op*, Res);
    std::vector<Candidate> candidates(const ast::Operation*);
    ///@}

    /// @name an operation
    ///@{
    Operand operand(const ast::Expr*);
    Res one(const ast::Operation*, Operand left, Operand right);
    std::vector<Match> matches(const ast::Operation*, std::span<const Candidate>, const Def* type, bool left_decides);
    Match* most_special(std::vector<Match>&, bool left_decides);
    bool takes(const OperatorType& general, const OperatorType& special, bool left_decides);
    bool give_type(const ast::Operation*, Operand&, const Def* type);
    bool check_typed(const ast::Expr* left, const ast::Expr* right);
    bool may_divide(const ast::Operation*, const Def* fun) const;
    bool is_divisible(const ast::Operation*, const Def* fun);
    bool tell_rest(const ast::Operation*, Match&, Operand& other, const Operand& deciding);
    Res call(const ast::Operation*, Match&, Operand left, Operand right);
    bool fit(const ast::Operation*, const Def* dom, Operand& left, Operand& right, bool left_decides);
    bool fits(const ast::Operation*, const Def* type, Operand& operand, const Operand& deciding);
    bool tells_more(const Operand& left, const Operand& right);
    bool instantiate(Operand&);
    ///@}

    /// @name calls that an operator would make
    ///@{
    Operand passed(const ast::Expr*, const Def* value);
    void keep_binary(Span, Operand left, Operand right, const Axm*, const Def* value);
    bool keep(Span, const char* name, Operand left, Operand right, const Axm*, const Def* value);
    bool is_same_call(const ast::Operation*, Operand left, Operand right, const Axm*, const Def* value);
    const Def* value_of(Match&, const Def* operand);
    ///@}

    /// @name reports
    ///@{
    void note_deciding(Diagnostic&, const ast::Operation*, const Operand& deciding);
    std::string shown(const ast::Operation*) const;
    std::string shown_types(const ast::Operation*, std::span<const Candidate>);
    void hint_brackets(Diagnostic&, const ast::Operation*);
    void report_none(const ast::Operation*, std::span<const Candidate>, const Operand& deciding, const Def* type);
    void report_ambiguous(const ast::Operation*, std::span<const Match>, const Def* type);
    ///@}

    Terms& terms_;
    Literals& literals_;
    Expectations& expectations_;
};

} // namespace mim
