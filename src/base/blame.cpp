// SPDX-License-Identifier: MIT
#include "base/blame.h"

#include <exception>
#include <new>
#include <utility>

namespace mim {

namespace {

/// A signal handler has no other way to learn it; each thread runs code of one plugin at a time, so sessions do not
/// meet here.
thread_local const Blame* innermost = nullptr;

/// The innermost scope that an exception has left. An exception carries no such note itself: it may be of any type.
thread_local Culprit left_by_exception;

} // namespace

std::string Culprit::text() const {
    auto text = std::string(kind) + " `" + std::string(name) + "`";
    return text + (plugin.empty() ? " of Mim itself" : " of the plugin `" + std::string(plugin) + "`");
}

Blame::Blame(std::string_view plugin, std::string_view kind, std::string_view name, const Def* at)
    : culprit{plugin, kind, name, at}
    , outer_(innermost) {
    innermost = this;
}

Blame::~Blame() {
    innermost = outer_;
    if (std::uncaught_exceptions() == 0) left_by_exception = {};
    else if (!left_by_exception) left_by_exception = culprit;
}

const Blame* Blame::current() { return innermost; }

void Blame::reset(const Blame* to) { innermost = to; }

Culprit Blame::thrower() { return std::exchange(left_by_exception, {}); }

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
