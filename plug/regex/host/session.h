// SPDX-License-Identifier: MIT
// Sessions that compile patterns at run time, one after the other: what plugins say is read once, not for each pattern.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "driver/session.h"

namespace mim {

/// A session in which the plugin `regex` is loaded. It comes from those that others are done with, and goes back to them. May be used by many
/// threads, each with its own.
class RegexSession {
public:
    explicit RegexSession(const std::vector<std::string>& plugin_dirs);
    ~RegexSession();
    RegexSession(const RegexSession&)            = delete;
    RegexSession& operator=(const RegexSession&) = delete;

    Session& operator*() { return *session_; }
    Session* operator->() { return session_.get(); }
    /// Whether it can compile patterns; if not, its diagnostics say why.
    bool is_ready() const { return ready_; }
    /// Nothing went wrong: others may use it.
    void done() { done_ = true; }

private:
    std::vector<std::string> plugin_dirs_;
    std::unique_ptr<Session> session_;
    bool ready_ = false, done_ = false;
};

} // namespace mim
