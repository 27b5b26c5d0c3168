"""Games that extend one that comes with the engine and add hands, against children of the same game in
Fairy-Stockfish: the legal moves of random games."""

import pyffish
import pytest
from surajang.bench.speed.coverage_command import PyffishReferee, compare
from surajang.engine.fairy_ini.importing import import_text

pytestmark = pytest.mark.compiled

GAMES, PLIES = 2, 80
HAND = "pieceDrops = true\ncapturesToHand = true\n"
POCKET = "pieceDrops = true\ncapturesToHand = false\npocketSize = 4\n"
ARMY, ROYAL_ARMY = 'pieces = "PNBRQ"', 'pieces = "PNBRQK"'
NO_PAWNS = "forbidden = { P = [1, 8] }"
# parent -> keys of Fairy-Stockfish, our table `drops`, the hands at the start
CHILDREN = {
    "chess": (HAND, f"{ARMY}\n{NO_PAWNS}\nreverts = true", ""),
    "torpedo": (HAND + "dropLoop = true\n", f"{ARMY}\n{NO_PAWNS}", ""),
    "3check": (HAND, f"{ARMY}\n{NO_PAWNS}\nreverts = true", ""),
    "kingofthehill": (POCKET, f"{ARMY}\n{NO_PAWNS}\ncaptures = false", "QNqn"),
    "antichess": (HAND, f"{ROYAL_ARMY}\n{NO_PAWNS}\nreverts = true", ""),
    "losers": (POCKET, f"{ARMY}\n{NO_PAWNS}\ncaptures = false", "RBrb"),
    "makpong": (
        HAND + "dropChecks = false\n",
        'pieces = "PNSRM"\nchecks = "never"\nforbidden = { P = [1, 6, 7, 8] }\nreverts = true',
        "",
    ),
}


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("parent", CHILDREN)
def test_child_with_a_hand_has_the_moves_of_fairy_stockfish(parent, tmp_path):
    keys, drops, hand = CHILDREN[parent]
    name = f"{parent}-hand"
    board, rest = pyffish.start_fen(parent).split(maxsplit=1)
    start = f"{board.partition('[')[0]}[{hand}] {rest}"
    section = f"[{name}:{parent}]\n{keys}startFen = {start}\n"
    pyffish.load_variant_config(section)
    lines = f'extends = "{parent}"\nname = "{name}"\ntitle = "X"\nstart = "{start}"\n[drops]\n{drops}\n'
    (tmp_path / f"{name}.toml").write_text(lines)
    (tmp_path / f"{name}-2.toml").write_text(import_text(section, "x.ini")[name].toml)
    for path in (tmp_path / f"{name}.toml", tmp_path / f"{name}-2.toml"):
        found, positions = compare(path, PyffishReferee(pyffish, name), GAMES, depth=1, longest=PLIES)
        assert found is None, path.name
        assert positions > 20
