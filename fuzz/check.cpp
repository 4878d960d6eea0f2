// SPDX-License-Identifier: MIT
// libFuzzer target for the whole front end: no text crashes it, gets past its limits or goes on for ever, and what it accepts keeps
// all invariants, as elaborated and after each phase of the default pipeline.
#include "common/front_end.h"
#include "common/mutate.h"
#include "driver/pipeline.h"

FUZZ_TEXT_MUTATORS

using namespace mim;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size > 4096) return 0;
    std::string text(reinterpret_cast<const char*>(data), size);
    fuzz::with_program(text, [&](Session& s, bool ok) {
        if (!ok) return;
        if (auto wrong = verify_text(s.world); !wrong.empty()) fuzz::fault("elaborated: " + wrong, text);
        PipelineOptions options;
        options.pipeline    = kDefaultPipeline;
        options.verify_each = true;
        if (run_pipeline(s, options) != Outcome::Fault) return;
        std::string errors;
        for (auto& d : s.diags.all()) errors += render_text(s.sources, d, false);
        fuzz::fault(errors, text);
    });
    return 0;
}
