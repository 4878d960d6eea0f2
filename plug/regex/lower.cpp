// SPDX-License-Identifier: MIT
// The phase regex.lower, at the extension point `front`: a pattern becomes a function that matches it, once for each pattern of the program. What
// it does is written in Mim (regex.mim, from `%regex.run` on) and takes the automaton as tables, or is a block for each state.
#include <utility>

#include "core/annexes.h"
#include "direct/annexes.h"
#include "explain.h"
#include "kit/build.h"
#include "kit/selective.h"
#include "mem/annexes.h"
#include "plan.h"
#include "regex.h"
#include "regex/diagnostics.h"
#include "search.h"
#include "tables.h"

namespace mim::plug::regex {

namespace {

bool is_ours(const Axiom& axiom) { return is_of_plugin<conj>(axiom); }

/// A function that searches for a pattern: such an axiom applied to one.
template<class Enum>
bool is_searcher(const Def* def) {
    auto axm = def->isa<App>() ? callee_of(def)->isa<Axm>() : nullptr;
    return axm && is_tag<Enum>(axm->axiom());
}
bool is_searcher(const Def* def) { return is_searcher<prefix>(def) || is_searcher<next>(def) || is_searcher<count>(def); }

class Lower : public SelectiveRewriter {
public:
    explicit Lower(PhaseContext& c)
        : SelectiveRewriter(c)
        , diags_(c.diags)
        , shows_features_(c.settings.flag("regex.features"))
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
        return rewrite(eta_expand(world(), def));
    }

private:
    /// A pattern that is applied: where its match is asked for is where it is wrong.
    const Def* call(const Def* def) {
        auto around = call_;
        if (auto span = world().notes.span(def)) call_ = span;
        auto result = SelectiveRewriter::rewrite_imm(def);
        call_       = around;
        return result;
    }
    const Def* matcher(const Def* pattern);
    const Def* searcher(const Def*);
    const Def* wrap(const Def* type, const Def* code, const DefVec& more = {});
    const Def* matching(const Def* pattern);
    const Def* with_groups(const Def* callee, const Def* pattern);
    template<class F>
    const Def* compile(const Def* pattern, F make);
    const Def* with_tables(const Dfa&, by scheme, bool sized = false);
    const Def* with_threads(const Threads&);
    const Def* from_start(const Def* code, const Def* starts, bool sized = false);

    void tell(const Reasons&);

