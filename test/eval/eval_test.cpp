// SPDX-License-Identifier: MIT
// The reference evaluator on graphs built by hand, with axioms of its own that have no normalizers: need, sharing, recursion in
// constant and in deep stack, effects that happen once, unions, arrays of run-time length, memory, and how runs end.
#include <doctest/doctest.h>

#include <memory>

#include "eval/eval.h"

using namespace mim;
using eval::Machine;
using eval::Result;
using eval::Value;

namespace {

/// A World with a few axioms: Nat arithmetic, and a token M with print.
struct Fixture {
    World w;
    std::vector<std::unique_ptr<Axiom>> axioms;
    const Def *M, *add, *sub, *is_zero, *bad, *print;

    const Def* axiom(const char* name, const Def* type, Meaning meaning, uint8_t properties = 0) {
        auto a        = std::make_unique<Axiom>();
        a->name       = w.sym(name);
        a->meaning    = meaning;
        a->properties = properties;
        a->id         = {plugin_hash("test"), static_cast<uint16_t>(axioms.size()), 0};
        axioms.push_back(std::move(a));
        return w.axm(axioms.back().get(), type);
    }

    Fixture() {
        auto pair = w.sigma({w.nat(), w.nat()});
        add       = axiom("%t.add", w.pi(pair, w.nat()), [](Machine& m, const Def*) {
            auto [a, b] = m.nums<2>(m.group(0));
            return Value::num(a + b);
        });
        sub       = axiom("%t.sub", w.pi(pair, w.nat()), [](Machine& m, const Def*) {
            auto [a, b] = m.nums<2>(m.group(0));
            return Value::num(a < b ? 0 : a - b);
        });
        is_zero   = axiom("%t.is_zero", w.pi(w.nat(), w.bool_type()),
                          [](Machine& m, const Def*) { return Value::num(m.num(m.group(0)) == 0); });
        bad = axiom("%t.bad", w.pi(w.nat(), w.nat()), [](Machine& m, const Def* app) -> Value { m.undefined("bad thing", app); });
        M   = axiom("%t.M", w.star(), nullptr, Axiom::LinearType);
        print = axiom(
            "%t.print", w.pi(w.sigma({M, w.nat()}), w.sigma({M, w.nat()})),
            [](Machine& m, const Def*) {
                auto [mem, n] = m.elems<2>(m.group(0));
                m.token(mem);
                m.hosts().print(std::to_string(m.num(n)) + ";");
                return m.tuple({Value::token(), n});
            },
            Axiom::Effect);
    }
    const Def* n(uint64_t v) { return w.lit_nat(v); }
    const Def* plus(const Def* a, const Def* b) { return w.app(add, {a, b}); }
    const Def* minus(const Def* a, const Def* b) { return w.app(sub, {a, b}); }

    Lam* lam(const Def* dom, const Def* codom) { return w.mut_lam(w.pi(dom, codom)); }
    void close(Lam* l, const Def* body) { close({{l, body}}); }
    void close(std::vector<std::pair<Lam*, const Def*>> lams) {
        std::vector<Lam*> group;
        for (auto [l, body] : lams) w.set_body(l, body), group.push_back(l);
        w.close(group);
    }
    Lam* start(const Def* dom, const Def* codom) {
        auto l = lam(dom, codom);
        w.set_filter(l, w.ff());
        return l;
    }
    std::string show(const Def* d, Result::Status status = Result::Done) {
        std::string s;
        auto r = eval::evaluate(w, d, [&](Machine&, const Value& v) { s = eval::show(v); });
        CHECK(r.status == status);
        return r.status == Result::Done ? s : r.message;
    }
};

} // namespace

TEST_CASE_FIXTURE(Fixture, "eval: only what is needed") {
    CHECK(show(plus(n(20), n(22))) == "42");
    CHECK(show(w.app(bad, n(1)), Result::Undefined) == "bad thing in `%t.bad`");
    auto c = w.app(is_zero, n(0));
    CHECK(show(w.extract(w.tuple({w.app(bad, n(1)), n(7)}), c)) == "7");
    // an argument that the function ignores
    auto f = start(w.sigma({w.nat(), w.nat()}), w.nat());
    close(f, w.extract(f->var(), 1));
    CHECK(show(w.app(f, {w.app(bad, n(1)), n(5)})) == "5");
    CHECK(show(w.app(f, {n(5), w.app(bad, n(1))}), Result::Undefined) == "bad thing in `%t.bad`");
}

