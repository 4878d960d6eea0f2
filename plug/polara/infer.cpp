// SPDX-License-Identifier: MIT
// Types and sizes by unification. A number without a point, and the operands of an operator, may be of several types:
// what their context does not say by the end of a definition is decided then.
#include <algorithm>
#include <optional>
#include <string>

#include "front/scanner.h"
#include "polara.h"
#include "polara/diagnostics.h"
#include "polara/types.h"

namespace mim::plug::polara {

namespace {

struct ConstantRow {
    std::string_view name;
    Constant constant;
    uint64_t num_args;
};
constexpr ConstantRow kConstants[] = {
    {"exp", Constant::Exp, 1},         {"log", Constant::Log, 1}, {"sqrt", Constant::Sqrt, 1},
    {"normCdf", Constant::NormCdf, 1}, {"max", Constant::Max, 2}, {"i2n", Constant::I2n, 1},
    {"n2f", Constant::N2f, 1},         {"sum", Constant::Sum, 1}, {"ite", Constant::Ite, 3},
};

const ConstantRow* find_constant(std::string_view name) {
    for (auto& row : kConstants)
        if (row.name == name) return &row;
    return nullptr;
}

/// The origin of the expectation of a type.
struct Because {
    Span span             = {};
    std::string_view name = {};
    Type* type            = nullptr;
};

class Inference {
public:
    Inference(FrontEndContext& c, Program& program, Types& types)
        : c_(c)
        , program_(program)
        , types_(types) {}

    bool run() {
        for (auto& def : program_.defs) definition(def);
        return c_.diags.num_errors() == 0;
    }

private:
    void definition(Def&);
    void sizes_of(Def&);
    void check_outside(const Def&);
    void finish();
    void decide();
    bool settle_infixes(bool is_last);
    bool default_numbers();
    void check_numbers();
    void check_binders();
    void check_uses();
    void check_size(const Polynomial&, Span);
    void check_sizes(Type*, Span);
    void check_later(size_t errors);

    Type* type_of(const TypeExpr*);
    Polynomial size_of(const SizeExpr*);
    Polynomial read_size(const SizeExpr*);
    Polynomial number_size(const SizeExpr*);

    Type* infer(Expr*);
    Type* infer_kind(Expr*);
    Type* name(Expr*);
    Type* unknown(const Expr*);
    Type* use_of(Expr*, Def&);
    Type* number(Expr*);
    Type* function(Expr*);
    Type* loop(Expr*);
    Type* fold(Expr*);
    Type* choice(Expr*, Expr* condition, Expr* holds, Expr* fails);
    Type* let(Expr*);
    Type* infix(Expr*);
    Type* apply(Expr*);
    Type* call(Expr*, Type* f, Expr* arg);
    Type* constant_call(Expr*, const ConstantRow&, std::vector<Expr*> args);
    Type* element(Expr*);
    Type* projection(Expr*);
    void condition(Expr*);

    bool expect(const Expr*, Type* expected, const Because& = {});
    Because because_of(const Expr*);
    template<class Diagnosis>
    Diagnostic& report(const Diagnosis& d, Span span) {
        return c_.diags.report(d, span);
    }
    const Local* find_local(std::string_view) const;
    void bind(Local* local) {
        binders_.push_back(local);
        scope_.push_back(local);
    }

