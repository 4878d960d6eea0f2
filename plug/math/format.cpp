// SPDX-License-Identifier: MIT
#include "format.h"

#include <cstdio>

#include "math/diagnostics.h"
#include "number.h"

namespace mim::plug::math {

const Format* format_of(const Def* pe) {
    auto pair = pe->isa<Tuple>();
    if (!pair || pair->num_ops() != 2) return nullptr;
    for (auto f : {&binary64, &binary32, &binary16, &bfloat16})
        if (is_value(pair->op(0), f->p) && is_value(pair->op(1), f->e)) return f;
    return nullptr;
}

const Format* format_of_type(const Def* type) {
    auto app = type->isa<App>();
    return app ? format_of(app->arg()) : nullptr;
}

/// 0 is 0 in every format, so it needs none.
const Def* read_literal(World& w, const Def* type, std::string_view text) {
    if (text == "0") return w.raw_lit(type, 0);
    auto f = format_of_type(type);
    if (!f) throw Error(diag::float_format(type));
    uint64_t bits;
    if (parse(*f, text, bits)) return w.raw_lit(type, bits);
    char max[32];
    std::snprintf(max, sizeof max, "%.17g", to_double(*f, f->max()));
    throw Error(Diag::literal_misfit, {std::string(text), type, std::string("the largest value is ") + max});
}

std::string print_literal(const Def* literal) {
    auto f = format_of_type(literal->type());
    return f ? print(*f, literal->as<Lit>()->value()) : "0";
}

bool layout_of(World&, const Def* type, uint64_t& size, uint64_t& align) {
    auto f = format_of_type(type);
    if (f) size = align = f->width() / 8;
    return f;
}

std::string c_spelling_of(const Def* type) {
    auto f = format_of_type(type);
    return f ? f->c_name : "";
}

} // namespace mim::plug::math
