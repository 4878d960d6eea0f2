// SPDX-License-Identifier: MIT
// The kernels in C that follows kernels.polara: one loop for each `for` and `sum`, nothing shared by hand.
#include <math.h>
#include <stdlib.h>

#include "norm_cdf.h"

typedef unsigned long N;

static double call(double S, double K, double T, double r, double sigma) {
    double d1 = (log(S / K) + (r + sigma * sigma / 2) * T) / (sigma * sqrt(T));
    double d2 = d1 - sigma * sqrt(T);
    return S * norm_cdf(d1) - K * exp(0 - r * T) * norm_cdf(d2);
}

static double put(double S, double K, double T, double r, double sigma) {
    double d1 = (log(S / K) + (r + sigma * sigma / 2) * T) / (sigma * sqrt(T));
    double d2 = d1 - sigma * sqrt(T);
    return K * exp(0 - r * T) * norm_cdf(0 - d2) - S * norm_cdf(0 - d1);
}

void c_options(N n, const double* restrict t, double* restrict out) {
    for (N i = 0; i < n; ++i) out[2 * i] = call(1, 1, t[i], 1, 1);
    for (N i = 0; i < n; ++i) out[2 * i + 1] = put(1, 1, t[i], 1, 1);
}

void c_conv(N n, N m, const double* restrict x, const double* restrict y, double* restrict out) {
    for (N i = 0; i < m; ++i) {
        double sum = 0;
        for (N j = 0; j < n; ++j) sum += x[j] * y[j + i];
        out[i] = sum;
    }
}

void c_dense(N n, N m, const double* restrict b, const double* restrict W, const double* restrict x, double* restrict out) {
    for (N i = 0; i < n; ++i) {
        double sum = 0;
        for (N j = 0; j < m; ++j) sum += W[i * m + j] * x[j];
        out[i] = fmax(0, sum + b[i]);
    }
}

/// In the order of loops that C programmers know to be fast.
void c_matmul(N l, N m, N n, const double* restrict a, const double* restrict b, double* restrict out) {
    for (N i = 0; i < l * n; ++i) out[i] = 0;
    for (N i = 0; i < l; ++i)
        for (N k = 0; k < m; ++k)
            for (N j = 0; j < n; ++j) out[i * n + j] += a[i * m + k] * b[k * n + j];
}

double c_sums(N n, const double* restrict v, const double* restrict w) {
    double sum = 0;
    for (N i = 0; i < n; ++i) sum += (v[i] + w[i]) * (v[i] - w[i]) + v[i] * w[i];
    return sum;
}

void c_softmax(N n, N m, const double* restrict x, double* restrict out) {
    double* e = malloc(m * sizeof(double));
    for (N i = 0; i < n; ++i) {
        double most = -1e300, total = 0;
        for (N j = 0; j < m; ++j) most = fmax(most, x[i * m + j]);
        for (N j = 0; j < m; ++j) e[j] = exp(x[i * m + j] - most);
        for (N j = 0; j < m; ++j) total += e[j];
        for (N j = 0; j < m; ++j) out[i * m + j] = e[j] / total;
    }
    free(e);
}

void c_distances(N n, N d, const double* restrict p, double* restrict out) {
    for (N i = 0; i < n; ++i)
        for (N j = 0; j < n; ++j) {
            double sum = 0;
            for (N k = 0; k < d; ++k) sum += (p[i * d + k] - p[j * d + k]) * (p[i * d + k] - p[j * d + k]);
            out[i * n + j] = sqrt(sum);
        }
}
