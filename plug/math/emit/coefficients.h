// SPDX-License-Identifier: MIT
// Made by coefficients.py; see approximate.cpp.
#pragma once

namespace mim::plug::math {

/// (exp r - 1 - r) / r^2 for |r| <= ln 2 / 2
constexpr double exp_f64[] = {0x1.0000000000009p-1,  0x1.5555555555558p-3,  0x1.55555555503e1p-5,  0x1.111111110f7bcp-7,
                              0x1.6c16c1860285cp-10, 0x1.a01a01b028a62p-13, 0x1.a01993b1be91dp-16, 0x1.71ddf66c452d1p-19,
                              0x1.28b41279a9e1dp-22, 0x1.af63a7485020ap-26};
/// (log ((1 + s) / (1 - s)) / s - 2) / s^2 by s^2 for 1/sqrt 2 <= (1 + s) / (1 - s) <= sqrt 2
constexpr double log_f64[] = {0x1.555555555557cp-1, 0x1.99999999847e9p-2, 0x1.2492493fad552p-2, 0x1.c71c52be8192dp-3,
                              0x1.746647dd0660cp-3, 0x1.399d294f8a1adp-3, 0x1.2f50f43e595f3p-3};
/// (exp r - 1 - r) / r^2 for |r| <= ln 2 / 2
constexpr double exp_f32[] = {0x1.0000000000000p-1, 0x1.55548e0000000p-3, 0x1.55545e0000000p-5, 0x1.123b580000000p-7,
                              0x1.6db4aa0000000p-10};
/// (log ((1 + s) / (1 - s)) / s - 2) / s^2 by s^2 for 1/sqrt 2 <= (1 + s) / (1 - s) <= sqrt 2
constexpr double log_f32[] = {0x1.5555560000000p-1, 0x1.999a7c0000000p-2, 0x1.2435920000000p-2, 0x1.e3ae840000000p-3};
/// (sin r / r - 1) / r^2 by r^2 for |r| <= pi / 4
constexpr double sin_f64[] = {-0x1.555555555554dp-3, 0x1.111111110fb4dp-7,   -0x1.a01a019c3050bp-13,
                              0x1.71de356f10fb5p-19, -0x1.ae5e4c07395e1p-26, 0x1.5d875b9d4c1a2p-33};
/// (cos r - 1 + r^2 / 2) / r^4 by r^2 for |r| <= pi / 4
constexpr double cos_f64[] = {0x1.5555555555553p-5,   -0x1.6c16c16c16132p-10, 0x1.a01a019e24bc8p-16,
                              -0x1.27e4f903dba05p-22, 0x1.1eea8935afc8fp-29,  -0x1.8ff9c523984f2p-37};
/// (sin r / r - 1) / r^2 by r^2 for |r| <= pi / 4
constexpr double sin_f32[] = {-0x1.5555554d9e201p-3, 0x1.111108770f0f1p-7, -0x1.a00f38e7f1673p-13, 0x1.6cb7491e5e631p-19};
/// (cos r - 1 + r^2 / 2) / r^4 by r^2 for |r| <= pi / 4
constexpr double cos_f32[] = {0x1.55555552c1ffep-5, -0x1.6c16bbae1553bp-10, 0x1.a012cee1980e3p-16, -0x1.2474de488470dp-22};
/// ln 2: what is first has zeros at its end, so that small multiples are exact
constexpr double ln2_f64[] = {0x1.62e42fefa3000p-1, 0x1.3de6af278ece6p-42};
/// the same in single precision
constexpr double ln2_f32[] = {0x1.62e4000000000p-1, 0x1.7f7d1c0000000p-20};
/// pi / 2 in parts of which each but the last has a multiple without rounding
constexpr double half_pi[] = {0x1.921fb54400000p+0, 0x1.0b4611a600000p-34, 0x1.3198a2e000000p-69, 0x1.b839a252049c1p-104};

} // namespace mim::plug::math
