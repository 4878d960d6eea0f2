// SPDX-License-Identifier: MIT
// Registers the plugin `clos`: its phases, and what `%clos.make` means to the evaluator and to LLVM.
#include "backend/emit.h"
#include "driver/plugin.h"
#include "eval/machine.h"
#include "phase/convert.h"
#include "phase/open.h"

namespace mim::plug::clos {

/// The functions are known only when `code` has returned, so it gets some that ask later. It makes them of λs and calls none.
static eval::Value mean_make(eval::Machine& m, const Def*) {
    using eval::Value;
    auto n         = m.num(m.elem(m.group(0), 1, 3));
    auto functions = std::make_shared<Value>();
    eval::Values later;
    for (uint64_t i = 0; i != n; ++i)
        later.push_back(m.host_fn([=](eval::Machine& m, Value arg) { return m.call(m.elem(*functions, i, n), arg); }));
    auto env   = m.elem(m.group(1), 0);
    auto code  = m.elem(m.group(1), 1);
    *functions = m.call(code, m.tuple({env, m.tuple(std::move(later))}));
    return *functions;
}

static backend::Value emit_make(backend::Emit& e, const Def* app) {
    auto& w  = e.world();
    auto arg = app->as<App>()->arg();
    return e.escaping(w.extract(arg, uint64_t(1)), w.extract(arg, uint64_t(0)));
}

static void init(PluginBuilder& p) {
    p.axiom("%clos.make").closures().meaning(mean_make).emit("llvm", emit_make);
    p.phase("clos.convert", "makes closures of functions that escape", convert_closures);
    p.phase("clos.open", "makes functions of closures that the program makes itself", open_closures);
    p.join("front", "clos.open");
    p.join("late", "clos.convert");
}

} // namespace mim::plug::clos

MIM_PLUGIN(clos, mim::plug::clos::init)
