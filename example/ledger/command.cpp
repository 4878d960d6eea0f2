// SPDX-License-Identifier: MIT
// `mim total FILE…`: the sums of files, without compiling anything.
#include "driver/search.h"
#include "ledger.h"
#include "ledger/host/lines.h"

using namespace mim;

static int total(CommandContext& c) {
    uint64_t sum = 0;
    for (auto& path : c.operands()) {
        std::string text, error;
        std::vector<ledger::Line> lines;
        if (!read_file(path, text, error)) return c.error("mim: cannot read `" + path + "`: " + error + "\n"), 1;
        if (auto fault = ledger::read(text, lines)) return c.error("mim: " + path + ": " + fault->what + "\n"), 1;
        for (auto& line : lines)
            for (auto number : line.numbers) sum += number;
    }
    auto factors = c.values("--times");
    for (auto& factor : factors) sum *= std::stoull(factor);
    c.print(std::to_string(sum) + (c.has("--units") ? " coins\n" : "\n"));
    return 0;
}

void add_command(PluginBuilder& p) {
    CommandSpec spec{.name     = "total",
                     .operands = "FILE…",
                     .summary  = "the sum of all numbers in `.ledger` files",
                     .options  = {{"--units", "-u", "", "with what is counted"}, {"--times", "-t", "N", "multiplied by that"}}};
    spec.min_operands = 1;
    p.command(spec, total);
}
