// SPDX-License-Identifier: MIT
// libFuzzer target for evaluator versus compiled: the input is the choices of the generator of test/agree, so that coverage of the
// compiler steers which programs are made. They are well typed, and the modes of test/agree that script/test runs must agree on them.
#include <cstdio>
#include <cstdlib>

#include "base/stack.h"
#include "batch.h"
#include "common/forked.h"
#include "sessions.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const std::string folder = [] {
        char name[] = "/tmp/mim-fuzz-XXXXXX";
        return std::string(::mkdtemp(name) ? name : "/tmp");
    }();
    agree::GenOptions options;
    options.without.insert({"risk", "lengths"});
    auto program                             = agree::generate(agree::Random(data, size), "t", options);
    static const std::set<std::string> modes = {"normalized", "known", "reread", "phases", "O0", "O3", "debug", "checked"};
    agree::prepare_sessions();
    auto work = [&] {
        agree::Tally tally;
        for (auto& f : agree::check({program}, modes, folder, tally)) {
            std::fprintf(stderr, "%s: %s\n%s\n", f.mode.c_str(), f.message.c_str(), agree::module_text({program}).c_str());
            std::abort();
        }
    };
    fuzz::in_child([&] { mim::run_on_big_stack(work); });
    return 0;
}
