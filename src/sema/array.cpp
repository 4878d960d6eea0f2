// SPDX-License-Identifier: MIT
#include "sema/array.h"

namespace mim {

Res Arrays::array(const ast::Array* e, size_t dim) {
    if (dim == e->dims.size()) {
        auto t = terms_.type(e->body);
        return {t.type, views_.type_of(t.view)};
    }
    auto each = [&](const View* body) {
        if (!body || !body->inst) return static_cast<const View*>(nullptr);
        return views_.type_of(views_.make({.each = body->inst}));
    };
    auto& d    = e->dims[dim];
    auto arity = terms_.expr(d.arity);
    if (!d.name.name || !arity) {
        auto body = array(e, dim + 1);
        if (!arity) return {};
        auto res = nest(arity.def, body, e->span, true);
        res.view = each(body.view);
        return res;
    }
    auto mut = at(d.arity->span, [&] { return world_.mut_arr(arity.def); });
    if (!mut) return {};
    world_.holes.enter(mut);
    auto mark = names_.mark();
    bind_index(d.name, mut);
    auto body = array(e, dim + 1);
    names_.pop(mark);
    if (!body) return {};
    return {at(e->span, [&] { return world_.seal(const_cast<Arr*>(mut->as<Arr>()), body.def); }), each(body.view)};
}

Res Arrays::pack(const ast::Pack* e, size_t dim) {
    if (dim == e->dims.size()) return terms_.expr(e->body);
    auto& d    = e->dims[dim];
    auto arity = terms_.expr(d.arity);
    if (!arity) return terms_.expr(e->body), Res{};
    if (!d.name.name) return nest(arity.def, pack(e, dim + 1), e->span, false);
    auto mut = at(d.arity->span, [&] { return world_.mut_pack(arity.def); });
    if (!mut) return {};
    world_.holes.enter(mut);
    auto mark = names_.mark();
    bind_index(d.name, mut);
    auto body = pack(e, dim + 1);
    names_.pop(mark);
    if (!body) return {};
    effects_.take_over(body.def);
    return {at(e->span, [&] { return world_.seal(const_cast<Pack*>(mut->as<Pack>()), body.def); })};
}

void Arrays::bind_index(const ast::Binder& name, const Def* mut) {
    names_.push({.sym = name.name, .span = name.span, .def = mut->var(), .kind = Binding::Param});
    world_.notes.set_name(mut->var(), name.name);
}

/// An array or pack whose index has no name.
Res Arrays::nest(const Def* arity, Res body, Span span, bool is_type) {
    if (!body) return {};
    auto build = [&](const Def* n, const Def* b) { return is_type ? world_.arr(n, b) : world_.pack(n, b); };
    auto shape = arity->type()->isa<Arr>(); // a shape of several dimensions
    auto rank  = shape ? lit_arity(world_, shape) : -1;
    auto def   = at(span, [&] {
        if (rank < 0) return build(arity, body.def);
        auto res = body.def;
        for (auto i = rank; i-- > 0;) res = build(world_.extract(arity, static_cast<uint64_t>(i)), res);
        return res;
    });
    return {def};
}

} // namespace mim
