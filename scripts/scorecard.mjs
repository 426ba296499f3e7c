// npm run scorecard    holds the packed package to the flow library's rules, with the flow library's own checker
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "./built.mjs";
import { needInstalled, needNode, root } from "./preconditions.mjs";
import { judge } from "./scorecard/judge.mjs";
import { sourcesOf } from "./scorecard/sources.mjs";

/**
 * The checker is fetched here and is no dev dependency, for it brings 443 packages, most of them for its command line and
 * for asking the network its own way. Those are left out, and what it asks for comes from npm.
 */
const CHECKER = { name: "node-red-dev", version: "0.1.6" };
const LEFT_OUT = /^@oclif\/|^(axios|npm-check|npm-remote-ls)$/;

needNode("20.18.1", "The scorecard");
needInstalled("typescript");
build();

const folder = mkdtempSync(join(tmpdir(), "telephony-scorecard-"));
try {
  const packed = unpack(
    run(process.execPath, join(root, "scripts", "pack.mjs"), folder).trim(),
    join(folder, "package"),
  );
  const [{ filename }] = JSON.parse(
    npm("pack", `${CHECKER.name}@${CHECKER.version}`, "--json", "--pack-destination", folder),
  );
  const checker = unpack(join(folder, filename), join(folder, "checker"));
  installWithout(checker, LEFT_OUT);

  const sources = await sourcesOf(packed, { npm, semver: createRequire(join(checker, "x.js"))("semver") });
  const { rules, notAsked, said } = await judge(packed, checker, sources);
  for (const { rule, holds, facts } of rules) console.log(`${holds ? "✓" : "✗"} ${rule} ${facts}`);
  for (const rule of notAsked)
    console.log(`- ${rule} not asked: the flow library's catalogue cannot be reached from here`);
  if (rules.some(({ holds }) => !holds)) {
    console.log(said.join("\n"));
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
// The checker leaves the terminal's input open.
process.exit();

function unpack(tarball, into) {
  mkdirSync(into);
  run("tar", "-xzf", tarball, "-C", into);
  return join(into, "package");
}

function installWithout(packageFolder, pattern) {
  const { dependencies } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8"));
  const kept = Object.entries(dependencies).filter(([name]) => !pattern.test(name));
  writeFileSync(join(packageFolder, "package.json"), JSON.stringify({ dependencies: Object.fromEntries(kept) }));
  npm("install", "--prefix", packageFolder, "--ignore-scripts", "--no-audit", "--no-fund");
}

function npm(...args) {
  return run("npm", ...args);
}

/** What a command prints. */
function run(command, ...args) {
  const { stdout, stderr, error, status } = spawnSync(command, args, { cwd: root, encoding: "utf8" });
  if (error || status !== 0) throw new Error(`${command} ${args.join(" ")} failed:\n${error ?? stderr}`);
  return stdout;
}
