// SPDX-License-Identifier: MIT
// Files, blocks and their declarations: see elaborate.h for the interface and plan.h for the order.
#include "sema/elaborate.h"

#include <algorithm>

#include "sema/block.h"

namespace mim {

Elaborator::Elaborator(World& world, Diagnostics& diags, SemaHost& host)
    : shared_(std::make_unique<Shared>(world, diags, host)) {
    world.warn = [s = shared_.get()](const Error& e) { report(s->diags, s->world, e, s->world.here); };
}
Elaborator::~Elaborator() = default;

const std::vector<const Lam*>& Elaborator::functions() const { return shared_->functions; }
const std::vector<const Lam*>& Elaborator::functions_as_read() const { return shared_->as_read; }

const Scope* Elaborator::elaborate(ast::Module& m) {
    auto scope          = Elab(*shared_).module(m);
    shared_->world.here = {}; // what warns from now on is no call of this file
    return scope;
}
const Def* Elaborator::elaborate_expr(const ast::Module& m, const Scope* scope) { return Elab(*shared_).expression(m, scope); }

const Scope* Elab::module(ast::Module& m) {
    auto errors = diags_.num_errors();
    Plans plans(m, diags_);
    Consumed consumed(m);
    plans_    = &plans;
    consumed_ = &consumed;
    ++s_.depth;
    decls(m.decls);
    bool ok = check_holes(0) && diags_.num_errors() == errors;
    if (--s_.depth == 0 && ok && at({}, [&] { return world_.finish(), world_.unit(); })) check_all_closed();
    auto& scope = s_.scopes.emplace_back();
    scope.names.reserve(scopes_.size());
    for (size_t i = 0; i < scopes_.size(); ++i) {
        auto& b = scopes_[i];
        if (b.sym && !ast::is_annex(b.sym)) scope.names.push_back({b.sym, force(static_cast<uint32_t>(i)), b.view, b.span});
    }
    return &scope;
}

const Def* Elab::expression(const ast::Module& m, const Scope* scope) {
    Plans plans(m, diags_);
    plans_      = &plans;
    nesting_    = 1;
    auto errors = diags_.num_errors();
    if (scope) import(scope);
    const Def* res = nullptr;
    for (auto d : m.decls) {
        if (auto let = ast::isa<ast::Let>(d)) res = expr(let->value).def;
        else decl(d);
    }
    if (!check_holes(0) || diags_.num_errors() != errors || !res) return nullptr;
    return at(m.decls.empty() ? Span{} : m.decls.back()->span, [&] { return world_.finish(), world_.refresh(res); });
}

/*
 * blocks
 */

/// What a `rec` of a λ and a function have in common; null for a `rec` of anything else.
static const ast::Function* function_of(const ast::Decl* d) {
    if (auto fun = ast::isa<ast::Fun>(d)) return &fun->fun;
    auto lam = ast::isa<ast::Lam>(ast::as<ast::Rec>(d)->value);
    return lam ? &lam->fun : nullptr;
}
static const ast::Binder& name_of(const ast::Decl* d) {
    return d->kind == ast::DeclKind::Fun ? ast::as<ast::Fun>(d)->name : ast::as<ast::Rec>(d)->name;
}

void Elab::decls(Decls decls) {
    auto done = [&](std::span<const uint32_t> members) {
        if (consumed_ && consumed_->is_top(decls)) consumed_->done(members);
    };
    blocks_.push_back(decls);
    Frame frame(decls);
    auto plan = plans_->find(decls);
    for (auto& s : plan) {
        step(frame, s);
        if (s.kind == PlanStep::One || s.kind == PlanStep::Bodies) done(s.members);
    }
    for (uint32_t i = 0; plan.empty() && i < decls.size(); ++i) step(frame, {PlanStep::One, {&i, 1}}), done({&i, 1});
    blocks_.pop_back();
}

Res Elab::block_body(Decls decls, const ast::Expr* body) {
    bool ret = std::any_of(decls.begin(), decls.end(), [](const ast::Decl* d) { return d->kind == ast::DeclKind::Ret; });
    if (ret) return ret_block(decls, body);
    this->decls(decls);
    return expr(body);
}

/// What the graph throws where nobody asked it for anything in particular, such as when it normalizes again what had waited, is
/// reported at the declaration, whose names are poison then.
template<class F, class P>
void Elab::recover(const ast::Decl* d, F elaborate, P poison) {
    auto scope = scopes_.mark(), lazies = lazies_.size(), forced = forced_, defs = defs_.size(), args = args_.size();
    auto open = open_.size(), blocks = blocks_.size(), nesting = nesting_;
    try {
        elaborate();
    } catch (const Error& e) {
        report(e, d->kind == ast::DeclKind::Fun || d->kind == ast::DeclKind::Rec ? name_of(d).span : d->span);
        scopes_.pop(scope), lazies_.resize(lazies), defs_.resize(defs), args_.resize(args);
        open_.resize(std::min(open, open_.size())), blocks_.resize(blocks);
        forced_ = forced, nesting_ = nesting;
        poison();
    }
}

void Elab::step(Frame& frame, const PlanStep& s) {
    auto poison = [&] {
        for (auto i : s.members) {
            if (auto let = ast::isa<ast::Let>(frame.decls[i])) bind(let->pattern, {bind_root(nullptr, nullptr), 0, 1}, nullptr);
            else frame.set(scopes_, i, nullptr, nullptr);
        }
    };
    recover(frame.decls[s.members.front()], [&] { run_step(frame, s); }, poison);
}

void Elab::run_step(Frame& frame, const PlanStep& step) {
    switch (step.kind) {
        case PlanStep::Names:
            for (auto i : step.members) {
                auto& n          = name_of(frame.decls[i]);
                frame.binding[i] = scopes_.push({.sym = n.name, .span = n.span, .state = Binding::Pending, .kind = Binding::Fun});
            }
            return;
        case PlanStep::One: return one(frame, step.members[0]);
        case PlanStep::Stubs: return stubs(frame, step.members);
        case PlanStep::Bodies: return bodies(frame, step.members);
    }
}

void Elab::one(Frame& frame, uint32_t i) {
    auto d   = frame.decls[i];
    auto fun = ast::isa<ast::Fun>(d);
    if (!fun) return decl(d);
    if (fun->fun.groups.empty()) return constant(frame, i, fun);
    auto mark  = scopes_.mark();
    auto holes = open_.size();
    Fun f{&fun->fun, &fun->name, fun->span};
    bool typed = signature(f);
    bool ok    = (body_after(f, typed)) && close(std::span(&f, 1), holes);
    scopes_.pop(mark);
    finish_function(frame, i, f, typed, ok);
}

/// The body is read even if the signature is wrong, for the errors in it.
bool Elab::body_after(Fun& f, bool signature_ok) {
    if (signature_ok) return body(f);
    ++nesting_;
    expr(f.ast->body);
    --nesting_;
    return false;
}

void Elab::finish_function(Frame& frame, uint32_t i, Fun& f, bool typed, bool ok) {
    // calls of a function with a broken body are checked, unless checking might evaluate it
    bool evaluated = f.ast->form == ast::LamForm::Lam || f.groups.size() > 1 || f.ast->filter;
    bool usable    = ok || (typed && f.typed && !evaluated);
    Res res{usable ? f.lam() : nullptr, f.view};
    frame.set(scopes_, i, res.def, res.view);
    auto& name = name_of(frame.decls[i]);
    if (ast::is_annex(name.name)) define_annex(name, res);
    if (auto fun = ast::isa<ast::Fun>(frame.decls[i]); fun && fun->is_extern && ok) make_extern(fun, f);
}

/// `lam x: T = e`, without parameters.
void Elab::constant(Frame& frame, uint32_t i, const ast::Fun* fun) {
    auto res = expr(fun->fun.body);
    if (res && !check_type(fun->fun.codomain, res, fun->fun.body->span)) res = {};
    frame.set(scopes_, i, res.def, res.view);
    if (ast::is_annex(fun->name.name)) define_annex(fun->name, res);
}

void Elab::stubs(Frame& frame, std::span<const uint32_t> members) {
    for (auto i : members) {
        auto d = frame.decls[i];
        frame.stubs.push_back({i, scopes_.mark(), {function_of(d), &name_of(d), d->span}, nullptr, false});
        auto& stub = frame.stubs.back();
        if (!stub.fun.ast || stub.fun.ast->groups.empty()) {
            rec_stub(stub.hole, d);
            frame.set(scopes_, i, stub.hole, nullptr);
            stub.ok = stub.hole;
            continue;
        }
        auto mark = scopes_.mark();
        stub.ok   = signature(stub.fun);
        scopes_.pop(mark);
        if (stub.ok && !stub.fun.typed) {
            error(Diag::needs_result_type, name_of(d).span, {name_of(d).name.str(), "it is recursive"});
            stub.ok = false;
        }
        frame.set(scopes_, i, stub.ok ? stub.fun.lam() : nullptr, stub.fun.view);
    }
}

void Elab::rec_stub(const Def*& hole, const ast::Decl* d) {
    auto rec = ast::isa<ast::Rec>(d);
    if (!rec) {
        error(Diag::not_ready, name_of(d).span, {name_of(d).name.str(), "a constant cannot be recursive, use `rec`"});
        return;
    }
    Ty t{world_.star()};
    if (rec->type) t = type(rec->type);
    if (t) hole = world_.hole(t.type);
}

void Elab::bodies(Frame& frame, std::span<const uint32_t> members) {
    auto holes = open_.size();
    std::vector<uint32_t> stubbed, sorted(members.begin(), members.end()), fresh;
    for (auto& s : frame.stubs) stubbed.push_back(s.decl);
    std::ranges::sort(stubbed);
    std::ranges::sort(sorted);
    for (auto i : members)
        if (!std::ranges::binary_search(stubbed, i)) fresh.push_back(i);
    stubs(frame, fresh);
    std::vector<Stub> group, others;
    for (auto& s : frame.stubs) {
        bool is_member = std::ranges::binary_search(sorted, s.decl);
        (is_member ? group : others).push_back(std::move(s));
    }
    frame.stubs = std::move(others);

    bool ok = rec_bodies(frame, group);
    std::vector<Fun> funs;
    std::vector<uint32_t> which;
    for (auto& s : group) {
        if (!s.fun.ast || s.fun.ast->groups.empty()) continue;
        auto end = scopes_.mark();
        Scopes::Hide hide(scopes_, s.scope, end);
        for (auto& g : s.fun.groups) {
            if (g.lam) bind_group(g);
            else bind_poison(g);
        }
        ok &= body_after(s.fun, s.ok);
        scopes_.pop(end);
        funs.push_back(std::move(s.fun));
        which.push_back(s.decl);
    }
    ok &= close(funs, holes);
    for (size_t j = 0; j < funs.size(); ++j) finish_function(frame, which[j], funs[j], funs[j].typed, funs[j].ok && ok);
}

/// A value of the group that is neither a type nor a function.
bool Elab::contains_itself(const Def* value, const Stub& own, std::span<const Stub> group) {
    if (world_.is_type(value)) return false;
    return std::ranges::any_of(group, [&](auto& stub) {
        bool is_value = stub.hole && (&stub == &own || stub.hole->type()->node() != Node::Sort);
        return is_value && world_.mentions_hole(value, stub.hole);
    });
}

bool Elab::rec_bodies(Frame& frame, std::vector<Stub>& group) {
    std::vector<const Def*> holes, values;
    std::vector<Stub*> recs;
    for (auto& s : group) {
        if (s.fun.ast && !s.fun.ast->groups.empty()) continue;
        auto rec = ast::isa<ast::Rec>(frame.decls[s.decl]);
        if (!rec) continue;
        auto value = expr(rec->value);
        if (value && s.hole && contains_itself(value.def, s, group)) {
            error(Diag::rec_value, rec->value->span, {rec->name.name.str()});
            value = {};
        }
        if (value && s.hole && !world_.assignable(world_.refresh(s.hole->type()), value.def)) {
            report(Error(Diag::not_assignable, {s.hole->type(), value.def, value.def->type()}), rec->value->span);
            value = {};
        }
        if (!value || !s.hole) {
            frame.set(scopes_, s.decl, nullptr, nullptr);
            return false;
        }
        holes.push_back(s.hole), values.push_back(value.def), recs.push_back(&s);
        frame.set(scopes_, s.decl, s.hole, value.view);
    }
    if (recs.empty()) return true;
    auto tied = at(frame.decls[recs[0]->decl]->span, [&] { return world_.tie(holes, std::span(values)), world_.unit(); });
    for (size_t i = 0; i < recs.size(); ++i) {
        auto d    = frame.decls[recs[i]->decl];
        auto view = frame.binding[recs[i]->decl] == ~0u ? nullptr : scopes_[frame.binding[recs[i]->decl]].view;
        Res res{tied ? values[i] : nullptr, view};
        frame.set(scopes_, recs[i]->decl, res.def, res.view);
        if (ast::is_annex(name_of(d).name)) define_annex(name_of(d), res);
    }
    return tied;
}

} // namespace mim
