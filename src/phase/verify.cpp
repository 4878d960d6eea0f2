// SPDX-License-Identifier: MIT
#include "phase/verify.h"

#include "linear/tokens.h"

namespace mim {

std::vector<Violation> verify(World& world) {
    GraphVerifier graph(world);
    return verify(world, graph);
}

std::vector<Violation> verify(World& world, GraphVerifier& graph) {
    auto violations = graph.run();
    if (violations.empty()) violations = check_tokens_between_phases(world);
    return violations;
}

} // namespace mim
