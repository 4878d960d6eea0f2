// SPDX-License-Identifier: MIT
#include "ir/verify.h"

#include <algorithm>
#include <exception>

#include "base/ordered_set.h"
#include "ir/def_set.h"
#include "ir/dump.h"
#include "ir/hook.h"

namespace mim {

static constexpr size_t MaxViolations = 20; ///< after so many, nobody reads on

/// An immutable node with the hash of what makes it unique.
struct Unique {
    const Def* def;
    uint64_t hash;
    bool operator==(const Unique& other) const { return hash == other.hash && same(def, other.def); }

    /// Kinds whose type is part of what they are.
    static bool has_own_type(const Def* d) {
        return d->node() == Node::Inj || d->node() == Node::Lit || d->node() == Node::Axm || is_declared(d);
    }
    static uint64_t hash_of(const Def*);
    static bool same(const Def*, const Def*);
};
struct UniqueHash {
    size_t operator()(const Unique& unique) const { return unique.hash; }
};

uint64_t Unique::hash_of(const Def* d) {
    uint64_t h = static_cast<uint64_t>(d->node()) * 2 + d->has(Def::Implicit);
    auto put   = [&](uint64_t v) {
        h = (h ^ v) * 0x9e3779b97f4a7c15ull;
        h ^= h >> 29;
    };
    for (auto op : d->ops()) put(op->id());
    if (auto lit = d->isa<Lit>()) {
        put(lit->value());
        put(lit->is_2_64());
    }
    if (auto sort = d->isa<Sort>()) put(sort->level());
    if (has_own_type(d)) put(d->type()->id());
    return h;
}

bool Unique::same(const Def* a, const Def* b) {
    if (a->node() != b->node() || a->has(Def::Implicit) != b->has(Def::Implicit)) return false;
    if (is_declared(a) != is_declared(b)) return false;
    if (!std::ranges::equal(a->ops(), b->ops())) return false;
    if (has_own_type(a) && a->type() != b->type()) return false;
    if (auto lit = a->isa<Lit>()) return lit->value() == b->as<Lit>()->value() && lit->is_2_64() == b->as<Lit>()->is_2_64();
    if (auto sort = a->isa<Sort>()) return sort->level() == b->as<Sort>()->level();
    if (auto axm = a->isa<Axm>()) return &axm->axiom() == &b->as<Axm>()->axiom();
    return true;
}

struct GraphVerifier::Impl {
public:
    explicit Impl(World& world)
        : w_(world) {}

    std::vector<Violation> run() {
        violations_.clear();
        for (auto& external : w_.externals) {
            auto lam = external.lam;
            if (!lam->is_set() || !lam->is_sealed()) wrong(lam, "an external function is not complete");
            else if (!is_closed(w_, lam)) wrong(lam, "an external function has free variables");
            push(lam);
        }
        while (!todo_.empty() && violations_.size() < MaxViolations) {
            auto d = todo_.back();
            todo_.pop_back();
            check(d);
            for (auto op : d->ops()) push(op);
            if (d->node() != Node::Sort) push(d->type()); // universes go on for ever
        }
        return std::move(violations_);
    }

private:
    void push(const Def* d) {
        if (!d) return;
        if (d->id() >= seen_.size()) seen_.resize(d->id() + d->id() / 2 + 64);
        if (seen_[d->id()]) return;
        seen_[d->id()] = true;
        todo_.push_back(d);
    }

    void wrong(const Def* d, std::string what) {
        violations_.push_back({Diag::broken_graph, {std::move(what), brief(w_, d)}, d->isa<Lam>(), d, {}});
    }

    void check(const Def* d) {
        if (d->node() == Node::Hole) return wrong(d, "a placeholder is left");
        if (!d->is_set() || !d->is_sealed()) return wrong(d, "a binder is not complete");
        for (auto op : d->ops())
            if (!op) return wrong(d, "an operand is missing");
        if (!d->type()) return wrong(d, "it has no type");
        if (d->is_unstable()) wrong(d, "it waits for a placeholder or a body");
        check_unique(d);
        try {
            check_type(d);
            if (auto app = d->isa<App>()) check_redex(app);
        } catch (const Error& e) {
            wrong(d, std::string("its type cannot be computed: ") + e.what());
        }
    }

    /*
     * hash-consing
     */

    void check_unique(const Def* d) {
        if (d->is_mut()) return;
        if (!unique_.insert({d, Unique::hash_of(d)})) wrong(d, "it exists twice");
    }

