// SPDX-License-Identifier: MIT
// The types of a program. Each definition is solved as a whole.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "driver/ends.h"
#include "primitives.h"
#include "scope.h"
#include "types.h"

namespace mim::plug::rise {

class Inference {
public:
    Inference(FrontEndContext& c, Program& program, Types& types)
        : c_(c)
        , diags_(c.diags)
        , program_(program)
        , types_(types) {}

    void run();

private:
    struct Constraint {
        const Expr* at;
        const Primitive* prim;
        Type* type;
        Type* other = nullptr; ///< of a lifted operation: what it makes of the first
    };
    struct Owed {
        const Expr* at;
        Polynomial size; ///< owed to be one
        std::string what, fact;
    };

    template<class D>
    Diagnostic& report(const D& d, Span span) {
        return diags_.report(d, span);
    }
    std::string source(const Expr* e) const;

    // definitions
    void define(Definition&);
    Type* declared_type(Definition&);
    void solve(Definition&);
    void fix_sizes(Definition&);
    void check_given_sizes();
    bool assume(Fact::Kind, const Polynomial& left, const Polynomial& right, bool is_in_type);
    void assume_sizes(size_t first_var);
    void check_sizes(size_t first_var);
    bool lift(const Constraint&, bool is_last);
    void lift_all();
    void check_constraints();
    void check_lanes(const Expr*, Type* lane);
    void check_width(const Expr*, const Polynomial&);
    void check_numbers();
    void generalize(Definition&);
    void collect_metas(Type*, Definition&);
    void collect_metas(const Polynomial&, Definition&);

    // type level
    Type* type_of(const Expr*);
    Type* type_name(const Expr*);
    Type* data_of(const Expr*);
    Polynomial nat_of(const Expr*);
    Polynomial nat_call(const Expr*);
    TypeArg function_of(const Expr*);
    void check_order(const Expr* order, const Expr* head);
    void owe_in_range(const Expr* at, const Polynomial&, Polynomial::Var i, const Polynomial& n, const std::string& what);
    bool holds_in_range(const Polynomial&, Polynomial::Var i, const Polynomial& n);
    TypeArg arg_of(Sort, const Expr*);
    TypeArg space_of(const Expr*);
    Type* kind_error(const Expr*, std::string_view expected);
    Local* find(std::string_view name) const;
    void bind_dep(Local*);
    void add_facts(Expr*);

    // expressions
    Type* infer(Expr*);
    Type* infer_raw(Expr*);
    void check(Expr*, Type* expected, const Expr* where, const Expr* callee = nullptr);
    void mismatch(const Expr* e, Type* found, Type* expected, const Expr* where, const Expr* callee);
    void size_mismatch(const Types::Failure&, const Expr* e, Type* found, Type* expected, const Expr* where, const Expr* callee);
    Type* instantiate(Expr*);
    TypeArg fresh(const Local* binder, const Expr* origin);
    Type* name(Expr*);
    Type* primitive(Expr*, const Primitive*);
    Type* signature(const Primitive*);
    Type* use_of(Expr*, Definition&);
    Type* copy(Type*, const std::map<Type*, Type*>&, const std::map<Polynomial::Var, Polynomial>&);
    Type* number(Expr*);
    Type* function(Expr*, Type* expected);
    Type* dependent(Expr*, Type* expected);
    Type* let(Expr*);
    Type* choice(Expr*);
    Type* apply(Expr*);
    Type* apply_dep(Expr*, Type* callee);
    Type* implicit(Expr*);
    Type* compose(Expr*);
    Type* projection(Expr*);
    Type* array(Expr*);
    void check_unit(const Expr*);

    FrontEndContext& c_;
    Diagnostics& diags_;
    Program& program_;
    Types& types_;
    LocalScope scope_;
    Definitions named_;
    std::vector<Constraint> constraints_;
    std::vector<Owed> owed_;
    std::vector<Expr*> numbers_, reductions_;
    std::vector<std::pair<const Expr*, Type*>> holes_, metas_; ///< asked for; introduced by a name
    std::unordered_map<const Primitive*, Type*> signatures_;
    std::unordered_map<const Definition*, std::vector<Constraint>> constraints_of_;
    std::unordered_map<const Definition*, std::pair<size_t, size_t>> derived_of_;
    /// Sizes by `rise.sizes`, and whether a definition takes them.
    std::map<std::string, std::pair<uint64_t, bool>, std::less<>> given_;
    bool assumes_ = false;
    std::vector<Polynomial> assumed_; ///< sizes that are only checked where the program is called
    Definition* current_ = nullptr;
};

/// Whether it may be called from outside.
bool is_entry(const Program&, const Definition&);
/// The option `rise.assume-sizes`. Nothing after an error.
std::optional<bool> assumes_sizes(FrontEndContext&);
/// The option `rise.sizes`. False after an error.
bool read_sizes(FrontEndContext&, std::map<std::string, std::pair<uint64_t, bool>, std::less<>>& sizes);

/// The primitive that is applied, and its arguments at the level of values.
const Primitive* spine(const Expr*, std::vector<const Expr*>& args);

} // namespace mim::plug::rise
