"""Games of a study made by hand."""

from surajang.study.games.study_game import StudyGame

REASONS = {"1-0": "The winner mates", "0-1": "The winner mates", "1/2-1/2": "Stalemate", "*": "No result"}


def study_game(number=0, result="1-0", kinds=("",) * 9, **changes):
    """A `StudyGame` with moves of these `kinds`, and other fields as given."""
    plies = len(kinds)
    facts = {
        "opening": 0,
        "moves": ("e2e4",) * plies,
        "line": ("e4",) * min(plies, 10),
        "scores": (0,) * plies,
        "legal": (20,) * plies,
        "pieces": ("P",) * plies,
        "taken": ("",) * plies,
        "white": (4000,) * plies,
        "black": (4000,) * plies,
        "boards": ("." * 64,),
        "hands": ("",),
        "mobility": (0,) * 40,
        "movable": (0,) * 40,
        "mated": None,
        "reason": REASONS[result],
    }
    return StudyGame(number=number, result=result, kinds=tuple(kinds), **facts | changes)
