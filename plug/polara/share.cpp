// SPDX-License-Identifier: MIT
// Normalization by evaluation and conversion in one, which never does more work than the text says: a value of a base
// or array type is a variable of the list, which is appended where it is computed, so what a `let` binds or a call
// passes is computed once. Pairs and functions are values of C++, and become variables where the list needs them: as
// elements, in branches, and as results.
#include <functional>
#include <map>
#include <memory>
#include <unordered_map>

#include "ainf/list/ops.h"
#include "ainf/list/types.h"
#include "kit/match.h"
#include "polara.h"
#include "polara/annexes.h"
#include "polara/fold.h"
#include "polara/list_builder.h"

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

/// Values of variables, the innermost one first.
struct SharedScope {
    const mim::Def* var;
    SharedRef value;
    std::shared_ptr<const SharedScope> outer;
    uint32_t depth          = 1;       ///< of scopes, with this one
    const SharedScope* jump = nullptr; ///< a scope further out: any one is reached in a logarithmic number of steps
};
using SharedScopeRef = std::shared_ptr<const SharedScope>;

/// A scope jumps as far as the next two jumps together if these are equally long, else to the next scope.
SharedScopeRef inside(const mim::Def* var, SharedRef value, const SharedScopeRef& outer) {
    auto depth  = [](const SharedScope* s) { return s ? s->depth : 0; };
    auto first  = outer ? outer->jump : nullptr;
    auto second = first ? first->jump : nullptr;
    bool is_far = outer && depth(outer.get()) - depth(first) == depth(first) - depth(second);
    return std::make_shared<const SharedScope>(
        SharedScope{var, std::move(value), outer, depth(outer.get()) + 1, is_far ? second : outer.get()});
}

class Sharer : ListBuilder {
public:
    explicit Sharer(World& w)
        : ListBuilder(w) {}

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
    /// While it lives, calls are under one more frame: what they are is not known outside.
    class Around {
    public:
        Around(Sharer& sharer, a::Frame f)
            : sharer_(sharer)
            , inside_(sharer, std::move(f))
            , known_(sharer.order_.size()) {}
        ~Around() {
            for (; sharer_.order_.size() != known_; sharer_.order_.pop_back()) sharer_.calls_.erase(sharer_.order_.back());
        }
        Around(const Around&)            = delete;
        Around& operator=(const Around&) = delete;

    private:
        Sharer& sharer_;
        Inside inside_;
        size_t known_;
    };
    SharedScopeRef bound(const mim::Def* var, SharedRef value, const SharedScopeRef& outer) {
        auto scope = inside(var, std::move(value), outer);
        depths_.insert_or_assign(var, scope->depth);
        return scope;
    }
    SharedRef find(const mim::Def* var, const SharedScope*) const;
    Operand quote(const mim::Def* type, const SharedRef&);
    SharedRef splice(const mim::Def* type, Operand);
    Operand function(const Pi*, const SharedRef&);

    SharedRef eval(const mim::Def*, const SharedScopeRef&);
    SharedRef closure(const Lam*, const SharedScopeRef&);
    SharedRef bind(const mim::Def*, const SharedScopeRef&);
    SharedRef table(const mim::Def*, const SharedScopeRef&);
    SharedRef part(const mim::Def*, Op, const SharedScopeRef&);
    SharedRef choice(const mim::Def*, const SharedScopeRef&);
    SharedRef fold(const mim::Def*, Op, const mim::Def* start, const mim::Def* step, const SharedScopeRef&);
    SharedRef operation(const mim::Def*, const SharedScopeRef&);
    Operand operand(const mim::Def* def, const SharedScopeRef& scope) { return quote(def->type(), eval(def, scope)); }
    Operand under(a::Frame, const mim::Def*, const SharedScopeRef&);
    using Call = std::pair<SharedRef, SharedRef>; ///< function and argument
    std::map<Operand, SharedRef> variables_;
    std::unordered_map<const mim::Def*, SharedRef> closed_; ///< functions without variables of others
    std::map<Call, SharedRef> calls_;                       ///< what they are
    std::vector<Call> order_;                               ///< in which they were made
    std::unordered_map<const mim::Def*, uint32_t> depths_;  ///< of the scopes that bind variables, where they did so last

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
    return add(plain(Op::Pair, type, {x, quote(second, v->second)}));
}

Operand Sharer::function(const Pi* pi, const SharedRef& v) {
    auto index = depth_;
    a::Frame f{.kind = a::Kind::Fun, .index = index, .type = pi->dom(), .functions = {next_++}};
    Operand body;
    {
        Around around(*this, f);
        body = quote(pi->codom(), v->call(splice(pi->dom(), {true, index})));
    }
    return add(plain(Op::Fun, pi, {body}, {f}));
}

/// A variable as a value.
SharedRef Sharer::splice(const mim::Def* type, Operand x) {
    if (auto pi = type->isa<Pi>()) {
        auto call = [=, this](const SharedRef& arg) {
            return splice(pi->codom(), add(plain(Op::App, pi->codom(), {x, quote(pi->dom(), arg)})));
        };
        return make({.is_variable = true, .variable = x, .call = call});
    }
    auto pair = a::isa_pair(w, type);
    if (!pair) return variable(x);
    auto first  = splice(pair->first, add(plain(Op::Fst, pair->first, {x})));
    auto second = splice(pair->second, add(plain(Op::Snd, pair->second, {x})));
    return make({.is_variable = true, .variable = x, .first = first, .second = second});
}

