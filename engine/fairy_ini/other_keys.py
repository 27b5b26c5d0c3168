"""Keys of Fairy-Stockfish's files that our files have no key for: without effect, passed over, or refused."""

# Keys that have nothing to do with the rules
WITHOUT_EFFECT = (
    "variantTemplate",
    "pieceToCharTable",
    "pocketSize",
    "nnueAlias",
    "chess960",
)
# Rules that only tell when a game is drawn, or how repetition ends it: no legal move depends on them.
# Key -> the value that has no effect
LEFT_OUT = {
    "countingRule": "none",
    "chasingRule": "none",
    "nMoveRuleTypes": "",
    "moveRepetitionIllegal": "false",
}
DRAW_ODDS = ("blackdrawodds", "whitedrawodds")  # of materialCounting: for whom a draw is a win
# Keys that change the moves or the aim, by the value that has no effect
FALSE = """
    mustCapture mustCaptureEnPassant selfCapture pass passWhite passBlack passOnStalemate
    blastOnCapture seirawanGating gating cambodianMoves shatarMateRule arrowGating duckGating staticGating
    pastGating twoBoards freeDrops
    sittuyinPromotion blastPromotion blastDiagonals capturerDiesOnSameType
    hostageExchange prisonPawnPromotion promotionSteal promotionRequireInHand promotionConsumeInHand
    oppositeCastling wallOrMove rifleCapture flagMove flagPieceSafe flagPieceBlockedWin castlingWins
    adjudicateFullBoard extinctionPseudoRoyal dupleCheck stalematePieceCount bikjangRule
"""
NOBODY = """
    blastImmuneTypes mutuallyImmuneTypes petrifyOnCaptureTypes wallingRegionWhite
    wallingRegionBlack diagonalLines pseudoRoyalTypes antiRoyalTypes tripleStepRegionWhite
    tripleStepRegionBlack castlingKingPieceWhite castlingKingPieceBlack connectPieceTypes
    connectRegion1White connectRegion2White connectRegion1Black connectRegion2Black
"""
NONE = """
    wallingRule flipEnclosedPieces enclosingDrop enclosingDropStart materialCounting
"""
REFUSED = {
    **dict.fromkeys(FALSE.split(), "false"),
    **dict.fromkeys(NOBODY.split(), "-"),
    **dict.fromkeys(NONE.split(), "none"),
    **dict.fromkeys(("connectN", "connectNxN", "collinearN"), "0"),
    **dict.fromkeys(("checking", "dropMates"), "true"),
    "checkmateValue": "loss",
    "flagPieceCount": "1",
}
# Names that keys had before -> those that they have now
OLD_NAMES = {
    "whiteDropRegion": "dropRegionWhite",
    "blackDropRegion": "dropRegionBlack",
    "whiteFlag": "flagRegionWhite",
    "blackFlag": "flagRegionBlack",
    "castlingRookPiece": "castlingRookPieces",
}
# The keys of extinction, as they are where they say that a bare king has lost; None: any value
BARE_KING = {
    "extinctionValue": "loss",
    "extinctionPieceTypes": "*",
    "extinctionPieceCount": "1",
    "extinctionOpponentPieceCount": "2",
    "extinctionClaim": None,
}
