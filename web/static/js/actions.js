// What a prompt becomes when it is answered, and which prompts are answered as soon as they are tapped.

// a card face down
export const UNKNOWN = "?";

/** Is anything left to ask before `prompt` can be sent? */
export function isPlain(prompt) {
  const { slot } = prompt;
  const noCards = !slot || slot.most === 0 || (slot.side === "down" && slot.least === slot.most);
  return noCards && prompt.choices.every((c) => c.values.length === 1);
}

/** The action of a prompt at which nothing is left to ask. */
export function plainAction(prompt) {
  const n = prompt.slot && prompt.slot.side === "down" ? prompt.slot.least : 0;
  return actionOf(prompt, Array(n).fill(UNKNOWN), fixedArgs(prompt));
}

/** The action that answers `prompt` with these cards and arguments. */
export function actionOf(prompt, cards, args) {
  return { kind: prompt.kind, seat: prompt.seat, cards, args };
}

/** The arguments that have one value only. */
export function fixedArgs(prompt) {
  const args = {};
  for (const choice of prompt.choices) if (choice.values.length === 1) args[choice.name] = choice.values[0].value;
  return args;
}
