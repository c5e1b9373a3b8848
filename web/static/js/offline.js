// Stands in for any page while the server is away: asks for that page again and again, and shows it when it is there.

const PAUSE = 3000; // ms

async function again() {
  try {
    const answer = await fetch(window.location.href, { method: "HEAD", cache: "no-store" });
    if (answer.status < 500) window.location.reload();
  } catch (error) {
    // still away
  }
}

document.getElementById("again").addEventListener("click", again);
window.addEventListener("online", again);
setInterval(again, PAUSE);
