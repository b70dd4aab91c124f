// Runs command lines of `seam`, in a worker of the page or in node. Each gets a new engine, an instance of Seam
// compiled by emscripten, which seamEngine() creates.

const MAX_OUTPUT = 256 * 1024 * 1024; // bytes of files and messages that one command may write
const PROGRESS_EVERY = 100; // ms

// A terminal for standard error: the command draws its progress there, followed by "erase to the end of the line".
function terminal(take) {
  const decoder = new TextDecoder();
  return {
    open(stream) { stream.tty = {}; },
    write(stream, bytes, offset, length) {
      take(decoder.decode(bytes.slice(offset, offset + length), { stream: true }));
      return length;
    },
  };
}

// Returns all files below a folder as an object {path: bytes}.
function filesBelow(FS, folder, found = {}) {
  for (const name of FS.readdir(folder).filter((one) => one !== "." && one !== "..")) {
    const path = `${folder}/${name}`;
    if (FS.isDir(FS.stat(path).mode)) filesBelow(FS, path, found);
    else found[path.slice("/work/".length)] = FS.readFile(path);
  }
  return found;
}

function writeFile(FS, path, bytes) {
  const full = `/work/${path}`;
  FS.mkdirTree(full.slice(0, full.lastIndexOf("/")));
  FS.writeFile(full, bytes);
}

// Limits the files: a run of too many rows ends as on a full disk.
function boundOutput(FS) {
  const write = FS.write;
  let written = 0;
  FS.write = (stream, bytes, offset, length, ...rest) => {
    written += stream.tty ? 0 : length;
    if (!stream.tty && written > MAX_OUTPUT) throw new FS.ErrnoError(51); // ENOSPC
    return write(stream, bytes, offset, length, ...rest);
  };
}

// Calls take() when a run's summary.json gets its name for the first time, before the run is checked: all other results
// are then complete.
function watchSummary(FS, take) {
  const rename = FS.rename;
  FS.rename = (from, to) => {
    rename(from, to);
    if (!to.endsWith("summary.json")) return;
    FS.rename = rename;
    take();
  };
}

// Creates an engine for one command. run() takes the words of the command, the files that it finds, and a function that
// is called with all files when the results of a run are complete; it returns {status, out, error, files}.
async function createEngine(wasm, onProgress = () => {}) {
  let out = "";
  let error = "";
  let told = 0;
  const onError = (text) => {
    error += text;
    if (performance.now() - told < PROGRESS_EVERY || !text.includes("\r")) return;
    told = performance.now();
    onProgress(text.replace(/\x1b\[K|\r/g, "").trim());
  };
  const engine = await seamEngine({
    quit: (code, thrown) => { throw thrown; },
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(wasm, imports).then((instance) => done(instance));
      return {};
    },
    print: (line) => { out += `${line.replace(/\x1b\[[0-9;]*m/g, "")}\n`; }, // without its colours
    preRun: [({ FS }) => {
      FS.registerDevice(FS.makedev(6, 0), terminal(onError));
      FS.mkdirTree("/work");
      FS.chdir("/work");
    }],
  });
  const { FS } = engine;
  const run = (words, files, onResults) => {
    for (const [path, bytes] of Object.entries(files)) writeFile(FS, path, bytes);
    boundOutput(FS);
    if (onResults) watchSummary(FS, () => onResults(filesBelow(FS, "/work")));
    const status = engine.callMain(words) ?? 0;
    error = error.replace(/\x1b\[[0-9;]*m/g, "").replace(/\r[^\n]*?\x1b\[K/g, "").replace(/^.*\r/gm, "");
    return { status, out, error, files: filesBelow(FS, "/work") };
  };
  return { run };
}

const runCommand = async (wasm, words, files, onProgress) => (await createEngine(wasm, onProgress)).run(words, files);

// Returns the schemes that fit the cut of the model, with their descriptions, as [name, text]; none without a cut.
async function schemesFor(wasm, files) {
  const { status, out } = await runCommand(wasm, ["schemes", "model.yaml"], files);
  return status === 0 ? [...out.matchAll(/^ {2}(\S+) +(.*)$/gm)].map(([, name, text]) => [name, text]) : [];
}

// A job: runs one after the other, each {words, folder}. The first run gets a report before it is checked, so that its
// motion is seen at once; all runs get one in the end. A study writes its own report into its folder.
async function runJob({ wasm, id, runs, files }, tell) {
  let known = files;
  const folders = [];
  const report = (engine, all) => engine.run(["report", ...folders, "-o", "report.html", "--quiet"], all).files;
  for (const [step, run] of runs.entries()) {
    const engine = await createEngine(wasm, (progress) => tell({ id, progress }));
    const reporter = await createEngine(wasm);
    const showsFirst = step === 0 && !run.isStudy;
    if (!run.isStudy) folders.push(run.folder);
    const done = engine.run(run.words, known, showsFirst && ((all) => tell({ id, early: report(reporter, all)["report.html"] })));
    const wasRefused = done.status === 2;
    const isLast = wasRefused || step === runs.length - 1;
    known = done.files;
    tell({ id, step, isLast, status: done.status, out: done.out, error: done.error });
    if (wasRefused) folders.pop();
    if (isLast && !run.isStudy) tell({ id, schemes: await schemesFor(wasm, files) });
    if (isLast && folders.length > 0) known = report(showsFirst ? await createEngine(wasm) : reporter, known);
    if (isLast) return tell({ id, files: known, report: known[run.isStudy ? `${run.folder}/report.html` : "report.html"] });
  }
}

if (typeof importScripts === "function")
  onmessage = ({ data }) => {
    const tell = (message) => postMessage(message);
    runJob(data, tell).catch((failure) => tell({ id: data.id, failure: String(failure) }));
  };
else module.exports = { runCommand, runJob };