    Diagnostics& diags_;
    bool shows_features_;
    const Def* regex_;
    Span call_ = {}; ///< the innermost that is being rewritten
};

static const Def* cast(World& w, const Def* to, const Def* def) { return w.call<core::bitcast>(to, def); }

/// λ {n: Nat} = λ … = body (n, …), evaluated where it is called.
template<class F>
static const Def* inlined(World& w, const Def* type, F body) {
    auto outer = w.mut_lam(type);
    auto inner = w.mut_lam(codom(w, outer->pi(), outer->var()));
    w.set(inner, w.tt(), body(outer->var(), inner));
    w.set(outer, w.tt(), w.seal(inner));
    return w.seal(outer);
}

/// λ {n: Nat} = λ (mem, text, …) = code (mem, text, n, …), where positions are numbers; `more` are arguments behind
/// those.
const Def* Lower::wrap(const Def* type, const Def* code, const DefVec& more) {
    auto& w = world();
    return inlined(w, type, [&](const Def* n, const Lam* inner) {
        DefVec args;
        auto var = inner->var();
        for (int64_t i = 0; i != lit_arity(w, var->type()); ++i) {
            auto arg = w.extract(var, i);
            if (i == 1) args.push_back(cast(w, w.annex(Text(0)), arg)), args.push_back(cast(w, w.i64_type(), n));
            else args.push_back(i == 0 || arg->type() == w.bool_type() ? arg : cast(w, w.i64_type(), arg));
        }
        args.insert(args.end(), more.begin(), more.end());
        auto found  = w.app(w.call<direct::cps2ds>(code), args);
        auto to     = codom(w, inner->pi(), var);
        auto result = [&](size_t i) {
            auto part = w.extract(found, i);
            return part->type() == to->op(i) ? part : cast(w, to->op(i), part);
        };
        return w.tuple(def_vec(size_t(lit_arity(w, to)), result));
    });
}

/// A pattern that has no matcher was reported, and stays.
const Def* Lower::matcher(const Def* pattern) {
    auto code = compile(pattern, [&] { return matching(pattern); });
    return code ? wrap(regex_, code) : pattern;
}

const Def* Lower::matching(const Def* pattern) {
    auto plan = make_plan(world(), pattern);
    if (diags_.verbose) {
        auto reasons  = explain(world(), plan);
        auto features = shows_features_ ? features_of(world(), pattern) : "";
        if (!features.empty()) reasons.why += " [features: " + features + "]";
        tell(reasons);
    }
    if (plan.scheme == by::threads) return with_threads(plan.threads);
    if (plan.scheme == by::lazy) return lazy_match(world(), plan.threads);
    return plan.scheme == by::branches ? branches(world(), plan.dfa) : with_tables(plan.dfa, plan.scheme);
}

const Def* Lower::searcher(const Def* def) {
    auto& w      = world();
    auto pattern = arg_of(def);
    DefVec more;
    auto code = compile(pattern, [&] {
        if (!is_searcher<prefix>(def)) {
            auto search = make_search(w, pattern);
            bool counts = is_searcher<count>(def);
            if (diags_.verbose) tell(counts ? explain_count(world(), search) : explain(search));
            return counts ? count_code(w, search) : next_code(w, search);
        }
        auto plan = make_plan(w, pattern, true);
        if (diags_.verbose) tell(explain(w, plan));
        if (!needs_no_automaton(int(plan.scheme)) && plan.scheme != by::table) return with_tables(plan.dfa, plan.scheme, true);
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
        auto count = group_count(group(callee, 0));
        auto args  = tables(w, make_group_plan(w, pattern, count));
        args.insert(args.begin(), w.lit_nat(count));
        return w.app(w.call(run::groups, Defs(args)), matching(pattern));
    });
    if (!code) return asks;
    return inlined(w, asks->type(), [&](const Def* n, const Lam* inner) {
        auto [mem, str, pos] = elems<3>(w, inner->var());
        auto args  = w.tuple({mem, cast(w, w.annex(Text(0)), str), cast(w, w.i64_type(), n), cast(w, w.i64_type(), pos)});
        auto found = w.app(w.call<direct::cps2ds>(code), args);
        auto [token, ok, end, all] = elems<4>(w, found);
        auto number                = *value(group(callee, 0));
        DefVec places{w.tuple({ok, pos, cast(w, pos->type(), end)})};
        for (uint64_t i = 1; i != number; ++i) {
            auto [took, from, to] = elems<3>(w, number == 2 ? all : w.extract(all, i - 1));
            places.push_back(w.tuple({took, cast(w, pos->type(), from), cast(w, pos->type(), to)}));
        }
        return w.tuple({token, ok, w.tuple(places)});
    });
}

/// The code that is made; null, and reported, if the pattern is wrong.
template<class F>
const Def* Lower::compile(const Def* pattern, F make) {
    auto& w = world();
    struct Here { // reports are of the pattern
        World& w;
        Span before;
        ~Here() { w.here = before; }
    } here{w, std::exchange(w.here, call_ ? call_ : w.notes.span(pattern))};
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
    Functions functions(w);
    auto match = functions.lam(
        w.fn(w.sigma({token, text, w.i64_type(), w.i64_type()}), w.sigma({token, w.bool_type(), w.i64_type()})), "match");
    auto [args, ret]        = elems<2>(w, match->var());
    auto [mem, str, n, pos] = elems<4>(w, args);
    auto go                 = [&](const Def* token, const Def* start) {
        return w.app(code, {sized ? w.tuple({token, str, n, pos, start}) : w.tuple({token, str, pos, start}), ret});
    };
    if (starts->isa<Pack>()) {
        w.set_body(match, go(mem, w.extract(starts, 0)));
    } else {
        auto known         = functions.con(w.sigma({token, w.idx(4)}));
        auto [then, start] = elems<2>(w, known->var());
        w.set_body(known, go(then, w.extract(starts, start)));
        w.set_body(match, w.apply(run::before, {w.tuple({mem, str, pos}), known}));
    }
    functions.close();
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
        code   = w.call(run::shifts, {array(w, 256, 64, row), w.lit(w.i64_type(), accepts)});
        starts = array(w, 4, 64, [&](size_t b) { return 6 * dfa.start[b]; });
    } else {
        auto entry = [&](size_t i) { return 2 * uint64_t(dfa.to[i]) * dfa.classes + dfa.accepts[i]; };
        auto next  = array(w, dfa.to.size(), 32, entry);
        auto bytes = array(w, 256, dfa.classes > 256 ? 16 : 8, [&](size_t c) { return class_of(dfa, c); });
        code       = w.call(run::table, {w.lit_bool(dfa.is_whole()), bytes, next});
        starts     = array(w, 4, 32, [&](size_t b) { return uint64_t(dfa.start[b]) * dfa.classes; });
    }
    return from_start(code, starts, in_blocks);
}

const Def* Lower::with_threads(const Threads& threads) {
    auto& w     = world();
    auto before = array(w, 4, 8, [&](size_t b) { return threads.looks_back() ? 1u << b : unsigned(Anywhere); });
    auto args   = tables(w, threads);
    args.insert(args.begin(), w.lit_bool(threads.ordered));
    return from_start(w.call(run::threads, Defs(args)), before, true);
}

} // namespace

const Def* array(World& w, size_t n, unsigned bits, const std::function<uint64_t(size_t)>& elem) {
    auto type = bits == 64 ? w.i64_type() : w.idx(uint64_t(1) << bits);
    return w.tuple(def_vec(n, [&](size_t i) { return w.lit(type, elem(i)); }));
}

void lower(PhaseContext& c) {
    if (plugin_occurs<conj>(c.program())) Lower(c).run();
}

} // namespace mim::plug::regex
