// SPDX-License-Identifier: MIT
#include "sema/block.h"

#include <algorithm>

#include "ir/recursive.h"

namespace mim {

/// The function that a declaration states; null for a `rec` of anything but a λ.
static const ast::Function* function_of(const ast::Decl* d) {
    if (auto fun = ast::isa<ast::Fun>(d)) return &fun->fun;
    if (!ast::as<ast::Rec>(d)->groups.empty()) return nullptr;
    auto lam = ast::isa<ast::Lam>(ast::as<ast::Rec>(d)->value);
    return lam ? &lam->fun : nullptr;
}
static const ast::Binder& name_of(const ast::Decl* d) {
    return d->kind == ast::DeclKind::Fun ? ast::as<ast::Fun>(d)->name : ast::as<ast::Rec>(d)->name;
}

void Blocks::decls(Decls decls) {
    Enclosing::Block block(enclosing_, decls);
    steps(decls);
}

void Blocks::steps(Decls decls) {
    auto done = [&](std::span<const uint32_t> members) {
        if (consumed_ && consumed_->is_top(decls)) consumed_->done(members);
    };
    Frame frame(decls);
    auto plan = plans_.find(decls);
    for (auto& s : plan) {
        step(frame, s);
        if (s.kind == PlanStep::One || s.kind == PlanStep::Bodies) done(s.members);
    }
    if (!plan.empty()) return;
    for (uint32_t i = 0; i < decls.size(); ++i) {
        step(frame, {PlanStep::One, {&i, 1}});
        done({&i, 1});
    }
}

void Blocks::decl(const ast::Decl* d) {
    switch (d->kind) {
        case ast::DeclKind::Let: return declarations_.let(ast::as<ast::Let>(d));
        case ast::DeclKind::Axm: return declarations_.axm(ast::as<ast::Axm>(d));
        case ast::DeclKind::CDecl: return declarations_.c_decl(ast::as<ast::CDecl>(d));
        case ast::DeclKind::Rule: return rules_.rule(ast::as<ast::Rule>(d));
        case ast::DeclKind::Op: return operators_.declare(ast::as<ast::Op>(d));
        case ast::DeclKind::Import: return declarations_.import_or_miss(shared_.host.import(*ast::as<ast::Import>(d)));
        case ast::DeclKind::Plugin: return declarations_.import_or_miss(shared_.host.plugin(*ast::as<ast::Plugin>(d)));
        case ast::DeclKind::Fun: // always planned
        case ast::DeclKind::Rec:
        case ast::DeclKind::Ret: return;
    }
}

Res Blocks::block(Decls decls, const ast::Expr* body, uint32_t num_before) {
    auto mark = names_.mark();
    Enclosing::Nested nested(enclosing_);
    Enclosing::Block block(enclosing_, decls, num_before);
    auto is_ret = [](const ast::Decl* d) { return d->kind == ast::DeclKind::Ret; };
    Res res;
    if (std::any_of(decls.begin(), decls.end(), is_ret)) {
        res = ret_block(decls, body);
    } else {
        steps(decls);
        res = terms_.expr(body);
    }
    names_.pop(mark);
    return res;
}

/*
 * steps of a plan
 */

/// The graph may throw where nobody asked it for anything in particular, such as when it normalizes calls again that
/// had waited. Such an error is reported at the declaration, whose names are poison then.
template<class F, class P>
void Blocks::recover(const ast::Decl* d, F elaborate, P poison) {
    auto names = names_.state();
    auto holes = holes_.mark();
    try {
        elaborate();
    } catch (const Error& e) {
        bool has_name = d->kind == ast::DeclKind::Fun || d->kind == ast::DeclKind::Rec;
        report(e, has_name ? name_of(d).span : d->span);
        names_.reset(names);
        holes_.forget(holes);
        poison();
    }
}

void Blocks::step(Frame& frame, const PlanStep& s) {
    if (s.members.empty()) return; // all of them have the name of another one
    auto poison = [&] {
        for (auto i : s.members) {
            if (auto let = ast::isa<ast::Let>(frame.decls[i]))
                names_.bind(let->pattern, {names_.bind_root(nullptr, nullptr), 0, 1}, nullptr);
            else if (auto op = ast::isa<ast::Op>(frame.decls[i])) operators_.poison(op);
            else frame.set(names_, i, nullptr, nullptr);
            if (auto labelled = frame.labelled.find(i); labelled != frame.labelled.end())
                constructors_.complete(*labelled->second, {});
        }
    };
    recover(frame.decls[s.members.front()], [&] { run_step(frame, s); }, poison);
}

void Blocks::run_step(Frame& frame, const PlanStep& step) {
    switch (step.kind) {
        case PlanStep::Names:
            for (auto i : step.members) { // before the names of the types, which may be called like a label of another one
                auto labels = ast::labels_of(frame.decls[i]);
                if (!labels) continue;
                frame.labelled[i] = &constructors_.declare(name_of(frame.decls[i]), labels);
                constructors_.bind(*frame.labelled[i]);
            }
            for (auto i : step.members) {
                auto& n = name_of(frame.decls[i]);
                Binding pending{.sym = n.name, .span = n.span, .state = Binding::Pending, .kind = Binding::Fun};
                frame.binding[i] = names_.push(pending);
            }
            return;
        case PlanStep::One: return one(frame, step.members[0]);
        case PlanStep::Stubs: return stubs(frame, step.members);
        case PlanStep::Bodies: return bodies(frame, step.members);
    }
}

void Blocks::one(Frame& frame, uint32_t i) {
    auto d   = frame.decls[i];
    auto fun = ast::isa<ast::Fun>(d);
    if (!fun) return decl(d);
    if (fun->fun.groups.empty()) return constant(frame, i, fun);
    auto mark  = names_.mark();
    auto holes = holes_.mark();
    PendingFunction f{&fun->fun, &fun->name, fun->span};
    f.is_folded_known = plans_.is_recursive(fun->name.span);
    bool typed        = functions_.signature(f);
    bool ok           = body_after(f, typed) && functions_.close(std::span(&f, 1), holes);
    names_.pop(mark);
    finish_function(frame, i, f, typed, ok);
}

/// The body is read even if the signature is wrong, for the errors in it.
bool Blocks::body_after(PendingFunction& f, bool signature_ok) {
    if (signature_ok) return functions_.body(f);
    Enclosing::Nested nested(enclosing_);
    terms_.expr(f.ast->body);
    return false;
}

void Blocks::finish_function(Frame& frame, uint32_t i, PendingFunction& f, bool typed, bool ok) {
    // calls of a function with a broken body are checked, unless checking might evaluate it
    bool evaluated = f.ast->form == ast::LamForm::Lam || f.groups.size() > 1 || f.ast->filter;
    bool usable    = ok || (typed && f.typed && !evaluated);
    Res res{usable ? f.lam() : nullptr, f.view};
    frame.set(names_, i, res.def, res.view);
    auto& name = name_of(frame.decls[i]);
    if (ast::is_annex(name.name)) declarations_.define_annex(name, res);
    if (auto fun = ast::isa<ast::Fun>(frame.decls[i]); fun && fun->is_extern && ok) declarations_.make_extern(fun, f);
}

/// `lam x: T = e`, without parameters.
void Blocks::constant(Frame& frame, uint32_t i, const ast::Fun* fun) {
    auto res = terms_.expr(fun->fun.body);
    if (res && !patterns_.check_type(fun->fun.codomain, res, fun->fun.body->span)) res = {};
    frame.set(names_, i, res.def, res.view);
    if (ast::is_annex(fun->name.name)) declarations_.define_annex(fun->name, res);
}

void Blocks::stubs(Frame& frame, std::span<const uint32_t> members) {
    for (auto i : members) {
        auto d = frame.decls[i];
        frame.stubs.push_back({i, names_.mark(), {function_of(d), &name_of(d), d->span}});
        auto& stub = frame.stubs.back();
        auto rec   = ast::isa<ast::Rec>(d);
        if (rec && !rec->groups.empty()) {
            open_stub(frame, stub, rec);
            continue;
        }
        if (!stub.is_function()) {
            rec_stub(stub.hole, d);
            frame.set(names_, i, stub.hole, nullptr);
            stub.ok = stub.hole;
            continue;
        }
        auto mark                = names_.mark();
        stub.fun.is_folded_known = plans_.is_recursive(name_of(d).span);
        stub.ok                  = functions_.signature(stub.fun);
        names_.pop(mark);
        if (stub.ok && !stub.fun.typed) {
            error(Diag::needs_result_type, name_of(d).span, {name_of(d).name.str(), "it is recursive"});
            stub.ok = false;
        }
        frame.set(names_, i, stub.ok ? stub.fun.lam() : nullptr, stub.fun.view);
    }
}

void Blocks::rec_stub(const Def*& hole, const ast::Decl* d) {
    auto rec = ast::isa<ast::Rec>(d);
    if (!rec) {
        error(Diag::not_ready, name_of(d).span, {name_of(d).name.str(), "a constant cannot be recursive, use `rec`"});
        return;
    }
    Ty t{world_.star()};
    if (rec->type) t = terms_.type(rec->type);
    if (t) hole = world_.holes.make(t.type);
}

/// A type with parameters, which is a placeholder under them.
void Blocks::open_stub(Frame& frame, Stub& stub, const ast::Rec* rec) {
    auto& function = frame.functions.emplace_back(ast::Function{ast::LamForm::Lam, rec->groups, nullptr, rec->type, rec->value});
    stub.fun.ast   = &function;
    stub.open      = &frame.open.emplace_back(OpenType{rec->name.name, rec->name.span, nullptr, nullptr});
    auto sort      = std::exchange(function.codomain, nullptr); // its parameters are what matters here
    auto mark      = names_.mark();
    stub.ok        = functions_.signature(stub.fun);
    Ty type{world_.star()};
    if (sort) type = terms_.type(sort);
    names_.pop(mark);
    if (stub.ok && type && !type.type->isa<Sort>()) {
        error(Diag::rec_is_no_type, rec->name.span, {rec->name.name.str(), show(type.type)});
        type = {};
    }
    stub.ok &= bool(type);
    if (!stub.ok) return frame.set(names_, stub.decl, nullptr, nullptr);
    stub.hole = world_.holes.make(type.type);
    frame.open_type(names_, stub.decl, stub.open);
}

/// The stubs of these members, made now if they are not there yet.
std::vector<Blocks::Stub> Blocks::take_stubs(Frame& frame, std::span<const uint32_t> members) {
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
    return group;
}

void Blocks::bodies(Frame& frame, std::span<const uint32_t> members) {
    auto holes = holes_.mark();
    auto group = take_stubs(frame, members);
    bool ok    = rec_bodies(frame, group);
    std::vector<PendingFunction> funs;
    std::vector<uint32_t> which;
    for (auto& s : group) {
        if (!s.is_function()) continue;
        auto end = names_.mark();
        Scopes::Hide hide(names_, s.scope, end);
        functions_.bind_params(s.fun);
        ok &= body_after(s.fun, s.ok);
        names_.pop(end);
        funs.push_back(std::move(s.fun));
        which.push_back(s.decl);
    }
    ok &= functions_.close(funs, holes);
    for (size_t j = 0; j < funs.size(); ++j) finish_function(frame, which[j], funs[j], funs[j].typed, funs[j].ok && ok);
}

/// A value of the group that is neither a type nor a function.
bool Blocks::contains_itself(const Def* value, const Stub& own, std::span<const Stub> group) {
    if (is_type(value)) return false;
    return std::ranges::any_of(group, [&](auto& stub) {
        bool is_value = stub.hole && (&stub == &own || stub.hole->type()->node() != Node::Sort);
        return is_value && world_.holes.mentions(value, stub.hole);
    });
}

/// The value of a `rec`, with a placeholder for itself; poison after a report.
Res Blocks::rec_value(const ast::Rec* rec, const Stub& stub, std::span<const Stub> group) {
    auto value = terms_.expr(rec->value);
    if (!value || !stub.hole) return {};
    if (contains_itself(value.def, stub, group)) {
        error(Diag::rec_value, rec->value->span, {rec->name.name.str()});
        return {};
    }
    if (stub.open && !is_type(value.def)) {
        error(Diag::rec_is_no_type, result_span(rec->value), {rec->name.name.str(), show(value.def->type())});
        return {};
    }
    if (!rec->type && is_type(value.def)) return value; // see raise_sorts
    if (assignable(world_, world_.refresh(stub.hole->type()), value.def)) return value;
    report(Error(Diag::not_assignable, {stub.hole->type(), value.def, value.def->type()}), rec->value->span);
    return {};
}

/// A `rec` without a type is of the sort of its value: `*` in the beginning. That of one may raise that of others. What
/// still raises when each had its turn raises itself.
void Blocks::raise_sorts(const Frame& frame, std::span<Stub* const> recs, std::vector<const Def*>& holes,
                         std::vector<const Def*>& values) {
    size_t round = 0;
    for (bool changes = true; changes; ++round) {
        changes = false;
        for (size_t i = 0; i < recs.size(); ++i) {
            auto rec = ast::as<ast::Rec>(frame.decls[recs[i]->decl]);
            if (rec->type) continue;
            auto type = world_.refresh(values[i]->type());
            if (assignable(world_, holes[i]->type(), values[i])) continue;
            if (round > recs.size()) throw Error(Diag::rec_without_universe, {rec->name.name.str()});
            auto hole = world_.holes.make(type);
            world_.holes.fill(holes[i]->as<Hole>(), hole);
            recs[i]->hole = holes[i] = hole;
            changes                  = true;
            for (auto& value : values) value = world_.refresh(value);
        }
    }
}

/// The value of a `rec` with its parameters in scope.
Res Blocks::rec_body(const ast::Rec* rec, Stub& stub, std::span<const Stub> group) {
    OpenTypes::Reading reading(open_types_, stub.open, rec->name.name);
    if (!stub.open) return rec_value(rec, stub, group);
    auto mark = names_.mark();
    Scopes::Hide hide(names_, stub.scope, mark);
    Enclosing::Nested nested(enclosing_);
    functions_.bind_params(stub.fun);
    auto value = rec_value(rec, stub, group);
    names_.pop(mark);
    return value;
}

bool Blocks::rec_bodies(Frame& frame, std::vector<Stub>& group) {
    std::vector<const Def*> holes, values;
    std::vector<const View*> views;
    std::vector<Stub*> recs;
    for (auto& s : group) {
        if (!s.open) continue;
        s.open->fun = &s.fun, s.open->hole = s.hole; // the stubs stay where they are from now on
    }
    bool ok = true;
    for (auto& s : group) {
        if (s.is_function()) continue;
        auto rec = ast::isa<ast::Rec>(frame.decls[s.decl]);
        if (!rec) continue;
        auto value = rec_body(rec, s, group);
        if (!value) {
            frame.set(names_, s.decl, nullptr, nullptr);
            ok = false;
            continue;
        }
        holes.push_back(s.hole);
        values.push_back(value.def);
        views.push_back(value.view);
        recs.push_back(&s);
        if (!s.open) frame.set(names_, s.decl, s.hole, value.view);
    }
    if (ok && !recs.empty()) {
        auto finish = [&] {
            raise_sorts(frame, recs, holes, values);
            tie(recs, holes, values);
            return world_.unit();
        };
        ok = at(frame.decls[recs[0]->decl]->span, finish);
    }
    for (size_t i = 0; i < recs.size() && ok; ++i) finish_rec(frame, *recs[i], {values[i], views[i]});
    for (auto& s : group)
        if (!ok && frame.decls[s.decl]->kind == ast::DeclKind::Rec && !s.is_function()) finish_rec(frame, s, {});
    return ok;
}

/// The type that each placeholder stands for, under the parameters of its `rec`.
void Blocks::tie(std::span<Stub* const> recs, Defs holes, std::vector<const Def*>& values) {
    std::vector<const Def*> tied(values), plain, bodies;
    for (size_t i = 0; i < recs.size(); ++i)
        if (recs[i]->open) tied[i] = tie_open(*recs[i], recs, holes, values);
        else plain.push_back(holes[i]), bodies.push_back(values[i]);
    if (!plain.empty()) tie_recursive(world_, plain, std::span(bodies));
    for (size_t i = 0, k = 0; i < recs.size(); ++i) values[i] = recs[i]->open ? tied[i] : bodies[k++];
}

/// In a group of types with the same parameters, each is recursive under its own ones.
const Def* Blocks::tie_open(const Stub& own, std::span<Stub* const> recs, Defs holes, Defs values) {
    std::vector<const Def*> bodies(values.begin(), values.end());
    size_t index = 0;
    for (size_t i = 0; i < recs.size(); ++i) {
        if (recs[i] == &own) index = i;
        else if (recs[i]->open) bodies[i] = with_parameters_of(world_, bodies[i], recs[i]->fun, own.fun);
    }
    tie_recursive(world_, holes, std::span(bodies));
    return bodies[index];
}

/// The type is known, or poison.
void Blocks::finish_rec(Frame& frame, Stub& stub, Res type) {
    auto d = frame.decls[stub.decl];
    if (type && stub.open) {
        auto holes   = holes_.mark();
        bool is_done = functions_.set_type(stub.fun, type) && functions_.close(std::span(&stub.fun, 1), holes);
        type         = {is_done ? stub.fun.lam() : nullptr, stub.fun.view};
    }
    frame.set(names_, stub.decl, type.def, type.view);
    if (auto labelled = frame.labelled.find(stub.decl); labelled != frame.labelled.end())
        constructors_.complete(*labelled->second, type);
    if (ast::is_annex(name_of(d).name)) declarations_.define_annex(name_of(d), type);
}

} // namespace mim
