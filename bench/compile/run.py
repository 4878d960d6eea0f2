#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Measures the compiler itself on generated programs (gen.py), against clang's front end on the same programs in C.

usage: run.py [--mim PROGRAM] [--clang PROGRAM] [--runs N] [--quick] [--emit]
One table: user time of `mim check`, of `mim check --pipeline %opt.default` (with our phases), of clang -O2 without LLVM's passes on
the C twin, the ratio, and how time and memory per item grow from 1k → 10k → 100k items. Times are medians; each program is run alone.

With --emit, another table: user time from the text to an object file at -O1, of mim, of clang, and of clang for this processor as mim does.
"""
import argparse, os, resource, shutil, statistics, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
KINDS = ["loops", "calls", "chain", "poly", "lets", "tuple", "eval", "select", "values", "blocks", "norms", "types"]
TWINS = ["loops", "calls", "chain", "poly", "lets"]  # the kinds that C can say
LONG = ["values", "blocks"]  # an item is many nodes: at most 10,000 of them


def measure(command):
    """(user seconds, peak MiB, exit status) of one run."""
    pid = os.fork()
    if pid == 0:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        if not os.environ.get("MIM_BENCH_VERBOSE"):
            os.dup2(null, 2)
        try:
            os.execvp(command[0], command)
        finally:
            os._exit(127)
    _, status, usage = os.wait4(pid, 0)
    return usage.ru_utime, usage.ru_maxrss / 1024, os.waitstatus_to_exitcode(status)


def median(command, runs):
    results = [measure(command) for _ in range(runs)]
    if any(status for _, _, status in results):
        return None
    return statistics.median(r[0] for r in results), max(r[1] for r in results)


def generate(folder, kind, n, lang):
    path = os.path.join(folder, f"{kind}{n}.{lang}")
    if not os.path.exists(path):
        with open(path, "w") as out:
            subprocess.run([sys.executable, os.path.join(HERE, "gen.py"), kind, str(n), lang], stdout=out, check=True)
    return path


def seconds(result):
    return result[0] if result else float("nan")


def emission(options, folder, sizes):
    print(f"{'kind':8} {'items':>7} {'mim s':>9} {'clang s':>9} {'ratio':>7} {'native s':>9} {'ratio':>7}")
    for kind in options.kinds.split(","):
        if kind not in TWINS:
            continue
        for n in sizes:
            mim, c = (generate(folder, kind, n, language) for language in ("mim", "c"))
            output = os.path.join(folder, "emitted.o")
            ours = seconds(median([options.mim, "build", "-O1", "--emit", "obj", mim, "-o", output], options.runs))
            plain = seconds(median([options.clang, "-O1", "-c", c, "-o", output], options.runs))
            native = seconds(median([options.clang, "-O1", "-march=native", "-c", c, "-o", output], options.runs))
            print(f"{kind:8} {n:7} {ours:9.3f} {plain:9.3f} {ours / plain:7.2f} {native:9.3f} {ours / native:7.2f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mim", default="mim")
    parser.add_argument("--clang", default="clang-19")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="up to 10k items only")
    parser.add_argument("--emit", action="store_true", help="times of object files")
    parser.add_argument("--kinds", default=",".join(KINDS))
    options = parser.parse_args()
    sizes = [1000, 10000] if options.quick else [1000, 10000, 100000]
    clang = shutil.which(options.clang)
    if options.emit:
        with tempfile.TemporaryDirectory() as folder:
            emission(options, folder, sizes)
        return
    print(f"{'kind':8} {'items':>7} {'check s':>9} {'phases s':>9} {'clang s':>9}"
          f" {'ratio':>7} {'MiB':>8} {'KB/item':>8} {'µs/item':>8} {'growth':>7}")
    with tempfile.TemporaryDirectory() as folder:
        for kind in options.kinds.split(","):
            last = {}
            for n in sizes[:2] if kind in LONG else sizes:
                mim = generate(folder, kind, n, "mim")
                check = median([options.mim, "check", mim], options.runs)
                phases = median([options.mim, "check", mim, "--pipeline", "%opt.default"], options.runs)
                twin = None
                if clang and kind in TWINS:
                    c = generate(folder, kind, n, "c")
                    twin = median([clang, "-O2", "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c", c, "-o", "/dev/null"], options.runs)
                if not check:
                    print(f"{kind:8} {n:7}    failed")
                    continue
                seconds, mib = phases or check
                marginal = (seconds - last[0]) / (n - last[2]) if last else None
                marginal_mib = (mib - last[1]) / (n - last[2]) if last else None
                growth = marginal / last[3] if last and len(last) > 3 and last[3] else None
                ratio = seconds / twin[0] if twin and twin[0] else None
                print(f"{kind:8} {n:7} {check[0]:9.3f} {phases[0] if phases else float('nan'):9.3f}"
                      f" {twin[0] if twin else float('nan'):9.3f} {ratio if ratio else float('nan'):7.2f} {mib:8.1f}"
                      f" {marginal_mib * 1024 if marginal_mib is not None else float('nan'):8.2f}"
                      f" {marginal * 1e6 if marginal is not None else float('nan'):8.1f} {growth if growth else float('nan'):7.2f}",
                      flush=True)
                last = (seconds, mib, n) if not last else (seconds, mib, n, marginal)


if __name__ == "__main__":
    main()
