// SPDX-License-Identifier: MIT
// See types.h.
#include "backend/llvm/types.h"

#include <algorithm>

#include "analysis/pointee.h"
#include "backend/llvm/checked_emit.h"
#include "ir/layout.h"

namespace mim::backend::llvm {

static unsigned idx_bits(const Def* size) {
    auto lit = size->isa<Lit>();
    if (!lit || lit->is_2_64()) return 64;
    auto n = lit->value();
    if (n <= 1) return 0;
    for (unsigned bits : {1u, 8u, 16u, 32u})
        if (n - 1 < (uint64_t(1) << bits)) return bits;
    return 64;
}

LLVMTypeRef TypeLowering::lower(const Def* def) {
    if (auto i = types_.find(def); i != types_.end()) return i->second;
    auto result = lower_new(def);
    if (result) check_size(def, result);
    return types_[def] = result;
}

LLVMTypeRef TypeLowering::lower_memory(const Def* def) {
    if (auto i = in_memory_.find(def); i != in_memory_.end()) return i->second;
    auto result = lower(def);
    if (result && holds_large_array(def)) {
        result = lower_in_memory(def);
        check_size(def, result);
    }
    return in_memory_[def] = result;
}

LLVMTypeRef TypeLowering::lower_in_memory(const Def* def) {
    if (auto arr = def->isa<Arr>()) return LLVMArrayType2(lower_memory(arr->body()), isa_lit(arr->arity())->value());
    if (def->isa<Union>()) return lower_union(def, &TypeLowering::lower_memory);
    if (auto extract = def->isa<Extract>()) return lower_memory(extract->tuple()->op(0));
    return lower_sigma(def, &TypeLowering::lower_memory);
}

/// Functions that give types are not there at run time.
static bool is_function_type(const Pi* pi) { return pi->codom()->isa<Bot>() || !pi->codom()->isa<Sort>(); }

LLVMTypeRef TypeLowering::lower_new(const Def* def) {
    switch (def->node()) {
        case Node::Sort:
        case Node::Bot:
        case Node::Top:
        case Node::Sing: return nullptr;
        case Node::Nat: return LLVMInt64TypeInContext(module_.context());
        case Node::Pi: return is_function_type(def->as<Pi>()) ? unwrap(module_.ptr_type()) : nullptr;
        case Node::Sigma: return lower_sigma(def, &TypeLowering::lower);
        case Node::Arr: return lower_array(def);
        case Node::Union: return lower_union(def, &TypeLowering::lower);
        case Node::Extract: return lower_extract(def);
        case Node::App:
        case Node::Axm: return lower_app(def);
        default: reports_.run_time_layout(def);
    }
}

LLVMTypeRef TypeLowering::lower_sigma(const Def* def, Lower lower_part) {
    std::vector<LLVMTypeRef> elems;
    for (auto op : def->ops())
        if (auto t = (this->*lower_part)(op)) elems.push_back(t);
    if (elems.empty()) return nullptr;
    return elems.size() == 1 ? elems.front() : module_.struct_of(elems);
}

LLVMTypeRef TypeLowering::lower_array(const Def* def) {
    auto arr = def->as<Arr>();
    auto lit = isa_lit(arr->arity());
    if (lit && lit->value() == 0) return nullptr;
    auto elem = lower(arr->body());
    if (!elem) return nullptr;
    bool has_number = lit || arr->arity()->type()->isa<Nat>(); // it may be of unknown rank
    if (!has_number || !is_dense(def)) reports_.run_time_layout(def);
    if (is_by_address(def)) return unwrap(module_.ptr_type());
    return LLVMArrayType2(elem, lit->value());
}

void TypeLowering::check_memory(const Def* type) {
    if (!memory_types_.insert(type).second) return;
    if (is_open_array(type) ? holds_open_array(innermost(type)) : holds_open_array(type)) reports_.run_time_layout(type);
}

LLVMTypeRef TypeLowering::type_of_plugin(const Axiom& axiom, TypeEmitter emit, const Def* def) {
    auto type = reports_.call(axiom, "the emitter of", def, [&] { return emit(module_, def); });
    check_size(axiom, def, type);
    return unwrap(type);
}

/// The evaluator and the front end know how large values of the type are from another hook, which must say the same.
void TypeLowering::check_size(const Axiom& axiom, const Def* def, backend::Type type) {
    if (!axiom.layout) return;
    auto expect = layout(world_, def);
    auto size   = module_.size_of(type);
    if (!expect || expect->size == size || reports_.failed()) return; // it may have reported why it has none
    auto what = "gives " + text_of(unwrap(type)) + " of " + std::to_string(size) + " bytes for `" + reports_.show(def)
                + "`, whose layout has " + std::to_string(expect->size);
    reports_.emitter_broke(def, axiom, module_.target(), what);
}

LLVMTypeRef TypeLowering::lower_app(const Def* def) {
    if (auto app = def->isa<App>(); app && app->callee()->isa<Idx>()) {
        auto bits = idx_bits(app->arg());
        return bits ? LLVMIntTypeInContext(module_.context(), bits) : nullptr;
    }
    auto axm = head_axiom(def);
    if (!axm) reports_.run_time_layout(def);
    auto& axiom = axm->axiom();
    if (axiom.has(Axiom::LinearType) || axiom.has(Axiom::Erased)) return nullptr;
    auto emitter = axiom.emitter(module_.target());
    if (emitter && emitter->type) return type_of_plugin(axiom, emitter->type, def);
    if (def->type() && def->type()->isa<Pi>()) return nullptr; // a type operator, itself no type
    reports_.no_emitter(def, axiom, module_.target());
}

/// {tag, payload}: the payload is made of integers of the greatest alignment, so that any member can lie in it.
LLVMTypeRef TypeLowering::lower_union(const Def* def, Lower lower_part) {
    uint64_t size = 0, align = 1;
    for (auto op : def->ops()) {
        auto t = Type((this->*lower_part)(op));
        size   = std::max(size, module_.size_of(t));
        align  = std::max(align, module_.align_of(t));
    }
    auto n   = def->num_ops();
    auto tag = LLVMIntTypeInContext(module_.context(), n <= 0x100 ? 8 : n <= 0x10000 ? 16 : 32);
    if (!size) return tag;
    auto unit = LLVMIntTypeInContext(module_.context(), unsigned(std::min<uint64_t>(align, 16) * 8));
    if (align > 16)
        unit = LLVMVectorType(LLVMIntTypeInContext(module_.context(), 8), unsigned(align)); // no integer is aligned like that
    return module_.struct_of({tag, LLVMArrayType2(unit, (size + align - 1) / align)});
}

/// `(T0, …)#i`: has a layout if all Ts agree on it.
LLVMTypeRef TypeLowering::lower_extract(const Def* def) {
    auto tuple = def->as<Extract>()->tuple();
    if (!tuple->isa<Tuple>()) reports_.run_time_layout(def);
    for (auto op : tuple->ops())
        if (!have_one_layout(op, tuple->op(0))) reports_.run_time_layout(def);
    return lower(tuple->op(0));
}

size_t TypeLowering::num_fields(const Def* def) {
    if (!def->isa<Sigma>()) return size_t(lit_arity(world_, def));
    size_t n = 0;
    for (auto op : def->ops()) n += lower(op) != nullptr;
    return n;
}

int TypeLowering::field_of(const Def* def, uint64_t i) {
    if (!def->isa<Sigma>()) return int(i);
    int field = 0;
    for (uint64_t j = 0; j != i; ++j) field += lower(def->op(j)) != nullptr;
    return lower(def->op(i)) ? field : -1;
}

} // namespace mim::backend::llvm
