// SPDX-License-Identifier: MIT
// Private to src/sema: what is shared by the files of one World, and the elaborator of one file. Its member functions lie by
// topic in elaborate.cpp (driving, declarations), expr.cpp, apply.cpp, function.cpp, pattern.cpp, type.cpp and errors.cpp.
//
// A result without a def is poison: its error was reported, and whatever is built on it is poison without a word.
#pragma once
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/building.h"
#include "ir/spine.h"
#include "ir/token_types.h"
#include "sema/consumed.h"
#include "sema/elaborate.h"
#include "sema/plan.h"
#include "sema/result_names.h"
#include "sema/scope.h"
#include "sema/view.h"

namespace mim {

/// An expression in the graph with the view beside it.
struct Res {
    const Def* def   = nullptr;
    const View* view = nullptr;
    explicit operator bool() const { return def; }
};

/// A type, and the view of its values.
struct Ty {
    const Def* type  = nullptr;
    const View* view = nullptr;
    explicit operator bool() const { return type; }
};

struct Elaborator::Shared {
    Shared(World& w, Diagnostics& d, SemaHost& h)
        : world(w)
        , diags(d)
        , host(h) {}

    World& world;
    Diagnostics& diags;
    SemaHost& host;
    Views views;
    struct Annex {
        const Def* def;
        const View* view;
        Span span;
    };
    std::unordered_map<Symbol, Annex> annexes;
    std::unordered_map<Symbol, Span> externs;
    std::unordered_map<Symbol, std::pair<size_t, size_t>> field_hints; ///< field → index and arity where it was last declared
    std::deque<Scope> scopes;
    TokenTypes& tokens = world.token_types();
    std::unordered_map<const Def*, bool> mentioned; ///< part of a λ's variable → its body mentions it
    std::vector<const Lam*> functions; ///< that the program itself declares, also those whose calls are all evaluated
    std::vector<const Lam*> as_read;   ///< functions in whose blocks slots are written
    Axiom written_slot;                ///< see activation.cpp
    bool has_tokens();                 ///< some axiom that is loaded makes tokens
    bool has_linear_types      = false;
    size_t num_annexes_checked = 0;
    /// An annex, or a rule with its variables, that is declared inside of a function.
    struct InnerAnnex {
        Symbol name;
        Span place;
        const Def* def;
        const Lam* binder;
    };
    std::vector<InnerAnnex> inner_annexes;
    size_t depth = 0; ///< files under elaboration, each imported by the one before
};

class Elab {
public:
    explicit Elab(Elaborator::Shared& shared)
        : s_(shared)
        , world_(shared.world)
        , diags_(shared.diags) {}

    const Scope* module(ast::Module&);
    const Def* expression(const ast::Module&, const Scope*);

private:
    /// A binder of a type whose mutable is only made when its variable is used.
    struct LazyBinder {
        Node node; ///< Pi or Sigma
        bool implicit                = false;
        const Def* dom               = nullptr; ///< Pi
        size_t num_ops               = 0;       ///< Sigma
        std::vector<const Def*>* ops = nullptr; ///< Sigma: the types so far
        Def* mut                     = nullptr;
        bool poison                  = false;
    };

    struct SigmaScope;

    /// An argument of an application, and its value once it is elaborated.
    struct Arg {
        const ast::App* ast;
        Res res;
    };

    /// One parameter group of a function under construction.
    struct Group {
        const ast::Pattern* pattern;
        const View* view = nullptr; ///< of the argument
        const Def* dom   = nullptr;
        Lam* lam         = nullptr;
        bool implicit    = false;
        bool cps         = false; ///< the domain is [pattern, return]
        uint32_t root    = 0;     ///< the binding of the whole argument
        bool is_named    = false; ///< the names of its parameters are kept
    };
    /// A function between its signature and its body.
    struct Fun {
        const ast::Function* ast  = nullptr;
        const ast::Binder* name   = nullptr;
        Span span                 = {};
        std::vector<Group> groups = {};
        const View* view          = nullptr;
        bool typed                = false;   ///< its type is known
        bool ok                   = false;   ///< its body is set
        const Def* as_read        = nullptr; ///< its body as it was read, if another one is set
        Lam* lam() const { return groups.front().lam; }
    };

