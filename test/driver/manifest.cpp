// SPDX-License-Identifier: MIT
// Manifests: what they say is read back, what is damaged is found wherever the file is cut off, and what a plugin must
// not register is a fault.
#include "driver/manifest.h"

#include <doctest/doctest.h>

#include "driver/recorder.h"

using namespace mim;

namespace {

CommandSpec command(std::string name) {
    return {.name = std::move(name), .operands = "FILE", .summary = "a summary", .options = {{"--all", "-a", "", "all of it"}}};
}

/// Registers everything once.
void record(Recorder& r) {
    r.with_default_pipeline();
    r.front_end("ext", true);
    r.formatter("ext", true);
    r.back_end("out", ".o", "an output", true);
    r.option("depth", 3, "how deep");
    r.option("name", "a = b", "");
    r.command(command("walk"), true);
    r.library({"runtime", {"m", "gc"}, "install it", {}, {}});
    r.extension_point("demo.middle", "others go here");
}

/// The one fault after `wrong` has registered something.
template<class F>
std::string fault(F wrong) {
    Recorder r("demo");
    record(r);
    CHECK(r.faults.empty());
    wrong(r);
    REQUIRE(r.faults.size() == 1);
    return r.faults[0];
}

template<class F>
std::string fault_of_command(F change) {
    auto spec = command("run2");
    change(spec);
    return fault([&](Recorder& r) { r.command(spec, true); });
}

} // namespace

TEST_CASE("a manifest is read back") {
    Recorder r("demo");
    record(r);
    auto text = to_text(r.manifest);
    std::string problem;
    auto read = parse_manifest(text, problem);
    REQUIRE(read);
    CHECK(to_text(*read) == text);
    CHECK(read->plugin == "demo");
    CHECK(read->command("walk")->options[0].short_name == "-a");
    CHECK(read->option("depth")->value == "3");
    CHECK(!read->option("width"));
    CHECK(read->has_extension_point("demo.middle"));
    CHECK(!read->has_extension_point("demo.end"));
    CHECK(read->libraries[0].system_libraries == std::vector<std::string>{"m", "gc"});
}

TEST_CASE("a manifest that is cut off is damaged, and so is one without a line") {
    Recorder r("demo");
    record(r);
    auto text = to_text(r.manifest);
    std::string problem;
    for (size_t n = 0; n + 1 < text.size(); ++n) {
        CAPTURE(n);
        CHECK(!parse_manifest(std::string_view(text).substr(0, n), problem));
    }
    for (size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1) {
        auto without = text;
        without.erase(begin, text.find('\n', begin) + 1 - begin);
        CHECK(!parse_manifest(without, problem));
        CHECK(problem.starts_with("is "));
    }
}

TEST_CASE("names that cannot be written are faults") {
    CHECK(fault([](Recorder& r) { r.front_end("a.b", true); })
          == "the front end for `.a.b` has no name of letters, digits, `_` and `-`");
    CHECK(fault([](Recorder& r) { r.front_end("", true); }).find("has no name") != std::string::npos);
    CHECK(fault([](Recorder& r) { r.front_end("mim", true); }) == "the front end for `.mim` is Mim's own");
    CHECK(fault([](Recorder& r) { r.back_end("a,b", "", "", true); }).find("has no name") != std::string::npos);
    CHECK(fault([](Recorder& r) { r.back_end("exe", "", "", true); }) == "the output `exe` is Mim's own");
    CHECK(fault([](Recorder& r) { r.option("a.b", 1, ""); }).find("has no name") != std::string::npos);
    CHECK(fault([](Recorder& r) { r.option("a", 1, "one\ntwo"); }) == "the option `a` has a text with a control character");
    CHECK(fault([](Recorder& r) { r.command(command("run"), true); }) == "the command `run` is Mim's own");
    CHECK(fault([](Recorder& r) { r.command(command("-x"), true); }).find("has no name") != std::string::npos);
    CHECK(fault([](Recorder& r) { r.library({"a/b", {}, {}, {}, {}}); }).find("has no name") != std::string::npos);
    CHECK(fault([](Recorder& r) { r.library({"a", {"-lm"}, {}, {}, {}}); })
          == "the library `a` needs `-lm`, which cannot be the name of a library");
}

