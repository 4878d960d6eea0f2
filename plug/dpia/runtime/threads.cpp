// SPDX-License-Identifier: MIT
// The threads of `mapPar`, which are those of OpenMP: programs in C and in other languages share them. Linked into
// compiled programs. The functions of its library are declared here, since headers come with some compilers only.
#include <atomic>
#include <stdint.h>

extern "C" {
void GOMP_parallel(void (*work)(void*), void* data, unsigned threads, unsigned flags);
int omp_get_max_threads(void);
int omp_get_num_threads(void);
int omp_get_thread_num(void);
}

namespace {

using Turns = int32_t (*)(void* around, uint64_t first, uint64_t end);

struct Job {
    Turns turns;
    void* around;
    uint64_t count, ranges;
    std::atomic<int32_t> status;

    /// The beginning of a range; lengths differ by one at most.
    uint64_t begin_of(uint64_t range) const {
        uint64_t rest = count % ranges;
        return count / ranges * range + (range < rest ? range : rest);
    }

    void run(uint64_t range) {
        int32_t now = turns(around, begin_of(range), begin_of(range + 1));
        auto before = status.load(std::memory_order_relaxed);
        while (now > before && !status.compare_exchange_weak(before, now, std::memory_order_relaxed)) {}
    }
};

/// There may be fewer threads than ranges.
void work(void* data) {
    auto& job    = *static_cast<Job*>(data);
    auto threads = static_cast<uint64_t>(omp_get_num_threads());
    for (auto i = static_cast<uint64_t>(omp_get_thread_num()); i < job.ranges; i += threads) job.run(i);
}

} // namespace

extern "C" {

uint64_t mim_dpia_ranges(uint64_t count) {
    auto threads = static_cast<uint64_t>(omp_get_max_threads());
    return count < threads ? count : threads;
}

int32_t mim_dpia_threads(Turns turns, void* around, uint64_t count, uint64_t ranges) {
    if (ranges <= 1) return turns(around, 0, count);
    Job job{turns, around, count, ranges, 0};
    GOMP_parallel(work, &job, static_cast<unsigned>(ranges), 0);
    return job.status;
}

} // extern "C"
