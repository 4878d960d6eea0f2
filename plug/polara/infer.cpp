// SPDX-License-Identifier: MIT
// Expressions: from the parts to the whole.
#include <algorithm>
#include <optional>
#include <string>

#include "front/scanner.h"
#include "infer.h"
#include "polara/diagnostics.h"

namespace mim::plug::polara {

using ainf::Op;

struct ConstantRow {
    std::string_view name;
    Op op;
    uint64_t num_args;
};
static constexpr ConstantRow kConstants[] = {
    {"exp", Op::Exp, 1}, {"log", Op::Log, 1},  {"sqrt", Op::Sqrt, 1}, {"normCdf", Op::NormCdf, 1}, {"max", Op::FltMax, 2},
    {"i2n", Op::Val, 1}, {"n2f", Op::Real, 1}, {"sum", Op::Sum, 1},   {"ite", Op::Ite, 3},
};

static const ConstantRow* find_constant(std::string_view name) {
    for (auto& row : kConstants)
        if (row.name == name) return &row;
    return nullptr;
}

Because Inference::because_of(const Expr* e) {
    if (e->local) return {e->local->span, e->local->name, e->local->type};
    if (e->def) return {e->def->name_span, e->def->name, e->def->type};
    return e->head ? because_of(e->head) : Because{};
}

/// Whether the expression has this type; reports if it has not.
bool Inference::expect(const Expr* e, Type* expected, const Because& because) {
    auto found   = types_.text(e->type);
    auto wanted  = types_.text(expected);
    auto waiting = types_.num_waiting();
    bool is_same = types_.unify(e->type, expected);
    bool is_late = is_same && types_.num_waiting() != waiting;
    if (is_late) late_.push_back({e, expected, because});
    if (is_same) return true;
    auto& d = report(diag::mismatch(found, wanted), e->span);
    note(d, because);
    auto function = because.type ? types_.resolve(because.type) : nullptr;
    bool has_more = function && function->kind == Type::Fun && types_.resolve(function->second)->kind == Type::Fun;
    if (e->kind == Expr::Pair && has_more && types_.resolve(expected)->kind != Type::Pair) d.note(diag::passes_pair, e->span);
    return false;
}

void Inference::note(Diagnostic& d, const Because& because) {
    if (because.type && because.name != "_")
        d.note(diag::typed_here, because.span, {std::string(because.name), types_.text(because.type)});
}

Type* Inference::infer(Expr* e) {
    e->type       = infer_kind(e);
    bool has_head = e->kind == Expr::Apply || e->kind == Expr::Get || e->kind == Expr::First || e->kind == Expr::Second;
    if (has_head) e->head = e->parts[0]->head ? e->parts[0]->head : e->parts[0];
    return e->type;
}

/// Where the expected type says what parts are, the error is at the part that is something else.
void Inference::check(Expr* e, Type* expected, const Because& because) {
    if (check_parts(e, expected, because)) {
        e->type = expected;
        return;
    }
    infer(e);
    expect(e, expected, because);
}

/// Whether the parts are all there is to check.
bool Inference::check_parts(Expr* e, Type* expected, const Because& because) {
    auto type = types_.resolve(expected);
    switch (e->kind) {
        case Expr::Let: let(e, expected, because); return true;
        case Expr::If:
            condition(e->parts[0]);
            check(e->parts[1], expected, because);
            check(e->parts[2], expected, because);
            return true;
        case Expr::Pair:
            if (type->kind != Type::Pair) return false;
            check(e->parts[0], type->first, because);
            check(e->parts[1], type->second, because);
            return true;
        case Expr::For:
            if (type->kind != Type::Array || e->binder->type) return false;
            e->binder->type = types_.fin(type->size);
            break;
        case Expr::Fun:
            if (type->kind != Type::Fun || e->binder->type) return false;
            e->binder->type = type->first;
            break;
        default: return false;
    }
    bind(e->binder);
    check(e->parts[0], e->kind == Expr::For ? type->first : type->second, because);
    scope_.shrink(scope_.size() - 1);
    return true;
}

Type* Inference::infer_kind(Expr* e) {
    switch (e->kind) {
        case Expr::Name: return name(e);
        case Expr::Integer: return number(e);
        case Expr::Float: return types_.flt();
        case Expr::Bool: return types_.boolean();
        case Expr::Fun:
        case Expr::For: return binder(e);
        case Expr::Fold:
        case Expr::Scan: return fold(e);
        case Expr::If: return choice(e->parts[0], e->parts[1], e->parts[2]);
        case Expr::Let: return let(e);
        case Expr::Infix: return infix(e);
        case Expr::Apply: return apply(e);
        case Expr::Get: return element(e);
        case Expr::Pair: {
            auto first = infer(e->parts[0]);
            return types_.pair(first, infer(e->parts[1]));
        }
        case Expr::First:
        case Expr::Second: return projection(e);
        case Expr::Broken: break;
    }
    return types_.broken();
}

Type* Inference::name(Expr* e) {
    if (!e->local && e->text != "_") e->local = scope_.get(e->text);
    if (e->local) return e->local->type;
    if (auto def = defs_.find(e->text); def != defs_.end()) return use_of(e, *def->second);
    if (auto row = find_constant(e->text)) {
        report(diag::arguments(std::string(row->name), 0, row->num_args), e->span);
        return types_.broken();
    }
    return unknown(e);
}

Type* Inference::unknown(const Expr* e) {
    std::string why = "no definition and no binder has this name";
    for (auto& def : program_.defs) {
        if (def.name != e->text) continue;
        why = &def == current_ ? "a definition does not use itself" : "its definition is further below";
    }
    for (auto& size : current_->sizes)
        if (size.name == e->text) why = "it is a size; `for` and the length of an array use it";
    report(diag::not_bound(std::string(e->text), why), e->span);
    return types_.broken();
}

/// Each use of a definition has sizes of its own.
Type* Inference::use_of(Expr* e, Def& def) {
    e->def = &def;
    uses_.push_back(e);
    std::map<Polynomial::Var, Polynomial> sizes;
    for (auto& size : def.sizes) {
        e->def_sizes.push_back(types_.size_meta());
        sizes.emplace(size.var, e->def_sizes.back());
    }
    return types_.instantiate(def.type, sizes);
}

Type* Inference::number(Expr* e) {
    numbers_.push_back(e);
    auto type = types_.meta();
    types_.wait(type, e);
    return type;
}

/// Of a function or a loop.
Type* Inference::binder(Expr* e) {
    bool is_loop = e->kind == Expr::For;
    auto& type   = e->binder->type;
    if (!type) type = is_loop ? types_.fin(types_.size_meta()) : types_.meta();
    bind(e->binder);
    auto body = infer(e->parts[0]);
    scope_.shrink(scope_.size() - 1);
    return is_loop ? types_.array(type->size, body) : types_.fun(type, body);
}

Type* Inference::fold(Expr* e) {
    auto value      = infer(e->parts[0]);
    e->binder->type = value;
    if (!e->index->type) e->index->type = types_.fin(types_.size_meta());
    bind(e->binder);
    bind(e->index);
    check(e->parts[1], value, {e->binder->span, e->binder->name, value});
    scope_.shrink(scope_.size() - 2);
    return e->kind == Expr::Fold ? value : types_.array(e->index->type->size, value);
}

/// A condition is a number, of any type but `flt`.
void Inference::condition(Expr* e) {
    infer(e);
    operands_.push_back({e, "a condition", true, false, e->type});
}

Type* Inference::choice(Expr* c, Expr* holds, Expr* fails) {
    condition(c);
    auto type = infer(holds);
    check(fails, type, because_of(holds));
    return type;
}

/// In a loop, since there may be many.
Type* Inference::let(Expr* e, Type* expected, const Because& because) {
    auto depth = scope_.size();
    auto inner = e;
    for (; inner->kind == Expr::Let; inner = inner->parts[1]) {
        auto binder = inner->binder;
        if (binder->type) check(inner->parts[0], binder->type, {binder->span, binder->name, binder->type});
        else binder->type = infer(inner->parts[0]);
        bind(binder);
    }
    if (expected) check(inner, expected, because);
    else infer(inner);
    for (auto outer = e; outer != inner; outer = outer->parts[1]) outer->type = inner->type;
    scope_.shrink(depth);
    return inner->type;
}

Type* Inference::infix(Expr* e) {
    auto left = infer(e->parts[0]);
    infer(e->parts[1]);
    if (e->text == "<" || e->text == "==") {
        expect(e->parts[1], left, because_of(e->parts[0]));
        operands_.push_back({e->parts[0], "a comparison", true, true, left});
        return types_.boolean();
    }
    e->type = types_.meta();
    if (!settle(e)) {
        infixes_.push_back(e);
        for (auto type : {left, e->parts[1]->type, e->type}) types_.wait(type, e);
    }
    settle_woken();
    return e->type;
}

/// In a loop, since there may be many arguments. A constant takes its own first.
Type* Inference::apply(Expr* e) {
    std::vector<Expr*> calls;
    auto head = e;
    for (; head->kind == Expr::Apply; head = head->parts[0]) calls.push_back(head);
    std::ranges::reverse(calls);
    bool is_name = head->kind == Expr::Name && !head->local && !scope_.find(head->text) && !defs_.contains(head->text);
    auto row     = is_name ? find_constant(head->text) : nullptr;
    auto own     = row ? std::min<size_t>(row->num_args, calls.size()) : 0;
    auto type    = row ? constant_call(calls[own - 1], *row, {calls.begin(), calls.begin() + static_cast<std::ptrdiff_t>(own)})
                       : infer(head);
    auto because = because_of(head);
    if (row) calls[own - 1]->type = type;
    for (size_t i = own; i != calls.size(); ++i) calls[i]->type = type = call(type, calls[i]->parts[1], because);
    return type;
}

Type* Inference::call(Type* f, Expr* arg, const Because& because) {
    infer(arg);
    f = as_kind(f, Type::Fun, "function that takes one more argument", arg->span, because);
    if (f->kind == Type::Broken) return f;
    return expect(arg, f->first, because) ? f->second : types_.broken();
}

Type* Inference::constant_call(Expr* e, const ConstantRow& row, const std::vector<Expr*>& calls) {
    std::vector<Expr*> args;
    for (auto call : calls) args.push_back(call->parts[1]);
    if (args.size() < row.num_args) {
        for (auto arg : args) infer(arg);
        report(diag::arguments(std::string(row.name), args.size(), row.num_args), e->span);
        return types_.broken();
    }
    e->constant = row.op;
    if (row.op == Op::Ite) return choice(args[0], args[1], args[2]);
    for (auto arg : args) infer(arg);
    switch (row.op) {
        case Op::Val: {
            auto index = types_.fin(types_.size_meta());
            expect(args[0], index);
            return types_.nat();
        }
        case Op::Real: expect(args[0], types_.nat()); return types_.flt();
        case Op::Sum: {
            auto elem = types_.meta();
            if (!expect(args[0], types_.array(types_.size_meta(), elem))) return types_.broken();
            auto summand = args[0]->kind == Expr::For ? args[0]->parts[0] : args[0];
            operands_.push_back({summand, "a sum", false, true, elem});
            return elem;
        }
        default: break;
    }
    for (auto arg : args) expect(arg, types_.flt());
    return types_.flt();
}

/// The type as one of this kind, whose parts may not be known yet; reports if it is something else.
Type* Inference::as_kind(Type* t, Type::Kind kind, std::string what, Span span, const Because& because) {
    t = types_.resolve(t);
    if (t->kind == Type::Meta) types_.unify(t, types_.open(kind));
    t = types_.resolve(t);
    if (t->kind == kind || t->kind == Type::Broken) return t;
    note(report(diag::not_a(types_.text(t), std::move(what)), span), because);
    return types_.broken();
}

Type* Inference::element(Expr* e) {
    auto array = infer(e->parts[0]);
    infer(e->parts[1]);
    array = as_kind(array, Type::Array, "array", e->parts[0]->span, because_of(e->parts[0]));
    if (array->kind == Type::Broken) return array;
    expect(e->parts[1], types_.fin(array->size), because_of(e->parts[0]));
    return array->first;
}

Type* Inference::projection(Expr* e) {
    auto pair = infer(e->parts[0]);
    pair      = as_kind(pair, Type::Pair, "pair", e->parts[0]->span, because_of(e->parts[0]));
    if (pair->kind == Type::Broken) return pair;
    return e->kind == Expr::First ? pair->first : pair->second;
}

} // namespace mim::plug::polara