    /*
     * typing: Γ ⊢ d : type
     */

    void expect(const Def* d, const Def* type) {
        if (d->type() != type && !equal(w_, d->type(), type))
            wrong(d, "its type is `" + brief(w_, d->type()) + "`, its operands give `" + brief(w_, type) + "`");
    }
    void expect_sort(const Def* d, Defs parts) {
        unsigned level = 0;
        for (auto t : parts) level = std::max(level, mim::level(w_, t));
        expect(d, w_.sort(level));
    }
    void expect_assignable(const Def* d, const Def* type, const Def* value, const char* what) {
        if (!assignable(w_, type, value))
            wrong(d, std::string(what) + " has the type `" + brief(w_, value->type()) + "` where `" + brief(w_, type)
                         + "` is expected");
    }
    const Pi* pi_of(const Def* d, const Def* f) {
        auto pi = f->type()->isa<Pi>();
        if (!pi) wrong(d, "it calls what is no function");
        return pi;
    }
    bool check_index(const Def* d, const Def* tuple, const Def* index) {
        auto size = isa_idx(index->type());
        if (size && equal(w_, size, arity(w_, tuple->type()))) return true;
        wrong(d, "the index of type `" + brief(w_, index->type()) + "` does not fit `" + brief(w_, tuple->type()) + "`");
        return false;
    }

    void check_type(const Def* d) {
        switch (d->node()) {
            case Node::Sort: return;
            case Node::Bot:
            case Node::Top:
            case Node::Nat: return expect(d, w_.star());
            case Node::Idx: return expect(d, w_.pi(w_.nat(), w_.star()));
            case Node::Lit: return check_lit(d->as<Lit>());
            case Node::Axm:
                level(w_, d->type());
                if (!is_closed(w_, d->type())) wrong(d, "the type of an axiom has free variables");
                return;
            case Node::Var: return check_var(d->as<Var>());
            case Node::Hole: return;
            case Node::Pi: return expect_sort(d, d->ops());
            case Node::Lam: return check_lam(d->as<Lam>());
            case Node::App: return check_app(d->as<App>());
            case Node::Sigma:
            case Node::Union: return expect_sort(d, d->ops());
            case Node::Arr: return expect_sort(d, d->ops().subspan(1));
            case Node::Tuple: return check_tuple(d);
            case Node::Pack: return check_pack(d->as<Pack>());
            case Node::Extract:
                if (check_index(d, d->op(0), d->op(1))) expect(d, elem_type(w_, d->op(0)->type(), d->op(0), d->op(1)));
                return;
            case Node::Insert:
                if (!check_index(d, d->op(0), d->op(1))) return;
                expect(d, d->op(0)->type());
                return expect_assignable(d, elem_type(w_, d->op(0)->type(), d->op(0), d->op(1)), d->op(2), "the new element");
            case Node::Inj: return check_inj(d);
            case Node::Match: return check_match(d->as<Match>());
            case Node::Sing: return expect(d, w_.sort(level(w_, d->op(0)->type())));
        }
    }

    void check_lit(const Lit* lit) {
        auto size = isa_idx(lit->type());
        if (lit->is_2_64() && lit != w_.lit_2_64()) wrong(lit, "2^64 is no literal of a type");
        if (auto n = size ? isa_lit(size) : nullptr; n && lit->value() >= n->value())
            wrong(lit, "the literal does not fit its type");
        level(w_, lit->type());
    }

    void check_var(const Var* var) {
        auto binder = var->binder();
        switch (binder->node()) {
            case Node::Lam: return expect(var, binder->as<Lam>()->dom());
            case Node::Pi: return expect(var, binder->op(0));
            case Node::Sigma: return expect(var, binder);
            case Node::Arr:
            case Node::Pack: return expect(var, w_.idx(binder->op(0)));
            default: return wrong(var, "this binds no variable");
        }
    }

    void check_lam(const Lam* lam) {
        auto pi = lam->type()->isa<Pi>();
        if (!pi) return wrong(lam, "the type of a function is no function type");
        expect_assignable(lam, w_.bool_type(), lam->filter(), "the filter");
        expect_assignable(lam, codom(w_, pi, lam->var()), lam->body(), "the body");
    }

