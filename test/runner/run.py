#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Golden tests. A test is one .mim file whose comments say how it is run and what comes out:

    // RUN: mim run %s            a command; several are run in order, their outputs follow one another
    // EXIT: 3                    the status of the RUN before it, if it is not 0
    // MODES: O0 (why not all)    see below; without it, all
    // GEN: "(" * 100000          a Python expression; its value is the content of the file %g
    // TIMEOUT: 5                 seconds, for each command
    // ERRORS: 2 (two arms)       of a file in a folder `mistakes`: how many errors it gets, one for each mistake, and why not one
    // NEEDS: vec regex           plugins; a line `plugin math;` of a program, or of a file that it imports, says so, too, unless the
                                  test has a -P, or is to fail and the plugin is none of this project
    // STDIN| text                a line of standard input            (STDIN~ text: without a line break at its end)
    // OUT| text                  a line of the expected standard output
    // ERR| text                  a line of the expected standard error

%s is the file, %S its folder, %t a path for temporary files, %g the file of GEN. Commands with shell syntax run in sh; `mim` is the
program under test. A test that needs a plugin which is not installed is left out. A file whose name begins with `bad-` must fail
with a diagnostic, no other file may.

Modes. A `mim run` is repeated without optimization while every phase is verified (O0), on its own printed text (roundtrip), by the
reference evaluator (eval), with debug information and without optimization (debug), and with debug information and traps (checked);
a `mim check` that succeeds is followed by print, read, print, and both texts must be equal (print). The expectation is the same in each
mode; MODES names those that apply, or none, or those that do not (all but checked), and says in parentheses why. A RUN line that
a mode cannot change, as it chooses such an option itself or is no `mim run`, is run as it stands; a mode that changes none is left out.

    run.py [--mim PATH] [-j N] [--turn K/N [--of-modes]] [--as-written] [--bless] [FILE|FOLDER…]

`--bless` writes what came out into the files.

