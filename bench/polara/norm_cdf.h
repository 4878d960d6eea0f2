// SPDX-License-Identifier: MIT
// The normal distribution of Black-Scholes (Abramowitz and Stegun, 26.2.17), for both kernels in C.
#pragma once
#include <math.h>

static double norm_cdf(double d) {
    double k = 1 / (1 + 0.2316419 * fabs(d));
    double p = k * (.31938153 + k * (-.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
    double c = 0.3989422804014327 * exp(-0.5 * d * d) * p;
    return d > 0 ? 1 - c : c;
}
