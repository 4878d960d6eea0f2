// SPDX-License-Identifier: MIT
// How a hook of an axiom is called. Whatever goes wrong in it is the fault of the axiom's plugin: an exception becomes E432 at the user's
// line, and whoever handles a crash or an interruption knows whose code ran.
#pragma once
#include <string>
#include <string_view>

#include "base/blame.h"
#include "ir/axiom.h"

namespace mim {

/// The plugin whose axiom it is: `core` of `%core.wrap.add`.
std::string_view plugin_name(const Axiom&);

/// In a handler of exceptions: the text for the one that a hook threw. An Error about the user's program goes on
/// instead.
std::string hook_exception_text();
/// In such a handler: the exception becomes an Error that blames the plugin. `kind`: "the meaning of".
[[noreturn]] void hook_threw(const Axiom&, std::string_view kind, const Def* at);
/// The hook did what it must not.
[[noreturn]] void hook_broke(const Axiom&, std::string_view kind, const Def* at, std::string what);

/// Calls `hook`, and returns what it returns. `at`: the application that it is called for, if there is one.
template<class F>
auto call_hook(const Axiom& axiom, std::string_view kind, const Def* at, F&& hook) {
    Blame blame(plugin_name(axiom), kind, axiom.name.view(), at);
    try {
        return hook();
    } catch (...) {
        hook_threw(axiom, kind, at);
    }
}

} // namespace mim
