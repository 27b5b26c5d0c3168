"""Between a position as plain data (`fen.Setup`) and the record that compiled code reads."""

from __future__ import annotations

from typing import Any

import numpy as np

from .definition import fen as fens
from .definition.castling_field import backed_rights, backed_wing
from .definition.free_castling_field import rook_square, wing_of
from .game.description import FILE_LETTERS, Description
from .game.moves import ACTION_SHIFT, ACTIONS, EN_PASSANT
from .game.state_fields import STATE_FIELDS
from .mechanics import FEN_FIELDS, free_castling, walls
from .movegen.entry_points import EntryPoints
from .representation.geometry import bits
from .representation.position_record import movelist_dtype, read_board, write_board


def fill(states: Any, setup: fens.Setup, description: Description, rules: Any, compiled: EntryPoints) -> None:
    """Makes the first of the `states`, all zeros, the record of a setup, with fresh keys."""
    state = states[0]
    kinds = {piece.letter: kind for kind, piece in enumerate(description.pieces)}
    colours, movers = [0, 0], [0] * rules.mover_count
    state["board"][:] = rules.no_kind
    for square, (side, letter) in setup.board.items():
        kind = kinds[letter]
        state["board"][square] = kind
        colours[side] |= 1 << square
        movers[rules.kind_mover[kind]] |= 1 << square
        if kind == rules.king_kind:
            state["kings"][side] = square
    for side in (0, 1):
        write_board(state, "colours", colours[side], side)
    for mover, squares in enumerate(movers):
        write_board(state, "movers", squares, mover)
    if rules.walls:
        write_board(state, "walls", sum(1 << square for square in setup.walls))
    for side, hand in enumerate(setup.hands):
        for index, piece in enumerate(description.hand_pieces):
            state["hands"][side, index] = hand.get(piece.letter, 0)
    state["side"] = setup.side
    state["halfmoves"], state["fullmoves"] = setup.halfmoves, setup.fullmoves
    if rules.castling_free:
        _fill_free_rights(state, setup, description)
    elif rules.castling_rights:
        state["rights"] = sum(1 << _right_bit(letter, setup, description) for letter in setup.castling)
    for each in STATE_FIELDS:
        if known := each.letters(description):
            state[each.name] = sum(
                1 << known.index(letter) for letter in setup.mechanic_letters if letter in known
            )
    for name, numbers in setup.of_mechanics.items():
        if numbers:
            state[name] = numbers
    if rules.can_end:
        compiled.judge(states, 0)
    _set_crossed(states, setup, rules, compiled)
    state["repetition_key"], state["key"] = fresh_keys(rules, state)


def _fill_free_rights(state: Any, setup: fens.Setup, description: Description) -> None:
    for letter in setup.castling:
        side, wing = int(letter.islower()), wing_of(letter, setup.board, description)
        state["rooks"][side, wing] = rook_square(letter, description)
        state["rights"] |= 1 << (free_castling.WINGS * side + wing)


def _free_letters(state: Any, description: Description) -> str:
    """The files of the rooks that may castle, White's as capitals."""
    names = [FILE_LETTERS[square % description.files] for square in state["rooks"].ravel().tolist()]
    letters = [*map(str.upper, names[: free_castling.WINGS]), *names[free_castling.WINGS :]]
    return "".join(letters[bit] for bit in bits(int(state["rights"])))


def _wing_letters(description: Description) -> list[str]:
    """The FEN letters of the castling rights, in the order of their bits."""
    letters = [wing.letter for wing in description.castling]
    return letters + [letter.lower() for letter in letters]


def _right_bit(letter: str, setup: fens.Setup, description: Description) -> int:
    """The bit of a right. Of two wings with its letter it is the one whose king is on its square."""
    wing = backed_wing(letter, setup.board, description)
    if wing is None:
        return _wing_letters(description).index(letter)
    return wing + len(description.castling) * int(letter.islower())


def _set_crossed(states: Any, setup: fens.Setup, rules: Any, compiled: EntryPoints) -> None:
    """Keeps those crossed squares where a legal capture ends; all else of the record must be there."""
    if not setup.crossed:
        return
    state, lists = states[0], np.zeros(1, movelist_dtype(rules))
    write_board(state, "crossed", sum(1 << square for square in setup.crossed))
    state["victim"] = setup.victim
    count = compiled.list_moves(lists, states, 0)
    captures = [
        code for code in lists["moves"][0, :count].tolist() if code >> ACTION_SHIFT & ACTIONS == EN_PASSANT
    ]
    write_board(state, "crossed", sum(1 << square for square in {code & 255 for code in captures}))
    if not captures:
        state["victim"] = 0


