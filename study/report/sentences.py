"""The figures in sentences. A sentence claims a difference only if the intervals show one."""

from ..figures.advice import Advice
from ..figures.balance import ENOUGH, BalanceRow
from ..figures.first_moves import Openings
from ..figures.rules_at_work import SETUP_CHOICE
from ..figures.study import Study
from ..games.plan import START, SUITE
from .numbers import nodes, number, pawns, percent, points

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
    return found + _balanced_openings(study, row)


def _balanced_openings(study: Study, row: BalanceRow) -> list[str]:
    """White's score from the game's suite at the strength of a row."""
    for other in study.balance.rows:
        if other.source == SUITE and other.nodes == row.nodes and other.games >= ENOUGH:
            return [
                f"From the openings of the game's suite, which an engine judged to be balanced, White scores "
                f"{percent(other.score)} at the same strength, in {other.games:,} games."
            ]
    return []


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
            f"In {percent(found.turned)} of the decisive games the loser was ahead by 2 pawns or more, in "
            f"{percent(found.turned_late)} as late as in the last third of the game."
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
    """How the values of pieces by results are to be read."""
    if not study.values:
        return []
    found = [
        "Values by results explain White's points by the pieces of both sides. They are scaled so that all "
        "pieces at the start are together worth as much as in the game's file. All games count, those of "
        "one opening as one unit. A value includes what goes with the piece in these games, such as endings "
        "that a pawn more wins."
    ]
    if any(row.in_hand for row in study.values):
        found.append(
            "A piece in hand counts only as long as it stays there: its value shows what is left when it is "
            "not dropped at once, so it is below that of the same piece before a drop."
        )
    return found


def openings(study: Study) -> list[str]:
    """The move that is played most."""
    found = study.openings
    if found is None or not found.first:
        return []
    best = found.first[0]
    lines = [
        f"{len(found.first)} different first moves were played. They are drawn among good ones, so that "
        f"games differ; {best.moves[0]} was drawn most, in {best.games:,} of {found.games:,} games."
    ]
    if SETUP_CHOICE in [row.name for row in study.rules.moves] or SETUP_CHOICE in study.rules.never:
        lines.append(
            "The first move of each side chooses its arrangement. It swaps the pieces that it names; the "
            "king's move onto the enemy's king swaps none."
        )
    if found.tree:
        first = found.tree[0]
        lines.append(
            f"Searches prefer {' '.join((*first.moves, *first.continuation))}, with {pawns(first.score)} "
            "for White. Scores of lines are in pawns, from searches, and have no interval."
        )
    return lines + _traps(found)


def _traps(found: Openings) -> list[str]:
    lines = []
    for trap in found.traps:
        games = "1 game" if trap.games == 1 else f"{trap.games:,} games"
        lines.append(
            f"A trap: {' '.join(trap.moves)}. The last move loses {trap.loss / 100:.1f} pawns against the "
            f"best one. {trap.refutation} refutes it; {games} of all strengths fell for it."
        )
    return lines


def advice(study: Study) -> list[str]:
    """What would make the game more even, and which values in the file to look at."""
    found = study.advice
    lines = [*_handicap(found), *_first_move(found)]
    for row in found.values:
        more = "more" if row.value.value > row.in_file else "less"
        lines.append(
            f"The value of the {row.name} in the game's file, {row.in_file}, differs from that by results: "
            f"it is worth {more}, {number(row.value)}."
        )
    if found.values:
        which = "this difference is not" if len(found.values) == 1 else "none of these differences is"
        lines.append(
            f"With 95 % confidence {which} due to chance. The reason may be what a value by results includes."
        )
    if study.values and not found.values:
        lines.append("The games do not show that a piece on the board has a wrong value in the game's file.")
    return lines


def _handicap(found: Advice) -> list[str]:
    """The handicap that makes the game most even."""
    if found.plain is None:
        return []
    plain = f"{percent(found.plain.score)} in {found.plain.games:,} games without one"
    strength = f"at {nodes(found.plain.nodes)} nodes a move"
    if not found.plain.score.excludes(0.5):
        return [
            f"No handicap was tried: the games {strength} do not show that a side is favoured, {plain[:-12]}."
        ]
    if not found.handicaps:
        return ["No handicap was tried: the sides arrange their pieces first, or have none to spare."]
    best = found.best
    if best is None:
        return [f"None of the handicaps that were tried {strength} brings White's score nearer to 50 %."]
    line = (
        f"The handicap that brings White's score nearest to 50 % {strength}: {best.name}. White then scores "
        f"{percent(best.score)} in {best.games:,} games, against {plain}."
    )
    if best.score.excludes(0.5):
        line += " That still favours a side."
    if found.rivals:
        names = ", ".join(f"{row.name} ({percent(row.score)})" for row in found.rivals)
        line += f" The games do not show that these are worse: {names}."
    return [line]


def _first_move(found: Advice) -> list[str]:
    """The first move that makes the game most even."""
    row = found.first_move
    if row is None:
        return []
    return [
        f"Of the first moves with enough games, {row.moves[0]} has the score nearest to 50 %: "
        f"{percent(row.score)} in {row.games:,} games. A rule that prescribes it costs no material. As the "
        "best of several moves it probably looks better than it is."
    ]
