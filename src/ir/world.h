// SPDX-License-Identifier: MIT
// The graph and the only way to build it. Every function here checks, normalizes and hash-conses what it builds (spec section 1),
// and throws mim::Error when the request is ill-typed; what it returns is therefore well typed and in normal form.
//
// A World belongs to one thread. Its nodes live until it dies.
#pragma once
#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <set>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "base/symbol.h"
#include "ir/annex_index.h"
#include "ir/axiom.h"
#include "ir/def.h"
#include "ir/error.h"
#include "ir/externals.h"
#include "ir/hole_table.h"
#include "ir/notes.h"
#include "ir/questions.h"
#include "ir/rule_table.h"
#include "ir/type_builder.h"
#include "ir/views.h"

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
    uint64_t max_firings = 1 << 14;
};

class TokenTypes;

class World : public TypeBuilder {
public:
    World();
    ~World();
    World(const World&)            = delete;
    World& operator=(const World&) = delete;

    /// @name mutables: create, build the rest with var(), then seal
    ///@{
    /// Seals return the representative: canonical up to α, or a simpler immutable node when the variable does not occur. Use the
    /// returned node, the mutable itself may be garbage then.
    /// `type`: its sort, if that is known before the codomain is; until then it is that of the domain.
    Pi* mut_pi(const Def* dom, bool implicit = false, const Def* type = nullptr);
    const Def* seal(Pi*, const Def* codom);
    /// Types of elements are set in order; T_i may mention extract(var(), j) for j < i.
    Sigma* mut_sigma(size_t num_ops);
    void set(Sigma*, size_t i, const Def* type);
    const Def* seal(Sigma*);
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
        if (like) notes.copy_info(like, lam);
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
    /// arms[i] : [T_i] → U for the i-th member of the scrutinee's union; in any order, each member once.
    const Def* match(const Def* scrutinee, Defs arms);
    /// (f, t)#cond
    const Def* select(const Def* cond, const Def* t, const Def* f) { return extract(tuple({f, t}), cond); }
    /// Reduces a call of a λ whose body is set whatever its filter says; null if `callee` is no such λ.
    const Def* beta(const Def* callee, const Def* arg);
    ///@}

    /// @name annexes
    ///@{
    template<class Enum>
        requires std::is_enum_v<Enum>
    const Def* annex(Enum e) {
        return annexes.at({AnnexTraits<Enum>::plugin, AnnexTraits<Enum>::tag, static_cast<uint16_t>(e)});
    }
    /// Which types have tokens as values, where type variables stand for types without tokens (ir/token_types.h).
    TokenTypes& token_types();
    /// An axiom or function applied to one group after the other; implicit groups are inferred from the later ones.
    const Def* call(const Def* callee, Defs groups);
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

    /// @name substitution and placeholders
    ///@{
    /// def[to/from]; `from` is the var() of a mutable.
    const Def* subst(const Def* def, const Def* from, const Def* to);
    /// def with all solved placeholders put in and stale calls normalized again.
    const Def* refresh(const Def* def);
    ///@}

    /// Applications built while one lives do not reduce at their head (left sides of rules). Nestable.
    struct Frozen {
        explicit Frozen(World&);
        ~Frozen();
        World& world;
    };

    /// @name the tables of a program
    ///@{
    Notes notes{*this};
    Externals externals;
    RuleTable rules{*this};
    AnnexIndex annexes;
    HoleTable holes{*this};
    ///@}

    /// @name settings
    ///@{
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
    /// The collector that reclaims the memory of compiled programs; null if no plugin has one.
    const CollectorRuntime* collector = nullptr;
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

private:
    friend struct WorldImpl;
    const Def* coerce_to(const Def* type, const Def* value);

    SymbolTable own_symbols_;
    SymbolTable* symbols_ = &own_symbols_;
    Stats stats_;
};

/// World::call and World::apply, of the groups that are given.
const Def* call_groups(World&, const Def* callee, std::initializer_list<World::Group>);
const Def* apply_groups(World&, const Def* callee, std::initializer_list<World::Group>);

} // namespace mim
