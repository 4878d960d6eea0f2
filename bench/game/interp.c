// A bytecode interpreter: N rounds of a loop of six instructions on 20 registers.
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { Halt, Add, Sub, Mul, Xor, Move, Rotate, JumpNonZero };
struct Instr {
    uint8_t op, a, b, c, to;
};

static int64_t run(const struct Instr* code, int64_t* reg) {
    for (uint8_t pc = 0;;) {
        struct Instr i = code[pc];
        pc             = (pc + 1) % 64;
        switch (i.op) {
            case Halt: return reg[i.a];
            case Add: reg[i.a] = (int64_t)((uint64_t)reg[i.b] + (uint64_t)reg[i.c]); break;
            case Sub: reg[i.a] = (int64_t)((uint64_t)reg[i.b] - (uint64_t)reg[i.c]); break;
            case Mul: reg[i.a] = (int64_t)((uint64_t)reg[i.b] * (uint64_t)reg[i.c]); break;
            case Xor: reg[i.a] = reg[i.b] ^ reg[i.c]; break;
            case Move: reg[i.a] = reg[i.b]; break;
            case Rotate: reg[i.a] = (int64_t)((uint64_t)reg[i.b] << 7 | (uint64_t)reg[i.b] >> 57); break;
            case JumpNonZero:
                if (reg[i.a] != 0) pc = i.to;
                break;
        }
    }
}

int main(int argc, char** argv) {
    struct Instr code[64] = {
        {Mul, 2, 2, 4, 0}, {Xor, 2, 2, 0, 0}, {Rotate, 3, 2, 0, 0}, {Add, 2, 3, 1, 0}, {Sub, 0, 0, 1, 0}, {JumpNonZero, 0, 0, 0, 0},
        {Halt, 2, 0, 0, 0},
    };
    code[5].to      = argc > 9; // so that compilers do not know the program
    int64_t reg[20] = {argc > 1 ? atoll(argv[1]) : 1000, 1, 7, 0, 1442695040888963407};
    printf("%" PRId64 "\n", run(code, reg));
    return 0;
}
