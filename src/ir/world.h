// SPDX-License-Identifier: MIT
// The graph and the only way to build it. Every function here checks, normalizes and hash-conses what it builds (spec section 1),
// and throws mim::Error when the request is ill-typed; what it returns is therefore well typed and in normal form.
//
// A World belongs to one thread. Its nodes live until it dies.
#pragma once
#include <array>
#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "base/symbol.h"
#include "ir/axiom.h"
#include "ir/def.h"
#include "ir/error.h"
#include "ir/place.h"

namespace mim {

/// The target's data layout, from which `trait` and the back ends take sizes (spec section 5). Sizes in bytes.
struct DataLayout {
    std::string triple; ///< empty: the host
    std::string text;   ///< LLVM's data-layout string, empty: the host's
    unsigned pointer_size = 8, pointer_align = 8;
};

/// Limits that turn run-away evaluation into an error.
struct Limits {
    uint64_t budget     = 10'000'000; ///< β-reductions and rule firings
    uint64_t max_memory = 4ull << 30; ///< bytes of nodes
    /// Bytes of stack that evaluation may use: what does not end should end soon. About 1 KiB a call.
    uint64_t max_stack = 192ull << 20;
    /// Rules that may be firing at a time, each in the right side of the one before.
    uint64_t max_firings = 1 << 17;
};

/// A rewrite rule (spec, "Rewrite rules"): lhs over the variables of `binder` (a λ whose body is unit), head an axiom.
struct RewriteRule {
    Symbol name;
    const Lam* binder = nullptr; ///< its var is the pattern variables; implicits are variables too
    const Def* lhs    = nullptr;
    const Def* when   = nullptr; ///< null: always
    const Def* rhs    = nullptr;
    bool eager        = false; ///< `norm`
    Symbol plugin;             ///< that declares it; empty: the program
    Span span;
    mutable uint64_t fired = 0;
};

class TokenTypes;

class World {
public:
    World();
    ~World();
    World(const World&)            = delete;
    World& operator=(const World&) = delete;

    /// @name constants and types
    ///@{
    const Def* sort(unsigned level);
    const Def* star() { return star_; }  ///< *
    const Def* box() { return sort(1); } ///< □
    const Def* bot() { return bot_; }
    const Def* top() { return top_; }
    const Def* nat() { return nat_; }
    const Def* idx() { return idx_; } ///< Idx : Nat → *
    const Def* idx(const Def* size);  ///< Idx size
    const Def* idx(std::integral auto size) { return idx(lit_nat(size)); }
    const Def* i64_type();                        ///< Idx 2^64
    const Def* bool_type() { return bool_; }      ///< Idx 2
    const Def* unit_type() { return unit_type_; } ///< []
    const Def* unit() { return unit_; }           ///< ()
    const Def* lit_nat(uint64_t);
    /// 2^64, a size only: it is no `Nat`, but stands for one where takes() says so. Its type is ⊤.
    const Def* lit_2_64() { return lit_2_64_; }
    /// i_n; throws unless i < n. `size` is a literal Nat (2^64 included).
    const Def* lit_idx(const Def* size, uint64_t value);
    const Def* lit_idx(std::integral auto size, uint64_t value) { return lit_idx(lit_nat(size), value); }
    const Def* lit_bool(bool b) { return b ? tt_ : ff_; }
    const Def* ff() { return ff_; }
    const Def* tt() { return tt_; }
    /// A literal of a type that is `Nat` or `Idx n`.
    const Def* lit(const Def* type, uint64_t value);
    /// A literal of any other type whose value is 64 bits (a plugin's, e.g. a float's bits): no range check.
    const Def* raw_lit(const Def* type, uint64_t bits);
    const Def* axm(const Axiom*, const Def* type);

    const Def* pi(const Def* dom, const Def* codom, bool implicit = false);
    const Def* cn(const Def* dom) { return pi(dom, bot()); }
    const Def* cn(std::initializer_list<const Def*> dom) { return cn(sigma(dom)); }
    /// Fn dom → codom = Cn [dom, Cn codom]
    const Def* fn(const Def* dom, const Def* codom) { return cn(sigma({dom, cn(codom)})); }
    const Def* sigma(Defs);
    const Def* sigma(std::initializer_list<const Def*> ops) { return sigma(Defs(ops.begin(), ops.size())); }
    const Def* arr(const Def* arity, const Def* body);
    const Def* arr(std::integral auto arity, const Def* body) { return arr(lit_nat(arity), body); }
    const Def* union_type(Defs);
    const Def* sing(const Def* value); ///< ⦃value⦄
    ///@}

