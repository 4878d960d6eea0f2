// SPDX-License-Identifier: MIT
// Emitters of the functions of <math.h>. Without `afn` these are calls of the C library as they stand, which LLVM
// neither evaluates nor replaces: its own evaluation would round differently, and results would depend on the level of
// optimization. With `afn` some are code of our own (approximate.h), which works on vectors; the others are intrinsics
// where LLVM has one: it may fold them.
#include <string>

#include "emit/approximate.h"

namespace mim::plug::math {

namespace {

using backend::Block;

constexpr unsigned afn = 32;

struct Function {
    const char* name; ///< in double precision; single precision has an `f` at the end
    const char* intrinsic            = nullptr;
    Value (Approximate::*own)(Value) = nullptr; ///< allowed by `afn`
    bool is_limited                  = false;   ///< to what is_beyond_turns is false of; of use for vectors alone
};

constexpr Function tri_functions[]   = {{"sin", "llvm.sin", &Approximate::sin, true},
                                        {"cos", "llvm.cos", &Approximate::cos, true},
                                        {"tan"},
                                        {"sinh"},
                                        {"cosh"},
                                        {"tanh", nullptr, &Approximate::tanh},
                                        {"asin"},
                                        {"acos"},
                                        {"atan"},
                                        {"asinh"},
                                        {"acosh"},
                                        {"atanh"}};
constexpr Function exp_functions[]   = {{"exp", "llvm.exp", &Approximate::exp}, {"exp2", "llvm.exp2"}, {"exp10", "llvm.exp10"},
                                        {"log", "llvm.log", &Approximate::log}, {"log2", "llvm.log2"}, {"log10", "llvm.log10"}};
constexpr Function er_functions[]    = {{"erf"}, {"erfc"}};
constexpr Function gamma_functions[] = {{"tgamma"}, {"lgamma"}};
constexpr Function rt_functions[]    = {{"sqrt", "llvm.sqrt"}, {"cbrt"}};
constexpr Function pow_function      = {"pow", "llvm.pow"};

Value call_library(const FloatOp& f, const Function& function, std::initializer_list<Value> args, uint32_t flags) {
    auto name = std::string(function.name) + (f.is_double() ? "" : "f");
    return f.e.call(name, f.libm(), args, f.flags | backend::NoEffect | flags);
}

/// Calls the C library if our own code does not hold for the number, or for one lane of a vector.
Value call_own(const FloatOp& f, const Function& function, Value x) {
    auto& e = f.e;
    Approximate approximate(e, f.is_double());
    auto usual = (approximate.*function.own)(x);
    if (!function.is_limited) return usual;
    auto is_beyond = approximate.is_beyond_turns(x);
    auto before    = e.current();
    auto far = e.new_block("far"), join = e.new_block("join");
    e.branch(is_beyond, far, join);
    e.enter(far);
    auto some = e.select(is_beyond, call_library(f, function, {x}, 0), usual);
    e.jump(join);
    e.enter(join);
    std::pair<Value, Block> incoming[] = {{usual, before}, {some, far}};
    return e.phi(f.libm(), incoming);
}

Value call(const FloatOp& f, const Function& function, std::initializer_list<Value> args) {
    auto& e        = f.e;
    bool is_vector = e.size_of(e.int_type(32)) != 4;
    if (f.permits(afn) && function.own && (is_vector || !function.is_limited)) return call_own(f, function, *args.begin());
    if (f.permits(afn) && function.intrinsic) return e.intrinsic(function.intrinsic, {f.libm()}, args, f.flags);
    return call_library(f, function, args, f.permits(afn) ? 0 : uint32_t(backend::AsWritten));
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
