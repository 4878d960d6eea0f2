// SPDX-License-Identifier: MIT
// Lists into the graph: each binding becomes a closed function of what its frames bind.
#include <algorithm>
#include <map>
#include <stdexcept>
#include <unordered_map>
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
        bindings.reserve(list.bindings.size());
        written_.reserve(list.bindings.size());
        for (auto& binding : list.bindings) bindings.push_back(add(binding));
        auto all    = w.tuple(bindings);
        auto result = closed(list.result).def;
        return w.apply<ainf::list>({all->type(), result->type()}, {all}, {result});
    }

private:
    /// A frame, or the index of a fold's frame.
    struct Binder {
        const Frame* frame;
        bool is_turn;
        uint32_t name() const { return frame->index + is_turn; }
    };
    struct Written {
        const Def* def;
        const Environment* env;
    };

    const Def* add(const Binding&);
    static std::vector<Binder> binders(const Environment&);
    DefVec frames(const Environment&);
    const Def* frame(const Frame&);
    const Def* domain(const Binder&);
    const Def* type(const std::vector<Binder>&, size_t i, const Def* result, bool is_dependent);
    const Def* type(const std::vector<Binder>&, const Def* result);
    /// A function of the binders from i on, whose body is what `body` makes under them.
    template<class Body>
    const Def* function(const std::vector<Binder>& all, size_t i, const Def* type, const Body& body) {
        if (i == all.size()) return body();
        return w.lam(type, [&](const Def* var) {
            auto outer       = std::exchange(variable(all[i]), var);
            auto result      = function(all, i + 1, codom(w, type->as<Pi>(), var), body);
            variable(all[i]) = outer;
            return result;
        });
    }
    /// Null if nothing is bound.
    const Def*& variable(const Binder&);
    /// A condition is the whole binding.
    const Def* condition(const Operand& c) { return c.is_index ? indices_.at(c.number) : closed(c).def; }
    const Written& closed(const Operand&);
    const Def* operand(const Operand&);
    const Def* primitive(const Primitive&);
    const Def* under(const Environment& frames, const Operand& body, const Def* result);
    const Def* choice(const Primitive&);
    const Def* fold(const Primitive&);

    World& w;
    std::unordered_map<uint32_t, Written> written_;
    /// The variables that the frames around an operation bind: indices by their names, proofs by their conditions.
    std::unordered_map<uint32_t, const Def*> indices_;
    std::map<std::pair<Kind, Operand>, const Def*> proofs_;
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

const Writer::Written& Writer::closed(const Operand& x) {
    auto found = written_.find(x.number);
    if (x.is_index || found == written_.end())
        throw std::runtime_error("a list uses x" + std::to_string(x.number) + " before its binding");
    return found->second;
}

const Def* Writer::domain(const Binder& binder) {
    auto& f = *binder.frame;
    if (!f.is_condition()) return binder.is_turn ? f.turn : f.type;
    auto c = condition(f.condition);
    return f.kind == Kind::Holds ? w.apply<Holds>({c->type()}, {c}) : w.apply<Fails>({c->type()}, {c});
}

const Def*& Writer::variable(const Binder& binder) {
    auto& f = *binder.frame;
    return f.is_condition() ? proofs_[{f.kind, f.condition}] : indices_[binder.name()];
}

/// The type of a function of the binders from i on. The proof of a condition that is an index has a type that depends on it.
const Def* Writer::type(const std::vector<Binder>& all, size_t i, const Def* result, bool is_dependent) {
    if (i == all.size()) return result;
    auto dom = domain(all[i]);
    if (!is_dependent) return w.pi(dom, type(all, i + 1, result, false));
    auto pi          = w.mut_pi(dom);
    auto outer       = std::exchange(variable(all[i]), pi->var());
    auto sealed      = w.seal(pi, type(all, i + 1, result, true));
    variable(all[i]) = outer;
    return sealed;
}

const Def* Writer::type(const std::vector<Binder>& all, const Def* result) {
    auto is_of_index = [](const Binder& b) { return b.frame->is_condition() && b.frame->condition.is_index; };
    return type(all, 0, result, std::ranges::any_of(all, is_of_index));
}

const Def* Writer::add(const Binding& b) {
    auto all    = binders(b.env);
    auto pi     = type(all, b.p.type);
    auto body   = function(all, 0, pi, [&] { return primitive(b.p); });
    auto frames = this->frames(b.env);
    auto inner  = b.p.is_binder() ? frame(b.p.body.front()) : w.annex(none(0));
    auto head   = w.tuple({w.lit_nat(b.number), w.tuple(frames), inner});
    auto def    = w.apply<ainf::bind>({w.lit_nat(frames.size()), pi}, {head}, {body});
    written_.insert_or_assign(b.number, Written{def, &b.env});
    return def;
}

const Def* Writer::operand(const Operand& x) {
    if (x.is_index) return indices_.at(x.number);
    auto [def, env] = closed(x);
    for (auto& f : *env) {
        def = w.app(def, f.is_condition() ? proofs_.at({f.kind, f.condition}) : indices_.at(f.index));
        if (f.kind == Kind::Fold) def = w.app(def, indices_.at(f.index + 1));
    }
    return def;
}

/// A function of what the frames bind, whose body is the operand.
const Def* Writer::under(const Environment& frames, const Operand& body, const Def* result) {
    auto all = binders(frames);
    return function(all, 0, type(all, result), [&] { return operand(body); });
}

const Def* Writer::choice(const Primitive& p) {
    auto c     = operand(p.args[0]);
    auto holds = under(frames_around(p, 1), p.args[1], p.type);
    auto fails = under(frames_around(p, 2), p.args[2], p.type);
    auto proof = [&](const Def* branch) { return branch->type()->as<Pi>()->dom(); };
    return w.apply<ite>({c->type(), p.type, proof(holds), proof(fails)}, {c}, {holds, fails});
}

const Def* Writer::fold(const Primitive& p) {
    auto& f    = p.body.front();
    auto z     = operand(p.args[0]);
    auto step  = under(p.body, p.args[1], f.type);
    auto sizes = w.tuple({isa_idx(f.turn), f.type});
    return p.op == Op::Fold ? w.apply<ainf::fold>(sizes, {z}, {step}) : w.apply<scan>(sizes, {z}, {step});
}

const Def* Writer::primitive(const Primitive& p) {
    switch (p.op) {
        case Op::Literal: return p.literal;
        case Op::Fun: return under(p.body, p.args[0], p.type->as<Pi>()->codom());
        case Op::For: {
            auto [size, elem] = *isa_array(w, p.type);
            return w.apply<tab>({size, elem}, {under(p.body, p.args[0], elem)});
        }
        case Op::Ite: return choice(p);
        case Op::Fold:
        case Op::Scan: return fold(p);
        default: break;
    }
    auto args = map_defs(p.args, [&](auto& x) { return operand(x); });
    return make_operation(w, p.op, p.type, p.mode, args);
}

} // namespace

const Def* write(World& w, const List& list) {
    verify(list);
    return Writer(w).run(list);
}

} // namespace mim::plug::ainf
