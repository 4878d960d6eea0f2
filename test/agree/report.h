// SPDX-License-Identifier: MIT
// What to do about a batch that failed: find the programs to blame, make them small, write a file for each that shows the failure.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "isolate.h"

namespace agree {

class Reporter {
public:
    Reporter(std::string folder, unsigned shrink_steps)
        : folder_(std::move(folder))
        , shrink_steps_(shrink_steps) {}

    /// Blames single programs for the failures of this module.
    void investigate(const std::vector<Program>&, const std::vector<Failure>&, const std::set<std::string>& modes);
    unsigned num_failures() const { return num_; }

private:
    void blame(const Program&, const Failure&, const std::set<std::string>& modes);
    void blame_together(std::vector<Program>, const Failure&, const std::set<std::string>& modes);
    void write(const std::vector<Program>&, const Failure&, const std::string& name);

    std::string folder_;
    unsigned shrink_steps_;
    unsigned num_ = 0;
    std::map<std::string, unsigned> seen_; ///< by what kind of failure
};

/// Programs that a file of Reporter's holds, with their inputs; false if it is none.
bool read_programs(const std::string& path, std::vector<Program>&);

} // namespace agree
