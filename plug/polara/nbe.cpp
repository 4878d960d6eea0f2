// SPDX-License-Identifier: MIT
// Normalization by evaluation, as the paper has it: a term is evaluated to a value, functions and arrays to functions
// of C++, and the value is read back as a term. The value that a `let` binds is copied wherever it is used.
#include <functional>
#include <memory>

#include "ainf/list/ops.h"
#include "ainf/list/types.h"
#include "kit/build.h"
#include "kit/match.h"
#include "kit/scopes.h"
#include "polara.h"
#include "polara/annexes.h"
#include "polara/diagnostics.h"
#include "polara/fold.h"

namespace mim::plug::polara {

namespace {

namespace a = mim::plug::ainf;
using a::Op;

/// Evaluating takes a few steps for each binding of a list, which has at most 2^20 of them.
constexpr uint64_t kMaxSteps = 1 << 23;

struct Value;
using ValueRef = std::shared_ptr<const Value>;

/// Of a base type a term, of a pair two values, of a function and an array a function.
struct Value {
    const mim::Def* term                             = nullptr;
    ValueRef first                                   = {};
    ValueRef second                                  = {};
    std::function<ValueRef(const ValueRef&)> call    = {};
    std::function<ValueRef(const mim::Def*)> element = {};
};

using ScopeRef = Scopes<ValueRef>::Ref;

class Normalizer {
public:
    explicit Normalizer(World& w)
        : w(w) {}

    const mim::Def* run(const mim::Def* term) { return quote(term->type(), eval(term, nullptr)); }

private:
    ValueRef make(Value v) { return std::make_shared<const Value>(std::move(v)); }
    ValueRef base(const mim::Def* term) { return make({.term = term}); }
    const mim::Def* quote(const mim::Def* type, const ValueRef&);
    ValueRef splice(const mim::Def* type, const mim::Def* term);

    ValueRef eval(const mim::Def*, const ScopeRef&);
    ValueRef table(const mim::Def*, const ScopeRef&);
    ValueRef choice(const mim::Def*, const ScopeRef&);
    ValueRef fold(const mim::Def*, const a::Folding&, const ScopeRef&);
    ValueRef operation(const mim::Def*, const ScopeRef&);
    const mim::Def* term_of(const mim::Def* def, const ScopeRef& scope) { return quote(def->type(), eval(def, scope)); }

    /// The body of a function for a value of its parameter.
    ValueRef body(const Lam* lam, const ValueRef& arg, const ScopeRef& scope) {
        return eval(lam->body(), scopes_.bound(lam->var(), arg, scope));
    }

