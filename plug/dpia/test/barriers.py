#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Kernels of OpenCL have the barriers that they need: barriers.py TEMPORARY [SEED NUMBER].

Each kernel is run on files/workers.h, which finds races, and its result is that of the evaluator. It has as many barriers as expected, and
without any of them there is a race. With a seed, so many random kernels are checked, of which nobody knows the number of barriers.
"""
import ctypes
import math
import pathlib
import random
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ADD = "mapLocal(fun(v => v + 1.0f))"
TWICE = "mapLocal(fun(v => v * 2.0f))"
SUM = "mapLocal(fun(w => w |> reduceSeq(fun(a, v => a * 2.0f + v))(0.0f)))"
WINDOWS = "slide(3)(1)"
TURNED = "gather(generate(fun(i: Idx[6] => natAsIndex(6)(5 - indexAsNat(i)))))"

# barriers in a loop of groups that is done once, and in one of any number of turns; fences; type of the input of a group; the body
KERNELS = {
    "own elements": (0, 0, "", "6.f32", f"r |> {ADD} |> toMem(Local) |> {TWICE}"),
    "own elements in 2 dimensions": (0, 0, "", "4.6.f32", f"r |> mapLocal(1)({ADD}) |> toMem(Local) |> mapLocal(1)({TWICE})"),
    "own elements in 3 dimensions": (
        0, 0, "", "2.4.6.f32", f"r |> mapLocal(2)(mapLocal(1)({ADD})) |> toMem(Local) |> mapLocal(2)(mapLocal(1)({TWICE}))"),
    "own elements of two tiles": (
        0, 0, "", "6.f32",
        f"zip(r |> {ADD} |> toMem(Local))(r |> {TWICE} |> toMem(Local)) |> mapLocal(fun(p => p.1 + p.2))"),
    "own rows, turned": (
        0, 0, "", "4.6.f32",
        f"r |> mapLocal(mapSeq(fun(v => v + 1.0f))) |> toMem(Local) |> mapLocal(fun(q => q |> {TURNED} |> mapSeq(id)))"),
    "gather": (1, 2, "L", "6.f32", f"r |> {ADD} |> toMem(Local) |> {TURNED} |> {TWICE}"),
    "slide": (1, 2, "L", "8.f32", f"r |> {ADD} |> toMem(Local) |> {WINDOWS} |> {SUM}"),
    "scatter": (
        1, 2, "L", "6.f32",
        f"r |> {ADD} |> scatter(generate(fun(i: Idx[6] => natAsIndex(6)(5 - indexAsNat(i))))) |> toMem(Local) |> {TWICE}"),
    "two tiles in one zip": (
        1, 2, "L", "8.f32",
        f"zip(r |> {ADD} |> toMem(Local) |> {WINDOWS})(r |> {TWICE} |> toMem(Local) |> {WINDOWS}) |> mapLocal(fun(p =>"
        " zip(p.1)(p.2) |> reduceSeq(fun(a, q => a + q.1 * q.2))(0.0f)))"),
    "two stages": (2, 2, "L", "8.f32", f"r |> {ADD} |> toMem(Local) |> {WINDOWS} |> {SUM} |> toMem(Local) |> {WINDOWS} |> {SUM}"),
    "through Global": (1, 2, "G", "8.f32", f"r |> {ADD} |> toMem(Global) |> {WINDOWS} |> {SUM}"),
    "Local and Global": (
        1, 2, "LG", "8.f32",
        f"zip(r |> {ADD} |> toMem(Local) |> {WINDOWS})(r |> {TWICE} |> toMem(Global) |> {WINDOWS}) |> mapLocal(fun(p =>"
        " zip(p.1)(p.2) |> reduceSeq(fun(a, q => a + q.1 * q.2))(0.0f)))"),
    "one item writes": (1, 2, "L", "6.f32", f"let s = r |> mapSeq(fun(v => v + 1.0f)) |> toMem(Local); s |> {TWICE}"),
    "tiles in a loop": (
        2, 2, "L", "12.f32",
        f"r |> split(6) |> mapSeq(fun(t => t |> {ADD} |> toMem(Local) |> {TURNED} |> {TWICE})) |> join"),
    "memory of each item": (
        0, 0, "", "4.6.f32", "r |> mapLocal(fun(q => q |> mapSeq(fun(v => v + 1.0f)) |> toMem(Local) |> mapSeq(fun(v => v * 2.0f))))"),
}


def stage(dice, extent):
    """A tile in memory, elements of which other items read or not, and how many there are then."""
    space = dice.choice(["Local", "Local", "Global"])
    turned = f"gather(generate(fun(i: Idx[{extent}] => natAsIndex({extent})({extent - 1} - indexAsNat(i)))))"
    stored = f"{dice.choice([ADD, TWICE])} |> toMem({space})"
    if extent > 4 and dice.random() < 0.4:
        return f"{stored} |> {WINDOWS} |> {SUM}", extent - 2
    return f"{stored} |> {dice.choice([turned + ' |> ', ''])}{dice.choice([ADD, TWICE])}", extent


def stages(dice, extent, most):
    whole, extent = stage(dice, extent)
    for _ in range(dice.randint(0, most - 1)):
        text, extent = stage(dice, extent)
        whole += f" |> toMem({dice.choice(['Local', 'Global'])}) |> {text}"
    return whole, extent


def random_kernel(dice):
    """Stages in a row, of blocks that one group does after the other, or of two tiles."""
    extent = dice.randint(5, 8)
    kind = dice.choice(["row", "row", "blocks", "zip"])
    if kind == "row":
        return f"{extent}.f32", f"r |> {stages(dice, extent, 3)[0]}"
    if kind == "blocks":
        body, _ = stages(dice, extent, 2)
        return f"{2 * extent}.f32", f"r |> split({extent}) |> mapSeq(fun(t => t |> {body})) |> join"
    turned = f"gather(generate(fun(i: Idx[{extent}] => natAsIndex({extent})({extent - 1} - indexAsNat(i)))))"
    first, second = (f"(r |> {op} |> toMem({dice.choice(['Local', 'Global'])})" for op in (ADD, TWICE))
    views = [dice.choice([f" |> {turned}", ""]) for _ in range(2)]
    return f"{extent}.f32", f"zip{first}{views[0]}){second}{views[1]}) |> mapLocal(fun(p => p.1 + p.2))"


RUNNER = """
namespace kNUMBER {
KERNEL
extern "C" long runNUMBER(long skip, unsigned seed, const size_t* locals, const size_t* groups PARAMETERS) {
    std::srand(seed);
    for (int d = 0; d != 3; ++d) { local_size[d] = locals[d]; num_groups[d] = groups[d]; }
    size_t total_groups = groups[0] * groups[1] * groups[2], total_items = locals[0] * locals[1] * locals[2];
    (void)total_groups; (void)total_items;
    skipped = skip;
    races = 0;
    std::vector<std::vector<char>> stacks(total_items, std::vector<char>(1 << 16));
    MEMORY
    auto call = [&] { NAME(ARGUMENTS); };
    static decltype(call)* current;
    current = &call;
    body = [] { (*current)(); };
    for (group = 0; group != total_groups; ++group) {
        group_id[0] = group % groups[0];
        group_id[1] = group / groups[0] % groups[1];
        group_id[2] = group / groups[0] / groups[1];
        FORGET
        run_group(stacks);
    }
    return long(races);
}
}
"""


def runner(text, number):
    """C++ that runs the kernel, and how many barriers there are."""
    numbers = iter(range(10**6))

    def barrier(match):
        flags = match[1]
        return f"barrier({next(numbers)}, {int('LOCAL' in flags)}, {int('GLOBAL' in flags)});"

    head, body = re.search(r"void f\((.*?)\) \{\n(.*)\n\}\n", text, re.S).groups()
    arrays = re.findall(r"    __local (\w+) (\w+)\[(\d+)\];\n", body)
    body = re.sub(r"    __local \w+ \w+\[\d+\];\n", "", body)
    body = re.sub(r"__(?:local|global) (\w+)\* const (\w+)", r"const Pointer<\1> \2", body)
    body = re.sub(r"barrier\((CLK.*)\);", barrier, body)
    outside, inside, memory, arguments, forget = [], [], [], [], []
    for parameter in [p.strip() for p in head.split(",")]:
        count = re.search(r"/\* (.*) \*/", parameter)
        words = parameter.split(" /*")[0].replace("restrict ", "").split()
        name, is_pointer = words[-1], "*" in parameter.split(" /*")[0]
        cell = words[-2].rstrip("*")
        if not is_pointer or "const" in words:
            plain = " ".join(w for w in words if not w.startswith("__"))
            outside.append(plain)
            inside.append(plain)
            arguments.append(name)
            continue
        inside.append(f"Pointer<{cell}> {name}")
        arguments.append(name)
        if not count:
            outside.append(f"{cell}* {name}_")
            memory.append(f"std::vector<Shadow> {name}_shadow(1 << 16); Pointer<{cell}> {name}{{{name}_, {name}_shadow.data(), true}};")
            continue
        amount = count[1].replace("groups", "total_groups").replace("work items of a group", "total_items")
        is_local = "__local" in words
        memory.append(f"Memory<{cell}> {name}(({amount}), {'false' if is_local else 'true'});")
        if is_local:
            forget.append(f"{name}.forget();")
    for cell, name, amount in arrays:
        memory.append(f"Memory<{cell}> {name}({amount}, false);")
        forget.append(f"{name}.forget();")
        inside.append(f"Pointer<{cell}> {name}")
        arguments.append(name)
    kernel = "static void f(" + ", ".join(inside) + ") {\n" + body + "\n}\n"
    result = RUNNER.replace("NUMBER", str(number))
    for key, value in {
        "KERNEL": kernel,
        "PARAMETERS": ", " + ", ".join(outside),
        "MEMORY": "\n    ".join(memory),
        "NAME(ARGUMENTS)": "f(" + ", ".join(arguments) + ")",
        "FORGET": " ".join(forget),
    }.items():
        result = result.replace(key, value)
    return result, len(re.findall(r"barrier\(CLK", text))


def flat(value):
    return [x for part in value for x in flat(part)] if isinstance(value, list) else [value]


def data(shape, start=0):
    if not shape:
        return float((start * 7) % 13 - 6)
    return [data(shape[1:], start * 5 + i) for i in range(shape[0])]


def launches(text, n):
    """The sizes that the comment asks for, and others where no size is required."""
    local, groups = re.search(r"// Work items of a group: \((.*)\), groups: \((.*)\), both", text).groups()
    values = {"n": n, "min": min, "ceil": math.ceil}
    asked = [max(1, x) for x in eval(f"[{local}]", values)], [max(1, x) for x in eval(f"[{groups}]", values)]
    is_free = "+= get_num_groups(0)" in text
    return [asked] + ([(asked[0], [2, 1, 1])] if is_free else [])


class Case:
    """One kernel, as text, as C++ and with its input."""

    def __init__(self, index, name, kernel, temporary, is_once):
        self.name = f"{name}, {'one turn' if is_once else 'any number of turns'}"
        self.body = kernel[4]
        once, many, self.fences, row, body = kernel
        self.expected = once if is_once else many
        self.index, self.n = index, 3
        array = [str(self.n) if is_once else "n", *row.split(".")]
        kind = array[-1]
        for extent in reversed(array[:-1]):
            kind = f"Array[{extent}, {kind}]"
        self.source = temporary.with_name(f"{temporary.name}.{index}.rise")
        self.source.write_text(f"export def f = depFun((n: Nat) => fun(x: {kind} => x |> mapWorkGroup(fun(r => {body}))))\n")
        kernel_file = self.source.with_suffix(".cl")
        subprocess.run(["mim", "build", self.source, "--emit", "opencl", "-o", kernel_file], check=True)
        self.text = kernel_file.read_text()
        self.program, self.number = runner(self.text, index)
        self.input = data([self.n] + [int(x) for x in array[1:-1]])

    def fault(self, library, right):
        """What is wrong, or None."""
        if self.expected is not None and self.number != self.expected:
            return f"{self.number} barriers, not {self.expected}"
        all_flags = re.findall(r"barrier\((.*)\)", self.text)
        found = {("L" if "LOCAL" in flags else "") + ("G" if "GLOBAL" in flags else "") for flags in all_flags}
        if self.expected is not None and self.number and found != {self.fences}:
            return f"fences {found}, not {self.fences}"
        run = getattr(library, f"run{self.index}")
        elements = flat(self.input)
        inputs = (ctypes.c_float * len(elements))(*elements)

        def races(skip, seed, local, group):
            output = (ctypes.c_float * len(right))()
            sizes = [(ctypes.c_size_t * 3)(*triple) for triple in (local, group)]
            count = run(ctypes.c_long(skip), seed, *sizes, output, ctypes.c_uint64(self.n), inputs)
            return count, list(output) == right

        for local, group in launches(self.text, self.n):
            for seed in range(3):
                count, is_right = races(-1, seed, local, group)
                if count or not is_right:
                    return f"{count} races, result {'right' if is_right else 'wrong'}, groups {group}"
        for skip in range(self.number):
            if not any(races(skip, 0, local, group)[0] for local, group in launches(self.text, self.n)):
                return f"no race without barrier {skip}"
        return None

    def result(self):
        text = str(self.input).replace(" ", "")
        done = subprocess.run(["mim", "run", "--eval", self.source, f"n={self.n}", text], capture_output=True, text=True, check=True)
        return flat(eval(done.stdout))


def main():
    temporary = pathlib.Path(sys.argv[1])
    pairs = []
    programs = KERNELS
    if len(sys.argv) > 2:
        dice = random.Random(int(sys.argv[2]))
        programs = {f"random kernel {i}": (None, None, "", *random_kernel(dice)) for i in range(int(sys.argv[3]))}
    for name, kernel in programs.items():
        pairs.append([Case(2 * len(pairs) + i, name, kernel, temporary, is_once) for i, is_once in enumerate((True, False))])
    code, library = temporary.with_suffix(".cpp"), temporary.with_suffix(".so")
    header = f'#include "{HERE}/files/workers.h"\nusing namespace workers;\n'
    code.write_text(header + "".join(case.program for pair in pairs for case in pair))
    subprocess.run(["g++", "-std=c++20", "-O1", "-Wno-unused", "-shared", "-fPIC", "-o", library, code], check=True)
    runs = ctypes.CDLL(str(library))
    failed = 0
    for pair in pairs:
        right = pair[1].result()
        for case in pair:
            why = case.fault(runs, right)
            if why:
                failed += 1
                print(f"{case.name}: {why}" + ("" if case.expected is not None else f"\n  {case.body}"))
    print("as few as can be" if not failed else f"{failed} differ")


if __name__ == "__main__":
    main()
