// SPDX-License-Identifier: MIT
#include "regex/host/fault.h"

#include <algorithm>

#include "diag/diag.h"

namespace mim::plug::regex {

Regex::Fault fault_of(const Error& e, size_t added) {
    DiagArgs args;
    for (auto& arg : e.args) args.push_back(std::get<std::string>(arg));
    Regex::Fault fault{message(e.id, args) + " [" + std::string(info(e.id).code) + "]"};
    if (e.part) fault.part = {std::max<size_t>(e.part->begin, added) - added, std::max<size_t>(e.part->end, added) - added};
    return fault;
}

} // namespace mim::plug::regex
