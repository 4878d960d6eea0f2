// SPDX-License-Identifier: MIT
// Types of the calculus as types of LLVM; null stands for a type without run-time value. See emit.h for the representation.
#include <algorithm>

#include "backend/llvm/emitter.h"

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

Type Emitter::type(const Def* def) { return Type(lower(def)); }

LLVMTypeRef Emitter::lower(const Def* def) {
    if (auto i = types_.find(def); i != types_.end()) return i->second;
    LLVMTypeRef result = nullptr;
    switch (def->node()) {
        case Node::Sort:
        case Node::Bot:
        case Node::Top:
        case Node::Sing: break;
        case Node::Nat: result = LLVMInt64TypeInContext(ctx_); break;
        case Node::Pi:
            if (def->as<Pi>()->codom()->isa<Bot>() || !def->as<Pi>()->codom()->isa<Sort>()) result = unwrap(ptr_type(0));
            break;
        case Node::Sigma: {
            std::vector<LLVMTypeRef> elems;
            for (auto op : def->ops())
                if (auto t = lower(op)) elems.push_back(t);
            result = struct_of(elems);
            break;
        }
        case Node::Arr: result = lower_array(def); break;
        case Node::Union: result = lower_union(def); break;
        case Node::Extract: result = lower_extract(def); break;
        case Node::App:
        case Node::Axm: result = lower_app(def); break;
        default: run_time_layout(def);
    }
    if (result) check_size(def, result);
    return types_[def] = result;
}

LLVMTypeRef Emitter::struct_of(const std::vector<LLVMTypeRef>& elems) {
    if (elems.empty()) return nullptr;
    if (elems.size() == 1) return elems.front();
    return LLVMStructTypeInContext(ctx_, const_cast<LLVMTypeRef*>(elems.data()), unsigned(elems.size()), false);
}

LLVMTypeRef Emitter::lower_array(const Def* def) {
    auto arr = def->as<Arr>();
    auto lit = isa_lit(arr->arity());
    if (lit && lit->value() == 0) return nullptr;
    auto elem = lower(arr->body());
    if (!elem) return nullptr;
    if (!lit) run_time_layout(def);
    return LLVMArrayType2(elem, lit->value());
}

LLVMTypeRef Emitter::lower_app(const Def* def) {
    if (auto app = def->isa<App>(); app && app->callee()->isa<Idx>()) {
        auto bits = idx_bits(app->arg());
        return bits ? LLVMIntTypeInContext(ctx_, bits) : nullptr;
    }
    auto axm = head_axiom(def);
    if (!axm) run_time_layout(def);
    auto& axiom = axm->axiom();
    if (axiom.has(Axiom::LinearType) || axiom.has(Axiom::Erased)) return nullptr;
    auto emitter = axiom.emitter(target());
    if (emitter && emitter->type) return unwrap(emitter->type(*this, def));
    if (def->type() && def->type()->isa<Pi>()) return nullptr; // a type operator, itself no type
    auto name = axiom.name.view();
    auto from = name.starts_with('%') ? 1 : 0;
    fail(def, Diag::no_emitter,
         {std::string(name), std::string(name.substr(from, name.find('.') - from)), std::string(target())});
}

/// {tag, payload}: the payload is made of integers of the greatest alignment, so that any member can lie in it.
LLVMTypeRef Emitter::lower_union(const Def* def) {
    uint64_t size = 0, align = 1;
    for (auto op : def->ops()) {
        auto t = type(op);
        size   = std::max(size, size_of(t));
        align  = std::max(align, align_of(t));
    }
    auto n   = def->num_ops();
    auto tag = LLVMIntTypeInContext(ctx_, n <= 0x100 ? 8 : n <= 0x10000 ? 16 : 32);
    if (!size) return tag;
    auto unit = LLVMIntTypeInContext(ctx_, unsigned(std::min<uint64_t>(align, 16) * 8));
    if (align > 16) unit = LLVMVectorType(LLVMIntTypeInContext(ctx_, 8), unsigned(align)); // no integer is aligned like that
    return struct_of({tag, LLVMArrayType2(unit, (size + align - 1) / align)});
}

/// `(T0, …)#i`: has a layout if all Ts agree on it.
LLVMTypeRef Emitter::lower_extract(const Def* def) {
    auto tuple = def->as<Extract>()->tuple();
    if (!tuple->isa<Tuple>()) run_time_layout(def);
    auto first = lower(tuple->op(0));
    for (auto op : tuple->ops())
        if (lower(op) != first) run_time_layout(def);
    return first;
}

/// Whether `type` is an array of unknown length, or contains one that is not behind a pointer.
static bool holds_open_array(const Def* type) {
    auto arr = type->isa<Arr>();
    if (arr && !isa_lit(arr->arity())) return true;
    if (arr) return holds_open_array(arr->body());
    bool has_parts = type->isa<Sigma>() || type->isa<Union>();
    return has_parts && std::ranges::any_of(type->ops(), holds_open_array);
}

void Emitter::run_time_layout(const Def* def) {
    failed_ = true;
    auto& d = diags_.report(Diag::run_time_layout, span_of(state_.place), {show(def)});
    if (holds_open_array(def)) d.note(Diag::element_by_element, {});
    throw Failed();
}

/// One vector that comes back in registers, be they the narrowest: four of 128 bits.
bool Emitter::is_vector(LLVMTypeRef t) { return LLVMGetTypeKind(t) == LLVMVectorTypeKind && leaves(t) <= 4; }

Signature Emitter::signature(const CnView& view, const std::vector<const Def*>& captures) {
    Signature sig;
    std::vector<LLVMTypeRef> params;
    if (view.result) sig.result = lower(view.result);
    sig.by_memory = leaves(sig.result) > 3 && !is_vector(sig.result);
    if (sig.by_memory) params.push_back(unwrap(ptr_type(0)));
    for (auto& p : view.params) {
        check_parts(p.type);
        if (auto t = lower(p.type)) params.push_back(t);
    }
    for (auto def : captures)
        for (auto& p : captured(def))
            if (auto t = lower(p->type())) params.push_back(t);
    auto result = sig.result && !sig.by_memory ? sig.result : LLVMVoidTypeInContext(ctx_);
    sig.type    = LLVMFunctionType(result, params.data(), unsigned(params.size()), false);
    return sig;
}

} // namespace mim::backend::llvm
