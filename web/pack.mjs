// Makes the page: one file, whose policy allows only its own script and those of `seam report`.
// usage: node pack.mjs SEAM ENGINE-FOLDER SOURCES SCRIPT OUTPUT   (in a copy of web/, with its node_modules)
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const [root, engineFolder, sources, script, output] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const text = (path) => readFileSync(path, "utf8");
const glue = text(`${engineFolder}/seam.js`);
const wasm = readFileSync(`${engineFolder}/seam.wasm`);

globalThis.seamEngine = require(`${engineFolder}/seam.js`);
const { runCommand } = require("./engine.js");
const compiled = new WebAssembly.Module(wasm);
const seam = async (...words) => runCommand(compiled, words, {}, () => {});

const models = { "a new model": text(`${root}/app/commands/template.yaml`) };
for (const name of readdirSync(`${root}/models/catalogue`).sort()) models[name.replace(".yaml", "")] = text(`${root}/models/catalogue/${name}`);
const schema = JSON.parse((await seam("schema")).out);
const schemes = (await seam("--complete", "compare", "--schemes", "")).out.split("\n").map((line) => line.split("\t")[0]).filter((name) => name.includes("-"));
const version = (await seam("--version")).out.replace("seam", "").trim();
const report = new TextDecoder().decode((await seam("report", "spring_mass", "-o", "report.html")).files["report.html"]);

const code = text(script);
const reportScripts = [...report.matchAll(/<script nonce="[^"]*">([^]*?)<\/script>/g)].map((found) => found[1]);
const hashes = [code, ...reportScripts].map((one) => `'sha256-${createHash("sha256").update(one).digest("base64")}'`).join(" ");
if (reportScripts.length !== 2) throw new Error("the report has other scripts than two: the policy of the page would stop them");

// Licences of all contents. KLU and BTF are under the LGPL: other versions of them can be linked with the script and the
// sources named here.
const packages = readdirSync(sources).filter((name) => /^[a-z0-9]+-[\d.]/.test(name)).sort();
const modules = Object.keys(JSON.parse(text("package-lock.json")).packages).filter((name) => name && !/esbuild/.test(name));
const notices = [
  `Seam ${version}\n\n${text(`${root}/LICENSE`)}`,
  "The engine in this page is Seam with the libraries below, from source packages of Debian 12 (apt-get source), compiled by Debian's emscripten "
    + "(MIT and NCSA; musl: MIT). tools/playground.sh in Seam's sources makes it, and makes it again with other versions of these libraries: "
    + "KLU and BTF are under the LGPL 2.1 or later.",
  ...packages.map((name) => `${name}\n\n${text(`${sources}/${name}/debian/copyright`)}`),
  `The editor: ${modules.map((name) => name.replace("node_modules/", "")).join(", ")}\n\n${text("node_modules/@codemirror/state/LICENSE")}`,
].join(`\n\n${"-".repeat(72)}\n\n`);

const packed = (bytes) => gzipSync(bytes, { level: 9 }).toString("base64");
const markup = (words) => words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const slots = {
  hashes, version, script: code, notices: markup(notices),
  style: text(`${root}/app/report/assets/report.css`) + text("page.css"),
  data: packed(JSON.stringify({ schema, models, schemes, worker: `${glue}\n${text("engine.js")}` })),
  wasm: packed(wasm),
};
if (code.includes("</script")) throw new Error("the script would end early");
writeFileSync(output, text("page.html").replace(/@\{(\w+)\}/g, (_, name) => slots[name]));
process.exit(0);
