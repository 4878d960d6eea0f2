// SPDX-License-Identifier: MIT
// Functions as values that refer to variables around them and may outlive them. A program that makes such values (Axiom::Closures) has
// closures wherever it has values of function type, but for those that C sees: the address of a record that begins with the address
// of the code, which gets the record as last parameter. A function without variables has a constant record and costs nothing to make.
//
// Functions that refer to each other share one record, {code…, environment}. Each is the address of its own code in it, and
// finds the environment and the others at fixed distances. A collector reclaims the records (src/runtime/collect); memory that may hold
// addresses of records comes from it, too. A program without closures knows nothing of all this.
#include "backend/llvm/emitter.h"
#include "ir/token_types.h"

namespace mim::backend::llvm {

/// The functions that the body of a closure's code makes.
static std::vector<const Lam*> functions_of(const Lam* code) {
    std::vector<const Lam*> result;
    auto tuple = code->body()->isa<Tuple>();
    for (auto def : tuple ? tuple->ops() : code->ops().subspan(1))
        if (auto lam = def->isa<Lam>()) result.push_back(lam);
    return result;
}

/// Whether values of this type are numbers and nothing else. The payload of a union is integers that may be anything.
static bool is_plain(LLVMTypeRef t) {
    auto kind = LLVMGetTypeKind(t);
    if (kind != LLVMStructTypeKind) return kind != LLVMPointerTypeKind && kind != LLVMArrayTypeKind && kind != LLVMVectorTypeKind;
    for (unsigned i = 0, n = LLVMCountStructElementTypes(t); i != n; ++i)
        if (!is_plain(LLVMStructGetTypeAtIndex(t, i))) return false;
    return true;
}

/// Touches no memory that the program can, and nobody else has the address. `plain`: will refer to no memory that the collector has.
Value Emitter::collected(LLVMTypeRef type, bool plain) {
    auto allocator = !program_->makes_closures() ? "malloc" : plain ? "mim_collect_plain" : "mim_collect_closure";
    auto result    = Emit::call(allocator, ptr_type(0), {i64(size_of(Type(type)))}, OwnMemory);
    auto call      = unwrap(result);
    auto kind      = LLVMGetEnumAttributeKindForName("noalias", 7);
    LLVMAddCallSiteAttribute(call, LLVMAttributeReturnIndex, LLVMCreateEnumAttribute(ctx_, kind, 0));
    mark_call(call, "nounwind"), mark_call(call, "willreturn");
    mark_call(call, "memory", 3 << 2); // reads and writes what is inaccessible
    return result;
}

/// The addresses of the functions of a record, in the form that a value of `type` has.
LLVMValueRef Emitter::functions_at(LLVMBuilderRef builder, LLVMValueRef record, unsigned n, const Def* type) {
    if (n == 1) return record;
    auto ptr    = unwrap(ptr_type(0));
    auto result = LLVMGetUndef(lower(type));
    for (unsigned i = 0; i != n; ++i) {
        auto index = unwrap(i64(i));
        result     = LLVMBuildInsertValue(builder, result, LLVMBuildInBoundsGEP2(builder, ptr, record, &index, 1, ""), i, "");
    }
    return result;
}

/// The code of `fn`, one of the n functions of `code`: it knows the environment and the functions from where it is in the record.
LLVMValueRef Emitter::escaping_code(const Lam* code, const Lam* fn, unsigned place, unsigned n, LLVMTypeRef record) {
    auto captures = program_->captures(fn);
    auto type     = signature(program_->view(fn), captures).type;
    auto pass     = [&](LLVMBuilderRef builder, LLVMValueRef closure, std::vector<LLVMValueRef>& args) {
        auto back = unwrap(i64(uint64_t(-int64_t(place))));
        auto base = LLVMBuildInBoundsGEP2(builder, unwrap(ptr_type(0)), closure, &back, 1, "");
        for (auto def : captures) {
            if (def != code->var()) fail(state_.place, Diag::needs_closure, {name_of(fn)});
            auto parts = captured(def);
            if (auto t = lower(parts[0]->type()))
                args.push_back(load_from(builder, t, LLVMBuildStructGEP2(builder, record, base, n, "")));
            args.push_back(functions_at(builder, base, n, parts[1]->type()));
        }
    };
    return closure_code(signature(program_->view(fn), {}), type, function(fn), pass);
}

Value Emitter::escaping(const Def* def, const Def* env) {
    auto code = def->isa<Lam>();
    if (!code || code->is_cn() || !world_.is_closed(code)) fail(state_.place, Diag::needs_closure, {name_of(def)});
    auto functions = functions_of(code);
    auto n         = unsigned(functions.size());
    std::vector<LLVMTypeRef> fields(n, unwrap(ptr_type(0)));
    auto env_type = elem_decl(world_, code->dom(), 0);
    if (auto t = lower(env_type)) fields.push_back(t);
    auto record = LLVMStructTypeInContext(ctx_, fields.data(), unsigned(fields.size()), false);
    auto result = unwrap(collected(record, fields.size() == n || is_plain(fields.back())));
    for (unsigned i = 0; i != n; ++i) {
        if (c_types_->contains(functions[i]->type())) fail(functions[i], Diag::closure_for_c, {name_of(functions[i])});
        auto& fn = closures_[{functions[i], nullptr}];
        if (!fn) fn = escaping_code(code, functions[i], i, n, record);
        LLVMBuildStore(builder_, fn, LLVMBuildStructGEP2(builder_, record, result, i, ""));
    }
    if (auto v = as(env, env_type)) store_to(unwrap(v), LLVMBuildStructGEP2(builder_, record, result, n, ""));
    return Value(functions_at(builder_, result, n, elem_decl(world_, code->dom(), 1)));
}

/// A function without variables as a value: its address, or a constant record where function values are closures.
LLVMValueRef Emitter::as_value(LLVMValueRef fn, const Signature& sig) {
    if (!program_->makes_closures()) return fn;
    auto& record = static_closures_[fn];
    if (record) return record;
    auto code = closure_code(sig, sig.type, fn, {});
    record    = LLVMAddGlobal(module_, unwrap(ptr_type(0)), "mim.closure");
    LLVMSetInitializer(record, code);
    LLVMSetGlobalConstant(record, true);
    LLVMSetLinkage(record, LLVMPrivateLinkage);
    return record;
}

/// How to call a value of function type that C does not see: what is called, and with which type; `args` are completed.
std::pair<LLVMValueRef, LLVMTypeRef> Emitter::callee_of(LLVMValueRef value, const Signature& sig,
                                                        std::vector<LLVMValueRef>& args) {
    if (!program_->makes_closures()) return {value, sig.type};
    return {code_of(value, args), with_closure(sig)};
}

// memory in which closures may be

/// A type of a plugin that is no type of pointers, but whose values have some, has closures behind them, as `%direct.Lazy` does.
bool Emitter::is_closure_type(const Def* type) {
    auto axm = saturated_axiom(type);
    if (!axm || !axm->axiom().layout || axm->axiom().has(Axiom::Pointer) || !world_.is_closed(type)) return false;
    auto lowered = lower(type);
    return lowered && LLVMGetTypeKind(lowered) != LLVMVectorTypeKind && !is_plain(lowered);
}

/// Whether values of this type may be, contain or point to what refers to a record.
bool Emitter::may_hold_closures(const Def* root) {
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

Value Emitter::heap(const Def* type, Value bytes) {
    auto closures = program_->makes_closures() && (is_bytes(type) || may_hold_closures(type));
    return Emit::call(closures ? "mim_collect_malloc" : "malloc", ptr_type(0), {bytes}, OwnMemory);
}

void Emitter::free_heap(Value ptr) { Emit::call(heap_function("free"), {}, {ptr}, OwnMemory); }

/// The C library's functions for memory do not know the collector's.
std::string_view Emitter::heap_function(std::string_view name) const {
    static constexpr std::pair<std::string_view, std::string_view> ours[] = {
        {"malloc", "mim_collect_malloc"},
        {"calloc", "mim_collect_calloc"},
        {"realloc", "mim_collect_realloc"},
        {"free", "mim_collect_free"},
    };
    if (program_->makes_closures())
        for (auto& [c, mim] : ours)
            if (c == name) return mim;
    return name;
}

/// A thread that enters the program from outside has to be known to the collector.
void Emitter::enter_from_c() {
    if (program_->makes_closures()) Emit::call("mim_collect_attach", {}, {}, OwnMemory);
}

} // namespace mim::backend::llvm
