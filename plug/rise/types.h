// SPDX-License-Identifier: MIT
// Types and sizes that are not known yet, and equations between them. A size is a polynomial over names, sizes that are
// not known yet, and *atoms*: quotients, powers, … that nothing decides. Facts become names (facts.cpp).
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tree.h"

namespace mim::plug::rise {

/// In `Call`, the left operand is the name of a function of sizes.
enum class NatOp : uint8_t { Div, Mod, Pow, Min, Max, Call };

/// No coefficient is below 0.
bool has_no_negative(const Polynomial&);

class Types {
public:
    using Var = Polynomial::Var;
    enum class Outcome : uint8_t { Solved, Waits, Wrong };
    /// The last equation that has no solution: a | b is what it would take, if that is it.
    struct Failure {
        bool is_division   = false;
        Polynomial divisor = {}, dividend = {};
        const Expr* origin = nullptr;
        bool is_escape     = false; ///< a name would leave the function that binds it
    };
    /// A name that facts put in place of another one: a quotient, or a difference, of what the user wrote.
    struct Derived {
        Var var;
        bool is_quotient;
        Polynomial left, right; ///< n / s, or n - s
    };

    explicit Types(Program& program)
        : program_(program) {}

    /// @name making
    ///@{
    Type* make(Type t) { return &program_.types.emplace_back(std::move(t)); }
    Type* meta() { return make({.level = level_}); }
    Type* scalar(Scalar s) { return make({.kind = Type::Scalar, .scalar = s}); }
    Type* array(Polynomial size, Type* elem) { return make({.kind = Type::Array, .first = elem, .size = std::move(size)}); }
    Type* vector(Polynomial size, Type* lane) { return make({.kind = Type::Vec, .first = lane, .size = std::move(size)}); }
    Type* fun(Type* dom, Type* codom) { return make({.kind = Type::Fun, .first = dom, .second = codom}); }
    Type* pair(Type* first, Type* second) { return make({.kind = Type::Pair, .first = first, .second = second}); }
    Type* broken() { return make({.kind = Type::Broken}); }
    /// A size that is not known yet; `origin` introduced it.
    Polynomial nat_meta(const Expr* origin, std::string_view name);
    Var nat_name(std::string name);
    Polynomial apply(NatOp, const Polynomial&, const Polynomial&);
    ///@}

    /// @name what is known
    ///@{
    Type* resolve(Type*);
    Polynomial resolve(const Polynomial&);
    bool is_open(Type*);
    bool is_open(const Polynomial&);
    bool has_function(Type*);
    /// It is at least 0 for all that the facts admit, as far as its coefficients tell.
    bool is_size(const Polynomial&);
    /// p / d without a rest; nothing if there is one.
    std::optional<Polynomial> divide(const Polynomial& p, const Polynomial& d);
    struct AtomArgs {
        NatOp op;
        Polynomial left, right;
    };
    const AtomArgs* isa_atom(Var x) const { return vars_[x].kind == Entry::Atom ? &vars_[x].atom : nullptr; }
    const std::optional<Polynomial>& value(Var x) const { return vars_[x].value; }
    ///@}

    /// @name equations
    ///@{
    bool unify(Type*, Type*);
    Outcome unify(const Polynomial&, const Polynomial&, const Expr* at = nullptr);
    /// Tries again what waited. Null, or the expression of an equation that has no solution.
    const Expr* solve_waiting(bool& is_wrong);
    struct Equation {
        Polynomial left, right;
        const Expr* at;
    };
    const std::vector<Equation>& waiting() const { return waiting_; }
    void forget_waiting() { waiting_.clear(); }
    const Expr* at = nullptr; ///< whose equations are made
    Failure failure;
    /// Makes a fact of what an equation owes, if that may be assumed.
    std::function<bool(const Polynomial& divisor, const Polynomial& dividend)> assume_divides;
    struct Open {
        const Expr* origin;
        std::string_view name;
        Polynomial value;
    };
    /// All sizes that were not known since this count.
    std::vector<Open> sizes_since(size_t first);
    size_t num_vars() const { return vars_.size(); }
    ///@}

    /// @name binders
    ///@{
    struct Level {
        explicit Level(Types& types)
            : types_(types) {
            ++types_.level_;
        }
        ~Level() { --types_.level_; }
        Level(const Level&)            = delete;
        Level& operator=(const Level&) = delete;
        Types& types_;
    };
    /// The type with something else for a binder.
    Type* substitute(Type*, const Local* binder, const TypeArg&);
    Polynomial substitute(const Polynomial&, Var, const Polynomial&);
    /// With this function of sizes in place of its name.
    Polynomial substitute_function(const Polynomial&, Var, const TypeArg& function);
    ///@}

    /// @name facts
    ///@{
    /// Empty, or why it cannot be put into names.
    std::string add_fact(Fact::Kind, const Polynomial& left, const Polynomial& right);
    /// The same, whatever binders are open now: new names stand where the binders of these sizes do.
    std::string add_outer_fact(Fact::Kind, const Polynomial& left, const Polynomial& right);
    /// After the last fact: a name that is at least k becomes k more than another one, which n - k is in the term.
    void settle_bounds();
    const std::vector<Derived>& derived() const { return derived_; }
    /// A size in the names that the user wrote, as far as that goes.
    Polynomial in_user_names(const Polynomial&);
    ///@}

    /// What is added in it, and what is subtracted.
    std::pair<std::string, std::string> sides(const Polynomial&);
    std::string text(Type*, bool is_inner = false);
    std::string text(const Polynomial&);
    const std::string& name(Var x) const { return vars_[x].name; }

private:
    struct Entry {
        enum Kind : uint8_t { Named, Meta, Atom } kind;
        std::string name                = {};
        std::optional<Polynomial> value = {};
        uint32_t level                  = 0;
        uint64_t at_least               = 0; ///< a fact
        const Expr* origin              = nullptr;
        AtomArgs atom                   = {};
    };
    bool put_back(Var, Polynomial& all);
    bool occurs(Type* meta, Type*);
    bool unify_parts(Type*, Type*);
    bool bind(Type* meta, Type*);
    bool settle(const Polynomial&, uint32_t level);
    bool has_meta(const Polynomial&) const;
    bool mentions(const Polynomial&, Var) const;
    Polynomial without_factors(const Polynomial&) const;
    std::optional<Outcome> solve_for(const Polynomial& rest, Var x);
    Polynomial atom(NatOp, const Polynomial&, const Polynomial&);
    Polynomial power(const Polynomial& base, const Polynomial& exponent);
    uint64_t least(Var) const;
    Polynomial at_least(const Polynomial&) const;
    std::string divides(const Polynomial&, const Polynomial&);
    std::string equals(const Polynomial&);
    std::string not_negative(Polynomial, const Polynomial& left, const Polynomial& right, bool is_strict);
    Polynomial derive(bool is_quotient, const Polynomial& left, const Polynomial& right, const std::string& name);
    bool can_replace(Var, const Polynomial& rest) const;
    std::string product_text(const Polynomial::Monomial&, Polynomial::Number);
    std::string atom_text(const AtomArgs&);

    Program& program_;
    std::vector<Entry> vars_;
    std::vector<Equation> waiting_;
    std::vector<Derived> derived_;
    std::vector<Var> bounded_; ///< by facts that are being added
    uint32_t level_ = 0;
};

} // namespace mim::plug::rise
