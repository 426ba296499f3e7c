import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { formatInstant } from "../hours";
import { provideCalendars } from "./calendars";
import { type FoundNodeRed, findNodeRed, findUpwards } from "./find-node-red";
import { makeReport } from "./make-report";
import { CORE_WITH_EFFECTS, nodeTypes } from "./node-types";
import type { Plan } from "./plan";
import { type Prepared, prepare } from "./prepare";
import { type Ended, runProcess } from "./process";
import { Recording } from "./recording";
import type { Rehearsal, RehearsalOptions } from "./rehearsal";
import { CannotRehearse } from "./world";

const MEMORY_MIB = 512;
const LIMIT_SECONDS = 60;
/** This package. */
const PACKAGE = join(__dirname, "..", "..", "..");

/**
 * Runs flows from one instant to another in a process of its own, in which time jumps, each tenant is a sandbox, and nothing reaches
 * outside.
 * @throws CannotRehearse
 */
export async function rehearse(options: RehearsalOptions): Promise<Rehearsal> {
  const nodeRed = findNodeRed(options.userDir);
  const prepared = await prepare(options);
  const installed = [options.userDir ?? [], dirname(dirname(nodeRed.folder))].flat();
  const types = nodeTypes(prepared.flows, nodeRed.coreNodes, ownTypes(), installed);
  const notes = types.missing.map(
    (type) => `The node type "${type}" is not installed: messages that reach such a node end there.`,
  );
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "telephony-rehearsal-"));
  try {
    notes.push(...furnish(folder, prepared, installed));
    notes.push(...provideCalendars(join(folder, "user"), prepared, options));
    symlinkSync(nodeRed.coreNodes, join(folder, "core"), "junction");
    const plan: Plan = {
      ...prepared.plan,
      nodeRed: nodeRed.folder,
      outside: types.outside,
      memory: MEMORY_MIB,
      settings: {
        userDir: join(folder, "user"),
        flowFile: "flows.json",
        // Not where Node-RED is: it would load the third-party nodes that are installed beside it.
        coreNodesDir: join(folder, "core"),
        nodesDir: [PACKAGE, ...types.packages, join(folder, "stubs")],
        nodesExcludes: CORE_WITH_EFFECTS,
        functionGlobalContext: options.world?.global ?? {},
        lang: "en-US",
      },
    };
    writeFileSync(join(folder, "plan.json"), JSON.stringify(plan), { mode: 0o600 });
    return await play(options, prepared, folder, nodeRed, notes);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function play(
  { limit = LIMIT_SECONDS, signal, onProgress }: RehearsalOptions,
  prepared: Prepared,
  folder: string,
  nodeRed: FoundNodeRed,
  notes: readonly string[],
): Promise<Rehearsal> {
  const { plan, env, watched, zone } = prepared;
  const recording = new Recording(plan.from);
  const { seed } = plan;
  const ended = await runProcess({
    ...{ folder, env, seed, memory: MEMORY_MIB, limit, signal },
    onEvent(event) {
      recording.note(event);
      if (event.kind === "at" && recording.isStarted)
        onProgress?.(formatInstant(recording.at, zone), recording.calls.length);
    },
  });
  const { isStarted, isOver, broken, exitCode, keptIn, reached } = recording;
  if (!isStarted && exitCode === undefined && ended.by === "itself")
    throw new CannotRehearse(
      `Node-RED could not be started: ${broken || ended.lastWords || `exit code ${ended.code}`}`,
    );
  const tried = [...keptIn].map((what) => `The flow tried to reach ${what}: a rehearsal lets nothing out.`);
  return {
    report: makeReport(recording, prepared, nodeRed.version),
    nodeRedPath: nodeRed.folder,
    notes: [...notes, ...tried],
    cutShort: isOver ? undefined : whyCutShort(ended, recording, formatInstant(recording.at, zone), limit),
    reached: Object.fromEntries([...watched].map(([given, id]) => [given, reached.get(id) ?? 0])),
  };
}

/** @param at the instant that was reached */
function whyCutShort(
  { by, code }: Ended,
  { broken, lastReportAt, exitCode }: Recording,
  at: string,
  limit: number,
): string {
  if (by === "signal") return `It was stopped at ${at}.`;
  if (by === "memory" || /^RangeError: memory/.test(broken))
    return `The flow needed more than ${MEMORY_MIB} MB of memory at ${at}.`;
  if (/^RangeError: report/.test(broken)) return `More happened until ${at} than a report can hold.`;
  if (by === "limit" && Date.now() - lastReportAt > 2000)
    return `At ${at} a node did not give control back, as in an endless loop; it was ended after ${limit} s.`;
  if (by === "limit")
    return `After ${limit} s of real time the rehearsal had come to ${at}: choose fewer days or a higher --limit.`;
  if (broken !== "") return `At ${at} an error that no node handles ended Node-RED: ${broken}`;
  return `At ${at} the flow ended the process, with exit code ${exitCode ?? code}.`;
}

/**
 * Fills the folder of a rehearsal.
 * @param installed folders in whose `node_modules` packages are looked for
 * @returns what a person must know
 */
function furnish(folder: string, { flows }: Prepared, installed: readonly string[]): string[] {
  for (const name of ["user", "stubs", "node_modules"]) mkdirSync(join(folder, name), { mode: 0o700 });
  writeFileSync(join(folder, "user", "flows.json"), JSON.stringify(flows), { mode: 0o600 });
  const stub = join(__dirname, "child", "outside-nodes.js");
  writeFileSync(join(folder, "stubs", "outside.js"), `module.exports = require(${JSON.stringify(stub)});\n`);
  const html = '<script type="text/html" data-template-name="rehearsal-outside"></script>\n';
  writeFileSync(join(folder, "stubs", "outside.html"), html);
  const notes: string[] = [];
  const modules = functionModules(flows);
  for (const name of modules) {
    const found = installed.map((each) => findUpwards(each, name)).find((each) => each !== undefined);
    // Beside the folder that may be written to: a link in it would lead out.
    const link = join(folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    if (found) symlinkSync(found, link, "junction");
    else notes.push(`The module "${name}" of a function node is not installed in the user folder.`);
  }
  const dependencies = Object.fromEntries(modules.map((name) => [name, "*"]));
  const manifest = { name: "rehearsal", private: true, dependencies };
  writeFileSync(join(folder, "user", "package.json"), JSON.stringify(manifest));
  return notes;
}

/** Packages that function nodes load. */
function functionModules(flows: Prepared["flows"]): string[] {
  const libs = flows.flatMap(({ libs }) => (Array.isArray(libs) ? libs : []));
  const names = libs.map((lib) => /^(?:@[^/]+\/)?[^/@]+/.exec(String(Object(lib).module ?? ""))?.[0] ?? "");
  return [...new Set(names)].filter((name) => name !== "" && !isBuiltin(name));
}

function ownTypes(): string[] {
  const files = readdirSync(join(PACKAGE, "dist", "nodes"));
  return files.flatMap((file) => (file !== "index.js" && /^(.+)\.js$/.exec(file)?.[1]) || []);
}
