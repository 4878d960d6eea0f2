// SPDX-License-Identifier: MIT
// Operations on arguments and results become calls of runtime/entry.cpp.
#include "backend/emit.h"
#include "ainf.h"
#include "kit/match.h"

namespace mim::plug::ainf {

using backend::Emit;
using Code = backend::Value;

static Code emit_open(Emit& e, const Def* app) {
    auto& w        = e.world();
    auto signature = group(app, 1);
    std::string text;
    for (uint64_t i = 0, n = *value(group(app, 0)); i != n; ++i) text += static_cast<char>(*value(elem(w, signature, i)));
    text += '\0';
    auto argc = e.elem(arg_of(app), 1), argv = e.elem(arg_of(app), 2);
    return e.call("mim_ainf_read", e.ptr_type(), {argc, argv, e.bytes(text)});
}

static Code emit_size(Emit& e, const Def* app) {
    auto program = e.elem(arg_of(app), 1);
    return e.call("mim_ainf_size", e.int_type(64), {program, e.elem(arg_of(app), 2)});
}

static Code emit_leaf(Emit& e, const Def* app) {
    auto program = e.elem(arg_of(app), 1);
    auto i       = e.elem(arg_of(app), 2);
    return e.call("mim_ainf_leaf", e.ptr_type(), {program, i, e.elem(arg_of(app), 3)});
}

static Code emit_close(Emit& e, const Def* app) {
    e.call("mim_ainf_show", {}, {e.elem(arg_of(app), 1)});
    return {};
}

static Code emit_fits(Emit& e, const Def* app) {
    auto less = e.elem(arg_of(app), 1), more = e.elem(arg_of(app), 2);
    if (e.checked()) e.trap_if(e.cmp(backend::Cmp::ULt, more, less), app, "a negative size");
    return {};
}

void add_emitters(PluginBuilder& p) {
    auto add = [&](const char* axiom, OpEmitter emit) { p.axiom(axiom).effect().internal().emit("llvm", emit); };
    add("%ainf.open", emit_open);
    add("%ainf.size", emit_size);
    add("%ainf.leaf", emit_leaf);
    add("%ainf.close", emit_close);
    add("%ainf.fits", emit_fits);
}

} // namespace mim::plug::ainf
