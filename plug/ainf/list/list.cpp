// SPDX-License-Identifier: MIT
#include "ainf/list/list.h"

namespace mim::plug::ainf {

bool is_same(const Frame& a, const Frame& b) {
    if (a.kind != b.kind) return false;
    if (a.is_condition()) return a.condition == b.condition;
    return a.index == b.index && a.type == b.type && a.turn == b.turn && a.fold == b.fold;
}

Environment frames_around(const Primitive& p, size_t arg) {
    auto branch = [&](Kind kind) { return Environment{{.kind = kind, .condition = p.args[0]}}; };
    switch (p.op) {
        case Op::Fun:
        case Op::For: return p.body;
        case Op::Fold:
        case Op::Scan: return arg == 1 ? p.body : Environment{};
        case Op::Ite: return arg == 0 ? Environment{} : branch(arg == 1 ? Kind::Holds : Kind::Fails);
        default: return {};
    }
}

} // namespace mim::plug::ainf
