// SPDX-License-Identifier: MIT
// Runs a kernel of OpenCL on one thread: the work items of a group are coroutines, which go on in a random order between barriers. Each cell
// of memory knows who read and wrote it last, so two accesses that no barrier separates are found.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <ucontext.h>
#include <vector>

namespace workers {

inline size_t local_size[3], num_groups[3], local_id[3], group_id[3];
inline size_t item, group, races, arrived, phases[2]; // of local and of global memory
inline long skipped;
inline ucontext_t scheduler, contexts[256];
inline bool is_done[256];

struct Shadow {
    long writer = -1, write_group = -1, write_phase = -1, reader = -1, read_group = -1, read_phase = -1;
};

template<class T>
struct Pointer {
    T* data;
    Shadow* shadow;
    bool is_global;

    struct Cell {
        T& value;
        Shadow& s;
        bool is_global;

        bool meets(long who, long where, long when) const {
            if (who == -1) return false;
            bool is_other_group = where != long(group);
            return is_other_group ? is_global : when == long(phases[is_global]) && who != long(item);
        }
        operator T() const {
            if (meets(s.writer, s.write_group, s.write_phase)) ++races;
            bool is_second = s.read_phase == long(phases[is_global]) && s.read_group == long(group) && s.reader != long(item);
            s.reader       = is_second && s.reader != -1 ? -2 : long(item);
            s.read_group   = long(group);
            s.read_phase   = long(phases[is_global]);
            return value;
        }
        T operator=(T x) {
            if (meets(s.writer, s.write_group, s.write_phase) || meets(s.reader, s.read_group, s.read_phase)) ++races;
            s.writer      = long(item);
            s.write_group = long(group);
            s.write_phase = long(phases[is_global]);
            return value  = x;
        }
        T operator=(const Cell& x) { return *this = T(x); }
    };
    Cell operator[](size_t i) const { return {data[i], shadow[i], is_global}; }
    Cell operator*() const { return (*this)[0]; }
    Pointer operator+(size_t i) const { return {data + i, shadow + i, is_global}; }
};

template<class T>
struct Memory {
    std::vector<T> data;
    std::vector<Shadow> shadow;
    bool is_global;

    Memory(size_t n, bool is_global)
        : data(n + 1)
        , shadow(n + 1)
        , is_global(is_global) {}
    operator Pointer<T>() { return {data.data(), shadow.data(), is_global}; }
    void forget() { shadow.assign(shadow.size(), {}); }
};

inline void barrier(long number, bool local, bool global) {
    if (number == skipped) return;
    // the phase is that of all: it is counted when the last one is here
    size_t all = local_size[0] * local_size[1] * local_size[2];
    if (++arrived % all == 0) {
        phases[0] += local;
        phases[1] += global;
    }
    auto self = item;
    swapcontext(&contexts[self], &scheduler);
}

inline void place(size_t i) {
    item        = i;
    local_id[0] = i % local_size[0];
    local_id[1] = i / local_size[0] % local_size[1];
    local_id[2] = i / local_size[0] / local_size[1];
}

inline void (*body)();
inline void start() {
    body();
    is_done[item] = true;
}

/// All items of one group; they meet at each barrier.
inline void run_group(std::vector<std::vector<char>>& stacks) {
    size_t n = local_size[0] * local_size[1] * local_size[2];
    arrived  = 0;
    for (size_t i = 0; i != n; ++i) {
        getcontext(&contexts[i]);
        contexts[i].uc_stack.ss_sp   = stacks[i].data();
        contexts[i].uc_stack.ss_size = stacks[i].size();
        contexts[i].uc_link          = &scheduler;
        is_done[i]                   = false;
        makecontext(&contexts[i], start, 0);
    }
    for (size_t left = n; left != 0;) {
        std::vector<size_t> order;
        for (size_t i = 0; i != n; ++i)
            if (!is_done[i]) order.push_back(i);
        if (order.size() != n) ++races; // not all of them met
        for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[size_t(std::rand()) % i]);
        for (auto i : order) {
            place(i);
            swapcontext(&scheduler, &contexts[i]);
            if (is_done[i]) --left;
        }
    }
}

} // namespace workers

inline size_t get_local_id(unsigned d) { return workers::local_id[d]; }
inline size_t get_local_size(unsigned d) { return workers::local_size[d]; }
inline size_t get_group_id(unsigned d) { return workers::group_id[d]; }
inline size_t get_num_groups(unsigned d) { return workers::num_groups[d]; }
inline size_t get_global_id(unsigned d) { return get_group_id(d) * get_local_size(d) + get_local_id(d); }
inline size_t get_global_size(unsigned d) { return get_num_groups(d) * get_local_size(d); }
