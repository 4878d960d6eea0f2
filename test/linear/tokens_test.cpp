// SPDX-License-Identifier: MIT
// The linearity of tokens on graphs built by hand: each case is one shape of program, accepted or rejected.
#include <doctest/doctest.h>

#include <functional>

#include "ir/dump.h"
#include "linear/tokens.h"

using namespace mim;

namespace {

/// A token type `%t.M`, an effect `%t.step: [M, Nat] → [M, Nat]`, `%t.exit: Cn M` and `%t.stop: Cn Nat`.
struct Toy {
    World w;
    Axiom m, step_, exit_, stop_;
    const Def *M, *step, *exit, *stop;

    Toy() {
        auto axm = [&](Axiom& a, const char* name, uint16_t tag, const Def* type) {
            a.name   = w.sym(name);
            a.id     = {plugin_hash("t"), tag, 0};
            auto res = w.axm(&a, type);
            w.annexes.define(a.id, a.name, res);
            return res;
        };
        m.properties     = Axiom::LinearType;
        step_.properties = Axiom::Effect;
        M                = axm(m, "%t.M", 0, w.star());
        auto pair        = w.sigma({M, w.nat()});
        step_.curry      = 1;
        step             = axm(step_, "%t.step", 1, w.pi(pair, pair));
        exit             = axm(exit_, "%t.exit", 2, w.cn(M));
        stop             = axm(stop_, "%t.stop", 3, w.cn(w.nat()));
    }

    const Def* nat(uint64_t n) { return w.lit_nat(n); }
    const Def* pair() { return w.sigma({M, w.nat()}); }
    const Def* do_step(const Def* token, const Def* n) { return w.app(step, {token, n}); }
    const Def* token_of(const Def* effect) { return w.extract(effect, uint64_t(0)); }

    /// A λ that is not evaluated at compile time; the body comes later.
    Lam* lam(const Def* type) {
        auto lam = w.mut_lam(type);
        w.set_filter(lam, w.ff());
        return lam;
    }
    Lam* cn(const Def* dom) { return lam(w.cn(dom)); }
    void body(Lam* lam, const Def* body) { w.set_body(lam, body); }
    void close(std::initializer_list<Lam*> lams) { w.close(std::span<Lam* const>(lams.begin(), lams.size())); }

    /// `fun extern main (mem: M, n: Nat, b: Bool): [M, Nat]` with this body; mem, n, b, return are its parameters.
    struct Main {
        Lam* lam;
        const Def *mem, *n, *b, *ret;
    };
    Main main() {
        auto res = cn(w.sigma({M, w.nat(), w.bool_type(), w.cn(pair())}));
        auto v   = res->var();
        w.externals.add(w.sym("main"), res);
        return {res, w.extract(v, uint64_t(0)), w.extract(v, 1), w.extract(v, 2), w.extract(v, 3)};
    }
    std::string check() {
        std::string res;
        for (auto& v : check_tokens(w)) res += std::string(info(v.id).code) + " ";
        return res;
    }
};

} // namespace

TEST_CASE("tokens: a chain of effects is fine") {
    Toy t;
    auto m = t.main();
    auto a = t.do_step(m.mem, m.n);
    auto b = t.do_step(t.token_of(a), t.w.extract(a, 1));
    t.body(m.lam, t.w.app(m.ret, b));
    t.close({m.lam});
    CHECK(t.check() == "");
}

TEST_CASE("tokens: a pair taken apart and put together is fine") {
    Toy t;
    auto m = t.main();
    auto a = t.do_step(m.mem, m.n);
    t.body(m.lam, t.w.app(m.ret, {t.token_of(a), t.nat(3)}));
    t.close({m.lam});
    CHECK(t.check() == "");
}

TEST_CASE("tokens: used twice") {
    Toy t;
    auto m = t.main();
    auto a = t.do_step(m.mem, m.n);
    t.body(m.lam, t.w.app(m.ret, {m.mem, t.w.extract(a, 1)})); // the step's token is lost, too
    t.close({m.lam});
    auto vs = check_tokens(t.w);
    REQUIRE(vs.size() == 1);
    CHECK(vs[0].id == Diag::token_dropped);
    CHECK(vs[0].node == t.token_of(a));
}