    /// @name mutables: create, build the rest with var(), then seal
    ///@{
    /// Seals return the representative: canonical up to α, or a simpler immutable node when the variable does not occur. Use the
    /// returned node, the mutable itself may be garbage then.
    /// `type`: its sort, if that is known before the codomain is; until then it is that of the domain.
    Pi* mut_pi(const Def* dom, bool implicit = false, const Def* type = nullptr);
    /// Of this sort and without a variable: both of its parts may contain it.
    Pi* mut_recursive_pi(const Def* type, bool implicit);
    /// Like this call of an axiom that makes pointers, whose argument may contain it. It has no variable.
    App* mut_recursive_pointer(const App* like);
    const Def* seal(Pi*, const Def* codom);
    /// Types of elements are set in order; T_i may mention extract(var(), j) for j < i.
    Sigma* mut_sigma(size_t num_ops);
    void set(Sigma*, size_t i, const Def* type);
    const Def* seal(Sigma*);
    /// For a Σ, a Π or a pointer that something it contains points to: it stays as it is. The domain of a Π with a variable does not
    /// contain it.
    const Def* seal_recursive(Sigma*);
    const Def* seal_recursive(Pi*, const Def* dom, const Def* codom);
    const Def* seal_recursive(App*, const Def* callee, const Def* arg);
    bool is_recursive(const Def*) const;
    Arr* mut_arr(const Def* arity);
    const Def* seal(Arr*, const Def* body);
    Pack* mut_pack(const Def* arity);
    const Def* seal(Pack*, const Def* body);
    /// A λ of this type. Its codomain for the variable is codom(pi, lam->var()).
    Lam* mut_lam(const Pi* pi);
    Lam* mut_lam(const Def* pi) { return mut_lam(pi->as<Pi>()); }
    /// A λ of this type, a Π, whose body is made from its variable. Its filter is ff, so no call of it is reduced.
    /// `like`: what has its name and its place.
    template<class F>
    Lam* lam(const Def* pi, F body, const Def* like = nullptr) {
        auto lam = mut_lam(pi);
        if (like) copy_info(like, lam);
        set_filter(lam, ff());
        set_body(lam, body(lam->var()));
        close(std::span<Lam* const>(&lam, 1));
        return lam;
    }
    /// The same for a continuation, of this domain.
    template<class F>
    Lam* con(const Def* dom, F body, const Def* like = nullptr) {
        return lam(cn(dom), body, like);
    }
    /// Gives a λ whose body is not set its final type (of the same domain); it must not have been used yet.
    void set_type(Lam*, const Pi*);
    /// Sets filter and body once both are known and checks them; a body is set once. The filter may be set earlier, on
    /// its own, so that calls from within the body already know it. Throws if the body is not assignable.
    void set_filter(Lam*, const Def* filter);
    void set_body(Lam*, const Def* body);
    void set(Lam* lam, const Def* filter, const Def* body) { set_filter(lam, filter), set_body(lam, body); }
    /// Closes a group of λs whose bodies are all set: whatever was built on them before is normalized again, placeholders are
    /// put in, then they are sealed. A λ that still waits (for a placeholder, or for an outer function's body) is retried at each
    /// later close. λs set outside of a group are sealed by seal(lam).
    void close(std::span<Lam* const> group);
    /// At the end of a top-level declaration: everything that waited is closed now; throws Error(unsolved_hole) if a placeholder
    /// is still open.
    void finish();
    const Def* seal(Lam* lam);
    /// Ties a recursive type: `body` was built with `hole` standing for the result. See ir/recursive.cpp.
    const Def* tie(const Def* hole, const Def* body);
    /// The same for types that mention each other; each body becomes what its placeholder stands for.
    void tie(Defs holes, std::span<const Def*> bodies);
    ///@}

