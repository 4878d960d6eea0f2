// SPDX-License-Identifier: MIT
#include "test/fixture.h"

#include "plan.h"

namespace mim::plug::regex::test {

Regex::Regex() {
    auto re   = add("RegEx", w.star(), 0);
    auto many = w.mut_pi(w.nat(), true); // {i: Nat} [«i; RegEx»] → RegEx
    auto nary = w.seal(many, w.pi(w.arr(many->var(), re), re));
    auto size = w.mut_pi(w.nat(), true); // {n: Nat} [«n; I8»] → RegEx
    auto two  = w.sigma({w.nat(), w.nat()});
    add(any(0), "%regex.any", {0, 1}, re, 0, nullptr, nullptr);
    add(conj(0), "%regex.conj", {0, 1}, nary, 2, normalize_conj, nullptr);
    add(disj(0), "%regex.disj", {0, 1}, nary, 2, normalize_disj, nullptr);
    add(alt(0), "%regex.alt", {0, 1}, nary, 2, normalize_alt, nullptr);
    add(range(0), "%regex.range", {0, 1}, w.pi(w.arr(2, w.idx(256)), re), 1, normalize_range, nullptr);
    add(not_(0), "%regex.not", {0, 1}, w.pi(re, re), 1, normalize_not, nullptr);
    add(quant(0), "%regex.quant", {0, 3}, w.pi(re, re), 1, normalize_quant, nullptr);
    add(lazy(0), "%regex.lazy", {0, 3}, w.pi(re, re), 1, normalize_lazy, nullptr);
    add(by(0), "%regex.by", {0, 4}, w.pi(re, re), 1, normalize_by, nullptr);
    add(at(0), "%regex.at", {0, 6}, re, 0, nullptr, nullptr);
    add(nocase(0), "%regex.nocase", {0, 1}, w.pi(re, re), 1, normalize_nocase, nullptr);
    add(repeat(0), "%regex.repeat", {0, 1}, w.pi(two, w.pi(re, re)), 2, normalize_repeat, nullptr);
    add(utf8(0), "%regex.utf8", {0, 1}, w.pi(two, re), 1, normalize_utf8, nullptr);
    add(parse(0), "%regex.parse", {0, 1}, w.seal(size, w.pi(w.arr(size->var(), w.idx(256)), re)), 2, normalize_parse, nullptr);
}

const Def* Regex::parsed(std::string_view text) {
    std::vector<const Def*> ops;
    for (auto c : text) ops.push_back(w.lit_idx(256, uint8_t(c)));
    return of(parse(0), ops);
}

std::optional<Dfa> Regex::automaton(const Def* pattern) {
    Patterns patterns(w);
    auto& tree = patterns.read(pattern);
    auto large = make_dfa(make_nfa(tree, tree.ordered && !tree.is_whole()));
    return large ? std::optional(minimize(*large)) : std::nullopt;
}

int64_t Regex::run(const Dfa& dfa, std::string_view subject, size_t pos) {
    auto before   = pos == 0 ? End : uint8_t(subject[pos - 1]);
    auto state    = dfa.start[before == End ? 0 : before == '\n' ? 1 : word_set()[before] ? 2 : 3];
    int64_t found = -1;
    for (; state != Dfa::dead; ++pos) {
        auto cell = dfa.at(state, pos < subject.size() ? uint8_t(subject[pos]) : End);
        if (dfa.accepts[cell]) found = int64_t(pos);
        state = dfa.to[cell];
    }
    return found;
}

} // namespace mim::plug::regex::test
