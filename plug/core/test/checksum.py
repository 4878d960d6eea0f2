# SPDX-License-Identifier: MIT
"""What the generated test programs of core and math share: printing numbers, and mixing them into a checksum."""

PRELUDE = """
cfun putchar [mem: %mem.M, c: I32]: [%mem.M, I32];

fun digits (mem: %mem.M, n: I64): %mem.M = {
    let (mem1, q) = %core.div.udiv (mem, (n, 10I64));
    let (mem2, r) = %core.div.urem (mem1, (n, 10I64));
    (more, last)#(%core.icmp.e (q, 0I64)) mem2 where
        con last (mem: %mem.M) =
            ret (mem, _) = putchar $ (mem, %core.wrap.add 0 (%core.conv.u 0x100000000 r, 48I32)); return mem;
        con more (mem: %mem.M) = ret mem = digits $ (mem, q); last mem;
    end
};

/// Prints a number and a line break.
fun print (mem: %mem.M, n: I64): %mem.M =
    ret mem = digits $ (mem, n);
    ret (mem, _) = putchar $ (mem, 10I32);
    return mem;

lam mix (h v: I64): I64 = %core.wrap.add 0 (%core.wrap.mul 0 (h, 31I64), v);
"""
