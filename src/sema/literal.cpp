// SPDX-License-Identifier: MIT
#include "sema/literal.h"

namespace mim {

Res Literals::constant(const ast::Prim* e) {
    if (constants_.empty()) {
        constants_ = {
            world_.star(),
            world_.box(),
            world_.bot(),
            world_.top(),
            world_.nat(),
            world_.idx(),
            world_.bool_type(),
            world_.idx(2),
            world_.idx(0x100),
            world_.idx(0x10000),
            world_.idx(0x100000000),
            world_.i64_type(),
            world_.ff(),
            world_.tt(),
            world_.lit_nat(2),
            world_.lit_nat(0x100),
            world_.lit_nat(0x10000),
            world_.lit_nat(0x100000000),
            world_.lit_2_64(),
        };
    }
    return {constants_[static_cast<size_t>(e->prim)]};
}

Res Literals::index(const ast::IdxLit* e) {
    auto build = [&] { return world_.lit_idx(e->size ? world_.lit_nat(e->size) : world_.lit_2_64(), e->value); };
    return {at(e->span, build)};
}

Res Literals::ascribed(const ast::AscribedLit* e) {
    auto type = terms_.type(e->type);
    if (!type) return {};
    auto axm    = head_axiom(type.type);
    bool is_raw = axm && !axm->axiom().literal;
    if (is_raw) return {at(e->span, [&] { return world_.raw_lit(type.type, e->value); })};
    return number(e->span, e->value, type.type);
}

/// A literal of a type of numbers.
Res Literals::number(Span span, uint64_t value, const Def* type) {
    auto misfit = [&](std::string why) {
        error(Diag::literal_misfit, span, {std::to_string(value), show(type), std::move(why)});
        return Res{};
    };
    if (type == world_.nat()) return {world_.lit_nat(value)};
    auto size = isa_idx(type);
    auto axm  = size ? nullptr : head_axiom(type);
    if (axm && axm->axiom().literal) return of_plugin(span, type, std::to_string(value));
    if (!size) return misfit("it is no type of numbers");
    auto lit = size->isa<Lit>();
    if (!lit) return misfit("its size is no literal");
    if (!lit->is_2_64() && value >= lit->value())
        return misfit(lit->value() ? "the largest value is " + std::to_string(lit->value() - 1) : "it has no values");
    return {at(span, [&] { return world_.lit_idx(size, value); })};
}

Res Literals::floating(const ast::FloatLit* e) {
    if (!e->type) {
        error(Diag::float_without_type, e->span, {e->text.str()});
        return {};
    }
    auto type = terms_.type(e->type);
    return type ? floating(e->span, e->text, type.type) : Res{};
}

Res Literals::floating(Span span, Symbol text, const Def* type) {
    auto axm = head_axiom(type);
    if (axm && axm->axiom().literal) return of_plugin(span, type, text.view());
    error(Diag::float_type, span, {show(type)});
    return {};
}

Res Literals::beside(const ast::Expr* e, const Def* type, Symbol op) {
    if (auto lit = ast::isa<ast::FloatLit>(e)) return floating(lit->span, lit->text, type);
    auto value = ast::as<ast::NatLit>(e)->value;
    auto size  = isa_idx(type);
    if (!size || size->isa<Lit>()) return number(e->span, value, type);
    auto text     = std::to_string(value);
    auto& d       = error(Diag::literal_unsized, e->span, {text, op.str(), show(type)});
    auto argument = size->isa<App>() ? "(" + show(size) + ")" : show(size);
    d.note(Diag::operator_call, {}, {text, {}, "literal", argument, text}); // the driver knows calls
    return {};
}

/// A number whose type a plugin makes, which reads it.
Res Literals::of_plugin(Span span, const Def* type, std::string_view text) {
    bool none = false;
    auto res  = at(span, [&] {
        auto def = head_axiom(type)->axiom().literal(world_, type, text);
        none     = !def;
        return def;
    });
    if (none) error(Diag::float_type, span, {show(type)});
    return {res};
}

Res Literals::string(const ast::StrLit* e) {
    std::vector<const Def*> bytes;
    bytes.reserve(e->bytes.size());
    for (unsigned char c : e->bytes) bytes.push_back(world_.lit_idx(0x100, c));
    return {at(e->span, [&] { return world_.tuple(bytes); })};
}

Res Literals::sort(const ast::Sort* e) {
    static constexpr uint64_t Limit = 65535;
    auto level                      = terms_.expr(e->level);
    if (!level) return {};
    auto lit = isa_lit(level.def);
    if (!lit || lit->type() != world_.nat() || lit->value() >= Limit) {
        error(Diag::bad_level, e->level->span, {show(level.def), std::to_string(Limit)});
        return {};
    }
    return {at(e->span, [&] { return world_.sort(static_cast<unsigned>(lit->value())); })};
}

} // namespace mim
