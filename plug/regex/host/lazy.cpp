// SPDX-License-Identifier: MIT
#include "regex/host/lazy.h"

#include <new>

namespace mim::plug::regex {

void no_memory() { throw std::bad_alloc(); }

std::unique_ptr<LazyCache> LazyCaches::take() {
    {
        std::lock_guard lock(mutex_);
        if (!idle_.empty()) {
            auto cache = std::move(idle_.back());
            idle_.pop_back();
            return cache;
        }
    }
    return std::make_unique<LazyCache>(words_, limits_, skips() ? &*places_ : nullptr);
}

void LazyCaches::give(std::unique_ptr<LazyCache> cache) {
    std::lock_guard lock(mutex_);
    idle_.push_back(std::move(cache));
}

} // namespace mim::plug::regex
