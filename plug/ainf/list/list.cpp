// SPDX-License-Identifier: MIT
#include "ainf/list/list.h"

#include <algorithm>

namespace mim::plug::ainf {

std::string operand_text(const Operand& x) { return (x.is_index ? "i" : "x") + std::to_string(x.number); }

bool is_same(const Frame& a, const Frame& b) {
    if (a.kind != b.kind) return false;
    if (a.is_condition()) return a.condition == b.condition;
    return a.index == b.index && a.type == b.type && a.turn == b.turn && a.fold == b.fold;
}

/// Most often, frames have the same order in both.
const Frame* missing(const Environment& needed, std::span<const Frame> outer, std::span<const Frame> own) {
    size_t next = 0;
    for (auto& f : needed) {
        auto is_it = [&](auto& other) { return is_same(f, other); };
        auto later = std::ranges::find_if(outer.subspan(next), is_it);
        if (later != outer.end()) {
            next = static_cast<size_t>(later - outer.begin()) + 1;
            continue;
        }
        bool is_there = std::ranges::any_of(outer.first(next), is_it) || std::ranges::any_of(own, is_it);
        if (!is_there) return &f;
    }
    return nullptr;
}

static std::string name_text(const char* word, const Frame& f) { return word + (" i" + std::to_string(f.index)); }

std::string frame_text(const Frame& f) {
    switch (f.kind) {
        case Kind::Fun: return name_text("fun", f);
        case Kind::For: return name_text("for", f);
        case Kind::Fold: return name_text("fold", f) + " i" + std::to_string(f.index + 1);
        case Kind::Holds:
        case Kind::Fails: break;
    }
    return "if " + operand_text(f.condition) + (f.kind == Kind::Holds ? "!=0" : "==0");
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
