// SPDX-License-Identifier: MIT
// Registers the plugin `clos`: its phases, and what its axioms are to LLVM.
#include "backend/emit.h"
#include "driver/plugin.h"
#include "kit/match.h"
#include "meaning.h"
#include "phase/convert.h"
#include "phase/open.h"

namespace mim::plug::clos {

using backend::Emit;
using backend::Type;
using backend::Value;

static Value emit_make(Emit& e, const Def* app) {
    auto [env, code] = elems<2>(e.world(), arg_of(app));
    return e.escaping(code, env);
}

// A base is {whether it has its result, the result}. It lives as long as somebody may give it one.

static Type base_type(Emit& e, Type result) {
    return result ? e.struct_type({e.int_type(64), result}) : e.struct_type({e.int_type(64)});
}

static void trap_unless(Emit& e, Value is_fine) {
    auto wrong = e.new_block("wrong"), fine = e.new_block("fine");
    e.branch(is_fine, fine, wrong);
    e.enter(wrong);
    e.trap();
    e.jump(fine);
    e.enter(fine);
}

/// Calls `body` with a new base and `args`, and gives what `put` gave to that base.
static Value wait_for(Emit& e, const Def* body, Type result, const std::vector<Value>& args) {
    auto type = base_type(e, result);
    auto base = e.collected(e.i64(e.size_of(type)), false);
    e.store(e.i64(0), e.field_ptr(type, base, 0));
    std::vector<Value> all{base};
    all.insert(all.end(), args.begin(), args.end());
    e.call_closure(e.closure(body, {}, backend::Storage::Slot), body->type(), all);
    auto done = e.load(e.int_type(64), e.field_ptr(type, base, 0));
    trap_unless(e, e.cmp(backend::Cmp::Ne, done, e.i64(0)));
    return result ? e.load(result, e.field_ptr(type, base, 1)) : Value();
}

static Value emit_enter(Emit& e, const Def* app) {
    auto body   = operand(e.world(), app, 1);
    auto result = e.type(app->type());
    auto arg    = e.elem(arg_of(app), 0);
    return wait_for(e, body, result, arg ? std::vector{arg} : std::vector<Value>());
}

static Value emit_wait(Emit& e, const Def* app) { return wait_for(e, arg_of(app), e.type(app->type()), {}); }

static Value emit_put(Emit& e, const Def* app) {
    auto value = e.elem(arg_of(app), 1);
    auto base  = e.elem(arg_of(app), 0);
    auto type  = base_type(e, e.type(group(app, 0)));
    auto flag  = e.field_ptr(type, base, 0);
    trap_unless(e, e.cmp(backend::Cmp::Eq, e.load(e.int_type(64), flag), e.i64(0)));
    e.store(e.i64(1), flag);
    if (value) e.store(value, e.field_ptr(type, base, 1));
    return {};
}

static Value emit_as(Emit& e, const Def* app) { return e.emit(arg_of(app)); }
static Type emit_base(Emit& e, const Def*) { return e.ptr_type(); }

static void init(PluginBuilder& p) {
    p.axiom("%clos.make").closures().meaning(mean_make).emit("llvm", emit_make);
    p.axiom("%clos.Base").internal().emit_type("llvm", emit_base);
    p.axiom("%clos.Done").internal().erased();
    p.axiom("%clos.enter").internal().closures().jumps().effect().meaning(mean_enter).emit("llvm", emit_enter);
    p.axiom("%clos.wait").internal().local().closures().jumps().effect().meaning(mean_wait).emit("llvm", emit_wait);
    p.axiom("%clos.put").internal().effect().meaning(mean_put).emit("llvm", emit_put);
    p.axiom("%clos.as").internal().meaning(mean_as).emit("llvm", emit_as);
    p.phase("clos.convert", "makes closures of functions that escape", convert_closures);
    p.phase("clos.open", "makes functions of closures that the program makes itself", open_closures);
    p.with_default_pipeline();
    p.join("front", "clos.open");
    p.join("late", "clos.convert");
}

} // namespace mim::plug::clos

MIM_PLUGIN(clos, mim::plug::clos::init)
