// SPDX-License-Identifier: MIT
// Notes at values that do not fit where they stand.
#include <algorithm>
#include <charconv>
#include <optional>

#include "sema/hints.h"

namespace mim {

/// The literal `n` as one of the type, or nothing if the type is not one of numbers or the literal does not fit.
static std::string literal_of(World& world, const Def* type, uint64_t n) {
    if (type == world.nat()) return std::to_string(n);
    auto size = isa_idx(type);
    auto lit  = size ? size->isa<Lit>() : nullptr;
    if (!lit || (!lit->is_2_64() && n >= lit->value())) return {};
    if (lit->is_2_64()) return std::to_string(n) + "I64";
    switch (lit->value()) {
        case 2: return n ? "tt" : "ff";
        case 0x100: return std::to_string(n) + "I8";
        case 0x10000: return std::to_string(n) + "I16";
        case 0x100000000: return std::to_string(n) + "I32";
        default: return std::to_string(n) + "_" + std::to_string(lit->value());
    }
}

/// Whether the bracket that this text begins with is closed by its end.
static bool is_in_brackets(std::string_view text) {
    if (!text.starts_with('(')) return false;
    size_t depth = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '(') ++depth;
        if (text[i] == ')' && --depth == 0) return i + 1 == text.size();
    }
    return false;
}

static std::string bracketed(std::string text) {
    return text.find(' ') == text.npos || is_in_brackets(text) ? text : "(" + text + ")";
}

/// `i64` for `I64`; empty for anything else.
static std::string width_of(World& world, const Def* type) {
    auto size = isa_idx(type);
    auto lit  = size ? size->isa<Lit>() : nullptr;
    if (!lit) return {};
    if (lit->is_2_64()) return "i64";
    for (auto bits : {1, 8, 16, 32})
        if (lit == world.lit_nat(uint64_t(1) << bits)) return "i" + std::to_string(bits);
    return {};
}

/// The type that a pointer type points to; null for any other type.
static const Def* pointee_of(const Def* type) {
    auto axm = type->isa<App>() ? head_axiom(type) : nullptr;
    if (!axm || !axm->axiom().has(Axiom::Pointer)) return nullptr;
    auto arg = type->as<App>()->arg();
    return arg->isa<Tuple>() ? arg->op(0) : arg;
}

/// The number that `literal` is as one of the type; a plugin reads its own numbers, which are not integers.
static std::string literal_like(Errors& errors, const Def* type, const Lit* literal) {
    auto from = head_axiom(literal->type()), to = head_axiom(type);
    bool is_plugin = from && from->axiom().literal_text;
    if (!to || !to->axiom().literal) return is_plugin ? "" : literal_of(errors.world(), type, literal->value());
    auto number = is_plugin ? from->axiom().literal_text(literal) : std::to_string(literal->value());
    return number + ":" + bracketed(errors.show(type));
}

/// `Fn T → U`, as a type of functions.
static bool is_fn(const Pi* pi) {
    auto dom = pi->is_cn() ? pi->dom()->isa<Sigma>() : nullptr;
    auto ret = dom && dom->num_ops() == 2 ? dom->op(1)->isa<Pi>() : nullptr;
    return ret && ret->is_cn();
}

/// A recursive type of functions has groups without end.
static constexpr size_t MaxGroups = 16;

/// A function where its result is wanted, or one that returns in the other way.
static void hint_function(Errors& errors, Diagnostic& d, const Def* type, const Pi* found, Span place) {
    auto wanted = type->isa<Pi>();
    auto text   = errors.source_text(place);
    if (wanted && is_fn(wanted) && !found->is_cn()) return (void)d.note(Diag::write_fn, {}, {errors.show(type)});
    if (wanted && !wanted->is_cn() && is_fn(found)) return (void)d.note(Diag::write_lam, {}, {errors.show(type)});
    const Def* result = found;
    auto pi           = found;
    for (size_t groups = 0; groups < MaxGroups && pi && !pi->is_implicit(); ++groups, pi = result->isa<Pi>()) {
        result       = pi->codom();
        bool is_size = isa_idx(result) && isa_idx(type) && result->has(Def::HasHole);
        if (result != type && !is_size) continue;
        if (found->dom() == errors.world().unit_type()) d.note(Diag::call_without_arguments, {}, {text});
        else d.note(Diag::still_takes, {}, {text, errors.show(found->dom())});
        return;
    }
}

bool hint_operand(Errors& errors, Diagnostic& d, const Pi* type, Span place) {
    auto text = errors.source_text(place);
    if (is_fn(type)) d.note(Diag::call_with_ret, place, {text, "…"});
    else if (type->is_cn() || type->is_implicit()) return false;
    else if (type->dom() == errors.world().unit_type()) d.note(Diag::call_without_arguments, place, {text});
    else d.note(Diag::still_takes, place, {text, errors.show(type->dom())});
    return true;
}

