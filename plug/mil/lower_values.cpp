// SPDX-License-Identifier: MIT
// Expressions that have their value where they stand: names, applications, functions, fields.
#include <algorithm>

#include "lowering.h"

namespace mim::plug::mil {

using Exprs = std::vector<Expr*>;

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
        case Expr::Proxy: return result({Atom::Proxy, e->word});
        case Expr::Label: return result({Atom::Label, p_.label(e->name)});
        case Expr::Area: return tail(Tail::Primitive, area_primitive(), {{Atom::Word, e->word}, {Atom::Word, e->index}}, e->at);
        case Expr::Same: return tail(Tail::Primitive, source_.generators->primitives.at("primAs"), {value(e->parts[0])}, e->at);
        case Expr::Record: return record(e);
        case Expr::Initializer: return initializer(e);
        case Expr::Field: return field(e);
        case Expr::Reference: return tail(Tail::Block, reference(e->index, e->given[0].index), {value(e->parts[0])}, e->at);
        case Expr::Update: return update(e);
        case Expr::Text: return result({Atom::Text, add(p_.texts, e->name)});
        case Expr::Con:
        case Expr::Apply: return spine(e, false);
        case Expr::Lambda: return lambda(e);
        case Expr::Do: return procedure(e);
        case Expr::Let: groups(e->groups); return splits(e->parts[0]) ? result(joined(e->parts[0], false)) : compute(e->parts[0]);
        case Expr::Typed:
            if (pins_) return pinned(e->parts[0], e->bind->scheme, false);
            return splits(e->parts[0]) ? result(joined(e->parts[0], false)) : compute(e->parts[0]);
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

uint32_t Lowering::area_primitive() const { return source_.generators->primitives.at("primArea"); }

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
        case Expr::Typed: return pins_ ? pinned(e->parts[0], e->bind->scheme, true) : run(e->parts[0]);
        default: return run_value(value(e), e->at);
    }
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

/// The block that goes from a reference to a `struct` to one of a field.
uint32_t Lowering::reference(uint32_t data, uint32_t part) {
    auto [known, is_new] = references_.emplace(std::pair(data, part), kNone);
    if (!is_new) return known->second;
    auto& types = source_.types;
    auto& of    = p_.datas[data];
    auto& field = of.parts[part];
    auto r      = p_.variable("r");
    auto offset = source_.generators->primitives.at("primOffset");
    auto to     = [&](Type* area) { return types.tuple({types.apply(types.con("Ref"), area)}); };
    auto type   = types.apply(types.con(">>="), {to(of.type), to(field.area)});
    auto target = b_.block(field.name + "'" + of.name, {r}, field.at);
    auto around = std::exchange(b_.at, target);
    b_.finish(tail(Tail::Primitive, offset, {variable(r), {Atom::Word, field.offset}}, field.at));
    b_.at                    = around;
    p_.blocks[target].typing = {{{}, type}, nullptr, true};
    return known->second     = target;
}

/// Runs the initializers of fields in the order of the fields.
Tail Lowering::initializer(Expr* e) {
    std::map<uint32_t, Atom> values;
    for (size_t i = 0; i != e->given.size(); ++i) values[e->given[i].index] = value(e->parts[i]);
    auto r      = p_.variable("r");
    auto target = b_.block(part("_init"), {r}, e->at);
    auto around = std::exchange(b_.at, target);
    for (auto& [index, initial] : values) {
        auto k     = b_.emit(Tail{Tail::Select, p_.init, 0, {initial}, e->at}, "k");
        auto place = b_.emit(tail(Tail::Block, reference(e->index, index), {variable(r)}, e->at), "r");
        b_.discard(tail(Tail::Enter, kNone, {k, place}, e->at));
    }
    b_.finish(tail(Tail::Build, p_.unit, {}, e->at));
    b_.at      = around;
    auto whole = p_.variable("r");
    auto code  = b_.closure(part("_init"), {whole}, tail(Tail::Block, target, {variable(whole)}, e->at), e->at);
    auto c     = b_.emit(tail(Tail::Closure, code, {}, e->at), "k");
    return tail(Tail::Build, p_.init, {c}, e->at);
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

} // namespace mim::plug::mil
