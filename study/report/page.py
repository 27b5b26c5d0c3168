"""A study as one HTML page that needs no other file: charts as SVG, light, dark and on paper."""

from collections.abc import Iterable
from html import escape

from ...engine.definition.fen import parse
from ...engine.game.description import Description
from ...engine.pictures.board_svg import draw, draw_piece
from ...engine.rulebook.rules import sections as rule_sections
from ..figures.pieces import PieceRow
from ..figures.study import Study
from . import sentences
from .charts import curve_chart, heat_map, percentage, plain, result_bars, score_chart
from .style import STYLE
from .tables import ReportSection, ReportTable, sections

PIECE_SIZE = 36  # pixels


def page(study: Study, description: Description) -> str:
    """The report of a study as HTML."""
    title = f"{study.source.title}: a study"
    parts = [f"<h1>{escape(title)}</h1>", *map(html_paragraph, sentences.about(study))]
    parts += [f'<p class="note">{escape(note)}</p>' for note in study.notes]
    parts.append(_game(description))
    for section in sections(study):
        parts.append(f'<section id="{section.name}"><h2>{escape(section.heading)}</h2>')
        parts += map(html_paragraph, section.sentences)
        parts += [f"<figure>{figure}</figure>" for figure in _figures(section, study, description) if figure]
        parts += map(html_table, section.tables)
        parts.append("</section>")
    source = study.source
    parts.append(f"<footer>Made by {escape(source.program)}; rules {source.rules}.</footer>")
    return html_page(title, parts)


def html_page(title: str, parts: Iterable[str]) -> str:
    """A page with the style of reports that needs no other file."""
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}</style></head>\n<body><main>\n" + "\n".join(parts) + "\n</main></body></html>\n"
    )


def _game(description: Description) -> str:
    """The start of the game and its rules in sentences."""
    setup = parse(description.start_fen, description)
    board = draw(setup, description, size=280, text=f"The start of {description.title}")
    rules = "".join(
        f"<h3>{escape(heading)}</h3><ul>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</ul>"
        for heading, lines in rule_sections(description).items()
    )
    return f'<div class="game">{board}<details><summary>The rules</summary>{rules}</details></div>'


def _figures(section: ReportSection, study: Study, description: Description) -> list[str]:
    if section.name == "balance":
        return [score_chart(study.balance.rows), result_bars(study.balance.rows)]
    if section.name == "character" and study.character is not None:
        legal, material = study.character.legal, study.character.material
        return [
            _titled(curve_chart(legal, "Legal moves by ply", plain), "Legal moves by ply"),
            _titled(
                curve_chart(material, "Material by ply", percentage),
                "Value of all pieces by ply, in parts of that after the first move",
            ),
        ]
    if section.name == "pieces" and study.pieces is not None:
        maps = "".join(_piece_maps(row, description) for row in study.pieces.rows)
        if study.pieces.mates:
            mated = heat_map(
                study.pieces.mated, description.files, description.ranks, "where kings are mated"
            )
            maps += (
                f'<div class="piece"><b>mated kings</b>{mated}<small>{study.pieces.mates} mates</small></div>'
            )
        caption = (
            "Where pieces stand and are dropped: the more colour, the more often. Black's are reflected, so "
            "that its first rank is below."
        )
        return [f'<div class="maps">{maps}</div><figcaption>{caption}</figcaption>']
    return []


def _titled(chart: str, caption: str) -> str:
    return chart and f"{chart}<figcaption>{escape(caption)}, with 95 % intervals</figcaption>"


def _piece_maps(row: PieceRow, description: Description) -> str:
    picture = draw_piece(row.letter, description, PIECE_SIZE)
    maps = heat_map(row.stands, description.files, description.ranks, f"where a {row.name} stands")
    maps += "<small>stands</small>"
    if any(row.drops):
        maps += heat_map(row.drops, description.files, description.ranks, f"where a {row.name} is dropped")
        maps += "<small>is dropped</small>"
    return f'<div class="piece">{picture}<b>{escape(row.name)}</b>{maps}</div>'


def html_paragraph(text: str) -> str:
    """A paragraph of plain text."""
    return f"<p>{escape(text)}</p>"


def html_table(table: ReportTable) -> str:
    """A table that scrolls where it is too wide; "" for one without rows."""
    if not table.rows:
        return ""
    head = "".join(f"<th>{escape(heading)}</th>" for heading in table.headings)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in table.rows)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
