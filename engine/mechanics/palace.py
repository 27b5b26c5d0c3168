"""The palace: squares around each king with diagonals of their own, which some pieces never leave.

Its diagonals are lines of the board (`representation.geometry`), so it has no code of its own."""

from typing import Any

from ..game.betza import Ride, unplayed_modes
from ..game.description import FILE_LETTERS, Description, Palace
from ..game.table_reader import GameReader, TableReader
from ..game.words import listed, named
from .mechanic import Mechanic, Rule


def read(game: GameReader, table: TableReader) -> Palace:
    for letter in table.get("files", str):
        if letter not in FILE_LETTERS[: game.files]:
            raise table.error("files", f"{letter!r} is not a file of this board")
    inside = tuple(FILE_LETTERS.index(letter) for letter in table.table["files"])
    palace = Palace(inside, table.rank_list("ranks", game.ranks))
    for key, numbers in (("files", palace.files), ("ranks", palace.ranks)):
        if len(numbers) != 3 or numbers != tuple(range(numbers[0], numbers[0] + 3)):
            raise table.error(key, f"{table.table[key]!r} should be three neighbours, in order")
    return palace


def read_pieces(game: GameReader) -> dict[str, dict[str, Any]]:
    if "palace" not in game.top.table:
        return {}
    table = game.top.table_at("palace")
    diagonals = table.table_at("diagonals", {})
    diagonals.finish(*game.known)
    moves: dict[str, tuple[Ride, ...]] = {}
    for letter in diagonals.table:
        moves[letter] = diagonals.moves(letter)
        for move in moves[letter]:
            odd = move.initial or move.en_passant or unplayed_modes(move)
            if abs(move.files) != 1 or abs(move.ranks) != 1 or odd:
                raise diagonals.error(letter, f"{diagonals.table[letter]!r} is not a diagonal move like 'F'")
    return {"palace_moves": moves, "confined": dict.fromkeys(table.letters("confined", game.known), True)}


def sentences(palace: Palace, description: Description) -> list[str]:
    files, ranks = palace.files, palace.ranks
    found = [
        f"The palace of each side covers the files {FILE_LETTERS[files[0]]} to {FILE_LETTERS[files[-1]]} on"
        f" its ranks {ranks[0]} to {ranks[-1]}."
    ]
    if confined := named(description, lambda piece: piece.confined):
        found.append(f"Never leaves its own palace: {listed(confined)}.")
    if diagonal := named(description, lambda piece: piece.palace_moves):
        found.append(
            "The diagonals between the centre and the corners of either palace are open to"
            f" {listed(diagonal)}."
        )
    return found


MECHANIC = Mechanic(
    of="palace",
    table=("files", "ranks", "confined", "diagonals"),
    read=read,
    read_pieces=read_pieces,
    piece_defaults={"palace_moves": (), "confined": False},
    rules=(Rule("palace", "Special rules", sentences),),
)
