// SPDX-License-Identifier: MIT
// An automaton as code: a block for each state, which reads a character and compares it with the bounds of the runs of characters that
// lead the same way, halving what is left. Where only whole subjects match, a loop looks for its end 64 characters at a time, and so does a run that is counted. Several states with one way each are a chain: its characters
// are compared at once. A block passes on the token, the position and, unless only whole subjects match, the last match so far.
#include <algorithm>
#include <map>

#include "base/worklist.h"
#include "core/annexes.h"
#include "kit/build.h"
#include "mem/annexes.h"
#include "plan.h"
#include "regex.h"
#include "regex/host/automaton.h"

namespace mim::plug::regex {

namespace {

constexpr size_t min_chain = 4, long_chain = 16;

class Branches {
public:
    Branches(World& w, const Dfa& dfa)
        : w_(w)
        , dfa_(dfa)
        , whole_(dfa.is_whole())
        , blocks_(dfa.states) {
        auto i64 = w.lit_2_64();
        chr_at_  = w.apply<mem::lea>({i64, w.pack(i64, w.idx(256))}, 0);
        add_     = w.apply(core::wrap::add, i64, 0);
        sub_     = w.apply(core::wrap::sub, i64, 0);
    }

    const Def* run() {
        auto token = w_.annex(mem::M(0)), pos = w_.i64_type();
        auto text  = w_.annex(Text(0));
        auto entry = lam(w_.fn(w_.sigma({token, text, pos, pos}), w_.sigma({token, w_.bool_type(), pos})), "match");
        auto [mem, subject, size, begin] = elems<4>(w_, elem(w_, entry->var(), 0));
        text_                            = subject;
        size_                            = size;
        begin_                           = begin;
        return_                          = elem(w_, entry->var(), 1);
        state_                           = whole_ ? w_.sigma({token, pos}) : w_.sigma({token, pos, w_.bool_type(), pos});
        w_.set_body(entry, enter(mem));
        while (auto q = todo_.next()) fill(*q);
        functions_.close();
        return entry;
    }

private:
    struct Here { ///< in the block of a state, behind its character
        const Def *mem, *pos, *found, *last, *chr;
        std::map<std::pair<uint32_t, bool>, const Def*> ways;
    };

    Lam* lam(const Def* type, const char* name) { return functions_.lam(type, name); }
    const Def* block(const Def* body) { return functions_.block(body, "way"); }
    const Def* go(uint32_t q, const Def* mem, const Def* pos, const Def* found, const Def* last) {
        if (!blocks_[q]) blocks_[q] = functions_.con(state_, "state"), todo_.push(q);
        return whole_ ? w_.app(blocks_[q], {mem, pos}) : w_.app(blocks_[q], {mem, pos, found, last});
    }

    /// Where the automaton starts may depend on what is before.
    const Def* enter(const Def* mem) {
        auto start = [&](uint32_t q, const Def* m) {
            return q == Dfa::dead ? w_.app(return_, {m, w_.ff(), begin_}) : go(q, m, begin_, w_.ff(), begin_);
        };
        if (!dfa_.looks_back()) return start(dfa_.start[0], mem);
        auto token       = mem->type();
        auto known       = functions_.con(w_.sigma({token, w_.idx(4)}), "known");
        auto [m, before] = elems<2>(w_, known->var());
        auto way         = [&](uint32_t q) { return block(start(q, m)); };
        w_.set_body(known, w_.app(w_.extract(w_.tuple(map_defs(dfa_.start, way)), before), w_.unit()));
        return w_.apply(run::before, {w_.tuple({mem, text_, begin_}), known});
    }