def setup_of(state: Any, description: Description) -> tuple[fens.Setup, str]:
    """The setup of a record, and the letters of its castling rights; without rights, those of the kings and
    rooks on their squares."""
    white, crossed = read_board(state, "colours", 0), tuple(bits(read_board(state, "crossed")))
    letters = [piece.letter for piece in description.pieces]
    board = {
        square: (0 if white >> square & 1 else 1, letters[kind])
        for square, kind in enumerate(state["board"].tolist())
        if kind < len(letters)
    }
    white_hand, black_hand = (
        {piece.letter: count for piece, count in zip(description.hand_pieces, counts, strict=False) if count}
        for counts in state["hands"].tolist()
    )
    setup = fens.Setup(
        board=board,
        hands=(white_hand, black_hand),
        side=int(state["side"]),
        crossed=crossed,
        victim=int(state["victim"]) if crossed else 0,
        walls=tuple(bits(read_board(state, "walls"))) if description.walls else (),
        mechanic_letters="".join(
            letter
            for each in STATE_FIELDS
            for bit, letter in enumerate(each.letters(description))
            if int(state[each.name]) >> bit & 1
        ),
        halfmoves=int(state["halfmoves"]),
        fullmoves=int(state["fullmoves"]),
        of_mechanics={
            each.name: tuple(map(int, state[each.name]))
            for each in FEN_FIELDS
            if each.name in state.dtype.names
        },
    )
    if not description.castling_rights:
        return setup, "".join(backed_rights(board, description)) if description.castling else ""
    if description.castling_free:
        return setup, _free_letters(state, description)
    letters = _wing_letters(description)
    return setup, "".join(letters[bit] for bit in bits(int(state["rights"])))


def mirrored(setup: fens.Setup, castling: str, description: Description) -> tuple[fens.Setup, str]:
    """The setup and the castling letters with the colours exchanged and the board turned over."""
    files, ranks = description.files, description.ranks

    def over(square: int) -> int:
        return (ranks - 1 - square // files) * files + square % files

    return fens.Setup(
        board={over(square): (1 - side, letter) for square, (side, letter) in setup.board.items()},
        hands=(setup.hands[1], setup.hands[0]),
        side=1 - setup.side,
        crossed=tuple(sorted(map(over, setup.crossed))),
        walls=tuple(sorted(map(over, setup.walls))),
        victim=over(setup.victim) if setup.crossed else 0,
        mechanic_letters="".join(sorted(setup.mechanic_letters.swapcase())),
        halfmoves=setup.halfmoves,
        fullmoves=setup.fullmoves,
        of_mechanics={name: numbers[::-1] for name, numbers in setup.of_mechanics.items()},
    ), "".join(sorted(castling.swapcase(), key=str.islower))


def fresh_keys(rules: Any, state: Any) -> tuple[int, int]:
    """(repetition key, key) of a position, computed from its record alone."""
    key = 0
    white = read_board(state, "colours", 0)
    for square, kind in enumerate(state["board"]):
        if kind != rules.no_kind:
            side = 0 if white >> square & 1 else 1
            key ^= int(rules.zobrist_squares[side, kind, square])
    for side in (0, 1):
        for index in range(rules.hand_kinds):
            count = int(state["hands"][side, index])
            key ^= int(rules.zobrist_hands[side, index]) * count % (1 << 64)
    if state["side"]:
        key ^= int(rules.zobrist_turn[0])
    for each in FEN_FIELDS:
        key ^= each.key(rules, state)
    key ^= walls.key_of(rules, state)
    crossing = 0
    for square in bits(read_board(state, "crossed")):
        crossing ^= int(rules.zobrist_crossed[square])
    rights = int(rules.zobrist_rights[state["rights"]])
    if rules.castling_free:
        rights = free_castling.key_of(rules, state)
    table = key ^ crossing ^ rights
    for number in (each for each in STATE_FIELDS if each.zobrist):
        part = int(getattr(rules, number.zobrist)[state[number.name]])
        table ^= part
        key ^= part if number.repeats else 0
    if rules.repeats_crossed:
        key ^= crossing
    if rules.repeats_castling:
        key ^= rights
    return key, table
