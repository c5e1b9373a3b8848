// Showing a deck to a camera: this device's own, a phone's, or one of the server's machine. The server looks and decides;
// this page sends pictures or asks how far it is, says what comes next, beeps and ticks.

import { Refused, ask, newKey, tell } from "./api.js";
import { fill, h, icon, keep } from "./dom.js";

const part = (id) => document.getElementById(id);
const start = JSON.parse(part("start").textContent);
const said = JSON.parse(part("said-words").textContent);
const query = `deck=${encodeURIComponent(start.deck)}&phone=${encodeURIComponent(start.phone)}`;
const video = part("video");
const canvas = document.createElement("canvas");
const SIDE = 1600; // px of the longer side of a picture that is sent
const FRAME_S = 0.12;
const ASK_S = 0.5;
const state = { told: null, taken: null, stream: null, filming: false, asking: false, sound: true, context: null, picture: 0 };

const pause = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));

// --- what is told --------------------------------------------------------------------------------------------------

function beep() {
  if (!state.sound || !state.context) return;
  const tone = state.context.createOscillator();
  const volume = state.context.createGain();
  const at = state.context.currentTime;
  tone.frequency.value = 880;
  volume.gain.setValueAtTime(0.0001, at);
  volume.gain.exponentialRampToValueAtTime(0.12, at + 0.02);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.18);
  tone.connect(volume).connect(state.context.destination);
  tone.start(at);
  tone.stop(at + 0.2);
}

function tick() {
  part("tick").classList.add("on");
  setTimeout(() => part("tick").classList.remove("on"), 700);
}

function wrong(text) {
  fill(part("wrong"), text || "");
}

function show(told) {
  if (state.taken !== null && told.taken > state.taken) {
    beep();
    tick();
  }
  state.taken = told.taken;
  state.told = told;
  const done = told.now === null;
  part("intro").hidden = true;
  part("guide").hidden = false;
  part("end").hidden = !done;
  part("bar").max = told.total;
  part("bar").value = told.known;
  fill(part("progress"), told.progress);
  part("now-word").hidden = done;
  keep(part("now"), [told.now, told.said, done], () => [done ? told.said : told.now.name]);
  const picture = done ? "" : `/cards/${encodeURIComponent(told.deck)}/${encodeURIComponent(told.now.code)}.svg`;
  part("drawn").hidden = done;
  if (!done && part("drawn").getAttribute("src") !== picture) part("drawn").setAttribute("src", picture);
  const text = done ? "" : told.trouble || told.said;
  if (part("said").textContent !== text) fill(part("said"), text);
  part("said").classList.toggle("bad", !done && Boolean(told.trouble) || told.step === "bad" || told.step === "known");
  part("said").classList.toggle("good", !told.trouble && told.step === "taken");
  part("steps").hidden = done;
  for (const button of document.querySelectorAll("[data-do=again]")) button.disabled = !told.last;
  part("none-missing").hidden = told.missing.length > 0;
  part("alike-wait").hidden = told.alike !== null || told.known < 2;
  part("alike-room").hidden = !told.alike || !told.alike.length;
  part("no-alike").hidden = !told.alike || told.alike.length > 0;
  keep(part("alike"), told.alike, () => (told.alike || []).map((pair) => h("li", {}, pair)));
  fill(part("advice"), told.advice);
  part("missing-room").hidden = !done || !told.missing.length;
  keep(part("missing"), [done, told.missing], () => (done ? told.missing : []).map((card) => h("li", {}, h("button", { type: "button", class: "button small", onclick: () => act("go", card.code) }, card.name))));
  part("stop").hidden = !told.camera && !state.filming;
  if (told.camera || (told.picture > 0 && told.taken > 0)) part("code").hidden = true;
  draw(told);
}

/** What the server's camera, or a phone, sees. */
function draw(told) {
  video.hidden = !state.filming;
  const other = !state.filming && told.picture > 0;
  part("view").hidden = !other;
  if (other && told.picture !== state.picture) {
    state.picture = told.picture;
    part("view").setAttribute("src", `/decks/enrol/view.jpg?${query}&n=${told.picture}`);
  }
}

// --- asking --------------------------------------------------------------------------------------------------------

async function guarded(todo) {
  try {
    const told = await todo();
    wrong("");
    show(told);
    return true;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    wrong(error.message);
    return error.status === 0 || error.status >= 500;
  }
}

