# SPDX-License-Identifier: MIT
"""Scripts that make random programs which the checker may refuse share this: options, the loop over seeds, and the report."""
import argparse
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True


def run(mim, file, *options):
    return subprocess.run([mim, "run", *options, file], capture_output=True, text=True, timeout=120, cwd=file.parent)


def errors_of(done):
    return [line for line in done.stderr.split("\n") if "error:" in line]


def is_refused(done, codes):
    """Whether the program has errors, all of which have one of these codes."""
    errors = errors_of(done)
    return done.returncode == 1 and bool(errors) and all(any(code in error for code in codes) for error in errors)


def sweep(doc, name, kind, text_of, check, least):
    """Runs `check(mim, file)` on the program `text_of(seed)` for each seed: it returns None if the program is refused, else a
    text that says what is wrong, or is empty. Ends with 0 if nothing is wrong and one program in `least` was accepted, or more.
    `name` is that of the folder, if no option says otherwise, and its first letter begins those of files."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mim", type=pathlib.Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--dir", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()) / name)
    args = parser.parse_args()
    folder = args.dir.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    accepted, failed = 0, 0
    for seed in range(args.seed, args.seed + args.count):
        file = folder / f"{name[0]}{seed}.mim"
        file.write_text(text_of(seed))
        wrong = check(args.mim.resolve(), file)
        accepted += wrong is not None
        failed += bool(wrong)
        if wrong:
            print(f"{file}: {wrong}")
        else:
            file.unlink()
    print(f"{args.count} programs {kind} from seed {args.seed}: {accepted} accepted, {failed} failed")
    if accepted * least < args.count:
        sys.exit(f"less than one in {least} of the programs was accepted: they say little")
    sys.exit(failed != 0)
