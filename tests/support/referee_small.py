"""Slow models of Dobutsu shogi and Jeson Mor, which share nothing with the engine."""

STEPS = {
    "L": {(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y},
    "G": {(0, 1), (0, -1), (1, 0), (-1, 0)},
    "E": {(1, 1), (1, -1), (-1, 1), (-1, -1)},
    "C": {(0, 1)},
    "H": {(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, 1)},
    "N": {(x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y)},
}
GAMES = {"dobutsu": ("gle/1c1/1C1/ELG", "L"), "jesonmor": ("nnnnnnnnn" + "/9" * 7 + "/NNNNNNNNN", "N")}


class SmallGame:
    """A game from its start on: `board` has letters by (file, rank), upper case for White."""

    def __init__(self, name):
        rows, self._goal = GAMES[name]
        self._dobutsu = name == "dobutsu"
        self.board, self.turn, self.hands = {}, 0, ([], [])
        self._ranks = rows.count("/") + 1
        self._files = 3 if self._dobutsu else 9
        for rank, row in zip(range(self._ranks, 0, -1), rows.split("/"), strict=True):
            file = 0
            for sign in row:
                if sign.isalpha():
                    self.board[file, rank - 1] = sign
                file += 1 if sign.isalpha() else int(sign)
        self._quiet, self._stood = 0, []
        self._note()

    def _note(self):
        hands = tuple(tuple(sorted(hand)) for hand in self.hands)
        self._stood.append((tuple(sorted(self.board.items())), self.turn, hands))

    def _own(self, place, side):
        return place in self.board and self.board[place].isupper() == (side == 0)

    def _targets(self, place, side):
        for x, y in STEPS[self.board[place].upper()]:
            target = place[0] + x, place[1] + (y if side == 0 else -y)
            if 0 <= target[0] < self._files and 0 <= target[1] < self._ranks and not self._own(target, side):
                yield target

    def moves(self):
        """Text -> (from or the letter dropped, to, the letter that stands there)."""
        found = {}
        for place in [place for place in self.board if self._own(place, self.turn)]:
            for target in self._targets(place, self.turn):
                letter = self.board[place]
                text = name(place) + name(target)
                if letter.upper() == "C" and target[1] == (self._ranks - 1, 0)[self.turn]:
                    letter, text = "hH"[letter.isupper()], text + "h"
                found[text] = place, target, letter
        empty = [(x, y) for x in range(self._files) for y in range(self._ranks) if (x, y) not in self.board]
        for letter in set(self.hands[self.turn]):
            for target in empty:
                own = letter if self.turn == 0 else letter.lower()
                found[f"{letter}@{name(target)}"] = letter, target, own
        return found

    def push(self, text):
        """Makes a legal move."""
        source, target, letter = self.moves()[text]
        self._quiet += 1
        if isinstance(source, str):
            self.hands[self.turn].remove(source)
        else:
            if target in self.board:
                self._quiet = 0
                if self._dobutsu:
                    taken = self.board[target].upper()
                    self.hands[self.turn].append("C" if taken == "H" else taken)
            del self.board[source]
        self.board[target] = letter
        self.turn = 1 - self.turn
        self._note()

    def result(self):
        """The score, None while the game is in progress."""
        mover, score = 1 - self.turn, ("1-0", "0-1")
        if self._dobutsu and "lL"[self.turn == 0] not in self.board.values():
            return score[mover]
        for side in (mover, self.turn):
            for place in self.board:
                if (
                    self._own(place, side)
                    and self.board[place].upper() == self._goal
                    and self._at_goal(place, side)
                ):
                    attackers = [p for p in self.board if self._own(p, self.turn)]
                    taken = side == mover and any(place in self._targets(p, self.turn) for p in attackers)
                    if not taken:
                        return score[side]
        if not self.moves():
            return score[mover]
        drawn = self._stood.count(self._stood[-1]) >= 3 or (not self._dobutsu and self._quiet >= 100)
        return "1/2-1/2" if drawn else None

    def _at_goal(self, place, side):
        return place[1] == (self._ranks - 1, 0)[side] if self._dobutsu else place == (4, 4)


def name(place):
    """A square as text."""
    return f"{'abcdefghi'[place[0]]}{place[1] + 1}"
