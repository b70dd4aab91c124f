// Runs the catalogue in the engine of the page, whole and cut: each ends as the command does, and results agree.
// usage: node engine.cjs ENGINE-FOLDER SEAM ENGINE.JS CATALOGUE [NAME...]
// Exit status 77: tools/playground.sh has not built the engine, and the test was skipped.
const { spawnSync } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");

const [folder, seam, engine, catalogue, ...chosen] = process.argv.slice(2).map((one, i) => (i < 4 ? path.resolve(one) : one));
if (!fs.existsSync(`${folder}/seam.wasm`)) {
  console.log("skipped: there is no engine of the page; tools/playground.sh builds it");
  process.exit(77);
}
process.setMaxListeners(0); // each engine adds one
globalThis.seamEngine = require(`${folder}/seam.js`);
const { runCommand } = require(engine);

const CLOSE = ["four_bar_bushing", "double_pendulum", "squeezer"];
const BOUND = 1e-9; // of the largest value of a column: the C library's functions differ in their last bits

// Last bits of the error estimate change the steps, and with them results by a share of the tolerance: at 1e-8 by 1.3e-9.
const FINE = ["--rtol", "1e-10"];

// Reactions of squeezer's cut follow from differences over macro steps of 1e-5 s, which enlarge last bits: its motion counts.
const isCompared = (name, cut, column) => name !== "squeezer" || cut.length === 0 || /\.(x|y|phi|vx|vy|omega)$/.test(column);

const numbersOf = (text) => text.trim().split("\n").slice(1).map((line) => line.split(",").map(Number));

function largestDifference(a, b, counts) {
  const [ours, theirs] = [numbersOf(a), numbersOf(b)];
  if (ours.length !== theirs.length) return Infinity;
  const scales = theirs[0].map((_, k) => theirs.reduce((high, row) => Math.max(high, Math.abs(row[k])), 0));
  const columns = b.slice(0, b.indexOf("\n")).split(",").map(counts);
  let worst = 0;
  ours.forEach((row, i) => row.forEach((value, k) => { if (columns[k]) worst = Math.max(worst, Math.abs(value - theirs[i][k]) / Math.max(scales[k], 1e-3)); }));
  return worst;
}

async function main() {
  const wasm = new WebAssembly.Module(fs.readFileSync(`${folder}/seam.wasm`));
  const there = fs.mkdtempSync(path.join(os.tmpdir(), "seam-web-"));
  const names = chosen.length > 0 ? chosen : fs.readdirSync(catalogue).map((name) => name.replace(".yaml", "")).sort();
  let failed = 0;
  for (const name of names)
    for (const cut of [[], ["--cosim"]]) {
      const words = ["run", "model.yaml", ...cut, ...(name === "squeezer" && cut.length === 0 ? FINE : []), "-o", "out"];
      fs.rmSync(there, { recursive: true, force: true });
      fs.mkdirSync(there);
      fs.copyFileSync(`${catalogue}/${name}.yaml`, `${there}/model.yaml`);
      const native = spawnSync(seam, words, { cwd: there }).status;
      const made = await runCommand(wasm, words, { "model.yaml": fs.readFileSync(`${there}/model.yaml`) }, () => {});
      const isClose = CLOSE.includes(name) && native !== 2;
      const difference = isClose ? largestDifference(Buffer.from(made.files["out/trajectory.csv"]).toString(), fs.readFileSync(`${there}/out/trajectory.csv`, "utf8"), (column) => isCompared(name, cut, column)) : 0;
      const isGood = made.status === native && difference <= BOUND;
      failed += !isGood;
      if (!isGood || isClose) console.log(`${isGood ? "ok" : "FAILED"} ${name} ${cut.length ? "cut" : "whole"}: status ${made.status}, natively ${native}; difference ${difference.toExponential(1)}`);
    }
  fs.rmSync(there, { recursive: true });
  console.log(`${names.length} models, whole and cut: ${failed} failed`);
  process.exit(failed > 0 ? 1 : 0);
}

main();
