#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""C of programs in RISE computes what the evaluator does.

    kernels.py TEMPORARY CC FLAGS… -- PROGRAM=EXTENT,… …

Each program is made C of, which the compiler takes without a warning. It is called for each extent of `n` with arguments made up from its
types, and its result is compared with what `mim run --eval` prints. With the flag -fopenmp, it is called with 1, 2 and 4 threads. Where
CC is `mim`, the program is run by `mim run FLAGS…` instead, and nothing may be left of it for other phases than those that make loops.
"""
import ctypes
import os
import pathlib
import re
import subprocess
import sys

# The options of sanitizers are for this program, and not for those that it calls.
ENVIRONMENT = {key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}
HERE = pathlib.Path(__file__).resolve().parent
CELLS = {"float": ctypes.c_float, "double": ctypes.c_double, "uint8_t": ctypes.c_uint8}
for bits in (8, 16, 32, 64):
    CELLS[f"int{bits}_t"] = getattr(ctypes, f"c_int{bits}")
    CELLS[f"uint{bits}_t"] = getattr(ctypes, f"c_uint{bits}")


class Kernel:
    """`file.rise` says behind `// ARGS:` which Python lists are its inputs, and behind `// RESULT:` the shape of its result, for n."""

    def __init__(self, name):
        text = (HERE / f"{name}.rise").read_text()
        self.name = name
        self.args = re.search(r"// ARGS: (.*)", text)[1]
        self.shape = re.search(r"// RESULT: (.*)", text)[1]


def cells(ctype, structs):
    return structs.get(ctype) or CELLS[ctype]


def signature(header):
    """The types of the parameters; of a pointer, that of an element."""
    structs = {}
    for first, second, name in re.findall(r"typedef struct {\s+(\S+) fst;\s+(\S+) snd;\s+} (\w+);", header):
        structs[name] = type(name, (ctypes.Structure,), {"_fields_": [("fst", cells(first, structs)), ("snd", cells(second, structs))]})
    parameters = re.search(r"^int \w+\((.*)\)", header, re.M)[1].split(", ")
    result = []
    for p in parameters:
        words = p.replace("const ", "").replace("restrict ", "").split()
        result.append((cells(words[0].rstrip("*"), structs), words[0].endswith("*")))
    return result


def flat(value):
    return [x for part in value for x in flat(part)] if isinstance(value, list) else [value]


def python(value):
    return (python(value.fst), python(value.snd)) if hasattr(value, "fst") else value


def leaves(value):
    """A tuple outside of lists is a parameter for each part."""
    return leaves(value[0]) + leaves(value[1]) if isinstance(value, tuple) else [value]


def call(function, types, n, args, shape):
    outputs = leaves(shape)
    arrays, results = [], []
    for (cell, _), size in zip(types, outputs):
        array = (cell * max(1, size if size is not None else 1))()
        results.append((array, size))
        arrays.append(array)
    arrays.append(ctypes.c_uint64(n))
    rest = types[len(outputs) + 1 :]
    for (cell, is_pointer), value in zip(rest, [leaf for a in args for leaf in leaves(a)]):
        elems = flat(value)
        arrays.append((cell * max(1, len(elems)))(*elems) if is_pointer else cell(value))
    status = function(*arrays)
    return status, [[python(x) for x in a][:s] if s is not None else python(a[0]) for a, s in results]


def text_of(value):
    if isinstance(value, list):
        return "[" + ",".join(text_of(v) for v in value) + "]"
    if isinstance(value, tuple):
        return "(" + text_of(value[0]) + "," + text_of(value[1]) + ")"
    return str(value).lower() if isinstance(value, bool) else str(value)


def parsed(text):
    value = eval(text.replace("true", "1").replace("false", "0").replace("inf", "1e999").replace("nan", "None"))
    return [flat(leaf) if isinstance(leaf, list) else leaf for leaf in leaves(value)]


def rounded(expected, types):
    """Numbers of single precision are printed with as few digits as tell them apart."""
    def single(value):
        return [single(v) for v in value] if isinstance(value, list) else ctypes.c_float(value).value

    return [single(leaf) if cell is ctypes.c_float and None not in flat([leaf]) else leaf for leaf, (cell, _) in zip(expected, types)]


def check(kernel, library, types, extents, threads):
    function = getattr(library, kernel.name)
    failed = 0
    for n in extents:
        args = eval(kernel.args.replace("$n", str(n)))
        shape = eval(kernel.shape.replace("$n", str(n)))
        command = ["mim", "run", "--eval", str(HERE / f"{kernel.name}.rise"), f"n={n}", *map(text_of, args)]
        done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT)
        expected = rounded(parsed(done.stdout), types) if done.returncode == 0 else done.stderr
        for number in threads:
            if number:
                library.omp_set_num_threads(number)
            status, got = call(function, types, n, args, shape)
            if status != 0 or got != expected:
                failed += 1
                print(f"{kernel.name} at {n}, threads {number}: status {status}\n  {got}\n  {expected}")
    return failed


def printed(mode, name, extent):
    kernel = Kernel(name)
    args = eval(kernel.args.replace("$n", extent))
    command = ["mim", "run", *mode, HERE / f"{name}.rise", f"n={extent}", *map(text_of, args)]
    done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT)
    return done.stdout or done.stderr


def is_loops(name):
    command = ["mim", "build", "--emit", "mim", "--stop-after", "dpia.loops", "-o", "-", HERE / f"{name}.rise"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"%rise\.\w+", text)) <= {"%rise.fma"}  # an operation of the processor


def check_loops(flags, words):
    failed = 0
    for name, _, extents in (word.partition("=") for word in words):
        if not is_loops(name):
            failed += 1
            print(f"{name}: no loops")
        for extent in extents.split(","):
            got, expected = printed(flags, name, extent), printed(["--eval"], name, extent)
            if got != expected:
                failed += 1
                print(f"{name} at {extent}:\n  {got}\n  {expected}")
    return failed


def main():
    split = sys.argv.index("--")
    temporary, compiler = pathlib.Path(sys.argv[1]), sys.argv[2:split]
    has_threads = "-fopenmp" in compiler
    if compiler[0] == "mim":
        failed = check_loops(compiler[1:], sys.argv[split + 1 :])
        print("all agree" if not failed else f"{failed} differ")
        return
    failed = 0
    for word in sys.argv[split + 1 :]:
        name, _, extents = word.partition("=")
        code = temporary.with_name(f"{temporary.name}.{name}.c")
        library = code.with_suffix(".so")
        output = "omp" if has_threads else "c"
        subprocess.run(["mim", "build", HERE / f"{name}.rise", "--emit", output, "-o", code], check=True, env=ENVIRONMENT)
        flags = ["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-lm"]
        subprocess.run([*compiler, *flags, "-o", library, code], check=True, env=ENVIRONMENT)
        text = code.read_text()
        threads = [1, 2, 4] if has_threads else [0]
        failed += check(Kernel(name), ctypes.CDLL(str(library)), signature(text), [int(n) for n in extents.split(",")], threads)
    print("all agree" if not failed else f"{failed} differ")


if __name__ == "__main__":
    main()
