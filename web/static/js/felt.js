// The table itself: seats round the felt as people sit, what lies before each, and the middle. Drawn from the view alone.

import { cardImage } from "./cards.js";
import { star } from "./dock.js";
import { avatar, h, icon, keep, name } from "./dom.js";
import { fit } from "./fit.js";
import { remember, settle } from "./motion.js";
import { t } from "./words.js";

const isPile = (zone) => zone.kind === "pile" || zone.kind === "stack";
const kindOf = (zone) => zone.id.split(":")[0];

const tablet = window.matchMedia("(min-width: 600px) and (max-width: 859px) and (min-height: 501px)");

/** Draw all places into `el`. `touch(zone, card, index)`: somebody tapped a card; `lay(prompt)`: somebody tapped the
 * place where the cards of an open prompt belong; both null where nobody may act. `differing`: zones that the camera sees
 * otherwise than they are recorded. `near`: the seat that is shown nearest; else the first. */
export function drawFelt(el, table, deck, touch, lay, differing, near) {
  const odd = new Set(differing);
  const hot = new Set(table.pending.flatMap((entry) => entry.violations.flatMap((v) => v.cards)));
  const awaited = new Set(table.targets);
  const isFact = (zone) => !zone.room && !zone.cards.length && !awaited.has(zone.id);
  const middle = table.zones.filter((zone) => zone.seat === null && !isFact(zone));
  const told = table.zones.filter((zone) => zone.seat === null && isFact(zone));
  // where the screen has room for them beside the felt
  const beside = document.getElementById("facts");
  const facts = beside && !tablet.matches ? [] : told;
  if (beside) keep(beside, facts.length ? [] : told, () => (facts.length ? [] : factList(told)));
  if (beside) beside.parentNode.parentNode.classList.toggle("told", told.length > 0);
  const kinds = table.zones.filter((zone) => zone.seat !== null).map(kindOf);
  const seated = (seat) => table.zones.filter((zone) => zone.seat === seat);
  const places = [];
  if (middle.length) places.push({ key: "middle", player: null, zones: middle });
  for (const player of table.players) places.push({ key: `seat-${player.seat}`, player, zones: seated(player.seat) });
  if (facts.length) places.push({ key: "facts", player: null, zones: facts });

  const zones = new Set(kinds).size;
  el.classList.toggle("light", zones === 0);
  el.classList.toggle("single", zones === 1);
  el.classList.toggle("open-middle", !middle.length);
  // a row that all look at
  el.classList.toggle("open-row", middle.some((zone) => !isPile(zone) && zone.room > 4));
  // cards side by side in the middle
  const across = middle.filter((zone) => !isPile(zone)).reduce((sum, zone) => sum + zone.room, 0);
  el.classList.toggle("slim", across === 0);
  el.classList.toggle("broad", across > 4);
  el.classList.toggle("three", table.players.length > 2);
  el.classList.toggle("odd", table.players.length % 2 === 1);
  el.classList.toggle("done", table.over);
  el.classList.toggle("many", table.players.length > 4);
  // room enough for many actions
  document.body.classList.toggle("pair", zones === 1 && table.players.length < 3);
  // as many names to choose from
  document.body.classList.toggle("ring", zones === 1 && [3, 4].includes(table.players.length));
  // rows of several kinds before each of many
  document.body.classList.toggle("tight", zones > 1 && table.players.length > 3);
  document.body.classList.toggle("tightest", zones > 1 && table.players.length > 4);
  el.dataset.seats = table.players.length;
  const before = remember(el);
  const open = new Map(lay ? table.prompts.filter((p) => p.slot && p.slot.target).map((p) => [p.slot.target, p]) : []);
  const first = near === null || near === undefined ? 0 : near;
  matchPlaces(el, places).forEach((place, i) => {
    const data = places[i];
    const mine = data.player && near === data.player.seat;
    const won = Boolean(data.player) && table.winners.includes(data.player.seat);
    const side = data.player ? seatAt(table.players.length, (data.player.seat - first + table.players.length) % table.players.length) : null;
    place.className = `place ${data.player ? `seat ${side.row}${side.span === 12 ? " wide" : side.from > 6 ? " right" : ""}` : `middle ${data.key}`}${data.player && data.player.active ? " active" : ""}${mine ? " mine" : ""}${won ? " won" : ""}`;
    if (side) place.style.setProperty("--span", side.span);
    if (side) place.style.setProperty("--from", side.from);
    const pendingHere = data.player ? table.pending.filter((e) => e.seat === data.player.seat).map((e) => e.cards) : [];
    const here = data.zones.map((zone) => open.get(zone.id) || null);
    const lies = data.zones.map((_, at) => at);
    const named = !data.player || data.player.seat === first;
    const drawn = (at) => drawZone(data.zones[at], deck, hot, touch, here[at], lay, awaited.has(data.zones[at].id), odd.has(data.zones[at].id), !data.player || data.player.active, named);
    keep(place, [data, won, mine, named, Array.from(hot), pendingHere, Boolean(touch), here.map((p) => p && [p.id, p.label]), data.zones.map((z) => [awaited.has(z.id), odd.has(z.id)])], () => [
      data.player ? head(plate(data.player, won, mine, zones === 0), lies.filter((at) => isPile(data.zones[at])).map(drawn)) : null,
      data.key === "facts" ? factList(data.zones) : h("div", { class: "zones" }, lies.filter((at) => !data.player || !isPile(data.zones[at])).map(drawn)),
      pendingHere.map((cards) => (cards.length ? h("div", { class: "zone pending-cards" },
        h("span", { class: "zone-label" }, t("pending.laid")),
        h("div", { class: "cards" }, cards.map((face) => cardImage(deck, { face, side: face === "?" ? "down" : "up", marks: hot.has(face) ? ["foul"] : [] })))) : null)),
    ]);
  });
  fit(el, table.id, places.map((p) => [p.key, p.zones.length, p.player && p.player.counters.length]));
  settle(el, before, table);
}

