// SPDX-License-Identifier: MIT
// What check, run and build have in common: a session set up as the command line says, the steps from text to a program ready for
// emission, and what is shown at the end.
#pragma once
#include <functional>
#include <string>

#include "driver/main.h"
#include "driver/options.h"
#include "driver/pipeline.h"
#include "driver/session.h"

namespace mim {

class Compilation {
public:
    Compilation(const Options& options, std::string file);

    Session session;
    const Options& options;
    const std::string file;

    /// Text → checked graph. False if the program has errors.
    bool check();
    /// The graph after the pipeline.
    Outcome optimize();
    /// Shows the diagnostics that were not shown yet.
    void show_diagnostics();

private:
    bool verify();
    size_t shown_ = 0;
};

/// Runs `body` on a new compilation of this file and shows everything that there is to show; the exit status.
int compile(const Options&, const std::string& file, const std::function<int(Compilation&)>& body);

/// The exit status of a compilation that ended like this.
int status_of(Outcome);

} // namespace mim
