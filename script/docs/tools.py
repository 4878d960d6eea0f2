# SPDX-License-Identifier: MIT
"""What the checks of the documentation share: where things are, and the program under test."""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DOC = ROOT / "doc"
BLOCK = re.compile(r"^( *)```(\S*)[ ]?([^\n]*)\n(.*?)^\1```$", re.M | re.S)
CODE = re.compile(r"^[EWN](\d{3}|-\w+-\d{2,})$")


class Failure(Exception):
    pass


class Tools:
    """The program under test, and an installation of it that is made when a page needs one."""

    def __init__(self, mim):
        self.mim = pathlib.Path(mim).resolve()
        self.temp = tempfile.TemporaryDirectory(prefix="mim-docs-")
        self.env = dict(os.environ, PATH=f"{self.mim.parent}:{os.environ['PATH']}", LC_ALL="C.UTF-8", MIM_SOURCE=str(ROOT))
        self.env.pop("MIM_PLUGIN_PATH", None)
        found = os.environ.get("CXX") or next(filter(shutil.which, ("c++", "g++", "g++-12", "clang++-19")), "c++")
        self.compiler = [*shlex.split(found), "-std=c++20", "-fPIC", "-w"]
        self.includes = [f"-I{ROOT}/src", "-I.", f"-I{self.mim.parent.parent}/plug"]
        self.precompiling, self.precompiled = threading.Lock(), None

    def call(self, argv, cwd, **more):
        return subprocess.run(argv, cwd=cwd, env=self.env, capture_output=True, text=True, timeout=600, **more)

    def output(self, *argv):
        return self.call([str(self.mim), *argv], ROOT).stdout

    def install(self, page):
        """An installation of its own for the page."""
        prefix = f"{self.temp.name}/prefix-{page.replace('/', '-')}"
        done = self.call(["cmake", "--install", str(self.mim.parent.parent), "--prefix", prefix], ROOT)
        if done.returncode != 0:
            raise Failure(f"cannot install {self.mim.parent.parent}:\n{done.stdout}{done.stderr}")
        return prefix

    def precompile(self):
        """A folder that is searched before others, with the first header of nearly every plugin in precompiled form: GCC takes it where
        the source includes that header itself, before anything else. Other compilers do not look for it; and no plugin needs it."""
        with self.precompiling:
            if self.precompiled is None:
                self.precompiled = pathlib.Path(self.temp.name) / "precompiled"
                (self.precompiled / "driver").mkdir(parents=True)
                header, made = f"{ROOT}/src/driver/plugin.h", f"{self.precompiled}/driver/plugin.h.gch"
                self.call([*self.compiler, *self.includes, "-x", "c++-header", header, "-o", made], ROOT)
        return self.precompiled

    def compile_plugin(self, name, folder):
        """What add_mim_plugin does, without CMake."""
        for argv in ([str(self.mim), "bootstrap", f"{name}.mim", "-o", f"{name}/annexes.h"],
                     [*self.compiler, "-shared", f"-I{self.precompile()}", *self.includes, f"{name}.cpp", "-o", f"libmim_{name}.so"],
                     [str(self.mim), "bootstrap", f"./libmim_{name}.so"]):
            (folder / name).mkdir(exist_ok=True)
            done = self.call(argv, folder)
            if done.returncode != 0 and "[E4" not in done.stderr:  # a library that Mim refuses has no manifest: its page shows the error
                raise Failure(f"{shlex.join(argv[:3])} … failed:\n{done.stderr}")