TEST_CASE("tokens: a token in the middle is used twice") {
    Toy t;
    auto m = t.main();
    auto a = t.token_of(t.do_step(m.mem, m.n));
    auto f = t.cn(t.w.sigma({t.M, t.M, t.w.cn(t.pair())}));
    t.body(f, t.w.app(t.stop, t.nat(1)));
    t.body(m.lam, t.w.app(f, {t.token_of(t.do_step(a, t.nat(1))), t.token_of(t.do_step(a, t.nat(2))), m.ret}));
    t.close({f, m.lam});
    auto vs = check_tokens(t.w);
    REQUIRE(vs.size() == 1);
    CHECK(vs[0].id == Diag::token_used_twice);
    CHECK(vs[0].node == a);
    CHECK(vs[0].notes.size() == 2);
}

TEST_CASE("tokens: used twice by two effects") {
    Toy t;
    auto m = t.main();
    auto a = t.do_step(m.mem, m.n);
    auto b = t.do_step(m.mem, t.nat(3));
    auto f = t.cn(t.w.sigma({t.M, t.M, t.w.cn(t.pair())}));
    t.body(f, t.w.app(t.w.extract(f->var(), 2), {t.w.extract(f->var(), uint64_t(0)), t.nat(1)})); // drops its second token
    t.body(m.lam, t.w.app(f, {t.token_of(a), t.token_of(b), m.ret}));
    t.close({f, m.lam});
    auto vs = check_tokens(t.w);
    REQUIRE(vs.size() == 2);
    CHECK(vs[0].id == Diag::token_used_twice);
    CHECK(vs[0].node == m.mem);
    CHECK(vs[0].notes.size() == 2);
    CHECK(vs[1].id == Diag::token_dropped);
    CHECK(vs[1].lam == f);
}

TEST_CASE("tokens: dropped") {
    Toy t;
    auto m = t.main();
    auto f = t.cn(t.w.sigma({t.M, t.w.cn(t.w.nat())}));
    t.body(f, t.w.app(t.w.extract(f->var(), 1), t.nat(1)));
    auto k = t.cn(t.w.nat());
    auto a = t.do_step(m.mem, m.n);
    t.body(k, t.w.app(m.ret, {t.token_of(a), k->var()}));
    t.body(m.lam, t.w.app(k, t.nat(2)));
    t.close({f, k, m.lam});
    CHECK(t.check() == "");
    t.w.externals.add(t.w.sym("f"), f);
    CHECK(t.check() == "E301 ");
}

TEST_CASE("tokens: used in both arms is fine, in one arm only is not, in one arm and always is not") {
    for (int variant = 0; variant < 3; ++variant) {
        Toy t;
        auto m     = t.main();
        auto a     = t.do_step(m.mem, m.n);
        auto other = variant == 1 ? t.w.app(t.stop, t.nat(1)) : t.w.app(m.ret, {m.mem, t.nat(2)});
        auto yes = t.cn(t.w.unit_type()), no = t.cn(t.w.unit_type());
        t.body(yes, t.w.app(m.ret, a));
        t.body(no, variant == 2 ? t.w.app(m.ret, {t.token_of(t.do_step(m.mem, t.w.extract(a, 1))), t.nat(2)}) : other);
        t.body(m.lam, t.w.app(t.w.select(m.b, yes, no), t.w.unit()));
        t.close({yes, no, m.lam});
        if (variant == 2) CHECK(t.check() == "E301 "); // the step's number is used where its token is not
        else CHECK(t.check() == "");                   // variant 1: an end that never returns may drop the token
    }
}

TEST_CASE("tokens: arms in direct style") {
    Toy t;
    auto m = t.main();
    auto a = t.do_step(m.mem, m.n);
    // mem' = (mem, step)#b, and again with the same condition
    auto one = t.w.select(m.b, t.token_of(a), m.mem);
    auto two = t.w.select(m.b, t.token_of(t.do_step(one, t.nat(1))), one);
    t.body(m.lam, t.w.app(m.ret, {two, t.nat(1)}));
    t.close({m.lam});
    CHECK(t.check() == "");
}

TEST_CASE("tokens: two of three arms are one node") {
    Toy t;
    auto m   = t.main();
    auto a   = t.do_step(m.mem, m.n);
    auto x   = t.cn(t.w.sigma({t.w.idx(3), t.M, t.w.cn(t.pair())}));
    auto v   = x->var();
    auto mem = t.w.extract(v, 1);
    auto s   = t.do_step(mem, t.nat(1));
    auto sel = t.w.extract(t.w.tuple({t.token_of(s), t.token_of(s), mem}), t.w.extract(v, uint64_t(0)));
    t.body(x, t.w.app(t.w.extract(v, 2), {sel, t.nat(0)}));
    t.w.externals.add(t.w.sym("x"), x);
    t.body(m.lam, t.w.app(m.ret, a));
    t.close({x, m.lam});
    CHECK(t.check() == "");
}