    void fill(uint32_t q) {
        if (auto run = whole_ ? counted_run(dfa_, q) : std::nullopt) return count(blocks_[q], *run);
        if (auto body = compare(q)) return w_.set_body(blocks_[q], body);
        auto loop = whole_ ? dfa_.loop(q) : Set();
        if (loop.none() || !fits_leave(loop)) return read(blocks_[q], q, {});
        auto stopped = functions_.con(state_, "stopped");
        skip(blocks_[q], loop, stopped);
        read(stopped, q, loop);
    }
    /// What follows a character that is none of `gone`.
    void read(Lam* body, uint32_t q, const Set& gone) {
        auto var  = body->var();
        auto pos  = w_.extract(var, 1);
        auto load = w_.call<mem::load>({w_.extract(var, 0), w_.app(chr_at_, {text_, pos})});
        Here here{w_.extract(load, 0), pos, whole_ ? w_.ff() : w_.extract(var, 2), whole_ ? begin_ : w_.extract(var, 3),
                  w_.extract(load, 1), {}};
        // runs of characters that lead the same way; the terminator is the end
        std::vector<std::pair<unsigned, size_t>> steps;
        for (unsigned c = 0; c != 256; ++c) {
            auto cell = dfa_.at(q, c == 0 ? End : c);
            if (gone[c]) continue;
            if (steps.empty() || !same(steps.back().second, cell)) steps.push_back({c, cell});
        }
        auto other    = std::ranges::find_if(steps, [&](auto& s) { return !same(s.second, steps[0].second); });
        bool two_ways = std::ranges::all_of(
            steps, [&](auto& s) { return same(s.second, steps[0].second) || same(s.second, other->second); });
        w_.set_body(body,
                    steps.size() > 3 && two_ways ? look_up(here, steps, other->second) : decide(here, steps, 0, steps.size()));
    }
    /// A chain of states, at once; null if there is none.
    const Def* compare(uint32_t q) {
        auto end    = q;
        auto sets   = compared_chain(dfa_, q, &end);
        auto length = sets.size();
        auto find   = length != 0 ? chain(w_, std::move(sets)) : nullptr;
        if (!find) return nullptr;
        auto var   = blocks_[q]->var();
        auto pos   = w_.extract(var, 1);
        auto known = functions_.con(w_.sigma({w_.extract(var, 0)->type(), w_.bool_type()}), "known");
        auto mem   = w_.extract(known->var(), 0);
        auto found = whole_ ? w_.ff() : w_.extract(var, 2), last = whole_ ? begin_ : w_.extract(var, 3);
        auto no  = block(w_.app(return_, {mem, found, last}));
        auto yes = block(go(end, mem, w_.app(add_, {pos, w_.lit(w_.i64_type(), length)}), found, last));
        w_.set_body(known, functions_.branch(w_.extract(known->var(), 1), yes, no));
        return w_.app(find, {w_.tuple({w_.extract(var, 0), text_, size_, pos}), known});
    }
    /// To the first character that is not in a set.
    void skip(Lam* block, const Set& set, Lam* then) {
        auto var = block->var();
        auto arg = w_.tuple({w_.extract(var, 0), text_, size_, w_.extract(var, 1)});
        w_.set_body(block, w_.app(leave(w_, set), {arg, then}));
    }
    /// To the end of a run, and on from there if it has a possible length.
    void count(Lam* first, const Dfa::Run& run) {
        auto ended = functions_.con(state_, "ended"), fits = functions_.con(state_, "fits");
        skip(first, run.set, ended);
        auto [mem, pos] = elems<2>(w_, ended->var());
        auto i64        = w_.i64_type();
        auto more       = w_.app(sub_, {w_.app(sub_, {pos, w_.extract(first->var(), 1)}), w_.lit(i64, run.least)});
        auto ok         = w_.call(core::icmp::XygLE, {more, w_.lit(i64, run.most - run.least)});
        auto yes = block(w_.app(fits, {mem, pos})), no = block(w_.app(return_, {mem, w_.ff(), begin_}));
        w_.set_body(ended, functions_.branch(ok, yes, no));
        read(fits, run.end, run.set);
    }
    /// One of two ways, by a table: no comparison with one of many bounds is foreseen wrongly.
    const Def* look_up(Here& here, const std::vector<std::pair<unsigned, size_t>>& steps, size_t other) {
        DefVec is_other;
        for (size_t i = 0; i != steps.size(); ++i)
            is_other.resize(i + 1 == steps.size() ? 256 : steps[i + 1].first, w_.lit_bool(same(steps[i].second, other)));
        auto ways = w_.tuple({way(here, steps[0].second), way(here, other)});
        return w_.app(w_.extract(ways, w_.extract(w_.tuple(is_other), here.chr)), w_.unit());
    }
    bool same(size_t a, size_t b) const { return dfa_.to[a] == dfa_.to[b] && dfa_.accepts[a] == dfa_.accepts[b]; }

