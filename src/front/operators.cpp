// SPDX-License-Identifier: MIT
#include "front/operators.h"

namespace mim::front {

bool OperatorTable::declare(std::string_view op, Fixity fixity) {
    std::string name(op);
    auto outer = declared_.find(name);
    if (outer && outer->depth == depth_) return false;
    declared_.push(std::move(name), {fixity, depth_});
    return true;
}

std::optional<Fixity> OperatorTable::find(std::string_view op) const {
    auto declared = declared_.find(std::string(op));
    return declared ? declared->fixity : of_others_;
}

void OperatorTable::end_scope(size_t size) {
    declared_.shrink(size);
    --depth_;
}

} // namespace mim::front
