// SPDX-License-Identifier: MIT
// What only a broken plugin or a driver that mixes targets can cause: code that LLVM rejects, and a layout that is not the target's. A plugin's
// own builder on top of the back end's.
#include <doctest/doctest.h>

#include "backend/backend.h"
#include "backend/emit_forwarder.h"

using namespace mim;

namespace {

struct Fixture {
    SourceManager sources;
    Diagnostics diags{sources};
    World w;
    Axiom op;

    /// `con extern f (x: Nat, ret: Cn Nat) = ret (%bad.f x)`
    void program(OpEmitter emitter) {
        op.name     = w.sym("%bad.f");
        op.id       = {plugin_hash("bad"), 0, 0};
        op.curry    = 1;
        op.emitters = {{"llvm", emitter, nullptr}};
        auto axm    = w.axm(&op, w.pi(w.nat(), w.nat()));
        w.annexes.define(op.id, op.name, axm);
        auto lam = w.mut_lam(w.fn(w.nat(), w.nat()));
        auto x   = w.extract(lam->var(), uint64_t(0));
        w.set(lam, w.ff(), w.app(w.extract(lam->var(), uint64_t(1)), w.app(axm, x)));
        w.close(std::span<Lam* const>(&lam, 1));
        w.externals.add(w.sym("f"), lam);
    }

    /// Emits text of LLVM; the bytes, empty if it failed.
    std::string emit() {
        backend::EmitOptions options;
        options.opt   = 0;
        options.files = {{backend::Output::Text, "out.ll"}};
        std::string text;
        auto keep = [&](const backend::EmitOptions::File&, std::string_view bytes) { return text = bytes, true; };
        return backend::emit(w, diags, options, keep) ? text : "";
    }
};

backend::Value identity(backend::Emit& e, const Def* app) { return e.emit(app->as<App>()->arg()); }
backend::Value of_another_type(backend::Emit& e, const Def*) { return e.int_const(e.int_type(8), 1); }
backend::Value throws(backend::Emit&, const Def*) { throw Error(Diag::arity_not_nat, {std::string("a"), std::string("b")}); }

/// Subtracts where its user adds.
struct Subtracting final : backend::EmitForwarder {
    using EmitForwarder::EmitForwarder;
    backend::Value bin(backend::Bin op, backend::Value a, backend::Value b, uint32_t flags) override {
        bool is_add = op == backend::Bin::Add;
        return below().bin(is_add ? backend::Bin::Sub : op, a, b, flags);
    }
};

/// x + 3 by way of memory, in another block, in the builder that subtracts.
backend::Value through_forwarder(backend::Emit& e, const Def* app) {
    Subtracting builder(e);
    auto i64  = builder.type(app->type());
    auto slot = builder.alloca_(i64);
    auto next = builder.new_block("next");
    auto sum  = builder.bin(backend::Bin::Add, builder.emit(app->as<App>()->arg()), builder.i64(3), backend::NoFlags);
    builder.store(sum, slot);
    builder.jump(next);
    builder.enter(next);
    return builder.umax(builder.load(i64, slot), builder.i64(5));
}

} // namespace

TEST_CASE_FIXTURE(Fixture, "an emitter that keeps to the types") {
    program(identity);
    CHECK(emit().find("@f(i64") != std::string::npos);
    CHECK(diags.all().empty());
}

TEST_CASE_FIXTURE(Fixture, "an emitter whose value has another type") {
    program(of_another_type);
    CHECK(emit().empty());
    REQUIRE(diags.all().size() == 1);
    CHECK(diags.all()[0].id == Diag::emitter_broke);
    CHECK(diags.all()[0].args[3] == "gives `i8` for `Nat`, which is `i64`");
}

TEST_CASE_FIXTURE(Fixture, "an emitter that throws") {
    program(throws);
    CHECK(emit().empty());
    REQUIRE(diags.all().size() == 1);
    CHECK(diags.all()[0].id == Diag::plugin_fault);
}

