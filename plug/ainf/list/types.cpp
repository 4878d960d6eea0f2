// SPDX-License-Identifier: MIT
#include "ainf/list/types.h"

#include <bit>
#include <stdexcept>

#include "ainf/annexes.h"
#include "cli/run/signature.h"
#include "core/annexes.h"
#include "kit/match.h"
#include "math/annexes.h"

namespace mim::plug::ainf {

const Def* float_type(World& w) { return w.app(w.annex(math::F(0)), {w.lit_nat(52), w.lit_nat(11)}); }
bool is_float(World& w, const Def* type) { return type == float_type(w); }
const Def* float_literal(World& w, double x) { return w.raw_lit(float_type(w), std::bit_cast<uint64_t>(x)); }
double float_value(const Lit* literal) { return std::bit_cast<double>(literal->value()); }

const Def* array_type(World& w, const Def* size, const Def* elem) { return w.apply<Arr>({size, elem}); }
const Def* pair_type(World& w, const Def* first, const Def* second) { return w.apply<Prod>({first, second}); }

template<class Type>
static std::optional<std::pair<const Def*, const Def*>> isa_both(World& w, const Def* type) {
    auto app = match<Type>(type);
    if (!app) return {};
    auto [a, b] = elems<2>(w, app.arg());
    return std::pair{a, b};
}

std::optional<std::pair<const Def*, const Def*>> isa_array(World& w, const Def* type) { return isa_both<Arr>(w, type); }
std::optional<std::pair<const Def*, const Def*>> isa_pair(World& w, const Def* type) { return isa_both<Prod>(w, type); }

// ---- sizes

/// A product of variables with its coefficient, which is not negative.
static const Def* make_product(World& w, const Polynomial::Monomial& monomial, Polynomial::Number coefficient,
                               const SizeVars& vars) {
    const Def* product = nullptr;
    if (coefficient != 1 || monomial.empty()) product = w.lit_nat(static_cast<uint64_t>(coefficient));
    for (auto x : monomial) product = product ? w.call(core::nat::mul, {product, vars.at(x)}) : vars.at(x);
    return product;
}

const Def* make_size(World& w, const Polynomial& size, const SizeVars& vars) {
    const Def *more = nullptr, *less = nullptr;
    for (auto& [monomial, coefficient] : size.terms()) {
        auto& sum    = coefficient > 0 ? more : less;
        auto product = make_product(w, monomial, coefficient > 0 ? coefficient : -coefficient, vars);
        sum          = sum ? w.call(core::nat::add, {sum, product}) : product;
    }
    if (!more) more = w.lit_nat(0);
    return less ? w.call(core::nat::sub, {more, less}) : more;
}

Polynomial read_size(World& w, const Def* size) {
    if (auto n = value(size)) return Polynomial::number(static_cast<Polynomial::Number>(*n));
    auto app = match<core::nat>(size);
    if (!app) return Polynomial::variable(size->id());
    auto [a, b] = elems<2>(w, app.arg());
    auto left = read_size(w, a), right = read_size(w, b);
    if (app.sub() == core::nat::add) return left + right;
    if (app.sub() == core::nat::sub) return left - right;
    return left * right;
}

std::string polynomial_text(const Polynomial& sum, const std::function<std::string(Polynomial::Var)>& name) {
    std::string text;
    Polynomial::Number last = 0;
    auto sign               = [&](Polynomial::Number n) { return n < 0 || text.empty() ? "" : "+"; };
    for (auto& [monomial, coefficient] : sum.terms()) {
        if (monomial.empty()) {
            last = coefficient;
            continue;
        }
        text += sign(coefficient);
        if (coefficient == -1) text += "-";
        else if (coefficient != 1) text += cli::number_text(coefficient) + "*";
        for (size_t i = 0; i != monomial.size(); ++i) text += (i == 0 ? "" : "*") + name(monomial[i]);
    }
    if (last == 0 && !text.empty()) return text;
    return text + sign(last) + cli::number_text(last);
}

/// A size by its name; sizes are printed in the order of the program's parameters, whatever used one first.
struct SizeName {
    std::string text;
    Polynomial::Var rank;
};
using Names = std::map<Polynomial::Var, SizeName>;

static void collect_names(World& w, const Def* size, Names& names) {
    if (size->isa<Lit>()) return;
    auto app = match<core::nat>(size);
    if (app) {
        for (auto part : elems<2>(w, app.arg())) collect_names(w, part, names);
        return;
    }
    auto name         = w.notes.name(size);
    auto& known       = names[size->id()];
    auto extract      = size->isa<Extract>();
    auto index        = extract ? value(extract->index()) : std::nullopt;
    bool is_projected = !name && index && extract->tuple()->isa<Var>();
    if (is_projected) {
        auto fields = w.notes.fields(extract->tuple()->as<Var>()->binder());
        if (fields && *index < fields->size()) name = (*fields)[*index];
    }
    known.text = name ? std::string(name.view()) : "n" + std::to_string(size->id());
    known.rank = index ? static_cast<Polynomial::Var>(*index) : size->id();
}

std::string size_text(World& w, const Def* size) {
    Names names;
    collect_names(w, size, names);
    std::map<Polynomial::Var, Polynomial> ranks;
    std::map<Polynomial::Var, std::string> texts;
    for (auto& [id, name] : names) {
        ranks.emplace(id, Polynomial::variable(name.rank));
        texts.emplace(name.rank, name.text);
    }
    return polynomial_text(read_size(w, size).replace(ranks), [&](Polynomial::Var x) { return texts.at(x); });
}

std::string type_text(World& w, const Def* type) {
    if (type == w.nat()) return "Nat";
    if (is_float(w, type)) return "Float";
    if (auto size = isa_idx(type)) return "(Idx " + size_text(w, size) + ")";
    if (auto array = isa_array(w, type)) return "(" + size_text(w, array->first) + " => " + type_text(w, array->second) + ")";
    if (auto pair = isa_pair(w, type)) return "(" + type_text(w, pair->first) + " × " + type_text(w, pair->second) + ")";
    if (auto pi = type->isa<Pi>()) return "(" + type_text(w, pi->dom()) + " → " + type_text(w, pi->codom()) + ")";
    throw std::runtime_error("a list has a type that is none of its own");
}

} // namespace mim::plug::ainf
