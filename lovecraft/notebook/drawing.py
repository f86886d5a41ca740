"""Figures as HTML and as SVG; every word escaped, nothing loaded from anywhere.

Both follow the theme of what they stand in: the HTML takes JupyterLab's colours where it has them
and the text's own elsewhere, the SVG looks at the reader's preference.
"""

from __future__ import annotations

from html import escape
from itertools import pairwise

from lovecraft import art
from lovecraft.notebook.figures import Block, Figure
from lovecraft.notebook.pieces import Chip, Line, Piece

STYLE = """
.lc-fig{font:.875rem/1.5 var(--jp-ui-font-family,system-ui,sans-serif);
color:var(--jp-ui-font-color1,inherit);max-width:60rem;padding:.25rem 0}
.lc-fig .lc-title{font-family:"Palatino Linotype",Palatino,Georgia,serif;font-size:1.1rem;
font-weight:700;margin:0 0 .3rem}
.lc-fig .lc-title span{font:.875rem var(--jp-ui-font-family,system-ui,sans-serif);opacity:.8}
.lc-fig .lc-block{border:1px solid color-mix(in srgb,currentColor 18%,transparent);
border-radius:.6rem;padding:.4rem .75rem;margin:.35rem 0}
.lc-fig .lc-block>b,.lc-fig summary{display:block;font-weight:600;margin-bottom:.15rem}
.lc-fig summary{display:list-item;cursor:pointer}
.lc-fig .lc-rows{display:grid;grid-template-columns:minmax(2rem,max-content) 1fr;gap:.15rem .8rem}
.lc-fig .lc-label{opacity:.72;max-width:16rem}
.lc-fig .lc-wide{grid-column:1/-1}
.lc-fig .lc-chip{display:inline-flex;align-items:center;gap:.3em;vertical-align:middle;
border:1.5px solid var(--lc-hue,#80786c);border-radius:.5em;padding:0 .5em 0 .35em;
margin:.1em .15em}
.lc-fig .lc-chip svg{width:1.35em;height:1.35em;flex:none;fill:none;stroke:var(--lc-hue);
stroke-width:3.4;stroke-linecap:round;stroke-linejoin:round}
.lc-fig .lc-chip svg .f{fill:var(--lc-hue);stroke:none}
""".replace("\n", "")


def html(figure: Figure) -> str:
    """A figure as a piece of HTML that stands alone."""
    blocks = "".join(map(html_block, figure.blocks))
    note = f" <span>{escape(figure.note)}</span>" if figure.note else ""
    title = f'<p class="lc-title">{escape(figure.title)}{note}</p>' if figure.title else ""
    return f'<style>{STYLE}</style><div class="lc-fig">{title}{blocks}</div>'


def html_block(block: Block) -> str:
    """One block, its lines in two columns."""
    rows = f'<div class="lc-rows">{html_lines(block.lines)}</div>'
    heading = escape(block.heading)
    if block.folded:
        return f'<details class="lc-block"><summary>{heading}</summary>{rows}</details>'
    return f'<div class="lc-block">{f"<b>{heading}</b>" if heading else ""}{rows}</div>'


def html_lines(lines: tuple[Line, ...]) -> str:
    labelled = any(line.label for line in lines)
    rows = []
    for label, pieces in lines:
        inner = "".join(map(html_piece, pieces))
        if label or (labelled and lines[0].label):
            rows.append(f'<span class="lc-label">{escape(label)}</span><span>{inner}</span>')
        else:
            rows.append(f'<span class="lc-wide">{inner}</span>')
    return "".join(rows)


def html_piece(piece: Piece) -> str:
    """Words, or a chip with its sigil."""
    if isinstance(piece, str):
        return escape(piece)
    if not piece.sigil:
        return f'<span class="lc-chip">{escape(_said(piece))}</span>'
    box, body = art.drawing(piece.sigil)
    sigil = f'<svg viewBox="{box}" aria-hidden="true">{body}</svg>'
    hue = art.hue(piece.sigil)
    return f'<span class="lc-chip" style="--lc-hue:{hue}">{sigil}{escape(_said(piece))}</span>'


def _said(chip: Chip) -> str:
    return f"{chip.number} × {chip.name}" if chip.number else chip.name


# -- SVG ------------------------------------------------------------------------------------------

