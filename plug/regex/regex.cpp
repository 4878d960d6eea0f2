// SPDX-License-Identifier: MIT
// Registers the plugin `regex`. What it declares is in regex.mim.
#include "regex.h"
#include "grep/command.h"
#include "regex/diagnostics.h"

static void init(mim::PluginBuilder& p) {
    p.diagnostics(mim::plug::regex::diag::all());
    using namespace mim::plug::regex;
    register_normalizers(p);
    for (auto name : {"any", "conj", "disj", "range", "not", "quant", "repeat", "nocase", "lines", "utf8", "at", "alt", "lazy",
                      "by", "capture"})
        p.axiom(std::string("%regex.") + name).meaning(mean); // lowered: no code is made for them
    p.axiom("%regex.prefix").meaning(mean_prefix);
    p.axiom("%regex.next").meaning(mean_next);
    p.axiom("%regex.count").meaning(mean_count);
    p.axiom("%regex.groups").meaning(mean_groups);
    register_lazy(p);
    for (auto extension : {"regex", "regex_lines"}) p.front_end(extension, read_pattern);
    p.phase("regex.lower", "makes functions that match of patterns", lower);
    p.join("front", "regex.lower");
    p.option("features", false, "--verbose shows what the costs of ways to match are computed of (bench/regex/costs.py)");
    add_grep(p);
}

MIM_PLUGIN(regex, init)
