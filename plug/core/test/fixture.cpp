// SPDX-License-Identifier: MIT
#include "test/fixture.h"

#include "eval/meaning.h"
#include "normalize/common.h"

namespace mim::plug::core::test {

Core::Core() {
    mem = add("%mem.M", w.star(), Axiom::LinearType);

    auto nats = w.sigma({w.nat(), w.nat()});
    add(core::nat(0), "%core.nat", {0, 3}, w.pi(nats, w.nat()), 1, normalize_nat, mean_nat);
    add(ncmp(0), "%core.ncmp", {0, 8}, w.pi(nats, w.bool_type()), 1, normalize_ncmp, mean_ncmp);
    add_integers();

    auto trait_type = w.pi(w.star(), w.nat());
    add(trait(0), "%core.trait", {0, 2}, trait_type, 1, normalize_trait, mean_trait);
    auto from = w.mut_pi(w.star(), true); // {S: *} [D: *] [S] → D
    auto to   = w.mut_pi(w.star());
    auto cast = w.seal(from, w.seal(to, w.pi(from->var(), to->var())));
    add(bitcast(0), "%core.bitcast", {0, 1}, cast, 3, normalize_bitcast, mean_bitcast);
    auto value = w.mut_pi(w.star(), true); // {T: *} [T] → …
    auto known = w.seal(value, w.pi(value->var(), w.bool_type()));
    add(pe(0), "%core.pe", {0, 3}, known, 2, normalize_pe, mean_pe);
}

void Core::add_integers() {
    auto with_size = [&](auto codom_of) { // {s: Nat} → …
        auto pi = w.mut_pi(w.nat(), true);
        return w.seal(pi, codom_of(w.idx(pi->var())));
    };
    auto two     = [&](const Def* i) { return w.sigma({i, i}); };
    auto unary   = with_size([&](const Def* i) { return w.pi(w.nat(), w.pi(i, i)); });
    auto binary  = with_size([&](const Def* i) { return w.pi(w.nat(), w.pi(two(i), i)); });
    auto plain   = with_size([&](const Def* i) { return w.pi(two(i), i); });
    auto simple  = with_size([&](const Def* i) { return w.pi(i, i); });
    auto compare = with_size([&](const Def* i) { return w.pi(two(i), w.bool_type()); });
    auto divide  = with_size([&](const Def* i) { return w.pi(w.sigma({mem, two(i)}), w.sigma({mem, i})); });
    auto single  = with_size([&](const Def* i) { return w.pi(w.sigma({mem, i}), w.sigma({mem, i})); });
    add(idx(0), "%core.idx", {0, 1}, with_size([&](const Def* i) { return w.pi(w.nat(), w.pi(w.nat(), i)); }), 3, normalize_idx,
        mean_idx);
    add(bit1(0), "%core.bit1", {0, 4}, unary, 3, normalize_bit1, mean_bit1);
    add(bit2(0), "%core.bit2", {0, 16}, binary, 3, normalize_bit2, mean_bit2);
    add(shr(0), "%core.shr", {0, 2}, plain, 2, normalize_shr, mean_shr);
    add(rotate(0), "%core.rotate", {0, 2}, plain, 2, normalize_rotate, mean_rotate);
    add(core::reverse(0), "%core.reverse", {0, 2}, simple, 2, normalize_reverse, mean_reverse);
    add(wrap(0), "%core.wrap", {0, 4}, binary, 3, normalize_wrap, mean_wrap);
    add(core::div(0), "%core.div", {0, 4}, divide, 2, normalize_div, mean_div, Axiom::Effect);
    add(icmp(0), "%core.icmp", {0, 32}, compare, 2, normalize_icmp, mean_icmp);
    add(extrema(0), "%core.extrema", {0, 4}, plain, 2, normalize_extrema, mean_extrema);
    add(core::abs(0), "%core.abs", {0, 1}, single, 2, normalize_abs, mean_abs, Axiom::Effect);
    auto from = w.mut_pi(w.nat(), true); // {ss: Nat} [ds: Nat] [Idx ss] → Idx ds
    auto to   = w.mut_pi(w.nat());
    auto type = w.seal(from, w.seal(to, w.pi(w.idx(from->var()), w.idx(to->var()))));
    add(conv(0), "%core.conv", {0, 2}, type, 3, normalize_conv, mean_conv);
}

} // namespace mim::plug::core::test
