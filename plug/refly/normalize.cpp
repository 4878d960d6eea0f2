// SPDX-License-Identifier: MIT
// Checks, and answers to questions about terms.
#include "diag/family.h"
#include "refly.h"
#include "refly/diagnostics.h"

namespace mim::plug::refly {

namespace {

const Def* normalize_check(World& w, const Def*, const Def* callee, const Def* arg) {
    auto cond = isa_lit(w.extract(arg, 0));
    if (!cond) return nullptr;
    if (cond->value()) return w.extract(arg, 1);
    if (check(sub_of(callee)) == check::run) return nullptr; // undefined only where it is needed
    auto message = text_of(w, group(callee), w.extract(arg, 2));
    if (message) throw Error(diag::check_failed(*message));
    return nullptr;
}

const Def* normalize_dbg(World& w, const Def*, const Def* callee, const Def* arg) {
    if (callee->is_unstable() || arg->is_unstable()) return nullptr;
    if (w.warn) w.warn(diag::shown(arg, arg->type()));
    return dbg(sub_of(callee)) == dbg::tmp ? arg : nullptr;
}

/// reify (reflect c) ▷ c · reflect (reify e) ▷ e
const Def* normalize_reify(World&, const Def*, const Def*, const Def* arg) {
    auto app = match<reflect>(arg);
    return app ? app.arg() : nullptr;
}

const Def* normalize_reflect(World&, const Def*, const Def*, const Def* arg) {
    auto app = match<reify>(arg);
    return app ? app.arg() : nullptr;
}

const Def* normalize_untyped(World& w, const Def*, const Def* callee, const Def* arg) {
    auto app = match<reify>(arg);
    return app ? w.app(w.app(w.annex(term(0)), group(callee)), app.arg()) : nullptr;
}

const Def* normalize_typed(World& w, const Def*, const Def* callee, const Def* arg) {
    auto e    = known_term(w, arg);
    auto type = group(callee);
    if (!e || type->is_unstable() || !w.is_closed(type)) return nullptr;
    if (!w.assignable(type, e)) throw Error(diag::term_type(e, e->type(), type));
    return w.app(w.app(w.annex(reify(0)), type), e);
}

const Def* normalize_has_type(World& w, const Def*, const Def* callee, const Def* arg) {
    auto e    = known_term(w, arg);
    auto type = group(callee);
    if (!e || type->is_unstable() || !w.is_closed(type)) return nullptr;
    return w.lit_bool(w.assignable(type, e));
}

const Def* normalize_known(World& w, const Def*, const Def*, const Def* arg) { return known_term(w, arg) ? w.tt() : nullptr; }

const Def* normalize_is(World& w, const Def*, const Def* callee, const Def* arg) {
    // in the order of the subtags
    static constexpr Node nodes[] = {Node::Sort, Node::Bot,     Node::Top,    Node::Nat,   Node::Idx,   Node::Lit,   Node::Axm,
                                     Node::Var,  Node::Pi,      Node::Lam,    Node::App,   Node::Sigma, Node::Tuple, Node::Arr,
                                     Node::Pack, Node::Extract, Node::Insert, Node::Union, Node::Inj,   Node::Match, Node::Sing};
    auto e                        = known_term(w, arg);
    if (!e) return nullptr;
    return w.lit_bool((is_name(e) ? Node::Var : e->node()) == nodes[sub_of(callee)]);
}

const Def* normalize_arity(World& w, const Def*, const Def*, const Def* arg) {
    auto e = known_term(w, arg);
    return e ? w.lit_nat(is_name(e) ? 0 : e->num_ops()) : nullptr;
}

/// The operands of the term, and which one is meant; nothing while that is not known.
const Def* operand(World& w, const Def* t, const Def* index, std::vector<const Def*>& ops, uint64_t& i) {
    auto e   = known_term(w, t);
    auto lit = isa_lit(index);
    if (!e || !lit) return nullptr;
    i   = lit->value();
    ops = open(w, e);
    if (i >= ops.size()) throw Error(diag::term_part(e, "operand " + std::to_string(i)));
    return e;
}

const Def* normalize_op(World& w, const Def*, const Def*, const Def* arg) {
    std::vector<const Def*> ops;
    uint64_t i;
    return operand(w, w.extract(arg, 0), w.extract(arg, 1), ops, i) ? make_term(w, ops[i]) : nullptr;
}

const Def* normalize_replace(World& w, const Def*, const Def*, const Def* arg) {
    std::vector<const Def*> ops;
    uint64_t i;
    auto by = known_term(w, w.extract(arg, 2));
    if (!by) return nullptr;
    auto e = operand(w, w.extract(arg, 0), w.extract(arg, 1), ops, i);
    if (!e) return nullptr;
    if (w.equal(ops[i], by)) return w.extract(arg, 0);
    ops[i] = by;
    try {
        return make_term(w, close(w, e, ops));
    } catch (const Error& error) {
        if (!is_type_error(error.id)) throw;
        throw Error(diag::term_replace(by, i, e, "what comes of it is ill-typed"));
    }
}

const Def* normalize_type_of(World& w, const Def*, const Def*, const Def* arg) {
    auto e = known_term(w, arg);
    return e ? make_term(w, e->type()) : nullptr;
}

const Def* normalize_equal(World& w, const Def*, const Def*, const Def* arg) {
    auto a = known_term(w, w.extract(arg, 0)), b = known_term(w, w.extract(arg, 1));
    return a && b ? w.lit_bool(w.equal(a, b)) : nullptr;
}

const Def* normalize_number(World& w, const Def*, const Def*, const Def* arg) {
    auto e = known_term(w, arg);
    if (!e) return nullptr;
    auto lit = isa_lit(e);
    if (!lit) throw Error(diag::term_part(e, "number: it is no literal below 2^64"));
    return w.lit_nat(lit->value());
}

const Def* normalize_name(World& w, const Def*, const Def*, const Def* arg) {
    auto e = known_term(w, arg);
    if (!e) return nullptr;
    auto axm  = e->isa<Axm>();
    auto text = axm ? axm->axiom().name.str() : std::string();
    return w.tuple({w.lit_nat(text.size()), make_text(w, text)});
}

} // namespace

void register_normalizers(PluginBuilder& p) {
    struct Entry {
        const char* name;
        Normalizer normalize;
    };
    static constexpr Entry entries[] = {
        {"normalize_check", normalize_check},
        {"normalize_dbg", normalize_dbg},
        {"normalize_reify", normalize_reify},
        {"normalize_reflect", normalize_reflect},
        {"normalize_untyped", normalize_untyped},
        {"normalize_typed", normalize_typed},
        {"normalize_has_type", normalize_has_type},
        {"normalize_known", normalize_known},
        {"normalize_is", normalize_is},
        {"normalize_arity", normalize_arity},
        {"normalize_op", normalize_op},
        {"normalize_replace", normalize_replace},
        {"normalize_type_of", normalize_type_of},
        {"normalize_equal", normalize_equal},
        {"normalize_number", normalize_number},
        {"normalize_name", normalize_name},
    };
    for (auto& entry : entries) p.normalizer(entry.name, entry.normalize);
}

} // namespace mim::plug::refly
