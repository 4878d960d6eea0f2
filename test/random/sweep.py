# SPDX-License-Identifier: MIT
"""Scripts that compare random programs in several ways share this: options, threads, and the report."""
import argparse
import concurrent.futures
import os
import pathlib
import sys

sys.dont_write_bytecode = True


def sweep(doc, each, check, add_options=lambda parser: None):
    """Runs `check(options, seed, count)` for all programs, `count` of them in one file, in threads: it returns a line for
    each way that is wrong. `each`: how many there are in a file if no option says otherwise. The exit status."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mim", default="mim")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--each", type=int, default=each)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    add_options(parser)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    end = options.seed + options.count

    def checked(seed):
        return check(options, seed, min(options.each, end - seed))

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        wrong = [line for lines in pool.map(checked, range(options.seed, end, options.each)) for line in lines]
    for line in wrong:
        print(line)
    print(f"agree: {options.count} programs, {len(wrong)} disagreements")
    return 1 if wrong else 0
