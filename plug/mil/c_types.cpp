// SPDX-License-Identifier: MIT
#include "c_types.h"

#include <algorithm>

#include "areas.h"
#include "front/chars.h"
#include "mil/diagnostics.h"
#include "stages.h"

namespace mim::plug::mil {

bool is_c_name(const std::string& name) {
    return name != "main" && front::is_letter(name[0]) && std::ranges::all_of(name, front::is_word);
}

CSignature c_signature(Types& types, Type* t) {
    CSignature result{{}, t, false};
    std::vector<Type*> sides;
    while (types.is_apply(result.result, "->", sides) && sides.size() == 2) {
        result.domain.push_back(sides[0]);
        result.result = sides[1];
    }
    result.runs = types.is_apply(result.result, "Proc", sides);
    if (result.runs) result.result = sides[0];
    return result;
}

std::optional<CValue> c_value(Source& source, Type* t) {
    auto& types = source.types;
    std::vector<Type*> parts;
    if (types.is_apply(t, "Bool", parts)) return CValue{CValue::Truth, 1};
    if (is_address(types, t)) return CValue{CValue::Address, 64};
    auto bits    = bit_size(source, t);
    bool is_unit = types.is_apply(t, "Unit", parts); // a constructor, which is an odd number
    if (!bits) return {};
    CValue value{*bits == 0 ? CValue::Nothing : CValue::Row, static_cast<uint32_t>(*bits), is_unit ? uint64_t(1) : 0};
    if (types.is_apply(t, "Ix", parts)) value.limit = types.number_of(parts[0]).value_or(0);
    if (*bits == 0 && !is_unit) value.limit = 1; // a `Bit 0` is an index below 1
    return value;
}

std::optional<CPassing> c_passing(Diagnostics& diags, Source& source, const CSignature& s, const std::vector<Span>& places) {
    CPassing passing;
    bool is_fine = true;
    auto pass    = [&](Type* t, Span place) {
        auto value = c_value(source, t);
        if (!value) diags.report(diag::no_c_type(source.types.text(t)), place);
        bool is_wide = value && value->form == CValue::Row && value->width > source.program.word_bits;
        if (is_wide) diags.report(diag::not_yet("values in C that are wider than a word"), place);
        is_fine = is_fine && value && !is_wide;
        return value.value_or(CValue());
    };
    for (size_t i = 0; i != s.domain.size(); ++i) passing.arguments.push_back(pass(s.domain[i], places[i]));
    passing.result = pass(s.result, places.back());
    return is_fine ? std::optional(passing) : std::nullopt;
}

// ---- functions that C has
// ----------------------------------------------------------------------------------------------------

/// The places of the arguments of a type, as far as its text shows them; then that of the rest.
static std::vector<Span> places_of(const TypeExpr* t, size_t count) {
    std::vector<Span> places;
    auto is_arrow = [](const TypeExpr* e) {
        return e->kind == TypeExpr::Apply && e->parts.size() == 3 && e->parts[0]->name == "->";
    };
    for (; is_arrow(t) && places.size() != count; t = t->parts[2]) places.push_back(t->parts[1]->at);
    places.resize(count + 1, t->at);
    return places;
}

void declare_c_function(Diagnostics& diags, Source& source, const Scheme& scheme, uint32_t primitive) {
    auto& types = source.types;
    auto& prim  = source.program.primitives[primitive];
    auto& c     = source.program.c_functions[prim.c_function];
    auto s      = c_signature(types, scheme.type);
    c.type      = scheme.type;
    c.runs      = s.runs;
    bool is_c   = c.mim_name.empty();
    if (!is_c && !is_annex(c.mim_name)) return void(diags.report(diag::unknown("function of Mim", c.mim_name), c.mim_name_at));
    if (is_c && !is_c_name(prim.name)) diags.report(diag::no_c_name(prim.name), prim.at);
    if (types.is_broken(scheme.type)) return;
    auto places  = places_of(c.text, s.domain.size());
    auto passing = is_c || has_mim_types(diags, source, s, places) ? c_passing(diags, source, s, places) : std::nullopt;
    if (passing) c.passing = std::move(*passing);
    std::vector<Type*> parts;
    bool has_result = !s.runs || !types.is_apply(s.result, "Unit", parts);
    auto range      = has_result ? types.tuple({s.result}) : types.tuple({});
    prim.form       = s.runs ? Primitive::Procedure : Primitive::Function;
    prim.scheme     = {scheme.variables, types.apply(types.con(">>="), {types.tuple(s.domain), range})};
    prim.domain.resize(s.domain.size());
    prim.range.resize(has_result ? 1 : 0);
}

} // namespace mim::plug::mil
