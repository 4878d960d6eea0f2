// SPDX-License-Identifier: MIT
#include "phase/profile.h"

#include <cstdio>
#include <ctime>

#include "ir/world.h"

namespace mim {

namespace {

uint64_t now_us(clockid_t clock) {
    timespec t;
    ::clock_gettime(clock, &t);
    return static_cast<uint64_t>(t.tv_sec) * 1'000'000 + static_cast<uint64_t>(t.tv_nsec) / 1000;
}

std::string json_string(std::string_view s) {
    std::string out = "\"";
    for (char c : s) {
        if (c == '"' || c == '\\') out += '\\';
        out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    return out + "\"";
}

} // namespace

Profile::Scope::Scope(Profile& profile, std::string_view name, const World* world)
    : profile_(profile)
    , world_(world) {
    if (!profile.enabled) return;
    auto now = now_us(CLOCK_MONOTONIC);
    if (profile.events_.empty()) profile.start_ = now;
    event_           = &profile.events_.emplace_back();
    event_->name     = name;
    event_->depth    = profile.depth_++;
    event_->begin_us = now - profile.start_;
    event_->cpu_us   = now_us(CLOCK_PROCESS_CPUTIME_ID);
    if (!world) return;
    event_->nodes = world->stats().nodes;
    event_->betas = world->stats().betas;
}

Profile::Scope::~Scope() {
    if (!event_) return;
    --profile_.depth_;
    event_->end_us = now_us(CLOCK_MONOTONIC) - profile_.start_;
    event_->cpu_us = now_us(CLOCK_PROCESS_CPUTIME_ID) - event_->cpu_us;
    if (!world_) return;
    event_->nodes = world_->stats().nodes - event_->nodes;
    event_->betas = world_->stats().betas - event_->betas;
}

std::string Profile::table() const {
    std::string out = "      wall ms     cpu ms      nodes      betas  stage\n";
    for (auto& e : events_) {
        char line[128];
        std::snprintf(line, sizeof line, "%13.3f %10.3f %10llu %10llu  ", static_cast<double>(e.end_us - e.begin_us) / 1000,
                      static_cast<double>(e.cpu_us) / 1000, static_cast<unsigned long long>(e.nodes),
                      static_cast<unsigned long long>(e.betas));
        out += line + std::string(2 * e.depth, ' ') + e.name + "\n";
    }
    return out;
}

std::string Profile::trace() const {
    std::string out = "{\"traceEvents\":[";
    bool first      = true;
    for (auto& e : events_) {
        out += std::string(first ? "\n" : ",\n") + "{\"name\":" + json_string(e.name)
               + ",\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":" + std::to_string(e.begin_us)
               + ",\"dur\":" + std::to_string(e.end_us - e.begin_us) + ",\"args\":{\"cpu_us\":" + std::to_string(e.cpu_us)
               + ",\"nodes\":" + std::to_string(e.nodes) + ",\"betas\":" + std::to_string(e.betas) + "}}";
        first = false;
    }
    return out + "\n]}\n";
}

} // namespace mim