WIDTH = 760
_STEP, _PAD, _LABEL, _SIGN = 30, 14, 190, 18
_CSS = (
    "text{font:13px system-ui,sans-serif;fill:#2b2117}.t{font-weight:700;font-size:16px}"
    ".b{font-weight:600}.l{opacity:.72}.p{fill:#fffaf0}.c{fill:none}"
    "svg svg{fill:none;stroke-width:3.4;stroke-linecap:round;stroke-linejoin:round}"
    "@media(prefers-color-scheme:dark){text{fill:#efe5cf}.p{fill:#19222a}}"
)


def _wide(words: str, size: float = 13) -> float:
    """About how wide words are; there is nothing here to measure them with."""
    narrow = sum(c in "iljtfrI.,:;’'!|()[] " for c in words)
    wide = sum(c in "mwMW—" for c in words)
    return size * (0.6 * (len(words) - narrow - wide) + 0.34 * narrow + 0.9 * wide)


class _Canvas:
    """Collects the parts of an image from top to bottom."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.y = 10.0

    def text(self, x: float, words: str, kind: str = "", width: float = 0) -> None:
        of = f' class="{kind}"' if kind else ""
        if width:  # fonts differ: what stands in a frame is made to fit it
            of += f' textLength="{width:.0f}" lengthAdjust="spacingAndGlyphs"'
        self.parts.append(f'<text x="{x:.0f}" y="{self.y + 19:.0f}"{of}>{escape(words)}</text>')

    def chip(self, x: float, chip: Chip) -> float:
        hue = art.hue(chip.sigil)
        inner = _SIGN + 6 if chip.sigil else 0
        width = _wide(_said(chip)) + inner + 16
        self.parts.append(
            f'<rect class="c" x="{x:.0f}" y="{self.y + 2:.0f}" width="{width:.0f}" height="25"'
            f' rx="7" stroke="{hue}" stroke-width="1.5"/>'
        )
        if chip.sigil:
            box, body = art.drawing(chip.sigil)
            body = body.replace('class="f"', f'fill="{hue}" stroke="none"')
            self.parts.append(
                f'<svg x="{x + 6:.0f}" y="{self.y + 5:.0f}" width="{_SIGN}" height="{_SIGN}"'
                f' viewBox="{box}" stroke="{hue}">{body}</svg>'
            )
        self.text(x + 8 + inner, _said(chip), width=_wide(_said(chip)))
        return width + 7

    def line(self, line: Line) -> None:
        label, pieces = line
        start = _PAD
        if label:
            for words, last in _wrap(label, _LABEL - 12):
                self.text(_PAD, words, "l")
                if not last:
                    self.y += 18
            start = _PAD + _LABEL
        x: float = start
        run = ""  # words that stand side by side, as yet unwritten

        def write() -> float:
            if run:
                self.text(x, run)
            return x + _wide(f"{run} ") if run else x

        for piece in pieces:
            for part in _words(piece):
                longer = f"{run} {part}".lstrip() if isinstance(part, str) else run
                chip = 0 if isinstance(part, str) else _wide(_said(part)) + _SIGN + 30
                if x + _wide(longer) + chip > WIDTH - _PAD and (run or x > start):
                    write()
                    x, run, self.y = start, "", self.y + _STEP
                if isinstance(part, str):
                    run = f"{run} {part}".lstrip()
                else:
                    x, run = write(), ""
                    x += self.chip(x, part)
        write()
        self.y += _STEP


def _words(piece: Piece) -> list[Piece]:
    return [piece] if isinstance(piece, Chip) else list(piece.split())


def _wrap(words: str, width: float) -> list[tuple[str, bool]]:
    """Words in lines that fit, each with whether it is the last."""
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and _wide(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return [(line, False) for line, _ in pairwise(lines)] + [(lines[-1], True)]


def svg(figure: Figure) -> str:
    """A figure as an image of its own; folded blocks give their heading only."""
    canvas = _Canvas()
    canvas.text(_PAD, figure.title, "t")
    canvas.y += _STEP
    if figure.note:
        canvas.line(Line("", (figure.note,)))
    for block in figure.blocks:
        if block.heading:
            canvas.text(_PAD, block.heading, "b")
            canvas.y += _STEP
        if not block.folded:
            for line in block.lines:
                canvas.line(line)
        canvas.y += 6
    size = f'viewBox="0 0 {WIDTH} {canvas.y + 4:.0f}" width="{WIDTH}" height="{canvas.y + 4:.0f}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"'
        ' style="max-width:100%;height:auto"'
        f' aria-label="{escape(figure.title)}"><style>{_CSS}</style>'
        f'<rect class="p" width="100%" height="100%" rx="10"/>{"".join(canvas.parts)}</svg>'
    )