    /// @name errors (errors.cpp)
    ///@{
    Diagnostic& error(Diag id, Span span, DiagArgs args = {});
    Diagnostic& report(const Error&, Span);
    void report_call(const Error&, const ast::App*);
    /// What is wrong if this value is not assignable: `not_assignable`, or that it holds 2^64. With the same arguments.
    Diag misfit(const Def* value) const;
    /// What `build` makes; an Error of the graph is reported at the span and gives poison.
    template<class F>
    const Def* at(Span span, F build) {
        try {
            return build();
        } catch (const Error& e) {
            report(e, span);
            return nullptr;
        }
    }
    std::string show(const Def*);
    std::string name_in_scope(const Def*);
    std::string pattern_in_scope(uint32_t binding);
    bool is_bound_by(uint32_t binding, const Def*);
    std::string show(const Def*, const ast::Expr* place);
    const Def* shown_domain(const Pi*, const Pi* implicit);
    const Def* integer_behind(const Def* type, const Def* value, size_t wrong);
    void unknown_name(Symbol, Span);
    void unknown_annex(Symbol, Span);
    Span declared_later(Symbol, Diag& note) const;
    void unknown_field(Res tuple, const ast::Name* field, Span);
    void note_declaration(Diagnostic&, const ast::Expr* callee);
    bool check_depth(Span);
    ///@}

    /// @name notes on typical mistakes, after a report (hint_names.cpp, hint_values.cpp)
    ///@{
    bool hint_name(Diagnostic&, Symbol);
    bool hint_annex(Diagnostic&, Symbol);
    std::string subtags_of(std::string_view axiom) const;
    void hint_value(Diagnostic&, const Def* type, const Def* value, Span);
    void hint_alike(Diagnostic&, const Def* type, const Def* value);
    void note_variable(Diagnostic&, Diag, const Def* variable);
    void hint_widening(Diagnostic&, const Def* part, const Def* union_type, Span);
    std::string literal_like(const Def* type, const Lit* literal);
    void hint_argument(Diagnostic&, const Pi*, const Pi* implicit, const ast::Expr* head, std::span<Arg> args);
    void hint_callee(Diagnostic&, const ast::Expr* callee, const ast::Expr* arg);
    void hint_index(Diagnostic&, const Def* tuple, const Def* index);
    void hint_comma(Diagnostic&, const ast::TuplePattern*, size_t elem);
    bool lacks_return(const Pi*, const Def* arg);
    std::string source_text(Span) const;
    std::string arguments_text(const ast::Tuple*) const;
    ///@}

    /// @name expressions (expr.cpp, type.cpp, apply.cpp)
    ///@{
    Res expr(const ast::Expr*);
    Res dispatch(const ast::Expr*);
    void place(const Def*, Span);
    Res name(const ast::Name*);
    Res annex(const ast::Annex*);
    Res prim(const ast::Prim*);
    Res ascribed(const ast::AscribedLit*);
    Res float_lit(const ast::FloatLit*);
    Res plugin_literal(Span, const Def* type, std::string_view text);
    Res string(const ast::StrLit*);
    Res sort(const ast::Sort*);
    Res tuple(const ast::Tuple*);
    Res pack(const ast::Pack*, size_t dim);
    Res extract(const ast::Extract*);
    Res extract_step(Res tuple, const ast::Extract*);
    /// An index or a field name; `value` is set if it is a literal.
    const Def* index(Res& tuple, const ast::Expr*, Span tuple_span, uint64_t& value);
    Res insert(const ast::Insert*);
    Res inj(const ast::Inj*);
    Res match(const ast::Match*);
    const Def* arm(const ast::Arm&, const View*& view);
    void report_match(const Error&, const ast::Match*, const std::vector<const Def*>& arms);
    std::string labelled(const Def* union_type);
    Res block(const ast::Block*);
    Res where(const ast::Where*);
    Res hole(Span);

    Ty type(const ast::Expr*);
    Ty as_type(Res, const ast::Expr*);
    Res sigma(const ast::Sigma*);
    Res array(const ast::Array*, size_t dim);
    Res nest(const Def* arity, Res body, Span, bool is_type);
    Res pi(const ast::Pi*);
    Ty return_type(const ast::Expr* codomain);
    Res union_type(const ast::Union*);

