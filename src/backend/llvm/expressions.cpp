// SPDX-License-Identifier: MIT
// See expressions.h.
#include "backend/llvm/expressions.h"

#include "analysis/pointee.h"
#include "backend/llvm/constants.h"
#include "backend/llvm/function_values.h"
#include "ir/token_types.h"

namespace mim::backend::llvm {

Value Expressions::emit(const Def* def) {
    if (auto known = scope_.find(def)) return *known;
    if (def->isa<Lit>()) return emit_lit(def);
    if (!def->type() || !types_.lower(def->type())) return {};
    auto v = emit_new(def);
    if (!is_unwritten(def)) scope_.set(def, v); // of those each is another one
    return v;
}

Value Expressions::elem(const Def* def, size_t i) {
    if (auto tuple = def->isa<Tuple>()) return emit(tuple->op(i));
    return emit(ctx_.world.extract(def, i));
}

/// Only an operation may have an effect: of anything else without run-time value there is nothing to emit.
Value Expressions::emit_new(const Def* def) {
    if (!def->isa<App>() && !def->isa<Axm>() && (!def->type() || !types_.lower(def->type()))) return {};
    return types_.check_value(def->type(), emit_node(def));
}

Value Expressions::emit_node(const Def* def) {
    switch (def->node()) {
        case Node::Var: return emit_var(def);
        case Node::Tuple: return emit_tuple(def);
        case Node::Pack: return emit_pack(def);
        case Node::Extract: return emit_extract(def->as<Extract>());
        case Node::Insert: return emit_insert(def->as<Insert>());
        case Node::Inj: return unions_.inject(def->as<Inj>());
        case Node::App: return emit_app(def);
        case Node::Axm:
            if (def->as<Axm>()->axiom().kind == Axiom::Op) return emit_app(def);
            return Value(functions_.of(def->as<Axm>()));
        case Node::Lam: return Value(functions_.of(def->as<Lam>()));
        default: ctx_.reports.run_time_layout(def);
    }
}

Value Expressions::emit_lit(const Def* def) {
    auto t = types_.type(def->type());
    if (!t) return {};
    auto bits = def->as<Lit>()->value();
    if (build_.is_float(t)) return build_.float_bits(t, bits);
    if (build_.is_ptr(t)) return bits ? Value(LLVMConstIntToPtr(unwrap(build_.i64(bits)), unwrap(t))) : build_.zero(t);
    return build_.int_const(t, bits);
}

/// A variable as a whole, or its group of parameters: the parameters put together.
Value Expressions::emit_var(const Def* def) {
    auto var = def->isa<Extract>() ? def->as<Extract>()->tuple() : def;
    auto lam = var->as<Var>()->binder()->isa<Lam>();
    auto n   = lit_arity(ctx_.world, def->type());
    if (auto owner = ctx_.program.isa_ret(def)) ctx_.reports.return_as_value(def, owner);
    if (!lam || n < 2) ctx_.reports.fail_here(Diag::needs_closure, {ctx_.reports.name_of(lam ? lam : def)});
    std::vector<Value> elems;
    std::vector<const Def*> parts;
    for (int64_t i = 0; i != n; ++i) parts.push_back(ctx_.world.extract(def, uint64_t(i)));
    if (is_by_address(def->type())) return arrays_.of(def, parts);
    for (int64_t i = 0; i != n; ++i) {
        auto elem = parts[size_t(i)];
        if (ctx_.program.isa_ret(elem) && types_.type(elem->type())) ctx_.reports.return_as_value(elem, lam);
        auto type = elem_decl(ctx_.world, def->type(), size_t(i));
        elems.push_back(conversions_.as(elem, type)); // what has the type ⦃e⦄ is e, but takes no room here
    }
    if (def->type()->isa<Sigma>()) return build_.aggregate(elems);
    return build_.fill(types_.lower(def->type()), unwrap_all(elems));
}

Value Expressions::emit_tuple(const Def* def) {
    std::vector<Value> elems;
    if (is_constant_array(def)) return arrays_.data(def);
    if (is_by_address(def->type())) return arrays_.of(def, def->ops());
    if (def->type()->isa<Arr>()) {
        std::vector<LLVMValueRef> values;
        for (auto op : def->ops()) values.push_back(unwrap(conversions_.as(op, def->type()->as<Arr>()->body())));
        return build_.fill(types_.lower(def->type()), std::move(values));
    }
    for (size_t i = 0; i != def->num_ops(); ++i) {
        auto type = elem_decl(ctx_.world, def->type(), i);
        elems.push_back(conversions_.as(def->op(i), type));
    }
    return build_.aggregate(elems);
}

/// Arrays up to this length are built value by value.
static constexpr uint64_t max_inline_pack = 64;

/// Constant ones up to this length are written out in the object file.
static constexpr uint64_t max_constant_pack = 1 << 24;

Value Expressions::emit_pack(const Def* def) {
    auto lit = isa_lit(def->as<Pack>()->arity());
    auto t   = types_.type(def->type());
    if (is_constant_array(def)) return arrays_.data(def);
    if (def->var() || is_by_address(def->type())) return arrays_.pack(def->as<Pack>());
    auto v = conversions_.as(def->as<Pack>()->body(), elem_decl(ctx_.world, def->type(), 0));
    if (LLVMIsConstant(unwrap(v))) {
        if (LLVMIsNull(unwrap(v))) return build_.zero(t);
        if (lit->value() > max_constant_pack) types_.too_large(def->type(), max_constant_pack);
        std::vector<LLVMValueRef> elems(lit->value(), unwrap(v));
        return Value(LLVMConstArray2(LLVMTypeOf(unwrap(v)), elems.data(), elems.size()));
    }
    if (lit->value() > max_inline_pack) return arrays_.pack(def->as<Pack>());
    auto agg = build_.undef(t);
    for (unsigned i = 0; i != lit->value(); ++i) agg = build_.insert_value(agg, v, i);
    return agg;
}

Value Expressions::emit_extract(const Extract* extract) {
    auto tuple = extract->tuple();
    if (auto lit = isa_lit(extract->index())) {
        if (auto owner = ctx_.program.isa_ret(extract)) ctx_.reports.return_as_value(extract, owner);
        if (tuple->isa<Var>() && !scope_.contains(tuple)) return emit_var(extract);
        auto decl = elem_decl(ctx_.world, tuple->type(), lit->value());
        return conversions_.convert(conversions_.project(emit(tuple), tuple->type(), lit->value()), decl, extract->type());
    }
    return emit_dynamic(extract);
}

Value Expressions::emit_dynamic(const Extract* extract) {
    auto tuple = extract->tuple();
    addresses_.check(extract, extract->index());
    if (is_by_address(tuple->type())) return arrays_.extract(extract);
    if (arrays_.is_row_in_memory(tuple)) return arrays_.extract_of_row(extract);
    auto index  = emit(extract->index());
    auto result = extract->type();
    auto n      = lit_arity(ctx_.world, tuple->type());
    if (!index) return conversions_.as(ctx_.world.extract(tuple, uint64_t(0)), result);
    if (n == 2) {
        auto t   = build_.type_of(index);
        auto bit = build_.is_int(t) && build_.bits(t) == 1 ? index : build_.cmp(Cmp::Ne, index, build_.zero(t));
        auto a   = conversions_.as(ctx_.world.extract(tuple, uint64_t(0)), result);
        return build_.select(bit, conversions_.as(ctx_.world.extract(tuple, uint64_t(1)), result), a);
    }
    if (tuple->type()->isa<Arr>()) {
        auto v    = emit(tuple);
        auto mem  = LLVMIsConstant(unwrap(v)) ? Value(table(unwrap(v))) : spills_.view(v);
        auto elem = types_.type(tuple->type()->as<Arr>()->body());
        return build_.load(elem, build_.gep(elem, mem, addresses_.in_range(extract->index())), {});
    }
    // a Σ whose elements agree in their layout
    Value result_value;
    for (int64_t i = n; i-- != 0;) {
        auto v       = conversions_.as(ctx_.world.extract(tuple, uint64_t(i)), result);
        auto is_this = build_.cmp(Cmp::Eq, index, build_.int_const(build_.type_of(index), uint64_t(i)));
        result_value = result_value ? build_.select(is_this, v, result_value) : v;
    }
    return result_value;
}

Value Expressions::emit_insert(const Insert* insert) {
    auto def = insert->type();
    if (is_by_address(def)) {
        addresses_.check(insert, insert->index());
        return arrays_.insert(insert);
    }
    auto agg = conversions_.as(insert->tuple(), def);
    if (auto lit = isa_lit(insert->index())) {
        auto field = types_.field_of(def, lit->value());
        if (field < 0) return agg;
        auto v = conversions_.as(insert->value(), elem_decl(ctx_.world, def, lit->value()));
        return def->isa<Sigma>() && types_.num_fields(def) == 1 ? v : build_.insert_value(agg, v, unsigned(field));
    }
    addresses_.check(insert, insert->index());
    auto index = addresses_.in_range(insert->index());
    auto mem   = spills_.spill(agg);
    auto decl  = elem_decl(ctx_.world, def, 0);
    if (!def->isa<Arr>()) ctx_.reports.fail_here(Diag::run_time_layout, {ctx_.reports.show(def)});
    build_.store(conversions_.as(insert->value(), decl), build_.gep(types_.type(decl), mem, index), {});
    return spills_.unspill(types_.type(def), mem);
}

Value Expressions::emit_app(const Def* def) {
    auto axm = head_axiom(def);
    if (!axm || axm->axiom().kind != Axiom::Op) {
        ctx_.reports.direct_style_left(def, ctx_.frame.place);
        throw Failed();
    }
    auto& axiom  = axm->axiom();
    auto emitter = axiom.emitter(build_.target());
    if (!emitter || !emitter->op) ctx_.reports.no_emitter(def, axiom, build_.target());
    auto value    = run_emitter(axiom, emitter->op, def);
    auto expected = types_.lower(def->type());
    auto given    = value ? LLVMTypeOf(unwrap(value)) : nullptr;
    if (given == expected || ctx_.reports.failed()) return value; // it may have reported why it has none
    auto what = "gives " + text_of(given) + " for `" + ctx_.reports.show(def->type()) + "`, which is " + text_of(expected);
    ctx_.reports.emitter_broke(def, axiom, build_.target(), what);
}

Value Expressions::run_emitter(const Axiom& axiom, OpEmitter emitter, const Def* app) {
    try {
        auto mark  = checked_.begin();
        auto value = ctx_.reports.call(axiom, "the emitter of", app, [&] { return emitter(checked_, app); });
        if (!ctx_.reports.failed()) checked_.end(mark);
        return value;
    } catch (const Misuse& e) {
        ctx_.reports.emitter_broke(app, axiom, build_.target(), e.what);
    }
}

Value Expressions::emit_inside(const Def* def, const Def* type) {
    auto mark  = scope_.mark();
    auto value = conversions_.as(def, type);
    scope_.leave(mark);
    return value;
}

/// A constant in memory, once for the module.
LLVMValueRef Expressions::table(LLVMValueRef constant) {
    auto& global = tables_[constant];
    if (global) return global;
    auto bytes = as_bytes(constant);
    global     = constant_global(build_.module(), bytes ? bytes : constant, "table");
    LLVMSetAlignment(global, LLVMPreferredAlignmentOfType(build_.data(), LLVMTypeOf(constant)));
    return global;
}

} // namespace mim::backend::llvm
