// SPDX-License-Identifier: MIT
// The kernels in C as a person writes them for speed: shared and fused by hand, several outputs side by side, each with
// its sum in order. Kernels that written.c already has so are not here.
#include <math.h>

#include "norm_cdf.h"

typedef unsigned long N;

void c_options(N n, const double* restrict t, double* restrict out) {
    for (N i = 0; i < n; ++i) {
        double root     = sqrt(t[i]);
        double d1       = (1 + 0.5) * t[i] / root;
        double d2       = d1 - root;
        double discount = exp(0 - t[i]);
        out[2 * i]      = norm_cdf(d1) - discount * norm_cdf(d2);
        out[2 * i + 1]  = discount * norm_cdf(0 - d2) - norm_cdf(0 - d1);
    }
}

enum { Lanes = 32 };

void c_conv(N n, N m, const double* restrict x, const double* restrict y, double* restrict out) {
    N i = 0;
    for (; i + Lanes <= m; i += Lanes) {
        double sum[Lanes] = {0};
        for (N j = 0; j < n; ++j)
            for (N l = 0; l < Lanes; ++l) sum[l] += x[j] * y[j + i + l];
        for (N l = 0; l < Lanes; ++l) out[i + l] = sum[l];
    }
    for (; i < m; ++i) {
        double sum = 0;
        for (N j = 0; j < n; ++j) sum += x[j] * y[j + i];
        out[i] = sum;
    }
}

enum { Rows = 8 };

void c_dense(N n, N m, const double* restrict b, const double* restrict W, const double* restrict x, double* restrict out) {
    N i = 0;
    for (; i + Rows <= n; i += Rows) {
        double sum[Rows] = {0};
        for (N j = 0; j < m; ++j)
            for (N r = 0; r < Rows; ++r) sum[r] += W[(i + r) * m + j] * x[j];
        for (N r = 0; r < Rows; ++r) out[i + r] = fmax(0, sum[r] + b[i + r]);
    }
    for (; i < n; ++i) {
        double sum = 0;
        for (N j = 0; j < m; ++j) sum += W[i * m + j] * x[j];
        out[i] = fmax(0, sum + b[i]);
    }
}

void c_matmul(N l, N m, N n, const double* restrict a, const double* restrict b, double* restrict out) {
    N i = 0;
    for (; i + 4 <= l; i += 4) {
        N j = 0;
        for (; j + Lanes <= n; j += Lanes) {
            double sum[4][Lanes] = {{0}};
            for (N k = 0; k < m; ++k)
                for (N r = 0; r < 4; ++r)
                    for (N c = 0; c < Lanes; ++c) sum[r][c] += a[(i + r) * m + k] * b[k * n + j + c];
            for (N r = 0; r < 4; ++r)
                for (N c = 0; c < Lanes; ++c) out[(i + r) * n + j + c] = sum[r][c];
        }
        for (; j < n; ++j)
            for (N r = 0; r < 4; ++r) {
                double sum = 0;
                for (N k = 0; k < m; ++k) sum += a[(i + r) * m + k] * b[k * n + j];
                out[(i + r) * n + j] = sum;
            }
    }
    for (; i < l; ++i)
        for (N j = 0; j < n; ++j) {
            double sum = 0;
            for (N k = 0; k < m; ++k) sum += a[i * m + k] * b[k * n + j];
            out[i * n + j] = sum;
        }
}
