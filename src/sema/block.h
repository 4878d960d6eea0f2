// SPDX-License-Identifier: MIT
// The declarations of a file or block, one step of its plan (plan.h) after the other; and blocks with `ret` (ret.cpp).
#pragma once
#include <list>
#include <span>
#include <vector>

#include "sema/apply.h"
#include "sema/constructors.h"
#include "sema/consumed.h"
#include "sema/declaration.h"
#include "sema/function.h"
#include "sema/open_type.h"
#include "sema/operators.h"
#include "sema/plan.h"
#include "sema/rule.h"

namespace mim {

class Blocks : SemaBase {
public:
    /// The classes that elaborate what stands in a block.
    struct Parts {
        Terms& terms;
        Patterns& patterns;
        Functions& functions;
        Declarations& declarations;
        Operators& operators;
        Rules& rules;
        DebugNames& debug_names;
        Constructors& constructors;
        OpenTypes& open_types;
        Expectations& expectations;
    };
    /// `consumed`: frees what was elaborated of the file; null: nothing.
    Blocks(const Context& context, const Plans& plans, Consumed* consumed, const Parts& parts)
        : SemaBase(context)
        , plans_(plans)
        , consumed_(consumed)
        , terms_(parts.terms)
        , patterns_(parts.patterns)
        , functions_(parts.functions)
        , declarations_(parts.declarations)
        , operators_(parts.operators)
        , rules_(parts.rules)
        , debug_names_(parts.debug_names)
        , constructors_(parts.constructors)
        , open_types_(parts.open_types)
        , expectations_(parts.expectations) {}

    /// Leaves the names that they declare in scope.
    void decls(Decls);
    /// The same for one declaration that is neither a function nor a `rec` nor a `ret`.
    void decl(const ast::Decl*);
    /// An expression with declarations, which are in scope there and nowhere else. The first ones stand before it; the others behind `where`,
    /// if there are any of both.
    Res block(Decls, const ast::Expr* body, uint32_t num_before = 0);

private:
    /// A member of a recursive group before its body.
    struct Stub {
        uint32_t decl;
        size_t scope;                  ///< what was visible at its declaration
        PendingFunction fun = {};      ///< of a function
        const Def* hole     = nullptr; ///< of a `rec`
        OpenType* open      = nullptr; ///< of a `rec` with parameters, which are those of `fun`
        bool ok             = false;
        bool is_function() const { return fun.ast && !fun.ast->groups.empty() && !open; }
    };
    /// A block while its declarations are elaborated.
    struct Frame {
        explicit Frame(Decls d)
            : decls(d)
            , binding(d.size(), ~0u) {}
        Decls decls;
        std::vector<uint32_t> binding; ///< of each function, or none
        std::vector<Stub> stubs;
        std::unordered_map<uint32_t, LabelledType*> labelled; ///< of the declarations that have labels
        std::list<ast::Function> functions;                   ///< of each `rec` with parameters
        std::list<OpenType> open; ///< lists, since most blocks have none, and a deque takes memory when it is made
        void set(Names& names, uint32_t decl, const Def* def, const View* view) {
            if (binding[decl] == ~0u) return;
            auto& b = names[binding[decl]];
            b.state = Binding::Ready, b.def = def, b.view = view, b.open = nullptr;
        }
        void open_type(Names& names, uint32_t decl, const OpenType* type) {
            if (binding[decl] != ~0u) names[binding[decl]].open = type;
        }
    };

    /// @name steps of a plan
    ///@{
    void steps(Decls);
    void step(Frame&, const PlanStep&);
    void run_step(Frame&, const PlanStep&);
    template<class F, class P>
    void recover(const ast::Decl*, F elaborate, P poison);
    void one(Frame&, uint32_t decl);
    void constant(Frame&, uint32_t decl, const ast::Fun*);
    void stubs(Frame&, std::span<const uint32_t> members);
    void rec_stub(const Def*& hole, const ast::Decl*);
    void open_stub(Frame&, Stub&, const ast::Rec*);
    void bodies(Frame&, std::span<const uint32_t> members);
    std::vector<Stub> take_stubs(Frame&, std::span<const uint32_t> members);
    ///@}

    /// @name functions
    ///@{
    bool body_after(PendingFunction&, bool signature_ok);
    void finish_function(Frame&, uint32_t decl, PendingFunction&, bool typed, bool ok);
    ///@}

    /// @name `rec`
    ///@{
    bool rec_bodies(Frame&, std::vector<Stub>&);
    void raise_sorts(const Frame&, std::span<Stub* const>, std::vector<const Def*>& holes, std::vector<const Def*>& values);
    Res rec_value(const ast::Rec*, const Stub&, std::span<const Stub> group);
    Res rec_body(const ast::Rec*, Stub&, std::span<const Stub> group);
    void tie(std::span<Stub* const>, Defs holes, std::vector<const Def*>& values);
    const Def* tie_open(const Stub&, std::span<Stub* const>, Defs holes, Defs values);
    void finish_rec(Frame&, Stub&, Res type);
    bool contains_itself(const Def* value, const Stub& own, std::span<const Stub> group);
    ///@}

    /// @name `ret` (ret.cpp)
    ///@{
    struct RetCall;
    Res ret_block(Decls, const ast::Expr* body);
    Plan ret_plan(Decls, std::vector<uint32_t>& in_order);
    bool begin_ret(const ast::Ret*, RetCall&);
    bool bind_result(const ast::Ret*, RetCall&);
    bool ret_implicits(const ast::Ret*, Res& callee, Res arg);
    const Def* return_domain(const Def* dom, const Def* arg, const ast::Expr* place);
    Res end_rets(std::span<const RetCall>, Res result, Span last);
    ///@}

    const Plans& plans_;
    Consumed* consumed_;
    Terms& terms_;
    Patterns& patterns_;
    Functions& functions_;
    Declarations& declarations_;
    Operators& operators_;
    Rules& rules_;
    DebugNames& debug_names_;
    Constructors& constructors_;
    OpenTypes& open_types_;
    Expectations& expectations_;
};

} // namespace mim