/** Who sits there, and beside the name the piles that lie before him. */
function head(who, piles) {
  return piles.length ? h("div", { class: "plate-row" }, who, h("div", { class: "piles" }, piles)) : who;
}

/** Where the seat that is `n`th from the nearest, clockwise, sits: nearest in the middle of the near side. */
function seatAt(players, n) {
  const near = Math.max(1, Math.floor(players / 2));
  // seats of the near side that sit left of the nearest one
  const left = Math.floor((near - 1) / 2);
  const far = players - near;
  if (n === 0 || n <= left || n > left + far) {
    const at = n === 0 ? left : n <= left ? left - n : near - (n - left - far);
    return { row: "near", span: 12 / near, from: 1 + (12 / near) * at };
  }
  return { row: "far", span: 12 / far, from: 1 + (12 / far) * (n - left - 1) };
}

function matchPlaces(el, places) {
  const have = Array.from(el.children);
  if (have.length === places.length && have.every((child, i) => child.dataset.place === places[i].key)) return have;
  while (el.firstChild) el.removeChild(el.firstChild);
  return places.map((place) => {
    const label = place.player ? place.player.name : t(place.key === "facts" ? "facts" : "middle");
    const child = h("section", { "data-place": place.key, "aria-label": label });
    el.append(child);
    return child;
  });
}

function plate(player, won, mine, light) {
  const held = light && player.hand ? player.hand.known.length + player.hand.unknown : 0;
  return h("div", { class: "plate" },
    avatar(player),
    h("div", { class: "who-is" },
      h("div", { class: `who-line${player.status ? "" : " untold"}` },
        h("h2", {}, name(player.name), mine ? h("span", { class: "sr" }, ` (${t("you")})`) : null),
        won ? star() : null,
        player.active ? h("span", { class: "turn" }, h("span", { class: "sr" }, t("to-act"))) : null,
        player.status ? h("span", { class: "tag" }, player.status) : null),
      player.counters.length ? h("div", { class: "counters" }, player.counters.map((counter) => h("span", { class: "counter" }, h("span", { class: "counter-label" }, counter.label), " ", h("b", {}, counter.value)))) : null,
      held ? h("div", { class: "held", "aria-hidden": "true" }, Array.from({ length: Math.min(held, 13) }, () => h("i", {}))) : null),
    player.score === null ? null : h("span", { class: "score", role: "img", "aria-label": t("score-of", { n: player.score }) }, player.score));
}

/** What is told of the middle without cards lying there: lines of name and value, those of one kind under one heading. */
function factList(zones) {
  const groups = new Map();
  for (const zone of zones) groups.set(zone.heading, (groups.get(zone.heading) || []).concat(zone));
  return Array.from(groups, ([heading, all]) => h("div", { class: "fact-group" },
    heading ? h("h3", {}, heading) : null,
    h("dl", { class: "fact-list" }, all.map((zone) => h("div", { class: "fact", "data-zone": zone.id }, h("dt", {}, zone.own), h("dd", {}, zone.note))))));
}

