// SPDX-License-Identifier: MIT
// Checks in a process of their own, so that a crash, an endless loop or an exhausted memory is one more failure.
#pragma once
#include <chrono>
#include <string>
#include <vector>

#include "batch.h"

namespace agree {

struct Outcome {
    Tally tally;
    std::vector<Failure> failures; ///< mode `crash` or `time`: it did not come to its end
};

class Child {
public:
    Child(std::vector<Program> programs, const std::set<std::string>& modes, const std::string& folder);
    ~Child();
    Child(const Child&)            = delete;
    Child& operator=(const Child&) = delete;

    int fd() const { return fd_; }
    const std::vector<Program>& programs() const { return programs_; }
    /// Reads what there is; true when the process has ended.
    bool read();
    /// After read() said so.
    Outcome outcome();

private:
    std::vector<Program> programs_;
    std::string buffer_;
    int pid_ = -1, fd_ = -1;
};

/// One check, to its end.
Outcome isolated(std::vector<Program> programs, const std::set<std::string>& modes, const std::string& folder);

/// A folder for the files of one process; it is made.
std::string make_folder(const std::string& parent, const std::string& name);

} // namespace agree
