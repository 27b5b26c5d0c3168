// The size of the board: as large as the window allows beside the panels. The style sheet has the same limits.

import { $ } from "./dom.js";
import { UNIT, extent } from "./ground.js";

const UPRIGHT = "(max-width: 1199px) and (max-aspect-ratio: 1/1)"; // one column
const LYING = "(max-height: 560px) and (min-aspect-ratio: 1/1)"; // a phone in landscape
const TWO = "(max-width: 1199px), (max-height: 560px)"; // one column of panels
// The least space beside the board, and above and below it in one column, in pixels.
const PANELS = { lying: 270, two: 318, three: 622 };
const STRIPS = { lying: 140, upright: 150 };

export function fitBoard(game) {
  const root = document.documentElement;
  const upright = matchMedia(UPRIGHT).matches;
  const lying = !upright && matchMedia(LYING).matches;
  const bar = parseFloat(getComputedStyle(document.body).getPropertyValue("--bar"));
  const whole = extent(game);
  const ratio = whole.width / whole.height;
  let width;
  if (upright) width = Math.min(root.clientWidth - 8 - bar, (innerHeight - STRIPS.upright) * ratio);
  else if (lying) width = Math.min(innerWidth - PANELS.lying - STRIPS.lying - bar, (innerHeight - 8) * ratio);
  else width = Math.min(innerWidth - (matchMedia(TWO).matches ? PANELS.two : PANELS.three) - bar, $(".boardrow").getBoundingClientRect().height * ratio);
  width = Math.max(120, Math.floor(width));
  const scale = width / whole.width;
  const set = (name, value) => root.style.setProperty(name, value);
  set("--board", `${width}px`);
  set("--squares", `${(game.files * UNIT * scale).toFixed(1)}px`);
  set("--tall", `${(game.ranks * UNIT * scale).toFixed(1)}px`);
  set("--middle", upright ? "100%" : `${bar + width + (lying ? STRIPS.lying : 0)}px`);
}
