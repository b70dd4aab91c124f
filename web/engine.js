// Runs command lines of `seam`, in a worker of the page or in node. Each command line gets a new engine: an instance of
// Seam compiled by emscripten, created by seamEngine().

const MAX_OUTPUT = 256 * 1024 * 1024; // bytes of files and messages that one command may write
const PROGRESS_EVERY = 100; // ms between two reports of progress

// A terminal for standard error. The command draws a progress line there, which ends with "erase to the end of the line".
function terminal(onText) {
  const decoder = new TextDecoder();
  return {
    open(stream) { stream.tty = {}; },
    write(stream, bytes, offset, length) {
      onText(decoder.decode(bytes.slice(offset, offset + length), { stream: true }));
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
  const absolute = `/work/${path}`;
  FS.mkdirTree(absolute.slice(0, absolute.lastIndexOf("/")));
  FS.writeFile(absolute, bytes);
}

// Limits the bytes in files: a run with too many rows ends as on a full disk.
function boundOutput(FS) {
  const write = FS.write;
  let written = 0;
  FS.write = (stream, bytes, offset, length, ...rest) => {
    written += stream.tty ? 0 : length;
    if (!stream.tty && written > MAX_OUTPUT) throw new FS.ErrnoError(51); // ENOSPC
    return write(stream, bytes, offset, length, ...rest);
  };
}

// Calls onSummary() when summary.json of a run is first renamed to this name. All other results are then complete, and the
// check of the run begins.
function watchSummary(FS, onSummary) {
  const rename = FS.rename;
  FS.rename = (from, to) => {
    rename(from, to);
    if (!to.endsWith("summary.json")) return;
    FS.rename = rename;
    onSummary();
  };
}

// Creates an engine for one command. Arguments of run(): words of the command line, files that the command may read, and
// a function that is called with all files when the results of a run are complete. Returns {status, out, error, files}.
async function createEngine(wasm, onProgress = () => {}) {
  let out = "";
  let error = "";
  let lastReport = 0;
  const onError = (text) => {
    error += text;
    if (performance.now() - lastReport < PROGRESS_EVERY || !text.includes("\r")) return;
    lastReport = performance.now();
    onProgress(text.replace(/\x1b\[K|\r/g, "").trim());
  };
  const engine = await seamEngine({
    quit: (code, thrown) => { throw thrown; },
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(wasm, imports).then((instance) => done(instance));
      return {};
    },
    print: (line) => { out += `${line.replace(/\x1b\[[0-9;]*m/g, "")}\n`; }, // without codes for colours
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

// Carries out the runs of a job one after the other; each is {words, folder, isStudy}. Writes a report of the first run
// before its check, so that its motion is shown early, and a report of all runs at the end. A study writes a report itself.
async function runJob({ wasm, id, runs, files }, post) {
  let current = files;
  const folders = [];
  const report = (engine, all) => engine.run(["report", ...folders, "-o", "report.html", "--quiet"], all).files;
  for (const [step, run] of runs.entries()) {
    const engine = await createEngine(wasm, (progress) => post({ id, progress }));
    const reporter = await createEngine(wasm);
    const showsFirst = step === 0 && !run.isStudy;
    if (!run.isStudy) folders.push(run.folder);
    const done = engine.run(run.words, current, showsFirst && ((all) => post({ id, early: report(reporter, all)["report.html"] })));
    const wasRefused = done.status === 2;
    const isLast = wasRefused || step === runs.length - 1;
    current = done.files;
    post({ id, step, isLast, status: done.status, out: done.out, error: done.error });
    if (wasRefused) folders.pop();
    if (isLast && run.words.includes("--cosim")) post({ id, schemes: await schemesFor(wasm, files) });
    if (isLast && folders.length > 0) current = report(showsFirst ? await createEngine(wasm) : reporter, current);
    if (isLast) return post({ id, files: current, report: current[run.isStudy ? `${run.folder}/report.html` : "report.html"] });
  }
}

if (typeof importScripts === "function")
  onmessage = ({ data }) => {
    const post = (message) => postMessage(message);
    runJob(data, post).catch((failure) => post({ id: data.id, failure: String(failure) }));
  };
else module.exports = { runCommand, runJob };
