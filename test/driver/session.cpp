// SPDX-License-Identifier: MIT
// Sessions share nothing: what one loads or breaks, the others do not see.
#include "driver/session.h"

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <thread>

#include <sys/stat.h>
#include <unistd.h>

#include "backend/backend.h"
#include "base/stack.h"
#include "driver/pipeline.h"

using namespace mim;

namespace {

/// A folder that goes away with its files.
class TempDir {
public:
    TempDir() { REQUIRE(::mkdtemp(path_)); }
    ~TempDir() {
        for (auto& file : files_) std::remove(file.c_str());
        ::rmdir(path_);
    }
    std::string file(const std::string& name, const std::string& text) {
        auto path = std::string(path_) + "/" + name;
        std::ofstream(path) << text;
        files_.push_back(path);
        return path;
    }
    std::string path() const { return path_; }

private:
    char path_[32] = "/tmp/mim-session-XXXXXX";
    std::vector<std::string> files_;
};

} // namespace

TEST_CASE("sessions live side by side, also on several threads") {
    TempDir dir;
    dir.file("shared.mim", "axm %shared.T: *;\nlet %shared.two = 2;\n");
    auto good = dir.file("good.mim", "plugin shared;\nfun extern f (n: Nat, t: %shared.T): Nat = return %shared.two;\n");
    auto bad  = dir.file("bad.mim", "plugin shared;\nlet x: %shared.T = %shared.two;\n");
    auto run  = [&](const std::string& path, bool& ok, std::string& text) {
        run_on_big_stack([&] {
            Session session({dir.path()});
            ok = session.load_program(path);
            if (ok) text = print_program(session.world);
        });
    };
    bool ok[4] = {};
    std::string text[4];
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back([&, i] { run(i % 2 ? bad : good, ok[i], text[i]); });
    for (auto& t : threads) t.join();
    for (int i = 0; i < 4; ++i) CHECK(ok[i] == (i % 2 == 0));
    CHECK(text[0] == text[2]);
    CHECK(text[0].find("con extern f") != std::string::npos);
}

namespace {

/// What becomes of a program on the whole way: the text after the pipeline, and LLVM's; empty after an error.
std::string compiled(const std::string& path) {
    std::string result;
    run_on_big_stack([&] {
        Session session;
        if (!session.load_program(path) || !session.check_tokens()) return;
        PipelineOptions pipeline;
        pipeline.verify_each = true;
        if (run_pipeline(session, pipeline) != PhaseManager::Outcome::Done) return;
        result = print_program(session.world);
        backend::EmitOptions options;
        options.files = {{backend::Output::Text, "-"}};
        auto sink     = [&](const auto&, std::string_view bytes) {
            result += bytes;
            return true;
        };
        if (!backend::emit(session.world, session.diags, options, sink)) result.clear();
    });
    return result;
}

} // namespace

TEST_CASE("whole compilations on several threads make what one alone makes") {
    TempDir dir;
    auto program = [&](const std::string& name, const std::string& op) {
        return dir.file(
            name, "plugin core;\nplugin math;\n"
                  "lam power (a: I32, n: Nat) @(%core.pe.known n): I32 =\n"
                  "    (%core.wrap."
                      + op
                      + " 0 (a, power (a, %core.nat.sub (n, 1))), 1I32)#(%core.ncmp.e (n, 0));\n"
                        "fun sum (n acc: I32): I32 = (more, done)#(%core.icmp.e (n, 0I32)) () where\n"
                        "    con done () = return acc;\n"
                        "    con more () = sum ((%core.wrap.sub 0 (n, 1I32), %core.wrap.add 0 (acc, power (n, 5))), return);\n"
                        "end;\n"
                        "fun extern half (x: %math.F64): %math.F64 = return (%math.arith.mul 0 (x, 0.5:%math.F64));\n"
                        "fun extern run (n: I32): I32 = sum ((n, 0I32), return);\n");
    };
    std::string paths[] = {program("a.mim", "mul"), program("b.mim", "add")};
    std::string text[8];
    std::vector<std::thread> threads;
    for (size_t i = 0; i < 8; ++i) threads.emplace_back([&, i] { text[i] = compiled(paths[i % 2]); });
    for (auto& t : threads) t.join();
    for (size_t i = 0; i < 8; ++i) {
        CHECK_FALSE(text[i].empty());
        CHECK(text[i] == compiled(paths[i % 2]));
    }
    CHECK(text[0] != text[1]);
}

TEST_CASE("a session goes on after a program with errors") {
    TempDir dir;
    auto bad  = dir.file("bad.mim", "let x = unknown;\n");
    auto good = dir.file("good.mim", "fun extern f (n: Nat): Nat = return n;\n");
    run_on_big_stack([&] {
        Session session;
        CHECK_FALSE(session.load_program(bad));
        CHECK(session.load_program(good));
        CHECK(session.world.externals.find("f"));
        CHECK_FALSE(session.load_program(dir.path() + "/missing.mim"));
    });
}

TEST_CASE("expressions see the names of the program") {
    TempDir dir;
    auto path = dir.file("p.mim", "let three = 3;\n");
    run_on_big_stack([&] {
        Session session;
        REQUIRE(session.load_program(path));
        auto def = session.expression("(three, 4)", "test");
        REQUIRE(def);
        CHECK(def == session.world.tuple({session.world.lit_nat(3), session.world.lit_nat(4)}));
        CHECK_FALSE(session.expression("(three, ", "test"));
        CHECK_FALSE(session.expression("four", "test"));
    });
}
