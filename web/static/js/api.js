// Asking and telling the server. Every write carries its own key, so a repeated one changes nothing.

import { t } from "./words.js";

/** What the server refused: `code` and a sentence for people. */
export class Refused extends Error {
  constructor(code, message, status, extra) {
    super(message);
    this.code = code;
    this.status = status;
    this.extra = extra || {};
  }
}

/** A key nobody else has; crypto.randomUUID needs https, which a table in a living room does not have. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
}

async function answer(response) {
  let body = null;
  try {
    body = await response.json();
  } catch (error) {
    body = null;
  }
  if (response.ok && body) return body;
  const error = (body && body.error) || { code: "offline", message: t("error.unreachable") };
  throw new Refused(error.code, error.message, response.status, body);
}

async function send(path, options) {
  let response;
  try {
    response = await fetch(path, { credentials: "same-origin", ...options });
  } catch (error) {
    throw new Refused("offline", t("error.unreachable"), 0);
  }
  return answer(response);
}

/** GET as JSON. Throws Refused. */
export function ask(path) {
  return send(path, {});
}

/** POST a file as it is, once. Throws Refused. */
export function give(path, type, body) {
  return send(path, { method: "POST", headers: { "Content-Type": type }, body });
}

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/** POST as JSON, with a key of its own. When the network fails, or nothing comes back for `patience` ms (0: wait on), the
 * same body goes out again, twice; the key keeps that harmless: what was written is not written twice. */
export async function tell(path, body, again = 2, patience = 0) {
  const once = JSON.stringify({ key: newKey(), ...body });
  const options = { method: "POST", headers: { "Content-Type": "application/json" }, body: once };
  for (let left = again; ; left -= 1) {
    const stop = new AbortController();
    const timer = patience ? setTimeout(() => stop.abort(), patience) : 0;
    try {
      return await send(path, { ...options, signal: stop.signal });
    } catch (refused) {
      if (refused.status !== 0 || left <= 0) throw refused;
      await wait(600);
    } finally {
      clearTimeout(timer);
    }
  }
}
