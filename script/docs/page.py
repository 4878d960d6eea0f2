# SPDX-License-Identifier: MIT
"""A page and its blocks, which are run from the top down in a scratch folder; script/check-docs says what kinds there are."""
import difflib
import json
import os
import pathlib
import re
import shlex
import subprocess
import tempfile

from docs.tools import BLOCK, CODE, ROOT, Failure

COMMANDS = {"check", "run", "build", "fmt"}


class Block:
    def __init__(self, match, text):
        self.indent, self.kind, self.info = match[1], match[2], match[3].strip()
        self.body = re.sub("^" + self.indent, "", match[4], flags=re.M)  # in a list
        self.begin, self.end = match.start(4), match.end(4)
        self.line = text.count("\n", 0, self.begin) + 1
        words = shlex.split(self.info) if "=" in self.info or '"' in self.info else self.info.split()
        self.options = dict(w.split("=", 1) for w in words if re.match(r"^(file|above|instead|plugin|from)=", w))
        self.words = [w for w in words if not re.match(r"^(file|above|instead|plugin|from)=", w)]
        self.codes = set()  # diagnostics that came out
        self.good = False   # a program or a session without any


class Page:
    timeout = 600  # seconds for the commands of one block

    def __init__(self, path, tools):
        self.path, self.tools = path, tools
        self.name = str(path.relative_to(ROOT))
        self.text = path.read_text()
        self.blocks = [Block(m, self.text) for m in BLOCK.finditer(self.text)]
        self.failures, self.edits, self.plugins = [], [], False
        self.env = {}

    def fail(self, line, message):
        self.failures.append(f"{self.name}:{line}: {message}")

    def run(self):
        with tempfile.TemporaryDirectory(prefix="page-", dir=self.tools.temp.name) as scratch:
            self.folder = pathlib.Path(scratch)
            try:
                if "<!-- needs: installation -->" in self.text:
                    prefix = self.tools.install(self.name)
                    self.env = {"PREFIX": prefix, "PATH": f"{prefix}/bin:{os.environ['PATH']}"}
                for block in self.blocks:
                    try:
                        self.block(block)
                    except Failure as e:
                        self.fail(block.line, str(e))
            except Failure as e:
                self.fail(1, str(e))
        return self

    def block(self, b):
        if "from" in b.options:
            self.excerpt(b)
        elif "file" in b.options:
            self.file(b)
        elif "plugin" in b.options:
            self.plugin(b)
        elif b.kind == "console":
            if b.words != ["setup"]:
                self.console(b)
        elif b.kind == "mim":
            if b.words != ["part"]:
                self.program(b, b.words)
        elif b.words[:1] == ["program"]:
            self.program(b, b.words[1:])
        elif b.kind != "text":
            raise Failure(f"a block of the kind `{b.kind}` is not checked: see script/check-docs")

    # --- kinds of blocks ------------------------------------------------------------------------------------------------------

    def program(self, b, words):
        words = list(words)
        expected = words.pop(0) if words and (words[0] == "rejected" or CODE.match(words[0])) else None
        command = words.pop(0) if words and words[0] in COMMANDS else "check"
        name = f"program.{b.kind}"
        (self.folder / name).write_text(b.body)
        # what follows FILE of `mim run` is the program's
        argv = ["mim", command, *(["-P", "."] if self.plugins else []), "--diagnostics", "json", *words, name]
        done = self.tools.call(argv, self.folder)
        reports = [json.loads(l) for l in done.stderr.splitlines() if l.startswith("{")]
        other = "\n".join(l for l in done.stderr.splitlines() if not l.startswith("{"))
        main = [r["code"] for r in reports]
        notes = [n["code"] for r in reports for n in r["notes"]]
        b.codes, b.good = set(main + notes), not reports and done.returncode == 0
        shown = "\n".join(f"{r['severity']} {r['code']}: {r['message']}" for r in reports) + other
        if expected is None:
            if done.returncode != 0:
                raise Failure(f"status {done.returncode}, expected success\n{shown}")
        elif expected == "rejected":
            if done.returncode != 1:
                raise Failure(f"status {done.returncode}, expected a rejection\n{shown}")
        elif expected[0] == "N" and expected not in main + notes:
            raise Failure(f"expected the note {expected}, got {' '.join(main + notes) or 'none'}\n{shown}")
        elif expected[0] != "N" and main != [expected]:
            raise Failure(f"expected exactly one {expected}, got {' '.join(main + notes) or 'none'}\n{shown}")

    def file(self, b):
        path = self.folder / b.options["file"]
        path.parent.mkdir(parents=True, exist_ok=True)
        place = b.options.get("above") or b.options.get("instead")
        if place is None:
            path.write_text(b.body)
            return
        lines = path.read_text().splitlines(keepends=True) if path.exists() else []
        at = next((i for i, l in enumerate(lines) if place in l), None)
        if at is None:
            raise Failure(f"{b.options['file']} has no line with `{place}`")
        lines[at:at + ("instead" in b.options)] = [b.body + ("\n" if "above" in b.options and not b.body.startswith(" ") else "")]
        path.write_text("".join(lines))

    def plugin(self, b):
        name = b.options["plugin"]
        (self.folder / f"{name}.{b.kind}").write_text(b.body)
        self.plugins = True
        if b.kind == "cpp":
            self.tools.compile_plugin(name, self.folder)

    def excerpt(self, b):
        path = ROOT / b.options["from"]
        if not path.is_file():
            raise Failure(f"there is no {b.options['from']}")
        source = [" ".join(l.split()) for l in path.read_text().splitlines()]
        at = 0
        skips = True
        for line in (" ".join(l.split()) for l in b.body.splitlines()):
            if line in ("…", "// …"):
                skips = True
            elif line:
                while at < len(source) and (source[at] != line if skips else not source[at]):
                    at += 1
                if at == len(source) or source[at] != line:
                    raise Failure(f"{b.options['from']} does not contain, in this order: {line}")
                at, skips = at + 1, False

    def console(self, b):
        """The commands of a block in one shell, in the scratch folder; both outputs together."""
        head, *parts = re.split(r"^\$ ", b.body, flags=re.M)
        commands, expected = [], []
        for part in parts:
            command = re.match(r"(?:[^\n]*\\\n)*[^\n]*\n", part)[0]
            commands.append(command)
            expected.append(part[len(command):])
        out, wrong = [], []
        for command, wanted, (status, actual) in zip(commands, expected, self.session(commands)):
            codes = set(re.findall(r"\[([EW](?:\d{3}|-\w+-\d{2,}))\]$", actual, re.M))
            b.codes |= codes
            b.good = not codes
            if not matches(wanted, actual):
                wrong.append(f"$ {command}{diff(wanted, actual)}")
            if status != 0:
                wrong.append(f"$ {command}ended with {status}\n{actual}")
            out.append(f"$ {command}{wanted if matches(wanted, actual) else actual}")
        if wrong:
            self.edits.append((b.begin, b.end, re.sub("^(?=.)", b.indent, head + "".join(out), flags=re.M)))
            raise Failure("\n".join(wrong))

    def session(self, commands):
        """Status and output of each."""
        mark = "=== check-docs ==="
        script = "exec 2>&1\n" + "".join(f"{c}printf '\\n{mark} %s\\n' $?\n" for c in commands)
        try:
            done = subprocess.run(["sh", "-c", script], cwd=self.folder, env={**self.tools.env, **self.env}, text=True,
                                  timeout=self.timeout, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        except subprocess.TimeoutExpired:
            raise Failure("timed out: " + "".join(commands))
        text = done.stdout.replace(str(self.folder) + "/", "").replace(self.env.get("PREFIX", "\0"), "$PREFIX")
        results = re.findall(rf"(.*?)\n{mark} (\d+)\n", text, re.S)
        if len(results) != len(commands):
            raise Failure(f"the shell stopped early:\n{text}")
        return [(int(status), output) for output, status in results]

    def fix(self):
        for begin, end, body in sorted(self.edits, reverse=True):
            self.text = self.text[:begin] + body + self.text[end:]
        if self.edits:
            self.path.write_text(self.text)


def matches(expected, actual):
    clean = lambda s: re.sub(r"[ \t]+$", "", s, flags=re.M).strip("\n")
    pattern = "".join(".*" if part == "…" else re.escape(part) for part in re.split("(…)", clean(expected)))
    return re.fullmatch(pattern, clean(actual), re.S) is not None


def diff(expected, actual):
    return "\n".join(difflib.unified_diff(expected.splitlines(), actual.splitlines(), "documented", "printed", lineterm=""))
