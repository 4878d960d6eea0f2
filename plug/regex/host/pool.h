// SPDX-License-Identifier: MIT
// Objects that are for one thread at a time, for many threads: each call borrows one.
#pragma once
#include <memory>
#include <mutex>
#include <vector>

namespace mim::plug::regex {

template<class T>
class Pool {
public:
    /// An idle one, or a new one that `make` makes, as a unique pointer.
    template<class Make>
    std::unique_ptr<T> take(Make make) {
        {
            std::lock_guard lock(mutex_);
            if (!idle_.empty()) {
                auto one = std::move(idle_.back());
                idle_.pop_back();
                return one;
            }
        }
        return make();
    }
    void give(std::unique_ptr<T> one) {
        std::lock_guard lock(mutex_);
        idle_.push_back(std::move(one));
    }

private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<T>> idle_;
};

} // namespace mim::plug::regex
