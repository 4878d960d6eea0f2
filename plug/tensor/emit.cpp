// SPDX-License-Identifier: MIT
// Code for what is left after lowering: checks of what is owed.
#include "backend/emit.h"

#include "tensor.h"

namespace mim::plug::tensor {

using backend::Emit;
using backend::Value;

Value emit_index(Emit& e, const Def* app) {
    auto type  = e.type(app->type());
    auto i     = e.emit(arg_of(app));
    auto n     = e.emit(group(app, 1));
    auto wide  = i ? e.resize(i, e.int_type(64)) : e.i64(0);
    auto known = value(group(app, 1));
    if (known != 0) e.trap_if(e.cmp(backend::Cmp::UGe, wide, n), app, "an index that is out of bounds");
    return type ? e.resize(wide, type) : Value();
}

Value emit_owe(Emit& e, const Def* app) {
    auto holds = e.emit(group(app, 1));
    e.trap_if(e.not_(holds), app, "what an operation owes does not hold");
    return e.emit(arg_of(app));
}

} // namespace mim::plug::tensor
