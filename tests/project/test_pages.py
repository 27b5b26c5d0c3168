"""The pages of the repository agree with the program, and their links are valid."""

import ast
import re
import runpy
import sys
import tomllib

import pytest
import surajang
from click.testing import CliRunner
from surajang.cli import BENCHMARKS, main
from surajang.engine.definition import reader
from surajang.engine.definition.catalogue import FAMILIES, SHIPPED, load, parse
from surajang.engine.rulebook.markdown import page
from surajang.learn.networks.networks_command import shipped_networks
from surajang.protocol.cecp.protocol import Cecp
from surajang.protocol.uci.protocol import COMMANDS as UCI_COMMANDS
from surajang.protocol.uci.protocol import Uci
from surajang.protocol.wire.stdio import InputLine
from surajang.tests.support.pages import DOCS, ROOT, code_blocks, pages

pytestmark = pytest.mark.pure

PAGES = sorted([*pages(), ROOT / "CHANGELOG.md"])
GAMES = sorted(path.stem for folder in SHIPPED for path in folder.glob("*.toml"))
FLOORS = ("engine", "eval", "search", "protocol", "match", "learn", "board", "bench", "study")
PARTS = {"llvmlite": "numba", "dask": "distributed"}  # what comes with a library
REFEREE = "pyffish"  # `bench coverage` compares with it and names it if it is absent
LINK = re.compile(r"\]\(([^)#\s]+)(?:#([^)\s]+))?\)")
MAX_README_LINES, MAX_README_LINKS = 120, 10


def relative(path):
    return str(path.relative_to(ROOT))


def anchors(text):
    """The anchors of the headings of a page, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_links_to_files_and_headings_lead_somewhere():
    links = [(path, *link) for path in PAGES for link in LINK.findall(path.read_text(encoding="utf-8"))]
    broken = []
    for path, target, anchor in links:
        if "://" in target:
            continue
        other = path.parent / target
        if not other.exists():
            broken.append(f"{relative(path)}: {target}")
        elif anchor and anchor not in anchors(other.read_text(encoding="utf-8")):
            broken.append(f"{relative(path)}: {target}#{anchor}")
    assert not broken


def test_page_of_a_game_is_current():
    for name in GAMES:
        found = (DOCS / "games" / f"{name}.md").read_text(encoding="utf-8")
        assert found == page(load(name)), f"surajang variants {name} --markdown > docs/games/{name}.md"


def test_page_of_the_networks_has_the_row_of_every_network():
    found = (DOCS / "internals" / "networks.md").read_text(encoding="utf-8").splitlines()
    written = CliRunner().invoke(main, ["bench", "networks", "--markdown"]).stdout.splitlines()
    assert len(written) == len(shipped_networks()) + 2
    for row in written:
        assert any(line.startswith(row) for line in found), row


def test_page_of_a_game_is_what_the_command_writes():
    assert CliRunner().invoke(main, ["variants", "chaotic", "--markdown"]).stdout == page(load("chaotic"))


def test_pages_of_games_are_listed_and_no_page_is_left_over():
    listed = (DOCS / "games" / "index.md").read_text(encoding="utf-8")
    pages = sorted(path.stem for path in (DOCS / "games").glob("*.md") if path.name != "index.md")
    assert pages == GAMES
    assert all(f"]({name}.md)" in listed for name in GAMES)


def said(dialect, *lines):
    """A dialect's answers to lines that need no game."""
    written = []
    talk = dialect(written.append, lambda event: None)
    for line in lines:
        talk.handle(InputLine(line))
    return written


def first_column(text, heading):
    """The words in backquotes in the first column of the table below a heading."""
    table = text.split(f"## {heading}\n", 1)[1].split("\n## ")[0]
    cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    return [word for cell in cells for word in re.findall("`([^`]+)`", cell)]


def test_page_of_uci_has_exactly_the_options_of_the_engine():
    offered = [re.match("option name (.*?) type ", line) for line in said(Uci, "uci")]
    told = first_column((DOCS / "protocols" / "uci.md").read_text(encoding="utf-8"), "Options")
    assert sorted(told) == sorted(match[1] for match in offered if match)


def test_page_of_cecp_has_exactly_the_options_of_the_engine():
    offered = [re.match('feature option="(.*?) -', line) for line in said(Cecp, "xboard", "protover 2")]
    told = first_column((DOCS / "protocols" / "cecp.md").read_text(encoding="utf-8"), "Options")
    assert sorted(told) == sorted(match[1] for match in offered if match)


def test_page_of_the_command_line_has_every_command():
    text = (DOCS / "start" / "command-line.md").read_text(encoding="utf-8")
    told = re.findall(r"^surajang ((?:bench )?[\w-]+) ", text, flags=re.MULTILINE)
    wanted = {name for name in main.commands if name != "bench"}
    assert set(told) == wanted | {f"bench {name}" for name in BENCHMARKS}