    Res app(const ast::App*);
    bool is_indexing(Res callee, const ast::Expr* arg);
    Res apply(Res callee, const ast::Expr* callee_ast, std::span<Arg> args);
    Res apply_all(Res callee, const ast::Expr* callee_ast, std::span<Arg> args);
    /// A call under construction.
    struct Call {
        Spine spine;
        const View* view;                      ///< of the application so far
        std::optional<ResultNames> names = {}; ///< with -g
        void apply(const Def* arg, const View* arg_view) {
            spine.apply(arg);
            view = codom(view);
            if (names) names->apply(arg, arg_view);
        }
    };
    const View* pointee_view(const Def* type, const View* arg);
    void instantiate(Call&, Arg&);
    /// The first argument; `implicit` is what was inferred right before it, or null.
    bool apply_one(Call&, const ast::Expr* callee_ast, std::span<Arg> args, const Pi* implicit);
    void report_app(const Error&, Call&, const ast::Expr* callee_ast, std::span<Arg> args, const Pi* implicit);
    /// Gives `callee` the implicit arguments that come before args[0]; false after a report.
    bool apply_implicits(Call&, const ast::Expr* callee_ast, std::span<Arg> args);
    /// The implicit argument, if the types of the arguments alone tell it.
    const Def* match_implicit(const Pi*, std::span<Arg> args);
    /// The same for a function of a pair, of which only the first element is known.
    const Def* match_first(const Pi*, const Def* first);
    /// A placeholder that may still be open.
    struct Open {
        const Def* hole;
        Span span;
        Symbol param;
        const ast::Expr* callee; ///< or null
    };
    const Def* make_hole(const Def* type, Span, const Pi*, const ast::Expr* callee);
    void drop_solved(size_t mark);
    /// Reports the placeholders made since `mark` that are still open, and forgets them.
    bool check_holes(size_t mark);
    ///@}

    /// @name tokens (tokens.cpp)
    ///@{
    bool is_token(const Def* value);
    bool may_be_token(const Def* value);
    bool captures_token(const Def* function);
    /// Whether an effect or a token is lost if nobody mentions this value of this expression.
    bool loses_token(const Def* value, const ast::Expr*);
    /// A token that nobody mentions is an error, unless the function that is read ends in a call that never returns.
    void drop(const Def* value, Span place, std::string token);
    void settle_drops();
    template<class F, class P>
    void each_token(const ast::Pattern*, const Def* value, F, P is_such);
    void name_tokens(const ast::Pattern*, const Def* var);
    std::string token_text(Span maker) const;
    void check_ignored(const ast::Let*, const Def* value);
    void check_passed(const Lam*, const Def* arg, const ast::Expr* place);
    bool mentions(const Lam*, const Def* leaf);
    ///@}

    /// @name effects that no graph shows (effects.cpp)
    ///@{
    template<class F>
    void each_effect(const Def* value, F);
    /// An application that is written at `place` has this value.
    void make_effect(const Def* value, Span place);
    /// What is written here takes the tokens in this value over.
    void take_over(const Def* value);
    void take_alternatives(const Def* tuple, const ast::Expr* index, bool is_field);
    /// Reports the effects that are lost in the functions that were read since the last call.
    void settle_effects();
    ///@}

    /// @name memory of activations (activation.cpp)
    ///@{
    /// The function that is read and owns what `Axiom::Activation` makes in it: the innermost `lam`, `fun` or `fn`, or the outermost
    /// `con` where there is none of these.
    struct Activation {
        /// A token that the function is given, and the one after what was made at the entry.
        struct Entry {
            const Def* var;             ///< of a parameter group
            std::vector<uint64_t> path; ///< from the variable to the token
            const Def* first;
            /// The token behind what is made here. Until the text is read, what is made starts from a token of its own: what a function
            /// that is unfolded here makes is never the same.
            const Def* last;
            std::vector<const App*> made = {}; ///< in order
        };
        const Fun* fun;
        Activation* around;
        std::vector<Entry> entries                   = {};
        std::unordered_set<const Def*> written_slots = {}; ///< see written_slot
    };
    const Def* make_at_entry(const Def* callee, const Def* op, Span place);
    const Def* to_entry(const App* op, Span place);
    Activation::Entry* entry(Activation&, const Def* token_type);
    bool takes_token(const Activation&);
    bool is_known_at_entry(const Activation&, const Def*);
    const Def* leave_activation(const Activation&, const Def* body);
    const Def* written_slot(Activation&, const Def* token_type);
    void keep_as_read(const Fun&);
    ///@}

