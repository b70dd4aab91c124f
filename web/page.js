// The page: a model is edited on the left; a worker runs it after each change, and its report is shown on the right.
import { change, createEditor, setText, showMessages, textOf } from "./editor.js";
import { parametersOf, rangeOf } from "./parameters.js";
import { pauseAtStart, play, pauseShown, resume, showReport } from "./frames.js";
import { createHandles } from "./handles.js";

const MAX_WAIT = 400; // ms in which a run may show its motion; later a changed text replaces the run
const LIVE_LIMIT = 30; // s, longest run after a change of the text
const STUDY_LIMIT = 1800; // s, longest study
const MAX_MODEL = 4 * 1024 * 1024; // bytes of a model in a link, after decompression
const FIRST_MODEL = "four_bar_bushing";

const byId = (id) => document.getElementById(id);

function element(tag, attributes = {}, ...children) {
  const created = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value);
  created.append(...children);
  return created;
}

async function unpack(id) {
  const letters = atob(byId(id).textContent);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

/* ---- Jobs ---- */

const runner = { wasm: null, url: null, worker: null, id: 0, job: null, timer: 0 };
let view; // view of the editor
let files = {}; // files that the last job wrote, for downloads
const dropped = {}; // files dropped on the page, which the model may use

function showStatus(text, isBad = false) {
  byId("state").textContent = text;
  byId("state").classList.toggle("is-bad", isBad);
}

function startWorker() {
  runner.worker = new Worker(runner.url);
  runner.worker.onmessage = ({ data }) => { if (runner.job && data.id === runner.job.id) receive(data); };
}

function finish(text, isBad) {
  clearTimeout(runner.timer);
  runner.job = null;
  byId("stop").hidden = true;
  if (isBad) resume(byId("frames"));
  showStatus(text, isBad);
}

function stop(reason) {
  if (!runner.job) return;
  runner.worker.terminate();
  startWorker();
  finish(reason, true);
}

// Starts a job, which is a list of runs. A report of the first run is shown early, and one of all runs at the end.
function start(job) {
  if (runner.job) stop("");
  runner.job = { ...job, id: ++runner.id, since: performance.now(), verdicts: [], text: textOf(view) };
  const limit = job.isStudy ? STUDY_LIMIT : LIVE_LIMIT;
  runner.timer = setTimeout(() => stop(`Stopped after ${limit} s: shorten the run, or enlarge its steps.`), 1000 * limit);
  byId("stop").hidden = false;
  for (const id of ["message", "frames"]) byId(id).classList.add("is-old"); // until the job has results
  if (!job.isStudy) pauseShown(byId("frames"));
  showStatus("Running …");
  const model = new TextEncoder().encode(runner.job.text);
  runner.worker.postMessage({ id: runner.id, wasm: runner.wasm, runs: job.runs, files: { ...dropped, "model.yaml": model } });
}

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(2)} s`;

function verdictOf(out) {
  const found = /^verdict: ((?:.*\n)(?: {9}.*\n)*)/m.exec(out);
  return found ? found[1].replace(/\s+/g, " ").trim() : "";
}

const NO_SPACE = "This page holds at most 256 MB of results: take a larger 'output_step' or a shorter 'end'.";
const NO_FILES = "There are no files beside the model in this page: drop them on it (tables, the model of `reference`). FMUs need the installed Seam.";

// Lines of the command that are not shown: names of its files, and that gnuplot is missing.
const HIDDEN_LINES = /^(.*: \d+ rows .*|wrote .*|seam: gnuplot .*(\n  .*)*)\n?/gm;

function showTexts(job, error, isLast) {
  const pending = isLast || job.isStudy ? [] : [`${job.runs[1].name}: …`]; // reserves the line of the next run, so that the layout does not change later
  const lines = [...job.verdicts, ...pending, error, /No such file|\.fmu/.test(error) ? NO_FILES : "", /No space left/.test(error) ? NO_SPACE : ""].filter((text) => text);
  byId("message").textContent = lines.join("\n");
  byId("message").classList.remove("is-old");
  byId("message").classList.toggle("is-table", job.isStudy === true);
  byId("message").classList.toggle("is-mono", job.worst === 2); // monospaced, so that a caret is below the letter that it marks
  byId("message").hidden = lines.length === 0;
  byId("message").classList.toggle("is-bad", job.worst === 1 || job.worst === 2);
}

function receive(message) {
  const job = runner.job;
  if (message.progress !== undefined) return showStatus(message.progress);
  if (message.failure !== undefined) return stop(`The run ended: ${message.failure}`);
  if (message.early) return showReport(byId("frames"), message.early);
  if (message.schemes) return showSchemes(message.schemes.length > 0 ? message.schemes : allSchemes);
  if (message.files) return endJob(job, message);
  const run = job.runs[message.step];
  const isRefused = message.status === 2;
  const verdict = run.isStudy ? message.out.trim() : verdictOf(message.out);
  if (verdict) job.verdicts.push(run.isStudy ? verdict : `${run.name}: ${verdict}`);
  job.worst = message.status || job.worst;
  showTexts(job, message.error.replace(HIDDEN_LINES, "").trim(), message.isLast);
  if (!isRefused || message.isLast) showMessages(view, message.error);
  job.times = [...(job.times ?? []), `${run.name} ${seconds(job.since)}`];
}

// Ends a job: takes its files, and shows its report if there is one.
function endJob(job, message) {
  const isRefused = job.worst === 2;
  if (message.report) {
    files = message.files;
    showReport(byId("frames"), message.report);
  }
  finish(isRefused ? "Not run: see the message." : job.times.join(", "), isRefused);
  if (job.isStale && !job.isStudy) runLive();
}

/* ---- What is run ---- */

const hasCut = () => /^cosim:/m.test(textOf(view));
const hasBodies = () => /^(bodies|repeat):/m.test(textOf(view));
const fileStep = () => Number(/^\s+macro_step:\s*([-+.\deE]+)|[{,]\s*macro_step:\s*([-+.\deE]+)/m.exec(textOf(view))?.slice(1).find((one) => one));

function chosenStep() {
  const exponent = Number(byId("step").value);
  return exponent === 0 || !fileStep() ? null : Number((fileStep() * 10 ** exponent).toPrecision(3));
}

function cutOptions() {
  const scheme = byId("scheme").value;
  return [...(scheme ? ["--scheme", scheme] : []), ...stepOptions()];
}

const stepOptions = () => (chosenStep() ? ["--set", `cosim.macro_step=${chosenStep()}`] : []);

function runLive() {
  const runs = [];
  if (hasBodies() || !hasCut())
    runs.push({ name: "whole", folder: "results/monolithic", words: ["run", "model.yaml", "-o", "results/monolithic"] });
  if (hasCut() && byId("cosim").checked)
    runs.push({ name: `cut${byId("scheme").value ? `, ${byId("scheme").value}` : ""}`, folder: "results/cut",
      words: ["run", "model.yaml", "--cosim", ...cutOptions(), "-o", "results/cut"] });
  start({ runs });
}

// Called after a change of the text. Waits for a run that will soon show its motion, so that the picture follows a slider
// or point while it is dragged.
function onChange() {
  const job = runner.job;
  const wait = job && !job.isStudy && !job.hasShown ? MAX_WAIT - (performance.now() - job.since) : 0;
  if (wait <= 0) return runLive();
  if (!job.isStale) setTimeout(() => { if (runner.job === job) runLive(); }, wait);
  job.isStale = true;
}

function onShown() {
  byId("frames").classList.remove("is-old");
  const job = runner.job;
  if (!job || job.isStudy) return;
  job.hasShown = true;
  if (job.isStale) runLive();
}

const studies = {
  compare: () => ["compare", "model.yaml", "--report", ...listOptions(), ...stepOptions()],
  converge: () => ["converge", "model.yaml", "--report", ...listOptions(), ...manySteps(chosenStep() ?? fileStep())],
  stability: () => ["stability", "model", "model.yaml", "--report", ...listOptions(), ...stepOptions()],
};

// Four macro steps, from four times to half the present one: an order of convergence needs three.
const manySteps = (step) => (step ? ["--macro-steps", `${4 * step}:${step / 2}:4`] : []);

function listOptions() {
  const list = byId("schemes").value.trim() || familyOf(textOf(view));
  return list ? ["--schemes", list] : [];
}

function startStudy() {
  const name = byId("study").value;
  start({ isStudy: true, runs: [{ name, isStudy: true, folder: "results/study", words: [...studies[name](), "-o", "results/study"] }] });
}

/* ---- Controls ---- */

function showStep() {
  const step = chosenStep() ?? fileStep();
  byId("step").disabled = !fileStep();
  byId("step-value").textContent = step ? `${step} s` : "";
}

let allSchemes = []; // [name, description]

// Lists schemes, [name, description]; the chosen one stays listed. An open list that would not change stays open.
function showSchemes(schemes, chosen = byId("scheme").value) {
  const listed = schemes.some(([name]) => name === chosen) || !chosen ? schemes : [...schemes, [chosen, "does not fit this model"]];
  const options = [["", "the scheme of the file"], ...listed];
  if (options.map(([name]) => name).join() !== [...byId("scheme").options].map((one) => one.value).join())
    byId("scheme").replaceChildren(...options.map(([name, title]) => element("option", { value: name, title }, name || "of the file")));
  byId("scheme").value = chosen;
}

const sliders = new Map(); // by name; a slider exists as long as its parameter

function makeSlider({ name, value, note }) {
  const range = rangeOf(value);
  const input = element("input", { type: "range", min: range.min, max: range.max, step: "any", "aria-label": name });
  const shown = element("output");
  input.addEventListener("input", () => {
    const now = parametersOf(textOf(view)).find((one) => one.name === name);
    if (now) change(view, { from: now.from, to: now.to, insert: String(Number(range.valueAt(Number(input.value)).toPrecision(3))) });
  });
  return { row: element("label", { title: note }, element("span", {}, name), input, shown), input, shown, range };
}

function showSliders() {
  const all = parametersOf(textOf(view));
  for (const name of sliders.keys()) if (!all.some((one) => one.name === name)) sliders.delete(name);
  for (const one of all) {
    if (!sliders.has(one.name) || Math.abs(sliders.get(one.name).range.positionOf(one.value)) > 1.001) sliders.set(one.name, makeSlider(one));
    const { input, shown, range } = sliders.get(one.name);
    if (document.activeElement !== input) input.value = range.positionOf(one.value);
    shown.textContent = one.text;
  }
  byId("sliders").replaceChildren(...all.map((one) => sliders.get(one.name).row));
  byId("sliders-box").hidden = all.length === 0;
}

function showControls() {
  if (!byId("sliders").contains(document.activeElement)) showSliders();
  else for (const one of parametersOf(textOf(view))) if (sliders.has(one.name)) sliders.get(one.name).shown.textContent = one.text;
  byId("cut").disabled = !hasCut();
  byId("study-box").hidden = !hasCut();
  byId("schemes").placeholder = familyOf(textOf(view)) || "names, or all";
  showStep();
}

function familyOf(text) {
  const scheme = /scheme:\s*(ff|fd|df|dd)-(\w+)/.exec(text);
  const middle = scheme && !/^k\d/.test(scheme[2]) && /^(baumgarte|weighted|projection|index)/.test(scheme[2]) ? `-${scheme[2]}` : "";
  return scheme ? [0, 1, 2].map((order) => `${scheme[1]}${middle}-k${order}`).join(",") : "";
}

function load(text, settings = {}) {
  sliders.clear();
  showSchemes(allSchemes, settings.scheme ?? "");
  byId("step").value = settings.step ?? 0;
  byId("cosim").checked = settings.cosim ?? true;
  byId("schemes").value = "";
  setText(view, text);
}

const settings = () => ({ scheme: byId("scheme").value, step: Number(byId("step").value), cosim: byId("cosim").checked });

/* ---- Links: the fragment of the address is a model as JSON, compressed and in base64url. Browsers do not send it. ---- */

const pipe = (bytes, stream) => new Blob([bytes]).stream().pipeThrough(stream).getReader();

async function readAll(reader, limit) {
  const parts = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > limit) throw new Error("the model of the link is too long");
    parts.push(part.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

async function linkTo(content) {
  const bytes = await readAll(pipe(new TextEncoder().encode(JSON.stringify(content)), new CompressionStream("deflate-raw")), Infinity);
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return `#m=${btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

