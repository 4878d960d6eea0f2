// SPDX-License-Identifier: MIT
#include "ainf/list/scalars.h"

#include <cmath>

namespace mim::plug::ainf {

static double norm_cdf(double d) {
    double k = 1 / (1 + 0.2316419 * std::fabs(d));
    double p = k * (.31938153 + k * (-.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
    double c = 0.3989422804014327 * std::exp(-0.5 * d * d) * p;
    return d > 0 ? 1 - c : c;
}

/// -0 is less than 0, and whatever is no number is ignored.
static double greater(double a, double b) {
    if (a == b) return std::signbit(a) ? b : a;
    return std::fmax(a, b);
}

uint64_t computed(Op op, uint64_t a, uint64_t b) {
    switch (op) {
        case Op::NatAdd: return a + b;
        case Op::NatSub: return a < b ? 0 : a - b;
        case Op::NatMul: return a * b;
        default: return b == 0 ? 0 : a / b;
    }
}

double computed(Op op, double a, double b) {
    switch (op) {
        case Op::FltAdd: return a + b;
        case Op::FltSub: return a - b;
        case Op::FltMul: return a * b;
        case Op::FltDiv: return a / b;
        default: return greater(a, b);
    }
}

double computed(Op op, double a) {
    switch (op) {
        case Op::Exp: return std::exp(a);
        case Op::Log: return std::log(a);
        case Op::Sqrt: return std::sqrt(a);
        default: return norm_cdf(a);
    }
}

} // namespace mim::plug::ainf
