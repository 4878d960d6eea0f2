// SPDX-License-Identifier: MIT
// libFuzzer target for the phases: a program that the front end accepts keeps all invariants after each phase of the default pipeline.
#include "common/front_end.h"
#include "common/generated.h"
#include "common/mutate.h"

using namespace mim;

static void phases(const std::string& input) {
    auto text = fuzz::text_of(input, {});
    fuzz::with_accepted(text, {"core", "mem", "opt"}, [&](Session& s) { fuzz::check_phases(s, text); });
}

FUZZ_TEXT_TARGET(phases)
