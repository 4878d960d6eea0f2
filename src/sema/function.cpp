// SPDX-License-Identifier: MIT
#include "sema/function.h"

#include <algorithm>
#include <unordered_set>

#include "ir/settle.h"

namespace mim {

Res Functions::lambda(const ast::Lam* e) {
    PendingFunction f;
    f.ast      = &e->fun;
    f.span     = e->span;
    auto holes = holes_.mark();
    auto mark  = names_.mark();
    bool ok    = signature(f) && body(f);
    names_.pop(mark);
    if (!ok || !close(std::span(&f, 1), holes)) return {};
    return {f.lam(), f.view};
}

/*
 * signature
 */

bool Functions::signature(PendingFunction& f) {
    auto& ast = *f.ast;
    if (ast.groups.empty()) return false; // the parser has said so
    if (ast.filter) f.is_folded_known = ast.filter->kind == ast::ExprKind::Hole;
    bool ok = true;
    for (size_t i = 0; i < ast.groups.size(); ++i) {
        bool last = i + 1 == ast.groups.size();
        f.groups.push_back({.pattern = ast.groups[i].pattern});
        auto& group    = f.groups.back();
        group.implicit = ast.groups[i].implicit;
        group.cps      = last && ast.form == ast::LamForm::Fun;
        ok &= group_domain(f, group);
        if (ok) bind_group(group);
        else bind_poison(group);
    }
    if (ast.form != ast::LamForm::Lam) {
        if (ok) set_types(f, {world_.bot()});
        return ok;
    }
    if (!ast.codomain) return ok;
    auto codom = terms_.type(ast.codomain);
    if (!codom || !ok) return false;
    set_types(f, codom);
    return true;
}

bool Functions::group_domain(PendingFunction& f, ParamGroup& g) {
    Ty dom;
    if (!g.cps) {
        dom = patterns_.type(g.pattern);
    } else if (f.ast->codomain) {
        dom = patterns_.pair_type(g.pattern, [&] { return types_.return_type(f.ast->codomain); });
    } else {
        auto result = holes_.make_result(f.name ? f.name->name.str() : "fn", f.name ? f.name->span : f.span);
        dom         = patterns_.pair_type(g.pattern, [&] { return Ty{world_.cn(result)}; });
    }
    if (!dom) return false;
    g.dom  = dom.type;
    g.view = dom.view;
    return make_lam(f, g);
}

bool Functions::make_lam(PendingFunction& f, ParamGroup& g) {
    auto pi = at(g.pattern->span, [&] { return world_.pi(g.dom, world_.bot(), g.implicit); });
    if (!pi) return false;
    g.lam = world_.mut_lam(pi);
    world_.holes.enter(g.lam);
    if (f.name && f.name->name) world_.notes.set_name(g.lam, f.name->name);
    world_.notes.set_span(g.lam, f.name ? f.name->span : f.span);
    if (g.view && !g.view->is_hint && !g.view->names.empty())
        world_.notes.set_fields(g.lam, {g.view->names.begin(), g.view->names.end()});
    if (g.cps) note_parameters(g);
    return true;
}

/// The names of the parameters beside `return`, for messages: the variable has them, whose first element these are.
void Functions::note_parameters(const ParamGroup& g) {
    auto params = elem(g.view, 0);
    auto one    = ast::isa<ast::NamePattern>(g.pattern);
    if (one && one->name.name) world_.notes.set_fields(g.lam->var(), {one->name.name});
    else if (params && !params->is_hint && params->names.size() > 1)
        world_.notes.set_fields(g.lam->var(), {params->names.begin(), params->names.end()});
}

void Functions::bind_group(ParamGroup& g) {
    auto root = g.root = names_.bind_root(g.lam->var(), g.view);
    if (g.cps) names_.bind(g.pattern, {root, 0, 2}, elem(g.view, 0));
    else names_.bind(g.pattern, {root, 0, 1}, g.view);
    if (!g.is_named) debug_names_.keep(g.lam, root, true);
    g.is_named = true;
    if (!g.cps) return;
    if (auto b = names_.find(names_.return_sym()); b && names_.is_ambiguous(b->span)) return;
    names_.bind_name({names_.return_sym(), {}}, {root, 1, 2}, elem(g.view, 1), Binding::Param);
}

void Functions::bind_poison(const ParamGroup& g) {
    auto root = names_.bind_root(nullptr, nullptr);
    names_.bind(g.pattern, {root, 0, 1}, nullptr);
    if (g.cps) names_.bind_name({names_.return_sym(), {}}, {root, 0, 1}, nullptr, Binding::Param);
}

void Functions::bind_params(PendingFunction& f) {
    for (auto& g : f.groups) {
        if (g.lam) bind_group(g);
        else bind_poison(g);
    }
}

static const Pi* pi_over(World& world, const Def* dom, const Lam* lam, const Def* codom, bool implicit) {
    auto var          = lam->var()->isa<Var>();
    bool is_dependent = var && codom->has(Def::HasDep) && is_free_in(world, var, codom);
    if (!is_dependent) return world.pi(dom, codom, implicit)->as<Pi>();
    auto pi = world.mut_pi(dom, implicit);
    if (auto sym = world.notes.name(var)) world.notes.set_name(pi->var(), sym);
    if (auto fields = world.notes.fields(lam)) world.notes.set_fields(pi, *fields);
    world.holes.enter(pi);
    return world.seal(pi, world.subst(codom, var, pi->var()))->as<Pi>();
}

const Pi* pi_over(World& world, const Lam* lam, const Def* codom, bool implicit) {
    return pi_over(world, lam->dom(), lam, codom, implicit);
}

/// Whether all that such a parameter holds are types, or functions to types. A recursive type holds values.
static bool takes_types(const Def* dom, std::unordered_set<const Def*>& entered) {
    if (dom->isa<Sort>()) return true;
    if (dom->is_mut() && !entered.insert(dom).second) return false;
    auto are_types = [&](const Def* part) { return takes_types(part, entered); };
    if (auto pi = dom->isa<Pi>()) return are_types(pi->codom());
    if (auto arr = dom->isa<Arr>()) return are_types(arr->body());
    return dom->isa<Sigma>() && dom->num_ops() && std::ranges::all_of(dom->ops(), are_types);
}

/// The filter `@_` of a group. One that takes types, in front of others, is always folded.
const Def* Functions::known_filter(const ParamGroup& g, bool last) {
    std::unordered_set<const Def*> entered;
    return !last && takes_types(g.dom, entered) ? world_.tt() : world_.when_known();
}

void Functions::set_types(PendingFunction& f, Ty codom) {
    auto type = codom.type;
    auto view = codom.view;
    for (size_t i = f.groups.size(); i-- > 0;) {
        auto& g = f.groups[i];
        auto pi = pi_over(world_, g.dom, g.lam, type, g.implicit);
        world_.set_type(g.lam, pi);
        type = pi;
        if (view || g.view) view = views_.make({.dom = g.view, .codom = view});
        bool last = i + 1 == f.groups.size();
        if (f.is_folded_known) world_.set_filter(g.lam, known_filter(g, last));
        else if (!last || f.ast->form == ast::LamForm::Lam) world_.set_filter(g.lam, world_.tt());
        else if (!f.ast->filter) world_.set_filter(g.lam, world_.ff());
    }
    f.view  = view;
    f.typed = true;
}

/*
 * bodies
 */

/// A function with errors in its text may declare functions without bodies. Unfolding a call of it would be a second error.
static void keep_calls(World& world, const PendingFunction& f) {
    for (auto& g : f.groups) world.set_filter(g.lam, world.ff());
}

bool Functions::body(PendingFunction& f) {
    auto holes  = holes_.mark();
    auto errors = shared_.diags.num_errors();
    auto ok     = read_body(f);
    if (!ok) holes_.forget(holes); // reported
    bool returns_values = f.ast->form == ast::LamForm::Fun;
    if (ok && returns_values && shared_.diags.num_errors() != errors) keep_calls(world_, f);
    if (!enclosing_.function()) effects_.settle();
    return ok;
}

bool Functions::read_body(PendingFunction& f) {
    if (f.groups.empty()) return false; // the parser has said so
    auto& ast = *f.ast;
    auto last = f.innermost();
    bool ok   = true;
    Res res;
    {
        Enclosing::Nested nested(enclosing_);
        if (ast.filter && !f.is_folded_known) {
            auto filter = terms_.expr(ast.filter);
            auto set    = [&] { return world_.set_filter(last, filter.def), filter.def; };
            ok          = filter && at(ast.filter->span, set);
        }
        res = read_result(f);
    }
    if (!ok || !res) return false;
    if (f.typed && ast.form == ast::LamForm::Lam)
        res = expectations_.fit(codom(world_, last->pi(), last->var()), res, result_span(ast.body));
    if (!res) return false;
    if (!f.typed) set_types(f, {world_.refresh(res.def->type()), res.view});
    // an alias of types carries the fields of what it stands for
    if (f.typed && res.view && res.view->inst) carry_result_view(f, res.view);
    for (auto& g : f.groups) tokens_.name(g.pattern, g.cps ? world_.extract(g.lam->var(), uint64_t(0)) : g.lam->var());
    if (!set_bodies(f, res.def)) return false;
    name_unused_tokens(f);
    world_.notes.set_end(last, result_span(ast.body));
    f.ok = true;
    return true;
}

bool Functions::set_type(PendingFunction& f, Res type) {
    set_types(f, {world_.refresh(type.def->type()), type.view});
    return f.ok = set_bodies(f, type.def);
}

/// The text of the body, with what belongs at the entry of the function made there.
Res Functions::read_result(PendingFunction& f) {
    auto last   = f.innermost();
    auto around = activations_.innermost();
    Enclosing::Function function(enclosing_, last);
    if (f.ast->form == ast::LamForm::Con && around) return read_text(f); // a block of the function around it
    Activation activation{&f, around};
    Res res;
    {
        Activations::Scope scope(activations_, activation);
        res = read_text(f);
    }
    if (res) res.def = at(result_span(f.ast->body), [&] { return activations_.leave(activation, res.def); });
    if (auto body = effects_.as_read(last)) f.as_read = body;
    return res;
}

Res Functions::read_text(const PendingFunction& f) {
    auto last = f.innermost();
    if (f.typed && f.ast->form == ast::LamForm::Lam) expectations_.expect(f.ast->body, codom(world_, last->pi(), last->var()));
    auto res = terms_.expr(f.ast->body);
    effects_.take_over(res.def);
    return res;
}

bool Functions::set_bodies(PendingFunction& f, const Def* result) {
    for (size_t i = f.groups.size(); i-- > 0;) {
        auto value = i + 1 == f.groups.size() ? result : f.groups[i + 1].lam;
        try {
            world_.set_body(f.groups[i].lam, value);
        } catch (const Error& e) {
            report_result(e, f, result_span(f.ast->body));
            return false;
        }
    }
    return true;
}

/// A parameter is taken out of its tuple when it is used. That a token was not is an error, which needs its name and
/// place.
void Functions::name_unused_tokens(const PendingFunction& f) {
    if (!world_.annexes.has_linear_types()) return;
    for (auto i = f.groups.front().root; i < names_.size(); ++i) {
        auto b = names_[i];
        if (!b.sym || !b.span || b.state != Binding::Element) continue;
        auto def = names_.force(i);
        if (def && tokens_.types().is_token(def) && !world_.notes.span(def)) world_.notes.set_span(def, b.span);
    }
}

/// A `fun` whose body is the result itself.
void Functions::report_result(const Error& e, const PendingFunction& f, Span span) {
    auto& d           = report(e, span);
    bool lacks_return = e.id == Diag::not_assignable && f.ast->form == ast::LamForm::Fun;
    if (lacks_return && d.notes.empty()) d.note(Diag::pass_to_return, {}, {source_text(span)});
}

void Functions::carry_result_view(PendingFunction& f, const View* result) {
    auto view = result;
    for (size_t i = f.groups.size(); i-- > 0;) view = views_.make({.dom = f.groups[i].view, .codom = view});
    f.view = view;
}

/// States the types of functions whose results the text does not state: they are known now. The λs of these.
std::vector<Lam*> Functions::settle_results(std::span<PendingFunction> funs) {
    std::vector<Lam*> lams;
    for (auto& f : funs) {
        bool is_inferred = f.ok && f.ast->form == ast::LamForm::Fun && !f.ast->codomain;
        if (!is_inferred) continue;
        for (auto& g : f.groups) {
            g.dom = world_.refresh(g.dom);
            lams.push_back(g.lam);
        }
        set_types(f, {world_.bot()});
    }
    return lams;
}

bool Functions::close(std::span<PendingFunction> funs, size_t holes) {
    if (!holes_.check(holes)) return false;
    std::vector<Lam*> lams;
    Span span;
    for (auto& f : funs) {
        if (!f.ok) continue;
        span = span.file ? span : f.name ? f.name->span : f.span;
        if (shared_.host.owner().empty()) shared_.functions.push_back(f.lam());
        for (size_t i = f.groups.size(); i-- > 0;) lams.push_back(f.groups[i].lam);
    }
    if (lams.empty()) return true;
    auto inferred  = settle_results(funs);
    auto close_all = [&] {
        world_.close(lams);
        settle_types(world_, inferred);
        for (auto& f : funs)
            if (f.ok && f.as_read) activations_.keep_as_read(f);
        return lams[0];
    };
    return at(span, close_all);
}

Lam* Functions::infer(const Def* dom, const std::function<const Def*(Lam*)>& build) {
    auto lam = world_.mut_lam(world_.pi(dom, world_.bot()));
    world_.holes.enter(lam);
    auto mark = names_.mark();
    const Def* body;
    {
        Enclosing::Function function(enclosing_, lam);
        body = build(lam);
        effects_.take_over(body);
    }
    names_.pop(mark);
    if (!body) return nullptr;
    world_.set_type(lam, pi_over(world_, dom, lam, world_.refresh(body->type()), false));
    world_.set(lam, world_.tt(), body);
    if (!enclosing_.function()) effects_.settle();
    Lam* group[] = {lam};
    world_.close(group);
    return lam;
}

} // namespace mim
