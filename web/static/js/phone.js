// This device as the table's camera: pictures go to the server as fast as it wants them, and no faster.

import { Refused, newKey } from "./api.js";
import { fill } from "./dom.js";
import { t } from "./words.js";

const part = (id) => document.getElementById(id);
const start = JSON.parse(part("start").textContent);
const video = part("video");
const canvas = document.createElement("canvas");
const sender = newKey();
const SIDES = [1920, 1280, 960, 720]; // px of the longer side; a slow network gets smaller pictures
const SLOW = 1.2; // s for one picture on its way
const FAST = 0.3;
const state = { on: false, facing: "environment", side: 1, quick: 0, stream: null };

function say(text, bad) {
  fill(part("said"), text);
  part("said").classList.toggle("bad", Boolean(bad));
}

const pause = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));

/** Send one picture; the answer comes when the server wants the next. Throws Refused. */
async function post(body, more) {
  let response;
  try {
    response = await fetch(`/api/tables/${encodeURIComponent(start.id)}/camera/frame?sender=${sender}${more}`, {
      method: "POST", credentials: "same-origin", headers: { "Content-Type": body.type }, body,
    });
  } catch (error) {
    throw new Refused("offline", t("error.unreachable"), 0);
  }
  const answer = await response.json().catch(() => null);
  if (response.ok && answer) return answer;
  const error = (answer && answer.error) || { code: "offline", message: t("error.unreachable") };
  throw new Refused(error.code, error.message, response.status);
}

function sees(answer) {
  return answer.cards === null ? t("phone.looking") : t("phone.sees", { n: answer.cards });
}

// --- live ----------------------------------------------------------------------------------------------------------

function shot() {
  const scale = Math.min(1, SIDES[state.side] / Math.max(video.videoWidth, video.videoHeight));
  canvas.width = Math.round(video.videoWidth * scale);
  canvas.height = Math.round(video.videoHeight * scale);
  canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.85));
}

function adapt(seconds) {
  state.quick = seconds < FAST ? state.quick + 1 : 0;
  if (seconds > SLOW && state.side < SIDES.length - 1) state.side += 1;
  else if (state.quick > 40 && state.side > 1) {
    state.side -= 1;
    state.quick = 0;
  }
}

async function send() {
  let take = "&take=1"; // somebody has just tapped "start": this phone is meant
  while (state.on) {
    if (document.hidden || !video.videoWidth) {
      await pause(0.3);
      continue;
    }
    const began = performance.now();
    try {
      const body = await shot();
      if (!body || !state.on) continue;
      const answer = await post(body, take);
      take = "";
      adapt((performance.now() - began) / 1000 - answer.held);
      if (state.on) say(sees(answer));
      await pause(answer.wait);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (!state.on) return;
      say(error.message, true);
      if (error.status === 0 || error.status >= 500) await pause(2);
      else return stop();
    }
  }
  return undefined;
}

async function open() {
  if (state.stream) for (const track of state.stream.getTracks()) track.stop();
  state.stream = await navigator.mediaDevices.getUserMedia({
    audio: false, video: { facingMode: { ideal: state.facing }, width: { ideal: 1920 }, height: { ideal: 1080 } },
  });
  video.srcObject = state.stream;
  await video.play();
}

async function begin() {
  if (state.on) return;
  part("begin").disabled = true;
  try {
    await open();
  } catch (error) {
    say(t(error.name === "NotAllowedError" ? "phone.denied" : "phone.none"), true);
    part("begin").disabled = false;
    return;
  }
  state.on = true;
  draw();
  say(t("phone.looking"));
  wakeLock();
  send();
}

function stop() {
  state.on = false;
  if (state.stream) for (const track of state.stream.getTracks()) track.stop();
  state.stream = null;
  video.srcObject = null;
  draw();
}

function draw() {
  part("begin").hidden = state.on;
  part("aim").hidden = state.on;
  part("begin").disabled = false;
  part("end").hidden = !state.on;
  part("other").hidden = !state.on;
}

async function wakeLock() {
  if (!("wakeLock" in navigator) || document.hidden || !state.on) return;
  await navigator.wakeLock.request("screen").catch(() => null);
}

part("begin").addEventListener("click", begin);
part("end").addEventListener("click", () => {
  stop();
  say(t("phone.stopped"));
});
part("other").addEventListener("click", async () => {
  state.facing = state.facing === "environment" ? "user" : "environment";
  await open().catch(() => {
    stop();
    say(t("phone.none"), true);
  });
});
document.addEventListener("visibilitychange", wakeLock);

// --- single pictures -----------------------------------------------------------------------------------------------

part("shot").addEventListener("change", async () => {
  const file = part("shot").files[0];
  if (!file) return;
  say(t("phone.sending"));
  try {
    await post(file, "&take=1&single=1");
    say(t("phone.sent"));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    say(error.message, true);
  }
  part("shot").value = "";
});

const able = window.isSecureContext && navigator.mediaDevices && navigator.mediaDevices.getUserMedia;
part("live").hidden = !able;
part("single").hidden = Boolean(able);
if (able && window.location.hash === "#on") begin(); // back from marking the table: it filmed before
if (start.secure) {
  part("secure").setAttribute("href", start.secure);
  part("secure-room").hidden = false;
}
