# SPDX-License-Identifier: MIT
"""Pages that a command makes are up to date, and each diagnostic has a page that shows it and its remedy."""
import re

from docs.tools import CODE, DOC, ROOT


def generated(tools):
    """Path and content of each page that a command makes."""
    yield DOC / "errors/index.md", tools.output("explain", "--markdown")
    yield DOC / "commands.md", tools.output("help", "--markdown")
    index = "# Plugins\n\nMade of the comments in their `.mim` files.\n\n| plugin | |\n| --- | --- |\n"
    for folder in sorted((ROOT / "plug").iterdir()):
        file = folder / f"{folder.name}.mim"
        if (folder / "diagnostics.def").is_file():
            yield folder / "doc/errors/index.md", tools.output("explain", "--markdown", folder.name)
        if file.is_file():
            page = tools.output("doc", str(file.relative_to(ROOT)))
            yield DOC / f"plugins/{folder.name}.md", page
            intro = re.search(r"^(?![#|\n]).+?(?:\.(?=\s)|$)", page, re.M | re.S)
            index += f"| [{folder.name}]({folder.name}.md) | {' '.join(intro[0].split()).rstrip('.') if intro else ''} |\n"
    yield DOC / "plugins/index.md", index


def check_generated(tools, fix):
    failures = []
    for path, text in generated(tools):
        if path.exists() and path.read_text() == text:
            continue
        if fix:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        else:
            failures.append(f"{path.relative_to(ROOT)} is out of date: run `script/check-docs {tools.mim} --fix`")
    return failures


def check_documented():
    """What a plugin declares has a /// comment, its own or that of the declaration right before it."""
    failures = []
    for page in sorted((DOC / "plugins").glob("*.md")):
        if page.stem == "index":
            continue
        file = ROOT / "plug" / page.stem / f"{page.stem}.mim"
        text, source = page.read_text(), re.sub(r"//[^\n]*", "", file.read_text())
        for name in re.findall(r"^(?:axm|let|lam|fun|con|rec) (?:extern )?(%[\w.]+)", source, re.M):
            if not re.search(r"^(?:axm|let|lam|fun|con|rec) (?:extern )?" + re.escape(name) + r"\b", text, re.M):
                failures.append(f"{file.relative_to(ROOT)}: {name} has no /// comment")
    return failures


def diagnostics(tools):
    """Code → message."""
    lines = (line.split("  ", 1) for line in tools.output("explain").splitlines())
    return {words[0]: words[1] for words in lines if CODE.match(words[0])}


def page_of(code):
    """The page of a diagnostic of Mim or, by its code, of a plugin."""
    owner = code.split("-")[1:-1]
    return (ROOT / "plug" / owner[0] / "doc" if owner else DOC) / f"errors/{code}.md"


def check_headings(messages, fix):
    failures = []
    for code, message in messages.items():
        path = page_of(code)
        name, heading = path.relative_to(ROOT), f"# {code}: {message}"
        if not path.exists():
            failures.append(f"{code} has no page: write {name} ({message})")
            continue
        text = path.read_text()
        if text.split("\n", 1)[0] == heading:
            continue
        if fix:
            path.write_text(heading + "\n" + text.partition("\n")[2])
        else:
            failures.append(f"{name}:1: its heading is not `{heading}`")
    for path in [*(DOC / "errors").glob("[EWN]*.md"), *ROOT.glob("plug/*/doc/errors/[EWN]*.md")]:
        if path.stem not in messages or path != page_of(path.stem):
            failures.append(f"{path.relative_to(ROOT)}: no diagnostic has this code")
    return failures


def check_error_page(page):
    """One block has the diagnostic of the page, no other has any, and a later one is good."""
    code = page.path.stem
    if page.path.parent.name != "errors" or not CODE.match(code) or "<!-- no program -->" in page.text:
        return
    having = [i for i, b in enumerate(page.blocks) if code in b.codes]
    others = [i for i, b in enumerate(page.blocks) if b.codes and i not in having and code[0] != "N"]
    if len(having) != 1:
        page.fail(1, f"{len(having)} blocks have {code}, expected one")
    elif others:
        page.fail(page.blocks[others[0]].line, f"this block has {' '.join(page.blocks[others[0]].codes)}")
    elif not any(b.good for b in page.blocks[having[0]:]):
        page.fail(1, "no block behind it shows the remedy")
