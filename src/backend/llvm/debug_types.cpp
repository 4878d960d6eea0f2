// SPDX-License-Identifier: MIT
// See debug_types.h.
#include "backend/llvm/debug_types.h"

#include "analysis/pointee.h"
#include "ir/hook.h"

namespace mim::backend::llvm {

namespace {

enum Encoding : unsigned { Boolean = 2, FloatingPoint = 4, Unsigned = 7 }; // DW_ATE_…

LLVMTypeRef raw(Type t) { return static_cast<LLVMTypeRef>(t.get()); }

} // namespace

/*
 * which types have a layout
 */

/// What emission would reject is no matter of debugging: such types are behind pointers only.
bool DebugTypes::has_layout(const Def* type) {
    auto [it, fresh] = layouts_.try_emplace(type, true); // recursive types pass through pointers, which have one
    if (!fresh) return it->second;
    bool known            = compute_layout(type);
    return layouts_[type] = known;
}

bool DebugTypes::compute_layout(const Def* type) {
    auto all = [&](const Def* def) {
        for (auto op : def->ops())
            if (!has_layout(op)) return false;
        return true;
    };
    switch (type->node()) {
        case Node::Sort:
        case Node::Bot:
        case Node::Top:
        case Node::Sing:
        case Node::Nat:
        case Node::Pi: return true;
        case Node::Sigma:
        case Node::Union: return all(type);
        case Node::Arr: return isa_lit(type->as<Arr>()->arity()) && has_layout(type->as<Arr>()->body());
        case Node::App:
        case Node::Axm: {
            if (isa_idx(type)) return true;
            auto axm = head_axiom(type);
            if (!axm || !type->type() || !type->type()->isa<Sort>()) return false;
            auto& axiom  = axm->axiom();
            auto emitter = axiom.emitter(emit_.target());
            return axiom.has(Axiom::LinearType) || axiom.has(Axiom::Erased) || (emitter && emitter->type);
        }
        default: return false;
    }
}

/*
 * types
 */

LLVMMetadataRef DebugTypes::find(const Def* type, const FieldNames* names) {
    if (!has_layout(type) || !lowering_.memory(type)) return nullptr;
    Key key(type, names);
    if (auto it = types_.find(key); it != types_.end()) return it->second;
    if (auto it = open_.find(key); it != open_.end()) {
        constexpr unsigned structure = 0x13; // DW_TAG_structure_type
        if (!it->second)
            it->second = LLVMDIBuilderCreateReplaceableCompositeType(builder_, structure, "", 0, nullptr, nullptr, 0, 0, 0, 0,
                                                                     LLVMDIFlagZero, "", 0);
        return it->second;
    }
    open_[key] = nullptr;
    auto made  = make(type, names);
    auto stub  = open_[key];
    open_.erase(key);
    if (stub) LLVMMetadataReplaceAllUsesWith(stub, made);
    return types_[key] = made;
}

LLVMMetadataRef DebugTypes::function(LLVMMetadataRef file, const Def* result, const std::vector<const Def*>& params) {
    std::vector<LLVMMetadataRef> types{result ? find(result) : nullptr};
    for (auto p : params)
        if (auto t = find(p)) types.push_back(t);
    return LLVMDIBuilderCreateSubroutineType(builder_, file, types.data(), unsigned(types.size()), LLVMDIFlagZero);
}

LLVMMetadataRef DebugTypes::make(const Def* type, const FieldNames* names) {
    switch (type->node()) {
        case Node::Nat: return basic("Nat", 64, Unsigned);
        case Node::Pi: {
            auto function = LLVMDIBuilderCreateSubroutineType(builder_, nullptr, nullptr, 0, LLVMDIFlagZero);
            auto bits     = LLVMPointerSize(data_) * 8;
            return LLVMDIBuilderCreatePointerType(builder_, function, bits, 0, 0, "", 0);
        }
        case Node::Sigma: return sigma(type, names);
        case Node::Arr: return array(type, names);
        case Node::Union: return union_(type);
        default: return isa_idx(type) ? idx(type) : app(type, names);
    }
}

LLVMMetadataRef DebugTypes::basic(std::string_view name, uint64_t bits, unsigned encoding) {
    return LLVMDIBuilderCreateBasicType(builder_, name.data(), name.size(), bits, encoding, LLVMDIFlagZero);
}

std::string DebugTypes::name(const Def* type) {
    if (type->isa<Nat>()) return "Nat";
    if (auto form = world_.annexes.short_form(type); form.name && !form.arg) return std::string(form.name.view());
    if (isa_idx(type)) {
        auto size = type->as<App>()->arg()->isa<Lit>();
        if (!size) return "Idx";
        if (size->is_2_64()) return "I64";
        for (unsigned bits : {8u, 16u, 32u})
            if (size->value() == uint64_t(1) << bits) return "I" + std::to_string(bits);
        return size->value() == 2 ? "Bool" : "Idx " + std::to_string(size->value());
    }
    if (auto axm = head_axiom(type)) return std::string(axm->axiom().name.view());
    return std::string(world_.notes.name(type).view());
}

LLVMMetadataRef DebugTypes::idx(const Def* type) {
    auto lit = isa_lit(type->as<App>()->arg());
    return basic(name(type), emit_.size_of(lowering_.memory(type)) * 8, lit && lit->value() == 2 ? Boolean : Unsigned);
}

LLVMMetadataRef DebugTypes::member(std::string_view name, LLVMMetadataRef type, uint64_t offset, LLVMTypeRef t) {
    auto size = LLVMABISizeOfType(data_, t) * 8;
    return LLVMDIBuilderCreateMemberType(builder_, nullptr, name.data(), name.size(), nullptr, 0, size, 0, offset * 8,
                                         LLVMDIFlagZero, type);
}

LLVMMetadataRef DebugTypes::struct_(const Def* type, std::vector<LLVMMetadataRef>& members) {
    auto bits = emit_.size_of(lowering_.memory(type)) * 8;
    auto text = std::string(world_.notes.name(type).view());
    // a name of its own, so that two recursive types are never taken for one while they are made
    auto id = "mim." + std::to_string(types_.size());
    return LLVMDIBuilderCreateStructType(builder_, nullptr, text.data(), text.size(), nullptr, 0, bits, 0, LLVMDIFlagZero,
                                         nullptr, members.data(), unsigned(members.size()), 0, nullptr, id.data(), id.size());
}

LLVMMetadataRef DebugTypes::sigma(const Def* type, const FieldNames* names) {
    auto fields = world_.notes.fields(type);
    auto whole  = raw(lowering_.memory(type));
    std::vector<size_t> present;
    for (size_t i = 0; i != type->num_ops(); ++i)
        if (lowering_.memory(type->op(i))) present.push_back(i);
    auto name_of = [&](size_t i) { return names ? names->name(i) : fields && i < fields->size() ? (*fields)[i] : Symbol(); };
    if (present.size() == 1 && !name_of(present[0])) return find(type->op(present[0]), names ? names->elem(present[0]) : nullptr);
    std::vector<LLVMMetadataRef> members;
    for (unsigned k = 0; k != present.size(); ++k) {
        auto i      = present[k];
        auto t      = raw(lowering_.memory(type->op(i)));
        auto offset = present.size() == 1 ? 0 : LLVMOffsetOfElement(data_, whole, k);
        auto field  = name_of(i);
        auto text   = field ? std::string(field.view()) : "_" + std::to_string(i);
        members.push_back(member(text, find(type->op(i), names ? names->elem(i) : nullptr), offset, t));
    }
    return struct_(type, members);
}

LLVMMetadataRef DebugTypes::array(const Def* type, const FieldNames* names) {
    auto arr   = type->as<Arr>();
    auto count = int64_t(isa_lit(arr->arity())->value());
    if (names && !names->names.empty()) { // equal elements, but each has a name
        std::vector<LLVMMetadataRef> members;
        auto t = lowering_.memory(arr->body());
        for (size_t i = 0; i != size_t(count); ++i) {
            auto text = names->name(i) ? std::string(names->name(i).view()) : "_" + std::to_string(i);
            members.push_back(member(text, find(arr->body(), names->elem(i)), i * emit_.size_of(t), raw(t)));
        }
        return struct_(type, members);
    }
    auto range = LLVMDIBuilderGetOrCreateSubrange(builder_, 0, count);
    auto bits  = emit_.size_of(lowering_.memory(type)) * 8;
    return LLVMDIBuilderCreateArrayType(builder_, bits, 0, find(arr->body(), names ? names->each : nullptr), &range, 1);
}

/// The tag as an enumeration: debuggers show it by the name of the type that is there.
LLVMMetadataRef DebugTypes::tag(const Def* type, LLVMTypeRef t) {
    std::vector<LLVMMetadataRef> values;
    for (size_t i = 0; i != type->num_ops(); ++i) {
        auto text = name(type->op(i));
        if (text.empty()) text = "_" + std::to_string(i);
        values.push_back(LLVMDIBuilderCreateEnumerator(builder_, text.data(), text.size(), int64_t(i), true));
    }
    auto bits  = LLVMABISizeOfType(data_, t) * 8;
    auto under = basic("tag", bits, Unsigned);
    return LLVMDIBuilderCreateEnumerationType(builder_, nullptr, "", 0, nullptr, 0, bits, 0, values.data(),
                                              unsigned(values.size()), under);
}

LLVMMetadataRef DebugTypes::union_(const Def* type) {
    auto whole = raw(lowering_.memory(type));
    if (LLVMGetTypeKind(whole) != LLVMStructTypeKind) return tag(type, whole);
    auto tag_type = LLVMStructGetTypeAtIndex(whole, 0), payload = LLVMStructGetTypeAtIndex(whole, 1);
    std::vector<LLVMMetadataRef> alternatives;
    for (size_t i = 0; i != type->num_ops(); ++i)
        if (auto t = find(type->op(i)))
            alternatives.push_back(member("_" + std::to_string(i), t, 0, raw(lowering_.memory(type->op(i)))));
    auto bits   = LLVMABISizeOfType(data_, payload) * 8;
    auto values = LLVMDIBuilderCreateUnionType(builder_, nullptr, "", 0, nullptr, 0, bits, 0, LLVMDIFlagZero, alternatives.data(),
                                               unsigned(alternatives.size()), 0, "", 0);
    std::vector<LLVMMetadataRef> members{member("tag", tag(type, tag_type), 0, tag_type),
                                         member("value", values, LLVMOffsetOfElement(data_, whole, 1), payload)};
    return struct_(type, members);
}

static std::string spelling(const Axiom& axiom, const Def* type) {
    return call_hook(axiom, "the spelling in C of", type, [&] { return axiom.c_spelling_of(type); });
}

LLVMMetadataRef DebugTypes::app(const Def* type, const FieldNames* names) {
    auto t   = lowering_.memory(type);
    auto axm = head_axiom(type);
    if (auto target = emit_.is_ptr(t) ? pointee(type) : nullptr) return pointer(target, names ? names->each : nullptr);
    auto bits = emit_.size_of(t) * 8;
    // Debuggers take any float of two bytes for C's `_Float16`. Of another one, the bits are at least right.
    auto spelled  = axm && axm->axiom().c_spelling_of ? spelling(axm->axiom(), type) : std::string();
    bool is_known = emit_.is_float(t) && (bits != 16 || spelled == "_Float16");
    return basic(name(type), bits, is_known ? FloatingPoint : Unsigned);
}

LLVMMetadataRef DebugTypes::pointer(const Def* pointee, const FieldNames* names) {
    for (auto arr = pointee->isa<Arr>(); arr && !has_layout(pointee); arr = pointee->isa<Arr>()) {
        pointee = arr->body();
        names   = names ? names->each : nullptr;
    }
    auto bits = LLVMPointerSize(data_) * 8;
    return LLVMDIBuilderCreatePointerType(builder_, find(pointee, names), bits, 0, 0, "", 0);
}

} // namespace mim::backend::llvm
