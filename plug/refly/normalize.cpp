// SPDX-License-Identifier: MIT
// Checks, and answers to questions about terms.
#include "diag/family.h"
#include "refly.h"
#include "refly/diagnostics.h"

namespace mim::plug::refly {

const Def* normalize_check(const Redex& redex) {
    auto cond = isa_lit(redex.elem(0));
    if (!cond) return nullptr;
    if (cond->value()) return redex.elem(1);
    if (check(redex.sub()) == check::run) return nullptr; // undefined only where it is needed
    auto message = text_of(redex.w, redex.group(1), redex.elem(2));
    if (message) throw Error(diag::check_failed(*message));
    return nullptr;
}

const Def* normalize_dbg(const Redex& redex) {
    if (redex.is_unstable()) return nullptr;
    if (redex.w.warn) redex.w.warn(diag::shown(redex.arg, redex.arg->type()));
    return dbg(redex.sub()) == dbg::tmp ? redex.arg : nullptr;
}

/// reify (reflect c) ▷ c · reflect (reify e) ▷ e
const Def* normalize_reify(const Redex& redex) { return cancel<reflect>(redex); }
const Def* normalize_reflect(const Redex& redex) { return cancel<reify>(redex); }

const Def* normalize_untyped(const Redex& redex) {
    auto app = match<reify>(redex.arg);
    return app ? redex.w.apply<term>(redex.group(0), app.arg()) : nullptr;
}

/// The expression of the term, if it is known, and so is the type that is asked for.
static const Def* typed_term(const Redex& redex) {
    auto type = redex.group(0);
    bool open = type->is_unstable() || !is_closed(redex.w, type);
    return open ? nullptr : known_term(redex.w, redex.arg);
}

const Def* normalize_typed(const Redex& redex) {
    auto& w   = redex.w;
    auto e    = typed_term(redex);
    auto type = redex.group(0);
    if (!e) return nullptr;
    if (!assignable(w, type, e)) throw Error(diag::term_type(e, e->type(), type));
    return w.apply<reify>(type, e);
}

const Def* normalize_has_type(const Redex& redex) {
    auto e = typed_term(redex);
    return e ? redex.w.lit_bool(assignable(redex.w, redex.group(0), e)) : nullptr;
}

const Def* normalize_known(const Redex& redex) { return known_term(redex.w, redex.arg) ? redex.w.tt() : nullptr; }

const Def* normalize_is(const Redex& redex) {
    // in the order of the subtags
    static constexpr Node nodes[] = {Node::Sort, Node::Bot,     Node::Top,    Node::Nat,   Node::Idx,   Node::Lit,   Node::Axm,
                                     Node::Var,  Node::Pi,      Node::Lam,    Node::App,   Node::Sigma, Node::Tuple, Node::Arr,
                                     Node::Pack, Node::Extract, Node::Insert, Node::Union, Node::Inj,   Node::Match, Node::Sing};
    auto e                        = known_term(redex.w, redex.arg);
    if (!e) return nullptr;
    return redex.w.lit_bool((is_name(e) ? Node::Var : e->node()) == nodes[redex.sub()]);
}

const Def* normalize_arity(const Redex& redex) {
    auto e = known_term(redex.w, redex.arg);
    return e ? redex.w.lit_nat(is_name(e) ? 0 : e->num_ops()) : nullptr;
}

/// The operands of the term, and which one is meant; nothing while that is not known.
static const Def* operand(World& w, const Def* t, const Def* index, DefVec& ops, uint64_t& i) {
    auto e   = known_term(w, t);
    auto lit = value(index);
    if (!e || !lit) return nullptr;
    i   = *lit;
    ops = open(w, e);
    if (i >= ops.size()) throw Error(diag::term_part(e, "operand " + std::to_string(i)));
    return e;
}

const Def* normalize_op(const Redex& redex) {
    DefVec ops;
    uint64_t i;
    return operand(redex.w, redex.elem(0), redex.elem(1), ops, i) ? make_term(redex.w, ops[i]) : nullptr;
}

const Def* normalize_replace(const Redex& redex) {
    auto& w = redex.w;
    DefVec ops;
    uint64_t i;
    auto by = known_term(w, redex.elem(2));
    if (!by) return nullptr;
    auto e = operand(w, redex.elem(0), redex.elem(1), ops, i);
    if (!e) return nullptr;
    if (mim::equal(w, ops[i], by)) return redex.elem(0);
    ops[i] = by;
    try {
        return make_term(w, close(w, e, ops));
    } catch (const Error& error) {
        if (!is_type_error(error.id)) throw;
        throw Error(diag::term_replace(by, i, e, "what comes of it is ill-typed"));
    }
}

const Def* normalize_type_of(const Redex& redex) {
    auto e = known_term(redex.w, redex.arg);
    return e ? make_term(redex.w, e->type()) : nullptr;
}

const Def* normalize_equal(const Redex& redex) {
    auto& w = redex.w;
    auto a = known_term(w, redex.elem(0)), b = known_term(w, redex.elem(1));
    return a && b ? w.lit_bool(mim::equal(w, a, b)) : nullptr;
}

const Def* normalize_number(const Redex& redex) {
    auto e = known_term(redex.w, redex.arg);
    if (!e) return nullptr;
    auto lit = isa_lit(e);
    if (!lit) throw Error(diag::term_part(e, "number: it is no literal below 2^64"));
    return redex.w.lit_nat(lit->value());
}

const Def* normalize_name(const Redex& redex) {
    auto& w = redex.w;
    auto e  = known_term(w, redex.arg);
    if (!e) return nullptr;
    auto axm  = e->isa<Axm>();
    auto text = axm ? axm->axiom().name.str() : std::string();
    return w.tuple({w.lit_nat(text.size()), make_text(w, text)});
}

} // namespace mim::plug::refly
