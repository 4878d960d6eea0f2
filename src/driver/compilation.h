// SPDX-License-Identifier: MIT
// What check, run and build have in common: a session set up as the command line says, the steps from text to a program ready for
// emission, and what is shown at the end.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "driver/main.h"
#include "driver/options.h"
#include "driver/pipeline.h"
#include "driver/session.h"

namespace mim {

/// What a program keeps that the pipeline would remove otherwise. See doc/adr/0015-options-keep-what-they-can.md.
struct Kept {
    bool functions; ///< those of the text, for debuggers
    bool names;     ///< those of locals, for debuggers
    bool traps;     ///< operations that may be undefined, for --checked
};

class Compilation {
public:
    /// `text`: that of the file, if it was read before.
    Compilation(const Options& options, std::string file, Kept kept, std::optional<std::string> text = {});

    Session session;
    const Options& options;
    const std::string file;
    bool is_broken = false; ///< Mim itself crashed

    /// Text → checked graph. False if the program has errors.
    bool check();
    /// Whether `check` was called and found no errors.
    bool is_checked() const { return is_checked_; }
    /// The graph after the pipeline.
    Outcome optimize();
    /// The graph after the phase of the pipeline that applies each `rule`.
    Outcome apply_rules();
    /// Where no phase runs: whether the options name phases of the pipeline only. False after a report.
    bool check_phases();
    /// Shows the diagnostics that were not shown yet.
    void show_diagnostics();

private:
    bool load();
    bool verify();
    PipelineOptions pipeline_options() const;

    const Kept kept_;
    std::optional<std::string> text_;
    bool is_checked_ = false;
    size_t shown_    = 0;
};

/// Runs `body` on a new compilation of this file and shows everything that there is to show; the exit status. A program that does not
/// become code because of what `-g` and `--checked` keep is compiled again and keeps less, so `body` may run more than once; it must
/// show no diagnostics before the program is code.
/// `input`: that of the file, if standard input was read before.
int compile(const Options&, const std::string& file, const std::function<int(Compilation&)>& body,
            std::optional<std::string> input = {});

/// The exit status of a compilation that ended like this.
int status_of(Outcome);

} // namespace mim
