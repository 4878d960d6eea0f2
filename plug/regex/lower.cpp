// SPDX-License-Identifier: MIT
// The phase regex.lower, at the place `front`: a pattern becomes a function that matches it, once for each pattern of the program. What
// it does is written in Mim (regex.mim, from `%regex.run` on) and takes the automaton as tables, or is a block for each state.
#include <algorithm>
#include <utility>

#include "core/annexes.h"
#include "direct/annexes.h"
#include "explain.h"
#include "mem/annexes.h"
#include "opt/selective.h"
#include "plan.h"
#include "regex.h"
#include "regex/diagnostics.h"
#include "search.h"
#include "tables.h"

namespace mim::plug::regex {

namespace {

bool is_ours(const Axiom& axiom) { return axiom.id.plugin == AnnexTraits<conj>::plugin; }

/// A function that searches for a pattern: such an axiom applied to one.
template<class Enum>
bool is_searcher(const Def* def) {
    auto axm = def->isa<App>() ? def->as<App>()->callee()->isa<Axm>() : nullptr;
    return axm && is_tag<Enum>(axm->axiom());
}
bool is_searcher(const Def* def) { return is_searcher<prefix>(def) || is_searcher<next>(def) || is_searcher<count>(def); }

class Lower : public opt::SelectiveRewriter {
public:
    explicit Lower(PhaseContext& c)
        : SelectiveRewriter(c)
        , diags_(c.diags)
        , regex_(c.world.annex(RegEx(0))) {}

protected:
    bool wants(const Def* def) override { return def->isa<Axm>() && is_ours(def->as<Axm>()->axiom()); }

