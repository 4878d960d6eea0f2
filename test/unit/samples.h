// SPDX-License-Identifier: MIT
// How densely tests look that compare many results. Sanitizers make each one slow and look at how it is computed, which is alike for all:
// there one in seven is enough, since builds without them compare every one.
#pragma once

namespace mim::unit {

#ifdef __has_feature
inline constexpr bool is_sanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
inline constexpr bool is_sanitized = false;
#endif
inline constexpr unsigned stride = is_sanitized ? 7 : 1;

constexpr unsigned samples(unsigned all) { return all / stride; }

} // namespace mim::unit
