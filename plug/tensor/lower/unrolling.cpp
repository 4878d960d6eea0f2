// SPDX-License-Identifier: MIT
// See unrolling.h.
#include "lower/unrolling.h"

#include <algorithm>
#include <unordered_set>

#include "analysis/pointee.h"
#include "base/worklist.h"
#include "kit/match.h"

namespace mim::plug::tensor {

namespace {

/// Of all turns together.
constexpr uint64_t max_operations = 4096;

/// An element of an array in memory can be read there.
bool is_in_memory(const Def* array) {
    if (is_by_address(array->type())) return true;
    auto row = array->isa<Extract>();
    return row && row->tuple()->type()->isa<Arr>() && is_in_memory(row->tuple());
}

bool is_in_registers(const Def* tuple) { return tuple->type()->isa<Arr>() && !is_in_memory(tuple); }

/// The place of an element in registers that is read or changed; null of anything else.
const Def* place_in_registers(const Def* def) {
    auto extract = def->isa<Extract>();
    auto insert  = def->isa<Insert>();
    auto tuple   = extract ? extract->tuple() : insert ? insert->tuple() : nullptr;
    if (!tuple || !is_in_registers(tuple)) return nullptr;
    auto place = extract ? extract->index() : insert->index();
    return place->isa<Lit>() ? nullptr : place;
}

class TurnParts {
public:
    TurnParts(World& world, Defs indices)
        : w(world) {
        for (auto index : indices) vars_.push_back(variable_of(index));
    }

    /// The number of the outermost loop whose index says where an element in registers is; the number of loops if there is none.
    size_t outermost_place(const Def* turn) {
        size_t result = vars_.size();
        for_each_part(turn, 0, [&](const Def* def) {
            if (auto place = place_in_registers(def)) result = std::min(result, outermost_in(place));
            return true;
        });
        return result;
    }

    bool is_short(const Def* turn, size_t first_loop, uint64_t limit) {
        uint64_t count = 0;
        return for_each_part(turn, first_loop, [&](const Def*) { return ++count <= limit; });
    }

private:
    size_t outermost_in(const Def* place) {
        auto is_in_it = [&](const Def* var) { return var && is_free_in(w, var, place); };
        return size_t(std::ranges::find_if(vars_, is_in_it) - vars_.begin());
    }

    static const Def* variable_of(const Def* index) {
        while (!index->isa<Var>()) {
            auto next = index->isa<App>()       ? index->as<App>()->arg()
                        : index->isa<Extract>() ? index->as<Extract>()->tuple()
                                                : nullptr;
            if (!next) return nullptr;
            index = next;
        }
        return index;
    }

    /// Visits what depends on the indices of these loops, until `visit` says that this is enough.
    template<class Visit>
    bool for_each_part(const Def* turn, size_t first_loop, const Visit& visit) {
        Worklist<const Def*> todo{turn};
        while (auto def = todo.next()) {
            if (!def->type() || is_type(def) || def->isa<Var>() || !depends(def, first_loop)) continue;
            if (!visit(def)) return false;
            for (auto op : def->ops())
                if (op) todo.push(op);
        }
        return true;
    }

    bool depends(const Def* def, size_t first_loop) {
        auto is_in_it = [&](const Def* var) { return var && is_free_in(w, var, def); };
        return std::any_of(vars_.begin() + ptrdiff_t(first_loop), vars_.end(), is_in_it);
    }

    World& w;
    DefVec vars_;
};

/// Of loops of literal numbers of turns; 0 if they are too many.
uint64_t num_turns(Defs extents) {
    uint64_t result = 1;
    for (auto extent : extents) {
        auto n = value(extent).value_or(max_register_parts + 1);
        if (n > max_register_parts) return 0;
        result *= n;
        if (result > max_register_parts) return 0;
    }
    return result;
}

} // namespace

size_t num_unrolled(World& w, Defs extents, Defs indices, const Def* turn) {
    TurnParts all(w, indices);
    auto first = all.outermost_place(turn);
    auto turns = num_turns(extents.subspan(first));
    if (first == extents.size() || turns < 2) return 0;
    return all.is_short(turn, first, max_operations / turns) ? extents.size() - first : 0;
}

} // namespace mim::plug::tensor
