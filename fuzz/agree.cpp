// SPDX-License-Identifier: MIT
// libFuzzer target for evaluator versus compiled: the input is the choices of the generator of test/agree, so that coverage of the
// compiler steers which programs are made. They are well typed, and all modes of test/agree must agree on them.
#include <cstdio>
#include <cstdlib>

#include "base/stack.h"
#include "batch.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const std::string folder = [] {
        char name[] = "/tmp/mim-fuzz-XXXXXX";
        return std::string(::mkdtemp(name) ? name : "/tmp");
    }();
    auto program = agree::generate(agree::Random(data, size), "t", {});
    mim::run_on_big_stack([&] {
        agree::Tally tally;
        for (auto& f : agree::check({program}, {agree::all_modes.begin(), agree::all_modes.end()}, folder, tally)) {
            std::fprintf(stderr, "%s: %s\n%s\n", f.mode.c_str(), f.message.c_str(), agree::module_text({program}).c_str());
            std::abort();
        }
    });
    return 0;
}
