// SPDX-License-Identifier: MIT
// libFuzzer target for the whole front end: no text crashes it, gets past its limits or goes on for ever, and what it accepts keeps
// all invariants as elaborated. What the phases make of it is the target `phases`.
#include "common/front_end.h"
#include "common/mutate.h"
#include "driver/pipeline.h"

FUZZ_TEXT_MUTATORS

using namespace mim;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz::with_accepted(data, size, {"core", "mem"}, [](Session& s, const std::string& text) {
        if (auto wrong = verify_text(s.world); !wrong.empty()) fuzz::fault("elaborated: " + wrong, text);
    });
    return 0;
}
