// SPDX-License-Identifier: MIT
// Registers the plugin `clos`: its phases, and what its axioms are to LLVM.
#include "backend/emit.h"
#include "driver/plugin.h"
#include "meaning.h"
#include "phase/convert.h"
#include "phase/open.h"

namespace mim::plug::clos {

/// See runtime/collect.h.
static const ClosureRuntime kRuntime = {.attach  = "mim_collect_attach",
                                        .closure = "mim_collect_closure",
                                        .plain   = "mim_collect_plain",
                                        .malloc  = "mim_collect_malloc",
                                        .calloc  = "mim_collect_calloc",
                                        .realloc = "mim_collect_realloc",
                                        .free    = "mim_collect_free",
                                        .keep    = "mim_collect_keep"};

static backend::Value emit_make(backend::Emit& e, const Def* app) {
    auto& w  = e.world();
    auto arg = app->as<App>()->arg();
    return e.escaping(w.extract(arg, uint64_t(1)), w.extract(arg, uint64_t(0)));
}

// A base is {whether it has its result, the result}. It lives as long as somebody may give it one.

static backend::Type base_type(backend::Emit& e, backend::Type result) {
    return result ? e.struct_type({e.int_type(64), result}) : e.struct_type({e.int_type(64)});
}

static void trap_unless(backend::Emit& e, backend::Value is_fine) {
    auto wrong = e.new_block("wrong"), fine = e.new_block("fine");
    e.branch(is_fine, fine, wrong);
    e.enter(wrong);
    e.trap();
    e.jump(fine);
    e.enter(fine);
}

static backend::Value emit_enter(backend::Emit& e, const Def* app) {
    auto& w     = e.world();
    auto arg    = backend::group_back(app, 0);
    auto body   = w.extract(arg, uint64_t(1));
    auto result = e.type(app->type());
    auto type   = base_type(e, result);
    auto base   = e.call(kRuntime.closure, e.ptr_type(), {e.i64(e.size_of(type))});
    e.store(e.i64(0), e.field_ptr(type, base, 0));
    std::vector<backend::Value> args{base};
    if (auto value = e.elem(arg, 0)) args.push_back(value);
    e.call_closure(e.closure(body, {}, backend::Storage::Slot), body->type(), args);
    auto done = e.load(e.int_type(64), e.field_ptr(type, base, 0));
    trap_unless(e, e.cmp(backend::Cmp::Ne, done, e.i64(0)));
    return result ? e.load(result, e.field_ptr(type, base, 1)) : backend::Value();
}

static backend::Value emit_put(backend::Emit& e, const Def* app) {
    auto value = e.elem(backend::group_back(app, 0), 1);
    auto base  = e.elem(backend::group_back(app, 0), 0);
    auto type  = base_type(e, e.type(backend::group_back(app, 1)));
    auto flag  = e.field_ptr(type, base, 0);
    trap_unless(e, e.cmp(backend::Cmp::Eq, e.load(e.int_type(64), flag), e.i64(0)));
    e.store(e.i64(1), flag);
    if (value) e.store(value, e.field_ptr(type, base, 1));
    return {};
}

static backend::Value emit_as(backend::Emit& e, const Def* app) { return e.emit(backend::group_back(app, 0)); }
static backend::Type emit_base(backend::Emit& e, const Def*) { return e.ptr_type(); }

static void init(PluginBuilder& p) {
    p.library(
        {.name = "mim_clos_runtime", .system_libraries = {"gc"}, .advice = "install libgc-dev", .plugin = {}, .folder = {}});
    p.axiom("%clos.make").closures(kRuntime).meaning(mean_make).emit("llvm", emit_make);
    p.axiom("%clos.Base").internal().emit_type("llvm", emit_base);
    p.axiom("%clos.Done").internal().erased();
    p.axiom("%clos.enter").internal().closures(kRuntime).jumps().effect().meaning(mean_enter).emit("llvm", emit_enter);
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
