// SPDX-License-Identifier: MIT
#include "sema/tuple.h"

#include "sema/hints.h"
#include "sema/scratch.h"

namespace mim {

Res Tuples::tuple(const ast::Tuple* e) {
    Scratch elems(elems_);
    std::vector<const View*> views; // filled only if an element has one
    bool poison = false;
    for (auto elem : e->elems) {
        auto r = terms_.expr(elem);
        poison |= !r;
        if (r.view && views.empty()) views.resize(e->elems.size());
        if (r.view) views[elems.size()] = r.view;
        elems.push(r.def);
    }
    if (poison) return {};
    Res res{at(e->span, [&] { return world_.tuple(elems.values()); })};
    if (!views.empty()) res.view = views_.tuple({}, views);
    return res;
}

Res Tuples::extract(const ast::Extract* e) {
    std::vector<const ast::Extract*> chain; // `e#a#b`: from the outside in
    auto inner = e->tuple;
    for (; inner->kind == ast::ExprKind::Extract; inner = ast::as<ast::Extract>(inner)->tuple)
        chain.push_back(ast::as<ast::Extract>(inner));
    auto res = terms_.expr(inner);
    for (auto i = chain.size(); i-- > 0;) res = extract_step(res, {chain[i], chain[i]->index});
    return extract_step(res, {e, e->index});
}

/// `e#(i, j)` is `e#i#j`.
Res Tuples::extract_step(Res tuple, const Step& step) {
    if (auto indices = ast::isa<ast::Tuple>(step.index); indices && !indices->elems.empty()) {
        for (auto index : indices->elems) tuple = extract_step(tuple, {step.text, index});
        return tuple;
    }
    uint64_t lit;
    auto index = this->index(tuple, step.index, lit);
    if (!tuple || !index) return {};
    if (is_indices(index)) return extract_each(tuple, index, step);
    bool is_field = step.index->kind == ast::ExprKind::Name && tuple.view
                    && tuple.view->find(ast::as<ast::Name>(step.index)->sym) >= 0;
    effects_.take_alternatives(tuple.def, step.index, is_field);
    bool is_told = on_read && has_known_type(index) && has_known_type(tuple.def); // by themselves
    auto res     = extract_at(tuple, index, step);
    if (res && is_told && step.index == step.text->index) on_read({step.text, tuple.def, index, res.def});
    return res;
}

/// The elements that an unknown index chooses from: of `(nil, cons (x, rest))#c`, the first one gets the type of the other.
Res Tuples::alternatives(Res tuple, Span place) {
    auto elems = expectations_.instantiate(tuple, place);
    if (!elems || elems.def == tuple.def || !elems.def->isa<Tuple>()) return elems;
    for (auto elem : elems.def->ops()) unify(world_, elems.def->op(0)->type(), elem->type());
    return {world_.refresh(elems.def), elems.view};
}

Res Tuples::extract_at(Res tuple, const Def* index, const Step& step) {
    auto lit = isa_lit(index);
    if (!lit && tuple.def->isa<Tuple>()) tuple = alternatives(tuple, step.text->tuple->span);
    if (!tuple) return {};
    try {
        auto value = world_.extract(tuple.def, index);
        auto each  = tuple.view ? tuple.view->each : nullptr;
        return {value, lit ? elem(tuple.view, lit->value()) : each};
    } catch (const Error& err) {
        report_extract(err, tuple.def, index, step);
        return {};
    }
}

/// An index that is a tuple, whose length is known.
bool Tuples::is_indices(const Def* index) {
    auto type = world_.refresh(index->type());
    return (type->isa<Sigma>() || type->isa<Arr>()) && lit_arity(world_, type) > 1;
}

/// The indices are known at run time only, maybe.
Res Tuples::extract_each(Res tuple, const Def* indices, const Step& step) {
    auto n = static_cast<uint64_t>(lit_arity(world_, indices->type()));
    for (uint64_t i = 0; i < n && tuple; ++i) {
        auto index = world_.extract(indices, i);
        effects_.take_alternatives(tuple.def, step.index, false);
        tuple = is_indices(index) ? extract_each(tuple, index, step) : extract_at(tuple, index, step);
    }
    return tuple;
}

void Tuples::report_extract(const Error& err, const Def* tuple, const Def* index, const Step& e) {
    auto type = tuple->type();
    if (auto arr = type->isa<Arr>(); arr && holes_.report_open(arr->arity())) return; // nobody knows its length
    if (err.id == Diag::not_an_index) {
        auto& d = error(err.id, e.index->span,
                        {show(index, e.index), show(index->type()), show(std::get<const Def*>(err.args[2]))});
        hint_index(errors_, d, tuple, index);
        return;
    }
    if (err.id != Diag::bad_index || type->isa<Sigma>() || type->isa<Arr>()) {
        report(err, err.id == Diag::bad_index ? e.index->span : e.text->span);
        return;
    }
    auto& d  = error(Diag::index_range, e.index->span, {"`" + show(index, e.index) + "`", show(type), "no elements"});
    auto axm = head_axiom(type);
    if (!axm || !axm->axiom().has(Axiom::Pointer)) return;
    auto text    = source_text(e.text->tuple->span) + "#" + source_text(e.index->span);
    auto instead = "what the pointer points to lies in memory: take the address of the element, and load from there";
    d.note(Diag::no_such_word, {}, {text, instead});
}

/// An index or a field name; `value` is set if it is a literal.
const Def* Tuples::index(Res& tuple, const ast::Expr* e, uint64_t& value) {
    auto field = ast::isa<ast::Name>(e);
    auto nat   = ast::isa<ast::NatLit>(e);
    value      = 0;
    if (!tuple) return field ? nullptr : terms_.expr(e).def;
    if (tuple.def->is_unstable()) tuple.def = world_.refresh(tuple.def);
    auto arity       = lit_arity(world_, tuple.def->type());
    int64_t at_field = field && tuple.view ? tuple.view->find(field->sym) : -1;
    if (field && at_field < 0 && !names_.find(field->sym)) return unknown_.field(tuple, field), nullptr;
    if ((!nat && at_field < 0) || (nat && arity < 0)) {
        auto res = terms_.expr(e);
        if (auto lit = res ? isa_lit(res.def) : nullptr) value = lit->value();
        return res.def;
    }
    value = nat ? nat->value : static_cast<uint64_t>(at_field);
    if (arity >= 0 && value < static_cast<uint64_t>(arity)) return world_.lit_idx(static_cast<uint64_t>(arity), value);
    error(Diag::index_range, e->span,
          {std::to_string(value), show(tuple.def->type()),
           arity < 0    ? "an unknown number of elements"
           : arity == 1 ? "1 element"
                        : std::to_string(arity) + " elements"});
    return nullptr;
}

Res Tuples::insert(const ast::Insert* e) {
    auto tuple = terms_.expr(e->tuple);
    uint64_t lit;
    auto index = this->index(tuple, e->index, lit);
    auto value = terms_.expr(e->value);
    if (!tuple || !index || !value) return {};
    try {
        return {world_.insert(tuple.def, index, value.def), tuple.view};
    } catch (const Error& err) {
        auto& d = report(err, err.id == Diag::not_assignable ? e->value->span : e->span);
        if (err.id == Diag::dependent_update) d.note(Diag::update_in_cases, {}, {source_text(e->index->span)});
        return {};
    }
}

} // namespace mim
