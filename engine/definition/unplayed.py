"""Games that other programs play and this one does not, and why; names are without blanks and hyphens."""

TWO_BOARDS = "games on two boards are not played"
PLACING = "games in which pieces are placed and do not move like those of chess are not played"
CHANGING = "pieces that become another kind by every move are not played"
IMPORTED = "it is not shipped; import a file of Fairy-Stockfish with a section like '[mygame:wolf]'"
UNPLAYED = {
    **dict.fromkeys(("bughouse", "supply", "tandem"), TWO_BOARDS),
    **dict.fromkeys(("ataxx", "clobber", "clobber10", "connectfour", "cfour"), PLACING),
    **dict.fromkeys(("flipello", "flipello10", "flipersi", "othello", "gomoku", "gomokufreestyle"), PLACING),
    "tictactoe": PLACING,
    **dict.fromkeys(("amazons", "isolation", "isolation7x7", "joust", "snailtrail"), IMPORTED),
    **dict.fromkeys(("gryphon", "circulargryphon", "simplifiedgryphon", "changeover"), CHANGING),
    "knightrelay": "pieces that borrow the moves of a knight are not played",
    "shatar": "mates that do not count are not played",
    **dict.fromkeys(("atomar", "koedem", "nocheckatomic", "shoshogi", "wolf"), IMPORTED),
    "petrified": "pieces that turn to stone are not played",
    "cylinder": "boards whose sides join are not played",
    "falcon": "leaps with several ways round blockers are not played",
}
