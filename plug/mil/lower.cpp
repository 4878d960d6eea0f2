// SPDX-License-Identifier: MIT
// Definitions, and expressions where control splits.
#include <algorithm>

#include "lowering.h"

namespace mim::plug::mil {

// ---- definitions
// ------------------------------------------------------------------------------------------------------------

std::vector<uint32_t> Lowering::parameters(const Expr* lambda) {
    std::vector<uint32_t> result;
    for (auto b : lambda->binds) result.push_back(b ? variable_of(b) : p_.variable("_u"));
    return result;
}

/// `Proc` of a closure that runs a block.
Tail Lowering::thunk(const std::string& base, uint32_t runs, const std::vector<uint32_t>& params, Span at) {
    Atoms args;
    for (auto p : params) args.push_back(variable(p));
    auto k = b_.closure(base, {}, tail(Tail::Block, runs, args, at), at);
    auto c = b_.emit(tail(Tail::Closure, k, {}, at), "k");
    return tail(Tail::Build, p_.proc, {c}, at);
}

void Lowering::body(uint32_t target, Expr* e, bool runs) {
    auto at    = std::exchange(b_.at, target);
    auto abort = std::exchange(abort_, kNone);
    into(e, {kNone, runs});
    b_.at  = at;
    abort_ = abort;
}

/// Functions are blocks; so are local `do`s, and local values of several types, which are made where they are used.
void Lowering::declare(Bind* bind) {
    auto e         = bind->value;
    bool is_lambda = e->kind == Expr::Lambda;
    bool is_do     = e->kind == Expr::Do;
    bool is_block  = is_lambda || (!bind->is_top && (is_do || !bind->scheme.variables.empty()));
    auto params    = is_lambda ? parameters(e) : std::vector<uint32_t>();
    bind->arity    = params.size();
    if (is_block) bind->block = b_.block(bind->name, params, bind->at);
    bool runs = is_do || (is_lambda && e->parts[0]->kind == Expr::Do);
    if (runs) bind->runs = b_.block(bind->name, params, bind->at);
    bind->params = params;
    if (bind->is_top && !is_lambda) bind->top = b_.top(bind->name, {}, bind->at);
    if (bind->signature) claim(bind);
}

/// Reads of the signature the block of a function, and of the one that runs its result.
void Lowering::claim(Bind* bind) {
    auto& types = source_.types;
    auto result = bind->scheme.type;
    std::vector<Type*> domain, sides;
    for (size_t i = 0; i != bind->arity; ++i) {
        if (!types.is_apply(result, "->", sides)) return;
        domain.push_back(sides[0]);
        result = sides[1];
    }
    auto give = [&](uint32_t target, Type* range) {
        auto type = types.apply(types.con(">>="), {types.tuple(domain), types.tuple({range})});
        if (target != kNone) p_.blocks[target].typing = {{}, nullptr, false, true, {bind->scheme.variables, type}};
    };
    if (bind->top != kNone) p_.tops[bind->top].typing = {{}, nullptr, false, true, bind->scheme};
    give(bind->block, result);
    if (types.is_apply(result, "Proc", sides)) give(bind->runs, sides[0]);
}

void Lowering::define(Bind* bind) {
    auto outer     = base_;
    base_          = bind->is_top ? bind->name : base_;
    auto e         = bind->value;
    bool is_lambda = e->kind == Expr::Lambda;
    auto inner     = is_lambda ? e->parts[0] : e;
    if (bind->runs != kNone) body(bind->runs, inner, true);
    if (bind->block != kNone && bind->runs != kNone) {
        auto around = std::exchange(b_.at, bind->block);
        b_.finish(thunk(bind->name, bind->runs, bind->params, bind->at));
        b_.at = around;
    } else if (bind->block != kNone) {
        body(bind->block, inner, false);
    }
    if (bind->is_top && !is_lambda) top_value(bind);
    else if (!bind->is_top && bind->block == kNone) bind->variable = kNone;
    base_ = outer;
}

void Lowering::top_value(Bind* bind) {
    auto init = b_.block(bind->name, {}, bind->at);
    if (bind->runs == kNone) {
        body(init, bind->value, false);
    } else {
        auto around = std::exchange(b_.at, init);
        b_.finish(thunk(bind->name, bind->runs, {}, bind->at));
        b_.at = around;
    }
    p_.tops[bind->top].tail    = tail(Tail::Block, init, {}, bind->at);
    p_.tops[bind->top].is_late = bind->is_late;
    bool is_said               = bind->value->kind == Expr::Area || bind->value->kind == Expr::Same; // by nothing else
    if (is_said) p_.tops[bind->top].typing = {bind->scheme, nullptr, true, false};
}

/// A call of a block whose result has the type that the text says, which generators need.
Tail Lowering::pinned(Expr* e, const Scheme& scheme, bool runs) {
    auto& types = source_.types;
    auto result = scheme.type;
    std::vector<Type*> parts;
    bool is_known = !runs || types.is_apply(scheme.type, "Proc", parts);
    if (runs && is_known) result = parts[0];
    auto target = block("_as", e->at);
    body(target, e, runs);
    auto type = types.apply(types.con(">>="), {types.tuple({}), types.tuple({result})});
    if (is_known) p_.blocks[target].typing = {{}, nullptr, false, true, {scheme.variables, type}};
    return tail(Tail::Block, target, {}, e->at);
}

void Lowering::groups(const std::vector<std::vector<Bind*>>& all) {
    for (auto& group : all) {
        for (auto bind : group) declare(bind);
        for (auto bind : group) {
            define(bind);
            bool is_value = bind->block == kNone && bind->runs == kNone;
            if (!is_value) continue;
            auto abort     = std::exchange(abort_, kNone);
            bool is_pinned = pins_ && bind->signature;
            auto a = is_pinned ? b_.emit(pinned(bind->value, bind->scheme, false), bind->name) : value(bind->value, bind->name);
            abort_ = abort;
            bool has_var   = a.kind == Atom::Var;
            bind->variable = has_var ? static_cast<uint32_t>(a.number) : p_.variable(bind->name);
            if (!has_var) b_.code().statements.push_back({{bind->variable}, tail(Tail::Return, kNone, {a}, bind->at)});
        }
    }
}

void Lowering::file(File& file) {
    for (auto& group : file.groups) {
        for (auto bind : group) declare(bind);
        for (auto bind : group) define(bind);
    }
}

/// MIL has its own definition of each value of LC that it names.
void Lowering::use(const ForeignUse& use) {
    auto name  = source_.expr({.kind = Expr::Name, .at = use.bind->at});
    name->bind = use.bind;
    auto init  = b_.block(use.bind->name, {}, use.bind->at);
    body(init, name, false);
    auto& top      = p_.tops[use.top];
    top.tail       = tail(Tail::Block, init, {}, top.at);
    top.is_defined = true;
    p_.order.push_back({Program::TopKind, use.top});
}

/// Function values go first: what other definitions compute may need them.
void Lowering::finish() {
    auto computes = [&](const Program::Entry& e) { return e.kind == Program::TopKind && p_.tops[e.index].block == kNone; };
    auto is_late  = [&](const Program::Entry& e) { return e.kind == Program::TopKind && p_.tops[e.index].is_late; };
    std::stable_partition(p_.order.begin() + first_, p_.order.end(), [&](auto& e) { return !computes(e); });
    std::ranges::stable_partition(p_.order, [&](auto& e) { return !is_late(e); });
    b_.capture();
}

// ---- control
// ----------------------------------------------------------------------------------------------------------------

void Lowering::finish(Tail t, Goal goal) {
    if (goal.join == kNone) return b_.finish(std::move(t));
    auto at = t.at;
    auto v  = b_.emit(std::move(t), "v");
    b_.finish(tail(Tail::Block, goal.join, {v}, at));
}

void Lowering::into(Expr* e, Goal goal) {
    auto boolean = [&](bool b) { return b ? p_.yes : p_.no; };
    switch (e->kind) {
        case Expr::If: return choice(e->parts[0], e->parts[1], e->parts[2], goal);
        case Expr::And:
        case Expr::Or: {
            bool is_and       = e->kind == Expr::And;
            auto c            = value(e->parts[0]);
            auto more         = block("_b", e->at);
            auto over         = block("_b", e->at);
            b_.code().end     = Code::Case;
            b_.code().subject = c;
            b_.code().at      = e->at;
            b_.code().arms    = {{boolean(is_and), {more, {}, e->at}}, {boolean(!is_and), {over, {}, e->at}}};
            b_.at             = more;
            into(e->parts[1], goal);
            b_.at = over;
            return constant(boolean(!is_and), goal, e->at);
        }
        case Expr::Case: return cases(e, goal);
        case Expr::Fatbar: return fatbar(e, goal);
        case Expr::Let: groups(e->groups); return into(e->parts[0], goal);
        case Expr::Typed:
            if (!pins_ || abort_ != kNone) return into(e->parts[0], goal);
            return finish(pinned(e->parts[0], e->bind->scheme, goal.runs), goal);
        case Expr::Do:
            if (goal.runs) return steps(e, goal);
            break;
        default: break;
    }
    finish(goal.runs ? run(e) : compute(e), goal);
}

void Lowering::constant(uint32_t con, Goal goal, Span at) { finish(tail(Tail::Build, con, {}, at), goal); }

void Lowering::choice(Expr* condition, Expr* yes, Expr* no, Goal goal) {
    auto c            = value(condition);
    auto then         = block("_t", yes->at);
    auto otherwise    = block("_e", no->at);
    b_.code().end     = Code::Case;
    b_.code().subject = c;
    b_.code().at      = condition->at;
    b_.code().arms    = {{p_.yes, {then, {}, yes->at}}, {p_.no, {otherwise, {}, no->at}}};
    b_.at             = then;
    into(yes, goal);
    b_.at = otherwise;
    into(no, goal);
}

uint32_t Lowering::alternative(Alternative& alt, Atom subject, Goal goal) {
    auto target = block("_c", alt.at);
    b_.at       = target;
    if (alt.kind == Alternative::Variable) {
        alt.fields[0]->variable = static_cast<uint32_t>(subject.number);
    } else if (alt.con != kNone) {
        b_.code().statements.push_back({{}, tail(Tail::Assert, alt.con, {subject}, alt.at)});
        b_.code().statements.back().tail.results = 0;
        for (uint32_t i = 0; i != alt.fields.size(); ++i) {
            auto field = alt.fields[i];
            if (!field || field->uses == 0) continue;
            b_.code().statements.push_back({{variable_of(field)}, Tail{Tail::Select, alt.con, i, {subject}, field->at}});
        }
    }
    into(alt.body, goal);
    return target;
}

void Lowering::cases(Expr* e, Goal goal) {
    auto subject = value(e->parts[0], "s");
    if (subject.kind != Atom::Var) {
        auto v = p_.variable("s");
        b_.code().statements.push_back({{v}, tail(Tail::Return, kNone, {subject}, e->at)});
        subject = variable(v);
    }
    auto here = b_.at;
    std::vector<Code::Arm> arms;
    std::optional<Jump> otherwise;
    for (auto& alt : e->alts) {
        bool has_con = alt.con != kNone;
        auto is_it   = [&](auto& arm) { return arm.con == alt.con; };
        if (has_con && std::find_if(arms.begin(), arms.end(), is_it) != arms.end()) continue;
        auto target = alternative(alt, subject, goal);
        if (has_con) {
            arms.push_back({alt.con, {target, {}, alt.at}});
            continue;
        }
        otherwise = Jump{target, {}, alt.at};
        break;
    }
    if (!otherwise && abort_ != kNone) otherwise = Jump{abort_, {}, e->at};
    b_.at               = here;
    b_.code().end       = Code::Case;
    b_.code().subject   = subject;
    b_.code().at        = e->at;
    b_.code().arms      = std::move(arms);
    b_.code().otherwise = std::move(otherwise);
}

void Lowering::fatbar(Expr* e, Goal goal) {
    auto around = abort_;
    auto here   = b_.at;
    auto second = block("_o", e->parts[1]->at);
    b_.at       = second;
    into(e->parts[1], goal);
    b_.at  = here;
    abort_ = second;
    into(e->parts[0], goal);
    abort_ = around;
}

void Lowering::steps(Expr* e, Goal goal) {
    auto abort = std::exchange(abort_, kNone);
    if (e->steps.empty()) constant(p_.unit, goal, e->at);
    for (auto& step : e->steps) {
        bool is_last = &step == &e->steps.back();
        if (is_last) {
            into(step.value, goal);
        } else if (step.step == Expr::Define) {
            groups(step.value->groups);
        } else if (step.step == Expr::Run || !step.name) {
            b_.discard(run(step.value));
        } else {
            auto a              = b_.emit(run(step.value), step.name->name);
            bool has_var        = a.kind == Atom::Var;
            auto v              = has_var ? static_cast<uint32_t>(a.number) : p_.variable(step.name->name);
            step.name->variable = v;
            if (!has_var) b_.code().statements.push_back({{v}, tail(Tail::Return, kNone, {a}, step.value->at)});
        }
    }
    abort_ = abort;
}

void lower(Source& source) {
    Lowering lowering(source);
    for (auto& file : source.files) lowering.file(*file);
    for (auto& use : source.uses) lowering.use(use);
    lowering.finish();
}

} // namespace mim::plug::mil