/// That this text begins with: of `1 + 2`, whose value is 3, it is the 1 that needs a type.
static std::optional<uint64_t> first_number(std::string_view text) {
    uint64_t number = 0;
    int base        = text.starts_with("0x") ? 16 : text.starts_with("0b") ? 2 : 10;
    auto digits     = text.substr(base == 10 ? 0 : 2);
    auto [end, bad] = std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
    return bad == std::errc() ? std::optional(number) : std::nullopt;
}

/// `(no, yes)#c` without the `()` behind it: a continuation that goes on itself and is no result.
static bool is_uncalled(Errors& errors, const Def* value) {
    auto& world = errors.world();
    auto pi     = world.refresh(value->type())->isa<Pi>();
    return pi && pi->codom()->isa<Bot>() && world.refresh(pi->dom()) == world.unit_type();
}

void hint_value(Errors& errors, Diagnostic& d, const Def* type, const Def* value, Span place) {
    auto& world = errors.world();
    type        = world.refresh(type);
    if (type->isa<Bot>() && is_uncalled(errors, value))
        return (void)d.note(Diag::call_without_arguments, {}, {errors.source_text(place)});
    if (type->isa<Bot>() && errors.names().find(errors.names().return_sym()))
        return (void)d.note(Diag::pass_to_return, {}, {bracketed(errors.source_text(place))});
    if (type->isa<Bot>()) return (void)d.note(Diag::only_fun_returns, {});
    if (type == world.nat())
        if (auto width = width_of(world, value); !width.empty()) return (void)d.note(Diag::did_you_mean, {}, {width});
    if (auto pi = world.refresh(value->type())->isa<Pi>()) return hint_function(errors, d, type, pi, place);
    if (auto u = type->isa<Union>())
        for (auto member : u->ops())
            if (member == value->type()) {
                auto text = bracketed(errors.source_text(place)) + " inj " + bracketed(errors.show(type));
                d.note(Diag::needs_inj, {}, {text});
            }
    if (auto pointee = pointee_of(value->type()); pointee && world.refresh(pointee) == type)
        d.note(Diag::no_such_word, {}, {"*" + errors.source_text(place), "load what the pointer points to"});
    auto written = first_number(errors.source_text(place));
    auto literal = written ? isa_lit(value) : nullptr;
    if (!literal) return;
    if (literal->type() == world.nat()) literal = isa_lit(world.lit_nat(*written));
    if (auto text = literal_like(errors, type, literal); !text.empty()) d.note(Diag::literal_of_type, {}, {text});
}

/// `%math.F64` for `%math.f64`.
static void hint_type_like(Errors& errors, Diagnostic& d, std::string text) {
    auto last = text.rfind('.') + 1;
    if (!text.starts_with('%') || last >= text.size() || text[last] < 'a' || text[last] > 'z') return;
    text[last]    = static_cast<char>(text[last] - 'a' + 'A');
    auto declared = errors.annexes().find(errors.world().sym(text));
    if (declared && declared->def && is_type(declared->def)) d.note(Diag::did_you_mean, {}, {text});
}

void hint_type(Errors& errors, Diagnostic& d, const Def* value, Span place) {
    static constexpr std::string_view Sizes[] = {"i1", "i8", "i16", "i32", "i64"};
    auto text                                 = errors.source_text(place);
    auto pi                                   = value->type()->isa<Pi>();
    if (pi && pi->codom()->isa<Sort>()) d.note(Diag::still_takes, {}, {text, errors.show(pi->dom())});
    if (std::ranges::find(Sizes, text) != std::end(Sizes)) d.note(Diag::did_you_mean, {}, {"I" + text.substr(1)});
    hint_type_like(errors, d, text);
}

void hint_index(Errors& errors, Diagnostic& d, const Def* tuple, const Def* index) {
    if (index->type()->isa<Pi>()) d.note(Diag::index_in_brackets, {});
    else if (index->type() == errors.world().nat()) {
        auto arity = mim::arity(errors.world(), tuple->type());
        d.note(Diag::index_type, {}, {errors.show(tuple->type()), bracketed(errors.show(arity))});
    }
}

/// The names up to the one that has a type.
void hint_comma(Errors& errors, Diagnostic& d, const ast::TuplePattern* p, size_t i) {
    std::string names;
    for (; i < p->elems.size(); ++i) {
        auto name = ast::isa<ast::NamePattern>(p->elems[i]);
        if (!name || !name->name.name) return;
        names += (names.empty() ? "" : " ") + name->name.name.str();
        if (!name->type) continue;
        d.note(Diag::without_comma, {}, {names + ": " + errors.source_text(name->type->span)});
        return;
    }
}

} // namespace mim