    const Def* rewrite_imm(const Def* def) override {
        auto axm = head_axiom(def);
        if (!axm || !is_ours(axm->axiom())) return SelectiveRewriter::rewrite_imm(def);
        if (def->type() == regex_) return matcher(def);
        if (is_searcher(def)) return searcher(def);
        if (auto asked = match<groups>(def)) return with_groups(asked.callee(), asked.arg());
        for (auto d = def; d->isa<App>(); d = d->as<App>()->callee())
            if (auto f = d->as<App>()->callee(); f->type() == regex_ || is_searcher(f) || match<groups>(f)) return call(def);
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
    const Def* searcher(const Def*);
    const Def* wrap(const Def* type, const Def* code, const std::vector<const Def*>& more = {});
    const Def* matching(const Def* pattern);
    const Def* with_groups(const Def* callee, const Def* pattern);
    template<class F>
    const Def* compile(const Def* pattern, F make);
    const Def* with_tables(const Dfa&, by scheme, bool sized = false);
    const Def* with_threads(const Threads&);
    const Def* from_start(const Def* code, const Def* starts, bool sized = false);

    void tell(const Reasons&);

    Diagnostics& diags_;
    const Def* regex_;
    Span call_ = {}; ///< the innermost that is being rewritten
};

/// λ {n: Nat} = λ (mem, text, …) = code (mem, text, n, …), where positions are numbers; `more` are arguments behind those.
const Def* Lower::wrap(const Def* type, const Def* code, const std::vector<const Def*>& more) {
    auto& w    = world();
    auto outer = w.mut_lam(type);
    auto inner = w.mut_lam(w.codom(outer->pi(), outer->var()));
    auto cast  = [&](const Def* to, const Def* def) { return w.call(w.annex(core::bitcast(0)), {to, def}); };
    std::vector<const Def*> args, results;
    auto var = inner->var();
    for (int64_t i = 0; i != w.lit_arity(var->type()); ++i) {
        auto arg = w.extract(var, i);
        if (i == 1) args.push_back(cast(w.annex(Text(0)), arg)), args.push_back(cast(w.i64_type(), outer->var()));
        else args.push_back(i == 0 || arg->type() == w.bool_type() ? arg : cast(w.i64_type(), arg));
    }
    args.insert(args.end(), more.begin(), more.end());
    auto found = w.app(w.call(w.annex(direct::cps2ds(0)), {code}), w.tuple(Defs(args)));
    auto to    = w.codom(inner->pi(), var);
    for (int64_t i = 0; i != w.lit_arity(to); ++i) {
        auto result = w.extract(found, i);
        results.push_back(result->type() == to->op(i) ? result : cast(to->op(i), result));
    }
    w.set(inner, w.tt(), w.tuple(Defs(results)));
    w.set(outer, w.tt(), w.seal(inner));
    return w.seal(outer);
}

/// A pattern that has no matcher was reported, and stays.
const Def* Lower::matcher(const Def* pattern) {
    auto code = compile(pattern, [&] { return matching(pattern); });
    return code ? wrap(regex_, code) : pattern;
}

const Def* Lower::matching(const Def* pattern) {
    auto plan = make_plan(world(), pattern);
    if (diags_.verbose) tell(explain(world(), plan));
    if (plan.scheme == by::threads) return with_threads(plan.threads);
    return plan.scheme == by::branches ? branches(world(), plan.dfa) : with_tables(plan.dfa, plan.scheme);
}

const Def* Lower::searcher(const Def* def) {
    auto& w      = world();
    auto pattern = def->as<App>()->arg();
    std::vector<const Def*> more;
    auto code = compile(pattern, [&] {
        if (!is_searcher<prefix>(def)) {
            auto search = make_search(w, pattern);
            bool counts = is_searcher<count>(def);
            if (diags_.verbose) tell(counts ? explain_count(world(), search) : explain(search));
            return counts ? count_code(w, search) : next_code(w, search);
        }
        auto plan = make_plan(w, pattern, true);
        if (diags_.verbose) tell(explain(w, plan));
        if (plan.scheme != by::threads && plan.scheme != by::table) return with_tables(plan.dfa, plan.scheme, true);
        more.push_back(w.ff());
        return prefix_code(w, std::move(plan));
    });
    return code ? wrap(def->type(), code, more) : def;
}

/// Notes how a pattern is matched, and why.
void Lower::tell(const Reasons& r) { diags_.report(diag::way(r.way, r.size, r.why), world().here); }

/// λ {n: Nat} = λ (mem, str, pos) = run (mem, str, n, pos), and the places of groups as pairs of positions.
const Def* Lower::with_groups(const Def* callee, const Def* pattern) {
    auto& w   = world();
    auto asks = w.app(callee, pattern);
    auto code = compile(pattern, [&] {
        auto count = group_count(group(callee));
        auto args  = tables(w, make_group_plan(w, pattern, count));
        args.insert(args.begin(), w.lit_nat(count));
        return w.app(w.call(w.annex(run::groups), {w.tuple(Defs(args))}), matching(pattern));
    });
    if (!code) return asks;
    auto outer = w.mut_lam(asks->type()->as<Pi>());
    auto inner = w.mut_lam(w.codom(outer->pi(), outer->var()));
    auto mem = w.extract(inner->var(), 0), str = w.extract(inner->var(), 1), pos = w.extract(inner->var(), 2);
    auto cast = [&](const Def* to, const Def* def) { return w.call(w.annex(core::bitcast(0)), {to, def}); };
    auto args = w.tuple({mem, cast(w.annex(Text(0)), str), cast(w.i64_type(), outer->var()), cast(w.i64_type(), pos)});
    auto res  = w.app(w.call(w.annex(direct::cps2ds(0)), {code}), args);
    auto ok = w.extract(res, 1), all = w.extract(res, 3);
    auto n = isa_lit(group(callee))->value();
    std::vector<const Def*> places{w.tuple({ok, pos, cast(pos->type(), w.extract(res, 2))})};
    for (uint64_t i = 1; i != n; ++i) {
        auto place = n == 2 ? all : w.extract(all, i - 1);
        auto part  = [&](uint64_t j) { return cast(pos->type(), w.extract(place, j)); };
        places.push_back(w.tuple({w.extract(place, 0), part(1), part(2)}));
    }
    w.set(inner, w.tt(), w.tuple({w.extract(res, 0), ok, w.tuple(Defs(places))}));
    w.set(outer, w.tt(), w.seal(inner));
    return w.seal(outer);
}

/// The code that is made; null, and reported, if the pattern is wrong.
template<class F>
const Def* Lower::compile(const Def* pattern, F make) {
    auto& w = world();
    struct Here { // reports are of the pattern
        World& w;
        Span before;
        ~Here() { w.here = before; }
    } here{w, std::exchange(w.here, call_ ? call_ : w.span(pattern))};
    try {
        return make();
    } catch (const Error& e) {
        if ((e.id != diag::too_large && e.id != diag::not_known) || !w.warn) throw;
        w.warn(e);
        return nullptr;
    }
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

const Def* Lower::with_tables(const Dfa& dfa, by scheme, bool sized) {
    auto& w = world();
    const Def *code, *starts;
    bool in_blocks = scheme == by::shuffles || scheme == by::strides || scheme == by::compare || scheme == by::hash;
    if (in_blocks) {
        code   = scheme == by::shuffles  ? shuffles(w, dfa, sized)
                 : scheme == by::strides ? strides(w, dfa, sized)
                 : scheme == by::hash    ? hash(w, dfa, sized)
                                         : compare(w, dfa, sized);
        starts = array(w, 4, 64, [&](size_t b) { return dfa.start[b]; });
    } else if (scheme == by::shifts) {
        uint64_t accepts = 0;
        for (uint32_t q = 0; q != dfa.states; ++q) accepts |= uint64_t(dfa.accepts[dfa.at(q, End)]) << 6 * q;
        auto row = [&](size_t c) {
            uint64_t bits = 0;
            for (uint32_t q = 0; q != dfa.states; ++q) bits |= uint64_t(6 * dfa.to[dfa.cell(q, class_of(dfa, c))]) << 6 * q;
            return bits;
        };
        code   = w.call(w.annex(run::shifts), {w.tuple({array(w, 256, 64, row), w.lit(w.i64_type(), accepts)})});
        starts = array(w, 4, 64, [&](size_t b) { return 6 * dfa.start[b]; });
    } else {
        auto entry = [&](size_t i) { return 2 * uint64_t(dfa.to[i]) * dfa.classes + dfa.accepts[i]; };
        auto next  = array(w, dfa.to.size(), 32, entry);
        auto bytes = array(w, 256, dfa.classes > 256 ? 16 : 8, [&](size_t c) { return class_of(dfa, c); });
        code       = w.call(w.annex(run::table), {w.tuple({w.lit_bool(dfa.is_whole()), bytes, next})});
        starts     = array(w, 4, 32, [&](size_t b) { return uint64_t(dfa.start[b]) * dfa.classes; });
    }
    return from_start(code, starts, in_blocks);
}

const Def* Lower::with_threads(const Threads& threads) {
    auto& w     = world();
    auto before = array(w, 4, 8, [&](size_t b) { return threads.looks_back() ? 1u << b : unsigned(Anywhere); });
    auto args   = tables(w, threads);
    args.insert(args.begin(), w.lit_bool(threads.ordered));
    return from_start(w.call(w.annex(run::threads), {w.tuple(Defs(args))}), before, true);
}

} // namespace

const Def* array(World& w, size_t n, unsigned bits, const std::function<uint64_t(size_t)>& elem) {
    auto type = bits == 64 ? w.i64_type() : w.idx(uint64_t(1) << bits);
    std::vector<const Def*> ops;
    for (size_t i = 0; i != n; ++i) ops.push_back(w.lit(type, elem(i)));
    return w.tuple(Defs(ops));
}

void lower(PhaseContext& c) {
    if (std::ranges::none_of(c.program().axioms(), [](const Axiom* a) { return is_ours(*a); })) return;
    Lower(c).run();
}

} // namespace mim::plug::regex
