// What this device does beside showing the table, for its holder alone: quiet sounds, vibration, a turn timer, the
// screen kept on. Everything but the screen is off until somebody switches it on.

import { h, keep } from "./dom.js";
import { t } from "./words.js";

const MEMORY = "companion.device";
const TONES = { turn: [[660, 0], [880, 0.12]], foul: [[220, 0], [196, 0.16]], round: [[523, 0], [659, 0.1], [784, 0.2]], late: [[392, 0]] };
const BUZZES = { turn: [60], foul: [40, 60, 40], round: [30, 40, 30], late: [120] };

/** What is switched on. `limit`: s for a turn; 0: no timer, -1: it only counts. */
export const settings = { sound: false, buzz: false, limit: 0, awake: true, ...remembered() };

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(MEMORY)) || {};
  } catch (error) {
    return {};
  }
}

/** Switch something, and keep it. */
export function set(name, value) {
  settings[name] = value;
  try {
    localStorage.setItem(MEMORY, JSON.stringify(settings));
  } catch (error) {
    // a browser that keeps nothing: it holds until the page goes
  }
}

let audio = null;

/** A short soft row of tones; nothing where the browser has no sound, or waits for a tap before it gives any. */
export function play(kind) {
  const Audio = window.AudioContext || window.webkitAudioContext;
  if (!Audio) return;
  audio = audio || new Audio();
  if (audio.state === "suspended") audio.resume();
  for (const [pitch, after] of TONES[kind]) {
    const start = audio.currentTime + after;
    const tone = audio.createOscillator();
    const loud = audio.createGain();
    tone.frequency.value = pitch;
    tone.type = "sine";
    loud.gain.setValueAtTime(0.0001, start);
    loud.gain.exponentialRampToValueAtTime(0.08, start + 0.02);
    loud.gain.exponentialRampToValueAtTime(0.0001, start + 0.25);
    tone.connect(loud).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 0.3);
  }
}

/** Sound and vibration for what has just happened: "turn", "foul", "round" or "late", as far as they are wished. */
export function signal(kind) {
  if (settings.sound) play(kind);
  if (settings.buzz && navigator.vibrate) navigator.vibrate(BUZZES[kind]);
}

/** What of the news of a table is worth a signal: a foul, a round that is over, this device's turn. */
export function worth(before, table) {
  if (table.pending.length > before.pending.length) return "foul";
  if (table.results.length && JSON.stringify(table.results) !== JSON.stringify(before.results)) return "round";
  const seat = table.role.seat;
  const turn = (picture) => seat !== null && !picture.over && picture.players[seat].active;
  return turn(table) && !turn(before) ? "turn" : null;
}

let lock = null;
let asking = false;
let wanted = false;

/** Keep the screen on while a game runs; only where the browser allows it (https or the same machine). */
export async function stayAwake(running) {
  wanted = running && settings.awake && !document.hidden;
  // what is wanted then counts when the answer is there
  if (asking) return;
  if (!wanted && lock) {
    const old = lock;
    lock = null;
    await old.release().catch(() => null);
  }
  if (wanted && !lock && "wakeLock" in navigator) {
    asking = true;
    const got = await navigator.wakeLock.request("screen").catch(() => null);
    asking = false;
    if (!got) return;
    lock = got;
    lock.addEventListener("release", () => { if (lock === got) lock = null; });
    if (!wanted) await stayAwake(false);
  }
}

/** A clock for the turn in `el`. `skew`: ms that this device's clock is ahead of the server's. Returns update(table). */
export function mountClock(el, skew) {
  let since = 0;
  let whose = "";
  let running = false;
  let late = false;
  const draw = () => {
    const shown = settings.limit !== 0 && running;
    el.hidden = !shown;
    if (!shown) return;
    const gone = Math.max(0, Math.round((Date.now() - since) / 1000));
    const over = settings.limit > 0 && gone >= settings.limit;
    const left = settings.limit > 0 ? Math.max(0, settings.limit - gone) : gone;
    keep(el, [left, over], () => [h("span", { "aria-hidden": "true", class: "clock-face" }, `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`),
      h("span", { class: "sr" }, t("evening.timer")), over ? h("span", { class: "clock-over" }, t("evening.timer.over")) : null]);
    el.classList.toggle("over", over);
    if (over && !late) signal("late");
    late = over;
  };
  setInterval(draw, 1000);
  return (table) => {
    running = !table.over;
    const last = table.entries.filter((entry) => entry.kind !== "started" || table.entries.length === 1).pop();
    const now = JSON.stringify([table.awaits.flatMap((line) => line.seats), last && last.seq]);
    if (now !== whose) {
      const at = last ? new Date(last.at).getTime() + skew : Date.now();
      since = Number.isNaN(at) ? Date.now() : Math.min(Date.now(), at);
      late = settings.limit > 0 && Date.now() - since > settings.limit * 1000;
      whose = now;
    }
    draw();
  };
}
