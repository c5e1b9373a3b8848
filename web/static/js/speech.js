// Rulings spoken aloud, for this device alone: off until somebody switches it on, absent where the browser cannot speak.

import { lang, t } from "./words.js";

const MEMORY = "companion.speech";
const VOICES = { en: "en-US", ja: "ja-JP" };
const SIGNS = { "♠": "S", "♥": "H", "♦": "D", "♣": "C" };
const able = "speechSynthesis" in window && "SpeechSynthesisUtterance" in window;
let on = false;

/** Make `button` the switch. It stays hidden where the browser cannot speak. */
export function mountSpeech(button) {
  if (!able || !button) return;
  try {
    on = localStorage.getItem(MEMORY) === "on";
  } catch (error) {
    on = false;
  }
  const draw = () => {
    button.setAttribute("aria-pressed", on ? "true" : "false");
    button.textContent = t(on ? "speech.on" : "speech.off");
  };
  button.addEventListener("click", () => {
    on = !on;
    try {
      localStorage.setItem(MEMORY, on ? "on" : "off");
    } catch (error) {
      // a browser that keeps nothing: the switch holds until the page goes
    }
    window.speechSynthesis.cancel();
    if (on) say([t("speech.hello")]);
    draw();
  });
  draw();
  button.hidden = false;
}

/** What is certain about the news of a table, as sentences: fouls with their reasons, results; nothing unproven. */
export function certain(entries, results) {
  const fouls = entries.filter((entry) => entry.verdict === "foul")
    .map((entry) => [entry.text, t("verdict.foul"), ...entry.violations.filter((v) => v.verdict === "foul").map((v) => v.text)].join(t("speech.stop")));
  return fouls.concat(results);
}

/** Speak sentences in the page's language, after what is being said already. */
export function say(sentences) {
  if (!on) return;
  for (const sentence of sentences) {
    const words = new SpeechSynthesisUtterance(spoken(sentence));
    words.lang = VOICES[lang] || lang;
    window.speechSynthesis.speak(words);
  }
}

/** Signs that voices stumble over, as words: "10♥" is "10 of hearts". */
function spoken(sentence) {
  return sentence.replace(/(10|[2-9AJQK])([♠♥♦♣])/g, (whole, rank, sign) => t(`speech.card.${SIGNS[sign]}`, { rank }));
}
