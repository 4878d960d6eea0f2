// SPDX-License-Identifier: MIT
// A crash of a plugin (a failed assertion, a wild pointer) must not lose what is known: a guarded call comes back with the signal instead
// of ending the process, which goes on just long enough to say who crashed, and to write a reproducer. Needs the program's signal
// handler to call land_crash; where nobody installed one (libmim inside of another program), a crash is a crash.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>

#include "base/blame.h"

namespace mim {

/// The end of a guarded call that did not return.
struct Crash : Passing {
    int signal       = 0;
    bool is_overflow = false; ///< of the big stack
    Culprit culprit;          ///< whose code ran, if not Mim's own
};

/// Which crashes a guarded call ends with; the others go on to the guard around it, or end the process.
enum class Guards : uint8_t { Faults, Overflows };

/// Runs f, and returns the crash that ended it, if one did. Then the objects of f leak. Exceptions pass.
std::optional<Crash> guarded(const std::function<void()>& f, Guards = Guards::Faults);

/// While it lives, no call of this thread is guarded: code runs that must not be left by a jump.
class Unguarded {
public:
    Unguarded();
    ~Unguarded();
    Unguarded(const Unguarded&)            = delete;
    Unguarded& operator=(const Unguarded&) = delete;

private:
    void* outer_;
};

/// How the guards of this thread end; nothing: no call is guarded.
std::optional<Guards> guards_here();

/// For signal handlers: ends the innermost guarded call of this thread that ends with such crashes; returns if there is none.
void land_crash(int signal, bool is_overflow);
/// For signal handlers: hands the crash of this thread, which has no guarded call, to a thread that has one. It started
/// this one, most likely, and waits for it. False if there is none.
bool hand_over_crash(int signal);
/// For signal handlers: what landed last in this thread.
const Crash& landed_crash();

} // namespace mim
