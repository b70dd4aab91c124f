// Runs command lines of `seam`, each in an engine of its own that is thrown away: in a worker of the page, and in node.
// seamEngine() is what emscripten made of Seam.

const MAX_OUTPUT = 256 * 1024 * 1024; // bytes of files and messages of one command; more ends it
const PROGRESS_EVERY = 100; // ms

// A terminal for standard error: the command draws its progress there, with "erase to the end of the line" behind it.
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

// Everything below a folder, as an object of paths and bytes.
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

// Nothing that grows without bound: a run of too many rows ends as on a disk that is full.
function boundOutput(FS) {
  const write = FS.write;
  let written = 0;
  FS.write = (stream, bytes, offset, length, ...rest) => {
    written += length;
    if (written > MAX_OUTPUT) throw new FS.ErrnoError(51); // ENOSPC
    return write(stream, bytes, offset, length, ...rest);
  };
}

// {status, out, error, files}: of one command, given the files that it finds. instantiate() is of WebAssembly.
async function runCommand(wasm, words, files, onProgress) {
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
  for (const [path, bytes] of Object.entries(files)) writeFile(FS, path, bytes);
  boundOutput(FS);
  const status = engine.callMain(words) ?? 0;
  error = error.replace(/\x1b\[[0-9;]*m/g, "").replace(/\r[^\n]*?\x1b\[K/g, "").replace(/^.*\r/gm, "");
  return { status, out, error, files: filesBelow(FS, "/work") };
}

// A job: runs one after the other, each {words, folder}. After each that has results the report of all so far is made,
// unless the run is a study, which writes its own into its folder.
async function runJob({ wasm, id, runs, files }, tell) {
  let known = files;
  const folders = [];
  for (const [step, run] of runs.entries()) {
    const done = await runCommand(wasm, run.words, known, (progress) => tell({ id, progress }));
    const wasRefused = done.status === 2;
    known = done.files;
    if (!wasRefused && !run.isStudy) {
      folders.push(run.folder);
      known = (await runCommand(wasm, ["report", ...folders, "-o", "report.html", "--quiet"], known, () => {})).files;
    }
    const report = wasRefused ? undefined : known[run.isStudy ? `${run.folder}/report.html` : "report.html"];
    const isLast = wasRefused || step === runs.length - 1;
    tell({ id, step, isLast, status: done.status, out: done.out, error: done.error, report, files: known });
    if (isLast) return;
  }
}

if (typeof importScripts === "function")
  onmessage = ({ data }) => {
    const tell = (message) => postMessage(message);
    runJob(data, tell).catch((failure) => tell({ id: data.id, failure: String(failure) }));
  };
else module.exports = { runCommand, runJob };
