// What the table waits for, the open actions as large buttons, the last ruling, fouls that wait.

import { cardImage } from "./cards.js";
import { avatar, h, icon, keep, name } from "./dom.js";
import { t } from "./words.js";

/** Whose device this is and whose turn: always visible. `own`: the seat that this device plays, or null; `choose`: asks
 * whose device it is, for those who may say. */
export function drawAwaits(el, table, own, choose) {
  keep(el, [table.awaits, table.over, table.role, own, own === null ? null : table.players[own].name], () => {
    const who = Array.from(new Set(table.awaits.flatMap((line) => line.seats)));
    const ask = choose && !table.over ? h("button", { type: "button", class: "button quiet icon", "data-key": "whose", "aria-label": t("whose.title"), title: t("whose.title"), onclick: choose }, icon("person")) : null;
    if (table.over) return h("p", { class: "await" }, h("span", { class: "text" }, h("b", {}, t("over"))));
    if (own !== null) {
      const others = who.filter((seat) => seat !== own);
      const free = table.awaits.some((line) => line.seats.includes(own));
      const turn = free ? t("your-turn") : others.length ? t("waits-for", { who: others.map((seat) => table.players[seat].name).join(t("list-comma")) }) : "";
      return h("p", { class: "await you" }, avatar(table.players[own]), h("span", { class: "text" }, h("b", {}, t("you-are", { name: table.players[own].name })), turn ? h("span", { class: "dim" }, ` · ${turn}`) : null), ask);
    }
    // across a room: who; the line of the title says what
    if (table.role.acts || document.body.classList.contains("board")) {
      return h("p", { class: "await" }, who.length === 1 ? avatar(table.players[who[0]]) : null,
        h("span", { class: "text" }, who.length ? [who.length === 1 ? null : [t("to-act"), t("colon")], h("b", {}, who.length > 2 && who.length === table.players.length ? t("everybody") : listed(who.map((seat) => table.players[seat].name)))] : null), ask);
    }
    return table.awaits.slice(0, 4).map((line) =>
      h("p", { class: "await" }, line.seats.length === 1 ? avatar(table.players[line.seats[0]]) : null, h("span", { class: "text" }, line.who.length ? [listed(line.who), t("colon")] : null, h("b", {}, line.text))));
  });
}

function listed(names) {
  const shown = names.slice(0, 8);
  return shown.map((text, i) => [i ? t("list-comma") : null, name(text)]);
}

/** Results of a finished round; at the end of the game everybody's place. */
export function drawResults(el, table) {
  const standing = table.over ? table.players.filter((p) => p.score !== null || table.winners.includes(p.seat)) : [];
  keep(el, [table.results, standing, table.winners], () => [
    table.over ? null : table.results.map((text) => h("p", {}, text)),
    standing.length ? h("ol", { class: "standing", "aria-label": t("final-scores") }, ranked(standing, table.winners).map((p) => {
      const won = table.winners.includes(p.seat);
      return h("li", { class: won ? "won" : "", "data-seat": p.seat }, avatar(p), won ? star() : null, name(p.name), h("span", { class: "stretch" }), p.score === null ? null : h("b", {}, p.score));
    })) : null,
    table.over ? table.results.map((text) => h("p", {}, text)) : null,
  ]);
}

function ranked(players, winners) {
  const first = (p) => (winners.includes(p.seat) ? 0 : 1);
  return players.slice().sort((a, b) => first(a) - first(b) || (b.score || 0) - (a.score || 0) || a.seat - b.seat);
}

/** The sign of a winner, with its word. */
export function star() {
  return h("span", { class: "star" }, icon("star", true), h("span", { class: "sr" }, `${t("winner")} `));
}

let slots = [];

/** What makes a prompt the same one in a newer picture of the table, where its number may differ. */
export const promptName = (p) => [p.kind, p.seat, p.label, p.detail].join("|");

/** While others only take from what is open (everybody lays at once), what stays open keeps its place: nothing moves
 * under a finger; only what was open to nobody, or to the last one to act, leaves no gap. What this device's own tap
 * opened is put in `anew`. Returns prompts with `gone` for those that only hold their place. */
function placed(prompts, anew) {
  const left = prompts.slice();
  const kept = slots.map((old) => {
    const i = left.findIndex((p) => promptName(p) === promptName(old));
    return i < 0 ? { ...old, gone: true } : left.splice(i, 1)[0];
  });
  const holds = (p) => p.seat !== null && kept.some((q) => !q.gone && q.seat !== p.seat);
  slots = anew || left.length || kept.every((p) => p.gone) ? prompts : kept.filter((p) => !p.gone || holds(p));
  return slots;
}

