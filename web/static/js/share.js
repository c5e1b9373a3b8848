// The result as a picture to keep or to send: drawn by the server as SVG, made a PNG here, as messengers want it.

import { t } from "./words.js";

/** The picture at `address` as a PNG. */
async function png(address) {
  const answer = await fetch(address, { credentials: "same-origin" });
  if (!answer.ok) throw new Error("no picture");
  const source = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await answer.text())}`;
  const image = new Image();
  await new Promise((done, failed) => {
    image.onload = done;
    image.onerror = failed;
    image.src = source;
  });
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  canvas.getContext("2d").drawImage(image, 0, 0);
  return new Promise((done, failed) => canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture"))), "image/png"));
}

/** Send the result around where the device can; else save it. */
export async function shareResult(address, name, toast) {
  let blob;
  try {
    blob = await png(address);
  } catch (error) {
    toast(t("error.unreachable"));
    return;
  }
  const file = new File([blob], `${name}.png`, { type: "image/png" });
  if (navigator.canShare && navigator.canShare({ files: [file] })) {
    await navigator.share({ files: [file] }).catch(() => null); // closed without sending: nothing is wrong
    return;
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

for (const button of document.querySelectorAll("[data-result]")) {
  button.addEventListener("click", () => shareResult(button.dataset.result, button.dataset.name, (text) => { button.textContent = text; }));
}
