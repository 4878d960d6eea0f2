// SPDX-License-Identifier: MIT
// Code for lazy values; see lazy.h for how they look.
#include "backend/emit.h"

#include "kit/match.h"
#include "lazy.h"

namespace mim::plug::direct {

namespace {

using backend::Bin;
using backend::Block;
using backend::Cmp;
using backend::Emit;
using backend::Type;
using backend::Value;

/// The T of an operation on `Lazy T`, or what it is applied to.
const Def* type_of(const Def* app) { return arg_of(app->as<App>()->callee()); }

Type emit_lazy_type(Emit& e, const Def* app) {
    auto t = e.type(arg_of(app));
    return t ? e.struct_type({e.ptr_type(), t}) : e.ptr_type();
}

Value make_lazy(Emit& e, Value suspension, Type t, Value value) {
    if (!t) return suspension;
    auto pair = e.insert_value(e.undef(e.struct_type({e.ptr_type(), t})), suspension, 0);
    return value ? e.insert_value(pair, value, 1) : pair;
}

Value emit_done(Emit& e, const Def* app) {
    auto t = e.type(type_of(app));
    return make_lazy(e, e.zero(e.ptr_type()), t, e.convert(e.emit(arg_of(app)), arg_of(app)->type(), type_of(app)));
}

Value emit_delay(Emit& e, const Def* app) {
    using backend::Storage;
    static constexpr Storage storages[] = {Storage::Slot, Storage::Stack, Storage::Heap};
    auto t                              = e.type(type_of(app));
    return make_lazy(e, e.closure(arg_of(app), t, storages[head_axiom(app)->axiom().id.sub]), t, {});
}

/// Evaluates the suspension unless it has been, and goes to `done`.
Value run(Emit& e, const Def* code_type, Value suspension, Type t, Block done) {
    auto value_ptr = t ? e.field_ptr(e.struct_type({e.ptr_type(), t}), suspension, 1) : Value();
    auto first = e.new_block("force"), have = e.new_block("forced");
    auto null = e.zero(e.ptr_type());
    e.branch(e.cmp(Cmp::Eq, e.load(e.ptr_type(), suspension), null), have, first);
    e.enter(first);
    auto value = e.call_closure(suspension, code_type, {});
    e.store(value, value_ptr);
    e.store(null, suspension);
    e.jump(have);
    e.enter(have);
    value = e.load(t, value_ptr);
    e.jump(done);
    return value;
}

Value emit_force(Emit& e, const Def* app) {
    auto& w         = e.world();
    auto t          = e.type(type_of(app));
    auto lazy       = e.emit(arg_of(app));
    auto suspension = t ? e.extract_value(lazy, 0) : lazy;
    auto known      = t ? e.extract_value(lazy, 1) : Value();
    auto suspended = e.new_block("suspended"), done = e.new_block("known");
    auto from = e.current();
    e.branch(e.cmp(Cmp::Eq, suspension, e.zero(e.ptr_type())), done, suspended);
    e.enter(suspended);
    // blocks of the two ways to `done`: `run` ends in a block of its own
    auto value = run(e, w.cn(w.cn(type_of(app))), suspension, t, done);
    auto last  = e.current();
    e.enter(done);
    if (!t) return {};
    std::pair<Value, Block> incoming[] = {{known, from}, {value, last}};
    return e.phi(t, incoming);
}

Value emit_fill(Emit& e, const Def* app) {
    auto arr   = app->type()->as<Arr>();
    auto index = e.type(e.world().idx(arr->arity()));
    if (!e.type(arr)) return {};
    return e.fill_array(arr, [&](Value i) {
        Value arg = index ? e.resize(i, index) : Value();
        return e.call_function(arg_of(app), std::span(&arg, arg ? 1 : 0));
    });
}

} // namespace

void register_emitters(PluginBuilder& p) {
    p.axiom("%direct.Lazy").emit_type("llvm", emit_lazy_type);
    p.axiom("%direct.done").emit("llvm", emit_done);
    p.axiom("%direct.delay").emit("llvm", emit_delay);
    p.axiom("%direct.once").emit("llvm", emit_delay);
    p.axiom("%direct.force").emit("llvm", emit_force);
    p.axiom("%direct.fill").emit("llvm", emit_fill);
}

} // namespace mim::plug::direct
