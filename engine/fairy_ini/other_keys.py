"""Keys of Fairy-Stockfish's files without a counterpart in ours: without effect, left out, or refused."""

# Keys that do not affect the rules
WITHOUT_EFFECT = ("variantTemplate", "pieceToCharTable", "pocketSize", "nnueAlias")
# Rules that only decide when a game is drawn, or how repetition ends it: no legal move depends on them.
# Key -> the value that has no effect
LEFT_OUT = {"countingRule": "none", "chasingRule": "none", "moveRepetitionIllegal": "false"}
# Of materialCounting: for whom a draw is a win; in games with passes, how points decide what would be drawn
DRAW_ODDS = ("blackdrawodds", "whitedrawodds")
POINTS = "janggi"
# Keys that change the moves or the aim, by the value that has no effect
FALSE = """
    blastOnCapture petrifyBlastPieces mustCapture gating cambodianMoves
    passOnStalemateWhite passOnStalemateBlack oppositeCastling wallOrMove freeDrops
    shatarMateRule flagPieceBlockedWin
    adjudicateFullBoard dropOnTop
"""
NOBODY = """
    petrifyOnCaptureTypes enclosingDropStart castlingWins
    connectRegion1White connectRegion2White connectRegion1Black connectRegion2Black
"""
NONE = """
    flipEnclosedPieces enclosingDrop materialCounting
"""
REFUSED = {
    **dict.fromkeys(FALSE.split(), "false"),
    **dict.fromkeys(NOBODY.split(), "-"),
    **dict.fromkeys(NONE.split(), "none"),
    **dict.fromkeys(("connectN", "connectNxN", "collinearN"), "0"),
    "checking": "true",
    "flagPieceCount": "1",
}
# Keys of connected pieces, without effect if connectN and similar keys are absent
CONNECTED = (
    *("connectPieceTypes", "connectValue", "connectHorizontal", "connectVertical", "connectDiagonal"),
)
# Keys that are supported, but not in all games that have them
HANDLED = (
    *("startFen", "promotionRegionWhite", "promotionRegionBlack", "mandatoryPawnPromotion"),
    *("mandatoryPiecePromotion", "piecePromotionOnCapture", "pieceDemotion", "doubleStep"),
    *("doubleStepRegionWhite", "doubleStepRegionBlack", "tripleStepRegionWhite"),
    *("tripleStepRegionBlack", "enPassantRegionWhite", "enPassantRegionBlack", "castling"),
    *("castlingDroppedPiece", "castlingRank", "castlingKingFile", "castlingKingsideFile"),
    *("castlingQueensideFile", "castlingRookKingsideFile", "castlingRookQueensideFile", "chess960"),
    *("dropChecks", "mustDrop", "pieceDrops", "dropLoop", "capturesToHand", "firstRankPawnDrops"),
    *("promotionZonePawnDrops", "dropRegionWhite", "dropRegionBlack", "sittuyinRookDrop"),
    "sittuyinPromotion",
    *("dropOppositeColoredBishop", "dropPromoted", "dropNoDoubledCount", "immobilityIllegal"),
    *("diagonalLines", "passWhite", "passBlack", "makpongRule", "flyingGeneral"),
    *("soldierPromotionRank", "nMoveRule", "nFoldRule", "nFoldValue", "nFoldValueAbsolute"),
    *("perpetualCheckIllegal", "stalemateValue", "shogiPawnDropMateIllegal", "extinctionValue"),
    *("extinctionClaim", "extinctionPseudoRoyal", "extinctionPieceCount"),
    *("extinctionOpponentPieceCount", "flagRegionWhite", "flagRegionBlack", "checkCounting"),
    *("flagMove", "flagPieceSafe", "bikjangRule", "twoBoards", "dupleCheck"),
    *("wallingRule", "wallingRegionWhite", "wallingRegionBlack"),
)
# The keys of extinction, as they are where they say that a bare king has lost
BARE_KING = {
    "extinctionValue": "loss",
    "extinctionPieceTypes": "*",
    "extinctionPieceCount": "1",
    "extinctionOpponentPieceCount": "2",
}
