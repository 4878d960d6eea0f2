// SPDX-License-Identifier: MIT
// Types of functions that compute values become those of continuations, wherever they are mentioned. See converter.h.
#include "ir/recursive.h"

#include "converter.h"
#include "style.h"

namespace mim::plug::direct {

/// Rewrites a binder in a type or a pack: all variables around it at once, for their types mention one another. What is closed is rewritten
/// once for the whole program (`closed_`), so each recursive type becomes one type, however often it is mentioned.
class Converter::Inside : public Rewriter {
public:
    explicit Inside(Converter& converter)
        : Rewriter(converter.world_)
        , converter_(converter) {}
    const Def* copy(const Def* def) { return copy_mut(def); }

private:
    /// `[x: T] → U` becomes `Cn [x: T, Cn U]`. Of a recursive one the tuple is what contains itself, as where that is written with `rec`.
    const Def* function(const Pi* pi) {
        auto& w           = world();
        bool is_recursive = mim::is_recursive(w, pi);
        if (!pi->var() && !is_recursive) {
            auto dom = rewrite(pi->dom());
            return w.fn(dom, rewrite(pi->codom()));
        }
        auto type = w.mut_sigma(2);
        if (is_recursive) map(pi, w.cn(type));
        w.set(type, 0, rewrite(pi->dom()));
        if (pi->var()) map(pi->var(), w.extract(type->var(), uint64_t(0)));
        w.set(type, 1, w.cn(rewrite(pi->codom())));
        return w.cn(is_recursive ? seal_recursive(w, type) : w.seal(type));
    }

    /// The type as the functions around us see it, or as closed code sees it.
    const Def* known(const Def* def) {
        if (this == converter_.closed_.get()) return nullptr;
        if (converter_.facts_.is_closed(def)) return converter_.closed(def);
        auto i = converter_.env_.find(def);
        return i == converter_.env_.end() ? nullptr : i->second;
    }
    bool needs(const Def* def) override { return !converter_.facts_.is_closed(def) || converter_.facts_.mentions_function(def); }
    const Def* rewrite_var(const Def* var) override {
        auto to = known(var);
        return to ? to : var;
    }
    const Def* rewrite_imm(const Def* def) override {
        if (auto to = known(def)) return to;
        if (auto f = isa_restyled(def)) return rewrite(converter_.shared(f));
        if (auto u = converter_.members_.isa_labelled(def)) {
            std::vector<const Def*> members;
            for (auto member : u->ops()) members.push_back(converter_.members_.label(member, rewrite(member)));
            return world().union_type(members);
        }
        auto pi = def->isa<Pi>();
        return pi && Facts::is_function(pi) ? function(pi) : Rewriter::rewrite_imm(def);
    }
    const Def* rewrite_mut(const Def* def) override {
        if (auto to = known(def)) return to;
        if (auto pi = def->isa<Pi>(); pi && Facts::is_function(pi)) return function(pi);
        auto lam      = def->isa<Lam>();
        bool is_value = lam && converter_.facts_.is_closed(lam) && converter_.facts_.is_run_time(lam);
        return is_value ? converter_.function(lam) : Rewriter::rewrite_mut(def);
    }
    Converter& converter_;
};

Converter::Converter(World& world)
    : world_(world)
    , facts_(world)
    , members_(world)
    , rebuilder_(world)
    , closed_(std::make_unique<Inside>(*this)) {}

Converter::~Converter() = default;

const Def* Converter::same_type(const Pi* pi) { return pi->is_mut() ? Inside(*this).copy(pi) : rewrite(pi); }

const Def* Converter::function_type(const Pi* pi) {
    if (pi->is_mut()) return substitute(pi);
    auto dom = rewrite(pi->dom());
    return world_.fn(dom, rewrite(pi->codom()));
}

/// Functions that compute values become continuations, wherever they are passed.
const Def* Converter::rewrite_pi(const Pi* pi) {
    if (pi->is_mut()) return substitute(pi);
    auto dom = rewrite(pi->dom()), codom = rewrite(pi->codom());
    if (Facts::is_function(pi)) return world_.fn(dom, codom);
    return dom == pi->dom() && codom == pi->codom() ? pi : world_.pi(dom, codom, pi->is_implicit());
}

const Def* Converter::closed(const Def* def) { return closed_->rewrite(def); }

/// Types must stay equal while the new forms of the functions that they call have no bodies: each `match` in a type is a function of
/// its own (lift.h).
const Def* Converter::shared(const Def* f) {
    auto lam       = f->isa<Lam>();
    bool may_share = lam && facts_.is_closed(lam) && lam->is_set() && lam->body()->isa<Match>();
    if (!may_share) return f;
    auto& known = shared_[lam->type()];
    for (auto other : known)
        if (equal(world_, other, lam)) return other;
    known.push_back(lam);
    return lam;
}

const Def* Converter::substitute(const Def* def) { return Inside(*this).rewrite(def); }

} // namespace mim::plug::direct
