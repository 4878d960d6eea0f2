// SPDX-License-Identifier: MIT
#include "start.h"

#include <algorithm>

#include "cli/annexes.h"
#include "cli/run/entry.h"
#include "core/annexes.h"
#include "kit/build.h"
#include "kit/match.h"
#include "rise/annexes.h"

namespace mim::plug::rise {

const Def* Start::run() {
    auto [program, signature] = elems<2>(w, app_.group(1));
    auto [mem, argc, argv]    = elems<3>(w, app_.arg());
    auto length               = w.lit_nat(*value(operand(w, callee_of(callee_of(app_.app())), 1)));
    mem_                      = mem;
    program_                  = effect(w.apply<cli::open>(length, {signature}, {mem_, argc, argv}));
    auto lam                  = program->as<Lam>();
    compute(lam, sizes(lam));
    return end();
}

const Def* Start::end() {
    mem_ = w.apply<cli::close>({mem_, program_});
    return w.tuple({mem_, status_of(w, 0)});
}

const Def* Start::sizes(const Lam* program) {
    auto size = [&](size_t i) { return effect(w.apply<cli::size>({mem_, program_, w.lit_nat(i)})); };
    return w.tuple(def_vec(cli::num_sizes(program), size));
}

bool Start::is_empty(const Leaf& leaf) {
    bool result = std::ranges::any_of(leaf.dims, [](auto n) { return is_value(n, 0); });
    next_leaf_ += result ? 1 : 0;
    return result;
}

const Def* Start::memory(const Leaf& leaf, const Def* count) {
    auto type = coder_.leaf_type(leaf, Form::Words);
    return effect(w.apply<cli::leaf>({type}, {mem_, program_, w.lit_nat(next_leaf_++), count}));
}

uint64_t Start::num_words(const Def* cell) {
    auto pair = isa_pair(w, cell);
    return pair ? num_words(pair.first) + num_words(pair.second) : 1;
}

const Def* Start::count(const Leaf& leaf) {
    const Def* result = w.lit_nat(num_words(leaf.cell));
    for (auto n : leaf.dims) result = w.call(core::nat::mul, {result, coder_.size(n)});
    return result;
}

} // namespace mim::plug::rise