    /// @name terms
    ///@{
    const Def* app(const Def* callee, const Def* arg);
    const Def* app(const Def* callee, Defs args) { return app(callee, tuple(args)); }
    const Def* app(const Def* callee, std::initializer_list<const Def*> args) { return app(callee, tuple(args)); }
    const Def* tuple(Defs);
    const Def* tuple(std::initializer_list<const Def*> ops) { return tuple(Defs(ops.begin(), ops.size())); }
    /// The tuple that has a declared type, to which it is assignable: it keeps the type if that is a dependent Σ, and so do its elements.
    /// Elsewhere the type follows from the elements.
    const Def* tuple(const Def* type, Defs);
    /// The value, which is assignable to `type`, with that type: a tuple, also of packages, keeps a dependent Σ that it is declared with.
    const Def* coerce(const Def* type, const Def* value) { return type == value->type() ? value : coerce_to(type, value); }
    const Def* pack(const Def* arity, const Def* body);
    const Def* pack(std::integral auto arity, const Def* body) { return pack(lit_nat(arity), body); }
    const Def* extract(const Def* tuple, const Def* index);
    /// e#i_n for e of literal arity n; for an e of arity 1 and i = 0 this is e.
    const Def* extract(const Def* tuple, std::integral auto i) { return extract_at(tuple, static_cast<uint64_t>(i)); }
    const Def* extract_at(const Def* tuple, uint64_t i);
    const Def* insert(const Def* tuple, const Def* index, const Def* value);
    /// Chooses the member: the one that is the type of the value, else the only one that it is assignable to.
    const Def* inj(const Def* type, const Def* value);
    /// The member is given by hand. All that builds an injection again keeps the member so. Where the member was a type variable that is
    /// a union now, the members of that union are members instead, and the injection widens the union.
    const Def* inj(const Def* type, const Def* value, const Def* member);
    /// The member that inj chooses by itself; null if it is none, or more than one.
    const Def* choose_member(const Union*, const Def* value);
    /// Whether `inj` would not choose the member that this one has.
    bool is_by_hand(const Inj*);
    /// The index of its member in its union. It must not be a union itself.
    size_t member(const Inj*);
    /// arms[i] : [T_i] → U for the i-th member of the scrutinee's union; in any order, each member once.
    const Def* match(const Def* scrutinee, Defs arms);
    /// (f, t)#cond
    const Def* select(const Def* cond, const Def* t, const Def* f) { return extract(tuple({f, t}), cond); }
    /// Reduces a call of a λ whose body is set whatever its filter says; null if `callee` is no such λ.
    const Def* beta(const Def* callee, const Def* arg);
    ///@}

    /// @name annexes
    ///@{
    void define_annex(AnnexId, Symbol name, const Def*);
    const Def* annex(AnnexId) const;     ///< throws if no loaded plugin defines it
    const Def* annex(Symbol name) const; ///< null if unknown
    template<class Enum>
        requires std::is_enum_v<Enum>
    const Def* annex(Enum e) {
        return annex(AnnexId{AnnexTraits<Enum>::plugin, AnnexTraits<Enum>::tag, static_cast<uint16_t>(e)});
    }
    /// An annex that stands for this application of an axiom: `let %p.a = app`, or `lam %p.a (x: T) = …x…` with its argument.
    struct ShortForm {
        Symbol name;              ///< empty: there is none
        const Def* arg = nullptr; ///< null for a `let`
    };
    ShortForm short_form(const Def* app);
    /// Some annex is an axiom whose values are tokens.
    bool has_linear_types() const;
    /// Which types have tokens as values, where type variables stand for types without tokens (ir/token_types.h).
    TokenTypes& token_types();
    /// An axiom or function applied to one group after the other; implicit groups are inferred from the later ones.
    const Def* call(const Def* callee, Defs groups);
    /// Finds the implicit arguments of `callee` for these explicit groups without placeholders; `spine` gets all groups in order.
    /// False if they are out of reach of plain matching (or the call is ill-typed): take placeholders then.
    bool infer(const Def* callee, Defs groups, std::vector<const Def*>& spine);
    const Def* call(const Def* callee, std::initializer_list<const Def*> groups) {
        return call(callee, Defs(groups.begin(), groups.size()));
    }
    /// The argument of one group: an expression, a tuple `{a, b}`, or a literal Nat. None: there is no such group.
    struct Group {
        Group()
            : Group(static_cast<const Def*>(nullptr)) {}
        Group(const Def* def)
            : Group(def, {}, 0) {}
        Group(Defs elems)
            : Group(nullptr, elems, 0) {
            is_tuple = true;
        }
        Group(std::initializer_list<const Def*> elems)
            : Group(Defs(elems.begin(), elems.size())) {}
        Group(std::integral auto number)
            : Group(nullptr, {}, number) {
            is_number = true;
        }
        const Def* def;
        Defs elems;
        uint64_t number;
        bool is_tuple, is_number;