TEST_CASE("tokens: a loop may return an outer token, but not consume it in its body") {
    for (bool consumes : {false, true}) {
        Toy t;
        auto m    = t.main();
        auto loop = t.cn(t.w.nat()), done = t.cn(t.w.unit_type()), again = t.cn(t.w.unit_type());
        t.body(done, t.w.app(m.ret, {m.mem, loop->var()}));
        auto s = t.do_step(m.mem, loop->var());
        t.body(again, t.w.app(loop, consumes ? t.w.extract(s, 1) : loop->var()));
        if (consumes) {
            // the effect is forced by a continuation that gets its token and goes round again
            auto k = t.cn(t.pair());
            t.body(k, t.w.app(t.stop, t.nat(0)));
            auto go = t.cn(t.w.sigma({t.M, t.w.nat()}));
            t.body(go, t.w.app(loop, t.w.extract(go->var(), 1)));
            again = t.cn(t.w.unit_type());
            t.body(again, t.w.app(go, s));
            t.body(loop, t.w.app(t.w.select(m.b, done, again), t.w.unit()));
            t.body(m.lam, t.w.app(loop, m.n));
            t.close({done, go, again, loop, m.lam});
            auto vs = check_tokens(t.w);
            REQUIRE(!vs.empty());
            bool in_loop = false;
            for (auto& v : vs) in_loop |= v.id == Diag::token_in_loop;
            CHECK(in_loop);
            continue;
        }
        t.body(loop, t.w.app(t.w.select(m.b, done, again), t.w.unit()));
        t.body(m.lam, t.w.app(loop, m.n));
        t.close({done, again, loop, m.lam});
        CHECK(t.check() == "");
    }
}

TEST_CASE("tokens: a loop that passes its token along is fine") {
    Toy t;
    auto m    = t.main();
    auto loop = t.cn(t.pair());
    auto mem = t.w.extract(loop->var(), uint64_t(0)), i = t.w.extract(loop->var(), 1);
    auto done = t.cn(t.w.unit_type()), again = t.cn(t.w.unit_type());
    t.body(done, t.w.app(m.ret, {mem, i}));
    t.body(again, t.w.app(loop, t.do_step(mem, i)));
    t.body(loop, t.w.app(t.w.select(m.b, done, again), t.w.unit()));
    t.body(m.lam, t.w.app(loop, {m.mem, m.n}));
    t.close({done, again, loop, m.lam});
    CHECK(t.check() == "");
}

TEST_CASE("tokens: captured by the return of a call is fine, by a function that escapes is not") {
    for (bool escapes : {false, true}) {
        Toy t;
        auto m = t.main();
        // f (k: Cn Nat, return: Cn Nat)
        auto f = t.cn(t.w.sigma({t.w.cn(t.w.nat()), t.w.cn(t.w.nat())}));
        t.body(f, t.w.app(t.w.extract(f->var(), 1), t.nat(1)));
        auto k = t.cn(t.w.nat()), nop = t.cn(t.w.nat());
        t.body(k, t.w.app(m.ret, {m.mem, k->var()}));
        t.body(nop, t.w.app(t.stop, nop->var()));
        t.body(m.lam, escapes ? t.w.app(f, {k, nop}) : t.w.app(f, {nop, k}));
        t.close({f, k, nop, m.lam});
        CHECK(t.check() == (escapes ? "E301 " : "")); // f drops k
        const Lam* root = m.lam;
        auto written    = check_tokens(t.w, std::span<const Lam* const>(&root, 1));
        CHECK(written.empty() == !escapes);
        if (!escapes) continue;
        CHECK(written[0].id == Diag::token_escapes);
        CHECK(written[0].notes[0].id == Diag::token_made_here);
    }
}

TEST_CASE("tokens: past inlining, a call leaves through one of the continuations that it gets") {
    for (bool drops : {false, true}) {
        Toy t;
        auto m = t.main();
        // f (b: Bool, fail: Cn Nat, return: Cn Nat)
        auto f    = t.cn(t.w.sigma({t.w.bool_type(), t.w.cn(t.w.nat()), t.w.cn(t.w.nat())}));
        auto fail = t.cn(t.w.unit_type()), good = t.cn(t.w.unit_type());
        t.body(fail, drops ? t.w.app(t.stop, t.nat(2)) : t.w.app(t.w.extract(f->var(), 1), t.nat(2)));
        t.body(good, t.w.app(t.w.extract(f->var(), 2), t.nat(1)));
        t.body(f, t.w.app(t.w.extract(t.w.tuple({fail, good}), t.w.extract(f->var(), uint64_t(0))), t.w.unit()));
        auto caught = t.cn(t.w.nat()), rest = t.cn(t.w.nat());
        t.body(caught, t.w.app(m.ret, {m.mem, caught->var()}));
        t.body(rest, t.w.app(m.ret, {m.mem, t.nat(3)}));
        t.body(m.lam, t.w.app(f, {m.b, caught, rest}));
        t.close({fail, good, f, caught, rest, m.lam});
        CHECK(t.check() == "");
    }
}

