// SPDX-License-Identifier: MIT
#include "machine_c.h"

#include <dlfcn.h>

#include <array>
#include <utility>

namespace mim::plug::mil {

namespace {

constexpr size_t kMostArguments = 8;

template<size_t>
using Argument = uint64_t;

/// A register holds an argument of 32 bits as well as one of 64.
template<size_t... Is>
uint64_t call_with(void* function, const std::vector<uint64_t>& arguments, std::index_sequence<Is...>) {
    return reinterpret_cast<uint64_t (*)(Argument<Is>...)>(function)(arguments[Is]...);
}

template<size_t n>
uint64_t call_of(void* function, const std::vector<uint64_t>& arguments) {
    return call_with(function, arguments, std::make_index_sequence<n>());
}

template<size_t... Ns>
constexpr auto calls_of(std::index_sequence<Ns...>) {
    return std::array{&call_of<Ns>...};
}

constexpr auto kCalls = calls_of(std::make_index_sequence<kMostArguments + 1>());

} // namespace

bool call_c(const std::string& name, const std::vector<uint64_t>& arguments, uint64_t& result) {
    auto function = dlsym(RTLD_DEFAULT, name.c_str());
    if (!function || arguments.size() > kMostArguments) return false;
    result = kCalls[arguments.size()](function, arguments);
    return true;
}

} // namespace mim::plug::mil
