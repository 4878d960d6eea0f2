// SPDX-License-Identifier: MIT
// Normalization by evaluation and conversion in one, which never does more work than the text says: a value of a base
// or array type is a variable of the list, which is appended where it is computed, so what a `let` binds or a call
// passes is computed once. Pairs and functions are values of C++, and become variables where the list needs them: as
// elements, in branches, and as results.
#include <functional>
#include <map>
#include <memory>
#include <unordered_map>

#include "ainf/list/builder.h"
#include "ainf/list/ops.h"
#include "ainf/list/types.h"
#include "kit/match.h"
#include "kit/scopes.h"
#include "polara.h"
#include "polara/annexes.h"
#include "polara/fold.h"

namespace mim::plug::polara {

namespace {

namespace a = mim::plug::ainf;
using a::Op;
using a::Operand;
struct Shared;
using SharedRef = std::shared_ptr<const Shared>;

/// Of a base or array type a variable, of a pair two values, of a function a function. Those that come from a variable
/// have it as well.
struct Shared {
    bool is_variable                                = false;
    Operand variable                                = {};
    SharedRef first                                 = {};
    SharedRef second                                = {};
    std::function<SharedRef(const SharedRef&)> call = {};
};

using SharedScopeRef = Scopes<SharedRef>::Ref;

class Sharer : a::ListBuilder {
public:
    explicit Sharer(World& w)
        : a::ListBuilder(w) {}

    a::List run(const mim::Def* term) {
        list_.result = quote(term->type(), eval(term, nullptr));
        return std::move(list_);
    }

private:
    static SharedRef make(Shared v) { return std::make_shared<const Shared>(std::move(v)); }
    /// One value for each variable, so that equal arguments are known to be.
    SharedRef variable(Operand x) {
        auto& v = variables_[x];
        if (!v) v = make({.is_variable = true, .variable = x});
        return v;
    }
    SharedRef called(const SharedRef& f, const SharedRef& arg);
    /// Under one more frame, calls are known that are not known outside.
    void entered() override { outside_.push_back(order_.size()); }
    void left() override {
        for (; order_.size() != outside_.back(); order_.pop_back()) calls_.erase(order_.back());
        outside_.pop_back();
    }
    SharedScopeRef bound(const mim::Def* var, SharedRef value, const SharedScopeRef& outer) {
        return scopes_.bound(var, std::move(value), outer);
    }
    Operand quote(const mim::Def* type, const SharedRef&);
    SharedRef splice(const mim::Def* type, Operand);
    Operand function(const Pi*, const SharedRef&);

    SharedRef eval(const mim::Def*, const SharedScopeRef&);
    SharedRef closure(const Lam*, const SharedScopeRef&);
    SharedRef bind(const mim::Def*, const SharedScopeRef&);
    SharedRef table(const mim::Def*, const SharedScopeRef&);
    SharedRef choice(const mim::Def*, const SharedScopeRef&);
    SharedRef fold(const mim::Def* type, const a::Folding&, const SharedScopeRef&);
    SharedRef operation(const mim::Def*, const SharedScopeRef&);
    Operand operand(const mim::Def* def, const SharedScopeRef& scope) { return quote(def->type(), eval(def, scope)); }
    using Call = std::pair<SharedRef, SharedRef>; ///< function and argument
    std::map<Operand, SharedRef> variables_;
    std::unordered_map<const mim::Def*, SharedRef> closed_; ///< functions without variables of others
    std::map<Call, SharedRef> calls_;                       ///< what they are
    std::vector<Call> order_;                               ///< in which they were made
    std::vector<size_t> outside_;                           ///< the number of those before each frame
    Scopes<SharedRef> scopes_;

