// SPDX-License-Identifier: MIT
// libFuzzer target for the phases: a program that the front end accepts keeps all invariants after each phase of the default pipeline.
#include "common/front_end.h"
#include "common/mutate.h"
#include "driver/pipeline.h"

FUZZ_TEXT_MUTATORS

using namespace mim;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz::with_accepted(data, size, {"core", "mem", "opt"}, [](Session& s, const std::string& text) {
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
