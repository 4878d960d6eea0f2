// SPDX-License-Identifier: MIT
// The abstract machine calls functions of C.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace mim::plug::mil {

/// All arguments and the result are words or addresses. False if there is no such function, or it has too many arguments
/// for the machine; then `result` is as it was.
bool call_c(const std::string& name, const std::vector<uint64_t>& arguments, uint64_t& result);

} // namespace mim::plug::mil