    /// The literal that the operand is; null if it is none.
    const Lit* known(const Operand& x) const {
        auto def = x.is_index ? nullptr : list_.bindings[x.number].p.literal;
        return def ? isa_lit(def) : nullptr;
    }
};

Operand Sharer::quote(const mim::Def* type, const SharedRef& v) {
    if (v->is_variable) return v->variable;
    if (v->call) return function(type->as<Pi>(), v);
    auto [first, second] = *a::isa_pair(w, type);
    auto x               = quote(first, v->first);
    return add(Op::Pair, type, {x, quote(second, v->second)});
}

Operand Sharer::function(const Pi* pi, const SharedRef& v) {
    return add_function(pi, [&](Operand index) { return quote(pi->codom(), v->call(splice(pi->dom(), index))); });
}

/// A variable as a value.
SharedRef Sharer::splice(const mim::Def* type, Operand x) {
    if (auto pi = type->isa<Pi>()) {
        auto call = [=, this](const SharedRef& arg) {
            return splice(pi->codom(), add(Op::App, pi->codom(), {x, quote(pi->dom(), arg)}));
        };
        return make({.is_variable = true, .variable = x, .call = call});
    }
    auto pair = a::isa_pair(w, type);
    if (!pair) return variable(x);
    auto first  = splice(pair->first, add(Op::Fst, pair->first, {x}));
    auto second = splice(pair->second, add(Op::Snd, pair->second, {x}));
    return make({.is_variable = true, .variable = x, .first = first, .second = second});
}

/// A call of the same function with the same argument is evaluated once.
SharedRef Sharer::called(const SharedRef& f, const SharedRef& arg) {
    Call call{f, arg};
    auto found = calls_.find(call);
    if (found != calls_.end()) return found->second;
    auto result = f->call(arg);
    calls_.emplace(call, result);
    order_.push_back(std::move(call));
    return result;
}

SharedRef Sharer::closure(const Lam* lam, const SharedScopeRef& scope) {
    bool is_known = is_closed(w, lam);
    if (is_known && scope) { // it needs no scope, so it is one value
        auto& f = closed_[lam];
        if (!f) f = closure(lam, nullptr);
        return f;
    }
    return make({.call = [=, this](const SharedRef& arg) { return eval(lam->body(), bound(lam->var(), arg, scope)); }});
}

/// In a loop, since one may follow the other.
SharedRef Sharer::bind(const mim::Def* def, const SharedScopeRef& scope) {
    auto inner = scope;
    while (auto m = match<polara::bind>(def)) {
        auto lam = m.arg()->as<Lam>();
        inner    = bound(lam->var(), eval(m.group(1), inner), inner);
        def      = lam->body();
    }
    return eval(def, inner);
}

SharedRef Sharer::table(const mim::Def* def, const SharedScopeRef& scope) {
    auto lam  = arg_of(def)->as<Lam>();
    auto body = [&](Operand index) { return operand(lam->body(), bound(lam->var(), variable(index), scope)); };
    return variable(add_table(def->type(), lam->dom(), body));
}

SharedRef Sharer::choice(const mim::Def* def, const SharedScopeRef& scope) {
    auto [c, holds, fails] = elems<3>(w, arg_of(def));
    auto condition         = operand(c, scope);
    if (auto literal = known(condition)) return eval(literal->value() != 0 ? holds : fails, scope);
    for (auto& f : env_) { // decided on this path
        bool is_same = f.is_condition() && f.condition == condition;
        if (is_same) return eval(f.kind == a::Kind::Holds ? holds : fails, scope);
    }
    auto branch = [&](const mim::Def* body) { return [this, &scope, body] { return operand(body, scope); }; };
    return splice(def->type(), add_choice(def->type(), condition, branch(holds), branch(fails)));
}

SharedRef Sharer::fold(const mim::Def* type, const a::Folding& f, const SharedScopeRef& scope) {
    auto z    = operand(f.start, scope);
    auto body = [&](Operand value, Operand index) {
        auto carried = bound(f.step->var(), splice(f.step->dom(), value), scope);
        return operand(f.turn->body(), bound(f.turn->var(), variable(index), carried));
    };
    return splice(type, add_fold(f.op, type, z, f.step->dom(), f.turn->dom(), body));
}

SharedRef Sharer::operation(const mim::Def* def, const SharedScopeRef& scope) {
    auto [op, parts, flags] = *a::isa_operation(w, def);
    std::vector<Operand> args;
    for (auto part : parts) args.push_back(operand(part, scope));
    auto mode   = flags ? *value(flags) : 0;
    auto simple = simplify(w, op, def->type(), mode, known(args.front()), args.size() == 2 ? known(args.back()) : nullptr);
    if (simple.literal) return variable(literal(simple.literal));
    if (simple.same_as != Simple::kNone) return variable(args[simple.same_as]);
    return splice(def->type(), add(op, def->type(), std::move(args), mode));
}

SharedRef Sharer::eval(const mim::Def* def, const SharedScopeRef& scope) {
    if (def->isa<Var>())
        if (auto value = scopes_.find(def, scope)) return *value;
    if (a::is_literal(def)) return variable(literal(def));
    if (auto lam = def->isa<Lam>()) return closure(lam, scope);
    if (match<polara::bind>(def)) return bind(def, scope);
    if (auto m = match<a::app>(def)) {
        auto f = eval(m.group(1), scope);
        return called(f, eval(m.arg(), scope));
    }
    if (match<a::tab>(def)) return table(def, scope);
    if (match<a::fst>(def)) return eval(arg_of(def), scope)->first;
    if (match<a::snd>(def)) return eval(arg_of(def), scope)->second;
    if (match<a::pair>(def)) {
        auto first = eval(mim::operand(w, def, 0), scope);
        return make({.first = first, .second = eval(mim::operand(w, def, 1), scope)});
    }
    if (match<ite>(def)) return choice(def, scope);
    if (auto f = a::isa_folding(def)) return fold(def->type(), *f, scope);
    return operation(def, scope);
}

} // namespace

ainf::List convert_shared(World& w, const mim::Def* term) { return Sharer(w).run(term); }

} // namespace mim::plug::polara