    /// @name functions (function.cpp)
    ///@{
    Res lambda(const ast::Lam*);
    /// Domains and, unless it is to be inferred, the type; leaves the parameters in scope.
    bool signature(Fun&);
    bool group_domain(Fun&, Group&);
    void set_types(Fun&, Ty codom);
    void bind_group(Group&);
    void name_unused_tokens(const Fun&);
    void bind_poison(const Group&);
    /// Filter and body, with the parameters in scope; the λs are not closed.
    bool body(Fun&);
    bool read_body(Fun&);
    void carry_result_view(Fun&, const View* result);
    /// After their bodies; `holes` is the mark of open placeholders from before their signatures.
    bool close(std::span<Fun> funs, size_t holes);
    /// A nameless λ of one group around what `build` makes of it, its codomain inferred.
    Lam* infer_lam(const Def* dom, const std::function<const Def*(Lam*)>& build);
    const Pi* pi_over(const Def* dom, const Lam*, const Def* codom, bool implicit);
    ///@}

    /// @name patterns (pattern.cpp)
    ///@{
    /// The type that a pattern states; binds nothing.
    Ty pattern_type(const ast::Pattern*);
    Diagnostic& needs_type(const ast::NamePattern*);
    Ty tuple_type(const ast::TuplePattern*);
    /// [first's type, what `second` makes with first's names in scope]
    Ty pair_type(const ast::Pattern* first, const std::function<Ty()>& second);
    uint32_t bind_root(const Def*, const View*);
    uint32_t push_lazy(LazyBinder*);
    void pop_lazies(size_t mark);
    /// Brings the names of the pattern into scope. Elements of poison are poison.
    void bind(const ast::Pattern*, Source, const View*, Binding::Kind = Binding::Param);
    void bind_name(const ast::Binder&, Source, const View*, Binding::Kind);
    /// Arity and stated types of a pattern against a value; false after a report.
    bool check_pattern(const ast::Pattern*, Res& value, Span);
    bool check_type(const ast::Expr* stated, Res& value, Span);
    const Def* force(uint32_t binding);
    /// With -g: keeps the names bound from `first` on, as those of values in this function.
    void keep_names(const Lam*, size_t first, bool are_params);
    /// From now on the body of this function is read; the one before.
    const Lam* enter(const Lam* lam) {
        Building::set(world_, lam);
        return std::exchange(function_, lam);
    }
    const FieldNames* field_names(const View*);
    const Def* force_lazy(LazyBinder&);
    void force_all();
    const View* make_view(std::span<const Symbol> names, std::span<const View* const> elems);
    const View* inst_view(const View* values);
    Symbol return_sym() { return return_ ? return_ : return_ = world_.sym("return"); }
    ///@}

