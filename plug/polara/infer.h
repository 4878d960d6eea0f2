// SPDX-License-Identifier: MIT
// Types and sizes by unification. A number without a point, and the operands of an operator, may be of several types:
// what their context does not say by the end of a definition is decided then. infer.cpp has expressions,
// declare.cpp definitions, decide.cpp what waits until the end of a definition.
#pragma once
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "front/scoped_map.h"
#include "polara.h"
#include "polara/types.h"

namespace mim::plug::polara {

struct ConstantRow;

/// The origin of the expectation of a type.
struct Because {
    Span span             = {};
    std::string_view name = {};
    Type* type            = nullptr;
};

class Inference {
public:
    Inference(FrontEndContext& c, Program& program, Types& types)
        : c_(c)
        , program_(program)
        , types_(types) {}

    bool run() {
        for (auto& def : program_.defs) definition(def);
        return c_.diags.num_errors() == 0;
    }

private:
    void definition(Def&);
    std::set<Polynomial::Var> determined(const Def&);
    void check_outside(const Def&);
    void finish();
    void decide();
    void check_late();
    bool settle(Expr*);
    bool settle_sum(Expr*);
    void settle_woken();
    bool default_indices(bool any);
    bool default_numbers();
    bool default_infix();
    void check_number(const Expr*);
    void check_binders();
    void check_uses();
    void check_size(const Polynomial&, Span);
    template<class T>
    void check_sizes(const std::vector<T*>&);
    void check_later(size_t errors);

    Type* infer(Expr*);
    Type* infer_kind(Expr*);
    void check(Expr*, Type* expected, const Because&);
    bool check_parts(Expr*, Type* expected, const Because&);
    Type* name(Expr*);
    Type* unknown(const Expr*);
    Type* use_of(Expr*, Def&);
    Type* number(Expr*);
    Type* binder(Expr*);
    Type* fold(Expr*);
    Type* choice(Expr* condition, Expr* holds, Expr* fails);
    Type* let(Expr*, Type* expected = nullptr, const Because& = {});
    Type* infix(Expr*);
    Type* apply(Expr*);
    Type* call(Type* f, Expr* arg, const Because&);
    Type* constant_call(Expr*, const ConstantRow&, const std::vector<Expr*>& calls);
    Type* as_kind(Type*, Type::Kind, std::string what, Span, const Because&);
    Type* element(Expr*);
    Type* projection(Expr*);
    void condition(Expr*);

    bool expect(const Expr*, Type* expected, const Because& = {});
    static Because because_of(const Expr*);
    /// Says where the expectation comes from, if that is known.
    void note(Diagnostic&, const Because&);
    template<class Diagnosis>
    Diagnostic& report(const Diagnosis& d, Span span) {
        return c_.diags.report(d, span);
    }
    void bind(Local* local) {
        binders_.push_back(local);
        scope_.push(local->name, local);
    }

    FrontEndContext& c_;
    Program& program_;
    Types& types_;
    std::unordered_map<std::string_view, Def*> defs_; ///< those so far
    Def* current_ = nullptr;
    front::ScopedMap<std::string_view, const Local*> scope_; ///< the binders around an expression
    std::vector<Local*> binders_;                            ///< of the definition
    std::vector<Expr*> numbers_;                             ///< without a point
    std::vector<Expr*> indices_;                             ///< those of them that are an index of some size
    std::vector<Expr*> infixes_;                             ///< whose types were not known where they stand
    size_t next_number_ = 0;                                 ///< those before it have a type
    size_t next_infix_  = 0;
    struct Operand {
        Expr* expr;
        std::string_view what;
        bool may_be_index, may_be_float;
        Type* type;
    };
    std::vector<Operand> operands_; ///< whose types are restricted
    std::vector<const Expr*> uses_; ///< of definitions
    std::vector<Expr*> sums_;       ///< of indices
    struct Expectation {
        const Expr* expr;
        Type* type;
        Because because;
    };
    std::vector<Expectation> late_; ///< that wait for sizes
};

} // namespace mim::plug::polara
