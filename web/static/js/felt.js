// The table itself: every player's place with what lies there, and the middle. Drawn from the view alone.

import { cardImage } from "./cards.js";
import { star } from "./dock.js";
import { h, keep, name } from "./dom.js";
import { t } from "./words.js";

/** Draw all places into `el`. `touch(zone, card, index)`: somebody tapped a card; `lay(prompt)`:
 * somebody tapped the place where the cards of an open prompt belong; both null where nobody may act.
 * `differing`: zones that the camera sees otherwise than they are recorded. */
export function drawFelt(el, table, deck, touch, lay, differing) {
  const odd = new Set(differing);
  const hot = new Set(table.pending.flatMap((entry) => entry.violations.flatMap((v) => v.cards)));
  const places = [];
  const awaited = new Set(table.targets);
  const isFact = (zone) => !zone.cards.length && zone.note && !awaited.has(zone.id);
  const middle = table.zones.filter((zone) => zone.seat === null && !isFact(zone));
  const facts = table.zones.filter((zone) => zone.seat === null && isFact(zone));
  if (middle.length) places.push({ key: "middle", player: null, zones: middle });
  for (const player of table.players) {
    places.push({ key: `seat-${player.seat}`, player, zones: table.zones.filter((zone) => zone.seat === player.seat) });
  }
  if (facts.length) places.push({ key: "facts", player: null, zones: facts });
  el.classList.toggle("many", table.players.length > 4);
  el.classList.toggle("even", table.players.length < 3 || table.players.length === 4);
  el.classList.toggle("wide", places.some((p) => p.player && p.zones.some((zone) => zone.cards.length > 3 && zone.kind !== "pile" && zone.kind !== "stack")));
  matchPlaces(el, places).forEach((place, i) => {
    const data = places[i];
    const mine = data.player && table.role.name === "seat" && table.role.seat === data.player.seat;
    const won = Boolean(data.player) && table.winners.includes(data.player.seat);
    place.className = `place${data.player ? "" : ` middle ${data.key}`}${data.player && data.player.active ? " active" : ""}${mine ? " mine" : ""}${won ? " won" : ""}`;
    const pendingHere = data.player ? table.pending.filter((e) => e.seat === data.player.seat).map((e) => e.cards) : [];
    const open = new Map(lay ? table.prompts.filter((p) => p.slot && p.slot.target).map((p) => [p.slot.target, p]) : []);
    const here = data.zones.map((zone) => open.get(zone.id) || null);
    keep(place, [data, won, Array.from(hot), pendingHere, Boolean(touch), here.map((p) => p && [p.id, p.label]), data.zones.map((z) => [awaited.has(z.id), odd.has(z.id)])], () => [
      data.player ? plate(data.player, won) : null,
      h("div", { class: "zones" }, data.zones.map((zone, n) => drawZone(zone, deck, hot, touch, data.player, here[n], lay, awaited.has(zone.id), odd.has(zone.id)))),
      pendingHere.map((cards) => (cards.length ? h("div", { class: "zone pending-cards" },
        h("span", { class: "zone-label" }, t("pending.laid")),
        h("div", { class: "cards" }, cards.map((face) => cardImage(deck, { face, side: face === "?" ? "down" : "up", marks: hot.has(face) ? ["foul"] : [] })))) : null)),
    ]);
  });
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

function plate(player, won) {
  return h("div", { class: "plate" },
    h("h2", {}, name(player.name)),
    won ? star() : null,
    player.active ? h("span", { class: "turn", title: t("to-act") }, h("span", { "aria-hidden": "true" }, "●"), h("span", { class: "sr" }, t("to-act"))) : null,
    player.status ? h("span", { class: "tag" }, player.status) : null,
    h("span", { class: "stretch" }),
    player.score === null ? null : h("span", { class: "score", role: "img", "aria-label": t("score-of", { n: player.score }) }, player.score),
    player.counters.length ? h("div", { class: "counters" }, player.counters.map((counter) => h("span", { class: "counter" }, h("span", { class: "counter-label" }, counter.label), " ", h("b", {}, counter.value)))) : null);
}

function drawZone(zone, deck, hot, touch, player, prompt, lay, awaited, differs) {
  const label = h("div", { class: "zone-head" },
    h("span", { class: `zone-label${player && zone.id.startsWith("hand:") ? " sr" : ""}` }, zone.label),
    zone.note ? h("span", { class: "note-tag" }, zone.note) : null,
    differs ? h("span", { class: "differs" }, t("differs")) : null);
  const pile = zone.kind === "pile" || zone.kind === "stack";
  const n = pile ? Math.min(zone.cards.length, 1) : zone.cards.length;
  if (!n && !awaited) return h("div", { class: "zone empty", "data-zone": zone.id }, label, zone.note ? null : h("span", { class: "zone-label" }, h("span", { "aria-hidden": "true" }, "–"), h("span", { class: "sr" }, t("zone-empty"))));
  const crowd = n > 8 ? " crowd" : n > 6 ? " n7" : n > 5 ? " n6" : n > 3 ? " n4" : "";
  const cards = h("div", { class: `cards ${zone.kind}${crowd}` }, zone.cards.length || !prompt ? zoneCards(zone, deck, hot, touch) : openPlace(zone, prompt, lay));
  return h("div", { class: `zone zone-${zone.kind}${zone.cards.length ? "" : " empty"}`, "data-zone": zone.id }, label, cards);
}

/** An empty place that waits for cards: tapping it is tapping the button of its prompt. */
function openPlace(zone, prompt, lay) {
  const n = Math.max(1, Math.min(prompt.slot.least, 5));
  return h("button", { type: "button", class: "open-place", "data-key": `place-${zone.id}`, "aria-label": `${prompt.who}${t("colon")}${prompt.label}`, onclick: () => lay(prompt) },
    Array.from({ length: n }, (_, i) => h("span", { class: "nothing", "aria-hidden": "true" }, i === 0 ? "+" : "")));
}

function zoneCards(zone, deck, hot, touch) {
  if (!zone.cards.length) return h("span", { class: "nothing", role: "img", "aria-label": t("zone-empty") });
  const pile = zone.kind === "pile" || zone.kind === "stack";
  const shown = pile ? zone.cards.slice(-1) : zone.cards;
  const base = zone.cards.length - shown.length;
  return [
    shown.map((card, i) => {
      const marks = card.face && hot.has(card.face) ? card.marks.concat("foul") : card.marks;
      const props = { "data-key": `card-${zone.id}-${base + i}` };
      if (touch && card.face) props.onclick = () => touch(zone, card, base + i);
      return cardImage(deck, { ...card, marks }, props);
    }),
    pile && zone.cards.length > 1 ? h("span", { class: "pile-count", "aria-label": t("pile-count", { n: zone.cards.length }) }, zone.cards.length) : null,
  ];
}
