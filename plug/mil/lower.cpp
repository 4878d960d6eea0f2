// SPDX-License-Identifier: MIT
// LC to MIL. An expression becomes statements of the block that is being made. Where control splits, the rest is a
// join block.
#include "lower.h"

#include <algorithm>
#include <unordered_map>

#include "stages.h"

namespace mim::plug::mil {

namespace {

using Exprs = std::vector<Expr*>;

class Lowering {
public:
    explicit Lowering(Source& source)
        : source_(source)
        , p_(source.program)
        , b_(p_)
        , first_(static_cast<std::ptrdiff_t>(p_.order.size())) {}

    void file(File&);
    void finish();

private:
    /// The place that the value of an expression goes to.
    struct Goal {
        uint32_t join = kNone; ///< this block takes it; none: it is returned
        bool runs     = false; ///< what the expression, a `Proc`, returns when it is run
    };

    void declare(Bind*);
    void define(Bind*);
    void claim(Bind*);
    void top_value(Bind*);
    void body(uint32_t block, Expr*, bool runs);
    void groups(const std::vector<std::vector<Bind*>>&);
    std::vector<uint32_t> parameters(const Expr* lambda);
    Tail thunk(const std::string& base, uint32_t runs, const std::vector<uint32_t>& params, Span);

    Atom value(Expr*);
    Atom value(Expr* e, const std::string& name);
    Tail compute(Expr*);
    Tail run(Expr*);
    Tail name(Expr*);
    Tail spine(Expr*, bool runs);
    Tail first(Expr* head);
    /// A call that enters no closure.
    struct Known {
        Tail call;
        size_t used;  ///< how many of the arguments are its own
        bool was_run; ///< it is what the `Proc` returns
    };
    std::optional<Known> known_call(Expr* head, const Exprs& arguments, bool runs);
    Tail primitive(uint32_t primitive, Atoms, Span);
    Tail enter(Atom f, Expr* argument, Span);
    Tail run_value(Atom procedure, Span);
    uint32_t wrapper(uint32_t index, bool is_con, Span);
    Tail lambda(Expr*);
    Tail procedure(Expr*);
    Tail record(Expr*);
    Tail field(Expr*);
    Tail update(Expr*);
    Tail make(const Expr*, Atoms fields);
    Atom layout(Expr*);

    void into(Expr*, Goal);
    void finish(Tail, Goal);
    void choice(Expr* condition, Expr* yes, Expr* no, Goal);
    void constant(uint32_t con, Goal, Span);
    void cases(Expr*, Goal);
    uint32_t alternative(Alternative&, Atom subject, Goal);
    void fatbar(Expr*, Goal);
    void steps(Expr*, Goal);
    Atom joined(Expr*, bool runs);
    bool splits(const Expr*) const;

    /// Of the names of parts of a definition; an operator makes no such name.
    std::string part(const std::string& what) const { return (front::is_letter(base_[0]) ? base_ : "op") + what; }
    uint32_t block(const std::string& what, Span at) { return b_.block(part(what), {}, at); }
    uint32_t variable_of(Bind* b) { return b->variable = p_.variable(b->name); }

    Source& source_;
    Program& p_;
    CodeBuilder b_;
    std::ptrdiff_t first_;   ///< of the definitions that are made here
    std::string base_;       ///< of the names of blocks: the definition around
    uint32_t abort_ = kNone; ///< goes on where a match fails
    std::unordered_map<uint32_t, uint32_t> primitive_tops_, con_tops_;
};

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
    if (bind->is_top && bind->signature) claim(bind);
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
        if (target != kNone) p_.blocks[target].typing = {{bind->scheme.variables, type}, nullptr, false, true};
    };
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
    p_.tops[bind->top].tail = tail(Tail::Block, init, {}, bind->at);
}

