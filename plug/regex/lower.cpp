// SPDX-License-Identifier: MIT
// The phase regex.lower, at the place `front`: a pattern becomes a function that matches it, once for each pattern of the program. What
// it does is written in Mim (regex.mim, from `%regex.run` on) and takes the automaton as tables, or is a block for each state.
#include <algorithm>
#include <utility>

#include "core/annexes.h"
#include "direct/annexes.h"
#include "mem/annexes.h"
#include "opt/selective.h"
#include "plan.h"
#include "regex.h"

namespace mim::plug::regex {

namespace {

bool is_ours(const Axiom& axiom) { return axiom.id.plugin == AnnexTraits<conj>::plugin; }

class Lower : public opt::SelectiveRewriter {
public:
    explicit Lower(PhaseContext& c)
        : SelectiveRewriter(c)
        , regex_(c.world.annex(RegEx(0))) {}

protected:
    bool wants(const Def* def) override { return def->isa<Axm>() && is_ours(def->as<Axm>()->axiom()); }

    const Def* rewrite_imm(const Def* def) override {
        auto axm = head_axiom(def);
        if (!axm || !is_ours(axm->axiom())) return SelectiveRewriter::rewrite_imm(def);
        if (def->type() == regex_) return matcher(def);
        for (auto d = def; d->isa<App>(); d = d->as<App>()->callee())
            if (d->as<App>()->callee()->type() == regex_) return call(def);
        // an operator without its operands
        return rewrite(opt::eta_expand(world(), def));
    }

private:
    /// A pattern that is applied: where its match is asked for is where it is wrong.
    const Def* call(const Def* def) {
        auto around = call_;
        if (auto span = world().span(def)) call_ = span;
        auto result = SelectiveRewriter::rewrite_imm(def);
        call_       = around;
        return result;
    }
    const Def* matcher(const Def* pattern);
    const Def* compile(const Def* pattern);
    const Def* with_tables(const Dfa&, by scheme);
    const Def* from_start(const Def* code, const Def* starts, bool sized = false);
    const Def* array(size_t n, uint64_t type_size, const std::function<uint64_t(size_t)>& elem);

