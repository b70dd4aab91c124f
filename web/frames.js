// The report of a run is the page that `seam report` writes. A new report is loaded in a hidden frame. Then it replaces
// the one that is shown, with the same time, plots and scroll position, and playing or paused as before. Its plots are
// drawn after its first picture.

const byId = (frame, id) => frame.contentDocument.getElementById(id);
const change = (control, kind) => control.dispatchEvent(new Event(kind, { bubbles: true }));
const afterPlots = (frame, action) => frame.contentWindow.requestAnimationFrame(() => frame.contentWindow.setTimeout(action));

function set(control, value, kind) {
  if (!control || control.value === value || (control.options && ![...control.options].some((one) => one.value === value))) return;
  control.value = value;
  change(control, kind);
}

const plotsOf = (frame) => [...frame.contentDocument.querySelectorAll(".panel-head select")];

const stateOf = (frame) => ({
  time: byId(frame, "scrub")?.value ?? 0,
  isPlaying: byId(frame, "play")?.getAttribute("aria-pressed") === "true",
  isAtEnd: byId(frame, "scrub") ? byId(frame, "scrub").value === byId(frame, "scrub").max : true,
  speed: byId(frame, "speed")?.value,
  plots: plotsOf(frame).length > 0 ? plotsOf(frame).map((select) => select.value) : (frame.plots ?? []),
  boxes: [...frame.contentDocument.querySelectorAll(".options input")].map((box) => box.checked),
  scroll: frame.contentWindow.scrollY,
});

function restore(frame, state) {
  frame.contentDocument.querySelectorAll(".options input").forEach((box, i) => { if (state.boxes[i] !== undefined && box.checked !== state.boxes[i]) box.click(); });
  set(byId(frame, "speed"), state.speed, "change");
  if (!state.isAtEnd) set(byId(frame, "scrub"), state.time, "input");
  frame.plots = state.plots;
}

function restorePlots(frame, state) {
  state.plots.forEach((plot, i) => set(plotsOf(frame)[i], plot, "change"));
  frame.contentWindow.scrollTo(0, state.scroll);
}

// Makes the frame as high as its report. The style uses this height only if the page is narrow.
function fit(frame) {
  const watch = new ResizeObserver(() => { frame.style.setProperty("--height", `${frame.contentDocument.body.scrollHeight + 20}px`); });
  watch.observe(frame.contentDocument.body);
}

const prefersReducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

const shownIn = (parent) => parent.querySelector("iframe.is-shown");

export function play(parent) {
  const frame = shownIn(parent);
  const button = byId(frame, "play");
  if (frame.savedState) frame.savedState.isPlaying = true;
  if (button?.getAttribute("aria-pressed") === "false" && !prefersReducedMotion()) button.click();
}

function pause(frame) {
  if (byId(frame, "play")?.getAttribute("aria-pressed") === "true") byId(frame, "play").click();
}

// Pauses the report at its start. The report that is loaded next will also be paused at its start.
export function pauseAtStart(parent) {
  const frame = shownIn(parent);
  pause(frame);
  set(byId(frame, "scrub"), "0", "input");
  frame.savedState &&= stateOf(frame);
}

// Pauses the report that is shown: drawing it would delay the run and its report.
export function pauseShown(parent) {
  const shown = shownIn(parent);
  if (!shown) return;
  shown.savedState ??= stateOf(shown);
  pause(shown);
}

// Plays on, because no report follows.
export function resume(parent) {
  const shown = shownIn(parent);
  if (!shown?.savedState) return;
  const { isPlaying } = shown.savedState;
  shown.savedState = undefined;
  if (isPlaying) play(parent);
}

export function showReport(parent, bytes) {
  const shown = shownIn(parent);
  for (const frame of parent.querySelectorAll("iframe:not(.is-shown)")) frame.remove();
  pauseShown(parent);
  const frame = document.createElement("iframe");
  frame.title = "Report of the run";
  const show = (plays) => {
    frame.classList.add("is-shown");
    shown?.remove();
    if (plays) play(parent);
    parent.dispatchEvent(new Event("shown"));
  };
  frame.addEventListener("load", () => {
    const before = shown?.savedState;
    for (const title of frame.contentDocument.querySelectorAll(".head, .skip, footer")) title.hidden = true; // this page has its own title and footer
    frame.contentDocument.querySelector("main").style.marginTop = "1rem";
    const plays = before ? before.isPlaying || before.isAtEnd : true; // a report paused by the user stays paused
    if (before) restore(frame, before);
    if (before) frame.style.setProperty("--height", shown.style.getPropertyValue("--height"));
    const isScrolled = before?.scroll > 0;
    if (!isScrolled) show(plays);
    afterPlots(frame, () => {
      if (before) restorePlots(frame, before);
      fit(frame);
      if (isScrolled) show(plays);
    });
  }, { once: true });
  frame.srcdoc = new TextDecoder().decode(bytes);
  parent.append(frame);
}
