// SPDX-License-Identifier: MIT
// Expressions as values of LLVM. What the schedule placed is found in the environment; the rest (tuples, projections, literals) is
// made where it is used and remembered until the scope (a subtree of the dominator tree) is left.
#include <bit>

#include "analysis/schedule.h"
#include "backend/llvm/emitter.h"
#include "ir/token_types.h"

namespace mim::backend::llvm {

static std::vector<LLVMValueRef> unwrap_all(const std::vector<Value>& values) {
    std::vector<LLVMValueRef> result;
    for (auto v : values) result.push_back(unwrap(v));
    return result;
}

/// A parameter of a singleton type is the value that the type names: nothing is passed, and nothing is known by that.
void Emitter::set(const Def* def, Value v) {
    if (!v && def->type() && lower(def->type())) return;
    if (env_.emplace(def, v).second) trail_.push_back(def);
}

Value Emitter::emit(const Def* def) {
    if (auto i = env_.find(def); i != env_.end()) return i->second;
    if (def->isa<Lit>()) return emit_lit(def);
    if (!def->type() || !lower(def->type())) return {};
    auto v = emit_new(def);
    set(def, v);
    return v;
}

Value Emitter::elem(const Def* def, size_t i) {
    if (auto tuple = def->isa<Tuple>()) return emit(tuple->op(i));
    return emit(world_.extract(def, i));
}

/// Only an operation may have an effect: of anything else without run-time value there is nothing to emit.
Value Emitter::emit_new(const Def* def) {
    if (!def->isa<App>() && !def->isa<Axm>() && (!def->type() || !lower(def->type()))) return {};
    return check_value(def->type(), emit_node(def));
}

Value Emitter::emit_node(const Def* def) {
    switch (def->node()) {
        case Node::Var: return emit_var(def);
        case Node::Tuple: return emit_tuple(def);
        case Node::Pack: return emit_pack(def);
        case Node::Extract: return emit_extract(def->as<Extract>());
        case Node::Insert: return emit_insert(def->as<Insert>());
        case Node::Inj: return emit_inj(def->as<Inj>());
        case Node::App: return emit_app(def);
        case Node::Axm:
            if (def->as<Axm>()->axiom().kind == Axiom::Op) return emit_app(def);
            return c_pointer(def->as<Axm>());
        case Node::Lam: return Value(pointer_to(def->as<Lam>()));
        default: run_time_layout(def);
    }
}

Value Emitter::emit_lit(const Def* def) {
    auto t = type(def->type());
    if (!t) return {};
    auto bits = def->as<Lit>()->value();
    if (is_float(t)) return float_bits(t, bits);
    if (is_ptr(t)) return bits ? Value(LLVMConstIntToPtr(unwrap(i64(bits)), unwrap(t))) : zero(t);
    return int_const(t, bits);
}

void Emitter::return_as_value(const Def* ret, const Lam* owner) {
    error_at_return(state_.place, Diag::return_escapes, {name_of(ret), name_of(owner)});
    throw Failed();
}

/// A variable as a whole, or its group of parameters: the parameters put together.
Value Emitter::emit_var(const Def* def) {
    auto var = def->isa<Extract>() ? def->as<Extract>()->tuple() : def;
    auto lam = var->as<Var>()->binder()->isa<Lam>();
    auto n   = world_.lit_arity(def->type());
    if (auto owner = program_->isa_ret(def)) return_as_value(def, owner);
    if (!lam || n < 2) fail(state_.place, Diag::needs_closure, {name_of(lam ? lam : def)});
    std::vector<Value> elems;
    for (int64_t i = 0; i != n; ++i) {
        auto elem = world_.extract(def, uint64_t(i));
        if (program_->isa_ret(elem) && type(elem->type())) return_as_value(elem, lam);
        elems.push_back(
            as(elem, elem_decl(world_, def->type(), size_t(i)))); // what has the type ⦃e⦄ is e, but takes no room here
    }
    if (def->type()->isa<Sigma>()) return aggregate(elems);
    return fill(lower(def->type()), unwrap_all(elems));
}

/// The one value of a type ⦃e⦄ or «n; ⦃e⦄»; null if the type is neither.
static const Def* only_value(World& world, const Def* type) {
    if (auto sing = type->isa<Sing>()) return sing->value();
    auto arr  = type->isa<Arr>();
    auto elem = arr && !arr->var() ? arr->body()->isa<Sing>() : nullptr;
    return elem ? world.pack(arr->arity(), elem->value()) : nullptr;
}

/// `def` in the layout that `type` has.
Value Emitter::as(const Def* def, const Def* type) {
    auto to = this->type(type);
    if (!to) return {};
    auto from = def->type();
    if (auto only = only_value(world_, from)) return as(only, type);
    bool has_new_part = omits_singleton(world_, from, type);
    bool is_same      = this->type(from) == to && !has_new_part && !is_other_union(from, type);
    bool is_in_parts  = def->isa<Tuple>() || has_new_part;
    if (!is_in_parts || is_same) return convert(emit(def), from, type);
    auto n = world_.lit_arity(from);
    std::vector<Value> elems;
    for (int64_t i = 0; i != n; ++i) elems.push_back(as(world_.extract(def, uint64_t(i)), elem_decl(world_, type, size_t(i))));
    bool is_struct = LLVMGetTypeKind(unwrap(to)) == LLVMStructTypeKind || num_fields(type) == 1;
    return is_struct ? aggregate(elems) : fill(unwrap(to), unwrap_all(elems));
}

/// `v` of the type `from` in the layout that `to` has. A value of a type ⦃e⦄, which takes no room, is e.
Value Emitter::convert(Value v, const Def* from, const Def* to) {
    auto from_type = type(from), to_type = type(to);
    if (!to_type) return {};
    if (auto only = only_value(world_, from)) return as(only, to);
    check_memory(from, to);
    bool is_other = is_other_union(from, to);
    if (is_other && (from->isa<Union>() || to->isa<Union>())) return convert_union(v, from, to);
    if (!omits_singleton(world_, from, to)) {
        if (from_type == to_type && !is_other) return v;
        if (is_int(to_type)) return from_type ? resize(v, to_type) : zero(to_type);
        if (!from_type) return zero(to_type);
    }
    auto n = world_.lit_arity(to);
    if (n < 2 || world_.lit_arity(from) != n) fail(state_.place, Diag::run_time_layout, {show(to)});
    std::vector<Value> elems;
    for (int64_t i = 0; i != n; ++i) {
        auto part = elem_decl(world_, from, size_t(i));
        elems.push_back(convert(project(v, from, uint64_t(i)), part, elem_decl(world_, to, size_t(i))));
    }
    if (!to->isa<Arr>()) return aggregate(elems);
    return fill(unwrap(to_type), unwrap_all(elems));
}

Value Emitter::emit_tuple(const Def* def) {
    std::vector<Value> elems;
    if (def->type()->isa<Arr>()) {
        std::vector<LLVMValueRef> values;
        for (auto op : def->ops()) values.push_back(unwrap(as(op, def->type()->as<Arr>()->body())));
        return fill(lower(def->type()), std::move(values));
    }
    for (size_t i = 0; i != def->num_ops(); ++i) elems.push_back(as(def->op(i), elem_decl(world_, def->type(), i)));
    return aggregate(elems);
}

/// Arrays up to this length are built value by value.
static constexpr uint64_t max_inline_pack = 64;
/// Constant ones up to this length are written out in the object file.
static constexpr uint64_t max_constant_pack = 1 << 24;

Value Emitter::emit_pack(const Def* def) {
    auto lit = isa_lit(def->as<Pack>()->arity());
    if (!lit) run_time_layout(def->type());
    auto t = type(def->type());
    if (def->var()) return emit_pack_loop(def, lit->value());
    auto v = as(def->as<Pack>()->body(), elem_decl(world_, def->type(), 0));
    if (LLVMIsConstant(unwrap(v))) {
        if (LLVMIsNull(unwrap(v))) return zero(t);
        if (lit->value() > max_constant_pack) too_large(def->type(), max_constant_pack);
        std::vector<LLVMValueRef> elems(lit->value(), unwrap(v));
        return Value(LLVMConstArray2(LLVMTypeOf(unwrap(v)), elems.data(), elems.size()));
    }
    if (lit->value() > max_inline_pack) return emit_pack_loop(def, lit->value());
    auto agg = undef(t);
    for (unsigned i = 0; i != lit->value(); ++i) agg = insert_value(agg, v, i);
    return agg;
}

/// Fills memory in a loop. The body is evaluated inside: the schedule does not look into binders.
Value Emitter::emit_pack_loop(const Def* def, uint64_t n) {
    auto t    = type(def->type());
    auto elem = Type(LLVMGetElementType(unwrap(t)));
    auto mem  = alloca_(t);
    auto size = i64(n);
    auto from = current(), head = new_block("pack"), exit = new_block("packed");
    jump(head);
    enter(head);
    auto i    = LLVMBuildPhi(builder_, unwrap(int_type(64)), "i");
    auto mark = trail_.size();
    if (def->var()) {
        auto var_type = type(def->var()->type());
        set(def->var(), var_type ? resize(Value(i), var_type) : Value());
    }
    store(as(def->as<Pack>()->body(), elem_decl(world_, def->type(), 0)), gep(elem, mem, Value(i)), {});
    for (; trail_.size() > mark; trail_.pop_back()) env_.erase(trail_.back());
    auto next = bin(Bin::Add, Value(i), i64(1), NUW);
    auto back = current();
    branch(cmp(Cmp::ULt, next, size), head, exit);
    LLVMValueRef values[]      = {unwrap(i64(0)), unwrap(next)};
    LLVMBasicBlockRef blocks[] = {static_cast<LLVMBasicBlockRef>(from.get()), static_cast<LLVMBasicBlockRef>(back.get())};
    LLVMAddIncoming(i, values, blocks, 2);
    enter(exit);
    return unspill(t, mem);
}

/// Elements of a Σ that have a run-time value.
size_t Emitter::num_fields(const Def* def) {
    if (!def->isa<Sigma>()) return size_t(world_.lit_arity(def));
    size_t n = 0;
    for (auto op : def->ops()) n += lower(op) != nullptr;
    return n;
}

/// Place of element i among those with a run-time value, -1 if it has none.
int Emitter::field_of(const Def* def, uint64_t i) {
    if (!def->isa<Sigma>()) return int(i);
    int field = 0;
    for (uint64_t j = 0; j != i; ++j) field += lower(def->op(j)) != nullptr;
    return lower(def->op(i)) ? field : -1;
}

/// Element i of a value of the Mim type `def`, in the layout it is declared with.
Value Emitter::project(Value agg, const Def* def, uint64_t i) {
    auto field = field_of(def, i);
    if (!agg || field < 0) return {};
    return def->isa<Sigma>() && num_fields(def) == 1 ? agg : extract_value(agg, unsigned(field));
}

Value Emitter::emit_extract(const Extract* extract) {
    auto tuple = extract->tuple();
    if (auto lit = isa_lit(extract->index())) {
        if (auto owner = program_->isa_ret(extract)) return_as_value(extract, owner);
        if (tuple->isa<Var>() && !env_.contains(tuple)) return emit_var(extract);
        auto decl = elem_decl(world_, tuple->type(), lit->value());
        return convert(project(emit(tuple), tuple->type(), lit->value()), decl, extract->type());
    }
    return emit_dynamic(extract);
}

Value Emitter::spill(Value v) {
    auto mem = alloca_(type_of(v));
    // large values may come to lie there without being copied (large.h)
    bool is_held = v && !LLVMIsConstant(unwrap(v)) && leaves(LLVMTypeOf(unwrap(v)), max_scalars + 1) > max_scalars;
    if (is_held) LLVMBuildStore(builder_, unwrap(v), unwrap(mem));
    else store(v, mem, {});
    return mem;
}

/// The value that was put together in memory of its own.
Value Emitter::unspill(Type t, Value mem) {
    auto v = load(t, mem, {});
    if (v) state_.places.homes.emplace(unwrap(v), unwrap(mem));
    return v;
}

/// The index of an access that may be made on a path that does not need it: there, an undefined operation may have left its type, or
/// be a value of LLVM with which no access may be made. Sizes that are powers of two cannot be left.
Value Emitter::in_range(const Def* index) {
    auto i    = emit(index);
    auto size = isa_lit(isa_idx(index->type()));
    if (!i || checked()) return i;
    if (LLVMIsUndef(unwrap(i))) return zero(type_of(i));
    if (LLVMIsConstant(unwrap(i))) return i;
    i = Value(LLVMBuildFreeze(builder_, unwrap(i), ""));
    return size && !std::has_single_bit(size->value()) ? umin(i, int_const(type_of(i), size->value() - 1)) : i;
}

/// With --checked nothing is on a path that does not need it, but memory that C wrote may hold any index.
static void check_index(Emitter& e, const Def* access, const Def* index) {
    auto i    = e.emit(index);
    auto size = isa_lit(isa_idx(index->type()));
    if (!e.checked() || !i || !size || std::has_single_bit(size->value()) || LLVMIsConstant(unwrap(i))) return;
    e.trap_if(e.cmp(Cmp::UGe, i, e.int_const(e.type_of(i), size->value())), access, "index out of range");
}

Value Emitter::emit_dynamic(const Extract* extract) {
    auto tuple = extract->tuple();
    check_index(*this, extract, extract->index());
    auto index  = emit(extract->index());
    auto result = extract->type();
    auto n      = world_.lit_arity(tuple->type());
    if (!index) return as(world_.extract(tuple, uint64_t(0)), result);
    if (n == 2) {
        auto bit = is_int(type_of(index)) && bits(type_of(index)) == 1 ? index : cmp(Cmp::Ne, index, zero(type_of(index)));
        auto a   = as(world_.extract(tuple, uint64_t(0)), result);
        return select(bit, as(world_.extract(tuple, uint64_t(1)), result), a);
    }
    if (tuple->type()->isa<Arr>()) {
        auto v   = emit(tuple);
        auto mem = LLVMIsConstant(unwrap(v)) ? Value() : spill(v);
        if (mem) {
            state_.places.views.insert(unwrap(mem));
        } else {
            mem = Value(table(unwrap(v)));
        }
        auto elem = type(tuple->type()->as<Arr>()->body());
        return load(elem, gep(elem, mem, in_range(extract->index())), {});
    }
    // a Σ whose elements agree in their layout
    Value result_value;
    for (int64_t i = n; i-- != 0;) {
        auto v       = as(world_.extract(tuple, uint64_t(i)), result);
        auto is_this = cmp(Cmp::Eq, index, int_const(type_of(index), uint64_t(i)));
        result_value = result_value ? select(is_this, v, result_value) : v;
    }
    return result_value;
}

Value Emitter::emit_insert(const Insert* insert) {
    auto def = insert->type();
    auto agg = as(insert->tuple(), def);
    if (auto lit = isa_lit(insert->index())) {
        auto field = field_of(def, lit->value());
        if (field < 0) return agg;
        auto v = as(insert->value(), elem_decl(world_, def, lit->value()));
        return def->isa<Sigma>() && num_fields(def) == 1 ? v : insert_value(agg, v, unsigned(field));
    }
    check_index(*this, insert, insert->index());
    auto index = in_range(insert->index());
    auto mem   = spill(agg);
    auto decl  = elem_decl(world_, def, 0);
    if (!def->isa<Arr>()) fail(state_.place, Diag::run_time_layout, {show(def)});
    store(as(insert->value(), decl), gep(type(decl), mem, index), {});
    return unspill(type(def), mem);
}

/// A call, or a function that is passed, which no phase has brought into continuation-passing style. What takes types stays direct if these
/// are not known.
void Emitter::direct_style_left(const Def* def, const Def* at) {
    auto app    = def->isa<App>();
    auto callee = app ? app->callee() : def;
    auto pi     = callee->type()->isa<Pi>();
    if (!pi || !binds_types(pi->dom())) return error(at, Diag::direct_style_left, {name_of(callee)});
    error(at, Diag::run_time_layout, {show(app ? app->arg() : callee->type())});
}

Value Emitter::emit_app(const Def* def) {
    auto axm = head_axiom(def);
    if (!axm || axm->axiom().kind != Axiom::Op) {
        direct_style_left(def, state_.place);
        throw Failed();
    }
    auto& axiom  = axm->axiom();
    auto emitter = axiom.emitter(target());
    if (emitter && emitter->op) return emitter->op(*this, def);
    auto name = axiom.name.view();
    auto from = name.starts_with('%') ? 1 : 0;
    fail(def, Diag::no_emitter,
         {std::string(name), std::string(name.substr(from, name.find('.') - from)), std::string(target())});
}

// addresses

Value Emitter::lea(const Def* pointee, Value ptr, const Def* index) {
    auto lit = isa_lit(index);
    if (auto arr = pointee->isa<Arr>()) {
        auto i = emit(index);
        if (auto wide = state_.wide.find(unwrap(i)); wide != state_.wide.end()) i = Value(wide->second);
        return i ? gep(type(arr->body()), ptr, i) : ptr;
    }
    if (!pointee->isa<Sigma>()) return ptr;
    auto t = type(pointee);
    if (lit) {
        auto field = field_of(pointee, lit->value());
        return field < 0 || num_fields(pointee) == 1 ? ptr : field_ptr(t, ptr, unsigned(field));
    }
    // unknown index into a Σ: a table of offsets
    auto i = emit(index);
    if (!i || num_fields(pointee) < 2) return ptr;
    auto offset = i64(0);
    for (size_t k = 0; k != pointee->num_ops(); ++k) {
        auto field = field_of(pointee, k);
        auto bytes = field < 0 ? 0 : LLVMOffsetOfElement(settings_.data, unwrap(t), unsigned(field));
        offset     = select(cmp(Cmp::Eq, i, int_const(type_of(i), k)), i64(bytes), offset);
    }
    return byte_gep(ptr, offset);
}

} // namespace mim::backend::llvm
