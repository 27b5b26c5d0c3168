"""Layers: every module imports only from layers and packages below its own, there are no import cycles, and
each public class has a unique name."""

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest
import surajang

pytestmark = pytest.mark.pure

ROOT = Path(surajang.__file__).parent
# Floors from the ground up, and the rooms of each; a floor's own modules stand above its rooms. A module may
# have a place of its own: a `Position` reads SAN, which stands below it, and PGN, above it, has positions.
SAN = ("position_like", "san", "refusals", "san_reading", "traditional", "traditional_reading", "methods")
FLOORS = {
    "engine": (
        *("kernel", "game", "representation", "mechanics", "definition"),
        *("fairy_ini", "movegen", "rulebook", "pictures", "rules", "variant"),
        *(f"notation.{module}" for module in SAN),
        *("setup_record", "legal_moves", "game_end", "board_methods", "chess_boards"),
        *("position", "notation"),
    ),
    "eval": ("terms", "network"),
    "search": ("tree",),
    "protocol": ("wire", "session", "uci", "ucci", "usi", "cecp", "terminal", "setup"),
    "match": ("workers", "players", "records", "openings", "results", "games"),
    "learn": ("self_play", "reinforcement", "training", "networks", "generations", "tuning"),
    "board": (),
    "bench": ("speed", "suites", "suites.mates", "suites.openings", "suites.best_moves", "suites.supply"),
    "study": ("games", "figures", "report", "puzzles"),
    "cli": (),
}


def modules():
    """Path by dotted name, without the package's own."""
    paths = {"cli": ROOT / "cli.py"}
    for floor in FLOORS:
        for path in (ROOT / floor).rglob("*.py"):
            parts = path.relative_to(ROOT).with_suffix("").parts
            paths[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return paths


MODULES = modules()


@cache
def tree_of(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def imports_of(name, path, known):
    """The modules among `known` that one module imports, including imports inside functions and names in
    strings."""
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    found = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value.removeprefix("surajang.") if "." in node.value else "")
            if path.name == "__init__.py":  # which has names of its modules, for `lazy_names`
                found.add(".".join([*package, node.value]))
        if isinstance(node, ast.ImportFrom) and node.level:
            base = [*package[: len(package) - node.level + 1], *filter(None, (node.module or "").split("."))]
            for alias in node.names:
                whole = ".".join([*base, alias.name])
                found.add(whole if whole in known else ".".join(base))
    return {module for module in found if module in known and module != name}


@cache
def graph():
    """The imports of each module, by its name."""
    return {name: imports_of(name, path, MODULES) for name, path in MODULES.items()}


def height(name):
    """(layer, package) as numbers from below; the modules of a layer itself are above its packages."""
    floor, _, rest = name.partition(".")
    rooms = FLOORS[floor]
    inside = [room for room in rooms if f"{rest}.".startswith(f"{room}.")]
    return list(FLOORS).index(floor), rooms.index(max(inside, key=len)) if inside else len(rooms)


def circle_in(graph):
    """The names along one cycle of a graph of imports, or None."""
    state = {}

    def walk(name, way):
        state[name] = "open"
        for other in sorted(graph[name]):
            if state.get(other) == "open":
                return [*way[way.index(other) :], other]
            if other not in state and (found := walk(other, [*way, other])):
                return found
        state[name] = "done"
        return None

    return next(
        (found for name in sorted(graph) if name not in state and (found := walk(name, [name]))), None
    )


def test_no_imports_run_in_a_circle():
    assert circle_in(graph()) is None


def test_circle_would_be_found():
    assert circle_in({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]


def test_module_imports_nothing_from_above():
    imports = [(name, other) for name in MODULES for other in graph()[name]]
    broken = [f"{name} is below {other}" for name, other in imports if height(other) > height(name)]
    assert not broken, "\n".join(sorted(broken))


def test_import_from_above_would_be_found():
    path = ROOT / "engine" / "representation" / "position_record.py"
    assert height("search.tree.search") > height("engine.representation.position_record")
    assert "engine.kernel.bitboard" in imports_of("engine.representation.position_record", path, MODULES)


def test_import_by_a_name_in_a_string_would_be_found(tmp_path):
    path = tmp_path / "module.py"
    path.write_text(
        'TABLE = {"nps": ("bench.speed.nps_command", "help"), "tree": "surajang.search.tree.search"}'
    )
    assert imports_of("cli", path, MODULES) == {"bench.speed.nps_command", "search.tree.search"}
    assert "bench.speed.nps_command" in graph()["cli"]


def test_lazy_name_of_a_package_would_be_found(tmp_path):
    path = tmp_path / "__init__.py"
    path.write_text('__getattr__ = lazy_names(__name__, {"tree.search": ("search",), "engine": ("Engine",)})')
    assert imports_of("search", path, MODULES) == {"search.tree.search", "search.engine"}
    assert "match.play_match" in graph()["match"]


def test_every_folder_has_a_docstring_with_its_content():
    folders = {path.parent for path in MODULES.values()} - {ROOT, *(ROOT / floor for floor in FLOORS)}
    places = {ROOT / floor / room.replace(".", "/") for floor, rooms in FLOORS.items() for room in rooms}
    rooms = {place for place in places if place.is_dir()}
    assert folders == rooms
    for folder in [*rooms, *(ROOT / floor for floor in FLOORS if floor != "cli")]:
        assert ast.get_docstring(tree_of(folder / "__init__.py")), folder


def public_classes(path):
    """The names of a module's classes that other modules may use."""
    return [
        node.name
        for node in tree_of(path).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    ]


def test_no_two_public_classes_share_a_name():
    homes = defaultdict(list)
    for module, path in MODULES.items():
        if module == "engine.fairy_ini.draft":  # its `Piece` stays inside the package
            continue
        for name in public_classes(path):
            homes[name].append(module)
    assert {name: where for name, where in homes.items() if len(where) > 1} == {}