/** Give the room of what is gone to what is open; true where there was any. */
export function closeUp() {
  const open = slots.filter((p) => !p.gone);
  const any = open.length < slots.length;
  slots = open;
  return any;
}

/** The open actions as buttons: those of the seat `own` that plays on this device first, what others may do behind a
 * fold; `anew`: in new places. One of them leads, the rest is quiet. Returns true when they have changed. */
export function drawPrompts(el, table, act, anew, own) {
  const rank = (p) => (own === null || p.seat === own ? 0 : p.seat === null ? 1 : 2);
  const prompts = placed(table.prompts.slice().sort((a, b) => rank(a) - rank(b)), anew);
  return keep(el, [prompts, table.role, table.over, own, leader(prompts, table, own), own === null || table.role.seat === null ? null : table.awaits], () => {
    if (!table.role.acts) return table.awaits.length ? h("p", { class: "dim" }, t("looking-on")) : null;
    const first = leader(prompts, table, own);
    const mine = prompts.filter((p) => rank(p) < 2);
    const others = prompts.filter((p) => rank(p) === 2);
    const alone = new Set(mine.filter((p) => !p.gone).map((p) => p.seat)).size === 1;
    const many = (p) => p.detail === "" && new Set(mine.filter((q) => q.label === p.label && q.seat !== null).map((q) => q.seat)).size > 1;
    const drawn = new Set();
    return [
      mine.map((prompt) => {
        if (!many(prompt)) return promptButton(prompt, prompt === first, alone, act, prompt === first && (alone ? mine.length !== 2 : prompt.seat === null));
        if (drawn.has(prompt.label)) return null;
        drawn.add(prompt.label);
        const names = mine.filter((p) => p.label === prompt.label && many(p));
        return h("div", { class: `prompt-group${names.length < 3 ? " few" : ""}`, role: "group", "aria-label": prompt.label }, h("h3", { "aria-hidden": "true" }, prompt.label),
          h("div", { class: "prompt-names" }, names.map((p) => nameButton(p, p === first, table, act))));
      }),
      forOthers(others, table, own, act),
    ];
  });
}

/** What may be done for somebody else than the one whose device this is. */
function forOthers(prompts, table, own, act) {
  const told = own !== null && table.role.name === "seat" ? table.awaits.filter((line) => line.seats.some((seat) => seat !== own)) : [];
  if (!prompts.some((p) => !p.gone) && !told.length) return null;
  return h("details", { class: "for-others" }, h("summary", { "data-key": "for-others" }, icon("people"), t("for-others")),
    told.length ? h("div", {}, told.map((line) => h("p", {}, listed(line.seats.filter((seat) => seat !== own).map((seat) => table.players[seat].name)), t("colon"), line.text)), h("p", { class: "dim" }, t("error.not-yours"))) : null,
    h("div", { class: "prompts" }, prompts.map((p) => promptButton(p, false, false, act, false))));
}

/** The one action that leads: what the own seat, or whoever is to act, has to lay first; the next round when all is laid. */
function leader(prompts, table, own) {
  const worth = (p) => {
    const player = p.seat === null ? null : table.players[p.seat];
    const open = p.slot && p.slot.most > 0 ? 1 : 0;
    return (p.gone ? -20 : 0) + (own !== null && p.seat === own ? 8 : 0) + (player && player.active ? 2 : 0) + open + (p.seat === null && table.results.length ? 6 : 0);
  };
  return prompts.reduce((best, p) => (best === null || worth(p) > worth(best) ? p : best), null);
}

function promptButton(prompt, primary, alone, act, lone) {
  const inside = [
    prompt.who ? h("span", { class: `who${alone ? " sr" : ""}` }, name(prompt.who)) : null,
    h("span", { class: "what" }, withAside(prompt.label)),
    prompt.detail ? h("span", { class: "detail" }, prompt.detail) : null,
  ];
  return button(prompt, `prompt${primary ? " primary" : ""}${lone ? " lone" : ""}`, inside, act);
}

/** What a label says in brackets at its end is smaller than what the button does. */
function withAside(label) {
  const at = label.endsWith(")") ? label.indexOf("(") : -1;
  return at > 0 ? [label.slice(0, at), h("span", { class: "aside" }, label.slice(at))] : label;
}

/** One of many who may do the same: the action stands above, here stands the name. */
function nameButton(prompt, primary, table, act) {
  return button(prompt, `prompt${primary ? " primary" : ""}`, [avatar(table.players[prompt.seat]), h("span", { class: "who" }, name(prompt.who)), h("span", { class: "what sr" }, ` ${prompt.label}`)], act);
}

