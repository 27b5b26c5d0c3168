"""The parameters of the evaluation, from a game's file, derived, and tuned.

`Parameters` are the numbers that a person or the tuner sets; `build_weights` turns them into tables for
compiled code. `evaluate` uses them."""

import tomllib
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ...engine.definition import catalogue
from ...engine.game.description import Description, PieceDescription, VariantError
from ...engine.game.mobility import reached
from ...engine.game.text_files import fault_of

REACH_SWING = 24  # centipawns of a square from which a piece reaches twice its average
MAX_SWING = 30
PAWN_ADVANCE = 80  # centipawns of a pawn one step from promotion over one at home
PAWN_CENTRE = 4  # centipawns for each file nearer to the centre
KING_STRAYING = 16  # centipawns lost for each rank the king leaves its own
KING_WING = 6  # centipawns for each file between the king and the centre, at home

UNIT = 16  # parts of a danger unit that the tables count in
HAND_COUNTS = 20  # largest count of a piece in hand with its own value
MOBILITY_ENTRIES = 64
DANGER_STEP = 8  # danger units between two numbers of the curve
DANGER_KNOTS = 25
DANGER_ENTRIES = DANGER_STEP * (DANGER_KNOTS - 1) + 1
MAX_DANGER = 5000  # centipawns
NORMAL_SCALE = 250.0  # of the scores that people see, whatever the game
IN_UNITS = (  # parameters in danger units
    *("attack", "check", "threat", "drop", "initiative", "weak", "hole", "escape", "shelter", "backstab"),
)
OF_MERCHANTS = ("held", "escort", "between", "backstab")  # parameters of games that have them


@dataclass
class Parameters:
    """What tuning may change; floats throughout. Centipawns where nothing else is said.

    By kind: `material` and `squares` (kinds x squares, White's view, over the material). By hand piece:
    `hand`, and `drop` in danger units. `crowd` is what each further piece of a kind in hand is worth, as a
    part of the one before it. By mover: `mobility` for each square, and in danger units `attack` for each
    square beside the king that it hits, `check` for a safe check by a drop and `threat` for one by a piece on
    the board. In danger units: `initiative` for the move, `weak` for each square beside the king that only
    the king defends and the enemy attacks, `hole` for each empty one that nobody else defends and each kind
    in the enemy's hand, `escape` off for each that the king could flee to, `shelter` off for each of the own
    pieces there. `danger` is what 0, DANGER_STEP, 2 DANGER_STEP... units are worth, never less than fewer
    units are; between them it is a straight line. `scale` are the centipawns that stand for a win in 73 of
    100 games, 1 / (1 + 1/e).

    In games with merchants: by mover `held` for each enemy that they immobilise; `escort` for each own piece
    beside them, `between` for each enemy that stands beside one and that another can step behind, and
    `backstab` in danger units where that is the king."""

    material: np.ndarray
    squares: np.ndarray
    hand: np.ndarray
    crowd: float
    mobility: np.ndarray
    attack: np.ndarray
    check: np.ndarray
    threat: np.ndarray
    drop: np.ndarray
    initiative: float
    weak: float
    hole: float
    escape: float
    shelter: float
    danger: np.ndarray
    tempo: float
    scale: float
    held: np.ndarray
    escort: float
    between: float
    backstab: float

    def as_toml(self, description: Description) -> str:
        """The parameters as the text of a file for `tuned_parameters`."""
        lines = [f'game = "{description.name}"', f"pieces = {_letters(description)!r}".replace("'", '"')]
        for name in parameter_names(description):
            if name != "squares":
                lines.append(f"{name} = {np.round(np.asarray(getattr(self, name), float), 2).tolist()}")
        lines.append("\n# Centipawns over the material for each square, White's view, the last rank first.")
        for piece, row in zip(description.pieces, self.squares, strict=True):
            lines.append(f'[squares."{piece.letter}"]\nranks = [')
            ranks = np.round(row).astype(int).reshape(description.ranks, description.files)[::-1]
            lines += ["  [" + ", ".join(f"{value:4}" for value in rank) + "]," for rank in ranks]
            lines.append("]")
        return "\n".join(lines) + "\n"


def parameter_names(description: Description) -> list[str]:
    """The names of the parameters that apply to a game."""
    names = [field.name for field in fields(Parameters)]
    return names if description.merchants else [name for name in names if name not in OF_MERCHANTS]


def _letters(description: Description) -> list[str]:
    return [piece.letter for piece in description.pieces]


