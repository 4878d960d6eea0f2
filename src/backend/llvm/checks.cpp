// SPDX-License-Identifier: MIT
// See checks.h.
#include "backend/llvm/checks.h"

#include <algorithm>

#include "analysis/snapshot.h"
#include "backend/llvm/attributes.h"

namespace mim::backend::llvm {

/// Whether code for this target may call POSIX' `write`. Elsewhere there is a trap without a word.
static bool has_posix(std::string_view triple) {
    for (auto os : {"linux", "darwin", "macos", "bsd", "solaris", "android"})
        if (triple.find(os) != triple.npos) return true;
    return false;
}

/// void (text, bytes, more parameters)
LLVMValueRef Checks::internal_function(const char* name, std::vector<LLVMTypeRef> more) {
    std::vector<LLVMTypeRef> params{unwrap(build_.ptr_type(0)), LLVMInt64TypeInContext(build_.context())};
    params.insert(params.end(), more.begin(), more.end());
    auto result = LLVMVoidTypeInContext(build_.context());
    auto type   = LLVMFunctionType(result, params.data(), unsigned(params.size()), false);
    auto fn     = LLVMAddFunction(build_.module(), name, type);
    LLVMSetLinkage(fn, LLVMInternalLinkage);
    for (auto attribute : {"nounwind", "cold", "noinline"}) add_attribute(fn, LLVMAttributeFunctionIndex, attribute);
    return fn;
}

LLVMValueRef Checks::report_function() {
    if (report_) return report_;
    report_ = internal_function("mim.undefined", {});
    add_attribute(report_, LLVMAttributeFunctionIndex, "noreturn");
    return report_;
}

LLVMValueRef Checks::number_function() {
    if (!number_) number_ = internal_function("mim.undefined.number", {LLVMInt64TypeInContext(build_.context())});
    return number_;
}

void Checks::call_with_text(LLVMValueRef fn, std::string_view text, LLVMValueRef number) {
    LLVMValueRef args[] = {unwrap(build_.bytes(text, 1)), unwrap(build_.i64(text.size())), number};
    LLVMBuildCall2(build_.ref(), LLVMGlobalGetValueType(fn), fn, args, number ? 3 : 2, "");
}

/// A character for private use: no text of a program has it.
static constexpr std::string_view number_mark = "\uE000";

static std::string with_marks(std::string_view what) {
    std::string result;
    for (size_t i = 0; i != what.size(); ++i) {
        bool is_number = what.substr(i, 2) == "{}";
        result += is_number ? number_mark : what.substr(i, 1);
        if (is_number) ++i;
    }
    return result;
}

void Checks::trap_if(Value cond, const Def* at, std::string_view what, Values numbers) {
    if (!cond) return;
    auto c = unwrap(cond);
    if (LLVMIsAConstantInt(c) && !LLVMConstIntGetZExtValue(c)) return;
    auto text = ctx_.reports.undefined(at, with_marks(what));
    auto fail = LLVMAppendBasicBlockInContext(build_.context(), build_.function(), "undefined");
    auto ok   = LLVMAppendBasicBlockInContext(build_.context(), build_.function(), "ok");
    LLVMBuildCondBr(build_.ref(), c, fail, ok);
    LLVMPositionBuilderAtEnd(build_.ref(), fail);
    std::string_view rest = text;
    for (auto number : numbers) {
        auto end = rest.find(number_mark);
        call_with_text(number_function(), rest.substr(0, end), unwrap(build_.resize(number, build_.int_type(64))));
        rest.remove_prefix(std::min(rest.size(), end + number_mark.size()));
    }
    call_with_text(report_function(), rest);
    LLVMBuildUnreachable(build_.ref());
    LLVMPositionBuilderAtEnd(build_.ref(), ok);
}

/// Whether this literal is part of a value that is there at run time: not of a type, nor of what an axiom takes
/// before its operands.
static bool is_passed(const Snapshot& program, const Def* def) {
    return std::ranges::any_of(program.users(def), [&](const Def* user) {
        if (user->isa<Tuple>()) return is_passed(program, user);
        if (user->isa<Arr>() || user->isa<Sigma>() || user->isa<Pi>() || user->type()->isa<Sort>()) return false;
        return !head_axiom(user) || saturated_axiom(user);
    });
}

/// A size at run time is 2^64 only if the program passes this literal somewhere.
bool Checks::may_be_2_64(const Def* size) {
    if (size->isa<Lit>()) return size == ctx_.world.lit_2_64();
    if (!passes_2_64_) passes_2_64_ = is_passed(Snapshot(ctx_.world), ctx_.world.lit_2_64());
    return *passes_2_64_;
}

static Value parameter(LLVMValueRef fn, unsigned i) { return Value(LLVMGetParam(fn, i)); }

/// Writes to standard error.
static void write(CodeBuilder& build, Value text, Value size) {
    build.call("write", build.int_type(64), {build.int_const(build.int_type(32), 2), text, size});
}

void Checks::finish() {
    if (number_) finish_number();
    if (!report_) return;
    LLVMPositionBuilderAtEnd(build_.ref(), LLVMAppendBasicBlockInContext(build_.context(), report_, "entry"));
    if (has_posix(build_.settings().triple)) {
        write(build_, parameter(report_, 0), parameter(report_, 1));
        build_.call("abort", {}, {});
    } else {
        build_.intrinsic("llvm.trap", {}, {});
    }
    LLVMBuildUnreachable(build_.ref());
}

/// In decimal, from the last digit to the first.
void Checks::finish_number() {
    constexpr unsigned most_digits = 20;
    auto b                         = build_.ref();
    auto block = [&](const char* name) { return LLVMAppendBasicBlockInContext(build_.context(), number_, name); };
    auto entry = block("entry");
    LLVMPositionBuilderAtEnd(b, entry);
    if (!has_posix(build_.settings().triple)) {
        LLVMBuildRetVoid(b);
        return;
    }
    write(build_, parameter(number_, 0), parameter(number_, 1));
    auto i64 = build_.int_type(64), i8 = build_.int_type(8);
    auto digits = Value(LLVMBuildAlloca(b, unwrap(build_.array_type(i8, most_digits)), ""));
    auto loop = block("digit"), done = block("done");
    LLVMBuildBr(b, loop);

    LLVMPositionBuilderAtEnd(b, loop);
    auto end = LLVMBuildPhi(b, unwrap(i64), ""), rest = LLVMBuildPhi(b, unwrap(i64), "");
    auto begin = build_.bin(Bin::Sub, Value(end), build_.i64(1));
    auto digit = build_.bin(Bin::URem, Value(rest), build_.i64(10)), next = build_.bin(Bin::UDiv, Value(rest), build_.i64(10));
    auto letter = build_.bin(Bin::Add, build_.resize(digit, i8), build_.int_const(i8, '0'));
    build_.store(letter, build_.byte_gep(digits, begin));
    LLVMBuildCondBr(b, unwrap(build_.cmp(Cmp::Eq, next, build_.i64(0))), done, loop);
    LLVMBasicBlockRef from[] = {entry, loop};
    LLVMValueRef ends[] = {unwrap(build_.i64(most_digits)), unwrap(begin)}, rests[] = {LLVMGetParam(number_, 2), unwrap(next)};
    LLVMAddIncoming(end, ends, from, 2);
    LLVMAddIncoming(rest, rests, from, 2);

    LLVMPositionBuilderAtEnd(b, done);
    write(build_, build_.byte_gep(digits, begin), build_.bin(Bin::Sub, build_.i64(most_digits), begin));
    LLVMBuildRetVoid(b);
}

} // namespace mim::backend::llvm
