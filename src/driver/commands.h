// SPDX-License-Identifier: MIT
// The commands, one file each (cmd_*.cpp). Each gets the parsed command line and returns the exit status; it runs on the big stack.
#pragma once
#include <functional>

#include "diag/diag.h"
#include "driver/main.h"
#include "driver/options.h"

namespace mim {

int cmd_run(const Options&);
int cmd_build(const Options&);
int cmd_check(const Options&);
int cmd_fmt(const Options&);
int cmd_doc(const Options&);
int cmd_bootstrap(const Options&);
int cmd_new_plugin(const Options&);
int cmd_doctor(const Options&);
int cmd_explain(const Options&);
int cmd_plugin(const Options&); ///< a command of a plugin

/// Whether what is written to this descriptor gets colors: --color decides, then NO_COLOR and whether it is a terminal.
bool is_colored(Color, int fd);
/// --max-errors and --werror.
void configure(Diagnostics&, const Options&);
/// Writes all diagnostics from number `first` on to standard error, in the form that the options ask for.
void print_diagnostics(const Diagnostics&, const Options&, size_t first = 0);
/// Whether something went wrong that is no fault of the program: then the status is kInternal.
bool has_fault(const Diagnostics&);
/// In the handler of an exception that nobody expected: reports the hook that has thrown it. False if Mim itself did. `place_of`: of the hook.
bool report_thrown(Diagnostics&, const std::function<Span(const Culprit&)>& place_of);
/// Runs `body`, which reports to the diagnostics, then prints them; the exit status. Ends quietly past --max-errors.
int with_diagnostics(Diagnostics&, const Options&, const std::function<bool()>& body);
/// On a terminal, names the pages of what was reported, in one line.
void point_to_pages(const Diagnostics&, const Options&);
/// Writes to standard error. If something is lost, the exit status is not 0.
void print_error(std::string_view text);
/// Writes to standard output. If that fails, an exception ends the command; main says why.
void print_text(std::string_view text);

} // namespace mim
