// SPDX-License-Identifier: MIT
// The objects of one machine: they count against a limit, and those that are left end with the heap, cycles included.
#pragma once
#include <cstdint>
#include <vector>

#include "eval/value.h"

namespace mim::eval {

class Heap {
public:
    explicit Heap(uint64_t limit)
        : limit_(limit) {}
    ~Heap();
    template<class T>
    T* make() {
        charge(sizeof(T));
        auto o     = new T(*this);
        o->charged = sizeof(T);
        return o;
    }
    /// Counts bytes that an object holds beside itself; throws Failure at the limit.
    void charge(Object& o, uint64_t bytes) {
        charge(bytes);
        o.charged += bytes;
    }

private:
    void charge(uint64_t bytes);
    friend struct mim::eval::Object;
    friend void release(Object*);
    Object* all_ = nullptr;
    std::vector<Object*> dead_;
    bool freeing_ = false, closing_ = false;
    uint64_t used_ = 0, live_ = 0, limit_;
};

} // namespace mim::eval
