// SPDX-License-Identifier: MIT
// Hand-written C. Matrices are row-major and dense; results come first.
#pragma once
void sgemm_ikj(float* restrict c, const float* restrict a, const float* restrict b, int m, int n,
               int k); // c[m][n] = a[m][k] b[k][n]
void sgemm_tile(float* restrict c, const float* restrict a, const float* restrict b, int m, int n,
                int k); // 8 x 32 in registers; 8 | m, 32 | n
void sgemv(float* restrict y, const float* restrict a, const float* restrict x, int n, int m); // y[n] = a[n][m] x[m]
void sgemv_lanes(float* restrict y, const float* restrict a, const float* restrict x, int n,
                 int m); // 4 accumulators of 16 lanes; 64 | m
void nbody(float* restrict pos2, float* restrict vel2, const float* restrict pos, const float* restrict vel, int n, float dt,
           float eps); // [n][4]: x y z mass
void nbody_lanes(float* restrict pos2, float* restrict vel2, const float* restrict pos, const float* restrict vel, int n,
                 float dt, float eps); // by components, 16 lanes, estimate of 1/sqrt and one Newton step; 16 | n
void mriq(float* restrict qr, float* restrict qi, const float* restrict x, const float* restrict y, const float* restrict z,
          const float* restrict k, int nx, int nk); // k[nk][4], adds
void mriq_fissioned(float* restrict qr, float* restrict qi, const float* restrict x, const float* restrict y,
                    const float* restrict z, const float* restrict kx, const float* restrict ky, const float* restrict kz,
                    const float* restrict phi, int nx, int nk); // the same, by components; nk <= 4096
void conv17_clamped(float* restrict o, const float* restrict in, const float* restrict w, int n); // o[n][n], in[n][n], w[17][17]
void conv17_padded(float* restrict o, const float* restrict in, const float* restrict w, int n);  // in[n+16][n+16]
void conv17_rows(float* restrict o, const float* restrict in, const float* restrict w, int n);    // the same, x innermost
void conv17_registers(float* restrict o, const float* restrict in, const float* restrict w,
                      int n); // the same, 128 results in registers over all weights; 128 | n
void stencil9(float* restrict o, const float* restrict in, const float* restrict w, int n); // o[n][n], in[n+2][n+2], w[3][3]
void kmeans(int* restrict member, const float* restrict feature, const float* restrict cluster, int np, int nc,
            int nf); // feature[nf][np], cluster[nc][nf]
void kmeans_lanes(int* restrict member, const float* restrict feature, const float* restrict cluster, int np, int nc,
                  int nf); // 64 points at a time; 64 | np, nc <= 16
