// SPDX-License-Identifier: MIT
// Terms. Each function builds one kind of expression from its parts, innermost first; the World checks and normalizes.
#include "base/stack.h"
#include "sema/elab.h"

namespace mim {

Res Elab::expr(const ast::Expr* e) {
    if (stack_is_low() && !check_depth(e->span)) return {};
    auto res = dispatch(e);
    switch (e->kind) {
        case ast::ExprKind::App:
        case ast::ExprKind::Extract:
        case ast::ExprKind::Insert:
        case ast::ExprKind::Match:
        case ast::ExprKind::Pack:
        case ast::ExprKind::Inj: place(res.def, e->span); break;
        default: break;
    }
    return res;
}

/// Equal expressions are one node, which comes from where it was written first.
void Elab::place(const Def* def, Span span) {
    if (def && !def->has(Def::Placed) && World::has_place(def)) world_.set_span(def, span);
}

Res Elab::dispatch(const ast::Expr* e) {
    switch (e->kind) {
        case ast::ExprKind::Name: return name(ast::as<ast::Name>(e));
        case ast::ExprKind::Annex: return annex(ast::as<ast::Annex>(e));
        case ast::ExprKind::Prim: return prim(ast::as<ast::Prim>(e));
        case ast::ExprKind::NatLit: return {world_.lit_nat(ast::as<ast::NatLit>(e)->value)};
        case ast::ExprKind::IdxLit: {
            auto lit = ast::as<ast::IdxLit>(e);
            return {at(e->span,
                       [&] { return world_.lit_idx(lit->size ? world_.lit_nat(lit->size) : world_.lit_2_64(), lit->value); })};
        }
        case ast::ExprKind::AscribedLit: return ascribed(ast::as<ast::AscribedLit>(e));
        case ast::ExprKind::FloatLit: return float_lit(ast::as<ast::FloatLit>(e));
        case ast::ExprKind::StrLit: return string(ast::as<ast::StrLit>(e));
        case ast::ExprKind::Sort: return sort(ast::as<ast::Sort>(e));
        case ast::ExprKind::Sigma: return sigma(ast::as<ast::Sigma>(e));
        case ast::ExprKind::Tuple: return tuple(ast::as<ast::Tuple>(e));
        case ast::ExprKind::Array: return array(ast::as<ast::Array>(e), 0);
        case ast::ExprKind::Pack: return pack(ast::as<ast::Pack>(e), 0);
        case ast::ExprKind::App: return app(ast::as<ast::App>(e));
        case ast::ExprKind::Extract: return extract(ast::as<ast::Extract>(e));
        case ast::ExprKind::Insert: return insert(ast::as<ast::Insert>(e));
        case ast::ExprKind::Pi: return pi(ast::as<ast::Pi>(e));
        case ast::ExprKind::Lam: return lambda(ast::as<ast::Lam>(e));
        case ast::ExprKind::Block: return block(ast::as<ast::Block>(e));
        case ast::ExprKind::Where: return where(ast::as<ast::Where>(e));
        case ast::ExprKind::Union: return union_type(ast::as<ast::Union>(e));
        case ast::ExprKind::Inj: return inj(ast::as<ast::Inj>(e));
        case ast::ExprKind::Match: return match(ast::as<ast::Match>(e));
        case ast::ExprKind::Singleton: {
            auto value = expr(ast::as<ast::Singleton>(e)->value);
            return {value ? at(e->span, [&] { return world_.sing(value.def); }) : nullptr};
        }
        case ast::ExprKind::Hole: return hole(e->span);
        case ast::ExprKind::Error: return {};
    }
    return {};
}

/*
 * names and literals
 */

Res Elab::name(const ast::Name* e) {
    auto b = scopes_.find(e->sym);
    if (!b) return unknown_name(e->sym, e->span), Res{};
    b->used = true;
    if (b->state == Binding::Pending) {
        auto span = b->span;
        error(Diag::not_ready, e->span, {e->sym.str(), "join the two with `and`, or give the types of functions without it"})
            .note(Diag::declared_here, span, {e->sym.str()});
        return {};
    }
    auto view = b->view;
    if (b->state == Binding::Ready && b->def && !b->def->is_unstable()) return {b->def, view};
    return {force(static_cast<uint32_t>(b - &scopes_[0])), view};
}

Res Elab::annex(const ast::Annex* e) {
    // functions of this file that are still being elaborated come first
    if (auto b = scopes_.find(e->sym)) {
        ast::Name name{{ast::ExprKind::Name, e->span}, e->sym};
        (void)b;
        return this->name(&name);
    }
    auto it = s_.annexes.find(e->sym);
    if (it == s_.annexes.end()) return unknown_annex(e->sym, e->span), Res{};
    auto axm = it->second.def ? it->second.def->isa<Axm>() : nullptr;
    if (axm && axm->axiom().has(Axiom::Internal) && !s_.host.may_name_internals()) {
        error(Diag::internal_annex, e->span, {e->sym.str()});
        return {};
    }
    return {it->second.def, it->second.view};
}

Res Elab::prim(const ast::Prim* e) {
    if (prims_.empty()) {
        prims_ = {
            world_.star(),
            world_.box(),
            world_.bot(),
            world_.top(),
            world_.nat(),
            world_.idx(),
            world_.bool_type(),
            world_.idx(2),
            world_.idx(0x100),
            world_.idx(0x10000),
            world_.idx(0x100000000),
            world_.i64_type(),
            world_.ff(),
            world_.tt(),
            world_.lit_nat(2),
            world_.lit_nat(0x100),
            world_.lit_nat(0x10000),
            world_.lit_nat(0x100000000),
            world_.lit_2_64(),
        };
    }
    return {prims_[static_cast<size_t>(e->prim)]};
}

Res Elab::ascribed(const ast::AscribedLit* e) {
    auto type = this->type(e->type);
    if (!type) return {};
    auto misfit = [&](std::string why) {
        error(Diag::literal_misfit, e->span, {std::to_string(e->value), show(type.type), std::move(why)});
        return Res{};
    };
    auto size = isa_idx(type.type);
    if (type.type == world_.nat()) return {world_.lit_nat(e->value)};
    if (!size) {
        auto axm = head_axiom(type.type);
        if (!axm) return misfit("it is no type of numbers");
        if (axm->axiom().literal) return plugin_literal(e->span, type.type, std::to_string(e->value));
        return {at(e->span, [&] { return world_.raw_lit(type.type, e->value); })};
    }
    auto lit = size->isa<Lit>();
    if (!lit) return misfit("its size is no literal");
    if (!lit->is_2_64() && e->value >= lit->value())
        return misfit(lit->value() ? "the largest value is " + std::to_string(lit->value() - 1) : "it has no values");
    return {at(e->span, [&] { return world_.lit_idx(size, e->value); })};
}

Res Elab::float_lit(const ast::FloatLit* e) {
    auto type = this->type(e->type);
    if (!type) return {};
    auto axm = head_axiom(type.type);
    if (axm && axm->axiom().literal) return plugin_literal(e->span, type.type, e->text.view());
    error(Diag::float_type, e->span, {show(type.type)});
    return {};
}

/// A number whose type a plugin makes, which reads it.
Res Elab::plugin_literal(Span span, const Def* type, std::string_view text) {
    bool none = false;
    auto res  = at(span, [&] {
        auto def = head_axiom(type)->axiom().literal(world_, type, text);
        none     = !def;
        return def;
    });
    if (none) error(Diag::float_type, span, {show(type)});
    return {res};
}

Res Elab::string(const ast::StrLit* e) {
    std::vector<const Def*> bytes;
    bytes.reserve(e->bytes.size());
    for (unsigned char c : e->bytes) bytes.push_back(world_.lit_idx(0x100, c));
    return {at(e->span, [&] { return world_.tuple(bytes); })};
}

Res Elab::sort(const ast::Sort* e) {
    static constexpr uint64_t Limit = 65535;
    auto level                      = expr(e->level);
    if (!level) return {};
    auto lit = isa_lit(level.def);
    if (!lit || lit->type() != world_.nat() || lit->value() >= Limit) {
        error(Diag::bad_level, e->level->span, {show(level.def), std::to_string(Limit)});
        return {};
    }
    return {at(e->span, [&] { return world_.sort(static_cast<unsigned>(lit->value())); })};
}

Res Elab::hole(Span span) {
    force_all();
    auto type = world_.hole(world_.star());
    return {make_hole(type, span, nullptr, nullptr)};
}

/*
 * tuples
 */

Res Elab::tuple(const ast::Tuple* e) {
    auto base = defs_.size();
    std::vector<const View*> views; // filled only if an element has one
    bool poison = false;
    for (auto elem : e->elems) {
        auto r = expr(elem);
        poison |= !r;
        if (r.view && views.empty()) views.resize(e->elems.size());
        if (r.view) views[defs_.size() - base] = r.view;
        defs_.push_back(r.def);
    }
    Res res;
    if (!poison) {
        res.def = at(e->span, [&] { return world_.tuple(Defs(defs_.data() + base, defs_.size() - base)); });
        if (!views.empty()) res.view = make_view({}, views);
    }
    defs_.resize(base);
    return res;
}

Res Elab::pack(const ast::Pack* e, size_t dim) {
    if (dim == e->dims.size()) return expr(e->body);
    auto& d    = e->dims[dim];
    auto arity = expr(d.arity);
    if (!arity) return expr(e->body), Res{};
    if (!d.name.name) return nest(arity.def, pack(e, dim + 1), e->span, false);
    auto mut = at(d.arity->span, [&] { return world_.mut_pack(arity.def); });
    if (!mut) return {};
    world_.enter(mut);
    auto mark = scopes_.mark();
    scopes_.push({.sym = d.name.name, .span = d.name.span, .def = mut->var(), .kind = Binding::Param});
    world_.set_name(mut->var(), d.name.name);
    auto body = pack(e, dim + 1);
    scopes_.pop(mark);
    world_.leave();
    if (!body) return {};
    take_over(body.def);
    return {at(e->span, [&] { return world_.seal(const_cast<Pack*>(mut->as<Pack>()), body.def); })};
}

Res Elab::nest(const Def* arity, Res body, Span span, bool is_type) {
    if (!body) return {};
    auto build = [&](const Def* n, const Def* b) { return is_type ? world_.arr(n, b) : world_.pack(n, b); };
    auto shape = arity->type()->isa<Arr>(); // a shape of several dimensions
    auto rank  = shape ? world_.lit_arity(shape) : -1;
    auto def   = at(span, [&] {
        if (rank < 0) return build(arity, body.def);
        auto res = body.def;
        for (auto i = rank; i-- > 0;) res = build(world_.extract(arity, static_cast<uint64_t>(i)), res);
        return res;
    });
    return {def};
}

Res Elab::extract(const ast::Extract* e) {
    std::vector<const ast::Extract*> chain; // `e#a#b`: from the outside in
    auto inner = e->tuple;
    for (; inner->kind == ast::ExprKind::Extract; inner = ast::as<ast::Extract>(inner)->tuple)
        chain.push_back(ast::as<ast::Extract>(inner));
    auto res = expr(inner);
    for (auto i = chain.size(); i-- > 0;) res = extract_step(res, chain[i]);
    return extract_step(res, e);
}

Res Elab::extract_step(Res tuple, const ast::Extract* e) {
    uint64_t lit;
    auto index = this->index(tuple, e->index, e->tuple->span, lit);
    if (!tuple || !index) return {};
    bool known    = isa_lit(index);
    bool is_field = e->index->kind == ast::ExprKind::Name && tuple.view
                    && tuple.view->find(ast::as<ast::Name>(e->index)->sym) >= 0;
    take_alternatives(tuple.def, e->index, is_field);
    try {
        return {world_.extract(tuple.def, index), known ? elem(tuple.view, lit) : (tuple.view ? tuple.view->each : nullptr)};
    } catch (const Error& err) {
        auto type = tuple.def->type();
        if (err.id == Diag::bad_index && !type->isa<Sigma>() && !type->isa<Arr>()) {
            auto& d = error(Diag::index_range, e->index->span, {"`" + show(index, e->index) + "`", show(type), "no elements"});
            auto pointer = source_text(e->tuple->span), place = source_text(e->index->span);
            auto instead = "what the pointer points to lies in memory: take the address of the element, and load from there";
            auto axm     = head_axiom(type);
            if (axm && axm->axiom().has(Axiom::Pointer)) d.note(Diag::no_such_word, {}, {pointer + "#" + place, instead});
        } else if (err.id == Diag::not_an_index)
            hint_index(error(err.id, e->index->span, {show(index, e->index), show(index->type())}), tuple.def, index);
        else report(err, err.id == Diag::bad_index ? e->index->span : e->span);
        return {};
    }
}

const Def* Elab::index(Res& tuple, const ast::Expr* e, Span tuple_span, uint64_t& value) {
    auto field = ast::isa<ast::Name>(e);
    auto nat   = ast::isa<ast::NatLit>(e);
    value      = 0;
    if (!tuple) return field ? nullptr : expr(e).def;
    if (tuple.def->is_unstable()) tuple.def = world_.refresh(tuple.def);
    auto arity       = world_.lit_arity(tuple.def->type());
    int64_t at_field = field && tuple.view ? tuple.view->find(field->sym) : -1;
    if (field && at_field < 0 && !scopes_.find(field->sym)) return unknown_field(tuple, field, tuple_span), nullptr;
    if ((!nat && at_field < 0) || (nat && arity < 0)) {
        auto res = expr(e);
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

Res Elab::insert(const ast::Insert* e) {
    auto tuple = expr(e->tuple);
    uint64_t lit;
    auto index = this->index(tuple, e->index, e->tuple->span, lit);
    auto value = expr(e->value);
    if (!tuple || !index || !value) return {};
    try {
        return {world_.insert(tuple.def, index, value.def), tuple.view};
    } catch (const Error& err) {
        auto& d = report(err, err.id == Diag::not_assignable ? e->value->span : e->span);
        if (err.id == Diag::dependent_update) d.note(Diag::update_in_cases, {}, {source_text(e->index->span)});
        return {};
    }
}

/*
 * unions
 */

Res Elab::inj(const ast::Inj* e) {
    auto value  = expr(e->value);
    auto member = e->member ? this->type(e->member) : Ty();
    auto type   = this->type(e->type);
    if (!value || !type || (e->member && !member)) return {};
    take_over(value.def);
    try {
        return {member ? world_.inj(type.type, value.def, member.type) : world_.inj(type.type, value.def)};
    } catch (const Error& err) {
        report(err, err.id == Diag::not_assignable ? e->value->span : e->span);
        return {};
    }
}

Res Elab::match(const ast::Match* e) {
    auto value = expr(e->value);
    take_over(value.def);
    std::vector<const Def*> arms;
    bool poison      = !value;
    const View* view = nullptr;
    for (auto& a : e->arms) {
        arms.push_back(arm(a, view));
        poison |= !arms.back();
    }
    if (poison) return {};
    try {
        return {world_.match(value.def, arms), view};
    } catch (const Error& err) {
        report_match(err, e, arms);
        return {};
    }
}

/// An arm whose result does not fit is to blame, not the match.
void Elab::report_match(const Error& err, const ast::Match* e, const std::vector<const Def*>& arms) {
    auto blamed = err.id == Diag::not_assignable && err.args.size() > 1 ? std::get_if<const Def*>(&err.args[1]) : nullptr;
    for (size_t i = 0; blamed && i < arms.size(); ++i) {
        if (arms[i] != *blamed) continue;
        auto body = arms[i]->as<Lam>()->body();
        error(err.id, result_span(e->arms[i].body), {show(std::get<const Def*>(err.args[0])), show(body), show(body->type())});
        return;
    }
    auto& d = report(err, e->span);
    if (err.id == Diag::members_not_apart) d.note(Diag::label_the_members, {}, {labelled(std::get<const Def*>(err.args[2]))});
}

/// The union with a label in front of each member.
std::string Elab::labelled(const Def* type) {
    static constexpr size_t MaxMembers = 4;
    auto n                             = type->num_ops();
    std::string text;
    for (size_t i = 0; i != std::min(n, MaxMembers); ++i)
        text += (i ? " ∪ [⦃" : "[⦃") + std::to_string(i) + "_" + std::to_string(n) + "⦄, " + show(type->op(i)) + "]";
    return n > MaxMembers ? text + " ∪ …" : text;
}

const Def* Elab::arm(const ast::Arm& arm, const View*& view) {
    auto type = pattern_type(arm.pattern);
    if (!type) return nullptr;
    return infer_lam(type.type, [&](Lam* lam) {
        auto root = bind_root(lam->var(), type.view);
        bind(arm.pattern, {root, 0, 1}, type.view);
        name_tokens(arm.pattern, lam->var());
        keep_names(lam, root, true);
        world_.set_span(lam, arm.pattern->span);
        world_.set_end(lam, result_span(arm.body));
        auto res = expr(arm.body);
        if (!view || (view->is_hint && res.view)) view = res.view;
        return res.def;
    });
}

/*
 * blocks
 */

Res Elab::block(const ast::Block* e) {
    auto mark = scopes_.mark();
    ++nesting_;
    auto res = block_body(e->decls, e->body);
    --nesting_;
    scopes_.pop(mark);
    return res;
}

Res Elab::where(const ast::Where* e) {
    auto mark = scopes_.mark();
    ++nesting_;
    auto res = block_body(e->decls, e->body);
    --nesting_;
    scopes_.pop(mark);
    return res;
}

} // namespace mim
