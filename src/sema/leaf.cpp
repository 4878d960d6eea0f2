// SPDX-License-Identifier: MIT
#include "sema/leaf.h"

#include <algorithm>

namespace mim {

using ast::PrimKind;

/// Null if it is no literal of type `I8`.
static const Lit* byte_of(const Def* def) {
    auto lit  = isa_lit(def);
    auto size = lit ? isa_idx(lit->type()) : nullptr;
    auto n    = size ? isa_lit(size) : nullptr;
    return n && !n->is_2_64() && n->value() == 0x100 ? lit : nullptr;
}

/// All bytes of a tuple, or of a pack that is not long.
static std::optional<std::string> bytes_of(const Def* def) {
    static constexpr uint64_t MaxPack = 40;
    std::string bytes;
    if (auto pack = def->isa<Pack>()) {
        auto n    = pack->is_mut() ? nullptr : isa_lit(pack->op(0));
        auto byte = n ? byte_of(pack->op(1)) : nullptr;
        if (!byte || n->is_2_64() || n->value() > MaxPack) return {};
        return std::string(n->value(), static_cast<char>(byte->value()));
    }
    for (auto op : def->ops()) {
        auto byte = byte_of(op);
        if (!byte) return {};
        bytes += static_cast<char>(byte->value());
    }
    return bytes;
}

std::optional<std::string> text_of(const Def* def) {
    auto bytes = bytes_of(def);
    if (!bytes) return {};
    auto is_visible  = [](char c) { return (c >= ' ' && c <= '~') || c == '\n' || c == '\t'; };
    auto text        = std::string_view(*bytes).substr(0, bytes->size() - bytes->ends_with('\0'));
    auto num_visible = static_cast<size_t>(std::ranges::count_if(text, is_visible));
    if (num_visible == 0 || 2 * num_visible < text.size()) return {};
    return bytes;
}

const ast::Expr* Leaf::leaf(const Def* def) const {
    switch (def->node()) {
        case Node::Sort:
            if (auto level = def->as<Sort>()->level(); level > 1) return ast::make<ast::Sort>(arena_, {}, nat(level));
            return prim(def->as<Sort>()->level() == 0 ? PrimKind::Star : PrimKind::Box);
        case Node::Bot: return prim(PrimKind::Bot);
        case Node::Top: return prim(PrimKind::Top);
        case Node::Nat: return prim(PrimKind::Nat);
        case Node::Idx: return prim(PrimKind::Idx);
        case Node::Lit: return literal(def->as<Lit>());
        case Node::Axm: {
            auto sym = def->as<Axm>()->axiom().name;
            return ast::is_annex(sym) ? ast::make<ast::Annex>(arena_, {}, sym) : name(sym);
        }
        case Node::App:
            if (auto size = isa_idx(def)) return idx_type(size);
            return nullptr;
        default: return nullptr;
    }
}

const ast::Expr* Leaf::idx_type(const Def* size) const {
    auto lit = size->isa<Lit>();
    if (!lit) return nullptr;
    if (lit->is_2_64()) return prim(PrimKind::I64);
    switch (lit->value()) {
        case 2: return prim(PrimKind::Bool);
        case 0x100: return prim(PrimKind::I8);
        case 0x10000: return prim(PrimKind::I16);
        case 0x100000000: return prim(PrimKind::I32);
        default: return nullptr;
    }
}

const ast::Expr* Leaf::literal(const Lit* lit) const {
    if (lit->is_2_64()) return prim(PrimKind::i64);
    if (lit->type() == world_.nat()) return nat(lit->value());
    auto size_def = isa_idx(lit->type());
    auto size     = size_def ? size_def->isa<Lit>() : nullptr;
    if (!size) return nullptr;
    auto n = size->is_2_64() ? 0 : size->value();
    if (n == 2) return prim(lit->value() ? PrimKind::tt : PrimKind::ff);
    bool width = n == 0 || n == 0x100 || n == 0x10000 || n == 0x100000000;
    return ast::make<ast::IdxLit>(arena_, {}, width ? ast::IdxForm::Width : ast::IdxForm::Index, lit->value(), n);
}

const ast::Expr* Leaf::plugin_literal(const Lit* lit, const ast::Expr* type) const {
    auto axm = head_axiom(lit->type());
    if (!axm || !axm->axiom().literal_text) return ast::make<ast::AscribedLit>(arena_, {}, lit->value(), type);
    return ast::make<ast::FloatLit>(arena_, {}, world_.sym(axm->axiom().literal_text(lit)), type);
}

} // namespace mim
