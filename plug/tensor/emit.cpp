// SPDX-License-Identifier: MIT
// Code for what is left after lowering: checks of what is owed.
#include "backend/emit.h"

#include "tensor.h"

namespace mim::plug::tensor {

backend::Value emit_index(backend::Emit& e, const Def* app) {
    auto type  = e.type(app->type());
    auto i     = e.emit(arg_of(app));
    auto n     = e.emit(group(app, 1));
    auto wide  = i ? e.resize(i, e.int_type(64)) : e.i64(0);
    auto known = value(group(app, 1));
    if (known != 0) e.trap_if(e.cmp(backend::Cmp::UGe, wide, n), app, "an index that is out of bounds");
    return type ? e.resize(wide, type) : backend::Value();
}

const char* text_of(owe what) {
    switch (what) {
        case owe::reshape: return "the new shape has another number of elements";
        case owe::slice: return "the slice has a step of 0, or ends behind the array";
        case owe::window: return "the last window ends behind the array";
        case owe::pad: return "there is no element to repeat";
    }
    return "";
}

backend::Value emit_owe(backend::Emit& e, const Def* app) {
    auto holds = e.emit(group(app, 1));
    e.trap_if(e.not_(holds), app, text_of(owe(sub_of(app))));
    return e.emit(arg_of(app));
}

backend::Value emit_inside(backend::Emit& e, const Def* app) {
    auto holds = e.emit(group(app, 1));
    e.trap_if(e.not_(holds), app, "an index that is out of bounds");
    return e.type(app->type()) ? e.emit(arg_of(app)) : backend::Value();
}

} // namespace mim::plug::tensor
