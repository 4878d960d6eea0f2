// SPDX-License-Identifier: MIT
// See conversions.h.
#include "backend/llvm/conversions.h"

#include "analysis/pointee.h"
#include "backend/llvm/arrays.h"
#include "backend/llvm/expressions.h"
#include "backend/llvm/pointees.h"
#include "backend/llvm/unions.h"

namespace mim::backend::llvm {

/// The one value of a type ⦃e⦄ or «n; ⦃e⦄»; null if the type is neither.
static const Def* only_value(World& world, const Def* type) {
    if (auto sing = type->isa<Sing>()) return sing->value();
    auto arr  = type->isa<Arr>();
    auto elem = arr && !arr->var() ? arr->body()->isa<Sing>() : nullptr;
    return elem ? world.pack(arr->arity(), elem->value()) : nullptr;
}

Value Conversions::as(const Def* def, const Def* type) {
    auto to = types_.type(type);
    if (!to) return {};
    auto from = def->type();
    if (auto only = only_value(ctx_.world, from)) return as(only, type);
    if (is_by_address(type)) return convert(values_.emit(def), from, type);
    bool has_new_part = omits_singleton(ctx_.world, from, type);
    bool is_same      = types_.type(from) == to && !has_new_part && !is_other_union(ctx_.world, from, type)
                   && !arrays_.is_other(from, type);
    bool is_in_parts = def->isa<Tuple>() || has_new_part;
    if (!is_in_parts || is_same) return convert(values_.emit(def), from, type);
    auto n = lit_arity(ctx_.world, from);
    std::vector<Value> elems;
    for (int64_t i = 0; i != n; ++i) {
        auto elem_type = elem_decl(ctx_.world, type, size_t(i));
        elems.push_back(as(ctx_.world.extract(def, uint64_t(i)), elem_type));
    }
    bool is_flat = is_struct(to) || types_.num_fields(type) == 1;
    return is_flat ? build_.aggregate(elems) : build_.fill(unwrap(to), unwrap_all(elems));
}

Value Conversions::convert(Value v, const Def* from, const Def* to) {
    auto from_type = types_.type(from), to_type = types_.type(to);
    if (!to_type) return {};
    if (auto only = only_value(ctx_.world, from)) return as(only, to);
    check_pointees(ctx_, types_, from, to);
    if (is_by_address(from) || is_by_address(to)) return arrays_.convert(v, from, to);
    bool is_other = is_other_union(ctx_.world, from, to);
    if (is_other && (from->isa<Union>() || to->isa<Union>())) return unions_.convert(v, from, to);
    if (!omits_singleton(ctx_.world, from, to)) {
        if (from_type == to_type && !is_other && !arrays_.is_other(from, to)) return v;
        if (build_.is_int(to_type)) return from_type ? build_.resize(v, to_type) : build_.zero(to_type);
        if (!from_type) return build_.zero(to_type);
    }
    auto n = lit_arity(ctx_.world, to);
    if (n < 2 || lit_arity(ctx_.world, from) != n) ctx_.reports.fail_here(Diag::run_time_layout, {ctx_.reports.show(to)});
    std::vector<Value> elems;
    for (int64_t i = 0; i != n; ++i) {
        auto part = elem_decl(ctx_.world, from, size_t(i));
        elems.push_back(convert(project(v, from, uint64_t(i)), part, elem_decl(ctx_.world, to, size_t(i))));
    }
    if (!to->isa<Arr>()) return build_.aggregate(elems);
    return build_.fill(unwrap(to_type), unwrap_all(elems));
}

Value Conversions::project(Value agg, const Def* def, uint64_t i) {
    if (is_by_address(def)) return arrays_.project(agg, def, i);
    auto field = types_.field_of(def, i);
    if (!agg || field < 0) return {};
    return def->isa<Sigma>() && types_.num_fields(def) == 1 ? agg : build_.extract_value(agg, unsigned(field));
}

std::vector<LLVMValueRef> Conversions::args_of(const CnView& view, Value v, const Def* type) {
    std::vector<LLVMValueRef> args;
    for (auto& p : view.params) {
        auto part      = v;
        auto part_type = type;
        auto step      = [&](int i) {
            part      = project(part, part_type, uint64_t(i));
            part_type = elem_decl(ctx_.world, part_type, size_t(i));
        };
        if (view.arity != 1) step(p.outer);
        if (p.inner >= 0) step(p.inner);
        if (auto converted = convert(part, part_type, p.type)) args.push_back(unwrap(converted));
    }
    return args;
}

} // namespace mim::backend::llvm
