// SPDX-License-Identifier: MIT
// Files, blocks and their declarations: see elaborate.h for the interface and plan.h for the order.
#include "sema/elaborate.h"

#include <algorithm>
#include <numeric>

#include "sema/elab.h"

namespace mim {

Elaborator::Elaborator(World& world, Diagnostics& diags, SemaHost& host)
    : shared_(std::make_unique<Shared>(world, diags, host)) {
    world.warn = [s = shared_.get()](Diag id, std::vector<Error::Arg> args) {
        report(s->diags, s->world, Error(id, std::move(args)), s->world.here);
    };
}
Elaborator::~Elaborator() = default;

const std::vector<const Lam*>& Elaborator::functions() const { return shared_->functions; }

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
    if (--s_.depth == 0 && ok) at({}, [&] { return world_.finish(), world_.unit(); });
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

struct Elab::Stub {
    uint32_t decl;
    size_t scope;              ///< what was visible at its declaration
    Fun fun         = {};      ///< of a function
    const Def* hole = nullptr; ///< of a `rec`
    bool ok         = false;
};

struct Elab::Frame {
    explicit Frame(Decls d)
        : decls(d)
        , binding(d.size(), ~0u) {}
    Decls decls;
    std::vector<uint32_t> binding; ///< of each function, or none
    std::vector<Stub> stubs;
    void set(Scopes& scopes, uint32_t decl, const Def* def, const View* view) {
        if (binding[decl] == ~0u) return;
        auto& b = scopes[binding[decl]];
        b.state = Binding::Ready, b.def = def, b.view = view;
    }
};

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
    if (auto fun = ast::isa<ast::Fun>(frame.decls[i]); fun && fun->is_extern && ok) make_extern(fun, f.lam());
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
    std::vector<uint32_t> fresh;
    auto has_stub = [&](uint32_t i) {
        return std::any_of(frame.stubs.begin(), frame.stubs.end(), [&](auto& s) { return s.decl == i; });
    };
    for (auto i : members)
        if (frame.stubs.empty() || !has_stub(i)) fresh.push_back(i);
    stubs(frame, fresh);
    std::vector<Stub> group, others;
    for (auto& s : frame.stubs) {
        bool member = std::find(members.begin(), members.end(), s.decl) != members.end();
        (member ? group : others).push_back(std::move(s));
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

bool Elab::rec_bodies(Frame& frame, std::vector<Stub>& group) {
    std::vector<const Def*> holes, values;
    std::vector<Stub*> recs;
    for (auto& s : group) {
        if (s.fun.ast && !s.fun.ast->groups.empty()) continue;
        auto rec = ast::isa<ast::Rec>(frame.decls[s.decl]);
        if (!rec) continue;
        auto value = expr(rec->value);
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

void Elab::make_extern(const ast::Fun* fun, Lam* lam) {
    auto [it, fresh] = s_.externs.emplace(fun->name.name, fun->name.span);
    if (!fresh) {
        error(Diag::redefined, fun->name.span, {fun->name.name.str()})
            .note(Diag::declared_here, it->second, {fun->name.name.str()});
        return;
    }
    if (nesting_)
        for (auto var : world_.free_vars(lam)) {
            error(Diag::extern_open, fun->name.span, {fun->name.name.str(), show(var)});
            return;
        }
    world_.make_external(fun->name.name, lam);
}

/*
 * `ret p = f $ a; e`: f (a, cn p = e)
 */

Res Elab::ret_block(Decls decls, const ast::Expr* body) {
    struct Call {
        Res callee, arg;
        Lam* lam;
        Span span;
    };
    std::vector<Call> calls; // the continuation of each is what follows
    auto plan    = plans_->find(decls);
    bool planned = !plan.empty();
    Frame frame(planned ? decls : Decls());
    frame.decls = decls;
    std::vector<uint32_t> in_order(planned ? 0 : decls.size());
    std::iota(in_order.begin(), in_order.end(), 0);
    for (auto& i : in_order) plan.push_back({PlanStep::One, {&i, 1}});
    blocks_.push_back(decls);
    bool ok    = true;
    auto outer = function_;
    for (auto& s : plan) {
        auto ret = s.kind == PlanStep::One ? ast::isa<ast::Ret>(decls[s.members[0]]) : nullptr;
        if (!ret) {
            step(frame, s);
            continue;
        }
        Call call{{}, {}, nullptr, ret->span};
        if (begin_ret(ret, call.callee, call.arg, call.lam)) calls.push_back(call), function_ = call.lam;
        else ok = false;
    }
    auto res = expr(body);
    blocks_.pop_back();
    function_ = outer;
    if (!ok || !res) return {};
    auto last = result_span(body);
    for (auto i = calls.size(); i-- > 0;) {
        auto& c = calls[i];
        if (!at(last, [&] { return world_.set(c.lam, world_.ff(), res.def), res.def; })) return {};
        world_.set_end(c.lam, last);
        last        = c.span;
        world_.here = c.span;
        res.def     = at(c.span, [&] {
            Lam* group[] = {c.lam};
            world_.close(group);
            return world_.app(c.callee.def, {c.arg.def, c.lam});
        });
        res.view    = nullptr;
        if (!res) return {};
        place(res.def, c.span);
    }
    return res;
}

/// Applies the implicit arguments, makes the continuation and brings the pattern into scope.
bool Elab::begin_ret(const ast::Ret* ret, Res& callee, Res& arg, Lam*& lam) {
    callee      = expr(ret->callee);
    arg         = expr(ret->arg);
    auto poison = [&] {
        bind(ret->pattern, {bind_root(nullptr, nullptr), 0, 1}, nullptr);
        return false;
    };
    if (!callee || !arg || !ret_implicits(ret, callee, arg)) return poison();
    auto type = world_.refresh(callee.def->type());
    auto pi   = type->isa<Pi>();
    auto bad  = [&] {
        error(Diag::not_a_return, ret->callee->span, {show(callee.def), show(type)});
        return poison();
    };
    if (!pi || !pi->is_cn() || world_.lit_arity(pi->dom()) != 2) return bad();
    auto result = at(ret->arg->span, [&] { return return_domain(pi->dom(), arg.def); });
    if (!result) return poison();
    auto cont = result->isa<Pi>();
    if (!cont || !cont->is_cn()) return bad();
    lam = world_.mut_lam(cont);
    world_.enter(lam);
    world_.set_span(lam, ret->span);
    auto fun = callee.view ? elem(callee.view->dom, 1) : nullptr;
    Res value{lam->var(), fun ? fun->dom : nullptr};
    if (!check_pattern(ret->pattern, value, ret->pattern->span)) return poison();
    name_tokens(ret->pattern, value.def);
    auto root = bind_root(value.def, value.view);
    bind(ret->pattern, {root, 0, 1}, value.view);
    keep_names(lam, root, true);
    return true;
}

/// Implicit arguments in front of [A, Cn B], found from the argument alone.
bool Elab::ret_implicits(const ast::Ret* ret, Res& callee, Res arg) {
    while (true) {
        auto pi = world_.refresh(callee.def->type())->isa<Pi>();
        if (!pi || !pi->is_implicit()) return true;
        const Def* res = nullptr;
        if (auto found = match_first(pi, arg.def)) {
            try {
                res = world_.app(callee.def, found);
            } catch (const Error& e) {
                if (!e.trace.empty()) return report(e, ret->arg->span), false;
            } // placeholders find out what the problem is
        }
        if (!res) {
            auto hole = make_hole(pi->dom(), ret->callee->span, pi, ret->callee);
            res       = at(ret->callee->span, [&] { return world_.app(callee.def, hole); });
            if (!res) return false;
        }
        callee = {res, codom(callee.view)};
    }
}

/// The type of the second element of `dom` when the first is `arg`.
const Def* Elab::return_domain(const Def* dom, const Def* arg) {
    const Def* first = dom->isa<Arr>() ? dom->as<Arr>()->body() : dom->op(0);
    if (!world_.assignable(first, arg)) throw Error(Diag::not_assignable, {world_.refresh(first), arg, arg->type()});
    dom = world_.refresh(dom);
    if (!dom->var()) return world_.elem_type(dom, arg, world_.lit_idx(2, 1)); // e is not mentioned
    return world_.elem_type(dom, world_.tuple({arg, world_.unit()}), world_.lit_idx(2, 1));
}

/*
 * declarations
 */

void Elab::decl(const ast::Decl* d) {
    switch (d->kind) {
        case ast::DeclKind::Let: return let(ast::as<ast::Let>(d));
        case ast::DeclKind::Axm: return axm(ast::as<ast::Axm>(d));
        case ast::DeclKind::CDecl: return c_decl(ast::as<ast::CDecl>(d));
        case ast::DeclKind::Rule: return rule(ast::as<ast::Rule>(d));
        case ast::DeclKind::Import: return import(s_.host.import(*ast::as<ast::Import>(d)));
        case ast::DeclKind::Plugin: return import(s_.host.plugin(*ast::as<ast::Plugin>(d)));
        case ast::DeclKind::Fun: // always planned
        case ast::DeclKind::Rec:
        case ast::DeclKind::Ret: return;
    }
}

void Elab::let(const ast::Let* e) {
    auto holes = open_.size();
    auto value = expr(e->value);
    if (!nesting_ && !check_holes(holes)) value = {};
    if (value && !check_pattern(e->pattern, value, e->value->span)) value = {};
    if (auto name = ast::isa<ast::NamePattern>(e->pattern)) {
        if (ast::is_annex(name->name.name)) return define_annex(name->name, value);
        if (!name->name.name) return check_ignored(e, value.def);
        scopes_.push({.sym = name->name.name, .span = name->name.span, .def = value.def, .view = value.view});
        keep_names(function_, scopes_.size() - 1, false);
        return check_unused(scopes_.size() - 1, e->value);
    }
    check_ignored(e, value.def);
    auto root = bind_root(value.def, value.view);
    bind(e->pattern, {root, 0, 1}, value.view, Binding::Let);
    keep_names(function_, root, false);
    check_unused(root, nullptr);
    for (auto i = root; i < scopes_.size(); ++i)
        if (auto& b = scopes_[i]; ast::is_annex(b.sym)) define_annex({b.sym, b.span}, {force(i), b.view});
}

/// Of the names bound from `first` on: one that nobody mentions deserves a warning, or an error if an effect would be lost with it.
void Elab::check_unused(size_t first, const ast::Expr* value) {
    for (auto i = first; i < scopes_.size(); ++i) {
        auto b = scopes_[i];
        if (!b.sym || !b.span) continue;
        bool part = s_.has_tokens() && plans_->is_unused_part(b.span);
        if (!part && !plans_->is_unused(b.span)) continue;
        auto def = force(static_cast<uint32_t>(i));
        if (!def) continue;
        if (loses_token(def, value)) drop(b.span, b.sym.str());
        else if (!part && b.sym.view().front() != '_' && ++num_unused_ <= Plans::MaxWarnings)
            diags_.report(Diag::unused, b.span, {b.sym.str()});
    }
}

void Elab::define_annex(const ast::Binder& name, Res value) {
    auto [it, fresh] = s_.annexes.try_emplace(name.name, Elaborator::Shared::Annex{value.def, value.view, name.span});
    if (!fresh) {
        error(Diag::redefined, name.span, {name.name.str()}).note(Diag::declared_here, it->second.span, {name.name.str()});
        return;
    }
    auto id = s_.host.annex_id(name);
    if (id && value) world_.define_annex(*id, name.name, value.def);
}

static size_t count_groups(const Def* type) {
    size_t n = 0;
    for (auto pi = type->isa<Pi>(); pi; pi = pi->codom()->isa<Pi>()) ++n;
    return n;
}

void Elab::axm(const ast::Axm* e) {
    auto holes = open_.size();
    auto t     = type(e->type);
    if (!check_holes(holes)) t = {};
    auto define = [&](Symbol canonical, const ast::Binder& name, std::span<const ast::Binder> aliases) {
        auto add = [&](Symbol sym, Span span, const Def* def) {
            auto [it, fresh] = s_.annexes.try_emplace(sym, Elaborator::Shared::Annex{def, t.view, span});
            if (!fresh) error(Diag::redefined, span, {sym.str()}).note(Diag::declared_here, it->second.span, {sym.str()});
            return fresh;
        };
        auto axiom = t ? s_.host.axiom(*e, canonical) : nullptr;
        auto def   = axiom ? make_axiom(*e, *axiom, t.type) : nullptr;
        if (add(canonical, name.span, def) && def) world_.define_annex(axiom->id, canonical, def);
        for (auto& alias : aliases) {
            auto sym = world_.sym(e->name.name.str() + "." + alias.name.str());
            if (add(sym, alias.span, def) && def) world_.define_annex(axiom->id, sym, def);
        }
    };
    if (e->subs.empty()) define(e->name.name, e->name, {});
    for (auto& sub : e->subs) {
        auto& first = sub.names.front();
        define(world_.sym(e->name.name.str() + "." + first.name.str()), first,
               std::span(sub.names.begin(), sub.names.size()).subspan(1));
    }
}

const Def* Elab::make_axiom(const ast::Axm& e, Axiom& axiom, const Def* type) {
    auto groups = count_groups(type);
    if (e.has_curry && e.curry > groups) {
        error(Diag::bad_curry, e.span, {e.name.name.str(), std::to_string(e.curry), std::to_string(groups)});
        return nullptr;
    }
    axiom.curry = static_cast<uint8_t>(std::min<size_t>(e.has_curry ? e.curry : groups, 255));
    return at(e.type->span, [&] { return world_.axm(&axiom, type); });
}

void Elab::c_decl(const ast::CDecl* e) {
    auto mark = scopes_.mark();
    Ty t;
    if (!e->domain) t = type(e->type);
    else if (!e->is_con) t = pair_type(e->domain, [&] { return return_type(e->type); });
    else t = pattern_type(e->domain);
    scopes_.pop(mark);
    auto view = t.view;
    if (t && e->domain) {
        view   = s_.views.make({.dom = t.view});
        t.type = at(e->span, [&] { return world_.cn(t.type); });
    }
    auto axiom = t ? s_.host.c_function(*e) : nullptr;
    auto def   = axiom ? at(e->span, [&] { return world_.axm(axiom, t.type); }) : nullptr;
    scopes_.push({.sym = e->name.name, .span = e->name.span, .def = def, .view = view});
}

void Elab::import(const Scope* scope) {
    if (!scope) return;
    for (auto& n : scope->names)
        scopes_.push({.sym = n.name, .span = n.span, .def = n.def, .view = n.view, .kind = Binding::Import});
}

/*
 * rules
 */

/// The pattern variables of a rule are the leaves of its groups, one after the other.
bool Elab::rule_leaves(const ast::Pattern* p, SigmaScope& scope) {
    if (auto tuple = ast::isa<ast::TuplePattern>(p); tuple && !tuple->type) {
        bool ok = true;
        for (auto e : tuple->elems) ok &= rule_leaves(e, scope);
        return ok;
    }
    auto t = pattern_type(p);
    if (auto group = ast::isa<ast::GroupPattern>(p)) {
        for (auto& n : group->names) {
            scope.add(t, n.name);
            bind_name(n, scope.elem(), t.view, Binding::Param);
        }
    } else if (auto name = ast::isa<ast::NamePattern>(p)) {
        scope.add(t, name->name.name);
        bind_name(name->name, scope.elem(), t.view, Binding::Param);
    } else if (t) {
        error(Diag::bad_rule, p->span, {"name each pattern variable"});
        return false;
    }
    return static_cast<bool>(t);
}

static size_t num_leaves(const ast::Pattern* p) {
    auto tuple = ast::isa<ast::TuplePattern>(p);
    if (!tuple || tuple->type) {
        auto group = ast::isa<ast::GroupPattern>(p);
        return group ? group->names.size() : 1;
    }
    size_t n = 0;
    for (auto e : tuple->elems) n += num_leaves(e);
    return n;
}

static void leaf_names(const ast::Pattern* p, std::vector<ast::Binder>& names) {
    if (auto tuple = ast::isa<ast::TuplePattern>(p))
        for (auto e : tuple->elems) leaf_names(e, names);
    else if (auto group = ast::isa<ast::GroupPattern>(p)) names.insert(names.end(), group->names.begin(), group->names.end());
    else if (auto name = ast::isa<ast::NamePattern>(p)) names.push_back(name->name);
}

/// The left side once its placeholders are filled; its head stays as it is written.
static const Def* refresh_left(World& world, const Def* left) {
    std::vector<const Def*> args;
    for (; left->isa<App>(); left = left->as<App>()->callee()) args.push_back(world.refresh(left->as<App>()->arg()));
    World::Frozen frozen(world);
    for (auto arg = args.rbegin(); arg != args.rend(); ++arg) left = world.app(left, *arg);
    return left;
}

void Elab::rule(const ast::Rule* e) {
    auto holes = open_.size();
    auto mark  = scopes_.mark();
    std::vector<ast::Binder> names;
    auto dom = rule_domain(e, names);
    if (!dom) return;
    RewriteRule rule;
    rule.name  = e->name.name;
    rule.eager = e->is_norm;
    rule.span  = e->span;
    auto lam   = at(e->span, [&] { return world_.mut_lam(world_.pi(dom.type, world_.unit_type())); });
    if (!lam) return;
    world_.enter(lam);
    auto root = bind_root(lam->var(), nullptr);
    for (uint32_t i = 0; i < names.size(); ++i)
        bind_name(names[i], {root, i, static_cast<uint32_t>(names.size())}, nullptr, Binding::Param);
    frozen_app_ = result_expr(e->lhs);
    rule.lhs    = expr(e->lhs).def;
    frozen_app_ = nullptr;
    if (!check_holes(holes)) rule.lhs = nullptr;
    if (rule.lhs) rule.lhs = refresh_left(world_, rule.lhs);
    if (e->cond) rule.when = expr(e->cond).def;
    rule.rhs = expr(e->rhs).def;
    bool ok  = check_holes(holes) && rule.lhs && rule.rhs && (!e->cond || rule.when);
    scopes_.pop(mark);
    if (!ok) return;
    auto binder = const_cast<Lam*>(lam->as<Lam>());
    world_.set(binder, world_.ff(), world_.unit());
    rule.binder = binder;
    rule.plugin = world_.sym(s_.host.owner());
    try {
        warn_dead_rule(e, rule.lhs);
        world_.add_rule(std::move(rule));
    } catch (const Error& err) {
        report(err, err.id == Diag::not_assignable ? e->rhs->span : e->lhs->span);
    }
}

/// A left side that normalizes to something else is in no graph.
void Elab::warn_dead_rule(const ast::Rule* e, const Def* left) {
    auto app = left->isa<App>();
    if (!app) return;
    auto now = world_.app(app->callee(), app->arg());
    if (now != app) diags_.report(Diag::rule_cannot_fire, e->lhs->span, {e->name.name.str(), show(now)});
}

Ty Elab::rule_domain(const ast::Rule* e, std::vector<ast::Binder>& names) {
    size_t n = 0;
    for (auto& g : e->groups) n += num_leaves(g.pattern), leaf_names(g.pattern, names);
    SigmaScope scope(*this, n);
    bool ok = true;
    for (auto& g : e->groups) ok &= rule_leaves(g.pattern, scope);
    return ok ? scope.finish(e->span) : Ty{};
}

} // namespace mim
