// Turns a prompt into an action: picks cards and choices, then tells the referee. Also corrects what was told.

import { UNKNOWN, actionOf, fixedArgs } from "./actions.js";
import { cardPicker } from "./picker.js";
import { facePath } from "./cards.js";
import { fill, h } from "./dom.js";
import { fitting, offersFor } from "./offers.js";
import { openSheet } from "./sheet.js";
import { t } from "./words.js";

let current = null;
let latest = [];

/** Start on `prompt`. `send(action)` resolves to true when it went through.
 * `start`: {cards, args} to begin with, for corrections; `note`: a line above the picker. */
export function compose(deck, prompt, send, { start = null, title = null, note = null, quick = false, table = null } = {}) {
  const work = {
    prompt, deck, send,
    cards: start ? start.cards.slice() : certain(prompt, table && table.players[prompt.seat]),
    args: { ...fixedArgs(prompt), ...(start ? start.args : {}) },
    busy: false, correcting: Boolean(start), quick, picker: null, table, choices: [], named: [], counted: Boolean(start),
    confirm: h("div", { class: "confirm" }),
  };
  const heading = title || [prompt.who ? `${prompt.who}${t("colon")}${prompt.label}` : prompt.label, prompt.detail].filter(Boolean).join(" · ");
  const sheet = openSheet(heading, [
    note instanceof Node ? note : note ? h("div", { class: "note" }, note) : null,
    start ? null : offersFor(deck, prompt, table, (action) => {
      work.cards.length = 0;
      work.cards.push(...action.cards);
      Object.assign(work.args, action.args);
      finish(work);
    }),
    cardPart(work),
    prompt.choices.filter((c) => c.values.length > 1).map((choice) => choicePart(work, choice)),
    work.confirm,
  ], () => { current = null; });
  work.sheet = sheet;
  current = work;
  drawConfirm(work);
  return undefined;
}

/** What is sure to be put forward: the known cards of a hand that is shown as a whole. */
function certain(prompt, player) {
  const { slot } = prompt;
  if (!slot || slot.side === "down" || slot.source !== `hand:${prompt.seat}` || !player || !player.hand) return [];
  const { known, unknown } = player.hand;
  return slot.least === slot.most && slot.least === known.length + unknown ? known.slice() : [];
}

/** The table has changed while a sheet is open: keep what is chosen, renew what is left. Closes when it is not open any more. */
export function refreshComposer(prompts) {
  latest = prompts;
  if (!current || current.correcting || current.busy) return true; // what is being sent closes by itself
  const old = current.prompt;
  const same = prompts.filter((p) => p.kind === old.kind && p.seat === old.seat);
  const found = same.find((p) => p.id === old.id) || same[0];
  if (!found) {
    current.sheet.close();
    return false;
  }
  current.prompt = found;
  if (current.picker && found.slot) current.picker.update(found.slot);
  return true;
}

function cardPart(work) {
  const slot = work.prompt.slot;
  if (!slot || slot.most === 0) return null;
  if (slot.side === "down") return countPart(work, slot);
  const picker = cardPicker(work.deck, slot, work.cards, (full) => {
    unname(work);
    drawConfirm(work);
    // as many as there have to be, and nothing else to say: off it goes; undo is one tap
    const done = (!work.correcting || work.quick) && (slot.least === slot.most || slot.most === 1) && full && !work.prompt.choices.some((c) => c.values.length > 1);
    if (done) finish(work);
    else if (full && slot.least === slot.most && !work.correcting) nameCards(work);
  });
  work.picker = picker;
  return picker.el;
}

/** What the chosen cards are called: the referee knows, and the best of it is chosen. It waits for a tap: what somebody said
 * aloud may be something else, and that is his foul. Whoever has chosen himself is left alone. */
async function nameCards(work) {
  if (!work.table || !missing(work)) return;
  const asked = JSON.stringify([work.cards, work.args]);
  work.confirm.classList.add("waiting");
  const found = await fitting(work.prompt, work.table, work.cards);
  work.confirm.classList.remove("waiting");
  if (current !== work || work.busy || asked !== JSON.stringify([work.cards, work.args]) || !found.length) return;
  work.named = Object.keys(found[0].action.args).filter((key) => !(key in work.args));
  Object.assign(work.args, found[0].action.args);
  for (const draw of work.choices) draw();
  drawConfirm(work);
}

