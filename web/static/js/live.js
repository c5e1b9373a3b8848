// One EventSource a page. It says when the table has changed and whether the server can be heard at all.

import { newKey } from "./api.js";

// ms without a sign of life: the page says that it is offline
const SILENCE = 5000;
const RETRY = [500, 1000, 2000, 4000];

// a stream of this page takes the place of its earlier one
const PAGE = newKey();

let left = false;

/** Go to the first page; once, as who removes a table also hears that it is gone. */
export function leave() {
  if (!left) window.location.assign("/");
  left = true;
}

const codeOf = (role) => (role.name === "seat" ? `seat-${role.seat}` : role.name);

/** Listen to a table, of which `picture` was the last that was seen. `on` has table(picture), around(data),
 * hello({device: own id}) and online(true | false). Returns {seen(number), stop()}. */
export function listen(picture, on) {
  const { id } = picture;
  let role = codeOf(picture.role);
  let source = null;
  let heard = Date.now();
  let online = true;
  let tries = 0;
  let last = picture.seq;
  let stopped = false;
  let timer = 0;

  const alive = () => {
    heard = Date.now();
    tries = 0;
    if (!online) on.online((online = true));
  };
  const open = () => {
    if (stopped) return;
    close();
    source = new EventSource(`/api/tables/${encodeURIComponent(id)}/events?seen=${last}&role=${role}&page=${PAGE}`);
    source.addEventListener("table", (event) => {
      alive();
      const news = JSON.parse(event.data);
      last = news.seq;
      role = codeOf(news.role);
      on.table(news);
    });
    source.addEventListener("hello", (event) => on.hello(JSON.parse(event.data)));
    source.addEventListener("around", (event) => {
      alive();
      on.around(JSON.parse(event.data));
    });
    source.addEventListener("beat", alive);
    source.addEventListener("gone", leave);
    source.addEventListener("open", alive);
    source.addEventListener("error", () => {
      // The browser gives up for good after a refusal, and some of them after a restart: start anew ourselves.
      if (Date.now() - heard > 1500 && online) on.online((online = false));
      close();
      clearTimeout(timer);
      timer = setTimeout(open, RETRY[Math.min(tries, RETRY.length - 1)]);
      tries += 1;
    });
  };
  const close = () => {
    if (source) source.close();
    source = null;
  };
  const watch = setInterval(() => {
    if (Date.now() - heard <= SILENCE) return;
    if (online) on.online((online = false));
    if (source && Date.now() - heard > 2 * SILENCE) {
      // a dead connection that nobody has noticed (sleep, Wi-Fi)
      heard = Date.now() - SILENCE;
      open();
    }
  }, 1000);
  const wake = () => {
    if (!document.hidden && Date.now() - heard > SILENCE / 2) open();
  };
  document.addEventListener("visibilitychange", wake);
  window.addEventListener("online", open);
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", (event) => event.persisted && open());
  open();
  return {
    seen: (number) => (last = Math.max(last, number)),
    stop: () => {
      stopped = true;
      clearInterval(watch);
      clearTimeout(timer);
      close();
    },
  };
}