Operand Sharer::under(a::Frame f, const mim::Def* body, const SharedScopeRef& scope) {
    Around around(*this, std::move(f));
    return operand(body, scope);
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
    auto lam   = arg_of(def)->as<Lam>();
    auto index = variable({true, depth_});
    a::Frame f{.kind = a::Kind::For, .index = depth_, .type = lam->dom()};
    auto elem = under(f, lam->body(), bound(lam->var(), index, scope));
    return variable(add(plain(Op::For, def->type(), {elem}, {f})));
}

SharedRef Sharer::part(const mim::Def* def, Op op, const SharedScopeRef& scope) {
    auto pair = eval(arg_of(def), scope);
    return op == Op::Fst ? pair->first : pair->second;
}

SharedRef Sharer::choice(const mim::Def* def, const SharedScopeRef& scope) {
    auto [c, holds, fails] = elems<3>(w, arg_of(def));
    auto condition         = operand(c, scope);
    if (auto literal = known(condition)) return eval(literal->value() != 0 ? holds : fails, scope);
    for (auto& f : env_) { // decided on this path
        bool is_same = f.is_condition() && f.condition == condition;
        if (is_same) return eval(f.kind == a::Kind::Holds ? holds : fails, scope);
    }
    auto first  = under({.kind = a::Kind::Holds, .condition = condition}, holds, scope);
    auto second = under({.kind = a::Kind::Fails, .condition = condition}, fails, scope);
    return splice(def->type(), add(plain(Op::Ite, def->type(), {condition, first, second})));
}

SharedRef Sharer::fold(const mim::Def* def, Op op, const mim::Def* start, const mim::Def* step, const SharedScopeRef& scope) {
    auto z     = operand(start, scope);
    auto outer = step->as<Lam>();
    auto inner = outer->body()->as<Lam>();
    a::Frame f{.kind = a::Kind::Fold, .index = depth_, .type = outer->dom(), .turn = inner->dom(), .fold = next_++};
    Operand body;
    {
        auto index = depth_;
        Around around(*this, f);
        auto value = bound(outer->var(), splice(outer->dom(), {true, index}), scope);
        body       = operand(inner->body(), bound(inner->var(), variable({true, index + 1}), value));
    }
    return splice(def->type(), add(plain(op, def->type(), {z, body}, {f})));
}

SharedRef Sharer::operation(const mim::Def* def, const SharedScopeRef& scope) {
    auto [op, parts, flags] = *a::isa_operation(w, def);
    std::vector<Operand> args;
    for (auto part : parts) args.push_back(operand(part, scope));
    auto mode   = flags ? *value(flags) : 0;
    auto simple = simplify(w, op, def->type(), mode, known(args.front()), args.size() == 2 ? known(args.back()) : nullptr);
    if (simple.literal) return variable(literal(simple.literal));
    if (simple.same_as != Simple::kNone) return variable(args[simple.same_as]);
    return splice(def->type(), add(moded(op, def->type(), std::move(args), mode)));
}

/// The value of a variable. The depth where it was bound last is most often that of its scope here, too.
SharedRef Sharer::find(const mim::Def* var, const SharedScope* scope) const {
    auto known = depths_.find(var);
    if (known == depths_.end()) return nullptr;
    auto s = scope;
    while (s && s->depth > known->second) s = s->jump && s->jump->depth >= known->second ? s->jump : s->outer.get();
    if (s && s->var == var) return s->value;
    for (s = scope; s; s = s->outer.get())
        if (s->var == var) return s->value;
    return nullptr;
}

SharedRef Sharer::eval(const mim::Def* def, const SharedScopeRef& scope) {
    if (def->isa<Var>())
        if (auto value = find(def, scope.get())) return value;
    bool is_literal = def->isa<Lit>() || match<a::index>(def);
    if (is_literal) return variable(literal(def));
    if (auto lam = def->isa<Lam>()) return closure(lam, scope);
    if (match<polara::bind>(def)) return bind(def, scope);
    if (auto m = match<a::app>(def)) {
        auto f = eval(m.group(1), scope);
        return called(f, eval(m.arg(), scope));
    }
    if (match<a::tab>(def)) return table(def, scope);
    if (match<a::fst>(def)) return part(def, Op::Fst, scope);
    if (match<a::snd>(def)) return part(def, Op::Snd, scope);
    if (match<a::pair>(def)) {
        auto first = eval(mim::operand(w, def, 0), scope);
        return make({.first = first, .second = eval(mim::operand(w, def, 1), scope)});
    }
    if (match<ite>(def)) return choice(def, scope);
    if (auto m = match<a::fold>(def)) return fold(def, Op::Fold, m.group(1), m.arg(), scope);
    if (auto m = match<a::scan>(def)) return fold(def, Op::Scan, m.group(1), m.arg(), scope);
    return operation(def, scope);
}

} // namespace

ainf::List convert_shared(World& w, const mim::Def* term) { return Sharer(w).run(term); }

} // namespace mim::plug::polara