/** Other cards: what these were called is open again. */
function unname(work) {
  for (const key of work.named.splice(0)) delete work.args[key];
  for (const draw of work.choices) draw();
}

function countPart(work, slot) {
  const values = Array.from({ length: slot.most - slot.least + 1 }, (_, i) => slot.least + i);
  if (values.length === 1) Object.assign(work, { cards: Array(slot.least).fill(UNKNOWN), counted: true });
  const row = h("div", { class: "row choices", role: "group", "aria-label": t("picker.how-many") });
  const draw = () => fill(row, values.map((n) => h("button", {
    type: "button", class: `button choice${work.counted && work.cards.length === n ? " on" : ""}`, "aria-pressed": work.counted && work.cards.length === n ? "true" : "false",
    onclick: () => {
      work.cards = Array(n).fill(UNKNOWN);
      work.counted = true;
      draw();
      drawConfirm(work);
      if (tapSends(work)) finish(work);
    },
  }, t("picker.cards-down", { n }))));
  draw();
  return row;
}

function choicePart(work, choice) {
  const row = h("div", { class: "row choices", role: "group", "aria-label": choice.label || work.prompt.label });
  const draw = () => fill(row, choice.values.map((v, i) => {
    const on = JSON.stringify(work.args[choice.name]) === JSON.stringify(v.value);
    return h("button", {
      type: "button", class: `button choice${on ? " on" : ""}`, "aria-pressed": on ? "true" : "false", "data-key": `choice-${choice.name}-${i}`,
      onclick: () => {
        work.named = [];
        work.args[choice.name] = v.value;
        draw();
        drawConfirm(work);
        if (tapSends(work)) finish(work);
      },
    }, v.cards.length ? h("span", { class: "mini" }, v.cards.map((code) => h("img", { src: facePath(work.deck.name, code, true), alt: "", width: 63, height: 88 }))) : null, h("span", {}, v.text));
  }));
  draw();
  work.choices.push(draw);
  return h("div", { class: "choice-part" }, choice.label ? h("h3", {}, choice.label) : null, row);
}

/** One tap says all that is open: it sends, and no button waits for another. */
function tapSends({ prompt, correcting, quick }) {
  const { slot } = prompt;
  const open = prompt.choices.filter((c) => c.values.length > 1).length;
  if (correcting && !quick) return false;
  return slot && slot.most > 0 ? open === 0 && (slot.side === "down" || (slot.most === 1 && slot.least === 1)) : open === 1;
}

function missing(work) {
  const slot = work.prompt.slot;
  if (slot && slot.most > 0 && slot.side === "down" && !work.counted) return t("picker.how-many");
  if (slot && work.cards.length < slot.least) {
    return t("picker.more", { n: slot.least - work.cards.length });
  }
  const open = work.prompt.choices.find((c) => !(c.name in work.args));
  return open ? t("picker.choose", { what: open.label || t("picker.one-of-these") }) : "";
}

function drawConfirm(work) {
  const lacks = missing(work);
  work.confirm.hidden = tapSends(work);
  fill(work.confirm, h("button", {
    type: "button", class: "button primary big", id: "confirm", disabled: Boolean(lacks) || work.busy,
    onclick: () => finish(work),
  }, lacks || (work.correcting && !work.quick ? t("correct-now") : said(work))));
}

/** What the button does: where no card has to be put forward and none is, it says so. */
function said({ prompt, cards }) {
  const none = prompt.slot && prompt.slot.most > 0 && !cards.length;
  return none ? `${prompt.label}${t("colon")}${t("picker.none")}` : prompt.label;
}

async function finish(work) {
  if (work.busy || missing(work)) return;
  work.busy = true;
  drawConfirm(work);
  const done = await work.send(actionOf(work.prompt, work.cards.slice(), work.args));
  work.busy = false;
  if (current !== work) return; // closed meanwhile; what is open now is another sheet
  if (done) work.sheet.close();
  else {
    if (work.prompt.slot && work.prompt.slot.most === 1 && work.picker) {
      work.cards.length = 0;
      if (work.picker) work.picker.update(work.prompt.slot);
    }
    drawConfirm(work);
    refreshComposer(latest);
  }
}