// Returns {model, scheme, step, cosim}, converted to their types, or null if the address has no model.
async function modelOfLink(hash) {
  if (!hash.startsWith("#m=")) return null;
  const bytes = Uint8Array.from(atob(hash.slice(3).replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  const content = JSON.parse(new TextDecoder().decode(await readAll(pipe(bytes, new DecompressionStream("deflate-raw")), MAX_MODEL)));
  return { model: String(content.model), scheme: String(content.scheme ?? ""), step: Number(content.step) || 0, cosim: content.cosim !== false };
}

async function copyLink() {
  history.replaceState(null, "", await linkTo({ model: textOf(view), ...settings() }));
  const isCopied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
  showStatus(isCopied ? "The link is copied; it holds the model." : "The address of this page now holds the model: copy it.");
}

/* ---- Files, saved text, start ---- */

function listDownloads() {
  const all = { "model.yaml": new TextEncoder().encode(textOf(view)), ...Object.fromEntries(Object.entries(files).filter(([path]) => /\.(csv|json|html)$/.test(path))) };
  for (const old of byId("downloads").children) URL.revokeObjectURL(old.href);
  byId("downloads").replaceChildren(...Object.entries(all).map(([path, bytes]) => {
    const name = path.replace(/^results\//, "").replaceAll("/", "-");
    return element("a", { href: URL.createObjectURL(new Blob([bytes])), download: name }, name);
  }));
}

async function openFiles(list) {
  for (const file of list) {
    if (/\.(fmu|ssp)$/i.test(file.name)) showStatus(`${file.name}: FMUs are programs for a system; they need the installed Seam.`, true);
    else if (/\.ya?ml$/i.test(file.name) && list.length === 1) load(await file.text());
    else dropped[file.name] = new Uint8Array(await file.arrayBuffer());
  }
  runLive();
}

function connect(data) {
  byId("catalogue").append(...Object.keys(data.models).map((name) => new Option(name, name)));
  allSchemes = data.schemes.map((name) => [name, name]);
  byId("catalogue").addEventListener("change", () => load(data.models[byId("catalogue").value]));
  for (const id of ["scheme", "step", "cosim"]) byId(id).addEventListener("input", () => { showStep(); onChange(); });
  byId("frames").addEventListener("shown", onShown);
  byId("start-study").addEventListener("click", startStudy);
  byId("stop").addEventListener("click", () => stop("Stopped."));
  byId("link").addEventListener("click", copyLink);
  byId("files").addEventListener("toggle", listDownloads);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") { stop("Stopped."); byId("files").open = false; } });
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => { event.preventDefault(); openFiles([...event.dataTransfer.files]); });
  addEventListener("hashchange", () => openLink());
}

// A reload of the page keeps the text; a new visit does not.
const isReload = () => performance.getEntriesByType("navigation")[0]?.type === "reload";

function saveText() {
  try { sessionStorage.setItem("seam", JSON.stringify({ model: textOf(view), ...settings() })); } catch { /* no storage here */ }
}

function openSaved() {
  let saved = null;
  try { saved = isReload() ? JSON.parse(sessionStorage.getItem("seam")) : null; } catch { /* no storage here */ }
  if (saved) load(saved.model, saved);
  return saved !== null;
}

async function openLink() {
  const linked = await modelOfLink(location.hash).catch(() => null);
  if (linked) load(linked.model, linked);
  return linked !== null;
}

async function main() {
  const compiled = unpack("wasm").then((bytes) => WebAssembly.compile(bytes));
  const data = JSON.parse(new TextDecoder().decode(await unpack("data")));
  runner.url = URL.createObjectURL(new Blob([data.worker], { type: "text/javascript" }));
  startWorker();
  let isReady = false;
  const showHandles = createHandles(byId("frames"), {
    text: () => textOf(view), write: (changes) => change(view, changes), onDragStart: () => pauseAtStart(byId("frames")), onDragEnd: () => play(byId("frames")),
  });
  const onEdit = () => { showControls(); showHandles(); if (isReady) { saveText(); onChange(); } };
  view = createEditor(byId("editor"), data.schema, onEdit, [{ key: "Mod-Enter", run: () => { runLive(); return true; } }]);
  connect(data);
  if (!openSaved() && !(await openLink())) {
    byId("catalogue").value = FIRST_MODEL;
    load(data.models[FIRST_MODEL]);
  }
  runner.wasm = await compiled;
  isReady = true;
  runLive();
}

main().catch((failure) => showStatus(`This browser cannot run Seam: ${failure}`, true));
