// SPDX-License-Identifier: MIT
// Arrays written with a variable, `‹i: n; e›`, are what `%tensor.generate` makes. Nested ones become one operation, so
// their loops are like those of any other: what their elements have in common is evaluated before them, and the
// elements of other operations are computed in them.
#include "lower/packs.h"
#include "analysis/pointee.h"
#include "kit/build.h"
#include "kit/selective.h"
#include "tensor.h"

namespace mim::plug::tensor {

namespace {

class Packs : public SelectiveRewriter {
public:
    explicit Packs(PhaseContext& c)
        : SelectiveRewriter(c)
        , w(c.world) {}

protected:
    bool wants(const Def* def) override { return def->isa<Pack>() && def->var() && is_array(def); }

    const Def* rewrite_mut(const Def* def) override { return wants(def) ? generated(def) : SelectiveRewriter::rewrite_mut(def); }

private:
    /// So many elements are computed one by one, and live in registers.
    static constexpr uint64_t max_literal = 64;

    /// All elements have one type, whose values are numbers.
    static bool is_array(const Def* def) {
        auto pack = def->isa<Pack>();
        auto n    = pack ? value(pack->arity()) : std::nullopt;
        if (!pack || (n && *n <= max_literal)) return false;
        return !is_type(def) && !def->type()->is_mut() && is_data(def->type()) && !is_in_types(def->type());
    }

    /// Sizes and subscripts may be parts of types, and must stay what they are.
    static bool is_in_types(const Def* type) {
        auto inner = innermost(type);
        auto n     = isa_idx(inner);
        return inner->isa<mim::Nat>() || (n && !isa_lit(n));
    }

    const Def* generated(const Def* def) {
        DefVec extents, vars;
        auto element     = def;
        auto is_constant = [&](const Def* arity) {
            return std::ranges::none_of(vars, [&](auto var) { return var && is_free_in(w, var, arity); });
        };
        while (is_array(element) && is_constant(element->as<Pack>()->arity())) {
            extents.push_back(rewrite(element->as<Pack>()->arity()));
            vars.push_back(element->var());
            element = element->as<Pack>()->body();
        }
        auto type  = rewrite(element->type());
        auto index = w.sigma(map_defs(extents, [&](auto extent) { return w.idx(extent); }));
        auto h     = w.mut_lam(w.pi(index, type));
        for (size_t j = 0; j != vars.size(); ++j)
            if (vars[j]) map(vars[j], vars.size() == 1 ? h->var() : w.extract(h->var(), j));
        w.set(h, w.tt(), rewrite(element));
        auto result = w.apply<generate>(w.lit_nat(extents.size()), w.tuple(extents), type, w.seal(h));
        w.notes.set_place(result, w.notes.place(def));
        return result;
    }

    World& w;
};

} // namespace

bool is_data(const Def* type) {
    if (auto arr = type->isa<Arr>()) return is_data(arr->body());
    if (auto sigma = type->isa<Sigma>()) return !sigma->is_mut() && std::ranges::all_of(sigma->ops(), is_data);
    if (type->isa<mim::Nat>() || isa_idx(type)) return true;
    auto axm = head_axiom(type);
    return axm && !axm->axiom().has(Axiom::LinearType) && !axm->axiom().has(Axiom::Pointer);
}

void generate_packs(PhaseContext& c) { Packs(c).run(); }

} // namespace mim::plug::tensor
