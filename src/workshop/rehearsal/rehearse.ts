import { copyFileSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import { oneLine } from "../../fields/quote";
import { formatInstant } from "../../hours";
import { pageTexts } from "../../texts/catalogue";
import { loadableFrom, makeFolder, remove, runConfined, sweep } from "./boundary";
import { provideCalendars } from "./calendars";
import { type FoundNodeRed, findFrom, findNodeRed, unusedCoreNodes } from "./find-node-red";
import { makeReport, Recording, TEXTS, whyBrokenOff } from "./make-report";
import type { RehearsalOptions } from "./options";
import { movedInjects, type Plan, type Prepared, prepare, withoutPlace } from "./prepare";
import { CannotRehearse } from "./world";

/** Core nodes that reach outside, or that read and write files: they are not loaded. */
const CORE_WITH_EFFECTS =
  "10-file.js 10-mqtt.js 21-httprequest.js 22-websocket.js 23-watch.js 31-tcpin.js 32-udp.js 90-exec.js".split(" ");

/** Packages whose nodes only compute, or wait: no others are loaded. */
const PURE_PACKAGES = [
  "node-red-contrib-bigtimer",
  "node-red-contrib-calc",
  "node-red-contrib-chronos",
  "node-red-contrib-cron-plus",
  "node-red-contrib-loop-processing",
  "node-red-contrib-moment",
  "node-red-contrib-queue-gate",
  "node-red-contrib-string",
  "node-red-node-base64",
  "node-red-node-random",
  "node-red-node-smooth",
  "node-red-node-suncalc",
];

const LIMIT_SECONDS = 60;
const PACKAGE = join(__dirname, "..", "..", "..", "..");
/** The files of this package that it needs. A user folder may lie in it, as that of `npm start` does. */
const OWN = ["package.json", "dist", "resources"];

export type Rehearsal = Awaited<ReturnType<typeof rehearse>>;

/**
 * Runs flows from one instant to another in a process of its own, in which time jumps, each tenant is a sandbox, and nothing reaches
 * outside.
 * @throws CannotRehearse
 */
export async function rehearse(options: RehearsalOptions) {
  await sweep();
  const { userDir, running } = options;
  const nodeRed = findNodeRed(userDir, running?.folder);
  const prepared = await prepare(options);
  const installed = [userDir ?? [], dirname(dirname(nodeRed.folder))].flat();
  const packages = PURE_PACKAGES.flatMap((name) => findFrom(installed, name) ?? []);
  const notes: string[] = [];
  if (prepared.leftOut.length > 0)
    notes.push(`Left out: ${prepared.leftOut.join(", ")}. Node.js itself reads variables with such names.`);
  notes.push(...prepared.notes, ...movedInjects(prepared), ...withoutPlace(prepared));
  const folder = makeFolder();
  try {
    const { modules, missing } = fill(folder, prepared, installed);
    notes.push(...missing);
    notes.push(...provideCalendars(join(folder, "user"), prepared, options));
    symlinkSync(nodeRed.coreNodes, join(folder, "core"), "junction");
    const unused = unusedCoreNodes(nodeRed.coreNodes, new Set(prepared.flows.map(({ type }) => type)));
    const plan: Plan = {
      ...prepared.plan,
      nodeRed: nodeRed.folder,
      settings: {
        userDir: join(folder, "user"),
        flowFile: "flows.json",
        // Not where Node-RED is: it would load the third-party nodes that are installed beside it.
        coreNodesDir: join(folder, "core"),
        nodesDir: [join(folder, "nodes"), ...packages],
        nodesExcludes: [...CORE_WITH_EFFECTS, ...unused, ...(running?.nodesExcludes ?? [])],
        functionExternalModules: running?.functionExternalModules ?? true,
        functionGlobalContext: options.world?.global ?? {},
        lang: "en-US",
      },
    };
    writeFileSync(join(folder, "plan.json"), JSON.stringify(plan), { mode: 0o600 });
    const readable = [
      ...OWN.map((name) => join(PACKAGE, name)),
      ...loadableFrom(PACKAGE).filter((path) => path !== PACKAGE),
      ...[nodeRed.folder, nodeRed.coreNodes].flatMap(loadableFrom),
      ...(userDir === undefined ? [] : [join(realpathSync(userDir), "node_modules")]),
      ...packages,
      ...modules,
    ];
    const rehearsal = await play(options, prepared, { folder, readable }, nodeRed, notes);
    return {
      ...rehearsal,
      /** The reasons why nodes could not start, in sentences. */
      notStarted: [...missing, ...rehearsal.notStarted],
    };
  } finally {
    await remove(folder);
  }
}

async function play(
  { limit = LIMIT_SECONDS, signal, pid, onProgress }: RehearsalOptions,
  prepared: Prepared,
  confined: Pick<Parameters<typeof runConfined>[0], "folder" | "readable">,
  nodeRed: FoundNodeRed,
  notes: readonly string[],
) {
  const { plan, names, watched, zone } = prepared;
  const recording = new Recording(plan.from);
  const hasBegun = () => recording.all("starting flows").length > 0;
  const ended = await runConfined({
    ...{ ...confined, seed: plan.seed, limit, signal, pid },
    onEvent: (event) => recording.note(event),
    onProgress(head) {
      recording.reach(head);
      if (hasBegun()) onProgress?.(formatInstant(recording.at, zone), head.calls);
    },
  });
  if (!hasBegun() && ended.by === "itself") {
    const reason = recording.all("broken")[0]?.message ?? (ended.stderrTail || `exit code ${ended.code}`);
    throw new CannotRehearse(`Node-RED could not be started: ${reason}`);
  }
  const isWhole = recording.all("end").length > 0 && ended.by === "itself";
  const brokenOff = isWhole ? null : whyBrokenOff(ended, recording, prepared, limit);
  const types = recording.all("not run").map(({ type }) => type);
  const notRun = types.length > 0 ? [`Nodes of these types are not run: ${types.join(", ")}.`] : [];
  const tried = recording
    .all("kept in")
    .map(({ what }) => `The flow tried to reach ${oneLine(what)}: a rehearsal lets nothing out.`);
  const count = (id: string) => recording.all("tally").reduce((sum, { reached }) => sum + (reached[id] ?? 0), 0);
  return {
    report: makeReport(recording, prepared, nodeRed.version, brokenOff?.(pageTexts(TEXTS, ["en"]).text) ?? null),
    /** Writes why it ended before `until`, in any language. */
    brokenOff,
    nodeRedPath: nodeRed.folder,
    /** The notes that a person must know about the run: types that are not run, calendars from a copy. */
    notes: [...notes, ...notRun, ...tried],
    notStarted: recording
      .all("not started")
      .map(({ nodeId, message }) => `"${names.nameOf(nodeId)}" could not start: ${message}`),
    /** The gate that was the first to find it closed, and when it opens. */
    closed: recording.all("closed").map(({ nodeId, opensAt }) => ({ nodeId, node: names.nameOf(nodeId), opensAt }))[0],
    /** Messages that reached the nodes of `watch`, by what was given there. */
    reached: Object.fromEntries([...watched].map(([given, id]) => [given, count(id)])),
  };
}

/**
 * Fills the folder of a rehearsal.
 * @param installed folders in whose `node_modules` packages are looked for
 * @returns the folders of the modules of function nodes, and a sentence for each that is missing
 */
function fill(folder: string, { flows, credentials }: Prepared, installed: readonly string[]) {
  for (const name of ["user", "node_modules", "nodes"]) mkdirSync(join(folder, name), { mode: 0o700 });
  copyFileSync(join(PACKAGE, "package.json"), join(folder, "nodes", "package.json"));
  symlinkSync(join(PACKAGE, "dist"), join(folder, "nodes", "dist"), "junction");
  writeFileSync(join(folder, "user", "flows.json"), JSON.stringify(flows), { mode: 0o600 });
  writeFileSync(join(folder, "user", "flows_cred.json"), JSON.stringify(credentials), { mode: 0o600 });
  const [modules, missing]: [string[], string[]] = [[], []];
  const names = functionModules(flows);
  for (const name of names) {
    const found = findFrom(installed, name);
    // Beside the folder that may be written to: a link in it would lead out.
    const link = join(folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    if (found) symlinkSync(found, link, "junction");
    if (found) modules.push(found);
    else missing.push(`The module "${name}" of a function node is not installed in the user folder.`);
  }
  const dependencies = Object.fromEntries(names.map((name) => [name, "*"]));
  const manifest = { name: "rehearsal", private: true, dependencies };
  writeFileSync(join(folder, "user", "package.json"), JSON.stringify(manifest));
  return { modules, missing };
}

/** A package, which may be followed by a path in it and a version: no path of the machine. */
const MODULE = /^((?:@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*)(?:\/(?!\.\.?(?:\/|$))[\w.~-]+)*(?:@[^/\\]*)?$/;

/** @throws CannotRehearse */
function functionModules(flows: Prepared["flows"]): string[] {
  const libs = flows.flatMap(({ libs, d }) => (Array.isArray(libs) && d !== true ? libs : []));
  const given = libs.map((lib) => String(Object(lib).module ?? "")).filter((name) => name !== "" && !isBuiltin(name));
  const names = given.map((module) => {
    const [, name] = MODULE.exec(module) ?? [];
    if (name !== undefined) return name;
    throw new CannotRehearse(`The module "${module}" of a function node is not the name of a package.`);
  });
  return [...new Set(names)].filter((name) => !isBuiltin(name));
}
