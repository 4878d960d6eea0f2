// SPDX-License-Identifier: MIT
// Lists into the graph: each binding becomes a closed function of what its frames bind.
#include <stdexcept>
#include <utility>

#include "ainf/list/ops.h"
#include "ainf/list/types.h"
#include "kit/build.h"
#include "kit/match.h"

namespace mim::plug::ainf {

namespace {

class Writer {
public:
    explicit Writer(World& w)
        : w(w) {}

    const Def* run(const List& list) {
        DefVec bindings;
        for (auto& binding : list.bindings) bindings.push_back(add(binding));
        auto all    = w.tuple(bindings);
        auto result = closed(list.result);
        return w.apply<ainf::list>({all->type(), result->type()}, {all}, {result});
    }

private:
    /// The variables that the frames around an operation bind: indices by their names, proofs by their conditions.
    struct Scope {
        std::map<uint32_t, const Def*> indices;
        std::map<std::pair<Kind, Operand>, const Def*> proofs;
    };
    /// A frame, or the index of a fold's frame.
    struct Binder {
        const Frame* frame;
        bool is_turn;
        uint32_t name() const { return frame->index + is_turn; }
    };
    struct Written {
        const Def* def;
        Environment env;
    };

    const Def* add(const Binding&);
    static std::vector<Binder> binders(const Environment&);
    DefVec frames(const Environment&);
    const Def* frame(const Frame&);
    const Def* domain(const Binder&, const Scope&);
    const Def* type(const std::vector<Binder>&, size_t i, const Def* result, Scope);
    /// A function of the binders from i on, whose body is what `body` makes of their variables.
    template<class Body>
    const Def* function(const std::vector<Binder>& all, size_t i, const Def* type, Scope scope, const Body& body) {
        if (i == all.size()) return body(scope);
        return w.lam(type, [&](const Def* var) {
            bind(scope, all[i], var);
            return function(all, i + 1, codom(w, type->as<Pi>(), var), scope, body);
        });
    }
    static void bind(Scope&, const Binder&, const Def* var);
    /// A condition is the whole binding.
    const Def* condition(const Operand&, const Scope&);
    const Def* closed(const Operand&);
    const Def* operand(const Operand&, const Scope&);
    const Def* primitive(const Primitive&, const Scope&);
    const Def* under(const Environment& frames, const Operand& body, const Def* result, const Scope&);
    const Def* choice(const Primitive&, const Scope&);
    const Def* fold(const Primitive&, const Scope&);