TEST_CASE("tokens: a phase is blamed for a value with a token that comes back, not for one that leaves") {
    for (bool leaves : {false, true}) {
        Toy t;
        auto m        = t.main();
        auto function = t.w.cn(t.w.sigma({t.w.nat(), t.w.cn(t.w.nat())}));
        // f (value: Cn [Nat, Cn Nat], return: Cn Nat)
        auto f     = t.cn(t.w.sigma({function, t.w.cn(t.w.nat())}));
        auto value = t.lam(function), rest = t.cn(t.w.nat());
        auto x = t.w.extract(value->var(), uint64_t(0)), back = t.w.extract(value->var(), 1);
        t.body(f, t.w.app(t.w.extract(f->var(), uint64_t(0)), {t.nat(1), t.w.extract(f->var(), 1)}));
        t.body(value, leaves ? t.w.app(m.ret, {m.mem, x}) : t.w.app(back, t.w.extract(t.do_step(m.mem, x), 1)));
        t.body(rest, t.w.app(m.ret, {m.mem, rest->var()}));
        t.body(m.lam, t.w.app(f, {value, rest}));
        t.close({f, value, rest, m.lam});
        CHECK(check_tokens_between_phases(t.w).empty() == leaves);
    }
}

TEST_CASE("tokens: duplicated by a tuple") {
    Toy t;
    auto m = t.main();
    auto f = t.cn(t.w.sigma({t.w.sigma({t.M, t.M}), t.w.cn(t.w.sigma({t.M, t.M}))}));
    t.body(f, t.w.app(t.w.extract(f->var(), 1), t.w.extract(f->var(), uint64_t(0))));
    auto k = t.cn(t.w.sigma({t.M, t.M}));
    t.body(k, t.w.app(m.ret, {t.w.extract(k->var(), uint64_t(0)), t.nat(0)}));
    t.body(m.lam, t.w.app(f, {t.w.tuple({m.mem, m.mem}), k}));
    t.close({f, k, m.lam});
    auto vs = check_tokens(t.w);
    REQUIRE(vs.size() == 1); // that k drops one of the two is a consequence
    CHECK(vs[0].id == Diag::token_used_twice);
    CHECK(vs[0].node == m.mem);
}

TEST_CASE("tokens: hidden in a polymorphic function's argument") {
    for (bool linear : {false, true}) {
        Toy t;
        auto m = t.main();
        // dup (T: *) (x: T, return: Cn [T, T]) = return (x, x)
        auto pi  = t.w.mut_pi(t.w.star());
        auto cps = [&](const Def* T) { return t.w.cn(t.w.sigma({T, t.w.cn(t.w.sigma({T, T}))})); };
        auto dup = t.lam(t.w.seal(pi, cps(pi->var())));
        auto in  = t.cn(cps(dup->var())->as<Pi>()->dom());
        auto x   = t.w.extract(in->var(), uint64_t(0));
        t.body(in, t.w.app(t.w.extract(in->var(), 1), {x, x}));
        t.body(dup, in);
        t.close({in, dup});
        auto k     = t.cn(linear ? t.w.sigma({t.M, t.M}) : t.w.arr(2, t.w.nat()));
        auto first = t.w.extract(k->var(), uint64_t(0));
        auto k2    = t.cn(t.w.sigma({t.M, t.M, t.w.cn(t.pair())}));
        t.body(k2, t.w.app(t.exit, t.w.extract(k2->var(), uint64_t(0))));
        if (linear) t.body(k, t.w.app(k2, {first, t.w.extract(k->var(), 1), m.ret}));
        else t.body(k, t.w.app(m.ret, {m.mem, first}));
        t.body(m.lam, t.w.app(t.w.app(dup, linear ? t.M : t.w.nat()), {linear ? m.mem : m.n, k}));
        t.close({k2, k, m.lam});
        auto vs = check_tokens(t.w);
        if (linear) {
            REQUIRE(vs.size() == 1);
            CHECK(vs[0].id == Diag::token_used_twice);
            CHECK(vs[0].lam == in);
        } else CHECK(vs.empty());
    }
}

