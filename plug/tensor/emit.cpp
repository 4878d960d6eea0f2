// SPDX-License-Identifier: MIT
// Code for what is left after lowering: checks of what is owed.
#include <vector>

#include "backend/emit.h"

#include "tensor.h"

namespace mim::plug::tensor {

backend::Value emit_index(backend::Emit& e, const Def* app) {
    auto type   = e.type(app->type());
    auto i      = e.emit(arg_of(app));
    auto n      = e.emit(group(app, 1));
    auto wide   = i ? e.resize(i, e.int_type(64)) : e.i64(0);
    bool is_all = group(app, 1) == e.world().lit_2_64(); // which n says by 0
    if (!is_all) e.trap_if(e.cmp(backend::Cmp::UGe, wide, n), app, "index {} is not below {}", {wide, n});
    return type ? e.resize(wide, type) : backend::Value();
}

const char* text_of(owe what) {
    switch (what) {
        case owe::reshape: return "an array of {} elements is none of {} in `%tensor.reshape`";
        case owe::slice: return "{} elements from {} on, in steps of {}, are not in an array of {} in `%tensor.slice`";
        case owe::window: return "{} windows of {} need more than {} elements in `%tensor.window`";
        case owe::pad: return "there is no element to repeat {} times in front and {} times behind in `%tensor.pad`";
        case owe::shape: return "an array of {} elements is none of a shape whose product leaves 64 bits in `%tensor.reshape`";
        case owe::extent: return "{} elements with {} in front and {} behind leave 64 bits in `%tensor.pad`";
    }
    return "";
}

backend::Value emit_owe(backend::Emit& e, const Def* app) {
    auto [holds, numbers] = elems<2>(e.world(), group(app, 1));
    auto is_fine          = e.emit(holds);
    std::vector<backend::Value> values;
    for (size_t i = 0, n = value(e.world(), group(app, 0), 0).value_or(0); i != n; ++i)
        values.push_back(n == 1 ? e.emit(numbers) : e.elem(numbers, i));
    e.trap_if(e.not_(is_fine), app, text_of(owe(sub_of(app))), values);
    return e.emit(arg_of(app));
}

/// The answer has been asked for, which traps if it is no.
backend::Value emit_inside(backend::Emit& e, const Def* app) {
    e.emit(group(app, 1));
    return e.type(app->type()) ? e.emit(arg_of(app)) : backend::Value();
}

} // namespace mim::plug::tensor
