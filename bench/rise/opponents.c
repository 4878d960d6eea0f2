// SPDX-License-Identifier: MIT
#include "opponents.h"
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#ifdef __AVX512F__
#include <immintrin.h>
#endif

void sgemm_ikj(float* restrict c, const float* restrict a, const float* restrict b, int m, int n, int k) {
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) c[(size_t)i * n + j] = 0;
        for (int l = 0; l < k; l++) {
            float x = a[(size_t)i * k + l];
            for (int j = 0; j < n; j++) c[(size_t)i * n + j] += x * b[(size_t)l * n + j];
        }
    }
}

typedef float v16 __attribute__((vector_size(64), aligned(4)));

void sgemm_tile(float* restrict c, const float* restrict a, const float* restrict b, int m, int n, int k) {
    for (int i0 = 0; i0 < m; i0 += 8)
        for (int j0 = 0; j0 < n; j0 += 32) {
            v16 s[8][2];
            for (int i = 0; i < 8; i++) s[i][0] = s[i][1] = (v16){0};
            for (int l = 0; l < k; l++) {
                v16 b0 = *(const v16*)(b + (size_t)l * n + j0), b1 = *(const v16*)(b + (size_t)l * n + j0 + 16);
                for (int i = 0; i < 8; i++) {
                    float x = a[(size_t)(i0 + i) * k + l];
                    s[i][0] += x * b0, s[i][1] += x * b1;
                }
            }
            for (int i = 0; i < 8; i++) {
                *(v16*)(c + (size_t)(i0 + i) * n + j0)      = s[i][0];
                *(v16*)(c + (size_t)(i0 + i) * n + j0 + 16) = s[i][1];
            }
        }
}

void sgemv(float* restrict y, const float* restrict a, const float* restrict x, int n, int m) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j < m; j++) s += a[(size_t)i * m + j] * x[j];
        y[i] = s;
    }
}

void sgemv_lanes(float* restrict y, const float* restrict a, const float* restrict x, int n, int m) {
    for (int i = 0; i < n; i++) {
        v16 s[4] = {{0}, {0}, {0}, {0}};
        const float* r = a + (size_t)i * m;
        for (int j = 0; j < m; j += 64)
            for (int l = 0; l < 4; l++) s[l] += *(const v16*)(r + j + 16 * l) * *(const v16*)(x + j + 16 * l);
        v16 t = (s[0] + s[1]) + (s[2] + s[3]);
        float u = 0;
        for (int l = 0; l < 16; l++) u += t[l];
        y[i] = u;
    }
}

void nbody(float* restrict pos2, float* restrict vel2, const float* restrict pos, const float* restrict vel, int n, float dt, float eps) {
    for (int i = 0; i < n; i++) {
        float ax = 0, ay = 0, az = 0, mx = pos[4 * i], my = pos[4 * i + 1], mz = pos[4 * i + 2];
        for (int j = 0; j < n; j++) {
            float dx = pos[4 * j] - mx, dy = pos[4 * j + 1] - my, dz = pos[4 * j + 2] - mz;
            float inv = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + eps), s = pos[4 * j + 3] * inv * inv * inv;
            ax += s * dx, ay += s * dy, az += s * dz;
        }
        const float* v = vel + 4 * i;
        pos2[4 * i] = mx + v[0] * dt + 0.5f * ax * dt * dt, pos2[4 * i + 1] = my + v[1] * dt + 0.5f * ay * dt * dt;
        pos2[4 * i + 2] = mz + v[2] * dt + 0.5f * az * dt * dt, pos2[4 * i + 3] = pos[4 * i + 3];
        vel2[4 * i] = v[0] + ax * dt, vel2[4 * i + 1] = v[1] + ay * dt, vel2[4 * i + 2] = v[2] + az * dt, vel2[4 * i + 3] = v[3];
    }
}

static v16 rsqrt(v16 x) {
#ifdef __AVX512F__
    v16 y = (v16)_mm512_rsqrt14_ps((__m512)x);
    return y * (1.5f - 0.5f * x * y * y);
#else
    v16 y;
    for (int i = 0; i < 16; i++) y[i] = 1.0f / sqrtf(x[i]);
    return y;
#endif
}
static float lanes(v16 v) {
    float s = 0;
    for (int i = 0; i < 16; i++) s += v[i];
    return s;
}
void nbody_lanes(float* restrict pos2, float* restrict vel2, const float* restrict pos, const float* restrict vel, int n, float dt, float eps) {
    float *x = aligned_alloc(64, (size_t)n * 16), *y = x + n, *z = y + n, *w = z + n;
    if (!x) return;
    for (int i = 0; i < n; i++) x[i] = pos[4 * i], y[i] = pos[4 * i + 1], z[i] = pos[4 * i + 2], w[i] = pos[4 * i + 3];
    for (int i = 0; i < n; i++) {
        v16 ax = {0}, ay = {0}, az = {0};
        for (int j = 0; j < n; j += 16) {
            v16 dx = *(v16*)(x + j) - x[i], dy = *(v16*)(y + j) - y[i], dz = *(v16*)(z + j) - z[i];
            v16 r = rsqrt(dx * dx + dy * dy + dz * dz + eps), s = *(v16*)(w + j) * r * r * r;
            ax += s * dx, ay += s * dy, az += s * dz;
        }
        float a = lanes(ax), b = lanes(ay), c = lanes(az);
        const float* v = vel + 4 * i;
        pos2[4 * i] = x[i] + v[0] * dt + 0.5f * a * dt * dt, pos2[4 * i + 1] = y[i] + v[1] * dt + 0.5f * b * dt * dt;
        pos2[4 * i + 2] = z[i] + v[2] * dt + 0.5f * c * dt * dt, pos2[4 * i + 3] = w[i];
        vel2[4 * i] = v[0] + a * dt, vel2[4 * i + 1] = v[1] + b * dt, vel2[4 * i + 2] = v[2] + c * dt, vel2[4 * i + 3] = v[3];
    }
    free(x);
}

