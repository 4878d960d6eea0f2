// SPDX-License-Identifier: MIT
#include "driver/command.h"

#include <algorithm>

#include "driver/commands.h"

namespace mim {

bool CommandContext::has(std::string_view option) const {
    return std::ranges::find(given_, option, &GivenOption::name) != given_.end();
}

std::vector<std::string> CommandContext::values(std::string_view option) const {
    std::vector<std::string> all;
    for (auto& given : given_)
        if (given.name == option) all.push_back(given.value);
    return all;
}

std::string_view CommandContext::last_of(std::initializer_list<std::string_view> options) const {
    std::string_view last;
    for (auto& given : given_) {
        auto found = std::ranges::find(options, std::string_view(given.name));
        if (found != options.end()) last = *found;
    }
    return last;
}

void CommandContext::print(std::string_view text) const { print_text(text); }
void CommandContext::error(std::string_view text) const { print_error(text); }

} // namespace mim
