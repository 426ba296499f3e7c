import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { formatInstant } from "../hours";
import { provideCalendars } from "./calendars";
import { findNodeRed, findUpwards } from "./find-node-red";
import { makeReport, newRecord, note } from "./make-report";
import { CORE_WITH_EFFECTS, nodeTypes } from "./node-types";
import type { Event, Plan } from "./plan";
import { type Prepared, prepare } from "./prepare";
import { type Ended, runProcess } from "./process";
import { CannotRehearse, type Rehearsal, type RehearsalOptions } from "./rehearsal";

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
  const modulesFolders = [options.userDir, dirname(dirname(nodeRed.folder))].flatMap((folder) =>
    folder === undefined ? [] : [join(folder, "node_modules")],
  );
  const types = nodeTypes(prepared.flows, nodeRed.coreNodes, ownTypes(), [...new Set(modulesFolders)]);
  const notes = types.missing.map(
    (type) => `The node type "${type}" is not installed: messages that reach such a node end there.`,
  );
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "telephony-rehearsal-"));
  try {
    notes.push(...furnish(folder, prepared, modulesFolders));
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
  nodeRed: { readonly folder: string; readonly version: string },
  notes: readonly string[],
): Promise<Rehearsal> {
  const { plan, env, watched, zone } = prepared;
  const record = newRecord();
  const keptIn = new Set<string>();
  const state = {
    at: plan.from,
    beatAt: Date.now(),
    isStarted: false,
    isOver: false,
    broken: "",
    exit: undefined as number | undefined,
  };
  const show = (at: number) => formatInstant(Math.max(at, plan.from), zone);
  const onEvent = (event: Event) => {
    note(record, event);
    if ("at" in event) state.at = event.at;
    if (event.kind === "at") {
      state.beatAt = Date.now();
      if (state.isStarted) onProgress?.(show(event.at), record.calls.length);
    } else if (event.kind === "kept in" && keptIn.size < 20) keptIn.add(event.what);
    else if (event.kind === "started") state.isStarted = true;
    else if (event.kind === "end") state.isOver = true;
    else if (event.kind === "broken") state.broken = event.message;
    else if (event.kind === "exit") state.exit = event.code;
  };
  const { seed } = plan;
  const ended = await runProcess({ folder, env, seed, memory: MEMORY_MIB, limit, signal, onEvent });
  if (!state.isStarted && state.exit === undefined && ended.by === "itself")
    throw new CannotRehearse(
      `Node-RED could not be started: ${state.broken || ended.lastWords || `exit code ${ended.code}`}`,
    );
  const reached = Object.fromEntries([...watched].map(([given, id]) => [given, record.reached.get(id) ?? 0]));
  const tried = [...keptIn].map((what) => `The flow tried to reach ${what}: a rehearsal lets nothing out.`);
  const why = state.isOver ? undefined : whyCutShort(ended, { ...state, limit, at: show(state.at) });
  return {
    report: makeReport(record, prepared, nodeRed.version),
    nodeRedPath: nodeRed.folder,
    notes: [...notes, ...tried],
    cutShort: why,
    reached,
  };
}

function whyCutShort(
  { by, code }: Ended,
  {
    at,
    beatAt,
    limit,
    broken,
    exit,
  }: { at: string; beatAt: number; limit: number; broken: string; exit: number | undefined },
): string {
  if (by === "signal") return `It was stopped at ${at}.`;
  if (by === "memory" || /^RangeError: memory/.test(broken))
    return `The flow needed more than ${MEMORY_MIB} MB of memory at ${at}.`;
  if (/^RangeError: report/.test(broken)) return `More happened until ${at} than a report can hold.`;
  if (by === "limit" && Date.now() - beatAt > 2000)
    return `At ${at} a node did not give control back, as in an endless loop; it was ended after ${limit} s.`;
  if (by === "limit")
    return `After ${limit} s of real time the rehearsal had come to ${at}: choose fewer days or a higher --limit.`;
  if (broken !== "") return `At ${at} an error that no node handles ended Node-RED: ${broken}`;
  return `At ${at} the flow ended the process, with exit code ${exit ?? code}.`;
}

/** Fills the folder of a rehearsal. Returns what a person must know. */
function furnish(folder: string, { flows }: Prepared, modulesFolders: readonly string[]): string[] {
  const notes: string[] = [];
  const [user, stubs, modules] = ["user", "stubs", "node_modules"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const each of [user, stubs, modules]) mkdirSync(each, { mode: 0o700 });
  writeFileSync(join(user, "flows.json"), JSON.stringify(flows), { mode: 0o600 });
  const stub = join(__dirname, "child", "outside-nodes.js");
  writeFileSync(join(stubs, "outside.js"), `module.exports = require(${JSON.stringify(stub)});\n`);
  writeFileSync(
    join(stubs, "outside.html"),
    '<script type="text/html" data-template-name="rehearsal-outside"></script>\n',
  );
  const dependencies: { [name: string]: string } = {};
  for (const name of functionModules(flows)) {
    dependencies[name] = "*";
    const found = modulesFolders.map((each) => findUpwards(dirname(each), name)).find((each) => each !== undefined);
    if (!found) notes.push(`The module "${name}" of a function node is not installed in the user folder.`);
    else {
      mkdirSync(dirname(join(modules, name)), { recursive: true });
      // Beside the folder that may be written to: a link in it would lead out.
      symlinkSync(found, join(modules, name), "junction");
    }
  }
  writeFileSync(join(user, "package.json"), JSON.stringify({ name: "rehearsal", private: true, dependencies }));
  return notes;
}

/** Packages that function nodes load. */
function functionModules(flows: Prepared["flows"]): string[] {
  const libs = flows.flatMap(({ libs }) => (Array.isArray(libs) ? libs : []));
  const names = libs.map((lib) => /^(?:@[^/]+\/)?[^/@]+/.exec(String(Object(lib).module ?? ""))?.[0] ?? "");
  return [...new Set(names)].filter((name) => name !== "" && !require("node:module").isBuiltin(name));
}

function ownTypes(): string[] {
  const suffix = ".js";
  return readdirSync(join(PACKAGE, "dist", "nodes"))
    .filter((file) => file.endsWith(suffix) && file !== "index.js")
    .map((file) => file.slice(0, -suffix.length));
}
