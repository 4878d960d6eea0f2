#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random programs of Polara, each evaluated as it is written, evaluated as a list after each stage and after passes of a subset in
some order, and compiled.

All ways must print the same.

    agree.py [--mim PATH] [--seed N] [--count N] [--each N] [--jobs N] [--all] --folder FOLDER

`--each`: definitions in one program. A program that fails stays in the folder; the seed is in its name. It is made smaller as
long as the first way that is wrong still is (shrink.py), and the smallest is printed with its command. Lists of stages are
compiled in turn, and so are subsets of passes, with `--all` each of them. Paper form copies what a let binds, and may say that
a list is too large."""
import itertools
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "test/random"))
from shrink import output_of, Program, smallest
from sweep import sweep

STAGES = ["raw", "raw_cse", "norm", "norm_cse", "all", "full"]
CONVERSIONS = ["%polara.stage.raw", "%polara.stage.norm", '%compile.phase "polara.share"']
PASSES = ["ainf.cse", "ainf.simplify", "ainf.licm", "ainf.dce"]
SUBSETS_A_TURN = 4
LEVELS = ["-O0", "-O3"]
TOO_LARGE = "E-polara-11"
GENERATE = pathlib.Path(__file__).parent / "generate.py"


def lowered(pipeline):
    return f'%compile.seq ({pipeline}, %compile.phase "ainf.lower", %opt.default)'


def subsets():
    """Pipelines of each conversion and each subset of the passes, in the order above and in the other one."""
    sizes = range(1, len(PASSES) + 1)
    chosen = [passes for size in sizes for passes in itertools.combinations(PASSES, size)]
    orders = [order for passes in chosen for order in dict.fromkeys((passes, passes[::-1]))]
    phases = [", ".join(f'%compile.phase "{one}"' for one in order) for order in orders]
    return [f"%compile.seq ({conversion}, {listed})" for conversion in CONVERSIONS for listed in phases]


def ways(turn, of_all):
    """Command lines; the first one is the reference."""
    result = [["run", "--eval"], ["run"], ["run", LEVELS[turn % 2], "--verify-each"]]
    stages = [f"%polara.stage.{stage}" for stage in STAGES]
    partial = subsets()
    some = [partial[(turn * SUBSETS_A_TURN + i) % len(partial)] for i in range(SUBSETS_A_TURN)]
    result += [["run", "--eval", "--verify-each", "--pipeline", pipeline] for pipeline in stages + (partial if of_all else some)]
    compiled = stages + partial if of_all else [stages[turn % len(stages)], some[0]]
    result += [["run", LEVELS[(turn + i) % 2], "--pipeline", lowered(pipeline)] for i, pipeline in enumerate(compiled)]
    return result


def check(options, seed, count):
    """The ways that differ from the first one, which must succeed."""
    file = options.folder / f"t{seed}.polara"
    text = subprocess.run([sys.executable, str(GENERATE), str(seed), str(count)], stdout=subprocess.PIPE, check=True).stdout.decode()
    program = Program.parse(text)
    all_ways = [[options.mim, *way] for way in ways(seed // options.each, options.all)]
    outputs = [output_of(way, program, file) for way in all_ways]
    file.write_text(text)
    reference = outputs[0][0]
    wrong = [way for way, (output, errors) in zip(all_ways, outputs)
             if (output != reference and TOO_LARGE not in errors) or not reference.endswith("status 0")]
    if not wrong:
        file.unlink()
        return []
    small = smallest(text, all_ways[0], wrong[0], file.with_suffix(".small.polara"), is_no_difference=lambda errors: TOO_LARGE in errors)
    return [f"{file}: {' '.join(way[1:])}" for way in wrong[:-1]] + [f"{file}: {' '.join(wrong[-1][1:])}\n{small or 'no smaller program'}"]


if __name__ == "__main__":
    sys.exit(sweep(__doc__, 10, check, lambda parser: parser.add_argument("--all", action="store_true")))
