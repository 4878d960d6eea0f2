// SPDX-License-Identifier: MIT
// Notes whose code runs: whoever handles a crash, an exception that nobody expected, or an interruption asks here.
#pragma once
#include <string>
#include <string_view>

namespace mim {

class Def;

/// The code to blame, and the node that it worked on. The texts must live as long as the library of the plugin is open.
struct Culprit {
    std::string_view plugin;     ///< empty: Mim itself
    std::string_view kind, name; ///< `the command`, `grep`
    const Def* at = nullptr;     ///< the application of an axiom whose hook it is, if that is known

    explicit operator bool() const { return !kind.empty(); }
    /// "the command `grep` of the plugin `regex`"
    std::string text() const;
};

/// While it lives, this thread runs code of a plugin, or a phase of Mim's own.
class Blame {
public:
    Blame(std::string_view plugin, std::string_view kind, std::string_view name, const Def* at = nullptr);
    ~Blame();
    Blame(const Blame&)            = delete;
    Blame& operator=(const Blame&) = delete;

    /// The innermost one of this thread; null if Mim's own code runs.
    static const Blame* current();
    /// After a jump out of the scopes of others.
    static void reset(const Blame* to);
    /// The code that threw the exception that was caught last, if known; to be asked once.
    static Culprit thrower();

    const Culprit culprit;

private:
    const Blame* outer_;
};

/// Mim throws it through code of plugins and catches it behind. For what is thrown on the way there is no other base class.
struct Passing {};

/// To be called in the handler of an exception that came out of a plugin's code: the text for it. Mim's own exceptions,
/// and a lack of memory, go on instead.
std::string thrown_text();

} // namespace mim
