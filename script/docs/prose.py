# SPDX-License-Identifier: MIT
"""What pages say between their blocks: links lead somewhere, names occur in the sources, terms in the glossary."""
import collections
import re

from docs.tools import BLOCK, DOC, ROOT


def prose_of(page):
    """The text with its blocks blanked, so that lines keep their numbers."""
    return BLOCK.sub(lambda m: "\n" * m[0].count("\n"), page.text)


def check_links(page):
    prose = re.sub(r"`[^`\n]*`", "``", prose_of(page))
    for m in re.finditer(r"\]\(([^)\s]+)\)", prose):
        target, _, anchor = m[1].partition("#")
        if re.match(r"^[a-z]+:", target):
            continue
        path = (page.path.parent / target).resolve() if target else page.path
        line = prose.count("\n", 0, m.start()) + 1
        if not path.exists():
            page.fail(line, f"there is no {m[1]}")
        elif anchor and anchor not in anchors(path):
            page.fail(line, f"{target or page.name} has no heading #{anchor}")


def check_files(page):
    """In the tutorial the text above a block says into which file it goes, and where: nobody sees what stands behind ```."""
    if page.path.parent.name != "tutorial":
        return
    end = 0
    for b in page.blocks:
        above = page.text[end:b.begin].rpartition("```")[0]
        words = [b.options[o] for o in ("file", "above", "instead") if o in b.options]
        for word in words:
            if f"`{word}`" not in above:
                page.fail(b.line, f"the text above the block does not say `{word}`")
        end = b.end


def check_names(page, known):
    if "<!-- names -->" not in page.text:
        return
    prose = prose_of(page)
    for m in re.finditer(r"`([^`\n]+)`", prose):
        name = m[1]
        line = prose.count("\n", 0, m.start()) + 1
        if re.fullmatch(r"[\w.-]+(/[\w.*-]+)+/?", name) and not re.search(r"[A-Z]{4}|annexes\.h$", name):
            if not list(ROOT.glob(name.rstrip("/"))):
                page.fail(line, f"there is no {name}")
        elif re.fullmatch(r"(\w+::)*\w+(\(\))?", name) and ("::" in name or "()" in name or re.search(r"[a-z][A-Z]|[a-z]_[a-z]", name)):
            if not known.has(re.findall(r"\w+", name)):
                page.fail(line, f"no source declares `{name}`")


def check_terms(page, terms):
    if page.path.parent.name == "adr":
        return
    prose = re.sub(r"`[^`\n]*`", "``", prose_of(page))
    for m in re.finditer(r"(?<![\w*\\])\*([A-Za-zβηαλΠΣ][^*\n]*?)\*(?![\w*])", prose):
        if not {m[1].lower(), m[1].lower().removesuffix("s"), m[1].lower().removesuffix("es")} & terms:
            page.fail(prose.count("\n", 0, m.start()) + 1, f"the term *{m[1]}* is not in doc/glossary.md")


def anchors(path):
    if path.suffix != ".md":
        return set()
    uses = collections.Counter()
    found = set()
    for heading in re.findall(r"^#+ (.*)$", BLOCK.sub("", path.read_text()), re.M):
        anchor = re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
        found.add(f"{anchor}-{uses[anchor]}" if uses[anchor] else anchor)
        uses[anchor] += 1
    return found


def terms():
    """Headwords of the glossary, `**term** (plural, other spelling)`."""
    path = DOC / "glossary.md"
    found = set()
    for words in re.findall(r"^\*\*(.+?)\*\*(?: \(([^)]*)\))?", path.read_text() if path.exists() else "", re.M):
        for word in [words[0], *words[1].split(",")]:
            found.add(word.strip().lower())
    return found


class Names:
    """The names of the sources, without their comments. `A::b` is one if b occurs where A is declared or its members are defined."""

    def __init__(self):
        self.words, self.members = set(), {}
        for folder in ("src", "plug", "cmake", "script", "test", "example"):
            for path in sorted((ROOT / folder).rglob("*")):
                if path.is_file() and path.suffix in (".h", ".cpp", ".mim", ".cmake", ".py", ".txt", ""):
                    self.add(path)

    def add(self, path):
        text = path.read_text(errors="replace")
        if path.suffix in (".h", ".cpp", ".mim"):
            text = re.sub(r"//[^\n]*", "", text)
        for plugin, tag in re.findall(r"%(\w+)\.(\w+)", text if path.suffix == ".mim" else ""):
            self.members.setdefault(plugin, set()).add(tag)  # C++ calls it plugin::tag
        words = set(re.findall(r"\w+", text))
        self.words |= words
        declared = re.findall(r"\b(?:class|struct|enum|namespace) (?:class )?(\w+)", text)
        for scope in {*declared, *re.findall(r"\b(\w+)::~?\w+\(", text)}:
            own = words if path.suffix == ".h" else set(re.findall(rf"\b{scope}::~?(\w+)", text))
            own |= words if re.search(rf"\b(?:class|struct|enum|namespace) (?:class )?{scope}\b[^;]*{{", text) else set()
            self.members.setdefault(scope, set()).update(own)

    def has(self, parts):
        return all(p in self.words for p in parts) and all(b in self.members.get(a, ()) for a, b in zip(parts, parts[1:]))
