"""Games of a match as PGN: tags, moves and the engines' reports. This module opens no files."""

from collections.abc import Sequence

from ...engine.notation.comments import WhiteScore, writable
from ...engine.notation.game_tree import Game, GameNode
from ...engine.position import Position
from ...engine.variant import Variant
from ..players.control import TimeControl
from .model import MoveRecord, Record, Termination

TERMINATIONS = {  # in the words of the PGN standard
    Termination.NORMAL: "normal",
    Termination.ADJUDICATION: "adjudication",
    Termination.UNTERMINATED: "unterminated",
    Termination.TIME: "time forfeit",
    Termination.ILLEGAL: "rules infraction",
    Termination.CLAIM: "rules infraction",
    Termination.PROTOCOL: "rules infraction",
    Termination.CRASH: "abandoned",
    Termination.DISCONNECT: "abandoned",
    Termination.STALL: "abandoned",
    Termination.START: "abandoned",
}


def write_pgn(
    record: Record,
    variant: Variant,
    names: Sequence[str],
    controls: Sequence[TimeControl],
    event: str = "Surajang",
    site: str = "?",
) -> str:
    """A `Record` as PGN, followed by an empty line; `names` and `controls` by the engines' numbers.

    Each move of an engine is followed by its score in pawns for White (or moves to mate), its depth and the
    time it took; moves of the opening by "book"; the last by the reason of the result. Moves that are not
    legal, as after a change of the rules, stand in a comment.
    """
    game = Game(variant, record.game.opening.fen)
    game.headers.update(_tags(record, names, controls, event, site))
    last, left_out = _add_moves(game, record)
    reason = f"not legal here: {' '.join(left_out)}; {record.reason}" if left_out else record.reason
    last.comment = f"{last.comment} {' '.join(reason.split())}".strip()
    return f"{game}\n\n"


def _add_moves(game: Game, record: Record) -> tuple[GameNode, list[str]]:
    """Adds the moves with their comments; returns the last node, and the moves from the first that is not
    legal."""
    opening = record.game.opening
    comments: list[MoveRecord | None] = [*[None] * len(opening.moves), *record.plies]
    moves = [*opening.moves, *(ply.move for ply in record.plies)]
    node: GameNode = game
    position: Position = game.position()
    for number, (text, ply) in enumerate(zip(moves, comments, strict=True)):
        try:
            move = position.push_san(text)
        except ValueError:
            return node, moves[number:]
        node = node.add_variation(move)
        _say(node, ply, 1 if position.turn else -1)
    return node, []


def _say(node: GameNode, ply: MoveRecord | None, sign: int) -> None:
    """Writes the comment on a move, with the score for White: `sign` is -1 for Black's moves."""
    if ply is None:
        node.comment = "book"
        return
    if ply.mate is not None:
        node.set_eval(writable(WhiteScore(None, sign * ply.mate, ply.depth)))
    elif ply.score is not None:
        node.set_eval(writable(WhiteScore(sign * ply.score, None, ply.depth)))
    node.set_emt(ply.seconds)


def _tags(
    record: Record, names: Sequence[str], controls: Sequence[TimeControl], event: str, site: str
) -> dict[str, str]:
    game, opening = record.game, record.game.opening
    tags = {
        "Event": event,
        "Site": site,
        "Date": record.started[:10].replace("-", ".") or "????.??.??",
        "Round": f"{game.number + 1}" + (f".{game.replay}" if game.replay else ""),
        "White": names[game.white],
        "Black": names[game.black],
        "Result": record.score,
    }
    if opening.name:
        tags["Opening"] = opening.name
    tags |= _control_tags(controls[game.white], controls[game.black])
    if record.started:
        tags["GameStartTime"] = record.started
    tags["GameDuration"] = _clock(round(record.seconds))
    tags["Termination"] = TERMINATIONS[record.termination]
    tags["PlyCount"] = str(len(opening.moves) + len(record.plies))
    return tags


def _control_tags(white: TimeControl, black: TimeControl) -> dict[str, str]:
    """The standard's tag TimeControl, and tags of ours for each side where that does not hold all limits."""
    standard = [_standard_control(control) for control in (white, black)]
    tags = {"TimeControl": standard[0] if white == black else "?"}
    if white != black or standard[0] != str(white):
        tags |= {"WhiteTimeControl": str(white), "BlackTimeControl": str(black)}
    return tags


def _standard_control(control: TimeControl) -> str:
    """The part that PGN can express: a clock, a time for each move (as a period of one move), or no clock."""
    if control.base is not None:
        return str(control).split()[0]
    return f"1/{control.movetime:g}" if control.movetime is not None else "-"


def _clock(seconds: int) -> str:
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
