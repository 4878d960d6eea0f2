// SPDX-License-Identifier: MIT
// Where the time went: every stage and phase of a compilation as a nested interval, with the nodes that it made. `--time` shows
// them as a table, `--trace FILE` in the format of Chrome's trace viewer.
#pragma once
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace mim {

class World;

class Profile {
public:
    struct Event {
        std::string name;
        uint64_t begin_us = 0, end_us = 0; ///< since the profile began
        uint64_t cpu_us = 0;               ///< user time of the process
        uint64_t nodes = 0, betas = 0;     ///< made in this interval
        unsigned depth = 0;
    };

    /// Times its own life. Costs nothing but a test when the profile is off.
    class Scope {
    public:
        Scope(Profile& profile, std::string_view name, const World* world = nullptr);
        ~Scope();
        Scope(const Scope&)            = delete;
        Scope& operator=(const Scope&) = delete;

    private:
        Profile& profile_;
        const World* world_;
        Event* event_ = nullptr;
    };

    bool enabled = false;
    const std::deque<Event>& events() const { return events_; }
    std::string table() const;
    std::string trace() const;

private:
    std::deque<Event> events_;
    uint64_t start_ = 0;
    unsigned depth_ = 0;
};

} // namespace mim