void Lowering::groups(const std::vector<std::vector<Bind*>>& all) {
    for (auto& group : all) {
        for (auto bind : group) declare(bind);
        for (auto bind : group) {
            define(bind);
            bool is_value = bind->block == kNone && bind->runs == kNone;
            if (!is_value) continue;
            auto abort     = std::exchange(abort_, kNone);
            auto a         = value(bind->value, bind->name);
            abort_         = abort;
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

/// Function values go first: what other definitions compute may need them.
void Lowering::finish() {
    auto computes = [&](const Program::Entry& e) { return e.kind == Program::TopKind && p_.tops[e.index].block == kNone; };
    std::stable_partition(p_.order.begin() + first_, p_.order.end(), [&](auto& e) { return !computes(e); });
    b_.capture();
}

// ---- values
// -----------------------------------------------------------------------------------------------------------------

/// Whether control splits in it, so that its value is a parameter of a join block.
bool Lowering::splits(const Expr* e) const {
    switch (e->kind) {
        case Expr::If:
        case Expr::And:
        case Expr::Or:
        case Expr::Case:
        case Expr::Fatbar: return true;
        case Expr::Let:
        case Expr::Typed: return splits(e->parts[0]);
        default: return false;
    }
}

Atom Lowering::joined(Expr* e, bool runs) {
    auto r     = p_.variable("r");
    auto join  = block("_j", e->at);
    auto abort = std::exchange(abort_, kNone);

    p_.blocks[join].params = {r};
    into(e, {join, runs});
    b_.at  = join;
    abort_ = abort;
    return variable(r);
}

Atom Lowering::value(Expr* e) { return value(e, "t"); }
Atom Lowering::value(Expr* e, const std::string& name) { return splits(e) ? joined(e, false) : b_.emit(compute(e), name); }

Tail Lowering::compute(Expr* e) {
    auto result = [&](Atom a) { return tail(Tail::Return, kNone, {a}, e->at); };
    switch (e->kind) {
        case Expr::Name: return name(e);
        case Expr::Word: return result({Atom::Word, e->word});
        case Expr::Bits: return result(bits_atom(p_.word_bits, e->word, e->index));
        case Expr::Record: return record(e);
        case Expr::Field: return field(e);
        case Expr::Update: return update(e);
        case Expr::Text: return result({Atom::Text, add(p_.texts, e->name)});
        case Expr::Con:
        case Expr::Apply: return spine(e, false);
        case Expr::Lambda: return lambda(e);
        case Expr::Do: return procedure(e);
        case Expr::Let: groups(e->groups); return splits(e->parts[0]) ? result(joined(e->parts[0], false)) : compute(e->parts[0]);
        case Expr::Typed: return splits(e->parts[0]) ? result(joined(e->parts[0], false)) : compute(e->parts[0]);
        default: return result(joined(e, false));
    }
}

Tail Lowering::name(Expr* e) {
    auto bind   = e->bind;
    auto result = [&](Atom a) { return tail(Tail::Return, kNone, {a}, e->at); };
    if (bind->variable != kNone) return result(variable(bind->variable));
    if (bind->primitive != kNone) return result({Atom::Top, wrapper(bind->primitive, false, e->at)});
    if (bind->top != kNone) return result({Atom::Top, bind->top});
    if (bind->is_top) { // a function that is a value for the first time
        auto around = std::exchange(b_.at, b_.block(bind->name, {}, bind->at));
        b_.finish(b_.function(bind->name, bind->block, bind->params, bind->at));
        bind->top = b_.top(bind->name, tail(Tail::Block, b_.at, {}, bind->at), bind->at);
        b_.at     = around;

        p_.tops[bind->top].block = bind->block;
        return result({Atom::Top, bind->top});
    }
    bool is_call = bind->arity == 0;
    return is_call ? tail(Tail::Block, bind->block, {}, e->at) : b_.function(bind->name, bind->block, bind->params, e->at);
}

/// The function value of a primitive or a constructor.
uint32_t Lowering::wrapper(uint32_t index, bool is_con, Span at) {
    auto& known = is_con ? con_tops_ : primitive_tops_;
    if (auto found = known.find(index); found != known.end()) return found->second;
    auto name  = is_con ? p_.cons[index].name : p_.primitives[index].name;
    auto base  = is_con ? "make" + name : name;
    auto arity = is_con ? p_.cons[index].types.size() : p_.primitives[index].domain.size();
    std::vector<uint32_t> params;
    Atoms args;
    for (size_t i = 0; i != arity; ++i) {
        params.push_back(p_.variable("x" + std::to_string(i)));
        args.push_back(variable(params.back()));
    }
    bool runs   = !is_con && p_.primitives[index].form == Primitive::Procedure;
    auto around = b_.at;
    auto call   = b_.block(base, params, at);
    b_.at       = call;
    b_.finish(is_con ? tail(Tail::Build, index, args, at) : primitive(index, args, at));
    if (runs) {
        auto outer = b_.block(base, params, at);
        b_.at      = outer;
        b_.finish(thunk(base, call, params, at));
        call = outer;
    }
    auto target = call;
    if (arity != 0) {
        target = b_.block(base, {}, at);
        b_.at  = target;
        b_.finish(b_.function(base, call, params, at));
    }
    b_.at      = around;
    auto value = b_.top(base, tail(Tail::Block, target, {}, at), at);

    p_.tops[value].block = call;
    return known[index]  = value;
}

Tail Lowering::lambda(Expr* e) {
    auto params = parameters(e);
    auto target = b_.block(part("_f"), params, e->at);
    body(target, e->parts[0], false);
    return b_.function(part("_f"), target, params, e->at);
}

Tail Lowering::procedure(Expr* e) {
    auto target = b_.block(part("_do"), {}, e->at);
    body(target, e, true);
    return thunk(part("_do"), target, {}, e->at);
}

// ---- fields
// ----------------------------------------------------------------------------------------------------------------

/// The value of a constructor of `bitdata` with these fields.
Tail Lowering::make(const Expr* e, Atoms all) {
    if (e->layout == kNone) return tail(Tail::Build, e->con, {}, e->at);
    auto fields = tail(Tail::Build, e->layout, std::move(all), e->at);
    return e->con == kNone ? fields : tail(Tail::Build, e->con, {b_.emit(std::move(fields), "l")}, e->at);
}

/// The fields of the value that the expression is about.
Atom Lowering::layout(Expr* e) {
    auto whole = value(e->parts[0]);
    return e->con == kNone ? whole : b_.emit(Tail{Tail::Select, e->con, 0, {whole}, e->at}, "l");
}

Tail Lowering::record(Expr* e) {
    Atoms all(e->given.size());
    for (size_t i = 0; i != e->given.size(); ++i) all[e->given[i].index] = value(e->parts[i]);
    return make(e, std::move(all));
}

Tail Lowering::field(Expr* e) { return {Tail::Select, e->layout, e->given[0].index, {layout(e)}, e->at}; }

Tail Lowering::update(Expr* e) {
    auto from = layout(e);
    Atoms all(p_.cons[e->layout].types.size());
    std::vector<bool> is_new(all.size());
    for (size_t i = 0; i != e->given.size(); ++i) {
        all[e->given[i].index]    = value(e->parts[i + 1]);
        is_new[e->given[i].index] = true;
    }
    for (uint32_t i = 0; i != all.size(); ++i)
        if (!is_new[i]) all[i] = b_.emit(Tail{Tail::Select, e->layout, i, {from}, e->at}, "x");
    return make(e, std::move(all));
}

Tail Lowering::enter(Atom f, Expr* argument, Span at) {
    auto a = value(argument);
    Tail select{Tail::Select, p_.func, 0, {f}, at};
    auto g = b_.emit(std::move(select), "g");
    return tail(Tail::Enter, kNone, {g, a}, at);
}

Tail Lowering::run_value(Atom procedure, Span at) {
    Tail select{Tail::Select, p_.proc, 0, {procedure}, at};
    return tail(Tail::Enter, kNone, {b_.emit(std::move(select), "g")}, at);
}

/// In LC, what returns nothing returns `Unit`.
Tail Lowering::primitive(uint32_t index, Atoms args, Span at) {
    auto call    = tail(Tail::Primitive, index, std::move(args), at);
    bool is_open = p_.primitives[index].any_range != nullptr;
    call.results = is_open ? 1 : static_cast<uint32_t>(p_.primitives[index].range.size());
    if (call.results == 1) return call;
    b_.discard(std::move(call));
    return tail(Tail::Build, p_.unit, {}, at);
}

std::optional<Lowering::Known> Lowering::known_call(Expr* head, const Exprs& arguments, bool runs) {
    auto values = [&](size_t size) {
        Atoms args;
        for (size_t i = 0; i != size; ++i) args.push_back(value(arguments[i]));
        return args;
    };
    if (head->kind == Expr::Con) {
        auto size = p_.cons[head->con].types.size();
        if (arguments.size() < size) return {};
        return Known{tail(Tail::Build, head->con, values(size), head->at), size, false};
    }
    auto bind = head->kind == Expr::Name ? head->bind : nullptr;
    if (!bind || bind->variable != kNone) return {};
    if (bind->primitive != kNone) {
        auto& prim     = p_.primitives[bind->primitive];
        auto size      = prim.domain.size();
        bool runs_it   = prim.form == Primitive::Procedure;
        bool is_itself = runs_it ? runs && arguments.size() == size : arguments.size() >= size && size != 0;
        if (!is_itself) return {};
        return Known{primitive(bind->primitive, values(size), head->at), size, runs_it};
    }
    auto size    = bind->arity;
    bool runs_it = runs && arguments.size() == size && bind->runs != kNone;
    auto target  = runs_it ? bind->runs : bind->block;
    if (target == kNone || arguments.size() < size) return {};
    return Known{tail(Tail::Block, target, values(size), head->at), size, runs_it};
}

/// A function and its arguments.
Tail Lowering::spine(Expr* e, bool runs) {
    Exprs arguments;
    auto head = e;
    for (; head->kind == Expr::Apply; head = head->parts[0]) arguments.push_back(head->parts[1]);
    std::reverse(arguments.begin(), arguments.end());
    auto known  = known_call(head, arguments, runs);
    auto result = known ? std::move(known->call) : first(head);
    for (size_t i = known ? known->used : 0; i != arguments.size(); ++i) {
        auto f = b_.emit(std::move(result), "f");
        result = enter(f, arguments[i], e->at);
    }
    bool was_run = known && known->was_run;
    return runs && !was_run ? run_value(b_.emit(std::move(result), "p"), e->at) : result;
}

/// The value of what is applied.
Tail Lowering::first(Expr* head) {
    if (head->kind == Expr::Name) return name(head);
    auto f = head->kind == Expr::Con ? Atom{Atom::Top, wrapper(head->con, true, head->at)} : value(head);
    return tail(Tail::Return, kNone, {f}, head->at);
}

Tail Lowering::run(Expr* e) {
    if (splits(e)) return tail(Tail::Return, kNone, {joined(e, true)}, e->at);
    switch (e->kind) {
        case Expr::Name:
        case Expr::Apply: return spine(e, true);
        case Expr::Do:
        case Expr::Let: return tail(Tail::Return, kNone, {joined(e, true)}, e->at);
        case Expr::Typed: return run(e->parts[0]);
        default: return run_value(value(e), e->at);
    }
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
        case Expr::Typed: return into(e->parts[0], goal);
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

} // namespace

void lower(Source& source) {
    Lowering lowering(source);
    for (auto& file : source.files) lowering.file(*file);
    lowering.finish();
}

} // namespace mim::plug::mil
