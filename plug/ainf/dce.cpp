// SPDX-License-Identifier: MIT
// Dead code: backwards from the result. Conditions are uses.
#include <set>

#include "ainf.h"

namespace mim::plug::ainf {

List remove_dead(List list) {
    std::set<uint32_t> used;
    auto use = [&](const Operand& x) {
        if (!x.is_index) used.insert(x.number);
    };
    use(list.result);
    std::vector<Binding> kept;
    for (size_t i = list.bindings.size(); i-- != 0;) {
        auto& b = list.bindings[i];
        if (!used.contains(b.number)) continue;
        for (auto& x : b.p.args) use(x);
        for (auto& f : b.env)
            if (f.is_condition()) use(f.condition);
        kept.push_back(std::move(b));
    }
    list.bindings.assign(std::make_move_iterator(kept.rbegin()), std::make_move_iterator(kept.rend()));
    return list;
}

} // namespace mim::plug::ainf