    const Def* regex_;
    Span call_ = {}; ///< the innermost that is being rewritten
};

/// λ {n: Nat} = λ (mem, str, pos) = run (mem, str, pos), with positions as numbers. A pattern that has none was reported, and stays.
const Def* Lower::matcher(const Def* pattern) {
    auto& w   = world();
    auto code = compile(pattern);
    if (!code) return pattern;
    auto outer = w.mut_lam(regex_);
    auto inner = w.mut_lam(w.codom(outer->pi(), outer->var()));
    auto mem = w.extract(inner->var(), 0), str = w.extract(inner->var(), 1), pos = w.extract(inner->var(), 2);
    auto cast = [&](const Def* type, const Def* def) { return w.call(w.annex(core::bitcast(0)), {type, def}); };
    auto args = w.tuple({mem, cast(w.annex(Text(0)), str), cast(w.i64_type(), outer->var()), cast(w.i64_type(), pos)});
    auto res  = w.app(w.call(w.annex(direct::cps2ds(0)), {code}), args);
    w.set(inner, w.tt(), w.tuple({w.extract(res, 0), w.extract(res, 1), cast(pos->type(), w.extract(res, 2))}));
    w.set(outer, w.tt(), w.seal(inner));
    return w.seal(outer);
}

/// The function that matches; null, and reported, if there is none.
const Def* Lower::compile(const Def* pattern) {
    auto& w = world();
    struct Here { // reports are of the pattern
        World& w;
        Span before;
        ~Here() { w.here = before; }
    } here{w, std::exchange(w.here, call_ ? call_ : w.span(pattern))};
    try {
        auto plan = make_plan(w, pattern);
        return plan.scheme == by::branches ? branches(w, plan.dfa) : with_tables(plan.dfa, plan.scheme);
    } catch (const Error& e) {
        if (e.id != Diag::check_failed || !w.warn) throw;
        w.warn(e.id, e.args);
        return nullptr;
    }
}

const Def* Lower::array(size_t n, uint64_t bits, const std::function<uint64_t(size_t)>& elem) {
    auto& w   = world();
    auto type = bits == 64 ? w.i64_type() : w.idx(uint64_t(1) << bits);
    std::vector<const Def*> ops;
    for (size_t i = 0; i != n; ++i) ops.push_back(w.lit(type, elem(i)));
    return w.tuple(Defs(ops));
}

/// λ ((mem, text, n, pos), return) = run ((mem, text, n, pos, start), return), some without n, where the start depends on what is before the position.
const Def* Lower::from_start(const Def* code, const Def* starts, bool sized) {
    auto& w    = world();
    auto token = w.annex(mem::M(0));
    auto text  = w.annex(Text(0));
    auto match = w.mut_lam(
        w.fn(w.sigma({token, text, w.i64_type(), w.i64_type()}), w.sigma({token, w.bool_type(), w.i64_type()})));
    w.set_name(match, w.sym("match"));
    w.set_filter(match, w.ff());
    auto args = w.extract(match->var(), 0), ret = w.extract(match->var(), 1);
    auto str = w.extract(args, 1), n = w.extract(args, 2), pos = w.extract(args, 3);
    auto go = [&](const Def* mem, const Def* start) {
        return w.app(code, {sized ? w.tuple({mem, str, n, pos, start}) : w.tuple({mem, str, pos, start}), ret});
    };
    std::vector<Lam*> all{match};
    if (starts->isa<Pack>()) {
        w.set_body(match, go(w.extract(args, 0), w.extract(starts, 0)));
    } else {
        auto known = all.emplace_back(w.mut_lam(w.cn(w.sigma({token, w.idx(4)}))));
        w.set(known, w.ff(), go(w.extract(known->var(), 0), w.extract(starts, w.extract(known->var(), 1))));
        w.set_body(match, w.app(w.annex(run::before), {w.tuple({w.extract(args, 0), str, pos}), known}));
    }
    w.close(all);
    return match;
}

/// The terminator of a subject is its end.
static uint32_t class_of(const Dfa& dfa, size_t byte) { return dfa.class_of[byte == 0 ? End : byte]; }

const Def* Lower::with_tables(const Dfa& dfa, by scheme) {
    auto& w = world();
    const Def *code, *starts;
    if (scheme == by::shuffles) {
        code   = shuffles(w, dfa);
        starts = array(4, 4, [&](size_t b) { return dfa.start[b]; });
    } else if (scheme == by::shifts) {
        uint64_t accepts = 0;
        for (uint32_t q = 0; q != dfa.states; ++q) accepts |= uint64_t(dfa.accepts[dfa.at(q, End)]) << 6 * q;
        auto row = [&](size_t c) {
            uint64_t bits = 0;
            for (uint32_t q = 0; q != dfa.states; ++q) bits |= uint64_t(6 * dfa.to[dfa.cell(q, class_of(dfa, c))]) << 6 * q;
            return bits;
        };
        code   = w.call(w.annex(run::shifts), {w.tuple({array(256, 64, row), w.lit(w.i64_type(), accepts)})});
        starts = array(4, 64, [&](size_t b) { return 6 * dfa.start[b]; });
    } else {
        auto entry = [&](size_t i) { return 2 * uint64_t(dfa.to[i]) * dfa.classes + dfa.accepts[i]; };
        auto next  = array(dfa.to.size(), 32, entry);
        auto bytes = array(256, dfa.classes > 256 ? 16 : 8, [&](size_t c) { return class_of(dfa, c); });
        code       = w.call(w.annex(run::table), {w.tuple({w.lit_bool(dfa.is_whole()), bytes, next})});
        starts     = array(4, 32, [&](size_t b) { return uint64_t(dfa.start[b]) * dfa.classes; });
    }
    return from_start(code, starts, scheme == by::shuffles);
}

} // namespace

void lower(PhaseContext& c) {
    if (std::ranges::none_of(c.program().axioms(), [](const Axiom* a) { return is_ours(*a); })) return;
    Lower(c).run();
}

} // namespace mim::plug::regex