/** The name of a place; how many lie there stays whole, on a line of its own where there is no room beside the name. */
function placeName(label) {
  const end = label.indexOf(":") + 1;
  return end ? [phrases(label.slice(0, end)), h("wbr"), h("span", { class: "count" }, label.slice(end))] : phrases(label);
}

/** A name that may break only where a new word begins: in Japanese where kanji or katakana follow hiragana. */
function phrases(text) {
  return text.match(/[^ぁ-ん]*[ぁ-ん]*:?/g).filter(Boolean).map((word, i) => (i ? [h("wbr"), word] : word));
}

/** `named`: its name is read; the places of the other seats lie in the same order and say theirs to whoever points at them. */
function drawZone(zone, deck, hot, touch, prompt, lay, awaited, differs, due, named) {
  // what lies before everybody needs no name
  const alone = document.getElementById("felt").classList.contains("single");
  const hand = zone.seat !== null && kindOf(zone) === "hand";
  const quiet = hand || !named || (alone && zone.seat !== null);
  const label = h("div", { class: `zone-head${quiet && !zone.note ? " bare" : ""}`, title: quiet ? zone.label : null },
    h("span", { class: `zone-label${quiet ? " sr" : ""}` }, zone.seat === null ? placeName(zone.label) : [phrases(zone.own), h("span", { class: "sr" }, ` (${zone.label})`)]),
    zone.note ? h("span", { class: `note-tag${zone.plain ? " plain" : ""}` }, zone.note) : null,
    differs ? h("span", { class: "differs", role: "img", "aria-label": t("differs"), title: t("differs") }, icon("camera")) : null);
  const n = isPile(zone) ? Math.min(zone.cards.length, 1) : zone.cards.length;
  const shape = `zone zone-${zone.kind}${zone.cards.length ? "" : " empty"}`;
  if (!n && !awaited) {
    return roomy(zone, h("div", { class: `${shape} idle`, "data-zone": zone.id }, label,
      h("div", { class: "cards" }, h("span", { class: "nothing faint", role: "img", "aria-label": t("zone-empty") }, quiet ? null : h("span", { class: "place-name" }, phrases(zone.own))))));
  }
  const cards = h("div", { class: `cards kind-${zone.kind}${n > 7 ? " crowd" : ""}` }, zone.cards.length || !prompt ? zoneCards(zone, deck, hot, touch) : openPlace(zone, prompt, lay, due));
  return roomy(zone, h("div", { class: shape, "data-zone": zone.id }, label, cards));
}

/** The place of so many cards, whether they lie there or not. */
function roomy(zone, el) {
  const n = isPile(zone) ? 1 : zone.cards.length;
  el.dataset.room = Math.max(1, n > zone.room + 3 ? n : zone.room);
  el.style.setProperty("--room", el.dataset.room);
  return el;
}

/** An empty place that waits for cards: tapping it is tapping the button of its prompt. `due`: its player is to act. */
function openPlace(zone, prompt, lay, due) {
  const n = isPile(zone) || !due ? 1 : Math.max(1, Math.min(prompt.slot.least, zone.room));
  return h("button", { type: "button", class: "open-place", "data-key": `place-${zone.id}`, "aria-label": `${prompt.who}${t("colon")}${prompt.label}`, onclick: () => lay(prompt) },
    Array.from({ length: n }, (_, i) => h("span", { class: "nothing", "aria-hidden": "true" }, i === 0 ? "+" : "")));
}

function zoneCards(zone, deck, hot, touch) {
  if (!zone.cards.length) return h("span", { class: "nothing", role: "img", "aria-label": t("zone-empty") });
  const pile = isPile(zone);
  const shown = pile ? zone.cards.slice(-1) : zone.cards;
  const base = zone.cards.length - shown.length;
  return [
    shown.map((card, i) => {
      const marks = card.face && hot.has(card.face) ? card.marks.concat("foul") : card.marks;
      const props = { "data-key": `card-${zone.id}-${base + i}`, "data-card": card.face || "?" };
      if (touch && card.face) props.onclick = () => touch(zone, card, base + i);
      return cardImage(deck, { ...card, marks }, props);
    }),
    pile && zone.cards.length > (zone.seat === null ? 1 : 0) ? h("span", { class: "pile-count", "aria-label": t("pile-count", { n: zone.cards.length }) }, zone.cards.length) : null,
  ];
}
