// SPDX-License-Identifier: MIT
// Expressions: from the parts to the whole.
#include "infer.h"

#include <algorithm>

#include "front/scanner.h"
#include "rise.h"
#include "rise/diagnostics.h"

namespace mim::plug::rise {

const Primitive* spine(const Expr* e, std::vector<const Expr*>& args) {
    while (true) {
        if (e->prim) break;
        if (e->kind == Expr::Apply) {
            if (!e->arg) args.push_back(e->parts[1]);
        } else if (e->kind != Expr::Implicit) {
            break;
        }
        e = e->parts[0];
    }
    std::ranges::reverse(args);
    return e->prim;
}

std::string Inference::source(const Expr* e) const {
    constexpr size_t kLongest = 30;
    auto text                 = diags_.sources().text(e->span);
    bool is_short             = text.size() <= kLongest && text.find('\n') == text.npos;
    return is_short ? std::string(text) : "the array";
}

// ---- mistakes

/// Sizes that the definition takes, of which there may be facts.
static bool is_head_of(const Definition& def, const Expr* e) {
    const Expr* head = def.body;
    while (head != e && head->kind == Expr::DepFun) head = head->parts[0];
    return head == e;
}

void Inference::check(Expr* e, Type* expected, const Expr* where, const Expr* callee) {
    auto wanted = types_.resolve(expected);
    if (e->kind == Expr::Fun && wanted->kind == Type::Fun) {
        function(e, wanted);
        return;
    }
    bool is_dependent = e->kind == Expr::DepFun && wanted->kind == Type::Dep && !wanted->is_implicit;
    bool may_be_told  = is_dependent && e->binder->sort == wanted->binder->sort && (e->facts.empty() || is_head_of(*current_, e));
    if (may_be_told) {
        e->type = dependent(e, wanted);
        return;
    }
    auto outer     = std::exchange(types_.at, where);
    auto found     = infer(e);
    types_.failure = {};
    if (!types_.unify(found, expected)) mismatch(e, found, expected, where, callee);
    types_.at = outer;
}

/// Arrays that differ in their lengths alone.
static bool differ_in_length(Types& types, Type* a, Type* b) {
    a = types.resolve(a), b = types.resolve(b);
    return a->kind == Type::Array && b->kind == Type::Array && types.unify(a->first, b->first);
}

static const Expr* head_of(const Expr* e) {
    while (!e->prim && (e->kind == Expr::Apply || e->kind == Expr::Implicit)) e = e->parts[0];
    return e;
}

void Inference::size_mismatch(const Types::Failure& f, const Expr* e, Type* found, Type* expected, const Expr* where,
                              const Expr* callee) {
    std::vector<const Expr*> args;
    auto prim = callee ? spine(callee, args) : nullptr;
    if (f.is_division) {
        auto divisor  = types_.text(f.divisor);
        auto dividend = types_.text(f.dividend);
        auto at       = f.origin ? f.origin : where;
        report(diag::owed(at->prim ? std::string(at->prim->name) : source(at), divisor + " divides " + dividend,
                          divisor + " | " + dividend),
               at->span);
        return;
    }
    bool is_zip = prim && prim->name == "zip" && args.size() == 1 && args[0]->type;
    if (is_zip) {
        auto left = types_.resolve(args[0]->type), right = types_.resolve(found);
        auto& d = report(diag::lengths(source(args[0]), types_.text(left->size), source(e), types_.text(right->size)),
                         where->span);
        if (args[0]->local)
            d.note(diag::typed_here, args[0]->local->span, {std::string(args[0]->local->name), types_.text(left)});
        if (e->local) d.note(diag::typed_here, e->local->span, {std::string(e->local->name), types_.text(right)});
        return;
    }
    report(diag::mismatch(types_.text(found), types_.text(expected)), where->span);
}

void Inference::mismatch(const Expr* e, Type* found, Type* expected, const Expr* where, const Expr* callee) {
    auto failure = types_.failure;
    auto head    = head_of(e);
    if (failure.is_escape) {
        report(diag::escapes(types_.text(found)), where->span);
        return;
    }
    if (differ_in_length(types_, found, expected)) return size_mismatch(failure, e, found, expected, where, callee);
    auto& d = report(diag::mismatch(types_.text(found), types_.text(expected)), where->span);
    if (head->local && head != e)
        d.note(diag::typed_here, head->local->span, {std::string(head->local->name), types_.text(head->local->type)});
}

// ---- expressions

Type* Inference::infer(Expr* e) {
    e->type = infer_raw(e);
    e->type = instantiate(e);
    return e->type;
}

/// The inferred arguments behind it.
Type* Inference::instantiate(Expr* e) {
    auto t = types_.resolve(e->type);
    while (t->kind == Type::Dep && t->is_implicit) {
        auto arg = fresh(t->binder, head_of(e));
        e->implicits.push_back(arg);
        t = types_.resolve(types_.substitute(t->second, t->binder, arg));
    }
    return t;
}

TypeArg Inference::fresh(const Local* binder, const Expr* origin) {
    TypeArg arg{.sort = binder->sort};
    if (binder->sort == Sort::Nat) {
        arg.nat = types_.nat_meta(origin, binder->name);
        return arg;
    }
    arg.type          = types_.meta();
    arg.type->is_data = binder->sort == Sort::Data;
    metas_.emplace_back(origin, arg.type);
    return arg;
}

Type* Inference::infer_raw(Expr* e) {
    switch (e->kind) {
        case Expr::Name: return name(e);
        case Expr::Word: return primitive(e, find_primitive(e->text));
        case Expr::Integer:
        case Expr::Float: return number(e);
        case Expr::Bool: return types_.scalar(Scalar::Bool);
        case Expr::Fun: return function(e, nullptr);
        case Expr::DepFun: return dependent(e, nullptr);
        case Expr::Let: return let(e);
        case Expr::If: return choice(e);
        case Expr::Compose: return compose(e);
        case Expr::Apply: return apply(e);
        case Expr::Implicit: return implicit(e);
        case Expr::First:
        case Expr::Second: return projection(e);
        case Expr::Array: return array(e);
        case Expr::Pair: {
            auto first = infer(e->parts[0]);
            return types_.pair(first, infer(e->parts[1]));
        }
        case Expr::Ascribe: {
            auto t = type_of(e->parts[1]);
            check(e->parts[0], t, e->parts[0]);
            return t;
        }
        case Expr::Hole: {
            auto t = types_.meta();
            holes_.emplace_back(e, t);
            return t;
        }
        case Expr::Broken: return types_.broken();
        default: break;
    }
    report(diag::bad_kind("a type", "a value"), e->span);
    return types_.broken();
}

Local* Inference::find(std::string_view name) const { return name == "_" ? nullptr : scope_.find(name); }

Type* Inference::name(Expr* e) {
    e->local = find(e->text);
    if (e->local && e->local->is_dep) {
        if (e->local->sort == Sort::Nat) return types_.scalar(Scalar::Nat);
        constexpr const char* kinds[] = {"a size", "a type", "an address space", "a function of sizes"};
        report(diag::bad_kind(kinds[static_cast<size_t>(e->local->sort)], "a value"), e->span);
        return types_.broken();
    }
    if (e->local) return e->local->type;
    if (auto def = named_.find(*current_, e->text)) return use_of(e, *def);
    for (auto& def : program_.defs) {
        if (def.name != e->text || def.is_library) continue;
        auto why = &def == current_ ? "a definition does not use itself" : "its definition is further below";
        report(diag::not_bound(std::string(e->text), why), e->span);
        return types_.broken();
    }
    if (e->text == "mapND" || e->text == "zipND") {
        report(diag::not_bound(std::string(e->text), "a literal number of dimensions, 1 to 5, stands behind it"), e->span);
        return types_.broken();
    }
    auto prim      = find_primitive(e->text);
    bool is_hidden = prim && e->text.find('_') != e->text.npos;
    if (prim && !is_hidden) return primitive(e, prim);
    report(diag::not_bound(std::string(e->text), "no binder, definition or primitive has this name"), e->span);
    return types_.broken();
}

Type* Inference::signature(const Primitive* p) {
    auto& type = signatures_[p];
    if (type) return type;
    auto outer = std::move(scope_);
    scope_.clear();
    type   = type_of(rise::parse_type(p->type, program_));
    scope_ = std::move(outer);
    return type;
}

Type* Inference::primitive(Expr* e, const Primitive* p) {
    if (!p) { // an operator of sizes
        report(diag::bad_kind("a size", "a value"), e->span);
        return types_.broken();
    }
    e->prim = p;
    auto t  = signature(p);
    if (p->optional == Optional::Space) {
        TypeArg space{.sort = Sort::Space,
                      .type = types_.make({.kind = Type::Space, .space = e->space.value_or(Space::Private)})};
        t = types_.substitute(t->second, t->binder, space);
    }
    e->type = t;
    if (p->of == Class::Any && p->lifted == Lifted::None) return t;
    t             = instantiate(e);
    bool has_more = p->lifted != Lifted::None && p->lifted != Lifted::Logic;
    constraints_.push_back({e, p, e->implicits[0].type, has_more ? e->implicits[1].type : nullptr});
    return t;
}

/// Each use has other types and sizes for those that are free, and for those that facts gave.
Type* Inference::use_of(Expr* e, Definition& def) {
    e->def = &def;
    if (!def.assumed.empty()) report(diag::owed(std::string(def.name), "`" + def.assumed + "` holds", def.assumed), e->span);
    std::map<Type*, Type*> types;
    std::map<Polynomial::Var, Polynomial> sizes;
    auto put = [&](const TypeArg& free) {
        TypeArg arg{.sort = free.sort};
        if (free.sort == Sort::Nat) {
            arg.nat = types_.nat_meta(e, types_.name(*free.nat.as_variable()));
            sizes.emplace(*free.nat.as_variable(), arg.nat);
        } else {
            arg.type = types_.meta();
            types.emplace(free.type, arg.type);
        }
        e->implicits.push_back(arg);
    };
    for (auto& free : def.free) put(free);
    for (auto& c : constraints_of_[&def]) {
        auto other = c.other ? copy(c.other, types, sizes) : nullptr;
        constraints_.push_back({e, c.prim, copy(c.type, types, sizes), other});
    }
    return copy(def.type, types, sizes);
}

static Polynomial copy_size(Types& types, const Polynomial& p, const std::map<Polynomial::Var, Polynomial>& sizes) {
    auto result = types.resolve(p);
    for (auto& [x, size] : sizes) result = types.substitute(result, x, size);
    return result;
}

Type* Inference::copy(Type* t, const std::map<Type*, Type*>& types, const std::map<Polynomial::Var, Polynomial>& sizes) {
    t = types_.resolve(t);
    if (auto found = types.find(t); found != types.end()) return found->second;
    bool is_leaf = t->kind == Type::Meta || t->kind == Type::Scalar || t->kind == Type::Name || t->kind == Type::Space;
    if (is_leaf) return t;
    Type result = *t;
    if (t->first) result.first = copy(t->first, types, sizes);
    if (t->second) result.second = copy(t->second, types, sizes);
    result.size = copy_size(types_, t->size, sizes);
    return types_.make(std::move(result));
}

static std::string_view suffix_of(std::string_view text) {
    bool is_hex = text.starts_with("0x") || text.starts_with("0b");
    auto first  = is_hex ? std::string_view::npos : text.find_first_of("fiu");
    return first == text.npos ? std::string_view() : text.substr(first);
}

static std::optional<Scalar> scalar_named(std::string_view name) {
    for (auto s = Scalar::Bool; s <= Scalar::Nat; s = static_cast<Scalar>(static_cast<int>(s) + 1))
        if (text(s) == name) return s;
    return {};
}

Type* Inference::number(Expr* e) {
    auto suffix = suffix_of(e->text);
    numbers_.push_back(e);
    if (suffix == "f") return types_.scalar(Scalar::F32);
    if (auto s = scalar_named(suffix); s && *s != Scalar::Bool) return types_.scalar(*s);
    if (!suffix.empty()) {
        report(diag::bad_number(std::string(e->text), std::string(suffix)), e->span);
        return types_.broken();
    }
    return e->kind == Expr::Float ? types_.scalar(Scalar::F64) : types_.meta();
}

Type* Inference::function(Expr* e, Type* expected) {
    auto x  = e->binder;
    x->type = x->declared ? type_of(x->declared) : expected ? expected->first : types_.meta();
    if (expected && x->declared && !types_.unify(x->type, expected->first))
        mismatch(x->declared, x->type, expected->first, x->declared, nullptr);
    scope_.push(x);
    auto body = e->parts[0];
    if (expected) check(body, expected->second, body);
    else infer(body);
    scope_.pop();
    e->type = types_.fun(x->type, expected ? expected->second : body->type);
    return e->type;
}

void Inference::bind_dep(Local* x) {
    bool is_nat = x->sort == Sort::Nat || x->sort == Sort::NatFun;
    if (is_nat) x->nat = types_.nat_name(std::string(x->name));
    else x->type = types_.make({.kind = Type::Name, .binder = x});
    scope_.push(x);
}

void Inference::add_facts(Expr* e) {
    constexpr Fact::Kind order[] = {Fact::Divides, Fact::Equal, Fact::AtMost, Fact::Less};
    constexpr auto hint          = "; `--set rise.assume-sizes=1` checks it where the program is called";
    auto add                     = [&](Fact& fact, bool is_last) {
        fact.left_size  = nat_of(fact.left);
        fact.right_size = nat_of(fact.right);
        if (fact.text.empty()) fact.text = diags_.sources().text(fact.span);
        auto why = types_.add_fact(fact.kind, fact.left_size, fact.right_size);
        if (why.empty()) return true;
        if (!is_last) return false;
        if (!assumes_) report(diag::bad_fact(fact.text, why + hint), fact.span);
        else if (current_->assumed.empty()) current_->assumed = fact.text;
        return true;
    };
    for (auto& fact : e->facts)
        if (fact.is_given) add(fact, true);
    for (auto kind : order) {
        std::vector<Fact*> open;
        for (auto& fact : e->facts)
            if (fact.kind == kind && !fact.is_given) open.push_back(&fact);
        // an equation that cannot be used yet may be after another one
        for (auto before = open.size() + 1; kind == Fact::Equal && open.size() < before;) {
            before = open.size();
            std::erase_if(open, [&](auto fact) { return add(*fact, false); });
        }
        for (auto fact : open) add(*fact, true);
    }
    types_.settle_bounds();
}

/// The binder as an argument.
static TypeArg itself(Types& types, const Local* x) {
    TypeArg arg{.sort = x->sort, .type = x->type};
    if (x->sort == Sort::Nat) arg.nat = Polynomial::variable(x->nat);
    if (x->sort == Sort::NatFun) {
        arg.param = types.nat_name("i");
        arg.nat   = types.apply(NatOp::Call, Polynomial::variable(x->nat), Polynomial::variable(arg.param));
    }
    return arg;
}

Type* Inference::dependent(Expr* e, Type* expected) {
    Types::Level inner(types_);
    bind_dep(e->binder);
    add_facts(e);
    auto part = e->parts[0];
    auto body = expected ? types_.substitute(expected->second, expected->binder, itself(types_, e->binder)) : nullptr;
    if (expected) check(part, body, part);
    else body = infer(part);
    scope_.pop();
    Type t{.kind = Type::Dep, .second = body, .binder = e->binder};
    return types_.make(std::move(t));
}

Type* Inference::let(Expr* e) {
    e->binder->type = infer(e->parts[0]);
    scope_.push(e->binder);
    auto body = infer(e->parts[1]);
    scope_.pop();
    return body;
}

Type* Inference::choice(Expr* e) {
    check(e->parts[0], types_.scalar(Scalar::Bool), e->parts[0]);
    auto t = infer(e->parts[1]);
    check(e->parts[2], t, e->parts[2]);
    return t;
}

Type* Inference::compose(Expr* e) {
    auto f = types_.resolve(infer(e->parts[0]));
    if (f->kind != Type::Fun) {
        auto t = types_.fun(types_.meta(), types_.meta());
        if (!types_.unify(f, t)) {
            report(diag::no_function(types_.text(f)), e->parts[0]->span);
            return types_.broken();
        }
        f = t;
    }
    auto wanted = types_.fun(f->second, types_.meta());
    check(e->parts[1], wanted, e->parts[1]);
    return types_.fun(f->first, wanted->second);
}

Type* Inference::projection(Expr* e) {
    auto t = types_.resolve(infer(e->parts[0]));
    if (t->kind == Type::Meta) {
        auto pair = types_.pair(types_.meta(), types_.meta());
        types_.unify(t, pair);
        t = pair;
    }
    if (t->kind == Type::Pair) return e->kind == Expr::First ? t->first : t->second;
    if (t->kind != Type::Broken) report(diag::mismatch(types_.text(t), "(s, t)"), e->parts[0]->span);
    return types_.broken();
}

Type* Inference::array(Expr* e) {
    auto elem     = types_.meta();
    elem->is_data = true;
    metas_.emplace_back(e, elem);
    for (auto part : e->parts) check(part, elem, part);
    return types_.array(Polynomial::number(static_cast<Polynomial::Number>(e->parts.size())), elem);
}

// ---- applications

static std::optional<uint64_t> dimension_of(const Expr* e) {
    auto n = e->kind == Expr::Integer ? front::integer_value(e->text) : std::nullopt;
    return n && *n <= 2 ? n : std::nullopt;
}

static std::optional<Space> space_named(std::string_view name) {
    for (auto s : {Space::Global, Space::Local, Space::Private, Space::Constant})
        if (text(s) == name) return s;
    return {};
}

/// `mapND(2)` is `map2D`.
static bool becomes_nest(Program& program, Expr* e) {
    constexpr uint64_t most = 5; // dimensions
    auto f = e->parts[0], x = e->parts[1];
    bool is_name = f->text == "mapND" || f->text == "zipND";
    auto n       = is_name && x->kind == Expr::Integer ? front::integer_value(x->text) : std::nullopt;
    bool is_it   = n && *n >= 1 && *n <= most;
    if (!is_it) return false;
    e->text = program.texts.emplace_back(std::string(f->text.substr(0, 3)) + std::to_string(*n) + "D");
    e->kind = Expr::Name;
    e->parts.clear();
    return true;
}

Type* Inference::apply(Expr* e) {
    auto f = e->parts[0], x = e->parts[1];
    bool is_known = f->kind != Expr::Name || find(f->text) || named_.find(*current_, f->text);
    if (!is_known && becomes_nest(program_, e)) return name(e);
    auto prim = f->kind == Expr::Name && !find(f->text) ? find_primitive(f->text) : nullptr;
    if (prim && prim->optional == Optional::Dimension) {
        if (auto d = dimension_of(x)) {
            e->dimension = *d;
            return primitive(e, prim);
        }
    }
    if (prim && prim->optional == Optional::Space && x->kind == Expr::Name) {
        if (auto s = space_named(x->text)) {
            e->space = s;
            return primitive(e, prim);
        }
    }
    bool is_first = e->is_pipe;
    if (is_first) infer(x);
    auto t = types_.resolve(infer(f));
    if (t->kind == Type::Dep) return apply_dep(e, t);
    if (t->kind == Type::Meta) {
        auto fun = types_.fun(types_.meta(), types_.meta());
        if (!types_.unify(t, fun)) return types_.broken();
        t = fun;
    }
    if (t->kind != Type::Fun) {
        if (t->kind != Type::Broken) report(diag::no_function(types_.text(t)), f->span);
        if (!is_first && t->kind == Type::Broken) infer(x);
        return types_.broken();
    }
    if (is_first) {
        auto outer     = std::exchange(types_.at, f);
        types_.failure = {};
        if (!types_.unify(x->type, t->first)) mismatch(x, x->type, t->first, f, f);
        types_.at = outer;
    } else {
        check(x, t->first, x, f);
    }
    std::vector<const Expr*> args;
    auto head = spine(f, args);
    if (head && head->name == "reduce" && args.size() == 1) reductions_.push_back(e);
    return t->second;
}

Type* Inference::apply_dep(Expr* e, Type* callee) {
    auto binder   = callee->binder;
    auto head     = head_of(e);
    auto owed     = owed_.size();
    auto arg      = arg_of(binder->sort, e->parts[1]);
    e->arg        = arg;
    bool is_order = head->prim && head->prim->name == "reorder" && binder->sort == Sort::NatFun;
    if (is_order) { // what is owed in it holds for its indices
        auto& n = (e->parts[0]->arg->sort == Sort::Nat ? e->parts[0] : e->parts[0]->parts[0])->arg->nat;
        std::vector<Owed> inside(owed_.begin() + static_cast<ptrdiff_t>(owed), owed_.end());
        owed_.resize(owed);
        for (auto& o : inside) owe_in_range(o.at, o.size, arg.param, n, o.what);
        check_order(e, head);
    }
    if (head->prim && head->prim->name == "lidx" && binder->name == "n") {
        auto index = e->parts[0]->arg->nat;
        owed_.push_back({head, arg.nat - index - Polynomial::number(1), types_.text(index) + " < " + types_.text(arg.nat),
                         types_.text(index) + " < " + types_.text(arg.nat)});
    }
    if (head->prim && head->prim->name == "natAsIndex")
        owed_.push_back(
            {head, arg.nat - Polynomial::number(1), types_.text(arg.nat) + " is at least 1", "1 <= " + types_.text(arg.nat)});
    bool is_width = head->prim && head->prim->name.starts_with("asVector");
    if (is_width) check_width(e->parts[1], arg.nat);
    // the size that facts gave to the binder of a definition
    bool has_value = head->def && binder->sort == Sort::Nat && !(callee->size == Polynomial());
    if (has_value && types_.unify(callee->size, arg.nat, e->parts[1]) == Types::Outcome::Wrong)
        report(diag::mismatch(types_.text(arg.nat), types_.text(callee->size)), e->parts[1]->span);
    return types_.substitute(callee->second, binder, arg);
}

/// Of `f @x`, where f is a definition: the implicit argument, which its type names. Null if it names none here.
static TypeArg* implicit_of(const Expr* e, size_t index) {
    auto f = e->parts[0];
    while (f->kind == Expr::Implicit) f = f->parts[0];
    return f->def && index < f->def->num_implicits ? &f->implicits[index] : nullptr;
}

Type* Inference::implicit(Expr* e) {
    auto f       = e->parts[0];
    f->type      = infer_raw(f);
    size_t index = 0;
    for (auto inner = f; inner->kind == Expr::Implicit; inner = inner->parts[0]) ++index;
    if (auto known = implicit_of(e, index)) {
        auto given = arg_of(known->sort, e->parts[1]);
        if (known->sort == Sort::Nat) types_.unify(known->nat, given.nat, e->parts[1]);
        else types_.unify(known->type, given.type);
        return f->type;
    }
    auto t = types_.resolve(f->type);
    if (t->kind == Type::Dep && t->is_implicit) {
        e->arg        = arg_of(t->binder->sort, e->parts[1]);
        bool is_width = t->binder->sort == Sort::Nat && head_of(e)->prim && head_of(e)->prim->name == "vectorFromScalar";
        if (is_width) check_width(e->parts[1], e->arg->nat);
        return types_.substitute(t->second, t->binder, *e->arg);
    }
    if (t->kind != Type::Broken) report(diag::no_function(types_.text(t)), e->parts[1]->span);
    return types_.broken();
}

} // namespace mim::plug::rise
