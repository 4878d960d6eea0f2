// SPDX-License-Identifier: MIT
// See heap.h.
#include "backend/llvm/heap.h"

#include "backend/llvm/attributes.h"
#include "backend/llvm/local_memory.h"
#include "ir/token_types.h"

namespace mim::backend::llvm {

bool is_plain(LLVMTypeRef t) {
    auto kind = LLVMGetTypeKind(t);
    if (kind != LLVMStructTypeKind) return kind != LLVMPointerTypeKind && kind != LLVMArrayTypeKind && kind != LLVMVectorTypeKind;
    for (unsigned i = 0, n = LLVMCountStructElementTypes(t); i != n; ++i)
        if (!is_plain(LLVMStructGetTypeAtIndex(t, i))) return false;
    return true;
}

Value Heap::collected(LLVMTypeRef type, bool plain) { return collected(build_.i64(build_.size_of(Type(type))), plain); }

/// Touches no memory that the program can, and nobody else has the address.
Value Heap::collected(Value bytes, bool plain) {
    auto runtime          = ctx_.program.collector();
    std::string allocator = "malloc";
    if (runtime) allocator = plain ? runtime->plain : runtime->record;
    auto result = build_.call(allocator, build_.ptr_type(0), {bytes}, OwnMemory);
    auto call   = unwrap(result);
    add_call_attribute(call, LLVMAttributeReturnIndex, "noalias");
    mark_call(call, "nounwind");
    mark_call(call, "willreturn");
    mark_call(call, "memory", 3 << 2); // reads and writes what is inaccessible
    mark_call_as(call, collected_memory);
    return result;
}

/// A type of a plugin that is no type of pointers, but whose values have some, has closures behind them, as
/// `%direct.Lazy` does.
bool Heap::is_closure_type(const Def* type) {
    auto axm = saturated_axiom(type);
    if (!axm || !axm->axiom().layout || axm->axiom().has(Axiom::Pointer) || !is_closed(ctx_.world, type)) return false;
    auto lowered = types_.lower(type);
    return lowered && LLVMGetTypeKind(lowered) != LLVMVectorTypeKind && !is_plain(lowered);
}

bool Heap::may_hold_closures(const Def* root) {
    if (holds_function(root)) return true;
    std::vector<const Def*> todo{root};
    DefSet seen;
    while (!todo.empty()) {
        auto type = todo.back();
        todo.pop_back();
        if (!type || !seen.insert(type)) continue;
        if (is_closure_type(type)) return true;
        auto arr = type->isa<Arr>();
        if (arr) todo.push_back(arr->body());
        else if (type->isa<Sigma>() || type->isa<Union>() || type->isa<Tuple>() || type->isa<App>())
            todo.insert(todo.end(), type->ops().begin(), type->ops().end());
    }
    return false;
}

/// Bytes are memory for anything.
static bool is_bytes(const Def* type) {
    auto arr  = type->isa<Arr>();
    auto size = isa_idx(arr ? arr->body() : type);
    auto lit  = size ? isa_lit(size) : nullptr;
    return lit && lit->value() == 256;
}

Value Heap::heap(const Def* type, Value bytes) {
    auto runtime  = ctx_.program.collector();
    bool closures = runtime && (is_bytes(type) || may_hold_closures(type));
    return build_.call(closures ? runtime->malloc : std::string("malloc"), build_.ptr_type(0), {bytes}, OwnMemory);
}

void Heap::free_heap(Value ptr) { build_.call(function("free"), {}, {ptr}, OwnMemory); }

std::string_view Heap::function(std::string_view name) const {
    auto runtime = ctx_.program.collector();
    if (!runtime) return name;
    const std::pair<std::string_view, std::string_view> ours[] = {
        {"malloc", runtime->malloc}, {"calloc", runtime->calloc}, {"realloc", runtime->realloc}, {"free", runtime->free}};
    for (auto& [c, mim] : ours)
        if (c == name) return mim;
    return name;
}

void Heap::attach() {
    if (auto runtime = ctx_.program.collector()) build_.call(runtime->attach, {}, {}, OwnMemory);
}

} // namespace mim::backend::llvm
