// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <unistd.h>

#include "phase/manager.h"

using namespace mim;
using Outcome = PhaseManager::Outcome;

namespace {

struct Fixture {
    SourceManager sources;
    Diagnostics diags{sources};
    Profile profile;
    World world;
    Instruments i;
    std::vector<std::string> ran;
    std::string shown;
    std::vector<Phase> phases;
    std::vector<Step> steps;

    Fixture() {
        i.print  = [this](World&) { return "program after " + std::to_string(ran.size()) + "\n"; };
        i.show   = [this](const std::string& text) { shown += text; };
        i.report = [this](const Error& e) { diags.report(e.id, {}, {"1"}); };
        phases.reserve(8);
    }
    void add(std::string name, std::function<void(PhaseContext&)> extra = {}) {
        phases.push_back({name, "", [this, name, extra](PhaseContext& c) {
                              ran.push_back(name);
                              if (extra) extra(c);
                          }});
        steps.push_back({&phases.back(), "p"});
    }
    Outcome run() { return PhaseManager(i, diags, profile).run(world, steps); }
};

std::string file_text(const std::string& path) {
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

} // namespace

TEST_CASE_FIXTURE(Fixture, "phases run in order, from a start to a stop") {
    for (auto name : {"a", "b", "c", "d"}) add(name);
    i.start_at   = "b";
    i.stop_after = "c";
    CHECK(run() == Outcome::Done);
    CHECK(ran == std::vector<std::string>{"b", "c"});
}

TEST_CASE_FIXTURE(Fixture, "prints after one phase or all, and says when nothing changed") {
    add("a");
    add("b");
    i.print_after = "b";
    CHECK(run() == Outcome::Done);
    CHECK(shown == "// after b\nprogram after 2\n");
    shown.clear();
    i.print       = [](World&) { return "same\n"; };
    i.print_after = "all";
    CHECK(run() == Outcome::Done);
    CHECK(shown == "// after a\nsame\n// after b: unchanged\n");
}

TEST_CASE_FIXTURE(Fixture, "an ill-typed construction is the phase's fault and leaves a reproducer") {
    add("a");
    add("bad", [](PhaseContext& c) { c.world.app(c.world.lit_nat(1), c.world.lit_nat(2)); });
    add("c");
    char path[] = "/tmp/mim-reproducer-XXXXXX";
    ::close(::mkstemp(path));
    i.reproducer      = path;
    i.reproducer_head = [](const std::string& phase) { return "// how to run it from " + phase + "\n"; };
    CHECK(run() == Outcome::Fault);
    CHECK(ran == std::vector<std::string>{"a", "bad"});
    REQUIRE(diags.all().size() == 1);
    auto& d = diags.all()[0];
    CHECK(d.id == Diag::phase_broke);
    CHECK(d.args[0] == "the plugin `p`");
    CHECK(d.args[1] == "bad");
    REQUIRE(d.notes.size() == 1);
    CHECK(d.notes[0].id == Diag::reproducer_written);
    auto text = file_text(path);
    CHECK(text.find("`bad`, which failed") != text.npos);
    CHECK(text.find("// how to run it from bad\n// phases from here on: bad c\n") != text.npos);
    CHECK(text.find("program after 2") != text.npos);
    std::remove(path);
}

TEST_CASE_FIXTURE(Fixture, "a run-away evaluation is the user's error, an exception the phase's") {
    add("slow", [](PhaseContext&) { throw Error(Diag::out_of_budget, {std::string("1")}); });
    CHECK(run() == Outcome::UserError);
    CHECK(diags.all()[0].id == Diag::out_of_budget);
    steps.clear();
    add("odd", [](PhaseContext&) { throw std::runtime_error("odd"); });
    CHECK(run() == Outcome::Fault);
}

TEST_CASE_FIXTURE(Fixture, "what breaks an invariant is found after the phase") {
    add("breaks");
    i.verify = [](World&) { return std::string("a redex remains"); };
    CHECK(run() == Outcome::Done);
    i.verify_each = true;
    CHECK(run() == Outcome::Fault);
    CHECK(diags.all()[0].args[2] == "a redex remains");
}

TEST_CASE_FIXTURE(Fixture, "a failed phase leaves the externals as they were") {
    auto lam = world.mut_lam(world.cn(world.nat()));
    world.set(lam, world.ff(), world.app(lam, lam->var()));
    world.externals.add(world.sym("f"), lam);
    add("drops", [](PhaseContext& c) {
        c.world.externals.remove(c.world.sym("f"));
        throw std::runtime_error("half way");
    });
    CHECK(run() == Outcome::Fault);
    CHECK(world.externals.find("f") == lam);
}

TEST_CASE_FIXTURE(Fixture, "no phase sees an external function without a body") {
    world.externals.add(world.sym("f"), world.mut_lam(world.cn(world.nat())));
    bool ran = false;
    add("sees", [&](PhaseContext&) { ran = true; });
    CHECK(run() == Outcome::Fault);
    CHECK(!ran);
    CHECK(diags.all()[0].id == Diag::external_open);
    CHECK(diags.all()[0].args[0] == "f");
}

TEST_CASE_FIXTURE(Fixture, "times are a table and a trace") {
    profile.enabled = true;
    add("a", [](PhaseContext& c) { c.world.tuple({c.world.lit_nat(1), c.world.lit_nat(2)}); });
    CHECK(run() == Outcome::Done);
    REQUIRE(profile.events().size() == 1);
    CHECK(profile.events()[0].nodes > 0);
    CHECK(profile.table().find("  a\n") != std::string::npos);
    CHECK(profile.trace().find("\"name\":\"a\",\"ph\":\"X\"") != std::string::npos);
}
