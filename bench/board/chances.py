"""From scores to chances, and from lost chances to marks. Everything is in White's view, from -1 to 1."""

from ...protocol.uci.outlook import outlook_of

MARKS = ((0.3, "??"), (0.2, "?"), (0.1, "?!"))  # least loss of chances, and the mark
SCORES = {"1-0": 1.0, "0-1": -1.0, "1/2-1/2": 0.0}


def with_chance(eval_, description):
    """A score {"cp" or "mate"} with "chance": what White can expect of it."""
    win, _, loss = outlook_of(description).chances(eval_.get("cp", 0), eval_.get("mate"))
    return eval_ | {"chance": (win - loss) / 1000}


def final(result):
    """The score of a game that is over."""
    chance = SCORES[result.score]
    return {"chance": chance, "over": result.score}


def mark(before, after, turn):
    """The mark of a move of `turn` by the chances before and after it, "" for a good one."""
    loss = (before["chance"] - after["chance"]) * (-1 if turn else 1)
    return next((text for least, text in MARKS if loss >= least), "")