    World& w;
    Scopes<ValueRef> scopes_;
    uint64_t num_steps_ = 0;
};

/// η-long: functions are λs, arrays are tables, pairs are pairs.
const mim::Def* Normalizer::quote(const mim::Def* type, const ValueRef& v) {
    if (auto pi = type->isa<Pi>()) {
        auto body = [&](const mim::Def* var) { return quote(pi->codom(), v->call(splice(pi->dom(), var))); };
        return w.lam(pi, body);
    }
    if (auto array = a::isa_array(w, type)) {
        auto [size, elem] = *array;
        auto body         = [&, elem = elem](const mim::Def* var) { return quote(elem, v->element(var)); };
        return w.apply<a::tab>({size, elem}, {w.lam(w.pi(w.idx(size), elem), body)});
    }
    if (auto pair = a::isa_pair(w, type)) {
        auto first = quote(pair->first, v->first);
        return a::make_operation(w, Op::Pair, type, 0, {first, quote(pair->second, v->second)});
    }
    return v->term;
}

ValueRef Normalizer::splice(const mim::Def* type, const mim::Def* term) {
    if (auto pi = type->isa<Pi>()) {
        auto call = [=, this](const ValueRef& arg) {
            return splice(pi->codom(), a::make_operation(w, Op::App, pi->codom(), 0, {term, quote(pi->dom(), arg)}));
        };
        return make({.call = call});
    }
    if (auto array = a::isa_array(w, type)) {
        auto element = [=, this, elem = array->second](const mim::Def* index) {
            return splice(elem, a::make_operation(w, Op::Get, elem, 0, {term, index}));
        };
        return make({.element = element});
    }
    if (auto pair = a::isa_pair(w, type)) {
        auto first  = splice(pair->first, a::make_operation(w, Op::Fst, pair->first, 0, {term}));
        auto second = splice(pair->second, a::make_operation(w, Op::Snd, pair->second, 0, {term}));
        return make({.first = first, .second = second});
    }
    return base(term);
}

ValueRef Normalizer::table(const mim::Def* def, const ScopeRef& scope) {
    auto lam = arg_of(def)->as<Lam>();
    return make({.element = [=, this](const mim::Def* i) { return body(lam, base(i), scope); }});
}

ValueRef Normalizer::choice(const mim::Def* def, const ScopeRef& scope) {
    auto [c, holds, fails] = elems<3>(w, arg_of(def));
    auto condition         = term_of(c, scope);
    if (auto known = value(condition)) return eval(*known != 0 ? holds : fails, scope);
    auto first = term_of(holds, scope);
    auto type  = def->type();
    return splice(type, w.apply<ite>({condition->type(), type}, {condition, first, term_of(fails, scope)}));
}

ValueRef Normalizer::fold(const mim::Def* def, const a::Folding& f, const ScopeRef& scope) {
    auto z     = term_of(f.start, scope);
    auto s     = term_of(f.step, scope);
    auto types = group(def, 0);
    auto again = f.op == Op::Fold ? w.apply<a::fold>(types, {z}, {s}) : w.apply<a::scan>(types, {z}, {s});
    return splice(def->type(), again);
}

/// An operation on terms, or what is known of it.
ValueRef Normalizer::operation(const mim::Def* def, const ScopeRef& scope) {
    auto [op, parts, flags] = *a::isa_operation(w, def);
    auto args               = map_defs(parts, [&](auto part) { return term_of(part, scope); });
    auto mode               = flags ? *value(flags) : 0;
    auto first              = isa_lit(args.front());
    auto simple             = simplify_as_paper(w, op, mode, first, args.size() == 2 ? isa_lit(args.back()) : nullptr);
    if (simple.literal) return base(simple.literal);
    if (simple.same_as != Simple::kNone) return base(args[simple.same_as]);
    return splice(def->type(), a::make_operation(w, op, def->type(), mode, args));
}

ValueRef Normalizer::eval(const mim::Def* def, const ScopeRef& scope) {
    if (++num_steps_ > kMaxSteps) throw Error(diag::too_long(kMaxSteps));
    if (def->isa<Var>())
        if (auto found = scopes_.find(def, scope)) return *found;
    if (a::is_literal(def)) return base(def);
    if (auto lam = def->isa<Lam>()) return make({.call = [=, this](const ValueRef& arg) { return body(lam, arg, scope); }});
    if (auto m = match<bind>(def)) {
        auto value = eval(m.group(1), scope);
        return body(m.arg()->as<Lam>(), value, scope);
    }
    if (auto m = match<a::app>(def)) {
        auto f = eval(m.group(1), scope);
        return f->call(eval(m.arg(), scope));
    }
    if (match<a::tab>(def)) return table(def, scope);
    if (match<a::get>(def)) {
        auto array = eval(operand(w, def, 0), scope);
        return array->element(term_of(operand(w, def, 1), scope));
    }
    if (match<a::pair>(def)) return make({.first = eval(operand(w, def, 0), scope), .second = eval(operand(w, def, 1), scope)});
    if (match<a::fst>(def)) return eval(arg_of(def), scope)->first;
    if (match<a::snd>(def)) return eval(arg_of(def), scope)->second;
    if (match<ite>(def)) return choice(def, scope);
    if (auto f = a::isa_folding(def)) return fold(def, *f, scope);
    return operation(def, scope);
}

} // namespace

const mim::Def* normalize(World& w, const mim::Def* term) { return Normalizer(w).run(term); }

} // namespace mim::plug::polara