    private: // no initializers at the members: arguments of functions below could not use them
        Group(const Def* def, Defs elems, uint64_t number)
            : def(def)
            , elems(elems)
            , number(number)
            , is_tuple(false)
            , is_number(false) {}
    };
    /// The annex applied to these groups, of which the implicit ones are inferred: world.call(core::nat::add, {i, n}).
    template<class Enum>
        requires std::is_enum_v<Enum>
    const Def* call(Enum e, Group a, Group b = {}, Group c = {}, Group d = {}) {
        return call_groups(*this, annex(e), {a, b, c, d});
    }
    /// For an annex without subtags: world.call<core::minus>(mode, a).
    template<class Enum>
        requires std::is_enum_v<Enum>
    const Def* call(Group a, Group b = {}, Group c = {}, Group d = {}) {
        return call(Enum(0), a, b, c, d);
    }
    /// The annex applied to all its groups, also to the implicit ones: world.apply(core::wrap::add, size, mode, {a,
    /// b}).
    template<class Enum>
        requires std::is_enum_v<Enum>
    const Def* apply(Enum e, Group a, Group b = {}, Group c = {}, Group d = {}) {
        return apply_groups(*this, annex(e), {a, b, c, d});
    }
    template<class Enum>
        requires std::is_enum_v<Enum>
    const Def* apply(Group a, Group b = {}, Group c = {}, Group d = {}) {
        return apply(Enum(0), a, b, c, d);
    }
    ///@}

    /// @name questions
    ///@{
    /// Equality of the calculus: up to α, coinductive on recursive types; fills no placeholder.
    bool equal(const Def*, const Def*);
    /// T ← e. May fill placeholders on either side.
    bool assignable(const Def* type, const Def* value);
    /// Whether `callee` may be applied to `arg`: assignable to the domain, except that an element may be 2^64 if the callee's type (or,
    /// of a λ that makes types, its body) uses it as a size, that is, as the argument of `Idx` or as an arity. `type` is that of the
    /// callee where it is instantiated further than the callee itself.
    bool takes(const Def* callee, const Def* arg, const Pi* type = nullptr);
    /// Neither is the other, and no substitution makes them equal (ir/apart.h).
    bool apart(const Def*, const Def*);
    /// equal, but may fill placeholders.
    bool unify(const Def*, const Def*);
    /// The number of elements of a value of this type: an expression of type Nat (1 if it is no Σ or array).
    const Def* arity(const Def* type);
    /// The same when it is a literal below 2^32, else nullopt-like -1.
    int64_t lit_arity(const Def* type);
    const Def* codom(const Pi*, const Def* arg);
    /// The i-th element type of `type` for the value e.
    const Def* elem_type(const Def* type, const Def* e, const Def* index);
    unsigned level(const Def* type); ///< s if type : Sort s; throws if it is no type
    bool is_type(const Def*);
    /// No free variables (unset λs count as closed).
    bool is_closed(const Def*);
    /// Free variables, in the order of their ids, for as long as the world lives. Equal sets are the same memory.
    Defs free_vars(const Def*);
    bool is_free_in(const Def* var, const Def* def);
    ///@}

    /// @name substitution and placeholders
    ///@{
    /// def[to/from]; `from` is the var() of a mutable.
    const Def* subst(const Def* def, const Def* from, const Def* to);
    /// Fresh placeholder of this type. Its solution may only mention variables of binders that are open now.
    const Def* hole(const Def* type);
    /// Also in the solutions of other placeholders.
    bool mentions_hole(const Def* def, const Def* hole);
    /// def with all solved placeholders put in and stale calls normalized again.
    const Def* refresh(const Def* def);
    /// Binders under construction: who builds a binder's body calls enter before and leave after.
    void enter(const Def* binder);
    void leave();
    ///@}

    /// @name rules
    ///@{
    void add_rule(RewriteRule);
    const std::vector<std::unique_ptr<RewriteRule>>& rules() const { return rules_; }
    /// Those that rewrite types, or values with types in them.
    const std::vector<const RewriteRule*>& type_rules() const { return type_rules_; }
    /// Rewrites the result of a rule further while that rule counts as firing.
    using RuleResult = std::function<const Def*(const Def*)>;
    /// The right side of the first rule of `rules` that fires at app, as `go_on` (if any) rewrites it further, else null.
    /// Throws Diag::endless_rule if rules go on firing in the results of each other.
    const Def* apply_rules(const Def* app, bool eager_only, const RuleResult& go_on = {});
    /// Applications built in here do not reduce at their head (left sides of rules). Nestable.
    struct Frozen {
        explicit Frozen(World& w)
            : world(w) {
            ++world.frozen_;
        }
        ~Frozen() { --world.frozen_; }
        World& world;
    };
    ///@}

