"""The style of a report in HTML, and of its figures in files of their own."""

COLOURS = """
:root { color-scheme: light dark; --back: #fff; --text: #1d2125; --soft: #5b6570; --line: #d8dde3;
  --first: #1f6feb; --second: #d9730d; --white: #f3efe4; --draw: #a9b1ba; --black: #3b4148; --open: #d64545;
  --on-white: #1d2125; --on-black: #fff; --heat: #c2410c; --square: #f4f5f7; --note: #fff4d6; }
@media (prefers-color-scheme: dark) { :root { --back: #15181c; --text: #e4e7ea; --soft: #9aa4ae;
  --line: #363c43; --first: #6ea8fe; --second: #f0a35e; --white: #ece6d4; --draw: #7b858f; --black: #07090b;
  --open: #e06c6c; --on-white: #1d2125; --on-black: #e4e7ea;
  --heat: #fb923c; --square: #23282e; --note: #3a321c; } }
@media print { :root { color-scheme: light; --back: #fff; --text: #000; --soft: #444; --line: #bbb;
  --first: #1f6feb; --second: #d9730d; --white: #f3efe4; --draw: #a9b1ba; --black: #3b4148; --open: #d64545;
  --on-white: #000; --on-black: #fff; --heat: #c2410c; --square: #f4f5f7; --note: #fff; }
  figure, tr, .piece { break-inside: avoid; } * { print-color-adjust: exact; } }
"""
CHARTS = """
svg text { font: 12px system-ui, sans-serif; fill: var(--soft); }
.grid { stroke: var(--line); } .even { stroke: var(--soft); stroke-dasharray: 4 4; }
.first { fill: var(--first); stroke: var(--first); } .second { fill: var(--second); stroke: var(--second); }
.error { stroke-width: 2; } .curve { fill: none; stroke: var(--first); stroke-width: 2; }
.band { fill: var(--first); fill-opacity: .2; }
rect.white { fill: var(--white); stroke: var(--line); } rect.draw { fill: var(--draw); }
rect.black { fill: var(--black); stroke: var(--line); } rect.open { fill: var(--open); }
svg text.on-white, svg text.on-draw { fill: var(--on-white); }
svg text.on-black, svg text.on-open { fill: var(--on-black); }
rect.square { fill: var(--square); stroke: var(--line); } rect.heat { fill: var(--heat); }
"""
PAGE = """
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 860px; margin: 0 auto; padding: 24px 16px; }
h1 { font-size: 1.8em; margin: 0 0 .5em; } h2 { margin: 1.8em 0 .4em; border-bottom: 1px solid var(--line); }
h3 { font-size: 1em; margin: .8em 0 .2em; } p { margin: .5em 0; max-width: 46em; }
.note { background: var(--note); border: 1px solid var(--line); border-radius: 6px; padding: .5em .8em; }
.game { display: flex; gap: 24px; flex-wrap: wrap; align-items: flex-start; margin: 1em 0; }
.game > svg { width: 280px; height: auto; } .game details { flex: 1; min-width: 260px; }
summary { cursor: pointer; color: var(--first); }
figure { margin: 1em 0; } figcaption, small, footer { color: var(--soft); font-size: .85em; }
svg.chart { width: 100%; max-width: 640px; height: auto; display: block; }
.maps { display: flex; flex-wrap: wrap; gap: 20px; }
.piece { display: flex; flex-direction: column; gap: 4px; }
.wide { overflow-x: auto; margin: .8em 0; } table { border-collapse: collapse; font-size: .9em; }
th, td { text-align: left; padding: .3em .7em; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; } footer { margin-top: 3em; border-top: 1px solid var(--line); padding-top: .6em; }
"""
STYLE = COLOURS + CHARTS + PAGE
FIGURE_STYLE = COLOURS + CHARTS + ".back { fill: var(--back); }"