    void check_app(const App* app) {
        auto pi = pi_of(app, app->callee());
        if (!pi) return;
        if (!takes(w_, app->callee(), app->arg())) expect_assignable(app, pi->dom(), app->arg(), "the argument");
        expect(app, codom(w_, pi, app->arg()));
        auto axm = saturated_axiom(app);
        if (axm && axm->axiom().verifier) check_conditions(app, axm->axiom());
    }

    /// The verifier of the axiom's plugin accepts the application. It was asked when that was built, but rules and
    /// phases may build others.
    void check_conditions(const App* app, const Axiom& axiom) {
        std::string rejection;
        auto verify = [&] { return axiom.verifier(w_, app->callee(), app->arg()); };
        try {
            rejection = call_hook(axiom, "the verifier of", app, verify);
        } catch (const Error& e) {
            rejection = e.what();
        }
        if (!rejection.empty()) wrong(app, "`" + axiom.name.str() + "` must not be applied like this: " + rejection);
    }

    void check_tuple(const Def* d) {
        if (is_declared(d)) return check_declared(d);
        std::vector<const Def*> types;
        for (auto op : d->ops()) types.push_back(op->type());
        expect(d, w_.sigma(types));
    }

    void check_declared(const Def* d) {
        if (!d->type()->isa<Sigma>() || !d->type()->is_mut())
            return wrong(d, "a tuple is declared with a type that is no dependent Σ");
        expect_assignable(d, d->type(), w_.tuple(d->ops()), "the tuple");
    }

    void check_pack(const Pack* pack) {
        auto arr = pack->type()->isa<Arr>();
        if (!pack->is_mut()) return expect(pack, w_.arr(pack->arity(), pack->body()->type()));
        if (!arr || !equal(w_, arr->arity(), pack->arity())) return wrong(pack, "the type of a pack is no array of its arity");
        auto elem = elem_type(w_, arr, pack, pack->var());
        if (!equal(w_, elem, pack->body()->type()))
            wrong(pack, "the elements of a pack do not have the element type of its type");
    }

    void check_inj(const Def* d) {
        auto u = d->type()->isa<Union>();
        if (!u) return wrong(d, "it injects into what is no union");
        auto inj       = d->as<Inj>();
        auto part      = inj->member()->isa<Union>();
        auto is_member = [&](auto type) { return std::ranges::any_of(u->ops(), [&](auto m) { return equal(w_, m, type); }); };
        if (!std::ranges::all_of(part ? part->ops() : Defs(inj->ops()).subspan(1), is_member))
            wrong(d, "it injects into what is no member of the union");
        expect_assignable(d, inj->member(), inj->value(), "the injected value");
    }

    void check_match(const Match* match) {
        auto u = match->scrutinee()->type()->isa<Union>();
        if (!u || u->num_ops() != match->arms().size()) return wrong(match, "its arms do not cover the union");
        for (size_t i = 0; i < u->num_ops(); ++i) {
            auto pi = pi_of(match, match->arms()[i]);
            if (!pi) return;
            if (!equal(w_, pi->dom(), u->op(i))) wrong(match, "an arm takes another type than its member");
            expect(match, pi->codom());
            if (i != 0 && !apart(w_, u->op(i - 1), u->op(i))) wrong(match, "two members of its union are not apart");
        }
    }

    /*
     * no redex
     */

    bool is_redex(const Def* d) {
        auto app = d->isa<App>();
        auto lam = app ? app->callee()->isa<Lam>() : nullptr;
        if (!lam || !lam->is_set()) return false;
        auto filter = lam->filter();
        if (filter->node() == Node::Lit) return filter == w_.tt();
        return w_.subst(filter, lam->var(), app->arg()) == w_.tt();
    }

    void check_redex(const App* app) {
        if (!is_redex(app)) return;
        DefSet seen;
        const Def* d = app;
        while (is_redex(d) && seen.insert(d) && seen.size() < MaxCircle) {
            auto redex = d->as<App>();
            d          = w_.beta(redex->callee(), redex->arg());
        }
        if (!seen.contains(d)) wrong(app, "a call is left whose filter is tt");
    }
    static constexpr size_t MaxCircle = 1000;

    World& w_;
    std::vector<bool> seen_; ///< by id
    std::vector<const Def*> todo_;
    OrderedSet<Unique, UniqueHash> unique_;
    std::vector<Violation> violations_;
};

GraphVerifier::GraphVerifier(World& world)
    : impl_(std::make_unique<Impl>(world)) {}
GraphVerifier::~GraphVerifier() = default;

std::vector<Violation> GraphVerifier::run() { return impl_->run(); }

} // namespace mim
