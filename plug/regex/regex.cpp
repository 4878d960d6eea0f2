// SPDX-License-Identifier: MIT
// Registers the plugin `regex`. What it declares is in regex.mim.
#include "regex.h"
#include "grep/command.h"
#include "regex/diagnostics.h"

static void init(mim::PluginBuilder& p) {
    p.diagnostics(mim::plug::regex::diag::all());
    using namespace mim::plug::regex;
    p.normalizer("normalize_conj", normalize_conj);
    p.normalizer("normalize_disj", normalize_disj);
    p.normalizer("normalize_range", normalize_range);
    p.normalizer("normalize_not", normalize_not);
    p.normalizer("normalize_quant", normalize_quant);
    p.normalizer("normalize_repeat", normalize_repeat);
    p.normalizer("normalize_alt", normalize_alt);
    p.normalizer("normalize_lazy", normalize_lazy);
    p.normalizer("normalize_by", normalize_by);
    p.normalizer("normalize_nocase", normalize_nocase);
    p.normalizer("normalize_lines", normalize_lines);
    p.normalizer("normalize_utf8", normalize_utf8);
    p.normalizer("normalize_parse", normalize_parse);
    p.normalizer("normalize_shape", normalize_shape);
    for (auto name : {"any", "conj", "disj", "range", "not", "quant", "repeat", "nocase", "lines", "utf8", "at", "alt", "lazy",
                      "by", "capture"})
        p.axiom(std::string("%regex.") + name).meaning(mean); // lowered: no code is made for them
    p.axiom("%regex.prefix").meaning(mean_prefix);
    p.axiom("%regex.next").meaning(mean_next);
    p.axiom("%regex.count").meaning(mean_count);
    p.axiom("%regex.groups").meaning(mean_groups);
    for (auto extension : {"regex", "regex_lines"}) p.front_end(extension, read_pattern);
    p.phase("regex.lower", "makes functions that match of patterns", lower);
    p.join("front", "regex.lower");
    add_grep(p);
}

MIM_PLUGIN(regex, init)
