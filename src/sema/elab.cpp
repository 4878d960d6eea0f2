// SPDX-License-Identifier: MIT
#include "sema/elab.h"

#include "base/stack.h"
#include "sema/hints.h"

namespace mim {

Elab::Elab(Elaborator::Shared& shared, const Plans& plans, Consumed* consumed)
    : shared_(shared)
    , world_(shared.world)
    , names_(shared.world, shared.diags, plans)
    , errors_(shared.world, shared.diags, shared.annexes, shared.labelled, names_)
    , enclosing_(shared.world, consumed)
    , holes_(errors_)
    , effects_(errors_, shared.tokens, enclosing_)
    , context_{shared, names_, errors_, enclosing_, holes_, effects_}
    , unknown_(shared, errors_, enclosing_)
    , debug_names_(shared.world, names_)
    , activations_(context_)
    , open_types_(context_)
    , expectations_(context_)
    , patterns_(context_, *this, expectations_)
    , types_(context_, *this, patterns_)
    , arrays_(context_, *this)
    , literals_(context_, *this)
    , operators_(context_, *this, literals_, expectations_)
    , tuples_(context_, *this, unknown_, expectations_)
    , applications_(context_, *this, activations_, expectations_, open_types_)
    , functions_(context_, *this, patterns_, types_, activations_, expectations_, debug_names_)
    , constructors_(context_, *this, patterns_)
    , matches_(context_, *this, patterns_, functions_, constructors_, expectations_, debug_names_)
    , unions_(context_, *this, expectations_)
    , closed_(context_)
    , declarations_(context_, plans, *this, patterns_, types_, closed_, debug_names_, constructors_)
    , rules_(context_, *this, patterns_, applications_, closed_)
    , blocks_(context_, plans, consumed,
              {*this, patterns_, functions_, declarations_, operators_, rules_, debug_names_, constructors_, open_types_,
               expectations_}) {
    if (!shared.keeps_operator_calls) return;
    applications_.on_read = [this](auto& read) { operators_.keep_call(read.text, read.callee, read.arg, read.value); };
    tuples_.on_read       = [this](auto& read) { operators_.keep_choice(read.text, read.tuple, read.index, read.value); };
}

/*
 * a file
 */

const Scope* Elab::module(const ast::Module& m, size_t errors) {
    ++shared_.depth;
    blocks_.decls(m.decls);
    bool ok = holes_.check(0) && shared_.diags.num_errors() == errors;
    --shared_.depth;
    auto finish = [&] { return world_.finish(), world_.unit(); };
    if (shared_.depth == 0 && ok && errors_.at({}, finish)) closed_.check_inner();
    auto& scope = shared_.scopes.emplace_back();
    scope.names.reserve(names_.size());
    for (size_t i = 0; i < names_.size(); ++i) {
        auto& b = names_[i];
        if (!b.sym || ast::is_annex(b.sym)) continue;
        auto def = b.constructor ? nullptr : names_.force(static_cast<uint32_t>(i));
        scope.names.push_back({b.sym, def, b.view, b.span, b.constructor});
    }
    return &scope;
}

const Def* Elab::expression(const ast::Module& m, const Scope* scope) {
    Enclosing::Nested nested(enclosing_);
    auto errors = shared_.diags.num_errors();
    if (scope) declarations_.import(*scope);
    const Def* res = nullptr;
    for (auto d : m.decls) {
        if (auto let = ast::isa<ast::Let>(d)) res = expr(let->value).def;
        else blocks_.decl(d);
    }
    if (!holes_.check(0) || shared_.diags.num_errors() != errors || !res) return nullptr;
    auto finish = [&] { return world_.finish(), world_.refresh(res); };
    return errors_.at(m.decls.empty() ? Span{} : m.decls.back()->span, finish);
}

/*
 * expressions
 */

Ty Elab::type(const ast::Expr* e) {
    auto res = expr(e);
    if (!res) return {};
    if (!is_type(res.def)) {
        DiagArgs args{errors_.show(res.def, e), errors_.show(res.def->type())};
        bool is_name = e->kind == ast::ExprKind::Name || e->kind == ast::ExprKind::Annex;
        if (is_name && errors_.is_reported(Diag::not_a_type, e->span, args)) return {};
        auto& d = errors_.error(Diag::not_a_type, e->span, args);
        hint_type(errors_, d, res.def, e->span);
        return {};
    }
    return {res.def, inst(res.view)};
}

Res Elab::expr(const ast::Expr* e) {
    if (stack_is_low() && !report_depth(e->span)) return {};
    auto res = dispatch(e);
    switch (e->kind) {
        case ast::ExprKind::App:
        case ast::ExprKind::Extract:
        case ast::ExprKind::Insert:
        case ast::ExprKind::Match:
        case ast::ExprKind::Pack:
        case ast::ExprKind::Inj: set_place(world_, res.def, e->span); break;
        default: break;
    }
    return res;
}

Res Elab::dispatch(const ast::Expr* e) {
    switch (e->kind) {
        case ast::ExprKind::Name: return name(ast::as<ast::Name>(e));
        case ast::ExprKind::Annex: return annex(ast::as<ast::Annex>(e));
        case ast::ExprKind::Prim: return literals_.constant(ast::as<ast::Prim>(e));
        case ast::ExprKind::NatLit: return {world_.lit_nat(ast::as<ast::NatLit>(e)->value)};
        case ast::ExprKind::IdxLit: return literals_.index(ast::as<ast::IdxLit>(e));
        case ast::ExprKind::AscribedLit: return literals_.ascribed(ast::as<ast::AscribedLit>(e));
        case ast::ExprKind::FloatLit: return literals_.floating(ast::as<ast::FloatLit>(e));
        case ast::ExprKind::StrLit: return literals_.string(ast::as<ast::StrLit>(e));
        case ast::ExprKind::Sort: return literals_.sort(ast::as<ast::Sort>(e));
        case ast::ExprKind::Sigma: return types_.sigma(ast::as<ast::Sigma>(e));
        case ast::ExprKind::Tuple: return tuples_.tuple(ast::as<ast::Tuple>(e));
        case ast::ExprKind::Array: return arrays_.array(ast::as<ast::Array>(e));
        case ast::ExprKind::Pack: return arrays_.pack(ast::as<ast::Pack>(e));
        case ast::ExprKind::App: return applications_.app(ast::as<ast::App>(e));
        case ast::ExprKind::Operation: return operators_.operation(ast::as<ast::Operation>(e));
        case ast::ExprKind::Extract: return tuples_.extract(ast::as<ast::Extract>(e));
        case ast::ExprKind::Insert: return tuples_.insert(ast::as<ast::Insert>(e));
        case ast::ExprKind::Pi: return types_.pi(ast::as<ast::Pi>(e));
        case ast::ExprKind::Lam: return functions_.lambda(ast::as<ast::Lam>(e));
        case ast::ExprKind::Block: {
            auto block = ast::as<ast::Block>(e);
            return blocks_.block(block->decls, block->body);
        }
        case ast::ExprKind::Where: {
            auto where = ast::as<ast::Where>(e);
            return blocks_.block(where->decls, where->body, where->num_before);
        }
        case ast::ExprKind::Union: return unions_.type(ast::as<ast::Union>(e));
        case ast::ExprKind::Inj: return unions_.inj(ast::as<ast::Inj>(e));
        case ast::ExprKind::Labels: return constructors_.type(ast::as<ast::Labels>(e));
        case ast::ExprKind::Match: return matches_.match(ast::as<ast::Match>(e));
        case ast::ExprKind::Singleton: return singleton(ast::as<ast::Singleton>(e));
        case ast::ExprKind::Hole: return hole(e->span);
        case ast::ExprKind::Error: return {};
    }
    return {};
}

Res Elab::name(const ast::Name* e) {
    auto b = names_.find(e->sym);
    if (!b) {
        if (!declarations_.misses_import()) unknown_.name(e->sym, e->span);
        return {};
    }
    b->used = true;
    if (b->constructor) return constructors_.use(*b, e->span);
    if (b->open) return open_types_.report(*b->open, e->span);
    if (b->state == Binding::Pending) {
        auto span = b->span;
        auto why  = "join the two with `and`, or give the types of functions without it";
        errors_.error(Diag::not_ready, e->span, {e->sym.str(), why}).note(Diag::declared_here, span, {e->sym.str()});
        return {};
    }
    auto view = b->view;
    if (b->state == Binding::Ready && b->def && !b->def->is_unstable()) return {b->def, view};
    return {names_.force(static_cast<uint32_t>(b - &names_[0])), view};
}

Res Elab::annex(const ast::Annex* e) {
    // functions of this file that are still being elaborated come first
    if (names_.find(e->sym)) {
        ast::Name name{{ast::ExprKind::Name, e->span}, e->sym};
        return this->name(&name);
    }
    auto annex = shared_.annexes.find(e->sym);
    if (!annex) {
        unknown_.annex(e->sym, e->span);
        return {};
    }
    if (annex->constructor) return constructors_.use(*annex->constructor, e->span);
    auto axm = annex->def ? annex->def->isa<Axm>() : nullptr;
    if (axm && axm->axiom().has(Axiom::Internal) && !shared_.host.may_name_internals()) {
        errors_.error(Diag::internal_annex, e->span, {e->sym.str()});
        return {};
    }
    return {annex->def, annex->view};
}

Res Elab::singleton(const ast::Singleton* e) {
    auto value = expr(e->value);
    if (!value) return {};
    return {errors_.at(e->span, [&] { return world_.sing(value.def); })};
}

Res Elab::hole(Span span) {
    names_.force_binders();
    auto type = world_.holes.make(world_.star());
    return {holes_.make(type, span, nullptr, nullptr)};
}

/// Once is enough.
bool Elab::report_depth(Span span) {
    if (!depth_reported_) errors_.error(Diag::too_deep, span);
    depth_reported_ = true;
    return false;
}

} // namespace mim
