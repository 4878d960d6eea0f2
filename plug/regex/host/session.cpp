// SPDX-License-Identifier: MIT
#include "regex/host/session.h"

#include <algorithm>
#include <mutex>

#include "backend/backend.h"

namespace mim {

namespace {

/// Graphs only grow, by some thousand nodes of a hundred bytes for a pattern; a session is given up when its graph is many times what plugins made.
constexpr size_t max_nodes = 300'000;
constexpr size_t max_idle  = 4;

struct Idle {
    std::vector<std::string> plugin_dirs;
    std::unique_ptr<Session> session;
};

struct Pool {
    std::mutex mutex;
    std::vector<Idle> idle;

    std::unique_ptr<Session> take(const std::vector<std::string>& plugin_dirs) {
        std::lock_guard lock(mutex);
        auto found = std::ranges::find(idle, plugin_dirs, &Idle::plugin_dirs);
        if (found == idle.end()) return nullptr;
        auto session = std::move(found->session);
        idle.erase(found);
        return session;
    }
    void give(std::vector<std::string> plugin_dirs, std::unique_ptr<Session> session) {
        std::lock_guard lock(mutex);
        if (idle.size() < max_idle) idle.push_back({std::move(plugin_dirs), std::move(session)});
    }
};

/// Never destroyed: what runs at the end of the process may still match.
Pool& pool() {
    static auto& pool = *new Pool;
    return pool;
}

} // namespace

RegexSession::RegexSession(const std::vector<std::string>& plugin_dirs)
    : plugin_dirs_(plugin_dirs)
    , session_(pool().take(plugin_dirs)) {
    ready_ = session_ != nullptr;
    if (ready_) return;
    session_ = std::make_unique<Session>(plugin_dirs);
    ready_   = backend::set_target(session_->world, session_->diags, {}, {}) && session_->load_plugin("regex");
}

RegexSession::~RegexSession() {
    auto& world = session_->world;
    if (!done_ || world.stats().nodes > max_nodes) return;
    while (!world.externals.empty()) world.externals.remove(world.externals.all().back().name);
    pool().give(std::move(plugin_dirs_), std::move(session_));
}

} // namespace mim