    World& w;
    std::map<uint32_t, Written> written_;
};

std::vector<Writer::Binder> Writer::binders(const Environment& env) {
    std::vector<Binder> result;
    for (auto& frame : env) {
        result.push_back({&frame, false});
        if (frame.kind == Kind::Fold) result.push_back({&frame, true});
    }
    return result;
}

const Def* Writer::frame(const Frame& f) {
    auto index = w.lit_nat(f.index);
    switch (f.kind) {
        case Kind::Fun: {
            DefVec functions;
            for (auto function : f.functions) functions.push_back(w.lit_nat(function));
            return w.apply<of>({w.lit_nat(functions.size())}, {index, w.tuple(functions)});
        }
        case Kind::For: return w.apply<each>({index});
        case Kind::Fold: return w.apply<turn>({index, w.lit_nat(f.fold)});
        case Kind::Holds: return w.annex(branch::holds);
        case Kind::Fails: break;
    }
    return w.annex(branch::fails);
}

DefVec Writer::frames(const Environment& env) {
    return map_defs(env, [&](auto& f) { return frame(f); });
}

const Def* Writer::condition(const Operand& c, const Scope& scope) { return c.is_index ? scope.indices.at(c.number) : closed(c); }

const Def* Writer::closed(const Operand& x) {
    auto found = written_.find(x.number);
    if (x.is_index || found == written_.end())
        throw std::runtime_error("a list uses x" + std::to_string(x.number) + " before its binding");
    return found->second.def;
}

const Def* Writer::domain(const Binder& binder, const Scope& scope) {
    auto& f = *binder.frame;
    if (!f.is_condition()) return binder.is_turn ? f.turn : f.type;
    auto c = condition(f.condition, scope);
    return f.kind == Kind::Holds ? w.apply<Holds>({c->type()}, {c}) : w.apply<Fails>({c->type()}, {c});
}

void Writer::bind(Scope& scope, const Binder& binder, const Def* var) {
    auto& f = *binder.frame;
    if (f.is_condition()) scope.proofs[{f.kind, f.condition}] = var;
    else scope.indices[binder.name()] = var;
}

/// The type of a function of the binders from i on.
const Def* Writer::type(const std::vector<Binder>& all, size_t i, const Def* result, Scope scope) {
    if (i == all.size()) return result;
    auto dom = domain(all[i], scope);
    auto pi  = w.mut_pi(dom); // the proof of a condition that is an index has a type that depends on it
    bind(scope, all[i], pi->var());
    return w.seal(pi, type(all, i + 1, result, scope));
}

const Def* Writer::add(const Binding& b) {
    auto all    = binders(b.env);
    auto pi     = type(all, 0, b.p.type, {});
    auto body   = function(all, 0, pi, {}, [&](const Scope& scope) { return primitive(b.p, scope); });
    auto frames = this->frames(b.env);
    auto inner  = b.p.is_binder() ? frame(b.p.body.front()) : w.annex(none(0));
    auto head   = w.tuple({w.lit_nat(b.number), w.tuple(frames), inner});
    auto def    = w.apply<ainf::bind>({w.lit_nat(frames.size()), pi}, {head}, {body});
    written_.insert_or_assign(b.number, Written{def, b.env});
    return def;
}

const Def* Writer::operand(const Operand& x, const Scope& scope) {
    if (x.is_index) return scope.indices.at(x.number);
    auto def = closed(x);
    for (auto& binder : binders(written_.at(x.number).env)) {
        auto& f  = *binder.frame;
        auto arg = f.is_condition() ? scope.proofs.at({f.kind, f.condition}) : scope.indices.at(binder.name());
        def      = w.app(def, arg);
    }
    return def;
}

/// A function of what the frames bind, whose body is the operand.
const Def* Writer::under(const Environment& frames, const Operand& body, const Def* result, const Scope& scope) {
    auto all = binders(frames);
    return function(all, 0, type(all, 0, result, scope), scope, [&](const Scope& inner) { return operand(body, inner); });
}

const Def* Writer::choice(const Primitive& p, const Scope& scope) {
    auto c     = operand(p.args[0], scope);
    auto holds = under(frames_around(p, 1), p.args[1], p.type, scope);
    auto fails = under(frames_around(p, 2), p.args[2], p.type, scope);
    auto proof = [&](const Def* branch) { return branch->type()->as<Pi>()->dom(); };
    return w.apply<ite>({c->type(), p.type, proof(holds), proof(fails)}, {c}, {holds, fails});
}

const Def* Writer::fold(const Primitive& p, const Scope& scope) {
    auto& f    = p.body.front();
    auto z     = operand(p.args[0], scope);
    auto step  = under(p.body, p.args[1], f.type, scope);
    auto sizes = w.tuple({isa_idx(f.turn), f.type});
    return p.op == Op::Fold ? w.apply<ainf::fold>(sizes, {z}, {step}) : w.apply<scan>(sizes, {z}, {step});
}

const Def* Writer::primitive(const Primitive& p, const Scope& scope) {
    switch (p.op) {
        case Op::Literal: return p.literal;
        case Op::Fun: return under(p.body, p.args[0], p.type->as<Pi>()->codom(), scope);
        case Op::For: {
            auto [size, elem] = *isa_array(w, p.type);
            return w.apply<tab>({size, elem}, {under(p.body, p.args[0], elem, scope)});
        }
        case Op::Ite: return choice(p, scope);
        case Op::Fold:
        case Op::Scan: return fold(p, scope);
        default: break;
    }
    auto args = map_defs(p.args, [&](auto& x) { return operand(x, scope); });
    return make_operation(w, p.op, p.type, p.mode, args);
}

} // namespace

const Def* write(World& w, const List& list) {
    verify(list);
    return Writer(w).run(list);
}

} // namespace mim::plug::ainf
