// SPDX-License-Identifier: MIT
// Expressions as terms: when one is known, and how binders are opened and closed. What stands for the variable of an opened binder is
// an application of `%refly.var` to a number, one higher than those in the binder, so that equal binders have equal operands.
#include <algorithm>

#include "base/worklist.h"
#include "ir/rewrite.h"
#include "refly.h"
#include "refly/diagnostics.h"

namespace mim::plug::refly {

const Def* known_term(World& w, const Def* t) {
    if (!match<term>(t) && !match<term_of_type>(t) && !match<term_of_kind>(t)) return nullptr;
    auto e   = arg_of(t);
    auto lam = e->isa<Lam>();
    if (e->is_unstable() || !e->is_set() || (lam && lam->is_waiting())) return nullptr;
    return is_closed(w, e) ? e : nullptr;
}

const Def* make_term(World& w, const Def* e) {
    switch (level(w, e->type())) {
        case 0: return w.apply<term>(e->type(), e);
        case 1: return w.apply<term_of_type>(e->type(), e);
        case 2: return w.apply<term_of_kind>(e->type(), e);
        default: throw Error(diag::term_part(e, "term: it is beyond the types of types"));
    }
}

bool is_name(const Def* e) { return match<var>(e) || match<type_var>(e); }

uint64_t fresh_name(World&, const Def* e) {
    uint64_t fresh = 0;
    Worklist<const Def*> todo{e};
    while (auto d = todo.next()) {
        if (auto n = is_name(d) ? value(arg_of(d)) : std::nullopt) fresh = std::max(fresh, *n + 1);
        if (!d->isa<Sort>()) todo.push(d->type());
        if (d->is_set()) todo.push_all(d->ops());
    }
    return fresh;
}

namespace {

const Def* make_name(World& w, const Def* type, uint64_t n) {
    return level(w, type) == 0 ? w.apply<var>(type, n) : w.apply<type_var>(type, n);
}

/// The variable of a binder, if it is used by that name.
const Def* variable(const Def* e) {
    auto v = e->is_set() ? e->var() : nullptr;
    return v && v->isa<Var>() ? v : nullptr;
}

class Builder : public Rewriter {
public:
    using Rewriter::rebuild;
    using Rewriter::Rewriter;
};

const Def* close_binder(World& w, const Def* e, const Def* name, const DefVec& ops) {
    auto body = [&](const Def* fresh, size_t i) {
        Rewriter rewriter(w);
        if (name) rewriter.map(name, fresh);
        return rewriter.rewrite(ops[i]);
    };
    switch (e->node()) {
        case Node::Lam: {
            auto fresh = w.mut_lam(e->as<Lam>()->pi());
            w.notes.copy_info(e, fresh);
            auto filter = body(fresh->var(), 0);
            w.set(fresh, filter, body(fresh->var(), 1));
            return w.seal(fresh);
        }
        case Node::Pi: {
            auto fresh = w.mut_pi(ops[0], e->as<Pi>()->is_implicit());
            return w.seal(fresh, body(fresh->var(), 1));
        }
        case Node::Arr: {
            auto fresh = w.mut_arr(ops[0]);
            return w.seal(fresh, body(fresh->var(), 1));
        }
        case Node::Pack: {
            auto fresh = w.mut_pack(ops[0]);
            return w.seal(fresh, body(fresh->var(), 1));
        }
        default: break;
    }
    auto fresh = w.mut_sigma(ops.size());
    for (size_t i = 0; i != ops.size(); ++i) w.set(fresh, i, body(fresh->var(), i));
    return w.seal(fresh);
}

} // namespace

DefVec open(World& w, const Def* e) {
    if (is_name(e)) return {};
    DefVec ops(e->ops().begin(), e->ops().end());
    auto v = variable(e);
    if (!v) return ops;
    auto name = make_name(w, v->type(), fresh_name(w, e));
    for (auto& op : ops) op = w.subst(op, v, name);
    return ops;
}

const Def* close(World& w, const Def* e, const DefVec& ops) {
    if (!e->is_mut()) return Builder(w).rebuild(e, e->type(), ops);
    auto v = variable(e);
    return close_binder(w, e, v ? make_name(w, v->type(), fresh_name(w, e)) : nullptr, ops);
}

std::optional<std::string> text_of(World& w, const Def* n, const Def* text) {
    constexpr uint64_t MaxLength = 10'000;
    auto length                  = value(n);
    if (!length || *length > MaxLength) return {};
    std::string result;
    for (uint64_t i = 0; i != *length; ++i) {
        auto byte = value(w.extract(text, i));
        if (!byte) return {};
        result += printable(*byte);
    }
    return result;
}

} // namespace mim::plug::refly