@cache
def weights_dtype(rules: Any) -> np.dtype[Any]:
    """The record of one game's weights.

    `board` and `hand` are values by kind and by hand piece (a last entry of 0 stands for no piece), `capture`
    what taking a kind changes, the hand included, `squares` values by side, kind and square with `board`
    included, `hands` by hand piece and count, `mobility` by mover and squares reached, `danger` by units.
    What counts in units is in parts of UNIT; its names are those of `Parameters`. `reached` is not a weight:
    an evaluation notes there the squares that the pieces of each side and mover attack."""
    hands = rules.hand_kinds + 1
    return np.dtype(
        [
            ("board", np.int32, (rules.kinds + 1,)),
            ("hand", np.int32, (hands,)),
            ("capture", np.int32, (rules.kinds + 1,)),
            ("hands", np.int32, (hands, HAND_COUNTS)),
            ("squares", np.int16, (2, rules.kinds, rules.squares)),
            ("mobility", np.int16, (rules.mover_count, MOBILITY_ENTRIES)),
            ("attack", np.int32, (rules.mover_count,)),
            ("check", np.int32, (rules.mover_count,)),
            ("threat", np.int32, (rules.mover_count,)),
            ("drop", np.int32, (hands,)),
            ("initiative", np.int32),
            ("weak", np.int32),
            ("hole", np.int32),
            ("escape", np.int32),
            ("shelter", np.int32),
            ("danger", np.int32, (DANGER_ENTRIES,)),
            ("tempo", np.int32),
            ("scale", np.int32),
            ("held", np.int32, (rules.mover_count,)),
            ("escort", np.int32),
            ("between", np.int32),
            ("backstab", np.int32),
            ("reached", np.uint64, (2 * rules.mover_count, rules.empty.width // 64)),
        ],
        align=True,
    )


def default_parameters(rules: Any, description: Description) -> Parameters:
    """The parameters that follow from a game's description, before any tuning."""
    attack, check = np.zeros(rules.mover_count), np.zeros(rules.mover_count)
    for kind, piece in enumerate(description.pieces):
        if not piece.royal:
            attack[rules.kind_mover[kind]] = _danger_units(piece.value)
            check[rules.kind_mover[kind]] = 3.0
    hand = np.array([piece.hand_value for piece in description.hand_pieces], float)
    return Parameters(
        material=np.array([piece.value for piece in description.pieces], float),
        squares=np.array([_square_table(rules, description, piece) for piece in description.pieces], float),
        hand=hand,
        crowd=0.95,
        mobility=np.full(rules.mover_count, 3.0),
        attack=attack,
        check=check,
        threat=check / 3,
        drop=np.array([_danger_units(value) for value in hand]),
        initiative=0.0,
        weak=3.0,
        hole=1.0,
        escape=0.5,
        shelter=0.0,
        danger=np.minimum((DANGER_STEP * np.arange(DANGER_KNOTS)) ** 2 / 6.0, MAX_DANGER),
        tempo=12.0,
        scale=NORMAL_SCALE,
        held=np.full(rules.mover_count, 15.0),
        escort=5.0,
        between=30.0,
        backstab=5.0,
    )


def weights_path(description: Description) -> Path:
    """The path of a game's tuned parameters: beside its file, in the folder `weights`."""
    return description.path.parent / "weights" / f"{description.name}.toml"


def _own_or_inherited_path(description: Description) -> Path:
    """The file of a game's tuned parameters: its own, or that of a game with the same pieces that it
    extends."""
    game = description
    while not weights_path(game).exists() and game.extends is not None:
        game = catalogue.load(str(game.extends))
    return weights_path(game if _same_pieces(game, description) else description)


def _same_pieces(game: Description, other: Description) -> bool:
    def facts(game: Description) -> tuple[Any, ...]:
        kinds = [(p.letter, p.value, p.moves, p.palace_moves, p.droppable) for p in game.pieces]
        return game.files, game.ranks, kinds

    return facts(game) == facts(other)


def tuned_parameters(rules: Any, description: Description, path: Path | None = None) -> Parameters:
    """The tuned parameters of a game, or its default ones if there are none for these pieces.

    They are in the file at `path`, by default at `weights_path`; a game without them uses those of its parent
    game, if board and pieces are the same. Raises VariantError for a damaged file."""
    path = path or _own_or_inherited_path(description)
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return default_parameters(rules, description)
    except (OSError, ValueError) as error:
        raise VariantError(f"{path}: cannot be read: {fault_of(error)}") from None
    found = read_parameters(text, rules, description, path)
    return default_parameters(rules, description) if found is None else found


def read_parameters(
    text: str, rules: Any, description: Description, path: str | Path = "the weights"
) -> Parameters | None:
    """The parameters in the text of a file, or None if they are for other pieces. Raises VariantError, with
    `path`, for a damaged text."""
    parameters = default_parameters(rules, description)
    try:
        data = tomllib.loads(text)
    except ValueError as error:
        raise VariantError(f"{path}: {error}") from None
    if data.get("pieces") != _letters(description):
        return None
    for name in parameter_names(description):
        try:
            value = _squares_in(data, description) if name == "squares" else np.array(data[name], float)
        except (KeyError, ValueError, TypeError) as error:
            raise VariantError(f"{path}: {name}: {error!r} where numbers should be") from None
        shape = np.shape(getattr(parameters, name))
        if value.shape != shape or not np.isfinite(value).all():
            raise VariantError(f"{path}: {name}: {value.shape} numbers, but the game needs {shape}")
        setattr(parameters, name, value if shape else float(value))
    return parameters


def _squares_in(data: dict[str, Any], description: Description) -> npt.NDArray[np.float64]:
    """The tables of squares of a file, kinds x squares, the first rank first."""
    tables = [data["squares"][letter]["ranks"] for letter in _letters(description)]
    return np.array([np.array(table, float)[::-1].ravel() for table in tables])


def build_weights(rules: Any, description: Description, parameters: Parameters | None = None) -> Any:
    """The weights of a game as a record of `weights_dtype`; of its tuned parameters where none are given."""
    p = tuned_parameters(rules, description) if parameters is None else parameters
    weights = np.zeros(1, weights_dtype(rules))[0]
    shape = (description.ranks, description.files)
    weights["board"][:-1] = np.round(p.material)
    weights["hand"][:-1] = np.round(p.hand)
    names = [piece.letter for piece in description.hand_pieces]
    for kind, piece in enumerate(description.pieces):
        table = np.round(p.squares[kind]) + weights["board"][kind]
        weights["squares"][0, kind] = table
        weights["squares"][1, kind] = table.reshape(shape)[::-1].ravel()
        base = piece.base if piece.base in names else None
        weights["capture"][kind] = weights["board"][kind] + (
            weights["hand"][names.index(base)] if base else 0
        )
    counts = np.arange(HAND_COUNTS - 1)
    for index, value in enumerate(p.hand):
        weights["hands"][index, 1:] = np.round(np.cumsum(value * np.maximum(p.crowd**counts, 0.5)))
    weights["mobility"] = np.round(np.outer(p.mobility, np.arange(MOBILITY_ENTRIES)))
    for name in IN_UNITS:
        value = np.round(np.asarray(getattr(p, name)) * UNIT)
        if name == "drop":
            weights[name][:-1] = value
        else:
            weights[name] = value
    knots = DANGER_STEP * np.arange(DANGER_KNOTS)
    weights["danger"] = np.round(np.interp(np.arange(DANGER_ENTRIES), knots, np.maximum.accumulate(p.danger)))
    for name in ("tempo", "held", "escort", "between"):
        weights[name] = np.round(getattr(p, name))
    weights["scale"] = max(1, round(p.scale))
    return weights


def _danger_units(value: float) -> float:
    """How much a piece of that value endangers a king: 1 for a pawn, 5 for a queen."""
    return float(1 + min(4, value // 260))


def _square_table(rules: Any, description: Description, piece: PieceDescription) -> npt.NDArray[np.float64]:
    """Centipawns by square for a piece of White over its value."""
    files, ranks = description.files, description.ranks
    file = np.arange(rules.squares) % files
    rank = np.arange(rules.squares) // files
    wing = np.abs(file - (files - 1) / 2)
    if piece.royal:
        return KING_WING * wing * (rank == 0) - KING_STRAYING * rank
    if piece.only_forward and piece.promotes_to:
        goal = min(description.promotion_ranks(piece)) - 1
        progress = np.clip((rank - 1) / max(1, goal - 2), 0, 1)
        return PAWN_ADVANCE * progress**2 + PAWN_CENTRE * ((files - 1) / 2 - wing)
    moves = (*piece.moves, *piece.palace_moves)
    reach = np.array([reached(files, ranks, moves, square) for square in range(rules.squares)])
    swing = REACH_SWING * (reach / reach.mean() - 1)
    return np.clip(swing, -MAX_SWING, MAX_SWING)
