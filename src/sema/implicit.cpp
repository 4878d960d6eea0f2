// SPDX-License-Identifier: MIT
#include "sema/implicit.h"

#include <algorithm>
#include <vector>

namespace mim {

namespace {
/// First-order matching of a domain, not instantiated, against the type of an argument: what must the variable be?
class Telescope {
public:
    Telescope(World& world, const Def* var, size_t n)
        : world_(world)
        , var_(var)
        , n_(n)
        , slots_(n <= std::size(few_) ? few_ : (many_.resize(n), many_.data())) {}

    bool solved() const { return found_ == n_; }
    const Def* result() const { return n_ == 1 ? slots_[0] : world_.tuple(Defs(slots_, n_)); }

    /// False: inconclusive, placeholders must decide.
    bool match(const Def* pattern, const Def* type) {
        if (pattern == type || !pattern->has(Def::HasDep)) return true;
        if (pattern == var_) return n_ == 1 && bind(0, type);
        if (pattern->isa<Var>()) return true;
        if (auto ex = pattern->isa<Extract>(); ex && ex->tuple()->isa<Var>()) {
            auto i = isa_lit(ex->index());
            return ex->tuple() != var_ || !i || bind(i->value(), type);
        }
        if (type->is_unstable()) return false;
        bool is_equation = is_size(pattern) || pattern->isa<Extract>(); // `s#0` is `v#0` for other `s` than `v`, too
        if (is_equation) return !is_free_in(world_, var_, pattern);
        if (pattern->isa<Sigma>()) return match_sigma(pattern, type);
        if (auto arr = pattern->isa<Arr>()) return match_array(arr, type);
        if (pattern->node() != type->node() || pattern->num_ops() != type->num_ops()) return false;
        if (pattern->isa<Union>()) return false;
        if (pattern->isa<Pi>())
            return match(pattern->op(0), type->op(0)) && (type->is_mut() || match(pattern->op(1), type->op(1)));
        if (pattern->is_mut() || type->is_mut()) return false;
        for (size_t i = 0; i < pattern->num_ops(); ++i)
            if (!match(pattern->op(i), type->op(i))) return false;
        return true;
    }

private:
    /// A sum or a product: an equation, which placeholders solve.
    static bool is_size(const Def* pattern) {
        auto axm = head_axiom(pattern);
        return axm && pattern->isa<App>() && (axm->axiom().has(Axiom::Sum) || axm->axiom().has(Axiom::Product));
    }
    /// Its elements mention its variable, which those of most recursive Σs do not.
    bool is_dependent(const Def* type) {
        auto mentions_var = [&](const Def* elem) { return is_free_in(world_, type->var(), elem); };
        return type->is_mut() && std::ranges::any_of(type->ops(), mentions_var);
    }
    /// A recursive pattern says all that it has to say the first time.
    bool is_known(const Def* pattern) {
        if (!pattern->is_mut()) return false;
        if (std::ranges::find(entered_, pattern) != entered_.end()) return true;
        entered_.push_back(pattern);
        return false;
    }
    bool match_sigma(const Def* pattern, const Def* type) {
        if (is_known(pattern)) return true;
        auto arr = type->isa<Arr>();
        if (arr && (arr->is_mut() || lit_arity(world_, arr) != static_cast<int64_t>(pattern->num_ops()))) return false;
        if (!arr && (!type->isa<Sigma>() || type->num_ops() != pattern->num_ops())) return false;
        for (size_t i = 0; i < pattern->num_ops(); ++i) {
            if (i > 0 && is_dependent(type)) return true; // later types may mention its variable
            if (!match(pattern->op(i), arr ? arr->body() : type->op(i))) return false;
        }
        return true;
    }
    /// `«?n; T»`, and `«j: ?n; ?Ts#j»` against the element types; any other type has one element.
    bool match_array(const Arr* pattern, const Def* type) {
        auto arr = type->isa<Arr>();
        if (is_dependent(type)) return false;
        auto size = arity(world_, type);
        if (pattern->arity() != size && !pattern->arity()->has(Def::HasDep)) return false;
        if (!match(pattern->arity(), size)) return false;
        if (!pattern->is_mut()) return !type->isa<Sigma>() && match(pattern->body(), arr ? arr->body() : type);
        auto ex = pattern->body()->isa<Extract>();
        if (!ex || ex->index() != pattern->var()) return false;
        auto slot = ex->tuple()->isa<Extract>();
        auto i    = slot && slot->tuple() == var_ ? isa_lit(slot->index()) : nullptr;
        if (!i) return false;
        return bind(i->value(), arr                  ? world_.pack(arr->arity(), arr->body())
                                : type->isa<Sigma>() ? world_.tuple(type->ops())
                                                     : type);
    }
    bool bind(uint64_t i, const Def* def) {
        if (i >= n_ || def->is_unstable()) return false;
        if (slots_[i]) return slots_[i] == def || equal(world_, slots_[i], def);
        slots_[i] = def;
        ++found_;
        return true;
    }

    World& world_;
    const Def* var_;
    size_t n_, found_ = 0;
    const Def* few_[4] = {};
    std::vector<const Def*> many_;
    const Def** slots_;
    std::vector<const Def*> entered_; ///< recursive patterns
};
} // namespace

const Def* match_implicit(World& world, const Pi* pi, std::span<const Arg> args) {
    if (!pi->var()) return nullptr;
    auto n = lit_arity(world, pi->dom());
    Telescope t(world, pi->var(), n < 1 ? 1 : static_cast<size_t>(n));
    const Def* type = pi->codom();
    for (auto& arg : args) {
        auto p = type->isa<Pi>();
        while (p && p->is_implicit() && !arg.ast->explicit_implicit) p = (type = p->codom())->isa<Pi>();
        if (!p || !arg.res) return nullptr;
        if (!t.match(p->dom(), arg.res.def->type())) return nullptr;
        if (t.solved()) return t.result();
        type = p->codom();
    }
    return nullptr;
}

const Def* match_first(World& world, const Pi* pi, const Def* first) {
    if (!pi->var()) return nullptr;
    auto n = lit_arity(world, pi->dom());
    Telescope t(world, pi->var(), n < 1 ? 1 : static_cast<size_t>(n));
    auto p = pi->codom()->isa<Pi>();
    while (p && p->is_implicit()) p = p->codom()->isa<Pi>();
    if (!p || lit_arity(world, p->dom()) != 2) return nullptr;
    auto dom = p->dom()->isa<Arr>() ? p->dom()->as<Arr>()->body() : p->dom()->op(0);
    return t.match(dom, first->type()) && t.solved() ? t.result() : nullptr;
}

} // namespace mim
