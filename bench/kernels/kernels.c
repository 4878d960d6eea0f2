// SPDX-License-Identifier: MIT
// The kernels of kernels.mim, statement by statement.
#include <stdint.h>

/// An array and its length.
#define A(T, x) uint64_t x##_n, T *x

uint32_t lev(A(uint8_t, a), A(uint8_t, b), A(uint32_t, row)) {
    int64_t n = a_n, m = b_n;
    for (int64_t j = 0; j <= m; ++j) row[j] = j;
    for (int64_t i = 0; i < n; ++i) {
        uint8_t x     = a[i];
        uint32_t diag = row[0], left = i + 1;
        row[0] = left;
        for (int64_t j = 0; j < m; ++j) {
            uint32_t up = row[j + 1], cost = x == b[j] ? 0 : 1;
            uint32_t least = (left < up ? left : up) + 1, d = diag + cost, best = least < d ? least : d;
            row[j + 1] = best;
            diag       = up;
            left       = best;
        }
    }
    return row[m];
}

uint64_t sieve(A(uint8_t, a)) {
    int64_t n = a_n, count = 0;
    for (int64_t i = 0; i < n; ++i) a[i] = 1;
    for (int64_t i = 0; i < n; ++i) {
        if (i < 2 || a[i] != 1) continue;
        for (int64_t k = i * i; k < n; k += i) a[k] = 0;
        ++count;
    }
    return count;
}

uint32_t crc(A(uint32_t, table), A(uint8_t, a)) {
    uint32_t c = 0xffffffff;
    for (int64_t i = 0; i < (int64_t)a_n; ++i) c = table[(uint8_t)c ^ a[i]] ^ c >> 8;
    return c ^ 0xffffffff;
}

void matmul(uint64_t n_, A(double, a), A(double, b), A(double, c)) {
    int64_t n = n_;
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < n; ++j) {
            double s = 0;
            for (int64_t k = 0; k < n; ++k) s += a[i * n + k] * b[k * n + j];
            c[i * n + j] = s;
        }
}

uint64_t search(A(int32_t, keys), A(int32_t, asks)) {
    int64_t sum = 0;
    for (int64_t i = 0; i < (int64_t)asks_n; ++i) {
        int32_t x  = asks[i];
        int64_t lo = 0, hi = keys_n;
        while (lo < hi) {
            int64_t mid = lo + (hi - lo) / 2;
            if (keys[mid] < x) lo = mid + 1;
            else hi = mid;
        }
        sum += lo;
    }
    return sum;
}

uint64_t collatz(uint64_t n) {
    uint64_t best = 0;
    for (int64_t i = 0; i < (int64_t)n; ++i) {
        uint64_t x = i + 1, steps = 0;
        while (x > 1) {
            x = x & 1 ? 3 * x + 1 : x >> 1;
            ++steps;
        }
        if (best < steps) best = steps;
    }
    return best;
}

static void sift(int32_t* a, int64_t root, int64_t end) {
    int32_t x  = a[root];
    int64_t at = root;
    for (;;) {
        int64_t child = at * 2 + 1;
        if (child >= end) break;
        int32_t y = a[child];
        if (child + 1 < end) {
            int32_t r = a[child + 1];
            if (y < r) {
                ++child;
                y = r;
            }
        }
        if (!(x < y)) break;
        a[at] = y;
        at    = child;
    }
    a[at] = x;
}

void heap(A(int32_t, a)) {
    int64_t n = a_n;
    for (int64_t i = 0; i < n / 2; ++i) sift(a, n / 2 - 1 - i, n);
    for (int64_t i = 0; i < n - 1; ++i) {
        int64_t last = n - 1 - i;
        int32_t x = a[0], y = a[last];
        a[last] = x;
        a[0]    = y;
        sift(a, 0, last);
    }
}

void life(uint64_t w_, uint64_t h_, A(uint8_t, a), A(uint8_t, b)) {
    int64_t w = w_, h = h_;
    for (int64_t y = 0; y < h - 2; ++y)
        for (int64_t x = 0; x < w - 2; ++x) {
            int64_t i  = (y + 1) * w + x + 1;
            uint8_t me = a[i],
                    n  = a[i - w - 1] + a[i - w] + a[i - w + 1] + a[i - 1] + a[i + 1] + a[i + w - 1] + a[i + w] + a[i + w + 1];
            b[i]       = n == 3 || (n == 2 && me == 1);
        }
}

