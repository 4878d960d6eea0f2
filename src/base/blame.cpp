// SPDX-License-Identifier: MIT
#include "base/blame.h"

namespace mim {

/// A signal handler has no other way to learn it; each thread runs code of one plugin at a time, so sessions do not
/// meet here.
static thread_local const Blame* innermost = nullptr;

Blame::Blame(std::string_view plugin, std::string_view kind, std::string_view name)
    : plugin(plugin)
    , kind(kind)
    , name(name)
    , outer_(innermost) {
    innermost = this;
}

Blame::~Blame() { innermost = outer_; }

const Blame* Blame::current() { return innermost; }

void Blame::reset(const Blame* to) { innermost = to; }

} // namespace mim