def test_games_in_the_page_on_games_of_ones_own_can_be_read():
    text = (DOCS / "own-game" / "first-game.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```toml\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    names = [parse(block, "game.toml").name for block in blocks]
    assert names == ["knighthouse", "tiny"]


def test_reference_has_every_public_name():
    text = (DOCS / "python" / "reference.md").read_text(encoding="utf-8")
    documented = re.findall(r"^\.\. auto\w+:: (\w+)$", text, flags=re.MULTILINE)
    modules = {"learn", "match", "pgn", "rl", "study", "svg"}  # four have sections with `module.name`
    assert sorted(documented) == sorted(set(surajang.__all__) - modules - {"__version__"})
    inside = re.findall(r"^\.\. auto\w+:: surajang\.(\w+\.\w+)$", text, flags=re.MULTILINE)
    wanted = {
        f"{name}.{each}"
        for name in ("learn", "match", "rl", "study")
        for each in getattr(surajang, name).__all__
    }
    assert wanted <= {*inside}


def test_examples_on_the_page_of_keys_can_be_read_and_cover_every_mechanic():
    page = DOCS / "own-game" / "keys.md"
    blocks = code_blocks(page, "toml")
    for block in blocks:
        parse(block, "game.toml")
    table = page.read_text(encoding="utf-8").split("### Mechanics\n", 1)[1].split("\n##")[0]
    for mechanic in re.findall(r"^\| `([^`]+)`", table, flags=re.MULTILINE):
        assert any(mechanic in block for block in blocks), mechanic


def test_page_of_keys_has_every_key_that_a_file_may_have():
    text = (DOCS / "own-game" / "keys.md").read_text(encoding="utf-8")
    for key in (*reader.TOP_KEYS, *reader.PIECE_KEYS):
        assert re.search(rf"[`\[]{key}[`\].]", text), key


def test_readme_is_short():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= MAX_README_LINES
    assert len(re.findall(r"(?<!!)\[[^\]]+\]\(", text)) <= MAX_README_LINKS


def test_game_in_the_readme_can_be_read_and_is_the_one_in_its_picture():
    (block,) = code_blocks(ROOT / "README.md", "toml")
    game = parse(block, "camelhouse.toml")
    assert game.name == "camelhouse"
    assert len(block.splitlines()) <= 10
    module = runpy.run_path(str(DOCS / "pictures" / "start.py"))
    drawn = (DOCS / "pictures" / "camelhouse.svg").read_text(encoding="utf-8")
    assert drawn == module["board"](game), "docs/pictures/start.py README.md docs/pictures/camelhouse.svg"


def test_strength_in_the_readme_stands_in_the_measurements():
    rows = re.findall(
        r"^\| [^|]+ \|.* % \| .* \|$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    measured = (DOCS / "measurements.md").read_text(encoding="utf-8")
    assert len(rows) >= 15
    for row in rows:
        game, _, _, games, score, elo = (cell.strip() for cell in row.strip("|").split("|"))
        assert re.search(
            rf"^\| {game} \|.*\| {games} \| {score} \| {re.escape(elo)} \|", measured, re.MULTILINE
        ), row


def test_readme_and_list_of_games_have_every_family_and_their_numbers():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    listed = (DOCS / "games" / "index.md").read_text(encoding="utf-8")
    for folder, family in FAMILIES.items():
        assert f"| {family} | {len(list(folder.glob('*.toml')))} |" in readme
        assert f"## {family}\n" in listed
    assert f" {len(shipped_networks())} come with a trained network" in readme.replace("\n", " ")
    assert f"[{len(GAMES)} games]" in (DOCS / "index.md").read_text(encoding="utf-8")
    assert f" lists all {len(GAMES)} with" in readme.replace("\n", " ")


def test_version_is_the_same_everywhere():
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^## (\d\S+)", changes, flags=re.MULTILINE)[1] == surajang.__version__
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {surajang.__version__}\n" in citation


def test_every_page_under_docs_is_reached_by_links_from_the_readme():
    reached, waiting = set(), {ROOT / "README.md"}
    while waiting:
        page = waiting.pop()
        reached.add(page)
        targets = {
            (page.parent / target).resolve() for target, _ in LINK.findall(page.read_text(encoding="utf-8"))
        }
        waiting |= {target for target in targets & set(PAGES) if target not in reached}
    stubs = {path for path in PAGES if path.read_text(encoding="utf-8").startswith("```{include}")}
    assert set(PAGES) - reached - stubs == set()


def test_dependencies_have_every_library_that_the_package_imports():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [
        name
        for extra in ("cluster", "plot", "fuzz", "rl")
        for name in project["optional-dependencies"][extra]
    ]
    listed = {re.match(r"[\w-]+", name)[0] for name in [*project["dependencies"], *extras, REFEREE]}
    for floor in FLOORS:
        for path in (ROOT / floor).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                names += [node.module] if isinstance(node, ast.ImportFrom) and not node.level else []
                for name in {name.split(".")[0] for name in names} - sys.stdlib_module_names - {"surajang"}:
                    assert PARTS.get(name, name) in listed, f"{name}, imported by {relative(path)}"


def test_page_on_the_architecture_lists_every_package_and_top_level_module():
    text = (DOCS / "internals" / "architecture.md").read_text(encoding="utf-8")
    for floor in FLOORS:
        assert f"| `{floor}` |" in text
        if floor == "board":  # one package, whose modules its own docstrings describe
            continue
        for path in sorted((ROOT / floor).iterdir()):
            is_room = (path / "__init__.py").exists()
            if is_room or (path.suffix == ".py" and path.name != "__init__.py"):
                assert f"`{path.name}`" in text, path
    for path in ROOT.glob("*.py"):
        assert f"`{path.name}`" in text, path


def test_package_lists_every_folder():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    files = [path for floor in FLOORS for path in (ROOT / floor).rglob("*.*") if path.is_file()]
    folders = {path.parent.relative_to(ROOT) for path in files if "__pycache__" not in path.parts}
    names = {".".join(("surajang", *folder.parts)) for folder in folders}
    assert set(project["tool"]["setuptools"]["packages"]) == {"surajang", *names}


def test_page_of_uci_has_every_command():
    told = " ".join(first_column((DOCS / "protocols" / "uci.md").read_text(encoding="utf-8"), "Commands"))
    assert all(re.search(rf"\b{name}\b", told) for name in UCI_COMMANDS), told
