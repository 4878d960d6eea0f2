// SPDX-License-Identifier: MIT
#include "regex/host/lazy.h"

#include <new>

namespace mim::plug::regex {

void no_memory() { throw std::bad_alloc(); }

} // namespace mim::plug::regex
