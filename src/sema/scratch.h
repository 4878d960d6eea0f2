// SPDX-License-Identifier: MIT
// Operands under construction: one vector for all that are being built, so that most are built without an allocation.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace mim {

/// The values on top of a stack that were pushed since this began; they are gone when it ends.
template<class T>
class Scratch {
public:
    explicit Scratch(std::vector<T>& stack)
        : stack_(stack)
        , base_(stack.size()) {}
    ~Scratch() { stack_.erase(stack_.begin() + static_cast<std::ptrdiff_t>(base_), stack_.end()); }
    Scratch(const Scratch&)            = delete;
    Scratch& operator=(const Scratch&) = delete;

    void push(const T& value) { stack_.push_back(value); }
    size_t size() const { return stack_.size() - base_; }
    T& operator[](size_t i) { return stack_[base_ + i]; }
    /// Valid until something is pushed, here or further in.
    std::span<T> values() { return std::span(stack_).subspan(base_); }

private:
    std::vector<T>& stack_;
    size_t base_;
};

} // namespace mim
