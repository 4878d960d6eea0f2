// SPDX-License-Identifier: MIT
// The C functions that a program may call, and what they print.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "eval/value.h"

namespace mim::eval {

class Budget;

class Hosts {
public:
    /// Prints at most so many bytes; what a C function does to the outside is none of an attempt.
    Hosts(const Budget& budget, uint64_t output)
        : budget_(budget)
        , limit_(output) {}

    /// The function takes the group of the domain of the C function, and returns its result (with the token if it takes
    /// one).
    void add(std::string name, HostFn fn) { fns_[std::move(name)] = std::move(fn); }
    /// Null if there is none of this name.
    const HostFn* find(const std::string& name) const;
    /// Throws Failure at the limit.
    void print(std::string_view text);
    /// Ends the program.
    [[noreturn]] void exit(int code) const;
    /// All that was printed so far.
    const std::string& output() const { return output_; }

private:
    const Budget& budget_;
    uint64_t limit_;
    std::unordered_map<std::string, HostFn> fns_;
    std::string output_;
};

} // namespace mim::eval