    const Def* decide(Here& here, const std::vector<std::pair<unsigned, size_t>>& steps, size_t begin, size_t end) {
        if (end - begin == 1) return w_.app(way(here, steps[begin].second), w_.unit());
        auto middle = (begin + end) / 2;
        auto below  = w_.call(core::icmp::XygLe, {here.chr, w_.lit_idx(256, steps[middle].first)});
        auto arm = [&](size_t b, size_t e) { return e - b == 1 ? way(here, steps[b].second) : block(decide(here, steps, b, e)); };
        return functions_.branch(below, arm(begin, middle), arm(middle, end));
    }

    const Def* way(Here& here, size_t cell) {
        auto to      = dfa_.to[cell];
        bool accepts = dfa_.accepts[cell];
        auto& known  = here.ways[{to, accepts}];
        if (known) return known;
        auto found = accepts ? w_.tt() : here.found, last = accepts ? here.pos : here.last;
        if (to == Dfa::dead) return known = block(w_.app(return_, {here.mem, found, last}));
        auto next    = w_.app(add_, {here.pos, w_.lit(w_.i64_type(), 1)});
        return known = block(go(to, here.mem, next, found, last));
    }

    World& w_;
    const Dfa& dfa_;
    bool whole_;
    const Def *chr_at_, *add_, *sub_; ///< the place of a character, and arithmetic of positions
    const Def *text_ = nullptr, *size_ = nullptr, *begin_ = nullptr, *return_ = nullptr;
    const Def* state_ = nullptr; ///< what a block takes
    Functions functions_{w_};
    std::vector<Lam*> blocks_;
    Worklist<uint32_t> todo_; ///< blocks that are empty
};

/// The characters that lead on from a state, if they all lead to one other state, and nothing ends there.
std::optional<Set> single_way(const Dfa& dfa, const Sets& classes, uint32_t q, uint32_t& next) {
    Set set;
    next = Dfa::dead;
    for (uint32_t k = 0; k != dfa.classes; ++k) {
        auto cell = dfa.cell(q, k);
        if (dfa.accepts[cell]) return {};
        auto to = dfa.to[cell];
        if (to == Dfa::dead) continue;
        if (to == q || (next != Dfa::dead && to != next)) return {};
        next = to;
        set |= classes[k];
    }
    set.reset(0); // no terminator
    return next == Dfa::dead ? std::nullopt : std::optional(set);
}
/// Sets take two comparisons each, and wrong guesses; single characters are foreseen one by one unless there are many.
bool is_worth(const Sets& sets) {
    auto several = std::ranges::count_if(sets, [](auto& s) { return s.count() != 1; });
    return sets.size() >= min_chain && (several >= 3 || sets.size() >= long_chain);
}

} // namespace

Sets compared_chain(const Dfa& dfa, uint32_t state, uint32_t* end) {
    auto classes = dfa.class_sets();
    Sets sets;
    uint32_t at = state, next;
    while (sets.size() != max_chain) {
        auto set = single_way(dfa, classes, at, next);
        if (!set) break;
        sets.push_back(*set);
        at = next;
    }
    if (!is_worth(sets)) return {};
    if (end) *end = at;
    return sets;
}

std::optional<Dfa::Run> counted_run(const Dfa& dfa, uint32_t state) {
    auto run = dfa.run(state);
    return run && fits_leave(run->set) ? run : std::nullopt;
}

const Def* branches(World& w, const Dfa& dfa) { return Branches(w, dfa).run(); }

} // namespace mim::plug::regex