    /// @name declarations (elaborate.cpp)
    ///@{
    struct Frame; ///< a block being elaborated
    struct Stub;  ///< a member of a recursive group before its body
    void decls(Decls);
    Res block_body(Decls, const ast::Expr* body);
    void step(Frame&, const PlanStep&);
    void run_step(Frame&, const PlanStep&);
    template<class F, class P>
    void recover(const ast::Decl*, F elaborate, P poison);
    void one(Frame&, uint32_t decl);
    void constant(Frame&, uint32_t decl, const ast::Fun*);
    bool body_after(Fun&, bool signature_ok);
    void report_result(const Error&, const Fun&, Span);
    void finish_function(Frame&, uint32_t decl, Fun&, bool typed, bool ok);
    void stubs(Frame&, std::span<const uint32_t> members);
    void rec_stub(const Def*& hole, const ast::Decl*);
    void bodies(Frame&, std::span<const uint32_t> members);
    bool rec_bodies(Frame&, std::vector<Stub>&);
    bool contains_itself(const Def* value, const Stub& own, std::span<const Stub> group);
    bool check_extern(const ast::Fun*, const Fun&);
    void make_extern(const ast::Fun*, const Fun&);
    Res ret_block(Decls, const ast::Expr* body);
    bool begin_ret(const ast::Ret*, Res& callee, Res& arg, Lam*&);
    bool ret_implicits(const ast::Ret*, Res& callee, Res arg);
    const Def* return_domain(const Def* dom, const Def* arg);
    void decl(const ast::Decl*);
    void let(const ast::Let*);
    void check_unused(size_t first, const ast::Expr* value);
    bool check_closed(Symbol name, Span place, const Def*, const Lam* binder = nullptr);
    void check_all_closed();
    void report_open(Symbol name, Span place, const Def*, const Def* var);
    const Def* mentioned_part(const Def* root, const Def* var);
    const Binding* first_binding(const Def*);
    void define_annex(const ast::Binder&, Res);
    void axm(const ast::Axm*);
    const Def* make_axiom(const ast::Axm&, Axiom&, const Def* type);
    void c_decl(const ast::CDecl*);
    void import(const Scope*);
    void rule(const ast::Rule*);
    Ty rule_domain(const ast::Rule*, std::vector<ast::Binder>& names);
    void warn_dead_rule(const ast::Rule*, const Def* left);
    void place_variables(const Lam* binder, std::span<const ast::Binder> names);
    bool check_rule_tokens(const ast::Rule*, const RewriteRule&, std::span<const ast::Binder> names);
    bool rule_leaves(const ast::Pattern*, SigmaScope&);
    ///@}

    Elaborator::Shared& s_;
    World& world_;
    Diagnostics& diags_;
    const Plans* plans_ = nullptr;
    Consumed* consumed_ = nullptr; ///< while a file is elaborated
    size_t num_unused_  = 0;       ///< warnings so far
    struct Drop {
        const Lam* function;
        Span place;
        std::string token;
    };
    std::vector<Drop> drops_; ///< in functions that are not complete yet
    struct Effect {
        const Def* node;
        const Lam* function;
        Span place;
    };
    std::vector<Effect> effects_;                  ///< likewise, in the order in which they are written
    std::unordered_map<const Def*, size_t> taken_; ///< by node: how many effects were written before it was last taken over
    Scopes scopes_;
    std::vector<LazyBinder*> lazies_;
    size_t forced_ = 0;            ///< lazies before this one are made
    std::vector<const Def*> defs_; ///< a stack of operands under construction
    std::vector<Arg> args_;        ///< likewise of arguments
    std::vector<Open> open_;       ///< placeholders that may still be open
    std::vector<Decls> blocks_;    ///< under elaboration, with functions
    std::vector<const Def*> prims_;
    Symbol return_;
    size_t nesting_         = 0;                      ///< 0: at top level of the file
    const Lam* function_    = nullptr;                ///< whose body is read; null: none
    Activation* activation_ = nullptr;                ///< of the function that is read
    std::unordered_map<const Lam*, const Def*> read_; ///< bodies as they were read, if leave_activation changed them
    std::unordered_map<const View*, const FieldNames*> field_names_; ///< with -g
    bool depth_reported_         = false;
    const ast::Expr* frozen_app_ = nullptr; ///< the left side of a rule: not normalized at its head
    bool says_if_                = false;   ///< the text has an `if`, which was reported
};

/// A Σ under construction: its element types so far, and their names in scope.
struct Elab::SigmaScope {
    SigmaScope(Elab&, size_t num_elems);
    ~SigmaScope();
    void add(Ty, Symbol name);
    /// Where the value of the element added last comes from.
    Source elem() const { return {root, static_cast<uint32_t>(types.size() - 1), static_cast<uint32_t>(lazy.num_ops)}; }
    Ty finish(Span);

    Elab& e;
    size_t mark, lazy_mark;
    LazyBinder lazy{Node::Sigma};
    uint32_t root;
    std::vector<const Def*> types;
    std::vector<Symbol> names;
    std::vector<const View*> views;
    bool any = false; ///< some element has a name or a view
};

/// The expression whose value is that of `e`: behind the declarations of blocks.
const ast::Expr* result_expr(const ast::Expr* e);
/// Its place, where a wrong result is reported.
inline Span result_span(const ast::Expr* e) { return result_expr(e)->span; }

} // namespace mim