void floyd(uint64_t n_, A(int32_t, d)) {
    int64_t n = n_;
    for (int64_t k = 0; k < n; ++k)
        for (int64_t i = 0; i < n; ++i) {
            int32_t ik = d[i * n + k];
            for (int64_t j = 0; j < n; ++j) {
                int32_t s = ik + d[k * n + j];
                if (s < d[i * n + j]) d[i * n + j] = s;
            }
        }
}

void base64(A(uint8_t, abc), A(uint8_t, a), A(uint8_t, out)) {
    for (int64_t i = 0; i < (int64_t)(a_n / 3); ++i) {
        uint32_t w     = a[i * 3] << 16 | a[i * 3 + 1] << 8 | a[i * 3 + 2];
        out[i * 4]     = abc[w >> 18 & 63];
        out[i * 4 + 1] = abc[w >> 12 & 63];
        out[i * 4 + 2] = abc[w >> 6 & 63];
        out[i * 4 + 3] = abc[w & 63];
    }
}

uint32_t knap(A(int32_t, weight), A(int32_t, value), A(int32_t, best)) {
    int64_t cap = best_n - 1;
    for (int64_t i = 0; i < (int64_t)weight_n; ++i) {
        int64_t w = (uint32_t)weight[i];
        int32_t v = value[i];
        for (int64_t c = cap; c >= w; --c) {
            int32_t x = best[c - w] + v;
            if (x > best[c]) best[c] = x;
        }
    }
    return best[cap];
}

void histogram(A(uint8_t, a), A(uint64_t, counts)) {
    for (int64_t i = 0; i < (int64_t)a_n; ++i) ++counts[a[i]];
}

static uint64_t gcd(uint64_t a, uint64_t b) { return b == 0 ? a : gcd(b, a % b); }
uint64_t gcds(uint64_t n) {
    uint64_t s = 0;
    for (int64_t i = 0; i < (int64_t)n; ++i)
        for (int64_t j = 0; j < (int64_t)n; ++j) s += gcd(i + 1, j + 1);
    return s;
}

uint64_t find(A(uint8_t, text), A(uint8_t, word)) {
    int64_t n = text_n, m = word_n;
    uint64_t count = 0;
    for (int64_t i = 0; i < n - m + 1; ++i) {
        int64_t j = 0;
        while (j != m && text[i + j] == word[j]) ++j;
        count += j == m;
    }
    return count;
}

static uint64_t queens(uint64_t all, uint64_t left, uint64_t right, uint64_t down) {
    if (down == all) return 1;
    uint64_t sum = 0;
    for (uint64_t free = all & ~(left | right | down); free;) {
        uint64_t bit = free & -free;
        sum += queens(all, (left | bit) << 1, (right | bit) >> 1, down | bit);
        free ^= bit;
    }
    return sum;
}

uint64_t nqueens(uint64_t n) { return queens((1ull << n) - 1, 0, 0, 0); }
static uint64_t fibo(uint64_t n) { return n < 2 ? n : fibo(n - 1) + fibo(n - 2); }
uint64_t fib(uint64_t n) { return fibo(n); }
static uint32_t root(uint32_t* parent, uint32_t x) {
    for (;;) {
        uint32_t p = parent[x];
        if (p == x) return x;
        uint32_t q = parent[p];
        parent[x]  = q;
        x          = q;
    }
}

uint64_t unions(A(uint32_t, parent), A(uint32_t, pairs)) {
    for (uint64_t i = 0; i < parent_n; ++i) parent[i] = i;
    uint64_t sets = parent_n;
    for (uint64_t i = 0; i < pairs_n / 2; ++i) {
        uint32_t x = root(parent, pairs[2 * i]), y = root(parent, pairs[2 * i + 1]);
        if (x != y) {
            parent[x] = y;
            --sets;
        }
    }
    return sets;
}

void lu(uint64_t n_, A(double, a)) {
    int64_t n = n_;
    for (int64_t k = 0; k < n; ++k) {
        double d = a[k * n + k];
        for (int64_t i = k + 1; i < n; ++i) {
            double f     = a[i * n + k] / d;
            a[i * n + k] = f;
            for (int64_t j = k + 1; j < n; ++j) a[i * n + j] = a[i * n + j] - f * a[k * n + j];
        }
    }
}

void transpose(uint64_t n_, A(double, a), A(double, b)) {
    int64_t n = n_;
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < n; ++j) b[j * n + i] = a[i * n + j];
}

