// SPDX-License-Identifier: MIT
#include "updates.h"

#include <algorithm>

#include "facts.h"
#include "kit/selective.h"

namespace mim::plug::direct {

namespace {

constexpr size_t max_elements = 64;

class ExpandUpdates : public SelectiveRewriter {
public:
    explicit ExpandUpdates(PhaseContext& c)
        : SelectiveRewriter(c)
        , facts_(c.world) {}

protected:
    bool wants(const Def* def) override {
        auto insert = def->isa<Insert>();
        if (!insert || insert->index()->isa<Lit>() || !is_term(insert)) return false;
        auto tuple = insert->tuple()->isa<Tuple>();
        auto array = tuple ? tuple->type()->isa<Arr>() : nullptr;
        if (!array || array->var() || tuple->num_ops() > max_elements) return false;
        if (holds_package(array->body()) || facts_.is_effect(tuple)) return false;
        return !std::ranges::all_of(tuple->ops(), [&](auto elem) { return facts_.is_speculatable(elem); });
    }

    const Def* rewrite_imm(const Def* def) override {
        if (!program().contains(def) || !wants(def)) return SelectiveRewriter::rewrite_imm(def);
        auto insert = def->as<Insert>();
        auto index  = rewrite(insert->index());
        auto value  = rewrite(insert->value());
        std::vector<const Def*> elems;
        for (auto old : insert->tuple()->ops()) {
            std::vector<const Def*> choice(insert->tuple()->num_ops(), rewrite(old));
            choice[elems.size()] = value;
            elems.push_back(world().extract(world().tuple(choice), index));
        }
        return world().tuple(elems);
    }

private:
    Facts facts_;
};

} // namespace

void expand_updates(PhaseContext& c) { ExpandUpdates(c).run(); }

} // namespace mim::plug::direct
