// SPDX-License-Identifier: MIT
// A comparison is the set of the cases in which it is true, so logic on comparisons of the same values is logic on
// sets.
#include "ir/relations.h"

#include <optional>

#include "ir/views.h"

namespace mim {

namespace {

/// All comparisons of the values that one comparison compares.
class Comparisons {
public:
    Comparisons(World& w, const Def* sample)
        : w_(w)
        , sample_(sample) {
        auto axm = sample->isa<App>() ? head_axiom(sample) : nullptr;
        if (axm && axm->axiom().relations.cases != 0 && isa_idx(sample->type())) axiom_ = &axm->axiom();
    }
    explicit operator bool() const { return axiom_ != nullptr; }

    uint32_t all() const { return (1u << axiom_->relations.cases) - 1; }

    /// The cases in which it is true, if it is one of these comparisons or a literal.
    std::optional<uint32_t> cases(const Def* def) const {
        if (def->type() != sample_->type()) return {};
        if (auto lit = isa_lit(def)) return lit->value() == 0 ? 0 : all();
        return is_one(def, sample_) ? std::optional<uint32_t>(sub_of(def)) : std::nullopt;
    }

    /// The comparison that is true in these cases, if there is one that a machine makes at once.
    const Def* make(uint32_t cases) const {
        if (cases == 0) return w_.ff();
        if (cases == all()) return w_.tt();
        return axiom_->relations.simple >> cases & 1 ? apply(sample_, cases) : nullptr;
    }

private:
    /// They are applications of one axiom, whatever its subtag, to the same.
    bool is_one(const Def* def, const Def* sample) const {
        if (auto axm = sample->isa<Axm>()) {
            auto other = def->isa<Axm>();
            auto &x = axm->axiom().id, &y = other ? other->axiom().id : x;
            return other && x.plugin == y.plugin && x.tag == y.tag;
        }
        auto a = def->isa<App>(), b = sample->isa<App>();
        return a && b && a->arg() == b->arg() && is_one(a->callee(), b->callee());
    }

    const Def* apply(const Def* sample, uint32_t cases) const {
        if (auto app = sample->isa<App>()) return w_.app(apply(app->callee(), cases), app->arg());
        auto id = axiom_->id;
        return w_.annexes.at({id.plugin, id.tag, static_cast<uint16_t>(cases)});
    }

    World& w_;
    const Def* sample_;
    const Axiom* axiom_ = nullptr;
};

} // namespace

const Def* combine_relations(World& w, unsigned truth, const Def* a, const Def* b) {
    Comparisons comparisons(w, isa_lit(a) ? b : a);
    if (!comparisons) return nullptr;
    auto x = comparisons.cases(a), y = comparisons.cases(b);
    if (!x || !y) return nullptr;
    uint32_t cases = 0;
    if (truth & 8) cases |= *x & *y;
    if (truth & 4) cases |= *x & ~*y;
    if (truth & 2) cases |= ~*x & *y;
    if (truth & 1) cases |= ~*x & ~*y;
    return comparisons.make(cases & comparisons.all());
}

const Def* choose_relation(World& w, const Def* index, const Def* f, const Def* t) {
    Comparisons comparisons(w, index);
    if (!comparisons) return nullptr;
    auto asked = *comparisons.cases(index);
    auto no = comparisons.cases(f), yes = comparisons.cases(t);
    if (!no || !yes) return nullptr;
    return comparisons.make((asked & *yes) | (comparisons.all() & ~asked & *no));
}

} // namespace mim
