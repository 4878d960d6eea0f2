// SPDX-License-Identifier: MIT
// libFuzzer target for printed programs: what the front end accepts is printed as text that is accepted again and prints the same.
#include "common/forked.h"
#include "common/front_end.h"
#include "common/mutate.h"
#include "driver/pipeline.h"

using namespace mim;

namespace {

void compare(const std::string& text) {
    std::string printed, second, errors;
    bool accepted = false, again = false;
    fuzz::with_program(text, [&](Session& s, bool ok) {
        if ((accepted = ok)) printed = print_program(s.world);
    });
    if (!accepted) return;
    fuzz::with_program(printed, [&](Session& s, bool ok) {
        again = ok;
        if (ok) second = print_program(s.world);
        for (auto& d : s.diags.all()) errors += render_text(s.sources, d, false);
    });
    if (!again) fuzz::fault("what was printed is rejected:\n" + errors + printed, text);
    if (second != printed) fuzz::fault("printed:\n" + printed + "\nafter reading:\n" + second, text);
}

} // namespace

static void print(const std::string& text) {
    fuzz::prepare(2, {"core", "mem"});
    fuzz::in_child([&] { compare(text); });
}

FUZZ_TEXT_TARGET(print)
