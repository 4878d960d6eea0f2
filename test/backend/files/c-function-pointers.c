// SPDX-License-Identifier: MIT
#include <stdint.h>
#include <stdio.h>

typedef uint32_t (*unary)(uint32_t);
typedef struct { uint64_t a, b, c; } big;
typedef struct { uint8_t a; uint16_t b; } small;
typedef big (*make)(small, uint8_t);
typedef struct { uint32_t n; unary f; } task;

extern uint32_t m_apply(unary, uint32_t);
extern unary m_choose(uint32_t);

static uint32_t inc(uint32_t x) { return x + 1; }
static uint32_t dec(uint32_t x) { return x - 1; }

uint32_t c_apply(unary f, uint32_t x) { return f(x); }
unary c_choose(uint32_t i) { return i ? inc : dec; }
uint32_t c_run(const task *t) { return t->f(t->n); }
task c_task(task t) { return (task){t.f(t.n), inc}; }
uint64_t c_make(make m) {
    big r = m((small){1, 300}, 255);
    return r.a + r.b + r.c;
}
void c_test(uint32_t one) {
    printf("C calls Mim with its own function: %u\n", m_apply(dec, 10 * one));
    printf("C calls Mim with Mim's function: %u\n", m_apply(m_choose(one), 10 * one));
}
