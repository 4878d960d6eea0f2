// SPDX-License-Identifier: MIT
#include "opt/flatten.h"

#include <algorithm>
#include <optional>

#include "analysis/cps.h"
#include "ir/large_arrays.h"
#include "opt/opt.h"

namespace mim::opt {

namespace {

constexpr int64_t MaxElems     = 16;
constexpr size_t MaxFlatParams = 64; ///< what a function has in the end

class Planner {
public:
    Planner(World& world, const Snapshot& program)
        : world_(world)
        , program_(program) {}

    /// What becomes of the argument; nothing if it stays as it is.
    std::optional<Part> plan(const Lam* lam) {
        auto n   = num_parts(world_, lam->pi());
        auto sig = lam->dom()->isa<Sigma>();
        if (n == 1 || (sig && sig->is_mut()) || !has_tuple(lam->dom()) || !is_only_called(program_, lam)) return {};
        num_params_ = 0;
        Part whole{Part::Split, nullptr, {}};
        for (size_t i = 0; i < n; ++i) whole.parts.push_back(split(world_.extract(lam->var(), i)));
        bool any = std::ranges::any_of(whole.parts, [](auto& part) { return part.kind == Part::Split; });
        if (any && num_params_ <= MaxFlatParams) return whole;
        return {};
    }

private:
    static bool is_tuple(const Def* type) { return type->isa<Sigma>() || type->isa<Arr>(); }
    static bool has_tuple(const Def* dom) {
        return std::ranges::any_of(dom->ops(), [](auto op) { return op && is_tuple(op); });
    }

    /// An array with many dimensions has far more elements than are ever split, so it stops where there are too many.
    Part split(const Def* param) {
        auto type = param->type();
        auto n    = is_tuple(type) ? lit_arity(world_, type) : -1;
        bool kept = n < 0 || n > MaxElems || type->is_mut() || is_indexed(type);
        if (kept || (type->isa<Arr>() && n != 0 && has_computed_index(param))) {
            ++num_params_;
            return {};
        }
        Part part{Part::Split, nullptr, {}};
        for (int64_t i = 0; i < n && num_params_ <= MaxFlatParams; ++i)
            part.parts.push_back(split(world_.extract(param, static_cast<uint64_t>(i))));
        return part;
    }

    /// Whether a large array of this type is asked for elements at computed places, anywhere: in memory, they have addresses.
    bool is_indexed(const Def* type) {
        if (!is_large_array(type)) return false;
        if (!indexed_types_) indexed_types_ = find_indexed_types();
        return indexed_types_->contains(type);
    }

    DefSet find_indexed_types() const {
        DefSet result;
        for (auto def : program_.nodes()) {
            auto extract = def->isa<Extract>();
            auto insert  = def->isa<Insert>();
            auto tuple   = extract ? extract->tuple() : insert ? insert->tuple() : nullptr;
            auto index   = extract ? extract->index() : insert ? insert->index() : nullptr;
            if (tuple && tuple->type() && !isa_lit(index)) result.insert(tuple->type());
        }
        return result;
    }

    bool has_computed_index(const Def* param) {
        return std::ranges::any_of(program_.users(param), [&](auto user) {
            auto extract = user->template isa<Extract>();
            return extract && extract->tuple() == param && !isa_lit(extract->index());
        });
    }

    World& world_;
    const Snapshot& program_;
    std::optional<DefSet> indexed_types_;
    size_t num_params_ = 0; ///< that the function which is planned has so far
};

class Flatten : public SignatureRewriter {
public:
    explicit Flatten(PhaseContext& c)
        : SignatureRewriter(c) {
        plans_ = flatten_plans(c.world, program(), [](auto) { return true; });
    }
};

} // namespace

std::unordered_map<const Lam*, Part> flatten_plans(World& world, const Snapshot& program,
                                                   const std::function<bool(const Lam*)>& is_kept) {
    std::unordered_map<const Lam*, Part> plans;
    Planner planner(world, program);
    for (auto def : program.nodes()) {
        auto lam = def->isa<Lam>();
        if (!lam || !is_kept(lam)) continue;
        if (auto part = planner.plan(lam)) plans.emplace(lam, std::move(*part));
    }
    return plans;
}

void flatten(PhaseContext& c) { Flatten(c).run(); }

} // namespace mim::opt