uint64_t mandel(uint64_t n) {
    uint64_t sum = 0;
    for (uint64_t y = 0; y < n; ++y)
        for (uint64_t x = 0; x < n; ++x) {
            double s = 3.0 / n, cr = x * s - 2.0, ci = y * s - 1.5, zr = 0, zi = 0;
            uint64_t i = 0;
            for (; i < 100; ++i) {
                double r2 = zr * zr, i2 = zi * zi;
                if (!(r2 + i2 <= 4.0)) break;
                zi = 2.0 * zr * zi + ci;
                zr = r2 - i2 + cr;
            }
            sum += i;
        }
    return sum;
}

uint64_t words(A(uint8_t, a)) {
    int inside = 0;
    uint64_t w = 0;
    for (uint64_t i = 0; i < a_n; ++i) {
        uint8_t c = a[i];
        int space = c == ' ' || c == '\n' || c == '\t';
        w += !inside && !space;
        inside = !space;
    }
    return w;
}

struct N {
    uint64_t v;
    struct N* next;
};
uint64_t chase(struct N* p, uint64_t n) {
    uint64_t s = 0;
    for (uint64_t i = 0; i < n; ++i) {
        s += p->v;
        p = p->next;
    }
    return s;
}

static void pass(int shift, uint64_t n, uint32_t* a, uint32_t* b, uint32_t* counts) {
    for (int i = 0; i < 256; ++i) counts[i] = 0;
    for (uint64_t i = 0; i < n; ++i) ++counts[a[i] >> shift & 255];
    uint32_t s = 0;
    for (int i = 0; i < 256; ++i) {
        uint32_t c = counts[i];
        counts[i]  = s;
        s += c;
    }
    for (uint64_t i = 0; i < n; ++i) {
        uint32_t x                    = a[i];
        b[counts[x >> shift & 255]++] = x;
    }
}

void radix(A(uint32_t, a), A(uint32_t, b), A(uint32_t, counts)) {
    pass(0, a_n, a, b, counts);
    pass(8, a_n, b, a, counts);
    pass(16, a_n, a, b, counts);
    pass(24, a_n, b, a, counts);
}

float dot(A(float, a), A(float, b)) {
    float s = 0;
    for (uint64_t i = 0; i < a_n; ++i) s += a[i] * b[i];
    return s;
}

void jacobi(uint64_t n_, A(double, a), A(double, b)) {
    int64_t n = n_;
    for (int64_t i = 0; i < n - 2; ++i)
        for (int64_t j = 0; j < n - 2; ++j) {
            int64_t at = (i + 1) * n + j + 1;
            b[at]      = 0.25 * (a[at - n] + a[at + n] + a[at - 1] + a[at + 1]);
        }
}

uint64_t rolling(A(uint8_t, a), uint64_t m, uint64_t target) {
    const uint64_t prime = 1000000007;
    uint64_t top = 1, h = 0, hits = 0;
    for (uint64_t i = 0; i + 1 < m; ++i) top = top * 257 % prime;
    for (uint64_t i = 0; i < m; ++i) h = (h * 257 + a[i]) % prime;
    for (uint64_t i = 0; i < a_n - m; ++i) {
        h = (h + prime * 257 - a[i] * top) % prime;
        h = (h * 257 + a[i + m]) % prime;
        hits += h == target;
    }
    return hits * 4294967296 + h;
}

uint64_t brain(A(uint8_t, code), A(uint32_t, jump), A(uint8_t, tape)) {
    uint64_t pc = 0, p = 0, steps = 0;
    for (;;) switch (code[pc] & 7) {
            case 1:
                ++p;
                ++pc;
                ++steps;
                break;
            case 2:
                --p;
                ++pc;
                ++steps;
                break;
            case 3:
                ++tape[p];
                ++pc;
                ++steps;
                break;
            case 4:
                --tape[p];
                ++pc;
                ++steps;
                break;
            case 5:
                pc = tape[p] == 0 ? jump[pc] : pc + 1;
                ++steps;
                break;
            case 6:
                pc = tape[p] == 0 ? pc + 1 : jump[pc];
                ++steps;
                break;
            default: return steps;
        }
}

uint64_t tak(uint64_t x, uint64_t y, uint64_t z) {
    return (int64_t)y < (int64_t)x ? tak(tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y)) : z;
}

uint64_t ack(uint64_t m, uint64_t n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
struct T {
    struct T *l, *r;
};
uint64_t count(struct T* t) { return t->l ? count(t->l) + 1 + count(t->r) : 1; }
