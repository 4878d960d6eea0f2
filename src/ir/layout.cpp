// SPDX-License-Identifier: MIT
#include "ir/layout.h"

#include "ir/hook.h"
#include "ir/large_arrays.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "ir/world.h"

namespace mim {

namespace {

using Opt = std::optional<Layout>;

constexpr uint64_t MaxSize    = uint64_t(1) << 63;
constexpr unsigned MaxNesting = 500; ///< types that nest deeper have no layout that is known

class Computer {
public:
    Computer(World& world, bool final, bool in_memory)
        : world_(world)
        , final_(final)
        , in_memory_(in_memory) {}

    Opt compute(const Def* type, unsigned depth) {
        if (depth > MaxNesting || !type->is_set()) return {}; // a recursive type is asked for its layout while it is read
        if (auto i = memo_.find(type); i != memo_.end()) return i->second;
        return memo_[type] = compute_node(type, depth);
    }

private:
    Opt compute_node(const Def* type, unsigned depth) {
        switch (type->node()) {
            case Node::Sort:
            case Node::Bot:
            case Node::Top:
            case Node::Sing: return Layout{};
            case Node::Nat: return Layout{8, 8};
            case Node::Pi:
                if (type->as<Pi>()->codom()->isa<Sort>()) return Layout{};
                return pointer();
            case Node::Sigma: return structure(type->ops(), depth);
            case Node::Arr: return array(type->as<Arr>(), depth);
            case Node::Union: return tagged(type->ops(), depth);
            case Node::Extract: return choice(type->as<Extract>(), depth);
            case Node::App:
            case Node::Axm: return axiom(type);
            default: return {};
        }
    }

    Opt pointer() const { return Layout{world_.layout.pointer_size, world_.layout.pointer_align}; }
    static uint64_t round_up(uint64_t n, uint64_t align) { return (n + align - 1) / align * align; }

    Opt structure(Defs types, unsigned depth) {
        Layout all;
        for (auto type : types) {
            auto l = compute(type, depth + 1);
            if (!l) return {};
            all.size  = round_up(all.size, l->align) + l->size;
            all.align = std::max(all.align, l->align);
            if (all.size >= MaxSize) return {};
        }
        all.size = round_up(all.size, all.align);
        return all;
    }

    Opt array(const Arr* arr, unsigned depth) {
        auto body = compute(arr->body(), depth + 1);
        if (!body) return {};
        if (body->size == 0) return Layout{};
        auto n = isa_lit(arr->arity());
        if (!in_memory_ && is_large_array(arr)) return pointer();
        if (!n || n->value() >= MaxSize / body->size) return {};
        return n->value() == 0 ? Layout{} : Layout{n->value() * body->size, body->align};
    }

    Opt tagged(Defs members, unsigned depth) {
        uint64_t tag = members.size() <= 0x100 ? 1 : members.size() <= 0x10000 ? 2 : 4;
        Layout payload;
        for (auto type : members) {
            auto l = compute(type, depth + 1);
            if (!l) return {};
            payload.size  = std::max(payload.size, l->size);
            payload.align = std::max(payload.align, l->align);
        }
        if (payload.size == 0) return Layout{tag, tag};
        auto align = std::max(tag, payload.align);
        return Layout{round_up(round_up(tag, payload.align) + round_up(payload.size, payload.align), align), align};
    }

    /// `(T0, …)#i`: known if all agree.
    Opt choice(const Extract* extract, unsigned depth) {
        auto tuple = extract->tuple()->isa<Tuple>();
        if (!tuple) return {};
        auto first = compute(tuple->op(0), depth + 1);
        for (auto type : tuple->ops())
            if (!first || compute(type, depth + 1) != first) return {};
        return first;
    }

    Opt axiom(const Def* type) {
        if (auto size = isa_idx(type)) return index(size);
        auto axm = saturated_axiom(type);
        if (!axm) axm = head_axiom(type);
        if (!axm) return {};
        auto& axiom = axm->axiom();
        if (axiom.has(Axiom::LinearType) || axiom.has(Axiom::Erased)) return Layout{};
        if (!axiom.layout) return axiom.kind == Axiom::Op && is_type_former(type) ? pointer() : Opt{};
        Layout l;
        auto is_known = call_hook(axiom, "the layout of", type, [&] { return axiom.layout(world_, type, l.size, l.align); });
        if (!is_known) return {};
        bool is_layout = std::has_single_bit(l.align) && l.size < MaxSize;
        if (is_layout) return l;
        auto text = "the size " + std::to_string(l.size) + " with the alignment " + std::to_string(l.align);
        hook_broke(axiom, "the layout of", type, "makes no layout: " + text);
    }

    /// A type that computes (an axiom with a meaning or a normalizer) is not known yet.
    static bool is_type_former(const Def* type) { return !head_axiom(type)->axiom().normalizer; }

    Opt index(const Def* size) {
        auto lit = size->isa<Lit>();
        if (!lit) return final_ ? Opt(Layout{8, 8}) : Opt{};
        if (lit->is_2_64()) return Layout{8, 8};
        auto n = lit->value();
        if (n <= 1) return Layout{};
        uint64_t bytes = n - 1 <= 0xff ? 1 : n - 1 <= 0xffff ? 2 : n - 1 <= 0xffffffff ? 4 : 8;
        return Layout{bytes, bytes};
    }

    World& world_;
    bool final_, in_memory_;
    std::unordered_map<const Def*, Opt> memo_;
};

} // namespace

std::optional<Layout> layout(World& world, const Def* type, bool final) { return Computer(world, final, true).compute(type, 0); }

std::optional<Layout> value_layout(World& world, const Def* type) { return Computer(world, false, false).compute(type, 0); }

} // namespace mim