TEST_CASE("an emitter that asks for what LLVM does not have") {
    using namespace backend;
    struct Case {
        OpEmitter emitter;
        const char* what;
    };
    Case cases[] = {
        {[](Emit& e, const Def*) { return e.bin(Bin::FAdd, e.i64(1), e.i64(2)); }, "asks for `bin` of `i64` and `i64`"},
        {[](Emit& e, const Def*) { return e.bin(Bin::Add, e.i64(1), {}); }, "asks for `bin` of `i64` and nothing"},
        {[](Emit& e, const Def*) { return e.cmp(Cmp::Eq, e.i64(1), e.i1(true)); }, "asks for `cmp` of `i64` and `i1`"},
        {[](Emit& e, const Def*) { return e.fcmp(FCmp::OEq, e.i64(1), e.i64(1)); }, "asks for `fcmp` of `i64` and `i64`"},
        {[](Emit& e, const Def*) { return e.fneg(e.i64(1)); }, "asks for `fneg` of `i64`"},
        {[](Emit& e, const Def*) { return e.cast(Cast::ZExt, e.i64(1), e.int_type(8)); }, "asks for `cast` of `i64` and `i8`"},
        {[](Emit& e, const Def*) { return e.cast(Cast::FPToSI, e.i64(1), e.int_type(8)); }, "asks for `cast` of `i64` and `i8`"},
        {[](Emit& e, const Def*) { return e.select(e.i64(1), e.i64(1), e.i64(2)); },
         "asks for `select` of `i64`, `i64` and `i64`"},
        {[](Emit& e, const Def*) { return e.resize(e.i64(1), e.float_type(Float::F64)); },
         "asks for `resize` of `i64` and `double`"},
        {[](Emit& e, const Def*) { return e.intrinsic("llvm.no.such", {}, {}); },
         "asks for `intrinsic` of `llvm.no.such`, which LLVM lacks"},
        {[](Emit& e, const Def*) { return e.extract_value(e.aggregate({e.i64(1), e.i1(true)}), 2); },
         "asks for `extract_value` of element 2 of `{ i64, i1 }`"},
        {[](Emit& e, const Def*) { return e.insert_value(e.aggregate({e.i64(1), e.i1(true)}), e.i64(1), 1); },
         "asks for `insert_value` of `i64` as element 1 of `{ i64, i1 }`"},
        {[](Emit& e, const Def*) { return e.extract_lane(e.i64(1), e.i64(0)); }, "asks for `extract_lane` of `i64` and `i64`"},
        {[](Emit& e, const Def*) { return e.insert_lane(e.splat(e.i64(1), 2), e.i1(true), e.i64(0)); },
         "asks for `insert_lane` of `<2 x i64>`, `i1` and `i64`"},
        {[](Emit& e, const Def*) { return e.lanes({}); }, "asks for `lanes` of no elements"},
        {[](Emit& e, const Def*) { return e.splat(e.i64(1), 0); }, "asks for `splat` of 0 lanes of `i64`"},
        {[](Emit& e, const Def*) {
             int mask[] = {4};
             auto vec   = e.splat(e.i64(1), 2);
             return e.shuffle(vec, vec, mask);
         },
         "asks for `shuffle` of lane 4 of two `<2 x i64>`"},
        {[](Emit& e, const Def*) { return e.load(e.int_type(64), e.i64(1)); }, "asks for `load` of `i64` at `i64`"},
        {[](Emit& e, const Def*) { return e.store(e.i64(1), {}), e.i64(1); }, "asks for `store` of `i64` at nothing"},
        {[](Emit& e, const Def*) { return e.gep(e.int_type(8), e.i64(1), e.i64(1)); }, "asks for `gep` of `i64` and `i64`"},
        {[](Emit& e, const Def*) { return e.byte_gep(e.i64(1), e.i64(1)); }, "asks for `byte_gep` of `i64` and `i64`"},
        {[](Emit& e, const Def*) { return e.field_ptr(e.int_type(64), e.zero(e.ptr_type()), 0); },
         "asks for `field_ptr` of field 0 of `i64` at `ptr`"},
        {[](Emit& e, const Def*) { return e.trap_if(e.i64(1), nullptr, "never"), e.i64(1); }, "asks for `trap_if` of `i64`"},
        {[](Emit& e, const Def*) { return e.int_const(e.ptr_type(), 1); }, "asks for `int_const` of `ptr`"},
        {[](Emit& e, const Def*) { return e.float_bits(e.int_type(64), 1); }, "asks for `float_bits` of `i64`"},
        {[](Emit& e, const Def*) { return e.zero({}); }, "asks for `zero` of nothing"},
        {[](Emit& e, const Def*) { return e.undef(e.vector_type({}, 2)); }, "asks for `vector_type` of 2 lanes of nothing"},
        {[](Emit& e, const Def*) { return e.zero(e.int_type(0)); }, "asks for `int_type` of 0 bits"},
        {[](Emit& e, const Def*) { return e.zero(e.array_type({}, 2)); }, "asks for `array_type` of nothing"},
    };
    for (auto& c : cases) {
        Fixture f;
        f.program(c.emitter);
        CHECK(f.emit().empty());
        REQUIRE(f.diags.all().size() == 1);
        CHECK(f.diags.all()[0].id == Diag::emitter_broke);
        CHECK(f.diags.all()[0].args[3] == c.what);
    }
}

TEST_CASE_FIXTURE(Fixture, "a builder that changes one operation and hands on the others") {
    program(through_forwarder);
    auto text  = emit();
    auto order = {"alloca i64", "sub i64", ", 3", "store i64", "next:", "load i64", "@llvm.umax.i64(i64", "i64 5)"};
    size_t at  = 0;
    for (std::string_view part : order) {
        CAPTURE(part);
        at = text.find(part, at);
        REQUIRE(at != std::string::npos);
    }
    CHECK(text.find("add i64") == std::string::npos);
    CHECK(diags.all().empty());
}

TEST_CASE_FIXTURE(Fixture, "a layout of another target") {
    program(identity);
    w.layout.text = "e-p:16:16";
    CHECK(emit().empty());
    REQUIRE(diags.all().size() == 1);
    CHECK(diags.all()[0].id == Diag::layout_differs);
    CHECK(diags.all()[0].args[0] == "e-p:16:16");
}

TEST_CASE_FIXTURE(Fixture, "compiled code is asked for a function that it does not have") {
    program(identity);
    for (bool quick : {false, true}) {
        backend::EmitOptions options;
        options.quick = quick;
        Diagnostics asked(sources);
        auto code = backend::compile_in_memory(w, asked, options);
        REQUIRE(code);
        CHECK(code->address(asked, "f"));
        CHECK(asked.all().empty());
        CHECK(!code->address(asked, "g"));
        REQUIRE(asked.all().size() == 1);
        CHECK(asked.all()[0].id == Diag::unknown_external);
        CHECK(asked.all()[0].args[0] == "g");
        CHECK(asked.all()[0].args[1] == "`f`");
    }
}

TEST_CASE_FIXTURE(Fixture, "an external function without a body has no code") {
    w.externals.add(w.sym("g"), w.mut_lam(w.fn(w.nat(), w.nat())));
    CHECK(emit() == "");
    REQUIRE(diags.all().size() == 1);
    CHECK(diags.all()[0].id == Diag::external_open);
    Diagnostics in_memory(sources);
    CHECK(!backend::compile_in_memory(w, in_memory, {}));
    REQUIRE(in_memory.all().size() == 1);
    CHECK(in_memory.all()[0].id == Diag::external_open);
}