TEST_CASE("tokens: used twice before an end that never returns") {
    for (bool twice : {false, true}) {
        Toy t;
        auto m   = t.main();
        auto f   = t.cn(t.w.sigma({t.M, t.M}));
        auto yes = t.cn(t.w.unit_type()), no = t.cn(t.w.unit_type()), third = t.cn(t.w.unit_type());
        t.body(f, t.w.app(t.exit, t.w.extract(f->var(), uint64_t(0))));
        auto a = t.do_step(m.mem, t.nat(1)), b = t.do_step(m.mem, t.nat(2));
        t.body(yes, twice ? t.w.app(f, {t.token_of(a), t.token_of(b)}) : t.w.app(t.exit, m.mem));
        t.body(third, t.w.app(t.stop, t.nat(1)));
        t.body(no, t.w.app(t.w.select(t.w.extract(t.w.tuple({t.w.tt(), m.b}), m.b), yes, third), t.w.unit()));
        auto last = t.cn(t.w.unit_type());
        t.body(last, t.w.app(m.ret, {m.mem, t.nat(0)}));
        t.body(m.lam, t.w.app(t.w.select(m.b, last, no), t.w.unit()));
        t.close({f, yes, third, no, last, m.lam});
        CHECK(t.check() == (twice ? "E300 " : ""));
    }
}

TEST_CASE("tokens: an effect that is reached through its other result only") {
    Toy t;
    auto m = t.main();
    auto a = t.do_step(m.mem, m.n);
    auto k = t.cn(t.w.nat()), stop = t.cn(t.w.nat());
    t.body(k, t.w.app(m.ret, {m.mem, t.w.extract(a, 1)}));
    t.body(stop, t.w.app(t.stop, stop->var()));
    t.body(m.lam, t.w.app(k, t.nat(2)));
    t.close({stop, k, m.lam});
    CHECK(t.check() == "E301 ");
}

TEST_CASE("tokens: what a continuation gets last is a function, unless it gets a return there") {
    for (bool is_return : {false, true}) {
        // k (mem, h) where con k (mem: M, f: Cn [Nat, Cn Nat]) = f (3, rest) where con rest (y: Nat) = done mem
        Toy t;
        auto to_fn = t.w.cn({t.w.nat(), t.w.cn(t.w.nat())});
        auto outer = t.cn(t.w.sigma({t.M, t.w.cn(t.M), to_fn}));
        auto h = t.lam(to_fn), k = t.cn(t.w.sigma({t.M, to_fn})), rest = t.cn(t.w.nat());
        auto param = [&](Lam* lam, uint64_t i) { return t.w.extract(lam->var(), i); };
        t.w.externals.add(t.w.sym("outer"), outer);
        t.body(h, t.w.app(param(h, 1), param(h, 0)));
        t.body(rest, t.w.app(param(outer, 1), param(k, 0)));
        t.body(k, t.w.app(param(k, 1), {t.nat(3), rest}));
        t.body(outer, t.w.app(k, {param(outer, 0), is_return ? param(outer, 2) : h}));
        t.close({h, rest, k, outer});
        CHECK(t.check() == (is_return ? "E302 " : ""));
    }
}

TEST_CASE("tokens: long chains and deep nests are checked in linear time") {
    Toy t;
    auto m   = t.main();
    auto mem = m.mem;
    for (uint64_t i = 0; i < 20000; ++i) mem = t.token_of(t.do_step(mem, t.nat(i)));
    // 5000 continuations, each nested in the one before
    std::vector<Lam*> ks;
    auto f = t.cn(t.w.sigma({t.M, t.w.cn(t.M)}));
    t.body(f, t.w.app(t.w.extract(f->var(), 1), t.w.extract(f->var(), uint64_t(0))));
    const Def* token = mem;
    for (int i = 0; i < 5000; ++i) ks.push_back(t.cn(t.M));
    for (size_t i = 0; i < ks.size(); ++i)
        t.body(ks[i], i + 1 < ks.size() ? t.w.app(f, {ks[i]->var(), ks[i + 1]}) : t.w.app(m.ret, {ks[i]->var(), m.n}));
    t.body(m.lam, t.w.app(f, {token, ks[0]}));
    ks.push_back(m.lam);
    ks.push_back(f);
    t.w.close(ks);
    CHECK(t.check() == "");
}