#define TWO_PI 6.2831853071795864769f
void mriq(float* restrict qr, float* restrict qi, const float* restrict x, const float* restrict y, const float* restrict z, const float* restrict k, int nx, int nk) {
    for (int i = 0; i < nx; i++) {
        float r = qr[i], m = qi[i];
        for (int j = 0; j < nk; j++) {
            float e = TWO_PI * (k[4 * j] * x[i] + k[4 * j + 1] * y[i] + k[4 * j + 2] * z[i]);
            r += k[4 * j + 3] * cosf(e), m += k[4 * j + 3] * sinf(e);
        }
        qr[i] = r, qi[i] = m;
    }
}

void mriq_fissioned(float* restrict qr, float* restrict qi, const float* restrict x, const float* restrict y, const float* restrict z, const float* restrict kx,
                    const float* restrict ky, const float* restrict kz, const float* restrict phi, int nx, int nk) {
    static float e[4096], c[4096], s[4096];
    for (int i = 0; i < nx; i++) {
        for (int j = 0; j < nk; j++) e[j] = TWO_PI * (kx[j] * x[i] + ky[j] * y[i] + kz[j] * z[i]);
        for (int j = 0; j < nk; j++) c[j] = cosf(e[j]);
        for (int j = 0; j < nk; j++) s[j] = sinf(e[j]);
        float r = qr[i], m = qi[i];
        for (int j = 0; j < nk; j++) r += phi[j] * c[j], m += phi[j] * s[j];
        qr[i] = r, qi[i] = m;
    }
}

static int clamp(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }
void conv17_clamped(float* restrict o, const float* restrict in, const float* restrict w, int n) {
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            float s = 0;
            for (int b = 0; b < 17; b++)
                for (int a = 0; a < 17; a++) s += in[(size_t)clamp(y + b - 8, n) * n + clamp(x + a - 8, n)] * w[b * 17 + a];
            o[(size_t)y * n + x] = s;
        }
}
void conv17_padded(float* restrict o, const float* restrict in, const float* restrict w, int n) {
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            float s = 0;
            for (int b = 0; b < 17; b++)
                for (int a = 0; a < 17; a++) s += in[(size_t)(y + b) * (n + 16) + x + a] * w[b * 17 + a];
            o[(size_t)y * n + x] = s;
        }
}
void conv17_rows(float* restrict o, const float* restrict in, const float* restrict w, int n) {
    for (int y = 0; y < n; y++) {
        float* r = o + (size_t)y * n;
        for (int x = 0; x < n; x++) r[x] = 0;
        for (int b = 0; b < 17; b++)
            for (int a = 0; a < 17; a++) {
                const float* p = in + (size_t)(y + b) * (n + 16) + a;
                float c = w[b * 17 + a];
                for (int x = 0; x < n; x++) r[x] += p[x] * c;
            }
    }
}
void conv17_registers(float* restrict o, const float* restrict in, const float* restrict w, int n) {
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x += 128) {
            v16 s[8] = {{0}};
            for (int b = 0; b < 17; b++)
                for (int a = 0; a < 17; a++) {
                    const float* p = in + (size_t)(y + b) * (n + 16) + x + a;
                    float c        = w[b * 17 + a];
                    for (int l = 0; l < 8; l++) s[l] += *(const v16*)(p + 16 * l) * c;
                }
            for (int l = 0; l < 8; l++) *(v16*)(o + (size_t)y * n + x + 16 * l) = s[l];
        }
}
void stencil9(float* restrict o, const float* restrict in, const float* restrict w, int n) {
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            float s = 0;
            for (int b = 0; b < 3; b++)
                for (int a = 0; a < 3; a++) s += in[(size_t)(y + b) * (n + 2) + x + a] * w[b * 3 + a];
            o[(size_t)y * n + x] = s;
        }
}

void kmeans(int* restrict member, const float* restrict feature, const float* restrict cluster, int np, int nc, int nf) {
    for (int p = 0; p < np; p++) {
        float best = FLT_MAX;
        int at = 0;
        for (int c = 0; c < nc; c++) {
            float d = 0;
            for (int f = 0; f < nf; f++) {
                float t = feature[(size_t)f * np + p] - cluster[c * nf + f];
                d += t * t;
            }
            if (d < best) best = d, at = c;
        }
        member[p] = at;
    }
}

void kmeans_lanes(int* restrict member, const float* restrict feature, const float* restrict cluster, int np, int nc, int nf) {
    for (int p = 0; p < np; p += 64) {
        float d[16][64], best[64];
        for (int c = 0; c < nc; c++)
            for (int l = 0; l < 64; l++) d[c][l] = 0;
        for (int f = 0; f < nf; f++)
            for (int c = 0; c < nc; c++) {
                float w = cluster[c * nf + f];
                for (int l = 0; l < 64; l++) {
                    float t = feature[(size_t)f * np + p + l] - w;
                    d[c][l] += t * t;
                }
            }
        int at[64];
        for (int l = 0; l < 64; l++) best[l] = FLT_MAX, at[l] = 0;
        for (int c = 0; c < nc; c++)
            for (int l = 0; l < 64; l++) {
                at[l]   = d[c][l] < best[l] ? c : at[l];
                best[l] = d[c][l] < best[l] ? d[c][l] : best[l];
            }
        for (int l = 0; l < 64; l++) member[p + l] = at[l];
    }
}
