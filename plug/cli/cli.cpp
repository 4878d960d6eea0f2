// SPDX-License-Identifier: MIT
// Registers the plugin `cli`: its operations become calls of runtime/entry.cpp. It is declared in cli.mim.
#include "backend/emit.h"
#include "driver/plugin.h"
#include "kit/match.h"

using namespace mim;
using backend::Emit;
using Code = backend::Value;

static Code emit_open(Emit& e, const Def* app) {
    auto& w        = e.world();
    auto signature = group(app, 1);
    std::string text;
    for (uint64_t i = 0, n = *value(group(app, 0)); i != n; ++i) text += static_cast<char>(*value(elem(w, signature, i)));
    text += '\0';
    auto argc = e.elem(arg_of(app), 1), argv = e.elem(arg_of(app), 2);
    return e.call("mim_cli_read", e.ptr_type(), {argc, argv, e.bytes(text)});
}

static Code emit_size(Emit& e, const Def* app) {
    auto program = e.elem(arg_of(app), 1);
    return e.call("mim_cli_size", e.int_type(64), {program, e.elem(arg_of(app), 2)});
}

static Code emit_leaf(Emit& e, const Def* app) {
    auto program = e.elem(arg_of(app), 1);
    auto i       = e.elem(arg_of(app), 2);
    return e.call("mim_cli_leaf", e.ptr_type(), {program, i, e.elem(arg_of(app), 3)});
}

static Code emit_close(Emit& e, const Def* app) {
    e.call("mim_cli_show", {}, {e.elem(arg_of(app), 1)});
    return {};
}

static Code emit_no_memory(Emit& e, const Def* app) {
    e.call("mim_cli_no_memory", {}, {e.elem(arg_of(app), 1)});
    return {};
}

static void init(PluginBuilder& p) {
    auto add = [&](const char* axiom, OpEmitter emit) { p.axiom(axiom).effect().emit("llvm", emit); };
    add("%cli.open", emit_open);
    add("%cli.size", emit_size);
    add("%cli.leaf", emit_leaf);
    add("%cli.close", emit_close);
    add("%cli.no_memory", emit_no_memory);
    p.library({.name = "mim_cli_runtime", .system_libraries = {}, .advice = "build the plugin", .plugin = {}, .folder = {}});
}

MIM_PLUGIN(cli, init)
