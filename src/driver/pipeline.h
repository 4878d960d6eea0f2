// SPDX-License-Identifier: MIT
// From a checked program to one that a back end takes. The pipeline is a Mim expression: the one of `--pipeline`, else the
// program's own (the last annex of the main file that is a pipeline), else the default, which is named by an annex as well.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "driver/session.h"
#include "phase/manager.h"
#include "sema/reflect.h"

namespace mim {

/// What runs when nobody says otherwise.
inline constexpr std::string_view kDefaultPipeline = "%opt.default";
/// The plugin that declares it.
constexpr std::string_view default_pipeline_plugin() { return kDefaultPipeline.substr(1, kDefaultPipeline.find('.') - 1); }

struct PipelineOptions {
    std::string pipeline; ///< an expression; empty: the program's own or the default
    bool verify_each = false;
    bool debugging   = false; ///< without what hides things from debuggers
    std::string print_after, start_at, stop_after;
    std::string only;               ///< of the pipeline's phases; empty: all
    NamesOf names = NamesOf::Graph; ///< in what is printed
    std::string reproducer;         ///< file for the program before a phase that failed
    std::string command_line;       ///< how the compiler was called, for the head of that file
    std::string command;            ///< the same for that file, as a shell reads it, without what names the phase
    std::string target;             ///< what code is made for; empty: nobody knows
};

using Outcome = PhaseManager::Outcome;

/// Chooses the pipeline, loads what it needs, and runs it. Everything that went wrong is in the session's diagnostics.
Outcome run_pipeline(Session&, const PipelineOptions&);
/// Whether the phases that the options name are steps of the pipeline, which is not run. False after a report.
bool check_phases(Session&, const PipelineOptions&);

/// An axiom of pipelines, applied to all that it needs.
bool is_pipeline(const Def*);
/// Tells the builder what the pipeline, which is_pipeline, stands for.
void run_hook(PipelineBuilder&, const Def* pipeline);

/// A pipeline that nests deeper is taken to contain itself.
inline constexpr unsigned kMaxPipelineNesting = 1000;
/// The phases that a pipeline expression stands for. False after a report.
bool interpret(Session&, const Def* pipeline, Span at, std::vector<Step>& steps);

/// What the verifier finds wrong with the graph; empty if nothing is.
std::string verify_text(World&);

/// The whole program as text that reads back.
std::string print_program(World&, NamesOf = NamesOf::Graph);

} // namespace mim
