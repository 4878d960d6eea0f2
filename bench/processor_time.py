# SPDX-License-Identifier: MIT
"""Processor time of commands, for the benchmarks of the compiler."""
import resource
import subprocess


def cpu(command, runs=1):
    """Least seconds of some runs, with the kernel's share, which clears memory."""
    best = float("inf")
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best