    /// @name side tables
    ///@{
    void set_name(const Def*, Symbol);
    Symbol name(const Def*) const; ///< of a λ, a variable or a type's binder; may be empty
    void set_span(const Def* def, Span span) { set_place(def, {span}); }
    Span span(const Def* def) const { return place(def).span; }
    /// Where a binder's name, or an expression that becomes code, is.
    Place place(const Def*) const;
    void set_place(const Def*, Place);
    static bool has_place(const Def*); ///< a place is kept for it
    /// `to` is what a rewrite made of `from`: place and name are those of `from`, unless it has its own.
    void copy_place(const Def* from, const Def* to);
    const Inlined& inlined(uint32_t id) const; ///< of a place; not 0
    /// Where the result of a function is.
    void set_end(const Lam*, Span);
    Span end(const Lam*) const;
    /// With `debug`: the names that the text of a function gives to values. What is computed is found by local(), what costs nothing
    /// (parameters, projections, tuples, literals), and further names of one value, by locals().
    void add_local(const Lam*, const Local&);
    /// Takes the names of a local's elements.
    const FieldNames* add_fields(FieldNames);
    const Local* local(const Def*) const;
    const std::vector<Local>* locals(const Lam*) const;
    /// Of a copy of a function; `known` says what a value has become, or null.
    void copy_locals(const Lam* from, const Lam* to, const std::function<const Def*(const Def*)>& known);
    /// Field names of a binder's variable, by element; a view kept for printing.
    void set_fields(const Def*, std::vector<Symbol>);
    const std::vector<Symbol>* fields(const Def*) const;
    /// New mutables made from `from` by a rewrite keep its name, span and fields.
    void copy_info(const Def* from, const Def* to);

    /// Functions visible outside, by symbol, in order of declaration. A name is given once; one that is replaced or
    /// removed must be there.
    void make_external(Symbol, Lam*);
    void replace_external(Symbol, Lam*);
    void remove_external(Symbol);
    struct External {
        Symbol name;
        Lam* lam;
    };
    const std::vector<External>& externals() const { return externals_; }
    Lam* external(std::string_view name) const;

    SymbolTable& symbols() { return *symbols_; }
    void set_symbols(SymbolTable* s) { symbols_ = s; }
    Symbol sym(std::string_view s) { return symbols_->intern(s); }
    DataLayout layout;
    /// What the processor has that code is made for, by LLVM's names, as far as is known: only speed may depend on it.
    std::set<std::string, std::less<>> features;
    Limits limits;
    bool checked     = false; ///< --checked: what is undefined traps, so nothing that may be is evaluated where nobody needs it,
    bool keeps_traps = false; ///< and neither normalizers nor phases remove it
    bool debug       = false; ///< -g: names of values are kept
    Span here;                ///< the expression that the front end builds: where calls are that it asks for
    /// Set while code is emitted: what is not known by then is not known (pe.known is ff).
    bool emitting = false;
    /// Off: axioms stay as they were built, so that tests can compare what normalizers make of a program with what it says.
    bool normalizers = true;
    /// Receives warnings of normalizers (folding that would leave 64 bits); may be empty.
    std::function<void(const Error&)> warn;
    ///@}

    struct Stats {
        uint64_t nodes = 0, bytes = 0, betas = 0, requests = 0;
    };
    const Stats& stats() const;

    struct Impl; ///< private to src/ir

private:
    friend class Spine;
    friend class Unifier;
    friend class Subst;
    friend class Refresher;
    friend class Apart;

    void copy_name(const Def* from, const Def* to);
    const Def* coerce_to(const Def* type, const Def* value);

