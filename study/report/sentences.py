"""The figures in sentences. A sentence claims a difference only if the intervals show one."""

from ..figures.balance import BalanceRow
from ..figures.study import Study
from ..games.plan import START
from .numbers import nodes, number, percent, points

MOST_BOUND = 0.5  # a share of games below which a bound is worth a sentence


def about(study: Study) -> list[str]:
    """Where the figures come from."""
    source = study.source
    return [
        f"{study.games:,} games of {source.title} by {source.evaluation}, seed {source.seed}. "
        f"{source.start_openings:,} openings from the start, "
        f"{source.suite_openings:,} from the game's suite.",
        "Every figure has its 95 % interval in brackets. The engine plays both sides, so the figures say how "
        "the game is played by an engine of that strength, which may differ from play by people.",
    ]


def balance(study: Study) -> list[str]:
    """Who is favoured, how much is drawn, and what changes with strength."""
    row = study.balance.strongest
    if row is None:
        return []
    found = [_favour(row), f"{percent(row.drawn)} of these games are draws."]
    weakest = min((r for r in study.balance.rows if r.source == START), key=lambda r: r.nodes)
    for what, change in (
        ("White's score", study.balance.score_change),
        ("the share of draws", study.balance.drawn_change),
    ):
        if change is None or not change.is_known or weakest is row:
            continue
        span = f"from {nodes(weakest.nodes)} to {nodes(row.nodes)} nodes a move: {points(change)}"
        if change.excludes(0):
            moves = "rises" if change.value > 0 else "falls"
            found.append(f"{what[:1].upper()}{what[1:]} {moves} with strength, {span}.")
        else:
            found.append(f"The games do not show that {what} changes with strength, {span}.")
    return found


def _favour(row: BalanceRow) -> str:
    score = f"White scores {percent(row.score)} from the start at {nodes(row.nodes)} nodes a move"
    games = f"in {row.games:,} games" if row.games > 1 else "in the only game"
    if not row.score.excludes(0.5):
        return f"{score}, {games}: they do not show that either side is favoured."
    return f"{score}, {games}: {'White' if row.score.value > 0.5 else 'Black'} is favoured."


def rules(study: Study) -> list[str]:
    """The rules that never came into play."""
    found = study.rules
    if not found.never:
        return []
    lines = [f"Never came into play in {found.games:,} games: {', '.join(found.never)}."]
    if found.never_share < MOST_BOUND:
        lines.append(
            "With 95 % confidence, each of these comes into play in fewer than "
            f"{100 * found.never_share:.2g} % of such games."
        )
    return lines


def character(study: Study) -> list[str]:
    """Length, choice, turns."""
    found = study.character
    if found is None:
        return []
    first, middle, third = found.quartiles
    lines = [
        f"At {nodes(found.nodes)} nodes a move a game lasts {number(found.plies)} plies; half of the games "
        f"last {first} to {third}, the median is {middle}.",
        f"A position has {number(found.legal_moves, 1)} legal moves.",
        f"The lead passes from one side to the other {number(found.lead_changes, 2)} times a game.",
    ]
    if found.turned.is_known:
        lines.append(
            f"In {percent(found.turned)} of the decisive games the loser was ahead by 2 pawns or more."
        )
    if (sharp := study.sharpness) is not None:
        lines.append(
            f"The second-best move loses {number(sharp.loss)} centipawns; in {percent(sharp.sharp)} of "
            f"{sharp.positions} positions it loses a pawn or more."
        )
        lines.append(
            f"A search changes its best move in {percent(sharp.changes)} of its steps to the next depth."
        )
    return lines


def pieces(study: Study) -> list[str]:
    """The pieces whose value in the game's file differs from that by results."""
    if not study.values:
        return []
    found = [
        "Values by results explain White's points by the pieces of both sides. Their unit is that of the "
        "game's file: the pieces at the start are worth as much as there."
    ]
    for row in study.values:
        if row.differs:
            more = "more" if row.value.value > row.in_file else "less"
            name = f"{row.name} in hand" if row.in_hand else row.name
            found.append(
                f"{name}: worth {more} by results, {number(row.value)}, than in the game's file, "
                f"{row.in_file}."
            )
    return found


def openings(study: Study) -> list[str]:
    """The move that is played most."""
    found = study.openings
    if found is None or not found.first:
        return []
    best = found.first[0]
    return [
        f"{len(found.first)} different first moves were played. They are drawn among good ones, so that "
        f"games differ; {best.moves[0]} was drawn most, in {best.games:,} of {found.games:,} games."
    ]