Where all of it takes too long, as with sanitizers, tests take turns: of all pairs of a test and a way to run it, as it is written and in
each mode, `--turn K/N` runs each N-th. N runs with different K check all of them. With --of-modes, only the modes
take turns: each test is run as it is written.
"""
import argparse
import concurrent.futures
import difflib
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import zlib

from expectation import EXPECTATION, write_expectation, write_statuses

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHELL_SYNTAX = re.compile(r"[|&;<>$`*?()!]|^\w+=")
ERROR_LINE = re.compile(r"(^|: )error: .*\[[EW](\d+|-\w+-\d+)\]$", re.M)
CANNOT_EVALUATE = "[E541]"
# The address sanitizer remarks once that it does not clean stacks as large as ours.
SANITIZER_REMARK = re.compile(
    r"^==\d+==WARNING: ASan is ignoring requested __asan_handle_no_return.*\n(False positive.*\n)?(For details.*\n)?", re.M)
# Where a plugin declares something is no matter of the test.
PLUGIN_PLACE = re.compile(r"(%plugins/\w+\.mim):\d+:\d+: (note: .*\n) *\d+ \| .*\n *\| .*(?:\n|$)")
AS_WRITTEN = "as written"
MODES = {"O0", "roundtrip", "eval", "debug", "checked", "print"}


def plugins_of(text, folder):
    """The plugins that a program names, and the files that it imports from its own folder."""
    program = re.sub(r"^//.*", "", text, flags=re.M)
    result = set(re.findall(r"\bplugin (\w+);", program))
    imported = [folder / name for name in re.findall(r'\bimport "([^"]+\.mim)";', program)]
    for file in imported:
        if file.exists() and file.resolve().is_relative_to(folder):
            result |= plugins_of(file.read_text(errors="surrogateescape"), file.parent)
    return result


class Test:
    """What the comments of a file say."""

    def __init__(self, path):
        self.path = path
        self.name = str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)
        self.text = path.read_bytes().decode("utf-8", "surrogateescape")
        self.runs, self.exits, self.modes = [], [], MODES
        self.outcomes = None  # of the lines as they are written: once they are run, status, output and errors of each
        self.stdin, self.gen, self.timeout = "", None, 60.0
        self.num_errors = 1 if path.parent.name == "mistakes" else None  # None: any number
        self.needs = set()
        self.expected = {"OUT": "", "ERR": ""}
        for line in self.text.split("\n"):
            if line.startswith("// "):
                self.directive(line)
        if not any("-P" in run for run in self.runs):
            named = plugins_of(self.text, path.parent)
            self.needs |= {plugin for plugin in named if not self.expects_no(plugin)}

    def expects_no(self, plugin):
        """Whether it is about a plugin that nobody has, such as one whose name is misspelled. One of ours may be left out of a build."""
        is_ours = (ROOT / "plug" / plugin).is_dir()
        return not is_ours and f"the plugin `{plugin}`" in self.expected["ERR"]

    def directive(self, line):
        if m := EXPECTATION.match(line):
            self.expected[m[1]] += (m[3] or "") + ("\n" if m[2] == "|" else "")
        elif m := re.match(r"// STDIN([|~])(?: (.*))?$", line):
            self.stdin += (m[2] or "") + ("\n" if m[1] == "|" else "")
        elif m := re.match(r"// (RUN|EXIT|MODES|GEN|TIMEOUT|NEEDS|ERRORS): (.*)$", line):
            key, value = m[1], m[2].strip()
            if key == "RUN":
                self.runs.append(value)
                self.exits.append(0)
            elif key == "EXIT":
                self.exits[-1] = int(value)
            elif key == "MODES":
                modes, reason = re.match(r"([\w, ]*?)\s*(\(.*\))?$", value).groups()
                assert reason or modes == "all", f"{self.name}: MODES needs a reason"
                self.modes = read_modes(modes, self.name)
            elif key == "ERRORS":
                assert re.match(r"\d+ \(.+\)$", value), f"{self.name}: ERRORS needs a number and a reason"
                self.num_errors = int(value.split()[0])
            elif key == "GEN":
                self.gen = value
            elif key == "NEEDS":
                self.needs |= set(value.split())
            else:
                self.timeout = float(value)

    @property
    def must_fail(self):
        return self.path.name.startswith("bad-")


class Result:
    def __init__(self):
        self.out, self.err, self.exits = "", "", []
        self.outcomes = []  # of each line

    def add(self, status, out, err):
        self.outcomes.append((status, out, err))
        self.exits.append(status)
        self.out += out
        self.err += err


def has_avx512():
    """Whether this machine runs code for x86-64-v4."""
    try:
        flags = pathlib.Path("/proc/cpuinfo").read_text().split()
    except OSError:
        return False
    return {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"} <= set(flags)


class Runner:
    def __init__(self, mim, timeout_factor, turn=(0, 1), of_modes=False, as_written=False):
        self.turn = turn
        self.of_modes = of_modes
        self.as_written = as_written
        self.mim = str(pathlib.Path(mim).resolve())
        self.timeout_factor = timeout_factor
        self.env = dict(os.environ, PATH=f"{os.path.dirname(self.mim)}:{os.environ['PATH']}", LC_ALL="C.UTF-8")
        self.env.pop("MIM_PLUGIN_PATH", None)
        self.plugins = subprocess.check_output([self.mim, "--print-plugin-dir"], text=True).strip()
        self.installed = {p.stem for p in pathlib.Path(self.plugins).glob("*.mim")}
        self.commands, self.replaced = 0, 0
        self.has_avx512 = has_avx512()

    def for_this_machine(self, command):
        """A program cannot be run for a processor with more instructions than this one has: it is made for this one, and counted."""
        if self.has_avx512 or isinstance(command, str) or command[:4] != ["mim", "run", "--cpu", "x86-64-v4"]:
            return command
        self.replaced += 1
        return command[:2] + command[4:]

    def call(self, argv, test, stdin=""):
        """Status, standard output and standard error of a command; a list or, for sh, a string."""
        is_shell = isinstance(argv, str)
        if not is_shell and argv[0] == "mim":
            argv = [self.mim] + argv[1:]
        limit = test.timeout * self.timeout_factor
        try:
            done = subprocess.run(["sh", "-c", argv] if is_shell else argv, cwd=ROOT, env=self.env, timeout=limit,
                                  input=stdin.encode("utf-8", "surrogateescape"), capture_output=True)
        except subprocess.TimeoutExpired:
            return "timeout", "", f"timed out after {limit:g} s\n"
        except OSError as e:
            return 127, "", f"{e}\n"
        return done.returncode, readable(done.stdout), readable(done.stderr)

    def clean(self, text, temp):
        """Paths that differ from machine to machine get names."""
        for path, name in ((f"{temp}/t", "%t"), (f"{temp}/gen.mim", "%g"), (self.plugins, "%plugins"), (str(ROOT), "%root")):
            text = text.replace(path, name)
        return PLUGIN_PLACE.sub(r"\1: \2", SANITIZER_REMARK.sub("", text))

    def words_of(self, line, test, temp):
        """A RUN line of a test as a list of words; as a string, if it is for sh."""
        paths = {"%s": test.name, "%S": os.path.dirname(test.name), "%t": f"{temp}/t", "%g": f"{temp}/gen.mim"}
        line = re.sub(r"%[sStg](?![a-zA-Z_])", lambda m: paths[m[0]], line)
        return line if SHELL_SYNTAX.search(line) else self.for_this_machine(shlex.split(line))

    def outcome(self, command, test, temp):
        """Status, standard output and standard error of a RUN line."""
        status, out, err = self.call(command, test, test.stdin)
        self.commands += 1
        return status, self.clean(out, temp), self.clean(err, temp)

    def run_as_written(self, test, temp):
        result = Result()
        for line in test.runs:
            result.add(*self.outcome(self.words_of(line, test, temp), test, temp))
        test.outcomes = result.outcomes
        return result

    def run_changed(self, test, temp, edit, unless=None):
        """All RUN lines; each `mim run` is changed by `edit`, unless it returns None or what is run says `unless`. None if no line is
        changed. What a line without a change gave as it is written, it gives here as well, if no changed line writes files."""
        commands = [self.words_of(line, test, temp) for line in test.runs]
        edited = [edit(command) if is_run(command, test) else None for command in commands]
        if not any(edited):
            return None
        writes_files = any(changed and "%t" in line for line, changed in zip(test.runs, edited))
        known = test.outcomes if test.outcomes and not writes_files else [None] * len(commands)
        result, is_changed = Result(), False
        for command, changed, before in zip(commands, edited, known):
            done = self.outcome(changed, test, temp) if changed else before or self.outcome(command, test, temp)
            is_refused = changed is not None and unless is not None and unless in done[2]
            is_changed |= changed is not None and not is_refused
            result.add(*(before or self.outcome(command, test, temp) if is_refused else done))
        return result if is_changed else None

    # --- modes ----------------------------------------------------------------------------------------------------------------

    def mode_O0(self, test, temp):
        return self.run_with(test, temp, ["-O0", "--verify-each"])

    def mode_debug(self, test, temp):
        return self.run_with(test, temp, ["-g", "-O0"])

    def mode_checked(self, test, temp):
        return self.run_with(test, temp, ["-g", "--checked"])

    def run_with(self, test, temp, options):
        """Runs with further options. What a command chooses itself, such as a level of optimization, stays."""
        def kind(option):
            return option[:2] if option.startswith("-O") else option

        def edit(words):
            chosen = {kind(w) for w in words[2:words.index(test.name)]}
            added = [o for o in options if kind(o) not in chosen]
            return words[:2] + added + words[2:] if added else None

        return self.run_changed(test, temp, edit)

    def mode_roundtrip(self, test, temp):
        """Runs what `--emit mim` printed. Positions of messages differ, so only output and status count."""
        printed = f"{temp}/printed.mim"

        def edit(words):
            at = words.index(test.name)
            status, err = self.print_to(printed, test.name, plugin_options(words[2:at]), test)
            if status != 0:
                return ["sh", "-c", f"echo {shlex.quote('printing failed: ' + err)} >&2; exit 99"]
            return words[:at] + [printed] + words[at + 1:]

        result = self.run_changed(test, temp, edit)
        if result and 99 not in result.exits:
            result.err = None
        return result

    def mode_eval(self, test, temp):
        """Runs the reference evaluator; what it cannot do (a C function that it does not know) is no failure."""
        result = self.run_changed(test, temp, lambda words: words[:2] + ["--eval"] + words[2:], unless=CANNOT_EVALUATE)
        if result:
            result.err = None
        return result

    def print_to(self, target, source, options, test):
        self.commands += 1
        command = ["mim", "build", "--pipeline", "%compile.skip", "--emit", "mim", "-o", target, *options, source]
        status, _, err = self.call(command, test)
        return status, err

    def print_twice(self, test, temp):
        """What is wrong with print, read, print of a program that passed `mim check`; None if nothing is."""
        first, second = f"{temp}/first.mim", f"{temp}/second.mim"
        options = plugin_options(shlex.split(test.runs[0])[2:-1])
        for source, target in ((test.name, first), (first, second)):
            status, err = self.print_to(target, source, options, test)
            if status != 0:
                return f"printing {source} failed with {status}:\n{err}"
        a, b = pathlib.Path(first).read_text(errors="replace"), pathlib.Path(second).read_text(errors="replace")
        return None if a == b else "print, read, print changed the text:\n" + diff(a, b, "first", "second")

    # --- one test -------------------------------------------------------------------------------------------------------------

    def run(self, test, bless):
        """The name of the test and its failures, each a text."""
        with tempfile.TemporaryDirectory(prefix="mim-test-") as temp:
            if test.gen is not None:
                value = eval(test.gen)  # the expression is part of the test
                pathlib.Path(f"{temp}/gen.mim").write_bytes(value if isinstance(value, bytes) else value.encode())
            failures = []
            if bless or self.has_turn(test, AS_WRITTEN):
                result = self.run_as_written(test, temp)
                failures = self.rules(test, result)
                if bless:
                    if not failures and write_statuses(test, result.exits):  # they move the lines that messages name
                        test = Test(test.path)
                        result = self.run_as_written(test, temp)
                    return failures or write_expectation(test, result)
                failures += compare(test, result, AS_WRITTEN)
            if not failures and not test.must_fail:
                failures += self.run_modes(test, temp)
            return failures

    def has_turn(self, test, mode):
        """Whether this run checks the test in this mode, or as it is written; all may be asked for, one after the other."""
        number, of = self.turn
        if self.of_modes and mode == AS_WRITTEN:
            return True
        is_possible = mode == AS_WRITTEN or (mode in test.modes and not self.as_written)
        return is_possible and zlib.crc32(f"{test.name} {mode}".encode()) % of == number % of

    def run_modes(self, test, temp):
        failures = []
        for name, mode in (("O0", self.mode_O0), ("roundtrip", self.mode_roundtrip), ("eval", self.mode_eval),
                           ("debug", self.mode_debug), ("checked", self.mode_checked)):
            result = mode(test, temp) if self.has_turn(test, name) else None
            if result is not None:
                failures += compare(test, result, f"mode {name}")
        words = shlex.split(test.runs[0]) if len(test.runs) == 1 and not SHELL_SYNTAX.search(test.runs[0]) else []
        if self.has_turn(test, "print") and words[:2] == ["mim", "check"] and words[-1] == "%s":
            if wrong := self.print_twice(test, temp):
                failures.append(wrong)
        return failures

    def rules(self, test, result):
        failures = []
        for line, status in zip(test.runs, result.exits):
            if status == 70 or status == "timeout" or (isinstance(status, int) and (status < 0 or status >= 128 and "mim run" not in line)):
                failures.append(f"ended with {status}: {line}\n{result.err}")
        has_error = ERROR_LINE.search(result.err) or '"severity":"error"' in result.err or re.search(r"^mim: ", result.err, re.M)
        if test.must_fail and not any(s not in (0, "timeout") for s in result.exits):
            failures.append("its name begins with bad-, but it did not fail")
        num_errors = len(ERROR_LINE.findall(result.err))
        if test.num_errors is not None and num_errors != test.num_errors:
            failures.append(f"it got {num_errors} errors, not {test.num_errors}: one for each mistake is wanted\n{result.err}")
        if not test.must_fail and has_error and any(result.exits):
            failures.append("it failed, but its name does not begin with bad-:\n" + result.err)
        return failures


def read_modes(text, name):
    """The modes that a test names: `all`, `none`, `O0 print`, `all but checked`."""
    words = re.findall(r"\w+", text)
    if words in (["all"], ["none"]):
        return MODES if words == ["all"] else set()
    is_exception = words[:2] == ["all", "but"]
    named = set(words[2:] if is_exception else words)
    assert named <= MODES, f"{name}: there is no mode {', '.join(named - MODES)}"
    return MODES - named if is_exception else named


def readable(data):
    return data.decode("utf-8", "backslashreplace").replace("\r", "\\r").replace("\0", "\\0")


def is_run(words, test):
    """Whether a command, which is a text where it is for sh, runs the program of this test."""
    return words[:2] == ["mim", "run"] and test.name in words


def plugin_options(words):
    """The -p, -P and similar options among words, which every compilation of the test needs."""
    kept, rest = [], iter(words)
    for w in rest:
        if w in ("-p", "-P", "--plugin", "--plugin-dir"):
            kept += [w, next(rest, "")]
        elif w.startswith(("-p", "-P", "--plugin")):
            kept.append(w)
    return kept


def diff(a, b, name_a, name_b):
    return "\n".join(difflib.unified_diff(a.splitlines(), b.splitlines(), name_a, name_b, lineterm="")) + "\n"


def visible(text):
    """Blanks at the ends of lines do not count: editors and formatters remove them from the expectation. Nor does what a
    sanitizer says of memory that there is not: a test asks for some."""
    text = re.sub(r"^==\d+==WARNING: AddressSanitizer failed to allocate .*\n", "", text, flags=re.M)
    return re.sub(r"[ \t]+$", "", text, flags=re.M)


def compare(test, result, how):
    failures = []
    if result.exits != test.exits:
        failures.append(f"{how}: exit status {result.exits}, expected {test.exits}\n{result.err or ''}")
    for key, name, actual in (("OUT", "standard output", result.out), ("ERR", "standard error", result.err)):
        if actual is not None and visible(actual) != visible(test.expected[key]):
            failures.append(f"{how}: {name} differs\n" + diff(test.expected[key], actual, "expected", "actual"))
    return failures


def find_tests(paths):
    """Files with a RUN line. The trees of the project are searched if no path is given; files below a folder `data` or
    `files`, and the example plugins, belong to other tests, any other .mim file without a RUN line is an error."""
    roots = [pathlib.Path(p).resolve() for p in paths] or [ROOT / "test", ROOT / "example", *sorted(ROOT.glob("plug/*/test"))]
    tests, silent = [], []
    for root in roots:
        files = [root] if root.is_file() else sorted(root.rglob("*.mim"))
        for file in files:
            relative = file.relative_to(ROOT).parts if file.is_relative_to(ROOT) else file.parts
            is_project = relative[:2] in [("example", name) for name in ("plugin", "ledger", "lark")]
            if is_project or {"data", "files"} & set(relative[:-1]):
                continue
            test = Test(file)
            (tests if test.runs else silent).append(test)
    return tests, silent


def read_turn(text):
    """K/N as two numbers; K may be any, such as a number of commits."""
    number, of = map(int, text.split("/"))
    if of < 1:
        raise ValueError("N is at least 1")
    return number, of


def find_mim():
    if "MIM" in os.environ:
        return os.environ["MIM"]
    found = [p for p in ROOT.glob("build/*/bin/mim")]
    return max(found, key=lambda p: p.stat().st_mtime) if found else "mim"


def main():
    # A job in the background of a shell ignores interrupts, and so would the programs that it starts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mim", default=None, help="the program under test; default: $MIM, else the newest in build/")
    parser.add_argument("-j", type=int, default=os.cpu_count())
    parser.add_argument("--bless", action="store_true")
    parser.add_argument("--timeout-factor", type=float, default=max(1.0, os.getloadavg()[0] / os.cpu_count()),
                        help="for slow builds (sanitizers); default: as many programs as there are for each processor")
    parser.add_argument("--turn", type=read_turn, default=(0, 1), metavar="K/N", help="each N-th way to run a test")
    parser.add_argument("--of-modes", action="store_true", help="run each test as it is written; only the modes take turns")
    parser.add_argument("--as-written", action="store_true", help="in no mode")
    parser.add_argument("paths", nargs="*")
    args = parser.parse_args()
    begin = time.time()
    mim = args.mim or find_mim()
    if not os.path.exists(mim):
        sys.exit(f"run.py: there is no {mim}: build it first, or give its path with --mim")
    runner = Runner(mim, args.timeout_factor, args.turn, args.of_modes, args.as_written)
    tests, silent = find_tests(args.paths)
    missing = {plugin for test in tests for plugin in test.needs - runner.installed}
    left_out = [test for test in tests if test.needs - runner.installed]
    tests = [test for test in tests if test not in left_out]
    if left_out:
        print(f"{len(left_out)} tests are left out: they need {', '.join(sorted(missing))}")
    failed = len(silent)
    for test in silent:
        print(f"FAILED {test.name}\nit has no RUN line; files that tests only read belong into a folder `data` or `files`\n")
    with concurrent.futures.ThreadPoolExecutor(args.j) as pool:
        for test, failures in zip(tests, pool.map(lambda t: runner.run(t, args.bless), tests)):
            if not failures:
                continue
            failed += 1
            print(f"FAILED {test.name}")
            for line in test.runs:
                print(f"  {line}")
            print("\n".join(failures))
            print(f"to accept: test/runner/run.py --mim {shlex.quote(str(mim))} --bless {test.name}\n", flush=True)
    if runner.replaced:
        print(f"golden: not run for x86-64-v4 but for this processor, which lacks AVX-512: {runner.replaced} commands")
    print(f"golden: {len(tests)} tests, {runner.commands} commands, {failed} failed, {time.time() - begin:.1f} s")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
