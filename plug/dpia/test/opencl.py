#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Programs with kernels of OpenCL compute what the evaluator does, on PoCL.

    opencl.py TEMPORARY PROGRAM=EXTENT,… …     programs as those of kernels.py; each is made C of by `--emit clhost`
    opencl.py TEMPORARY barriers               the kernels of barriers.py

Behind `// STDERR:` a program says what it prints before its status is 3, and behind `// STATUS:` which other status it has.
Behind `// COUNTS:` it says how often it transfers a buffer to the device, and to the host, and how many kernels it starts
(an array of no elements is not transferred).
Each of its calls of OpenCL and of `malloc` fails once: then the status is 2 or 3, and the program holds nothing any more.
"""
import ctypes
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

# PoCL alone, whatever this machine has, and nothing is kept in the user's folder.
os.environ["OCL_ICD_VENDORS"] = "/etc/OpenCL/vendors/pocl.icd"
os.environ["POCL_CACHE_DIR"] = sys.argv[1] + ".pocl"
pathlib.Path(os.environ["POCL_CACHE_DIR"]).mkdir(exist_ok=True)

import barriers  # noqa: E402
import kernels  # noqa: E402

HERE = kernels.HERE
SHARED = 3  # the context, the queue and the program


def build(source, temporary):
    """The library of a program, and its text."""
    code = temporary.with_name(f"{temporary.name}.{source.stem}.c")
    library = code.with_suffix(".so")
    subprocess.run(["mim", "build", source, "--emit", "clhost", "-o", code], check=True)
    flags = ["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-include", HERE / "files/counting.h"]
    subprocess.run(["gcc", *flags, "-o", library, code, "-lOpenCL", "-lm"], check=True)
    return ctypes.CDLL(str(library)), code.read_text()


def single(value):
    """The numbers of 32 bits that these are printed for."""
    if isinstance(value, (list, tuple)):
        return [single(x) for x in value]
    return struct.unpack("f", struct.pack("f", value))[0] if isinstance(value, float) else value


def counter(library, name):
    return ctypes.c_int.in_dll(library, name)


class Program:
    def __init__(self, source, temporary):
        text = source.read_text()
        self.name = re.search(r"export def (\w+)", text)[1]
        self.args = re.search(r"// ARGS: (.*)", text)[1]
        self.shape = re.search(r"// RESULT: (.*)", text)[1]
        counts = re.search(r"// COUNTS: (.*)", text)
        self.counts = counts and [int(x) for x in counts[1].split()]
        self.message = re.search(r"// STDERR: (.*)", text)
        self.status = re.search(r"// STATUS: (.*)", text)
        self.source = source
        self.library, code = build(source, temporary)
        self.types = kernels.signature(code)
        self.function = getattr(self.library, self.name)

    def run(self, n):
        args = eval(self.args.replace("$n", str(n)))
        shape = eval(self.shape.replace("$n", str(n)))
        return args, kernels.call(self.function, self.types, n, args, shape)

    def check(self, n):
        """What is wrong, or None."""
        before = {name: counter(self.library, name).value for name in ("to_device", "to_host", "launches")}
        args, (status, got) = self.run(n)
        command = ["mim", "run", "--eval", self.source, f"n={n}", *map(kernels.text_of, args)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            return done.stderr
        expected = kernels.parsed(done.stdout)
        if status or single(got) != single(expected):
            return f"status {status}\n  {single(got)}\n  {single(expected)}"
        counts = [counter(self.library, name).value - number for name, number in before.items()]
        if self.counts and n > 0 and counts != self.counts:
            return f"transfers and kernels: {counts}, not {self.counts}"
        held = counter(self.library, "held").value
        return f"{held} things are held" if held not in (0, SHARED) else None

    def run_silently(self, n):
        """The status, and what was printed."""
        with tempfile.TemporaryFile() as file:
            before = os.dup(2)
            os.dup2(file.fileno(), 2)
            _, (status, _) = self.run(n)
            os.dup2(before, 2)
            os.close(before)
            file.seek(0)
            return status, file.read().decode()

    def check_refused(self, n):
        """The status and the message are those that the program tells."""
        status, text = self.run_silently(n)
        expected = int(self.status[1]) if self.status else 3
        if status != expected or (self.message and not text.startswith(self.message[1])):
            return f"status {status}: {text}"
        held = counter(self.library, "held").value
        return f"{held} things are held" if held not in (0, SHARED) else None

    def check_failures(self, n):
        """Each call fails once, first those that begin."""
        fails_at, held = counter(self.library, "fails_at"), counter(self.library, "held")
        for number in range(1000):
            counter(self.library, "calls").value = 0
            fails_at.value = number
            status, _ = self.run_silently(n)
            fails_at.value = -1
            if held.value not in (0, SHARED):
                return f"{held.value} things are held when call {number} fails"
            if not status:
                # none failed: there are fewer
                return None if counter(self.library, "calls").value <= number else f"status 0 though call {number} fails"
            if status not in (2, 3):
                return f"status {status} when call {number} fails"
        return "there is no end of calls"


def sources(temporary):
    """A program for each kernel of barriers.py."""
    for i, (name, (*_, row, body)) in enumerate(barriers.KERNELS.items()):
        shape = [3, *map(int, row.split(".")[:-1])]
        kind = row.split(".")[-1]
        for extent in reversed(shape[1:]):
            kind = f"Array[{extent}, {kind}]"
        source = temporary.with_name(f"{temporary.name}.kernel{i}.rise")
        array = barriers.data(shape)
        source.write_text(f"// ARGS: [{array}]\n// RESULT: len(RESULT)\n"
                          f"export def f = depFun((n: Nat) => fun(x: Array[n, {kind}] => x |> mapWorkGroup(fun(r => {body}))))\n")
        done = subprocess.run(["mim", "run", "--eval", source, "n=3", kernels.text_of(array)], capture_output=True, text=True, check=True)
        length = len(kernels.parsed(done.stdout)[0])
        source.write_text(source.read_text().replace("len(RESULT)", str(length)))
        yield name, source


def main():
    temporary = pathlib.Path(sys.argv[1])
    failed = 0

    def tell(what, why):
        nonlocal failed
        if why:
            failed += 1
            print(f"{what}: {why}")

    for word in sys.argv[2:]:
        if word == "barriers":
            for name, source in sources(temporary):
                tell(name, Program(source, temporary).check(3))
            continue
        name, _, extents = word.partition("=")
        program = Program(HERE / f"{name}.rise", temporary)
        sizes = [int(n) for n in extents.split(",")]
        if program.message or program.status:
            tell(name, program.check_refused(sizes[0]))
            continue
        tell(f"{name}, failures", program.check_failures(sizes[-1]))
        for n in sizes:
            tell(f"{name} at {n}", program.check(n))
    print("all agree" if not failed else f"{failed} differ")


if __name__ == "__main__":
    main()
