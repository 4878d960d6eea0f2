// SPDX-License-Identifier: MIT
// See escaping.h.
#include "backend/llvm/escaping.h"

#include "backend/llvm/conversions.h"
#include "ir/large_arrays.h"

namespace mim::backend::llvm {

/// The functions that the body of a closure's code makes.
static std::vector<const Lam*> functions_of(const Lam* code) {
    std::vector<const Lam*> result;
    auto tuple = code->body()->isa<Tuple>();
    for (auto def : tuple ? tuple->ops() : code->ops().subspan(1))
        if (auto lam = def->isa<Lam>()) result.push_back(lam);
    return result;
}

/// The addresses of the functions of a record, in the form that a value of `type` has. Those of a large array are at
/// the record's end.
LLVMValueRef EscapingClosures::functions_at(LLVMBuilderRef builder, LLVMTypeRef t, LLVMValueRef record, unsigned n,
                                            const Def* type) {
    if (n == 1) return record;
    if (is_large_array(type)) return LLVMBuildStructGEP2(builder, t, record, LLVMCountStructElementTypes(t) - 1, "");
    auto ptr    = unwrap(build_.ptr_type(0));
    auto result = LLVMGetUndef(types_.lower(type));
    for (unsigned i = 0; i != n; ++i) {
        auto index = unwrap(build_.i64(i));
        result     = LLVMBuildInsertValue(builder, result, LLVMBuildInBoundsGEP2(builder, ptr, record, &index, 1, ""), i, "");
    }
    return result;
}

/// The code of `fn`, one of the n functions of `code`: it knows the environment and the functions from where it is in
/// the record.
LLVMValueRef EscapingClosures::code_of_place(const Lam* code, const Lam* fn, unsigned place, unsigned n, LLVMTypeRef record) {
    auto captures = ctx_.program.captures(fn);
    auto pass     = [&](LLVMBuilderRef builder, LLVMValueRef closure, std::vector<LLVMValueRef>& args) {
        auto back = unwrap(build_.i64(uint64_t(-int64_t(place))));
        auto base = LLVMBuildInBoundsGEP2(builder, unwrap(build_.ptr_type(0)), closure, &back, 1, "");
        for (auto def : captures) {
            if (def != code->var()) ctx_.reports.fail_here(Diag::needs_closure, {ctx_.reports.name_of(fn)});
            auto parts = signatures_.captured(def);
            if (auto t = types_.lower(parts[0]->type()))
                args.push_back(build_.load_from(builder, t, LLVMBuildStructGEP2(builder, record, base, n, "")));
            args.push_back(functions_at(builder, record, base, n, parts[1]->type()));
        }
    };
    auto callee = value_calls_.of(fn, functions_.of(fn));
    return closure_code(build_.module(), value_calls_.signature(fn), LLVMGlobalGetValueType(callee), callee, pass);
}

Value EscapingClosures::escaping(const Def* def, const Def* env) {
    auto code      = def->isa<Lam>();
    bool is_closed = code && !code->is_cn() && mim::is_closed(ctx_.world, code);
    if (!is_closed) ctx_.reports.fail_here(Diag::needs_closure, {ctx_.reports.name_of(def)});
    auto functions = functions_of(code);
    auto n         = unsigned(functions.size());
    std::vector<LLVMTypeRef> fields(n, unwrap(build_.ptr_type(0)));
    auto env_type = elem_decl(ctx_.world, code->dom(), 0);
    if (auto t = types_.lower(env_type)) fields.push_back(t);
    bool is_plain_record = fields.size() == n || is_plain(fields.back());
    auto functions_type  = elem_decl(ctx_.world, code->dom(), 1);
    if (is_large_array(functions_type)) fields.push_back(types_.lower_memory(functions_type));
    auto record = build_.struct_of(fields);
    auto result = unwrap(heap_.collected(record, is_plain_record));
    for (unsigned i = 0; i != n; ++i) {
        if (ctx_.c_types.contains(functions[i]->type()))
            ctx_.reports.fail(functions[i], Diag::closure_for_c, {ctx_.reports.name_of(functions[i])});
        auto& fn = codes_[functions[i]];
        if (!fn) fn = code_of_place(code, functions[i], i, n, record);
        LLVMBuildStore(build_.ref(), fn, LLVMBuildStructGEP2(build_.ref(), record, result, i, ""));
    }
    if (auto v = conversions_.as(env, env_type)) {
        auto field = LLVMBuildStructGEP2(build_.ref(), record, result, n, "");
        build_.store_to(unwrap(v), field);
    }
    auto all = functions_at(build_.ref(), record, result, n, functions_type);
    for (unsigned i = 0; is_large_array(functions_type) && i != n; ++i) {
        auto ptr      = build_.ptr_type(0);
        auto function = build_.gep(ptr, Value(result), build_.i64(i));
        build_.store(function, build_.gep(ptr, Value(all), build_.i64(i)));
    }
    return Value(all);
}

} // namespace mim::backend::llvm