function button(prompt, look, inside, act) {
  if (prompt.gone) return h("span", { class: `button ${look} gone`, "aria-hidden": "true" }, inside);
  return h("button", {
    type: "button", class: `button ${look}`, "data-key": `prompt-${prompt.id}`,
    "data-kind": prompt.kind, "data-seat": prompt.seat === null ? "" : prompt.seat, onclick: () => act(prompt),
  }, inside);
}

/** A ruling in words, with its clauses. */
export function rulingText(entry) {
  const lines = entry.violations.concat(entry.proven);
  return lines.map((v) => h("p", { class: `reason ${v.verdict}` }, v.text, v.clause ? [" ", h("a", { class: "clause", href: v.rule, target: "_blank", rel: "noopener" }, v.clause)] : null));
}

/** The verdict as a mark with a word. */
export function verdictTag(entry, brief) {
  if (!entry.verdict) return null;
  const sign = { legal: "check", unproven: "question", foul: "flag" }[entry.verdict];
  return h("span", { class: `verdict ${entry.verdict}` }, sign ? icon(sign) : null, h("span", { class: brief && entry.verdict === "legal" ? "sr" : "" }, ` ${t(`verdict.${entry.verdict}`)}`));
}

/** The newest action and what the referee said of it; of one that was corrected just now, that it was. */
export function drawRuling(el, table) {
  const acted = table.entries.filter((entry) => entry.kind === "acted" && entry.standing && !entry.pending);
  const newest = table.entries[table.entries.length - 1];
  const mended = newest && newest.kind === "corrected" ? acted.find((entry) => entry.seq === newest.of) : null;
  const last = mended || acted.pop();
  const text = mended ? newest.text : last && last.text;
  keep(el, [last || null, text], () => (last
    ? [h("div", { class: "ruling-head" }, h("h2", { class: "sr" }, t("last-ruling")), evidence(last), h("span", { class: "ruling-what" }, text), verdictTag(last)), rulingText(last)]
    : null));
}

/** Fouls that wait for the table, those of one player in one box: what is wrong, which rule, the cards, the picture; take
 * back or play on. The first is decided first; the others are named below it. */
export function drawPending(el, table, deck, decide) {
  const boxes = new Map();
  for (const entry of table.pending) boxes.set(entry.seat, (boxes.get(entry.seat) || []).concat(entry));
  keep(el, [table.pending, table.role.acts], () => Array.from(boxes.values(), ([entry, ...more]) =>
    h("section", { class: "foul-box", "aria-label": t("verdict.foul") },
      h("div", { class: "ruling-head" }, verdictTag(entry), h("span", { class: "ruling-what" }, entry.text)),
      rulingText(entry),
      h("div", { class: "cards small" }, involved(entry).map((face) => cardImage(deck, { face, side: "up", marks: ["foul"] }))),
      evidence(entry),
      more.length ? h("details", { class: "more-fouls" }, h("summary", { "data-key": `more-${entry.seat}` }, t("foul.more", { n: more.length })),
        more.map((one) => h("div", {}, h("p", {}, one.text), rulingText(one)))) : null,
      table.role.acts && entry.revocable ? h("div", { class: "row" },
        h("button", { type: "button", class: "button primary", "data-key": `back-${entry.seq}`, onclick: () => decide("take-back", entry.seq) }, t("take-back")),
        h("button", { type: "button", class: "button", "data-key": `fix-${entry.seq}`, onclick: () => decide("correct", entry.seq) }, t("correct")),
        table.role.seat === null ? h("button", { type: "button", class: "button", "data-key": `on-${entry.seq}`, onclick: () => decide("play-on", entry.seq) }, t("play-on")) : null) : null)));
}

function involved(entry) {
  return Array.from(new Set(entry.violations.flatMap((v) => v.cards)));
}

/** The picture a card was read from. */
export function evidence(entry) {
  if (!entry.evidence) return null;
  return h("a", { class: "evidence", href: `/evidence/${entry.evidence}`, target: "_blank", rel: "noopener" },
    h("img", { src: `/evidence/${entry.evidence}`, alt: t("evidence") }));
}

/** What the camera thinks is just being done, and whose word it waits for. */
export function drawTentative(el, around) {
  const { tentative = [], waits = null } = around.camera;
  const lines = waits ? [...tentative, waits] : tentative;
  keep(el, lines, () => lines.map((line) => h("p", { class: "dim tentative" }, line)));
}
