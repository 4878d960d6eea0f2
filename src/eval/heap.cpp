// SPDX-License-Identifier: MIT
// The evaluator's heap: reference counts free what is acyclic at once, with a work list instead of recursion, since thunks and
// frames form chains as long as the run; the heap's list of all objects frees the cycles at its end.
#include "eval/heap.h"

#include <algorithm>

#include "eval/ending.h"

namespace mim::eval {

Object::Object(Heap& h)
    : heap(h)
    , prev(nullptr)
    , next(h.all_) {
    if (next) next->prev = this;
    h.all_ = this;
    ++h.live_;
}

Object::~Object() {
    if (heap.closing_) return;
    if (prev) prev->next = next;
    else heap.all_ = next;
    if (next) next->prev = prev;
    --heap.live_;
}

void release(Object* o) {
    auto& heap = o->heap;
    if (heap.closing_ || --o->refs != 0) return;
    heap.dead_.push_back(o);
    if (heap.freeing_) return;
    heap.freeing_ = true;
    while (!heap.dead_.empty()) {
        auto dead = heap.dead_.back();
        heap.dead_.pop_back();
        heap.used_ -= std::min(heap.used_, dead->charged);
        delete dead;
    }
    heap.freeing_ = false;
}

void Heap::charge(uint64_t bytes) {
    used_ += bytes;
    if (used_ > limit_) throw Failure{"the values of the program need more memory than allowed", nullptr};
}

Heap::~Heap() {
    closing_ = true; // nothing is freed by its references any more
    for (auto o = all_; o; o = o->next) o->clear();
    for (auto o = all_; o;) {
        auto next = o->next;
        delete o;
        o = next;
    }
}

} // namespace mim::eval