    FrontEndContext& c_;
    Program& program_;
    Types& types_;
    Def* current_ = nullptr;
    std::vector<const Local*> scope_;
    std::vector<Local*> binders_; ///< of the definition
    std::vector<Expr*> numbers_;  ///< without a point
    std::vector<Expr*> infixes_;  ///< whose types are not decided
    struct Operand {
        Expr* expr;
        std::string_view what;
        bool may_be_index, may_be_float;
        Type* type;
    };
    std::vector<Operand> operands_; ///< whose types are restricted
    std::vector<const Expr*> uses_; ///< of definitions
    std::vector<const Expr*> sums_; ///< of indices
};

// ---- definitions

void Inference::sizes_of(Def& def) {
    for (auto& size : def.sizes) size.var = types_.size_name(size.name);
}

void Inference::definition(Def& def) {
    auto same = [&](auto& other) { return &other != &def && other.type && other.name == def.name; };
    auto twin = std::ranges::find_if(program_.defs, same);
    if (twin != program_.defs.end())
        report(diag::defined(std::string(def.name)), def.name_span).note(diag::defined_here, twin->name_span);
    auto errors = c_.diags.num_errors();
    current_    = &def;
    scope_.clear(), binders_.clear(), numbers_.clear(), infixes_.clear(), operands_.clear(), uses_.clear(), sums_.clear();
    sizes_of(def);
    for (auto parameter : def.parameters) {
        parameter->type = type_of(parameter->declared);
        bind(parameter);
    }
    auto body = infer(def.body);
    if (def.result) {
        auto result = type_of(def.result);
        expect(def.body, result, {def.name_span, def.name, result});
        body = result;
    }
    decide();
    check_later(errors);
    for (size_t i = def.parameters.size(); i-- != 0;) body = types_.fun(def.parameters[i]->type, body);
    def.type = body;
    check_outside(def);
}

/// The sizes of `main` come from its arguments.
void Inference::check_outside(const Def& def) {
    bool is_main = def.name == "main";
    if (!is_main && !def.is_extern) return;
    auto has_function = [&](auto& self, Type* t) -> bool {
        t = types_.resolve(t);
        return t->kind == Type::Fun || (t->first && self(self, t->first)) || (t->second && self(self, t->second));
    };
    auto fail = [&](Span span, std::string why) { report(diag::bad_main(std::string(def.name), std::move(why)), span); };
    for (auto parameter : def.parameters) {
        if (has_function(has_function, parameter->type))
            fail(parameter->span, "`" + std::string(parameter->name) + "` has a function");
    }
    if (is_main) {
        auto mentions = [&](auto& self, Type* t, Polynomial::Var x) -> bool {
            t = types_.resolve(t);
            return t->size.occurs(x) || (t->first && self(self, t->first, x)) || (t->second && self(self, t->second, x));
        };
        for (auto& size : def.sizes) {
            auto by = [&](auto parameter) { return mentions(mentions, parameter->type, size.var); };
            if (std::ranges::none_of(def.parameters, by))
                fail(size.span, "no argument determines `" + std::string(size.name) + "`");
        }
    }
}

// ---- types as they are written

Polynomial Inference::number_size(const SizeExpr* s) {
    auto n = front::integer_value(s->text);
    if (n) return Polynomial::number(static_cast<Polynomial::Number>(*n));
    report(diag::bad_size(std::string(s->text), "it is 2^64 or more"), s->span);
    return Polynomial::number(0);
}

Polynomial Inference::read_size(const SizeExpr* s) {
    switch (s->kind) {
        case SizeExpr::Number: return number_size(s);
        case SizeExpr::Name: {
            for (auto& size : current_->sizes)
                if (size.name == s->text) return Polynomial::variable(size.var);
            report(diag::not_bound(std::string(s->text), "sizes are numbers and the names in the braces of the definition"),
                   s->span);
            return types_.size_meta();
        }
        case SizeExpr::Add: return read_size(s->left) + read_size(s->right);
        case SizeExpr::Sub: return read_size(s->left) - read_size(s->right);
        case SizeExpr::Mul: return read_size(s->left) * read_size(s->right);
        case SizeExpr::Broken: break;
    }
    return types_.size_meta();
}

Polynomial Inference::size_of(const SizeExpr* s) {
    auto size  = read_size(s);
    auto value = size.value();
    auto text  = std::string(c_.text.substr(s->span.begin, s->span.end - s->span.begin));
    auto fail  = [&](const char* why) {
        report(diag::bad_size(text, why), s->span);
        return types_.size_meta();
    };
    if (size.is_overflown()) return fail("it is 2^64 or more");
    if (value && *value < 0) return fail("it is negative");
    if (value && (*value >> 64) != 0) return fail("it is 2^64 or more");
    return size;
}

Type* Inference::type_of(const TypeExpr* t) {
    switch (t->kind) {
        case TypeExpr::Nat: return types_.nat();
        case TypeExpr::Flt: return types_.flt();
        case TypeExpr::Bool: return types_.boolean();
        case TypeExpr::Fin: return types_.fin(size_of(t->size));
        case TypeExpr::Fun: {
            auto first = type_of(t->first);
            return types_.fun(first, type_of(t->second));
        }
        case TypeExpr::Pair: {
            auto first = type_of(t->first);
            return types_.pair(first, type_of(t->second));
        }
        case TypeExpr::Array: {
            auto size = size_of(t->size);
            return types_.array(size, type_of(t->first));
        }
        case TypeExpr::Broken: break;
    }
    return types_.broken();
}

// ---- expressions

Because Inference::because_of(const Expr* e) {
    if (e->local) return {e->local->span, e->local->name, e->local->type};
    if (e->def) return {e->def->name_span, e->def->name, e->def->type};
    bool has_head = e->kind == Expr::Apply || e->kind == Expr::Get || e->kind == Expr::First || e->kind == Expr::Second;
    return has_head ? because_of(e->parts[0]) : Because{};
}

/// Whether the expression has this type; reports if it has not.
bool Inference::expect(const Expr* e, Type* expected, const Because& because) {
    auto found  = types_.text(e->type);
    auto wanted = types_.text(expected);
    if (types_.unify(e->type, expected)) return true;
    auto& d = report(diag::mismatch(found, wanted), e->span);
    if (because.type) d.note(diag::typed_here, because.span, {std::string(because.name), types_.text(because.type)});
    return false;
}

Type* Inference::infer(Expr* e) {
    e->type = infer_kind(e);
    return e->type;
}

Type* Inference::infer_kind(Expr* e) {
    switch (e->kind) {
        case Expr::Name: return name(e);
        case Expr::Integer: return number(e);
        case Expr::Float: return types_.flt();
        case Expr::Bool: return types_.boolean();
        case Expr::Fun: return function(e);
        case Expr::For: return loop(e);
        case Expr::Fold:
        case Expr::Scan: return fold(e);
        case Expr::If: return choice(e, e->parts[0], e->parts[1], e->parts[2]);
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

const Local* Inference::find_local(std::string_view name) const {
    for (size_t i = scope_.size(); i-- != 0;)
        if (scope_[i]->name == name) return scope_[i];
    return nullptr;
}

Type* Inference::name(Expr* e) {
    if (!e->local && e->text != "_") e->local = find_local(e->text);
    if (e->local) return e->local->type;
    for (auto& def : program_.defs)
        if (def.name == e->text && def.type) return use_of(e, def);
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
    return types_.meta();
}

Type* Inference::function(Expr* e) {
    e->binder->type = e->binder->declared ? type_of(e->binder->declared) : types_.meta();
    bind(e->binder);
    auto body = infer(e->parts[0]);
    scope_.pop_back();
    return types_.fun(e->binder->type, body);
}

Type* Inference::loop(Expr* e) {
    auto size       = e->binder->extent ? size_of(e->binder->extent) : types_.size_meta();
    e->binder->type = types_.fin(size);
    bind(e->binder);
    auto body = infer(e->parts[0]);
    scope_.pop_back();
    return types_.array(size, body);
}

Type* Inference::fold(Expr* e) {
    auto value      = infer(e->parts[0]);
    auto size       = e->index->extent ? size_of(e->index->extent) : types_.size_meta();
    e->binder->type = value;
    e->index->type  = types_.fin(size);
    bind(e->binder);
    bind(e->index);
    infer(e->parts[1]);
    scope_.resize(scope_.size() - 2);
    expect(e->parts[1], value, {e->binder->span, e->binder->name, value});
    return e->kind == Expr::Fold ? value : types_.array(size, value);
}

/// A condition is a number, of any type but `flt`.
void Inference::condition(Expr* e) {
    infer(e);
    operands_.push_back({e, "a condition", true, false, e->type});
}

Type* Inference::choice(Expr*, Expr* c, Expr* holds, Expr* fails) {
    condition(c);
    auto type = infer(holds);
    infer(fails);
    expect(fails, type);
    return type;
}

/// In a loop, since there may be many.
Type* Inference::let(Expr* e) {
    auto depth  = scope_.size();
    Type* type  = nullptr;
    auto inner  = e;
    auto values = std::vector<Expr*>();
    for (; inner->kind == Expr::Let; inner = inner->parts[1]) {
        auto value          = inner->parts[0];
        inner->binder->type = infer(value);
        if (inner->binder->declared) {
            auto declared = type_of(inner->binder->declared);
            expect(value, declared, {inner->binder->span, inner->binder->name, declared});
            inner->binder->type = declared;
        }
        bind(inner->binder);
        values.push_back(inner);
    }
    type = infer(inner);
    for (auto outer : values) outer->type = type;
    scope_.resize(depth);
    return type;
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
    infixes_.push_back(e);
    settle_infixes(false);
    return e->type;
}

Type* Inference::apply(Expr* e) {
    std::vector<Expr*> args;
    auto head = e;
    for (; head->kind == Expr::Apply; head = head->parts[0]) args.push_back(head->parts[1]);
    std::ranges::reverse(args);
    bool is_name = head->kind == Expr::Name && !head->local && !find_local(head->text);
    auto is_def  = [&](auto& def) { return def.name == head->text && def.type; };
    is_name      = is_name && std::ranges::none_of(program_.defs, is_def);
    auto row     = is_name ? find_constant(head->text) : nullptr;
    if (row) return constant_call(e, *row, args);
    return call(e, infer(e->parts[0]), e->parts[1]);
}

Type* Inference::call(Expr* e, Type* f, Expr* arg) {
    infer(arg);
    f = types_.resolve(f);
    if (f->kind == Type::Meta) types_.unify(f, types_.fun(types_.meta(), types_.meta()));
    f = types_.resolve(f);
    if (f->kind == Type::Broken) return f;
    if (f->kind != Type::Fun) {
        auto& d = report(diag::not_a(types_.text(f), "function that takes one more argument"), arg->span);
        auto by = because_of(e->parts[0]);
        if (by.type) d.note(diag::typed_here, by.span, {std::string(by.name), types_.text(by.type)});
        return types_.broken();
    }
    expect(arg, f->first, because_of(e->parts[0]));
    return f->second;
}

/// The arguments of a constant, and further ones of its result.
Type* Inference::constant_call(Expr* e, const ConstantRow& row, std::vector<Expr*> args) {
    auto callee = e;
    for (size_t i = args.size(); i > row.num_args; --i) callee = callee->parts[0];
    if (callee != e) return call(e, infer(e->parts[0]), e->parts[1]);
    if (args.size() < row.num_args) {
        for (auto arg : args) infer(arg);
        report(diag::arguments(std::string(row.name), args.size(), row.num_args), e->span);
        return types_.broken();
    }
    e->constant = &row.constant;
    if (row.constant == Constant::Ite) return choice(e, args[0], args[1], args[2]);
    for (auto arg : args) infer(arg);
    switch (row.constant) {
        case Constant::I2n: {
            auto index = types_.fin(types_.size_meta());
            expect(args[0], index);
            return types_.nat();
        }
        case Constant::N2f: expect(args[0], types_.nat()); return types_.flt();
        case Constant::Sum: {
            auto elem = types_.meta();
            if (!expect(args[0], types_.array(types_.size_meta(), elem))) return types_.broken();
            operands_.push_back({args[0], "a sum", false, true, elem});
            return elem;
        }
        default: break;
    }
    for (auto arg : args) expect(arg, types_.flt());
    return types_.flt();
}

Type* Inference::element(Expr* e) {
    auto array = types_.resolve(infer(e->parts[0]));
    infer(e->parts[1]);
    if (array->kind == Type::Meta) {
        types_.unify(array, types_.array(types_.size_meta(), types_.meta()));
        array = types_.resolve(array);
    }
    if (array->kind == Type::Broken) return array;
    if (array->kind != Type::Array) {
        auto& d = report(diag::not_a(types_.text(array), "array"), e->parts[0]->span);
        auto by = because_of(e->parts[0]);
        if (by.type) d.note(diag::typed_here, by.span, {std::string(by.name), types_.text(by.type)});
        return types_.broken();
    }
    expect(e->parts[1], types_.fin(array->size), because_of(e->parts[0]));
    return array->first;
}

Type* Inference::projection(Expr* e) {
    auto pair = types_.resolve(infer(e->parts[0]));
    if (pair->kind == Type::Meta) {
        types_.unify(pair, types_.pair(types_.meta(), types_.meta()));
        pair = types_.resolve(pair);
    }
    if (pair->kind == Type::Broken) return pair;
    if (pair->kind != Type::Pair) {
        report(diag::not_a(types_.text(pair), "pair"), e->parts[0]->span);
        return types_.broken();
    }
    return e->kind == Expr::First ? pair->first : pair->second;
}

// ---- what waits until the end of a definition

/// Operands of `+ - * /` and their result are of one type, `flt` or `nat`, but a sum of indices. Whether something was
/// decided.
bool Inference::settle_infixes(bool is_last) {
    bool has_changed = false;
    std::erase_if(infixes_, [&](Expr* e) {
        auto left   = e->parts[0];
        auto right  = e->parts[1];
        auto kinds  = {types_.resolve(left->type)->kind, types_.resolve(right->type)->kind, types_.resolve(e->type)->kind};
        auto has    = [&](Type::Kind kind) { return std::ranges::find(kinds, kind) != kinds.end(); };
        auto begin  = has_changed;
        has_changed = true;
        if (has(Type::Broken)) return true;
        for (auto operand : {left, right}) {
            auto type        = types_.resolve(operand->type);
            bool is_no       = type->kind == Type::Fun || type->kind == Type::Pair || type->kind == Type::Array;
            bool is_no_index = type->kind == Type::Fin && e->text != "+";
            if (!is_no && !is_no_index) continue;
            report(diag::bad_operand("`" + std::string(e->text) + "`", is_no ? "numbers" : "`nat` and `flt`", types_.text(type)),
                   operand->span);
            types_.unify(e->type, types_.broken());
            return true;
        }
        if (has(Type::Nat) || has(Type::Flt)) {
            auto type    = has(Type::Flt) ? types_.flt() : types_.nat();
            bool is_left = expect(left, type, because_of(right));
            if (is_left) expect(right, type, because_of(left));
            if (!types_.unify(e->type, type)) report(diag::mismatch(types_.text(type), types_.text(e->type)), e->span);
            return true;
        }
        if (has(Type::Fin) && e->text == "+") {
            auto n = types_.size_meta();
            auto m = types_.size_meta();
            expect(left, types_.fin(n));
            expect(right, types_.fin(m));
            auto sum = n + m - Polynomial::number(1);
            sums_.push_back(e);
            if (!types_.unify(e->type, types_.fin(sum)))
                report(diag::mismatch("fin " + types_.text(sum), types_.text(e->type)), e->span);
            return true;
        }
        has_changed = begin;
        if (!is_last) return false;
        types_.unify(left->type, types_.nat());
        has_changed = true;
        return false;
    });
    return has_changed;
}

/// An index that nothing else is known of is as small as possible, any other number is a `nat`.
bool Inference::default_numbers() {
    for (auto e : numbers_) {
        auto type = types_.resolve(e->type);
        auto n    = front::integer_value(e->text);
        if (type->kind != Type::Fin || !types_.is_open(type) || !n) continue;
        if (!types_.resolve(type->size).as_variable()) continue;
        types_.unify(type->size, Polynomial::number(static_cast<Polynomial::Number>(*n)) + Polynomial::number(1));
        return true;
    }
    for (auto e : numbers_) {
        if (types_.resolve(e->type)->kind != Type::Meta) continue;
        types_.unify(e->type, types_.nat());
        return true;
    }
    return false;
}

void Inference::decide() {
    while (true) {
        bool is_possible = types_.solve_waiting();
        if (!is_possible) {
            report(diag::mismatch("a size", "another size"), current_->name_span);
            return;
        }
        if (settle_infixes(false)) continue;
        if (default_numbers()) continue;
        if (!settle_infixes(true)) break;
    }
}

void Inference::check_numbers() {
    for (auto e : numbers_) {
        auto type = types_.resolve(e->type);
        auto n    = front::integer_value(e->text);
        auto fail = [&](std::string why) {
            report(diag::out_of_range(std::string(e->text), types_.text(type), std::move(why)), e->span);
        };
        if (type->kind == Type::Flt || type->kind == Type::Broken) continue;
        if (!n) {
            fail("it is 2^64 or more");
            continue;
        }
        if (type->kind == Type::Nat) continue;
        if (type->kind != Type::Fin) {
            report(diag::mismatch("a number", types_.text(type)), e->span);
            continue;
        }
        auto rest    = types_.resolve(type->size) - Polynomial::number(static_cast<Polynomial::Number>(*n));
        auto literal = Polynomial::Number(0);
        bool is_less = true;
        for (auto& [monomial, coefficient] : rest.terms()) {
            if (monomial.empty()) literal = coefficient;
            else is_less &= coefficient > 0;
        }
        if (types_.is_open(type)) continue; // reported where it is bound
        if (!is_less || literal <= 0) fail(rest.value() ? "it is too large" : "it may be too large");
    }
}

void Inference::check_binders() {
    for (auto local : binders_) {
        if (!types_.is_open(local->type)) continue;
        auto name = std::string(local->name);
        report(diag::open_type(name, types_.text(local->type)), local->span);
        return;
    }
}

/// Sizes that follow from others are sizes, too.
void Inference::check_size(const Polynomial& p, Span span) {
    auto size  = types_.resolve(p);
    auto value = size.value();
    auto fail  = [&](const char* why) { report(diag::bad_size(types_.text(size), why), span); };
    if (size.is_overflown() || (value && *value >= 0 && (*value >> 64) != 0)) fail("it is 2^64 or more");
    else if (value && *value < 0) fail("it is negative");
}

void Inference::check_sizes(Type* t, Span span) {
    t = types_.resolve(t);
    check_size(t->size, span);
    if (t->first) check_sizes(t->first, span);
    if (t->second) check_sizes(t->second, span);
}

/// The sizes of a definition that is used are known.
void Inference::check_uses() {
    for (auto use : uses_) {
        auto is_open = [&](auto& size) { return types_.is_open(size); };
        bool is_bad  = std::ranges::any_of(use->def_sizes, is_open);
        if (is_bad) report(diag::open_type(std::string(use->text), types_.text(use->type)), use->span);
        else
            for (auto& size : use->def_sizes) check_size(size, use->span);
    }
}

/// A type that an error leaves open needs no other error: `errors` were there before the definition.
void Inference::check_later(size_t errors) {
    for (auto& [e, what, may_be_index, may_be_float, operand] : operands_) {
        auto type   = types_.resolve(operand);
        bool is_fit = type->kind == Type::Nat || type->kind == Type::Broken || (type->kind == Type::Fin && may_be_index)
                      || (type->kind == Type::Flt && may_be_float) || type->kind == Type::Meta;
        if (is_fit) continue;
        auto takes = may_be_index ? (may_be_float ? "numbers" : "`nat` and `fin`") : "`nat` and `flt`";
        report(diag::bad_operand(std::string(what), takes, types_.text(type)), e->span);
    }
    check_numbers();
    for (auto local : binders_) check_sizes(local->type, local->span);
    for (auto sum : sums_) check_sizes(sum->type, sum->span);
    if (c_.diags.num_errors() == errors) check_binders();
    if (c_.diags.num_errors() == errors) check_uses();
    if (c_.diags.num_errors() != errors) return;
    if (types_.is_open(current_->body->type))
        report(diag::open_type(std::string(current_->name), types_.text(current_->body->type)), current_->name_span);
}

} // namespace

bool infer(FrontEndContext& c, Program& program, Types& types) {
    Inference inference(c, program, types);
    return inference.run();
}

} // namespace mim::plug::polara