TEST_CASE_FIXTURE(Fixture, "eval: recursion 100,000 deep, tail calls in constant stack") {
    auto sum = start(w.nat(), w.nat());
    auto x   = sum->var();
    close(sum, w.extract(w.tuple({plus(x, w.app(sum, minus(x, n(1)))), n(0)}), w.app(is_zero, x)));
    CHECK(show(w.app(sum, n(100'000))) == "5000050000");

    auto loop = start(w.sigma({w.nat(), w.nat()}), w.nat());
    auto i = w.extract(loop->var(), 0), acc = w.extract(loop->var(), 1);
    close(loop, w.extract(w.tuple({w.app(loop, {minus(i, n(1)), plus(acc, i)}), acc}), w.app(is_zero, i)));
    CHECK(show(w.app(loop, {n(300'000), n(0)})) == "45000150000");

    auto forever = start(w.nat(), w.nat());
    close(forever, plus(n(1), w.app(forever, forever->var())));
    eval::Limits limits;
    limits.steps = 100'000;
    auto r       = eval::evaluate(w, w.app(forever, n(0)), [](Machine&, const Value&) {}, limits);
    CHECK(r.status == Result::Failed);
}

TEST_CASE_FIXTURE(Fixture, "eval: continuations, and each effect once") {
    // fun f(mem: M, i: Nat): M = loop (mem, i) where con loop(mem, i) = (body, exit)#(is_zero i) mem
    auto f    = start(w.sigma({w.sigma({M, w.nat()}), w.cn(M)}), w.bot());
    auto loop = start(w.sigma({M, w.nat()}), w.bot());
    auto body = start(M, w.bot());
    auto exit = start(M, w.bot());
    auto i    = w.extract(loop->var(), 1);
    auto p    = w.app(print, {body->var(), i});
    auto args = w.extract(f->var(), 0);
    close({{f, w.app(loop, args)},
           {loop, w.app(w.extract(w.tuple({body, exit}), w.app(is_zero, i)), w.extract(loop->var(), 0))},
           {body, w.app(loop, {w.extract(p, 0), minus(w.extract(p, 1), n(1))})},
           {exit, w.app(w.extract(f->var(), 1), exit->var())}});
    std::string result;
    auto r = eval::run(w,
                       [&](Machine& m) {
                           auto arg = m.tuple({Value::token(), Value::num(3)});
                           result   = eval::show(m.call_cps(m.eval(f), &arg));
                           return 0;
                       },
                       {});
    CHECK(r.status == Result::Done);
    CHECK(r.output == "3;2;1;");
    CHECK(result == "token");
}

TEST_CASE_FIXTURE(Fixture, "eval: a long loop needs neither stack nor memory") {
    auto loop = start(w.sigma({w.nat(), w.cn(w.nat())}), w.bot());
    auto body = start(w.unit_type(), w.bot());
    auto exit = start(w.unit_type(), w.bot());
    auto i = w.extract(loop->var(), 0), ret = w.extract(loop->var(), 1);
    close({{loop, w.app(w.extract(w.tuple({body, exit}), w.app(is_zero, i)), w.unit())},
           {body, w.app(loop, {minus(i, n(1)), ret})},
           {exit, w.app(ret, n(17))}});
    eval::Limits limits;
    limits.memory = 4 << 20;
    std::string result;
    auto r = eval::run(
        w,
        [&](Machine& m) {
            auto arg = Value::num(200'000);
            result   = eval::show(m.call_cps(m.eval(loop), &arg));
            return 0;
        },
        limits);
    CHECK(r.message == "");
    CHECK(result == "17");
}

TEST_CASE_FIXTURE(Fixture, "eval: unions, also when the member is a type variable") {
    auto u      = w.union_type(std::vector<const Def*>{w.nat(), w.bool_type()});
    auto on_nat = start(w.nat(), w.nat()), on_bool = start(w.bool_type(), w.nat());
    close(on_nat, plus(on_nat->var(), n(1)));
    close(on_bool, n(100));
    auto f            = start(u, w.nat());
    const Def* arms[] = {on_nat, on_bool};
    close(f, w.match(f->var(), arms));
    CHECK(show(w.app(f, w.inj(u, n(4)))) == "5");
    CHECK(show(w.app(f, w.inj(u, w.tt()))) == "100");
}

TEST_CASE_FIXTURE(Fixture, "eval: arrays of run-time length") {
    // λ (n: Nat, i: Idx n): Nat = ins(‹j: n; 7›, i, 9)#i  and its other elements
    auto sigma = w.mut_sigma(2);
    w.set(sigma, 0, w.nat());
    w.set(sigma, 1, w.idx(w.extract(sigma->var(), 0)));
    auto f   = start(w.seal(sigma), w.nat());
    auto len = w.extract(f->var(), 0), i = w.extract(f->var(), 1);
    close(f, w.extract(w.insert(w.pack(len, w.app(add, {n(3), n(4)})), i, n(9)), i));
    CHECK(show(w.app(f, {n(3), w.lit_idx(3, 1)})) == "9");
    CHECK(show(w.app(f, {n(1), w.lit_idx(1, 0)})) == "9");
    CHECK(show(w.app(f, {n(1'000'000), w.lit_idx(1'000'000, 999'999)})) == "9");
}

namespace {

/// Memory through the machine's own interface: p[i] of an array of three Nats, and so on.
struct Memory : Fixture {
    std::string run(const std::function<void(Machine&)>& body) {
        auto r = eval::run(w, [&](Machine& m) { return body(m), 0; }, {});
        return r.status == Result::Done ? "done" : r.message;
    }
    const Def* three() { return w.arr(3, w.nat()); }
    const Def* i8() { return w.idx(256); }
    const Def* i32() { return w.idx(uint64_t(1) << 32); }
    Value alloc(Machine& m, const Def* type) { return m.memory().alloc(m.eval(type), nullptr); }
    Value at(Machine& m, const Value& p, uint64_t i, const Def* type, uint64_t n = 3) {
        return m.memory().lea(p, Value::num(n), m.eval(w.pack(n, type)), i, nullptr);
    }
    Value at(Machine& m, const Value& p, uint64_t i) { return at(m, p, i, w.nat()); }
    void store(Machine& m, const Value& p, const Def* type, const Value& v) { m.memory().store(p, m.eval(type), v, nullptr); }
    Value load(Machine& m, const Value& p, const Def* type) { return m.memory().load(p, m.eval(type), nullptr); }
};

} // namespace

TEST_CASE_FIXTURE(Memory, "eval: memory and what is undefined about it") {
    CHECK(run([&](Machine& m) {
              auto p = alloc(m, three());
              store(m, at(m, p, 1), w.nat(), Value::num(5));
              CHECK(m.num(load(m, at(m, p, 1), w.nat())) == 5);
              auto copy = load(m, p, three());
              store(m, at(m, p, 1), w.nat(), Value::num(6));
              CHECK(m.num(m.elem(copy, 1, 3)) == 5);
              m.force(m.elem(copy, 0, 3)); // was never stored
          })
          == "use of an uninitialised value");
    CHECK(run([&](Machine& m) { load(m, alloc(m, three()), w.nat()); }) == "load of uninitialised memory");
    CHECK(run([&](Machine& m) { store(m, Value::null_ptr(), w.nat(), Value::num(1)); }) == "access through the null pointer");
    CHECK(run([&](Machine& m) {
              auto p = alloc(m, three());
              m.memory().free(p, nullptr);
              store(m, p, w.nat(), Value::num(1));
          })
          == "access to freed memory");
    CHECK(run([&](Machine& m) {
              auto p = alloc(m, three());
              m.memory().free(p, nullptr);
              m.memory().free(p, nullptr);
          })
          == "memory is freed twice");
    CHECK(run([&](Machine& m) { m.memory().free(at(m, alloc(m, three()), 1), nullptr); })
          == "free of a pointer into the middle of an allocation");
    CHECK(run([&](Machine& m) {
              auto p = m.memory().malloc(16);
              store(m, at(m, p, 1), w.nat(), Value::num(1));
              store(m, at(m, p, 2), w.nat(), Value::num(1));
          })
          == "access past the end of an allocation");
    CHECK(run([&](Machine& m) { load(m, at(m, alloc(m, three()), 2), w.arr(2, w.nat())); })
          == "access past the end of an allocation");
    CHECK(run([&](Machine& m) { at(m, alloc(m, three()), 3); }) == "index out of range");
    CHECK(run([&](Machine& m) { store(m, m.memory().num_to_ptr(1234), w.nat(), Value::num(1)); })
          == "access through a pointer that was made from a number");
}

TEST_CASE_FIXTURE(Memory, "eval: memory is bytes") {
    CHECK(run([&](Machine& m) { // a number at other widths, little-endian
              auto p = alloc(m, i32());
              store(m, p, i32(), Value::num(0x12345678));
              CHECK(m.num(load(m, p, i8())) == 0x78);
              CHECK(m.num(load(m, at(m, p, 1, i8(), 4), w.idx(65536))) == 0x3456);
              store(m, at(m, p, 3, i8(), 4), i8(), Value::num(0xff));
              CHECK(m.num(load(m, p, i32())) == 0xff345678);
          })
          == "done");
    CHECK(run([&](Machine& m) { // bytes that are no value of the type
              auto p = alloc(m, i8());
              store(m, p, i8(), Value::num(9));
              CHECK(m.num(load(m, p, w.idx(10))) == 9);
              load(m, p, w.idx(9));
          })
          == "load of uninitialised memory");
    CHECK(run([&](Machine& m) { // between the fields of a struct is nothing
              auto t = w.sigma({i8(), i32()});
              auto p = alloc(m, t);
              store(m, p, t, m.tuple({Value::num(1), Value::num(2)}));
              CHECK(m.num(load(m, at(m, p, 1, i32()), i32())) == 2);
              load(m, p, i32());
          })
          == "load of uninitialised memory");
    CHECK(run([&](Machine& m) { // half of a number
              auto p = alloc(m, w.nat());
              store(m, p, i32(), Value::num(7));
              load(m, p, w.nat());
          })
          == "load of uninitialised memory");
    CHECK(run([&](Machine& m) { // a union: the tag and what it tags
              auto u = w.union_type(std::vector<const Def*>{w.nat(), i8()});
              auto p = alloc(m, u);
              store(m, p, u, m.eval(w.inj(u, w.lit_idx(256, 7))));
              CHECK(eval::show(load(m, p, u)) == "7 inj");
              CHECK(m.num(load(m, at(m, p, 8, i8(), 16), i8())) == 7);
              store(m, p, i8(), Value::num(2));
              load(m, p, u);
          })
          == "load of uninitialised memory");
    CHECK(run([&](Machine& m) {
              auto pair = w.sigma({i32(), w.idx(uint64_t(1) << 16)});
              auto v = m.memory().reinterpret(m.tuple({Value::num(1), Value::num(2)}), m.eval(w.arr(2, i32())), m.eval(w.nat()),
                                              nullptr);
              CHECK(m.num(v) == (uint64_t(2) << 32) + 1);
              m.force(m.memory().reinterpret(m.tuple({Value::num(1), Value::num(2)}), m.eval(pair), m.eval(w.nat()), nullptr));
          })
          == "use of an uninitialised value");
}

TEST_CASE_FIXTURE(Memory, "eval: pointers and functions in memory") {
    auto fn  = w.pi(w.nat(), w.nat());
    auto ptr = axiom("%t.Ptr", w.pi(w.star(), w.star()), nullptr);
    CHECK(run([&](Machine& m) { // a pointer in memory is what it was, and its bytes are its address
              auto type = w.app(ptr, w.nat());
              auto p = alloc(m, w.nat()), q = alloc(m, type);
              store(m, p, w.nat(), Value::num(3));
              store(m, q, type, p);
              CHECK(eval::same_ptr(load(m, q, type), p));
              auto address = m.num(load(m, q, w.nat()));
              CHECK(address == m.memory().ptr_to_num(p, nullptr));
              CHECK(m.num(load(m, m.memory().num_to_ptr(address), w.nat())) == 3);
              auto low = m.num(load(m, q, i8()));
              store(m, q, i8(), Value::num(low));
              CHECK(eval::same_ptr(load(m, q, type), p));
              store(m, q, i8(), Value::num(low ^ 255));
              load(m, load(m, q, type), w.nat());
          })
          != "done");
    CHECK(run([&](Machine& m) { // address arithmetic stays in its allocation
              auto p = alloc(m, three());
              store(m, at(m, p, 2), w.nat(), Value::num(9));
              CHECK(m.num(load(m, m.memory().num_to_ptr(m.memory().ptr_to_num(p, nullptr) + 16), w.nat())) == 9);
          })
          == "done");
    CHECK(run([&](Machine& m) {
              auto p = alloc(m, fn);
              store(m, p, fn, m.eval(is_zero));
              CHECK(eval::show(load(m, p, fn)) == "%t.is_zero");
              load(m, p, i8());
          })
          == "a part of a function in memory is used as a number");
    CHECK(run([&](Machine& m) {
              auto p = alloc(m, w.star());
              store(m, p, w.star(), m.eval(w.nat()));
              load(m, p, w.star());
          })
          == "the evaluator cannot read type from memory");
    CHECK(run([&](Machine& m) {
              auto t = m.eval(w.sigma({w.idx(256), w.nat(), w.idx(65536)}));
              CHECK(m.layouts().size_of(t, nullptr) == 24);
              CHECK(m.layouts().align_of(t, nullptr) == 8);
              CHECK(m.layouts().size_of(m.eval(w.arr(7, w.bool_type())), nullptr) == 7);
          })
          == "done");
}

TEST_CASE_FIXTURE(Fixture, "eval: numbers of any size") {
    using namespace eval;
    CHECK(mod_add(~0ull, 2, 0) == 1);
    CHECK(mod_sub(3, 5, 7) == 5);
    CHECK(mod_mul(1ull << 63, 2, 0) == 0);
    CHECK(signed_of(4, 7) == -3);
    CHECK(signed_of(3, 7) == 3);
    CHECK(mod_signed(-1, 0) == ~0ull);
    CHECK(mod_signed(-8, 7) == 6);
}