function act(what, face) {
  const more = face === undefined ? {} : { face };
  return guarded(() => tell("/api/enrolment/do", { deck: start.deck, phone: start.phone, do: what, ...more }));
}

async function watch() {
  if (state.asking) return;
  state.asking = true;
  while (state.asking) {
    if (!document.hidden && !state.filming && !(await guarded(() => ask(`/api/enrolment?${query}`)))) state.asking = false;
    await pause(ASK_S);
  }
}

async function begin() {
  if (state.told || start.phone) return true;
  const begun = await act("begin");
  if (state.told) watch();
  return begun && state.told;
}

// --- cameras -------------------------------------------------------------------------------------------------------

function awake() {
  const Context = window.AudioContext || window.webkitAudioContext;
  if (!state.context && Context) state.context = new Context();
  if (state.context && state.context.state === "suspended") state.context.resume().catch(() => null);
}

function shot() {
  const scale = Math.min(1, SIDE / Math.max(video.videoWidth, video.videoHeight));
  canvas.width = Math.round(video.videoWidth * scale);
  canvas.height = Math.round(video.videoHeight * scale);
  canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.9));
}

async function post(body) {
  let response;
  try {
    response = await fetch(`/api/enrolment/frame?${query}`, { method: "POST", credentials: "same-origin", headers: { "Content-Type": body.type }, body });
  } catch (error) {
    throw new Refused("offline", "", 0);
  }
  const answer = await response.json().catch(() => null);
  if (response.ok && answer) return answer;
  const error = (answer && answer.error) || { code: "offline", message: "" };
  throw new Refused(error.code, error.message, response.status);
}

async function film() {
  while (state.filming) {
    if (document.hidden || !video.videoWidth) {
      await pause(0.3);
      continue;
    }
    const body = await shot();
    if (body && state.filming && !(await guarded(() => post(body)))) return stop();
    await pause(FRAME_S);
  }
  return undefined;
}

async function filmHere() {
  awake();
  if (state.filming || !(await begin())) return;
  try {
    state.stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: { facingMode: { ideal: "environment" }, width: { ideal: 1920 }, height: { ideal: 1080 } } });
    video.srcObject = state.stream;
    await video.play();
  } catch (error) {
    wrong(error.name === "NotAllowedError" ? said.denied : said.none);
    return;
  }
  state.filming = true;
  part("code").hidden = true;
  if ("wakeLock" in navigator) navigator.wakeLock.request("screen").catch(() => null);
  film();
}

function stop() {
  state.filming = false;
  if (state.stream) for (const track of state.stream.getTracks()) track.stop();
  state.stream = null;
  video.srcObject = null;
  video.hidden = true;
}

async function look(camera) {
  awake();
  if (!(await begin())) return;
  stop();
  await guarded(() => tell("/api/enrolment/camera", { deck: start.deck, camera }));
  watch();
}

const able = window.isSecureContext && navigator.mediaDevices && navigator.mediaDevices.getUserMedia;
part("this").hidden = !able;
part("insecure").hidden = Boolean(able);
part("single").hidden = Boolean(able);
part("this").addEventListener("click", filmHere);
part("stop").addEventListener("click", () => (state.filming ? stop() : look(null)));
part("sound").addEventListener("click", () => {
  state.sound = !state.sound;
  fill(part("sound"), icon(state.sound ? "sound" : "mute"));
  part("sound").setAttribute("aria-pressed", state.sound ? "true" : "false");
  awake();
});
if (part("phone")) {
  part("phone").addEventListener("click", async () => {
    awake();
    if (!(await begin())) return;
    part("qr").setAttribute("src", `/decks/enrol/phone.svg?deck=${encodeURIComponent(start.deck)}&${newKey()}`);
    part("code").hidden = false;
    watch();
  });
}
part("shot").addEventListener("change", async () => {
  const file = part("shot").files[0];
  if (!file || !(await begin())) return;
  await act("take");
  await guarded(() => post(file));
  part("shot").value = "";
});
for (const camera of start.cameras) {
  part("cameras").insertBefore(h("button", { type: "button", class: "button", "data-source": camera.source, disabled: camera.taken, onclick: () => look(camera.source) }, camera.name), part("stop"));
}
for (const button of document.querySelectorAll("[data-do]")) button.addEventListener("click", () => act(button.getAttribute("data-do")));
if (start.phone) watch();
