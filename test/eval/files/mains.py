# SPDX-License-Identifier: MIT
"""Whether `mim run --eval` takes each `main` that `mim run` takes, and no other one: with the same status, output and errors.

usage: mains.py FOLDER, an empty one for the programs"""
import concurrent.futures
import pathlib
import subprocess
import sys

ARGV = "%mem.Ptr (%mem.Ptr I8)"
PARAMETERS = {
    "none": "",
    "arguments": f"argc: I32, argv: {ARGV}",
    "number": "argc: I32",
    "Nat": "n: Nat",
    "of 64 bits": f"argc: I64, argv: {ARGV}",
    "text": "argc: I32, argv: %mem.Ptr I8",
    "array": "x: «2; I32»",
    "environment": f"argc: I32, argv: {ARGV}, envp: {ARGV}",
}
RESULTS = {
    "I32": "300I32",
    "I8": "7I8",
    "I64": "7I64",
    "Nat": "7",
    "%math.F64": "1.5:%math.F64",
    "Bool": "tt",
    "[]": "()",
    "[I32, I32]": "(1I32, 2I32)",
    "«3; I32»": "(1I32, 2I32, 3I32)",
    "Idx 1": "0_1",
}
OTHERS = {
    "not extern": "fun main (): I32 = return 7I32;",
    "not there": "fun extern other (): I32 = return 7I32;",
    "no function": "let main = 3;",
    "polymorphic": "fun extern main {T: *} (x: T): I32 = return 7I32;",
    "implicit": "fun extern main {n: Nat} (): I32 = return 7I32;",
    "direct style": "lam extern main (): I32 = 7I32;",
    "direct style, arguments": f"lam extern main (argc: I32, argv: {ARGV}): I32 = argc;",
    "curried": f"lam extern main (argc: I32) (argv: {ARGV}): I32 = argc;",
    "continuation": "con extern main (return: Cn I32) = return 7I32;",
    "continuation with a token": "con extern main (mem: %mem.M, return: Cn [%mem.M, I32]) = return (mem, 7I32);",
    "without return": "con extern main () = main ();",
    "token last": "fun extern main (mem: %mem.M): [I32, %mem.M] = return (7I32, mem);",
    "token alone": "fun extern main (mem: %mem.M): %mem.M = return mem;",
    "inferred": "fun extern main () = return 7I32;",
    "function": "lam extern main (): I32 → I32 = λ (x: I32): I32 = x;",
    "argument": f"""fun extern main (mem: %mem.M, argc: I32, argv: {ARGV}): [%mem.M, I32] =
    let (mem, text) = %mem.load (mem, %mem.lea (argv, 1I64));
    let (mem, char) = %mem.load (mem, text);
    return (mem, %core.conv.u i32 char + argc);""",
    "rule": """axm %demo.f: I32 → I32;
rule f (x: I32): %demo.f x => x + 1I32;
fun extern main (argc: I32, argv: %mem.Ptr (%mem.Ptr I8)): I32 = return (%demo.f argc);""",
    "norm": """axm %demo.f: Nat → I32;
norm f (x: Nat): %demo.f (2 * x) => 5I32;
fun extern main (): I32 = return (%demo.f 8);""",
}


def programs():
    for name, text in PARAMETERS.items():
        yield f"parameters: {name}", f"fun extern main ({text}): I32 = return 7I32;"
        with_token = "mem: %mem.M" + (", " if text else "") + text
        yield f"parameters: {name}, token", f"fun extern main ({with_token}): [%mem.M, I32] = return (mem, 7I32);"
    for type_, value in RESULTS.items():
        yield f"result: {type_}", f"fun extern main (): {type_} = return ({value});"
        yield f"result: {type_}, token", f"fun extern main (mem: %mem.M): [%mem.M, {type_}] = return (mem, {value});"
    yield from OTHERS.items()


def outcome(options, path):
    done = subprocess.run(["mim", "run", *options, path, "A", "b"], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def compare(numbered):
    number, (name, text) = numbered
    path = pathlib.Path(sys.argv[1]) / f"main{number}.mim"
    path.write_text(f"plugin core;\nplugin mem;\nplugin math;\n{text}\n")
    compiled, evaluated = outcome([], path), outcome(["--eval"], path)
    if compiled == evaluated:
        return "[E" not in compiled[2], None
    return False, f"{name}: compiled {compiled}, evaluated {evaluated}"


def main():
    pathlib.Path(sys.argv[1]).mkdir()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(compare, enumerate(programs())))
    for _, difference in results:
        if difference:
            print(difference)
    print(f"{len(results)} programs, {sum(is_taken for is_taken, _ in results)} are run, {sum(d is not None for _, d in results)} differ")


main()
