// SPDX-License-Identifier: MIT
// Reads patterns from the graph. Shared parts are read once. Only normal forms come here: negations and repetitions are gone.
#include "pattern.h"

#include <algorithm>

#include "parts.h"
#include "regex.h"
#include "regex/diagnostics.h"

namespace mim::plug::regex {

/// Deeper patterns would take the stack of those who follow them.
static constexpr unsigned max_depth = 2000;

bool chars_of(const Def* def, Set& set) {
    if (auto axm = def->isa<Axm>()) return set = range_set(0, 255), is_tag<any>(axm->axiom());
    if (auto app = match<range>(def)) {
        auto lo = isa_lit(app.arg()->isa<Tuple>()  ? app.arg()->op(0)
                          : app.arg()->isa<Pack>() ? app.arg()->as<Pack>()->body()
                                                   : def);
        auto hi = app.arg()->isa<Tuple>() ? isa_lit(app.arg()->op(1)) : lo;
        if (!lo || !hi) return false;
        return set = range_set(unsigned(lo->value()), unsigned(hi->value())), true;
    }
    auto app = match<disj>(def);
    if (!app || !app.arg()->isa<Tuple>()) return false;
    Set part;
    set.reset();
    return !app.arg()->ops().empty()
           && std::ranges::all_of(app.arg()->ops(), [&](auto op) { return chars_of(op, part) && (set |= part, true); });
}

[[noreturn]] static void unknown() {
    fail(diag::not_known("this pattern is", "build it from `%regex`, in functions that are evaluated (a filter `@tt`)"));
}

const Pattern& Patterns::read(const Def* def) {
    auto& known = memo_[def];
    if (known) return *known;
    if (depth_ == max_depth) too_large("parts, one in the other,", max_depth);
    ++depth_;
    auto result = compute(def);
    --depth_;
    return *(memo_[def] = result);
}

std::vector<const Pattern*> Patterns::elems(const Def* app) {
    std::vector<const Pattern*> kids;
    auto n = value(group(app, 0));
    if (!n) unknown();
    if (*n > max_nodes) too_large("its parts", max_nodes);
    for (uint64_t i = 0; i != *n; ++i) kids.push_back(&read(operand(world_, app, i)));
    return kids;
}

const Pattern* Patterns::compute(const Def* def) {
    if (Set set; chars_of(def, set)) return trees_.make({.op = Pattern::Chars, .set = set});
    if (match<conj>(def)) return trees_.make({.op = Pattern::Conj, .kids = elems(def)});
    if (match<disj>(def)) return trees_.make({.op = Pattern::Disj, .kids = elems(def)});
    if (match<alt>(def)) return trees_.make({.op = Pattern::Alt, .kids = elems(def)});
    auto axm = head_axiom(def);
    auto sub = axm ? axm->axiom().id.sub : 0;
    if (auto app = match<quant>(def))
        return trees_.make({.op   = Pattern::Quant,
                            .none = quant(sub) != quant::plus,
                            .many = quant(sub) != quant::optional,
                            .kids = {&read(app.arg())}});
    if (auto app = match<lazy>(def))
        return trees_.make({.op   = Pattern::Quant,
                            .none = lazy(sub) != lazy::plus,
                            .many = lazy(sub) != lazy::optional,
                            .lazy = true,
                            .kids = {&read(app.arg())}});
    if (auto app = match<capture>(def)) {
        auto number = isa_lit(app.group(0));
        if (!number) unknown();
        auto kid = &read(app.arg());
        return groups_ ? trees_.make({.op = Pattern::Group, .number = number->value(), .kids = {kid}}) : kid;
    }
    if (auto app = match<by>(def)) return wish.scheme = sub, &read(app.arg());
    if (def->isa<Axm>() && is_tag<at>(def->as<Axm>()->axiom())) return trees_.place(at(def->as<Axm>()->axiom().id.sub));
    unknown();
}

namespace {

class Writer {
public:
    Writer(World& w, const Trees& trees)
        : w_(w)
        , trees_(trees) {}

    const Def* write(const Pattern* p) {
        auto& known = memo_[p];
        return known ? known : known = compute(*p);
    }

private:
    const Def* compute(const Pattern& p) {
        if (auto sub = trees_.place_of(&p)) return w_.annex(*sub);
        if (p.op == Pattern::Chars) return chars(w_, p.set);
        DefVec ops;
        for (auto kid : p.kids) ops.push_back(write(kid));
        switch (p.op) {
            case Pattern::Conj: return nary<conj>(w_, ops);
            case Pattern::Disj: return nary<disj>(w_, ops);
            case Pattern::Group: return w_.apply<capture>(p.number, ops[0]);
            case Pattern::Quant: return w_.app(quantifier(p), ops[0]);
            default: return nary<alt>(w_, ops);
        }
    }
    const Def* quantifier(const Pattern& p) {
        if (p.lazy) return w_.annex(!p.many ? lazy::optional : p.none ? lazy::star : lazy::plus);
        return w_.annex(!p.many ? quant::optional : p.none ? quant::star : quant::plus);
    }

    World& w_;
    const Trees& trees_;
    std::unordered_map<const Pattern*, const Def*> memo_;
};

} // namespace

const Def* write(World& w, const Trees& trees, const Pattern& pattern) { return Writer(w, trees).write(&pattern); }

} // namespace mim::plug::regex
