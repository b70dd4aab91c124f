// Controls of time: play button, slider, keys. setTime() updates all that depends on time.
const speeds = [0.1, 0.25, 0.5, 1, 2, 5, 10];
const player = { time: 0, playing: false, speed: 1, drawn: null };

function setTime(t) {
  player.time = Math.min(Math.max(t, 0), end);
  byId("scrub").value = player.time;
  byId("scrub").setAttribute("aria-valuetext", `${format(player.time, 4)} seconds`);
  byId("clock").textContent = `t = ${player.time.toFixed(clockDigits)} s`;
  drawMechanism(player.time);
  drawEnergies(player.time);
  setPlotCursor(player.time);
}

const clockDigits = Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(end || 1))));

function advance(now) {
  if (!player.playing) return;
  const elapsed = player.drawn === null ? 0 : Math.min(now - player.drawn, 100) / 1000;
  player.drawn = now;
  setTime(player.time + elapsed * player.speed);
  if (player.time >= end) return setPlaying(false);
  requestAnimationFrame(advance);
}

function setPlaying(playing) {
  if (playing && player.time >= end) setTime(0);
  player.playing = playing;
  player.drawn = null;
  byId("play").setAttribute("aria-pressed", playing);
  byId("play").setAttribute("aria-label", playing ? "Pause" : "Play");
  if (playing) requestAnimationFrame(advance);
}

const step = () => end / 200;
const keys = {
  " ": () => setPlaying(!player.playing),
  ArrowLeft: (event) => setTime(player.time - step() * (event.shiftKey ? 10 : 1)),
  ArrowRight: (event) => setTime(player.time + step() * (event.shiftKey ? 10 : 1)),
  Home: () => setTime(0),
  End: () => setTime(end),
};

// Controls handle keys themselves. The time slider does not: the keys of the page act on it.
const isControl = (target) => target.closest("select, button, textarea, summary, a, input:not(#scrub)") !== null;

function onKey(event) {
  const action = keys[event.key];
  if (!action || event.ctrlKey || event.metaKey || event.altKey || isControl(event.target)) return;
  event.preventDefault();
  action(event);
}

// Returns a round speed at which the run takes about twelve seconds; if it is near real time, 1.
function usualSpeed() {
  const wanted = end / 12;
  return wanted > 0.4 && wanted < 2.5 ? 1 : Number(wanted.toPrecision(1));
}

// Marks the events of the run below the slider. The thumb of the slider stops half its width before both ends.
function showEvents(run) {
  byId("marks").replaceChildren(...run.events.map((event) => {
    const title = `${event.name}, t = ${format(event.time, 6)} s`;
    const mark = element("button", { type: "button", class: "mark", title, "aria-label": title });
    mark.style.setProperty("--at", end > 0 ? event.time / end : 0);
    mark.addEventListener("click", () => setTime(event.time));
    return mark;
  }));
}

function startPlayer() {
  player.speed = usualSpeed();
  const factors = [...new Set([...speeds, player.speed])].sort((a, b) => a - b);
  byId("speed").append(...factors.map((factor) => element("option", { value: factor }, `${format(factor, 3)}×`)));
  byId("speed").value = player.speed;
  byId("speed").addEventListener("change", (event) => { player.speed = Number(event.target.value); });
  byId("scrub").max = end;
  byId("scrub").addEventListener("input", (event) => setTime(Number(event.target.value)));
  byId("play").addEventListener("click", () => setPlaying(!player.playing));
  document.addEventListener("keydown", onKey);
  moveCursor = setTime;
}
