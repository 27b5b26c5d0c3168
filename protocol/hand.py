"""What the user of XBoard has picked up: where it may go, and what it may become there."""


def marks(position, lifted):
    """Square -> M for the choice of a promotion, R for a capture, Y for another move.

    `lifted` is the number of a square or the letter of a piece in the hand.
    """
    found = {}
    for move in position.legal_moves():
        origin = str(move)[0] if move.is_drop else move.from_square
        if origin == lifted and not (move.is_pass or move.is_choice):
            target = move.to_square
            quiet = position.piece_at(target) is None
            found[target] = "M" if target in found else "Y" if quiet else "R"
    return found


def promotions(position, lifted, target):
    """The letters of what the lifted piece may become on that square."""
    for move in position.legal_moves():
        if move.is_promotion and (move.from_square, move.to_square) == (lifted, target):
            yield str(move)[-1].upper()
