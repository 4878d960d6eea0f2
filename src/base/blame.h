// SPDX-License-Identifier: MIT
// Notes whose code runs: the handler of signals asks nobody else if the code crashes.
#pragma once
#include <string_view>

namespace mim {

/// While it lives, a crash of this thread is the fault of a plugin. The texts must live as long.
class Blame {
public:
    Blame(std::string_view plugin, std::string_view kind, std::string_view name);
    ~Blame();
    Blame(const Blame&)            = delete;
    Blame& operator=(const Blame&) = delete;

    /// The innermost one of this thread; null if Mim's own code runs.
    static const Blame* current();
    /// After a jump out of the scopes of others.
    static void reset(const Blame* to);

    const std::string_view plugin, kind, name; ///< `regex`, `the command`, `grep`

private:
    const Blame* outer_;
};

} // namespace mim
