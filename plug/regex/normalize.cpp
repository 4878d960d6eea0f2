// SPDX-License-Identifier: MIT
// Normal forms of patterns, as laws of languages. Where a pattern has an order (alt, lazy), nothing is moved across it: a law that needs
// its operands to be languages asks `is_language`. What is not known yet, a variable, is no language.
#include <algorithm>
#include <unordered_set>

#include "kit/build.h"
#include "parts.h"
#include "regex.h"
#include "regex/diagnostics.h"
#include "regex/host/classes.h"
#include "regex/host/parse.h"

namespace mim::plug::regex {

namespace {

/// More operands stay together as they were written.
constexpr uint64_t max_flat = 4096;

/// A pattern is a function, so the axiom is not applied to all that its type takes.
bool is_at(const Def* def) { return def->isa<Axm>() && is_tag<at>(def->as<Axm>()->axiom()); }

/// The operands of an application of conj, disj or alt; false if there are too many, or their number is not known.
bool operands(World& w, const Def* number, const Def* arg, DefVec& ops) {
    auto n = value(number);
    if (!n || *n > max_flat) return false;
    for (uint64_t i = 0; i != *n; ++i) ops.push_back(w.extract(arg, i));
    return true;
}

template<class Enum>
bool operands(World& w, const Def* def, DefVec& ops) {
    auto app = match<Enum>(def);
    return app && operands(w, app.group(0), app.arg(), ops);
}

/// Of the pattern that is built; false also while it is not known.
bool operands(const Redex& redex, DefVec& ops) {
    return !redex.is_unstable() && operands(redex.w, redex.group(0), redex.arg, ops);
}

const Def* make_conj(World& w, const DefVec& ops) { return one_or<conj>(w, ops); }
const Def* make_quant(World& w, quant sub, const Def* r) { return w.apply(sub, r); }
const Def* nothing(World& w) { return nary<disj>(w, {}); } ///< matches nothing
const Def* empty(World& w) { return nary<conj>(w, {}); }   ///< the empty text

/// Asks a question of each pattern in a pattern until one says no.
template<class F>
bool each(const Def* def, F f, std::unordered_set<const Def*>& seen) {
    if (!seen.insert(def).second) return true;
    int answer = f(def);
    if (answer >= 0) return answer;
    auto arg  = arg_of(def);
    auto deep = [&](const Def* op) { return each(op, f, seen); };
    if (auto pack = arg->isa<Pack>()) return deep(pack->body());
    if (auto tuple = arg->isa<Tuple>()) return std::ranges::all_of(tuple->ops(), deep);
    return deep(arg);
}

/// It is made of the operators of languages, and of groups if these do not count, and all of it is known.
bool is_language(const Def* def, bool groups) {
    std::unordered_set<const Def*> seen;
    Set set;
    auto f = [&](const Def* d) {
        if (chars_of(d, set) || match<disj>(d) || is_at(d)) return 1;
        return match<conj>(d) || match<quant>(d) || (groups && match<capture>(d)) ? -1 : 0;
    };
    return each(def, f, seen);
}
bool is_language(const Def* def) { return is_language(def, false); }

/// All of it is known.
bool is_known(const Def* def) {
    std::unordered_set<const Def*> seen;
    Set set;
    auto f = [&](const Def* d) {
        if (chars_of(d, set) || is_at(d)) return 1;
        bool many = match<conj>(d) || match<disj>(d) || match<alt>(d);
        return many || match<quant>(d) || match<lazy>(d) || match<capture>(d) ? -1 : 0;
    };
    return each(def, f, seen);
}

const Def* range_of(World& w, unsigned lo, unsigned hi) {
    if (lo == 0 && hi == 255) return w.annex(any(0));
    return w.apply<range>({w.lit_idx(256, lo), w.lit_idx(256, hi)});
}

DefVec ranges(World& w, const Set& set) {
    DefVec ops;
    for (auto [lo, hi] : runs(set)) ops.push_back(range_of(w, lo, hi));
    return ops;
}

/// Two neighbours of a conjunction of languages as one, or null.
const Def* join(World& w, const Def* a, const Def* b) {
    auto p = match<quant>(a), q = match<quant>(b);
    auto star = match(quant::star, b);
    if (star && star.arg() == a) return make_quant(w, quant::plus, a);
    if (p && p.sub() == quant::star && p.arg() == b) return make_quant(w, quant::plus, b);
    if (!p || !q || p.arg() != q.arg() || (p.sub() != quant::star && q.sub() != quant::star)) return nullptr;
    // r* r* = r* r? = r*, and r* r+ = r+
    return p.sub() == quant::plus ? a : q.sub() == quant::plus ? b : make_quant(w, quant::star, p.arg());
}

/// A pattern whose parts are given to a function on patterns; null if it has none, or they are not known. That a pattern has many parts is no
/// reason to leave the call: nothing but a normal form can become code.
const Def* into_parts(World& w, const Def* callee, const Def* arg) {
    auto again = [&](const Def* r) { return w.app(callee, r); };
    if (match<quant>(arg) || match<lazy>(arg) || match<by>(arg) || match<capture>(arg))
        return w.app(callee_of(arg), again(arg_of(arg)));
    if (!match<conj>(arg) && !match<disj>(arg) && !match<alt>(arg)) return nullptr;
    auto ops = arg_of(arg);
    auto n   = value(group(arg, 0));
    if (auto pack = ops->isa<Pack>()) return w.app(callee_of(arg), w.pack(pack->arity(), again(pack->body())));
    if (!n) return nullptr;
    if (*n > max_nodes) too_large("its parts", max_nodes);
    return w.app(callee_of(arg), w.tuple(def_vec(*n, [&](size_t i) { return again(w.extract(ops, i)); })));
}

} // namespace

const Def* chars(World& w, const Set& set) {
    auto ops = ranges(w, set);
    return one_or<disj>(w, ops);
}

/// conj (…, conj rs, …) ▷ conj (…, rs…, …) · conj (…, disj (), …) ▷ disj () · conj (r, r*) ▷ r+ · conj (r*, r*) ▷ r*
const Def* normalize_conj(const Redex& redex) {
    auto& w = redex.w;
    DefVec ops, flat, joined;
    if (!operands(redex, ops)) return nullptr;
    if (std::ranges::find(ops, nothing(w)) != ops.end()) return nothing(w);
    bool language = std::ranges::all_of(ops, [](auto op) { return is_language(op); });
    for (auto op : ops) {
        DefVec inner;
        // a language in an ordered pattern is one part of it
        bool opens = operands<conj>(w, op, inner) && (language || inner.empty() || (is_known(op) && !is_language(op, true)));
        if (opens && flat.size() + inner.size() <= max_flat) flat.insert(flat.end(), inner.begin(), inner.end());
        else flat.push_back(op);
    }
    for (auto op : flat) {
        for (const Def* one = language && !joined.empty() ? join(w, joined.back(), op) : nullptr; one;) {
            joined.pop_back(), op = one;
            one = joined.empty() ? nullptr : join(w, joined.back(), op);
        }
        joined.push_back(op);
    }
    return joined == ops && ops.size() != 1 ? nullptr : make_conj(w, joined);
}

/// disj (…, disj rs, …) ▷ disj (…, rs…, …), sorted and each once · ranges that touch are one · disj (r, ()) ▷ r? · disj (r, r*) ▷ r*
const Def* normalize_disj(const Redex& redex) {
    auto& w = redex.w;
    DefVec ops, todo, rest;
    if (!operands(redex, ops)) return nullptr;
    Set set, part;
    bool none = false;
    auto put  = [&](const Def* op) {
        if (chars_of(op, part)) set |= part;
        else if (op == empty(w)) none = true;
        else if (auto opt = match(quant::optional, op)) none = true, todo.push_back(opt.arg());
        else if (DefVec inner; operands<disj>(w, op, inner)) todo.insert(todo.end(), inner.rbegin(), inner.rend());
        else rest.push_back(op);
    };
    for (auto op : ops) {
        put(op);
        while (!todo.empty()) {
            op = todo.back();
            todo.pop_back(), put(op);
        }
    }
    std::ranges::sort(rest, [](auto a, auto b) { return compare(a, b) < 0; });
    rest.erase(std::ranges::unique(rest).begin(), rest.end());
    if (rest.size() > max_flat) return nullptr;
    // r is in r* and in r+
    std::unordered_set<const Def*> within;
    for (auto op : rest)
        if (auto q = match<quant>(op)) within.insert(q.arg());
    std::erase_if(rest, [&](auto op) { return within.contains(op); });
    for (auto op : within)
        if (chars_of(op, part)) set &= ~part;
    auto all = ranges(w, set);
    all.insert(all.end(), rest.begin(), rest.end());
    auto alone = all.size() == 1 && is_language(all[0]) ? all[0] : nullptr;
    if (none) return make_quant(w, quant::optional, alone ? alone : nary<disj>(w, all));
    if (alone) return alone;
    return all == ops ? nullptr : nary<disj>(w, all);
}

const Def* normalize_range(const Redex& redex) {
    auto lo = value(redex.elem(0)), hi = value(redex.elem(1));
    if (!lo || !hi) return nullptr;
    auto show = [](uint64_t c) { return c > ' ' && c < 127 ? std::string{'\'', char(c), '\''} : std::to_string(c); };
    if (*lo > *hi) fail(diag::order(show(*lo), show(*hi)));
    return lo == 0 && hi == 255 ? redex.w.annex(any(0)) : nullptr;
}

/// The characters that r does not match; an error if r is known, and is no pattern of one character.
const Def* normalize_not(const Redex& redex) {
    if (redex.arg->is_unstable()) return nullptr;
    if (Set set; chars_of(redex.arg, set)) return chars(redex.w, ~set & range_set(0, 255));
    if (redex.arg == nothing(redex.w)) return redex.w.annex(any(0));
    if (is_known(redex.arg)) fail(diag::not_one());
    return nullptr;
}

/// r?? ▷ r? · r++ ▷ r+ · every other quantifier of a quantified r ▷ r* · ()* ▷ ()
const Def* normalize_quant(const Redex& redex) {
    auto& w = redex.w;
    if (redex.arg->is_unstable()) return nullptr;
    auto sub = quant(redex.sub());
    if (redex.arg == empty(w)) return redex.arg;
    if (redex.arg == nothing(w)) return sub == quant::plus ? redex.arg : empty(w);
    auto inner = match<quant>(redex.arg);
    if (!inner || !is_language(redex.arg)) return nullptr;
    return inner.sub() == sub ? redex.arg : make_quant(w, quant::star, inner.arg());
}

/// alt (…, alt rs, …) ▷ alt (…, rs…, …)
const Def* normalize_alt(const Redex& redex) {
    auto& w = redex.w;
    DefVec ops, flat;
    if (!operands(redex, ops)) return nullptr;
    for (auto op : ops)
        if (DefVec inner; !operands<alt>(w, op, inner)) flat.push_back(op);
        else flat.insert(flat.end(), inner.begin(), inner.end());
    return flat == ops || flat.size() > max_flat ? nullptr : nary<alt>(w, flat);
}

/// ()*? ▷ ()
const Def* normalize_lazy(const Redex& redex) { return redex.arg == empty(redex.w) ? redex.arg : nullptr; }

/// The outer wish counts.
const Def* normalize_by(const Redex& redex) {
    auto inner = match<by>(redex.arg);
    return inner ? redex.w.app(redex.callee, inner.arg()) : nullptr;
}

/// At least min times, then at most max - min times.
const Def* normalize_repeat(const Redex& redex) {
    auto& w  = redex.w;
    auto min = value(w, redex.group(0), 0), max = value(w, redex.group(0), 1);
    if (!min || !max || redex.arg->is_unstable()) return nullptr;
    if (*min > *max) fail(diag::order(std::to_string(*min), std::to_string(*max) + " times"));
    auto times = [&](uint64_t n, const Def* r) { return w.apply<conj>(n, w.pack(n, r)); };
    if (min == max) return times(*min, redex.arg);
    auto more = times(*max - *min, make_quant(w, quant::optional, redex.arg));
    return min == 0 ? more : make_conj(w, {times(*min, redex.arg), more});
}

/// Characters get their other case; all else passes it on.
const Def* normalize_nocase(const Redex& redex) {
    if (redex.arg->is_unstable()) return nullptr;
    if (Set set; chars_of(redex.arg, set)) {
        for (unsigned c = 'a'; c <= 'z'; ++c)
            if (set[c] || set[c - 32]) set.set(c).set(c - 32);
        return chars(redex.w, set);
    }
    return is_at(redex.arg) ? redex.arg : into_parts(redex.w, redex.callee, redex.arg);
}

/// Characters are no newlines, and the ends of the subject those of a line.
const Def* normalize_lines(const Redex& redex) {
    auto& w = redex.w;
    if (redex.arg->is_unstable()) return nullptr;
    if (Set set; chars_of(redex.arg, set)) return chars(w, set.reset('\n'));
    if (redex.arg == w.annex(at::start)) return w.annex(at::line_start);
    if (redex.arg == w.annex(at::stop)) return w.annex(at::line_stop);
    return is_at(redex.arg) ? redex.arg : into_parts(w, redex.callee, redex.arg);
}

/// One character from lo to hi, in UTF-8.
const Def* normalize_utf8(const Redex& redex) {
    auto lo = value(redex.elem(0)), hi = value(redex.elem(1));
    if (!lo || !hi) return nullptr;
    if (*lo > *hi) fail(diag::order(std::to_string(*lo), std::to_string(*hi)));
    if (*hi > max_code_point) fail(diag::character(std::to_string(*hi) + " is above 1114111, which is the last one"));
    Trees trees;
    return write(redex.w, trees, *utf8_range(trees, uint32_t(*lo), uint32_t(*hi)));
}

const Def* parse_text(World& w, std::string text) {
    Trees trees;
    return write(w, trees, parse_text(trees, std::move(text)));
}

const Def* normalize_parse(const Redex& redex) {
    auto n = value(redex.group(0));
    if (!n || redex.arg->is_unstable()) return nullptr;
    if (*n > max_nodes) too_large("characters of its text", max_nodes);
    std::string text;
    for (uint64_t i = 0; i != *n; ++i) {
        auto c = value(redex.w.extract(redex.arg, i));
        if (!c) return nullptr;
        text += char(*c);
    }
    return parse_text(redex.w, std::move(text));
}

} // namespace mim::plug::regex
