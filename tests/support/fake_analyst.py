"""A UCI engine for tests of the board: it analyses chess or Crazyhouse until it gets `stop`.

It needs only python-chess. Its score is the material; `--crash N` ends it at the N-th search, `--pause S`
makes it report every S seconds, `--until FILE` makes it think about its move until that file exists. It
evaluates pieces by their material."""

import argparse
import os
import select
import sys
import time
from pathlib import Path

import chess
import chess.variant

VALUES = {chess.PAWN: 100, chess.KNIGHT: 300, chess.BISHOP: 300, chess.ROOK: 500, chess.QUEEN: 900}
BOARDS = {"crazyhouse": chess.variant.CrazyhouseBoard, "chess": chess.Board}


def say(*lines):
    sys.stdout.write("".join(line + "\n" for line in lines))
    sys.stdout.flush()


def material(board):
    """Centipawns of the side to move, hands included."""
    pieces = board.piece_map().values()
    score = sum(VALUES.get(piece.piece_type, 0) * (1 if piece.color else -1) for piece in pieces)
    for colour, sign in ((chess.WHITE, 1), (chess.BLACK, -1)):
        pocket = board.pockets[colour] if hasattr(board, "pockets") else None
        score += sum(sign * value * pocket.count(kind) for kind, value in VALUES.items()) if pocket else 0
    return score if board.turn else -score


def best_first(board):
    """The legal moves with the mover's resulting material, best first."""

    def after(move):
        board.push(move)
        score = -material(board)
        board.pop()
        return score

    moves = [(after(move), move.uci()) for move in board.legal_moves]
    return sorted(moves, key=lambda pair: (-pair[0], pair[1]))


def set_up(variant, text):
    start, _, moves = text.partition(" moves ")
    board = BOARDS[variant]() if start == "startpos" else BOARDS[variant](start.removeprefix("fen "))
    for move in moves.split():
        board.push_uci(move)
    return board


def infos(board, lines, depth):
    ranked = best_first(board)[:lines]
    for number, (score, move) in enumerate(ranked, 1):
        say(
            f"info depth {depth} multipv {number} score cp {score} nodes {depth * 1000} nps 5000 "
            f"time {depth} pv {move}"
        )


def eval_trace(board):
    """The answer to `eval`: the board with what each piece is worth in pawns, White's view, and a sum."""
    edge = "   +" + "-------+" * 8
    lines = ["What pieces are worth:", "", edge]
    for rank in reversed(range(8)):
        pieces = [board.piece_at(8 * rank + file) for file in range(8)]
        worth = [
            f"{VALUES[piece.piece_type] * (1 if piece.color else -1) / 100:+.2f}"
            if piece and piece.piece_type in VALUES
            else ""
            for piece in pieces
        ]
        names = [piece.symbol() if piece else "" for piece in pieces]
        lines += [f" {rank + 1} |" + "".join(f"{text:^7}|" for text in names)]
        lines += ["   |" + "".join(f"{text:^7}|" for text in worth), edge]
    return [*lines, "    " + " ".join(f"{letter:^7}" for letter in "abcdefgh"), "", f"Sum {material(board)}"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--crash", type=int, default=0)
    parser.add_argument("--pause", type=float, default=0.02)
    parser.add_argument("--until", type=Path)
    options = parser.parse_args()
    crash, pause = options.crash, options.pause
    variant, board, lines, searches, depth = "chess", chess.Board(), 1, 0, None
    while True:
        if depth is not None and not select.select([sys.stdin.fileno()], [], [], pause)[0]:
            depth += 1
            infos(board, lines, depth)
            continue
        line = read_line()
        if line is None or line == "quit":
            return
        word, _, rest = line.partition(" ")
        if word == "uci":
            say(
                "id name Analyst",
                "option name MultiPV type spin default 1 min 1 max 500",
                "option name UCI_Variant type combo default chess var chess var crazyhouse",
                "option name UCI_LimitStrength type check default false",
                "option name UCI_Elo type spin default 1400 min 200 max 3200",
                "uciok",
            )
        elif word == "isready":
            say("readyok")
        elif word == "setoption" and "UCI_Variant" in rest:
            variant = rest.split()[-1]
        elif word == "setoption" and "MultiPV" in rest:
            lines = int(rest.split()[-1])
        elif word == "position":
            board = set_up(variant, rest)
        elif word == "eval":
            say(*eval_trace(board))
        elif word == "go":
            searches += 1
            if searches == crash:
                os._exit(3)
            infos(board, lines, 1)
            if "infinite" in rest:
                depth = 1
            else:
                while options.until and not options.until.exists():
                    time.sleep(0.01)
                say(f"bestmove {best_first(board)[0][1]}")
        elif word == "stop" and depth is not None:
            depth = None
            say(f"bestmove {best_first(board)[0][1]}")


def read_line():
    """The next line of input, None at its end; unbuffered, so that `select` sees what is there."""
    line = b""
    while not line.endswith(b"\n"):
        byte = os.read(0, 1)
        if not byte:
            return None
        line += byte
    return line.decode().strip()


if __name__ == "__main__":
    main()
