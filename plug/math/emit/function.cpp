// SPDX-License-Identifier: MIT
// Emitters of the functions of <math.h>. Without `afn` these are calls of the C library as they stand, which LLVM neither evaluates
// nor replaces: its own evaluation would round differently, and results would depend on the level of optimization. With `afn` they are
// intrinsics where LLVM has one: it may fold and vectorize them.
#include <string>

#include "emit/float.h"

namespace mim::plug::math {

namespace {

constexpr unsigned afn = 32;

struct Function {
    const char* name; ///< in double precision; single precision has an `f` at the end
    const char* intrinsic = nullptr;
};

constexpr Function tri_functions[] = {
    {"sin", "llvm.sin"}, {"cos", "llvm.cos"}, {"tan"},  {"sinh"}, {"cosh"}, {"tanh"}, {"asin"}, {"acos"}, {"atan"},
    {"asinh"},           {"acosh"},           {"atanh"}};
constexpr Function exp_functions[]   = {{"exp", "llvm.exp"}, {"exp2", "llvm.exp2"}, {"exp10", "llvm.exp10"},
                                        {"log", "llvm.log"}, {"log2", "llvm.log2"}, {"log10", "llvm.log10"}};
constexpr Function er_functions[]    = {{"erf"}, {"erfc"}};
constexpr Function gamma_functions[] = {{"tgamma"}, {"lgamma"}};
constexpr Function rt_functions[]    = {{"sqrt", "llvm.sqrt"}, {"cbrt"}};
constexpr Function pow_function      = {"pow", "llvm.pow"};

Value call(const FloatOp& f, const Function& function, std::initializer_list<Value> args) {
    auto& e = f.e;
    if (f.permits(afn) && function.intrinsic) return e.intrinsic(function.intrinsic, {f.libm()}, args, f.flags);
    auto as_written = f.permits(afn) ? 0u : uint32_t(backend::AsWritten);
    auto name       = std::string(function.name) + (f.is_double() ? "" : "f");
    return e.call(name, f.libm(), args, f.flags | backend::NoEffect | as_written);
}

Value unary(Emit& e, const Def* app, const Function* functions) {
    FloatOp f(e, app);
    auto v = f.to_libm(f.operand());
    return f.check(f.from_libm(call(f, functions[sub_of(app)], {v})));
}

} // namespace

Value emit_tri(Emit& e, const Def* app) { return unary(e, app, tri_functions); }
Value emit_exp(Emit& e, const Def* app) { return unary(e, app, exp_functions); }
Value emit_er(Emit& e, const Def* app) { return unary(e, app, er_functions); }
Value emit_gamma(Emit& e, const Def* app) { return unary(e, app, gamma_functions); }

/// The square root is exact in every sense, so always an intrinsic.
Value emit_rt(Emit& e, const Def* app) {
    if (rt(sub_of(app)) == rt::cb) return unary(e, app, rt_functions);
    FloatOp f(e, app);
    auto v = f.in(f.operand());
    return f.check(f.out(e.intrinsic("llvm.sqrt", {f.work()}, {v}, f.flags)));
}

Value emit_pow(Emit& e, const Def* app) {
    FloatOp f(e, app);
    auto a = f.to_libm(f.operand(0)), b = f.to_libm(f.operand(1));
    return f.check(f.from_libm(call(f, pow_function, {a, b})));
}

} // namespace mim::plug::math