TEST_CASE("the same twice is a fault") {
    CHECK(fault([](Recorder& r) { r.front_end("ext", true); }) == "the front end for `.ext` is registered twice");
    CHECK(fault([](Recorder& r) { r.formatter("ext", true); }) == "the formatter for `.ext` is registered twice");
    CHECK(fault([](Recorder& r) { r.back_end("out", "", "", true); }) == "the output `out` is registered twice");
    CHECK(fault([](Recorder& r) { r.option("depth", 1, ""); }) == "the option `depth` is registered twice");
    CHECK(fault([](Recorder& r) { r.command(command("walk"), true); }) == "the command `walk` is registered twice");
    CHECK(fault([](Recorder& r) { r.library({"runtime", {}, {}, {}, {}}); }) == "the library `runtime` is registered twice");
}

TEST_CASE("extension points have names that tell whose they are") {
    auto names = "` has no name such as `demo.middle`";
    for (std::string wrong : {"front", "other.middle", "demo", "demo.", "demo.a.b", "demo.a b", ""})
        CHECK(fault([&](Recorder& r) { r.extension_point(wrong, ""); }) == "the extension point `" + wrong + names);
    CHECK(fault([](Recorder& r) { r.extension_point("demo.middle", ""); })
          == "the extension point `demo.middle` is registered twice");
    CHECK(fault([](Recorder& r) { r.extension_point("demo.end", "\n"); })
          == "the extension point `demo.end` has a text with a control character");
    Recorder opt("opt"); // the plugin with the default pipeline
    opt.extension_point("front", "");
    CHECK(opt.faults.empty());
}

TEST_CASE("names in the order of phases that nothing can have are faults") {
    auto wrong_join = [](auto change) {
        return fault([&](Recorder& r) {
            auto& join = r.join("front", "demo.lower");
            r.phase("demo.lower", "", true);
            r.check_joins();
            CHECK(r.faults.empty());
            change(join);
            r.check_joins();
        });
    };
    auto hook = std::string("the phase `demo.lower` at the extension point `front` is to run ");
    CHECK(wrong_join([](Join& j) { j.before = {"other.phase", "eta", "a b"}; })
          == hook + "before `a b`, which no phase can be called");
    CHECK(wrong_join([](Join& j) { j.after = {"a..b"}; }) == hook + "after `a..b`, which no phase can be called");
    CHECK(wrong_join([](Join& j) { j.point = ".front"; })
          == "the phase `demo.lower` at the extension point `.front` joins what no extension point can be called");
    CHECK(wrong_join([](Join& j) { j.phase = ""; })
          == "the phase `` at the extension point `front` has no name such as `demo.lower`");
}

TEST_CASE("a hook without a function is a fault") {
    CHECK(fault([](Recorder& r) { r.front_end("other", false); }) == "the front end for `.other` has no function");
    CHECK(fault([](Recorder& r) { r.back_end("other", "", "", false); }) == "the output `other` has no function");
    CHECK(fault([](Recorder& r) { r.command(command("other"), false); }) == "the command `other` has no function");
    CHECK(fault([](Recorder& r) { r.formatter("other", true); })
          == "the formatter for `.other` comes before its front end, or there is none");
}

TEST_CASE("options of commands that cannot be given are faults") {
    CHECK(fault_of_command([](CommandSpec& c) { c.options[0].name = "all"; })
          == "the option `all` of the command `run2` has no name such as `--all`");
    CHECK(fault_of_command([](CommandSpec& c) { c.options[0].short_name = "-ab"; })
          == "the option `--all` of the command `run2` has no short name such as `-a`: `-ab`");
    CHECK(fault_of_command([](CommandSpec& c) { c.options[0].short_name = "-P"; })
          == "the option `--all` of the command `run2` is one that each command has");
    CHECK(fault_of_command([](CommandSpec& c) { c.options[0].name = "--help"; }).find("each command has") != std::string::npos);
    CHECK(fault_of_command([](CommandSpec& c) { c.min_operands = 3, c.max_operands = 2; })
          == "the command `run2` needs more operands than it takes");
    CHECK(fault_of_command([](CommandSpec& c) { c.failure = 0; })
          == "the command `run2` has another status of failure than 1 or 2");
    CHECK(fault_of_command([](CommandSpec& c) { c.options.push_back({"--any", "", "", "a\tb"}); }).find("control")
          != std::string::npos);
}
