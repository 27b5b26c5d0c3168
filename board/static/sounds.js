// Short sounds, made here: a move, a capture, a check, little time, the end of a game.

import { settings } from "./settings.js";

// Kind -> tones: frequency in hertz, start and length in seconds, volume.
const TONES = {
  move: [[330, 0, 0.07, 0.25]],
  capture: [[220, 0, 0.06, 0.35], [165, 0.05, 0.09, 0.3]],
  check: [[660, 0, 0.08, 0.25], [880, 0.08, 0.12, 0.22]],
  low: [[990, 0, 0.1, 0.2], [990, 0.16, 0.1, 0.2]],
  wrong: [[196, 0, 0.1, 0.3], [147, 0.1, 0.2, 0.3]],
  end: [[392, 0, 0.16, 0.25], [523, 0.15, 0.16, 0.25], [659, 0.3, 0.3, 0.25]],
};
let audio = null;

// Plays a sound of a kind, unless the browser has no sound or forbids it.
export function sound(kind) {
  // Browsers allow no sound before the user has done something on the page.
  if (!settings.sound || !navigator.userActivation?.hasBeenActive) return;
  try {
    audio ??= new AudioContext();
    if (audio.state === "suspended") audio.resume().catch(() => {});
    for (const tone of TONES[kind]) playTone(...tone);
  } catch { audio = null; }
}

function playTone(hertz, start, length, volume) {
  const [tone, gain, at] = [audio.createOscillator(), audio.createGain(), audio.currentTime + start];
  tone.type = "triangle";
  tone.frequency.value = hertz;
  gain.gain.setValueAtTime(volume, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + length);
  tone.connect(gain).connect(audio.destination);
  tone.start(at);
  tone.stop(at + length);
}

// The sound of a new position.
export function soundOf(state) {
  if (state.result) return "end";
  if (state.check !== null) return "check";
  return state.last?.takes || state.last?.gone ? "capture" : "move";
}

// The switch for sounds; `told` is called with its state.
export function bindSounds(button, told) {
  const draw = () => { button.setAttribute("aria-pressed", settings.sound); button.classList.toggle("on", settings.sound); };
  button.addEventListener("click", () => { settings.sound = !settings.sound; draw(); told(settings.sound); });
  draw();
}
