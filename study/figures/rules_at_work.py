"""Rules at work: how games end, how often each special move occurs, and which rules never come into play."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ...engine.game.description import REVERTING, Description
from ..games.study_game import Kind, StudyGame
from .intervals import Interval, clipped, ratio

# The rules that end games: name, words of the reasons that they give in small letters, who has the rule.
ENDS: tuple[tuple[str, tuple[str, ...], Callable[[Description], bool]], ...] = (
    ("Mate", ("mates", "is mated"), lambda game: bool(game.royals)),
    ("Too many moves without progress", ("without progress",), lambda game: bool(game.quiet_moves)),
    ("Limit of moves", ("moves of each side",), lambda game: bool(game.move_limit)),
    ("Repetition", ("repetition",), lambda game: bool(game.repetition_times)),
    ("Perpetual check", ("perpetually",), lambda game: game.repetition_perpetual_check == "loss"),
    ("Number of checks", ("enough checks",), lambda game: bool(game.check_limit)),
    ("Goal", ("goal",), lambda game: bool(game.goal)),
    ("Bare king", ("nothing but",), lambda game: game.bare_king is not None),
    ("Loss of pieces", ("pieces left", "has lost"), lambda game: bool(game.extinction)),
    ("Both sides pass", ("both sides passed",), lambda game: game.passing),
    ("Facing kings", ("bikjang", "exposed the kings"), lambda game: bool(game.facing_kings)),
    ("Explosion of the king", ("explodes",), lambda game: game.explosion is not None),
    ("Neither side can mate", ("can mate",), lambda game: game.dead_positions is not None),
    ("Merchant takes the king", ("backstabs",), lambda game: bool(game.merchants)),
)
SETUP_CHOICE = "Setup choice that swaps pieces"
NO_MOVE = ("stalemate", "has no move")


def _takes_in_passing(game: Description) -> bool:
    return any(piece.en_passant for piece in game.pieces) and any(piece.steps for piece in game.pieces)


def _begins_with_choices(game: Description) -> bool:
    return bool(game.setup_swaps) and "S" in game.start_fen.split()[2]


# Moves by rules of the whole game: name, who has the rule, and their letter in `StudyGame.kinds`.
SPECIAL: tuple[tuple[str, Callable[[Description], bool], str], ...] = (
    ("Captures of own pieces", lambda game: bool(game.self_capture), Kind.OWN_CAPTURE),
    ("Captures between two merchants", lambda game: bool(game.merchants), Kind.CUSTODIAN),
    ("Bumps", lambda game: bool(game.bumping), Kind.BUMP),
    ("Castling", lambda game: bool(game.castling), Kind.CASTLING),
    ("En passant", _takes_in_passing, Kind.EN_PASSANT),
    ("Entries at a gate", lambda game: bool(game.gates), Kind.GATE),
    ("Changes of colour", lambda game: bool(game.colour_change), Kind.COLOUR_CHANGE),
    ("Pass", lambda game: bool(game.passing), Kind.PASS),
    (SETUP_CHOICE, _begins_with_choices, Kind.SWAP),
)


@dataclass(frozen=True)
class RuleRow:
    """The frequency of an event: in `games` games, which is a `share` of all of them, and `times` times in
    total."""

    name: str
    games: int
    times: int
    share: Interval


@dataclass(frozen=True)
class RulesAtWork:
    """How the `games` end, most frequent first; the special moves that occur; and the rules that `never` came
    into play, each of them in fewer than `never_share` of all games with 95 % confidence."""

    games: int
    ends: tuple[RuleRow, ...]
    moves: tuple[RuleRow, ...]
    never: tuple[str, ...]
    never_share: float


def rules_at_work(games: Sequence[tuple[object, StudyGame]], description: Description) -> RulesAtWork:
    """The rules at work in games, each given with its opening: games of one opening are one unit."""
    reasons = sorted({game.reason for _, game in games})
    ends = [_row(reason, games, _ending(reason)) for reason in reasons]
    moves = [_row(name, games, count) for name, count in special_moves(description)]
    never = [row.name for row in moves if not row.times]
    if games:
        never = [*_ends_that_never_came(reasons, description), *never]
    units = len({opening for opening, _ in games})
    return RulesAtWork(
        len(games),
        tuple(sorted(ends, key=lambda row: -row.games)),
        tuple(row for row in moves if row.times),
        tuple(never),
        1 - 0.05 ** (1 / units) if units else 1.0,
    )


def special_moves(description: Description) -> Iterator[tuple[str, Callable[[StudyGame], int]]]:
    """Yields (name, function that counts them in a game) of the kinds of moves that a game has."""
    yield "Captures", _counting(Kind.CAPTURE)
    if description.royals:
        yield "Checks", _counting(Kind.CHECK)
    for name, has_rule, kind in SPECIAL:
        if has_rule(description):
            yield name, _counting(kind)
    names = {piece.letter: piece.name for piece in description.pieces}
    for piece in description.kinds:
        if piece.steps:
            yield f"{piece.name} makes a longer step", _made_by(Kind.LONG_STEP, piece.letter)
        if piece.letter in description.first_moves:
            yield f"{piece.name} leaps with its first move", _made_by(Kind.FIRST_LEAP, piece.letter)
        for made in dict.fromkeys(letter.removesuffix(REVERTING) for letter in piece.promotes_to):
            yield f"{piece.name} promotes to {names.get(made, made)}", _promoting(piece.letter, made)
    dropped = [piece.letter for piece in description.hand_pieces]
    if description.drops_promoted:
        dropped += [made for piece in description.hand_pieces for made in piece.promotes_to]
    for letter in dict.fromkeys(each.removesuffix(REVERTING) for each in dropped):
        yield f"{names.get(letter, letter)} is dropped", _made_by(Kind.DROP, letter)


def _ending(reason: str) -> Callable[[StudyGame], int]:
    return lambda game: int(game.reason == reason)


def _counting(kind: str) -> Callable[[StudyGame], int]:
    return lambda game: sum(kind in kinds for kinds in game.kinds)


def _promoting(letter: str, made: str) -> Callable[[StudyGame], int]:
    return lambda game: sum(
        Kind.PROMOTION in kinds and moved == letter and move[-1:].upper() == made
        for kinds, moved, move in zip(game.kinds, game.pieces, game.moves, strict=True)
    )


def _made_by(kind: str, letter: str) -> Callable[[StudyGame], int]:
    return lambda game: sum(
        kind in kinds and letter == moved for kinds, moved in zip(game.kinds, game.pieces, strict=True)
    )


def _row(name: str, games: Sequence[tuple[object, StudyGame]], count: Callable[[StudyGame], int]) -> RuleRow:
    counts = [(opening, count(game)) for opening, game in games]
    units: dict[object, list[int]] = {}
    for opening, number in counts:
        units.setdefault(opening, []).append(int(number > 0))
    found = ratio([sum(unit) for unit in units.values()], [len(unit) for unit in units.values()])
    return RuleRow(
        name, sum(number > 0 for _, number in counts), sum(n for _, n in counts), clipped(found, 1.0)
    )


def _ends_that_never_came(reasons: Sequence[str], description: Description) -> Iterator[str]:
    """Yields the names of the rules that end a game and have not ended any."""
    found = [reason.lower() for reason in reasons]
    for name, words, has_rule in ENDS:
        if has_rule(description) and not any(word in reason for reason in found for word in words):
            yield name
    if not any(words in reason for reason in found for words in NO_MOVE):
        yield "Stalemate"
