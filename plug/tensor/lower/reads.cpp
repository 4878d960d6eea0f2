// SPDX-License-Identifier: MIT
// See reads.h.
#include "lower/reads.h"

#include "base/worklist.h"
#include "core/annexes.h"
#include "kit/build.h"
#include "kit/match.h"
#include "normal.h"

namespace mim::plug::tensor {

static Step sum_of(Step a, Step b) {
    if (a == Step::None) return b;
    return b == Step::None ? a : Step::Other;
}

/// Of the number, where the variable grows by one.
static Step step_of(World& w, const Def* number, const Def* var) {
    if (number == var) return Step::One;
    if (!is_free_in(w, var, number)) return Step::None;
    if (auto index = match<inside>(number)) return step_of(w, index.arg(), var);
    if (auto same = match<core::bitcast>(number)) return step_of(w, same.arg(), var);
    bool is_sum = match(core::nat::add, number) || match(core::wrap::add, number);
    if (!is_sum) return Step::Other;
    auto [a, b] = elems<2>(w, arg_of(number));
    return sum_of(step_of(w, a, var), step_of(w, b, var));
}

static bool reads_array(const Def* def) {
    auto read = def->isa<Extract>();
    return read && read->tuple()->type()->isa<Arr>();
}

/// Of an element, whose last index is the one that memory is dense in.
static Step step_of_read(World& w, const Extract* read, const Def* var) {
    return is_free_in(w, var, read->tuple()) ? Step::Other : step_of(w, read->index(), var);
}

std::vector<Steps> reads_of(World& w, const Def* term, Defs index) {
    std::vector<Steps> result;
    Worklist<const Def*> todo{term};
    while (auto def = todo.next()) {
        bool is_in_turn = std::ranges::any_of(index, [&](auto var) { return is_free_in(w, var, def); });
        if (!is_in_turn || def->isa<Lam>() || is_type(def)) continue;
        todo.push_all(def->ops());
        if (!reads_array(def) || def->type()->isa<Arr>()) continue;
        Steps steps;
        for (auto var : index) steps.push_back(step_of_read(w, def->as<Extract>(), var));
        result.push_back(std::move(steps));
    }
    return result;
}

static bool takes_long(const Def* def) {
    if (!def->isa<App>() || is_type(def)) return false;
    auto axm = head_axiom(def);
    return !axm || !axm->axiom().has(Axiom::Speculatable) || takes_long(axm->axiom());
}

bool has_long_part(World& w, const Def* term, const Def* row, const Def* last) {
    Worklist<const Def*> todo{term};
    while (auto def = todo.next()) {
        if (!is_free_in(w, row, def)) continue;
        if (takes_long(def) && !is_free_in(w, last, def)) return true;
        todo.push_all(def->ops());
    }
    return false;
}

} // namespace mim::plug::tensor
