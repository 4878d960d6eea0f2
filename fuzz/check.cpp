// SPDX-License-Identifier: MIT
// libFuzzer target for the whole front end: no text crashes it, gets past its limits or goes on for ever, and what it accepts keeps
// all invariants as elaborated. What the phases make of it is the target `phases`.
#include "common/front_end.h"
#include "common/generated.h"
#include "common/mutate.h"
#include "driver/pipeline.h"

using namespace mim;

/// All features of the generator: what phases make of them does not matter here.
static void check(const std::string& input) {
    agree::GenOptions options;
    options.without = {};
    auto text       = fuzz::text_of(input, options);
    fuzz::with_accepted(text, {"core", "mem"}, [&](Session& s) {
        if (auto wrong = verify_text(s.world); !wrong.empty()) fuzz::fault("elaborated: " + wrong, text);
    });
}

FUZZ_TEXT_TARGET(check)
