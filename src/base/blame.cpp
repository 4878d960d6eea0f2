// SPDX-License-Identifier: MIT
#include "base/blame.h"

#include <exception>
#include <new>
#include <utility>

namespace mim {

namespace {

/// A thread knows this of the code that it runs.
struct Scopes {
    const Blame* innermost = nullptr;
    /// The innermost scope that an exception has left. An exception carries no such note itself: it may be of any type.
    Culprit left_by_exception;
};

/// A signal handler has no other way to learn it; each thread runs code of one plugin at a time, so sessions do not
/// meet here. Each call of a normalizer is such a scope: they are found at a fixed offset, without a call.
[[gnu::tls_model("initial-exec")]] thread_local Scopes scopes;

} // namespace

std::string Culprit::text() const {
    auto text = std::string(kind) + " `" + std::string(name) + "`";
    return text + (plugin.empty() ? " of Mim itself" : " of the plugin `" + std::string(plugin) + "`");
}

Blame::Blame(std::string_view plugin, std::string_view kind, std::string_view name, const Def* at)
    : culprit{plugin, kind, name, at}
    , outer_(scopes.innermost) {
    scopes.innermost = this;
    bool is_handled  = scopes.left_by_exception && std::uncaught_exceptions() == 0;
    if (is_handled) scopes.left_by_exception = {};
}

Blame::~Blame() {
    scopes.innermost = outer_;
    auto& left       = scopes.left_by_exception;
    if (std::uncaught_exceptions() == 0) left = {};
    else if (!left) left = culprit;
}

const Blame* Blame::current() { return scopes.innermost; }

void Blame::reset(const Blame* to) { scopes.innermost = to; }

Culprit Blame::thrower() { return std::exchange(scopes.left_by_exception, {}); }

std::string thrown_text() {
    try {
        throw;
    } catch (const Passing&) {
        throw;
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& e) {
        return e.what();
    } catch (...) {
        return "it threw what is no std::exception";
    }
}

} // namespace mim