    std::unique_ptr<Impl> impl_;
    const Def *star_, *bot_, *top_, *nat_, *idx_, *bool_, *lit_2_64_, *ff_, *tt_, *unit_type_, *unit_;
    SymbolTable own_symbols_;
    SymbolTable* symbols_ = &own_symbols_;
    std::vector<std::unique_ptr<RewriteRule>> rules_;
    std::vector<const RewriteRule*> type_rules_;
    std::vector<External> externals_;
    Stats stats_;
    unsigned frozen_ = 0;
};

/// World::call and World::apply, of the groups that are given.
const Def* call_groups(World&, const Def* callee, std::initializer_list<World::Group>);
const Def* apply_groups(World&, const Def* callee, std::initializer_list<World::Group>);

/// The names of all external functions, for a message.
std::string external_names(const World&);
/// An external function that has no body: nobody can use the program then (Diag::external_open). Null if all have one.
const World::External* open_external(const World&);

/// @name views
///@{
/// n if def is the literal n of type Nat or Idx; false for 2^64.
inline const Lit* isa_lit(const Def* def) {
    auto lit = def->isa<Lit>();
    return lit && !lit->is_2_64() ? lit : nullptr;
}
/// n if type is `Idx n`, else null.
const Def* isa_idx(const Def* type);
/// The axiom at the head of a chain of applications (or the axiom itself), else null.
const Axm* head_axiom(const Def*);
/// The axiom of `def` if it is applied to exactly as many groups as its curry counter says.
const Axm* saturated_axiom(const Def*);
/// Number of argument groups `def` is applied to.
size_t num_groups(const Def*);
/// Number of argument groups that a function of this type takes until its result is no function; 0 if that never happens, as with
/// `rec F = Nat → F`.
size_t num_params(const Def* type);
/// The codomain behind all argument groups; a function type if the groups never end.
const Def* last_codom(const Def* type);

/// Argument group i of an application of an axiom, counted from the axiom outwards and with the implicit groups: as
/// eval::Machine does.
const Def* group(const Def* app, size_t i);
/// The first N groups, to be taken apart: auto [size, mode, arg] = groups<3>(app).
template<size_t N>
std::array<const Def*, N> groups(const Def* app) {
    std::array<const Def*, N> result;
    for (size_t i = 0; i != N; ++i) result[i] = group(app, i);
    return result;
}
/// The subtag of the axiom at the head of an application.
inline uint16_t sub_of(const Def* app) { return head_axiom(app)->axiom().id.sub; }

/// Element i of a tuple, without building an extract where it is at hand.
const Def* elem(World&, const Def* tuple, uint64_t i);
/// The first N elements of a tuple, to be taken apart: auto [a, b] = elems<2>(w, arg).
template<size_t N>
std::array<const Def*, N> elems(World& w, const Def* tuple) {
    std::array<const Def*, N> result;
    for (size_t i = 0; i != N; ++i) result[i] = elem(w, tuple, i);
    return result;
}

/// An application of an axiom to all its groups before it is built: what its normalizer gets.
struct Redex {
    World& w;
    const Def* type;   ///< of the application
    const Def* callee; ///< the axiom and all groups but the last
    const Def* arg;    ///< the last group

    /// As mim::group.
    const Def* group(size_t i) const {
        auto before = num_groups(callee);
        return i == before ? arg : mim::group(callee, i);
    }
    template<size_t N>
    std::array<const Def*, N> groups() const {
        std::array<const Def*, N> result;
        for (size_t i = 0; i != N; ++i) result[i] = group(i);
        return result;
    }
    uint16_t sub() const { return sub_of(callee); }
    /// Element i of the last group.
    const Def* elem(uint64_t i) const { return mim::elem(w, arg, i); }
    template<size_t N>
    std::array<const Def*, N> elems() const {
        return mim::elems<N>(w, arg);
    }
    /// Some part of it is not known yet.
    bool is_unstable() const { return callee->is_unstable() || arg->is_unstable(); }
};

/// `def` seen as the application of an annex: `if (auto app = match<core::wrap>(def)) app.sub() == core::wrap::add`.
/// Matches when as many groups are applied as the axiom's curry counter says (all, if it has none).
template<class Enum>
struct Match_ {
    const Def* def = nullptr;
    explicit operator bool() const { return def; }
    const Def* operator->() const { return def; }
    operator const Def*() const { return def; }
    const Def* callee() const { return def->as<App>()->callee(); }
    const Def* arg() const { return def->as<App>()->arg(); }
    const Def* group(size_t i) const { return mim::group(def, i); }
    Enum sub() const { return Enum(sub_of(def)); }
};
template<class Enum>
Match_<Enum> match(const Def* def) {
    auto axm = saturated_axiom(def);
    if (!axm) return {};
    auto& id = axm->axiom().id;
    return id.plugin == AnnexTraits<Enum>::plugin && id.tag == AnnexTraits<Enum>::tag ? Match_<Enum>{def} : Match_<Enum>{};
}
template<class Enum>
Match_<Enum> match(Enum sub, const Def* def) {
    auto m = match<Enum>(def);
    return m && m.sub() == sub ? m : Match_<Enum>{};
}
///@}

} // namespace mim
