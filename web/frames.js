// The report of a run is the page that `seam report` writes. It is loaded behind the one that is shown and takes its
// place, with its time, what it plays, its plots and its scroll.

const byId = (frame, id) => frame.contentDocument.getElementById(id);
const change = (control, kind) => control.dispatchEvent(new Event(kind, { bubbles: true }));

const stateOf = (frame) => ({
  time: byId(frame, "scrub")?.value ?? 0,
  isPlaying: byId(frame, "play")?.getAttribute("aria-pressed") === "true",
  isAtEnd: byId(frame, "scrub") ? byId(frame, "scrub").value === byId(frame, "scrub").max : true,
  plots: [...frame.contentDocument.querySelectorAll(".panel-head select")].map((select) => select.value),
  boxes: [...frame.contentDocument.querySelectorAll(".options input")].map((box) => box.checked),
  scroll: frame.contentWindow.scrollY,
});

function restore(frame, state) {
  const { contentDocument } = frame;
  state.plots.forEach((plot, i) => {
    const select = contentDocument.querySelectorAll(".panel-head select")[i];
    if (!select || select.value === plot || ![...select.options].some((one) => one.value === plot)) return;
    select.value = plot;
    change(select, "change");
  });
  contentDocument.querySelectorAll(".options input").forEach((box, i) => { if (state.boxes[i] !== undefined && box.checked !== state.boxes[i]) box.click(); });
  if (!state.isAtEnd && byId(frame, "scrub")) {
    byId(frame, "scrub").value = state.time;
    change(byId(frame, "scrub"), "input");
  }
  frame.contentWindow.scrollTo(0, state.scroll);
}

// As high as its page, where the page is narrow and the frame has no height of its own.
function fit(frame) {
  const watch = new ResizeObserver(() => { frame.style.setProperty("--height", `${frame.contentDocument.body.scrollHeight + 20}px`); });
  watch.observe(frame.contentDocument.body);
}

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export function showReport(parent, bytes) {
  const shown = parent.querySelector("iframe.is-shown");
  for (const frame of parent.querySelectorAll("iframe:not(.is-shown)")) frame.remove();
  const frame = document.createElement("iframe");
  frame.title = "Report of the run";
  frame.addEventListener("load", () => {
    const before = shown?.isConnected ? stateOf(shown) : null;
    for (const title of frame.contentDocument.querySelectorAll(".head, .skip, footer")) title.hidden = true; // the page has its own
    frame.contentDocument.querySelector("main").style.marginTop = "1rem";
    if (before) restore(frame, before);
    const plays = before ? before.isPlaying || before.isAtEnd : true; // who paused it meant to
    if (byId(frame, "play") && plays && !isStill()) byId(frame, "play").click();
    fit(frame);
    frame.classList.add("is-shown");
    shown?.remove();
    parent.dispatchEvent(new Event("shown"));
  }, { once: true });
  frame.srcdoc = new TextDecoder().decode(bytes);
  parent.append(frame);
}
